package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The bound on memory: what an empty input takes, ten times the input, and 64 MiB.
func allowed(empty, size int64) int64 { return empty + 10*size + 64<<20 }

const (
	huge = 15 << 20 // just below the largest file that is read
	most = 16 << 20
)

// repeated is text over and over, between two ends, in about n bytes.
func repeated(begin, text, end string, n int) []byte {
	var b bytes.Buffer
	b.WriteString(begin)
	for b.Len() < n {
		b.WriteString(text)
	}
	b.WriteString(end)
	return b.Bytes()
}

// numbered is the same with a number in the text, so that no two are alike.
func numbered(begin, format, end string, n, most int) []byte {
	var b bytes.Buffer
	b.WriteString(begin)
	for i := 0; b.Len() < n && i < most; i++ {
		fmt.Fprintf(&b, format, i)
	}
	b.WriteString(end)
	return b.Bytes()
}

// slow is worth a line in the log.
const slow = 5 * time.Second

const values = 1 << 20 // the most values in one document

// documents are JSON texts made to cost: deep, wide, long, many.
func documents() map[string][]byte {
	return map[string][]byte{
		"open brackets":            bytes.Repeat([]byte("["), huge),
		"open objects":             repeated("", `{"":`, "", huge),
		"empty lists":              repeated("[", "[],", "0]", huge),
		"zeros":                    repeated("[", "0,", "0]", huge),
		"as many zeros as allowed": repeated("[", "0,", "0]", 2*(values-4)),
		"lists as allowed":         repeated("[", "[],", "0]", 3*(values-4)),
		"members":                  numbered("{", `"%07d":0,`, `"x":0}`, huge, values-3),
		"members of one name":      repeated("{", `"a":0,`, `"a":0}`, huge),
		"one text":                 repeated(`["`, "a", `"]`, huge),
		"escapes":                  repeated(`["`, `\u0000`, `"]`, huge),
		"surrogates":               repeated(`["`, `\ud83d\ude00`, `"]`, huge),
		"digits":                   repeated("[", "7", "]", huge),
		"fractions":                repeated("[0.", "7", "]", huge),
		"white space":              repeated("[", " ", "]", huge),
		"one name":                 repeated(`{"`, "n", `":0}`, huge),
		"control characters":       bytes.Repeat([]byte{0}, huge),
		"bytes FF":                 bytes.Repeat([]byte{0xff}, huge),
		"lists in lists":           repeated("[", strings.Repeat("[", 900)+strings.Repeat("]", 900)+",", "0]", huge),
	}
}

// question is one command over one awkward file.
type question struct {
	name string
	args []string // FILE stands for the file
}

func ask(t *testing.T, name, file string, args []string) ran {
	t.Helper()
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = strings.ReplaceAll(a, "FILE", file)
	}
	r := measured(t, program(t), all...)
	if r.code > 3 {
		t.Errorf("%s: exit code %d: %.300s", name, r.code, r.complaints)
	}
	if bytes.Contains(r.complaints, []byte("goroutine ")) || bytes.Contains(r.complaints, []byte("panic")) {
		t.Errorf("%s: %s", name, r.complaints)
	}
	return r
}

// bounded puts a question to awkward files and to an empty one.
func bounded(t *testing.T, q question, files map[string][]byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "input")
	put(t, file, nil)
	empty := ask(t, q.name, file, q.args)
	if empty.code == 0 || empty.peak == 0 {
		t.Fatalf("%s of an empty file: exit code %d, peak %d bytes", q.name, empty.code, empty.peak)
	}
	worst, which := 0.0, ""
	for name, b := range files {
		if len(b) > most {
			t.Fatalf("%s has %d bytes, want at most %d: it would not be read at all", name, len(b), most)
		}
		put(t, file, b)
		began := time.Now()
		r := ask(t, q.name+" of "+name, file, q.args)
		if limit := allowed(empty.peak, int64(len(b))); r.peak > limit {
			t.Errorf("%s of %s: %d bytes of memory for %d bytes, want at most %d", q.name, name, r.peak, len(b), limit)
		}
		if len(r.complaints) > 16<<10 {
			t.Errorf("%s of %s: a complaint of %d bytes", q.name, name, len(r.complaints))
		}
		if took := time.Since(began); took > slow {
			t.Logf("%s of %s: %v", q.name, name, took)
		}
		if share := float64(r.peak-empty.peak) / float64(len(b)); share > worst {
			worst, which = share, name
		}
	}
	t.Logf("%s: %d MB for an empty file; at most %.1f times the file (%s)", q.name, empty.peak>>20, worst, which)
}

