package freeze

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
)

const (
	idOld = "prf_20260909_235453_a7d1c7"
	idNew = "prf_20260916_000525_ad1a24"
)

// folder is a bundle in memory.
type folder map[string]string

func (f folder) Read(name string) ([]byte, error) {
	s, ok := f[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	if s == unreadable {
		return nil, fs.ErrPermission
	}
	return []byte(s), nil
}

func (f folder) Has(name string) bool { _, ok := f[name]; return ok }

const unreadable = "\x00unreadable"

var (
	salt   = [SaltSize]byte{1, 2, 3}
	opens  = time.Date(2026, 9, 21, 0, 0, 0, 0, time.UTC)
	frozen = folder{
		"season.json": "season", "enrolments.json": "who", "corpus/manifest.json": "manifest\n", "freeze/b.json": "scale", "freeze/b.md": "text",
		"freeze/key.json": "key", "freeze/superseded/b.json": "older scale",
	}
	seasonOf = &season.Season{File: "season.json", Opens: opens, FreezeFile: "freeze/freeze.json", ManifestFile: "corpus/manifest.json", EnrolmentFile: "enrolments.json",
		Tracks: []season.Track{{ID: "conformite", ScaleFile: "freeze/b.json", TextFile: "freeze/b.md", KeyFile: "freeze/key.json"}}}
)

const pairs = `{"request_hash":{"nonce":"H","value":"H"},"response_hash":{"nonce":"H","value":"H"}}`

// request is a frozen request with these members of its payload, each the hash of a file.
func request(names ...string) string {
	var members []string
	for _, n := range names {
		sum := canon.Sum([]byte(frozen[n]))
		if n == "freeze/key.json" {
			sum = Salted(salt, []byte(frozen[n]))
		}
		members = append(members, fmt.Sprintf("%q:%q", n, sum.String()))
	}
	return `{"target":"https://s.example/gel","method":"POST","payload":{` + strings.Join(members, ",") + `},"amount":0.0,"currency":"eur"}`
}

func bindings(names ...string) string {
	var list []string
	for _, n := range names {
		b := fmt.Sprintf(`{"pointer":"/payload/%s","file":%q}`, canon.EscapeToken(n), n)
		if n == "freeze/key.json" {
			b = fmt.Sprintf(`{"pointer":"/payload/%s","salt":%q,"file":%q}`, canon.EscapeToken(n), canon.Digest(salt).String(), n)
		}
		list = append(list, b)
	}
	return "[" + strings.Join(list, ",") + "]"
}

var currentFiles = []string{"corpus/manifest.json", "freeze/b.json", "freeze/b.md", "freeze/key.json"}

// sound is a freeze.json that holds: one superseded freeze, then the current one.
func sound() string {
	text := `{"format":"proveit.freeze/v1","freezes":[{"proof_id":"` + idOld + `","status":"superseded","reason":"older","request":` +
		request("freeze/superseded/b.json") + `,"disclosures":` + pairs + `,"bindings":` + bindings("freeze/superseded/b.json") + `},
{"proof_id":"` + idNew + `","status":"current","request":` + request(currentFiles...) + `,"disclosures":` + pairs + `,"bindings":` + bindings(currentFiles...) + `}]}`
	return strings.ReplaceAll(text, `"H"`, `"`+strings.Repeat("a", 64)+`"`)
}

// judged gives a valid result whose request_hash opened to the request of sound(), and whose token is a day before the opening.
func judged(id string, _ proof.Disclosures) proof.Result {
	r := proof.Result{ProofID: id, SpecVersion: "3.0", Outcome: proof.Valid, TokenTime: opens.Add(-24 * time.Hour), Opened: &proof.Opened{}}
	text := request(currentFiles...)
	if id == idOld {
		text = request("freeze/superseded/b.json")
	}
	v, err := canon.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	r.Opened.Request = canon.Hash(v)
	return r
}

// run verifies sound() after replacing old by new in it, over the files after the changes.
func run(t *testing.T, old, new string, changed folder, judge Judge, o Options) (*Report, error) {
	t.Helper()
	files := folder{}
	for k, v := range frozen {
		files[k] = v
	}
	if !strings.Contains(sound(), old) {
		t.Fatalf("freeze.json has no %s", old)
	}
	files["freeze/freeze.json"] = strings.Replace(sound(), old, new, 1)
	for k, v := range changed {
		if v == "" {
			delete(files, k)
		} else {
			files[k] = v
		}
	}
	return Verify(files, seasonOf, judge, o)
}

// faults lists code and place of every check that is not ok.
func faults(r *Report) string {
	var out []string
	for _, c := range r.All() {
		if c.Status != verify.OK {
			out = append(out, c.Name+" "+c.Status.String()+" "+string(c.Reason)+" "+c.Detail.Pointer)
		}
	}
	return strings.Join(out, "|")
}
