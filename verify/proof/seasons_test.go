package proof

import (
	"archive/zip"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/trust"
)

// shared lies beside the repository and is not part of it.
const shared = "../../../shared"

// minted is one independently minted season (shared/seasons/README.md), with just enough read of it to judge its proofs.
type minted struct {
	files    fs.FS
	verifier *Verifier
	views    map[string][]View
	entries  map[string][]rekor.Entry // by leaf hash
	window   Window
	expected canon.Value
	dids     map[string]string
}

func openMinted(t testing.TB, name string) *minted {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	s := &minted{files: z, views: map[string][]View{}, entries: map[string][]rekor.Entry{}, dids: map[string]string{}}
	folder, err := fs.Sub(s.files, "trust")
	if err != nil {
		t.Fatal(err)
	}
	store, err := trust.Load(folder, "season")
	if err != nil {
		t.Fatal(err)
	}
	s.verifier = NewVerifier(store)
	s.eachJSON(t, "proofs", func(name string, b []byte) {
		views, err := Views(name, b)
		if err != nil {
			t.Logf("%s: %v", name, err)
		}
		for _, v := range views {
			s.views[v.ID] = append(s.views[v.ID], v)
		}
	})
	s.eachJSON(t, "rekor", func(name string, b []byte) {
		entries, err := rekor.ParseEntries(name, b)
		if err != nil {
			t.Logf("%s: %v", name, err)
		}
		for _, e := range entries {
			leaf := e.UUID[max(0, len(e.UUID)-64):]
			s.entries[leaf] = append(s.entries[leaf], e)
		}
	})
	season := s.read(t, "season.json")
	s.window = Window{instant(t, season.Get("opens_at")), instant(t, season.Get("closes_at"))}
	s.expected = s.read(t, "expected.json")
	for _, p := range s.read(t, "enrolments.json").Get("participants").Elements() {
		s.dids[str(p.Get("id"))] = str(p.Get("did"))
	}
	return s
}