// telling are the documents that took most, or most time; the others run under PROVEIT_EXAM=long.
var telling = []string{"members", "open brackets", "as many zeros as allowed", "one name"}

func TestMemoryOfJSON(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many large files")
	}
	trust, suite := absolute(t, "testdata/conformance/_trust"), absolute(t, "testdata/conformance")
	for _, q := range []question{
		{"canon", []string{"canon", "FILE", "--hash"}},
		{"canon --strict", []string{"canon", "--strict", "FILE", "--hash"}},
		{"proof verify", []string{"proof", "verify", "FILE", "--trust", trust}},
		{"proof verify --rekor", []string{"proof", "verify", suite + "/proof-good/proof.json", "--rekor", "FILE", "--trust", trust}},
		{"proof verify --disclosures", []string{"proof", "verify", suite + "/proof-good/proof.json", "--disclosures", "FILE", "--trust", trust}},
		{"submission check", []string{"submission", "check", "FILE", "--season", suite + "/_season"}},
		{"rekor verify", []string{"rekor", "verify", "FILE", "--trust", trust}},
	} {
		files := documents()
		if os.Getenv("PROVEIT_EXAM") != "long" {
			maps.DeleteFunc(files, func(name string, _ []byte) bool { return !slices.Contains(telling, name) })
		}
		bounded(t, q, files)
	}
}

// TestMemoryOfParts: documents of the right shape, with one part blown up.
func TestMemoryOfParts(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many large files")
	}
	trust, suite := absolute(t, "testdata/conformance/_trust"), absolute(t, "testdata/conformance")
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(suite, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	view, entry, submission := read("proof-good/proof.json"), read("entry-good/entry.json"), read("submission-good/submission.json")
	blown := func(document, at string, text []byte) []byte {
		if strings.Count(document, at) != 1 {
			t.Fatalf("%q is found %d times, want once", at, strings.Count(document, at))
		}
		return []byte(strings.Replace(document, at, at+string(text), 1))
	}
	const part, hash = 15 << 20, `"sha256:0000000000000000000000000000000000000000000000000000000000000000"`
	id := `"prf_20260923_072144_%06x":`
	bounded(t, question{"proof verify", []string{"proof", "verify", "FILE", "--trust", trust}}, map[string][]byte{
		"commitments":       blown(view, `"commitments": {`, numbered("", `"f%06d":`+hash+",", "", part, values)),
		"audit path":        blown(view, `"audit_path": [`, repeated("", `"0000000000000000000000000000000000000000000000000000000000000000",`, "", part)),
		"token":             blown(view, `"tsr_base64": "`, bytes.Repeat([]byte("MIIB"), part/4)),
		"signature":         blown(view, `"arkforge_signature": "ed25519:`, bytes.Repeat([]byte("A"), part)),
		"version":           blown(view, `"spec_version": "`, bytes.Repeat([]byte("1."), part/2)),
		"other members":     blown(view, `"is_demo": false,`, numbered("", `"x%07d":[],`, "", part, values/2-100)),
		"batch answer":      numbered(`{"proofs":{`, id+`{"proof_id":"prf_20260923_072144_000000"},`, `"x":null}}`, part, values),
		"answer of numbers": numbered(`{"proofs":{`, id+`0,`, `"x":null}}`, part, values-10),
		"answer of ids":     numbered(`{"proofs":{`, `"prf_20260923_072144_%06[1]x":{"proof_id":"prf_20260923_072144_%06[1]x"},`, `"x":null}}`, part, values/4),
		"null answer":       numbered(`{"proofs":{`, id+`null,`, `"x":null}}`, part, values-10),
	})
	bounded(t, question{"rekor verify", []string{"rekor", "verify", "FILE", "--trust", trust}}, map[string][]byte{
		"path":       blown(entry, `"hashes": [`, repeated("", `"0000000000000000000000000000000000000000000000000000000000000000",`, "", part)),
		"checkpoint": blown(entry, `"checkpoint": "`, bytes.Repeat([]byte(`a\n`), part/3)),
		"body":       blown(entry, `"body": "`, bytes.Repeat([]byte("e30K"), part/4)),
		"entries":    numbered("{", `"%080x":{},`, `"x":{}}`, part, values),
		"nulls":      numbered("[", `{"%080x":null},`, `{}]`, part, values/2-10),
	})
	bounded(t, question{"submission check", []string{"submission", "check", "FILE", "--season", suite + "/_season"}}, map[string][]byte{
		"assertions":  blown(submission, `"assertions": [`, numbered("", `{"id":"b%d"},`, "", part, values/2)),
		"proof ids":   blown(submission, "\"proof_ids\": [\n    \"prf_20260923_072141_00000a\"", numbered("", `,"prf_20260923_072141_%06x"`, "", part, values)),
		"disclosures": blown(submission, `"disclosures": {`, numbered("", id+`{},`, "", part, values)),
		"narrative":   blown(submission, `"narrative": "`, bytes.Repeat([]byte("é"), part/2)),
		"value":       blown(submission, `"value": "active`, bytes.Repeat([]byte("x"), part)),
		"members":     blown(submission, `"season": 1,`, numbered("", `"x%07d":0,`, "", part, values-200)),
	})
}

// nestedDER is DER that opens a sequence inside a sequence, each as long as what follows.
func nestedDER(n int) []byte {
	b := make([]byte, n)
	for i := 0; i+6 < n; i += 6 {
		left := n - i - 6
		copy(b[i:], []byte{0x30, 0x84, byte(left >> 24), byte(left >> 16), byte(left >> 8), byte(left)})
	}
	return b
}

func TestMemoryOfTokens(t *testing.T) {
	suite := absolute(t, "testdata/conformance")
	token, err := os.ReadFile(suite + "/token-embedded/token.tsr")
	if err != nil {
		t.Fatal(err)
	}
	wide := []byte{0x30, 0x84, 0, 0, 0, 0}
	wide = append(wide, bytes.Repeat([]byte{0x30, 0x00}, huge/2)...)
	copy(wide[2:], []byte{byte((len(wide) - 6) >> 24), byte((len(wide) - 6) >> 16), byte((len(wide) - 6) >> 8), byte(len(wide) - 6)})
	bounded(t, question{"tsa verify", []string{"tsa", "verify", "FILE", "--data", suite + "/token-good/anchored.bin", "--trust", suite + "/_trust"}}, map[string][]byte{
		"nested sequences": nestedDER(huge),
		"empty sequences":  wide,
		"one octet string": append([]byte{0x04, 0x84, 0, 0xef, 0xff, 0xfa}, make([]byte, 0xeffffa)...),
		"indefinite":       bytes.Repeat([]byte{0x30, 0x80}, huge/2),
		"tokens in a row":  repeated("", string(token), "", huge-len(token)),
		"zeros":            make([]byte, huge),
		"a long tag":       bytes.Repeat([]byte{0x3f, 0xff}, huge/2),
	})
}

// TestOneByteTooMany: above the cap nothing is read but the cap, and the message gives it.
func TestOneByteTooMany(t *testing.T) {
	file := filepath.Join(t.TempDir(), "input")
	put(t, file, bytes.Repeat([]byte(" "), most+1))
	for _, command := range [][]string{{"canon"}, {"proof", "verify"}, {"submission", "check"}} {
		r := start(t, nil, "", program(t), append(command, file)...)
		if r.code != 2 || !strings.Contains(string(r.complaints), fmt.Sprint(most)) {
			t.Errorf("%v: exit code %d, %s; want 2 and the cap of %d bytes", command, r.code, r.complaints, most)
		}
	}
}