func (s *minted) eachJSON(t testing.TB, dir string, do func(name string, b []byte)) {
	t.Helper()
	err := fs.WalkDir(s.files, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".json" {
			return err
		}
		b, err := fs.ReadFile(s.files, name)
		if err == nil {
			do(name, b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *minted) read(t testing.TB, name string) canon.Value {
	t.Helper()
	b, err := fs.ReadFile(s.files, name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := canon.ParseStrict(name, b)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func instant(t testing.TB, v canon.Value) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, str(v))
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func str(v canon.Value) string {
	s, _ := v.Text()
	return s
}

// judge gives the best result for a cited proof, and whether any view of it is there.
func (s *minted) judge(t testing.TB, id string, d canon.Value) (Result, bool) {
	t.Helper()
	disclosures, err := ParseDisclosures("submission", d)
	if err != nil {
		t.Fatal(err)
	}
	var rs []Result
	for _, v := range s.views[id] {
		if v.Null {
			rs = append(rs, NullResult(v))
		}
		if v.Proof == nil {
			continue
		}
		uuid := v.Proof.EntryUUID()
		ev := Evidence{Entries: s.entries[uuid[max(0, len(uuid)-64):]], Disclosures: &disclosures, Window: &s.window}
		rs = append(rs, s.verifier.Verify(v.Proof, ev))
	}
	return Best(rs), len(rs) != 0
}

// cause is what conditions 1 and 2 give for an assertion: a cause, "pending", "incomplete" or nothing.
func (s *minted) cause(t testing.TB, submission canon.Value, ids []string, did string) (string, string) {
	t.Helper()
	worst, why := 9, ""
	for _, id := range ids {
		r, there := s.judge(t, id, submission.Get("disclosures").Get(id))
		n := 9
		switch {
		case !there || r.Outcome == Incomplete:
			n = 1
		case r.Outcome == Pending:
			n = 0
		case r.Outcome == Invalid:
			n = 2
		case r.Identity.Failure != nil || r.Identity.DID != did:
			n = 3
		}
		if n < worst {
			worst = n
			why = id
			for _, c := range r.Checks {
				if c.Detail != nil {
					why += " " + c.Name + "=" + c.Detail.Error()
				}
			}
		}
	}
	return map[int]string{0: "pending", 1: "incomplete", 2: "preuve_invalide", 3: "identite_non_liee", 9: ""}[worst], why
}

// TestMintedSeasons judges every cited proof of seasons that another program minted, and compares with the outcome known by construction.
func TestMintedSeasons(t *testing.T) {
	names, _ := filepath.Glob(shared + "/seasons/*.zip")
	if len(names) == 0 {
		t.Skip("no ../shared/seasons beside the repository")
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			s := openMinted(t, name)
			if s.expected.Get("tracks").Len() == 0 {
				t.Skip("no scores are expected of this season")
			}
			compared := 0
			for track, participants := range s.expected.Get("tracks").Members() {
				for participant, p := range participants.Members() {
					for task, want := range p.Get("tasks").Members() {
						compared += s.compareTask(t, track, participant, task, want)
					}
				}
			}
			if compared < 500 {
				t.Errorf("compared %d assertions, want at least 500", compared)
			}
			tokens, entries := s.verifier.Anchors()
			t.Logf("%d assertions, %d proofs, %d tokens and %d entries verified", compared, len(s.views), tokens, entries)
		})
	}
}

func (s *minted) compareTask(t *testing.T, track, participant, task string, want canon.Value) int {
	name := "submissions/" + participant + "/" + track + "/" + task + ".json"
	status := str(want.Get("status"))
	if !slices.Contains([]string{"rendue", "non_rendue", "rejetee_cloture", "incomplete", "en_attente"}, status) {
		return 0
	}
	if _, err := fs.Stat(s.files, name); err != nil {
		t.Fatal(err)
	}
	submission := s.read(t, name)
	n := 0
	all := map[string]bool{}
	for _, a := range submission.Get("assertions").Elements() {
		var ids []string
		for _, id := range a.Get("proof_ids").Elements() {
			ids = append(ids, str(id))
		}
		got, why := s.cause(t, submission, ids, s.dids[participant])
		all[got] = true
		expected := want.Get("assertions").Get(str(a.Get("id")))
		if !expected.Exists() {
			continue
		}
		n++
		cause := str(expected.Get("cause"))
		if cause != "preuve_invalide" && cause != "identite_non_liee" {
			cause = ""
		}
		if got != cause {
			t.Errorf("%s %s (%s): got %q, want %q: %s", name, str(a.Get("id")), str(expected.Get("why")), got, cause, why)
		}
	}
	if open := map[string]string{"incomplete": "incomplete", "en_attente": "pending"}[status]; open != "" && !all[open] {
		t.Errorf("%s: got %v, want one that is %s", name, all, open)
	}
	return n
}

// TestMintedReasons prints nothing unless -v is given: it is how the reasons for each of the minter's words were looked over.
func TestMintedReasons(t *testing.T) {
	name := shared + "/seasons/open-season.zip"
	if _, err := os.Stat(name); err != nil {
		t.Skip("no ../shared/seasons beside the repository")
	}
	s := openMinted(t, name)
	for track, participants := range s.expected.Get("tracks").Members() {
		for participant, p := range participants.Members() {
			for task, want := range p.Get("tasks").Members() {
				if !want.Get("assertions").Exists() {
					continue
				}
				submission := s.read(t, "submissions/"+participant+"/"+track+"/"+task+".json")
				for _, a := range submission.Get("assertions").Elements() {
					why := str(want.Get("assertions").Get(str(a.Get("id"))).Get("why"))
					if why == "" || strings.HasPrefix(why, "good") {
						continue
					}
					for _, id := range a.Get("proof_ids").Elements() {
						r, _ := s.judge(t, str(id), submission.Get("disclosures").Get(str(id)))
						line := why + ": " + r.Outcome.String()
						for _, c := range r.Checks {
							if c.Reason != "" && c.Detail != nil {
								line += " | " + c.Name + " " + c.Detail.Error()
							}
						}
						for _, i := range r.Incidents {
							line += " | incident " + string(i.Code) + " " + i.Pointer
						}
						t.Log(line)
					}
				}
			}
		}
	}
}
