package rekor

import (
	"archive/zip"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
)

// TestSeasons judges the log entry of every proof of the independently minted seasons. The minter's own word for what it did to an
// assertion's evidence tells what must come out: seasonReasons for a fault in the entry, acceptance for everything else.
func TestSeasons(t *testing.T) {
	for _, name := range []string{"open-season", "closed-season"} {
		t.Run(name, func(t *testing.T) {
			readShared(t, "seasons/README.md")
			z, err := zip.OpenReader(shared + "seasons/" + name + ".zip")
			if err != nil {
				t.Fatal(err)
			}
			defer z.Close()
			s := openSeason(t, z)
			seen := map[string]int{}
			for id, why := range s.words {
				for _, v := range s.views[id] {
					s.judge(t, id, why, v, seen)
				}
			}
			for why := range seasonReasons {
				if seen[why] == 0 {
					t.Errorf("no entry with %s", why)
				}
			}
			if seen[""] < 20 {
				t.Errorf("found %d plain entries, want at least 20", seen[""])
			}
		})
	}
}

// seasonReasons is why the entry behind each word of the minter must be refused; "" where it must be accepted all the same. A proof's entry
// that is about another hash or signed by a key that nobody published is refused where the proof is judged.
var seasonReasons = map[string]verify.Reason{
	"log-alias": ReasonCheckpointSignature, "log-artifact": ReasonArtifact, "log-checkpoint": ReasonCheckpointSignature,
	"log-kind": ReasonKind, "log-name": ReasonCheckpointSignature, "log-offset": ReasonShardOffset, "log-origin": ReasonCheckpointOrigin,
	"log-other": ReasonArtifact, "log-path": ReasonInclusion, "log-set": ReasonSET, "log-signature": ReasonSignature,
	"log-size": ReasonTreeSize, "log-small": ReasonLogIndex, "log-tree": ReasonTree, "log-uuid": ReasonLeaf, "log-version": ReasonKind,
	"log-extension": "", "log-witness": "", "log-pem": "", "log-offset-free": "", "uuid-bare": "", "log-submitter": "",
	"log-key-early": "", "log-key-late": "", "log-key-grace": "", "time-log-later": "", "time-log-sooner": "",
}

type seasonView struct {
	ID     string `json:"proof_id"`
	Hashes struct{ Chain string }
	Batch  *struct{ Root string } `json:"batch_anchor"`
	Log    *struct{ UUID string } `json:"transparency_log"`
}

type season struct {
	words   map[string]string // proof id → the minter's word
	views   map[string][]seasonView
	entries []Entry
	log     Log
}

// judge takes the best of the distinct entries that the season holds for the proof: a damaged copy beside a good one harms nobody.
func (s *season) judge(t *testing.T, id, why string, v seasonView, seen map[string]int) {
	if v.Log == nil {
		return
	}
	want, named := seasonReasons[why]
	if !named {
		why = ""
	}
	artifact := strings.TrimPrefix(v.Hashes.Chain, "sha256:")
	if v.Batch != nil {
		artifact = strings.TrimPrefix(v.Batch.Root, "sha256:")
	}
	var found, accepted int
	var last error
	for _, e := range s.entries {
		e, ok := e.For(v.Log.UUID)
		if !ok {
			continue
		}
		found++
		logged, err := Verify(e, []byte(artifact), []Log{s.log})
		if err == nil && logged.Is(v.Log.UUID) {
			accepted++
			continue
		}
		last = err
	}
	if found == 0 {
		return
	}
	seen[why]++
	switch got := reasonOf(last); {
	case want == "" && accepted == 0:
		t.Errorf("%s (%s): got %v, want accepted", id, why, last)
	case want != "" && (accepted > 0 || got != want && (why != "log-path" || got != merkle.ReasonPathLength)):
		t.Errorf("%s (%s): got %v, want %s", id, why, last, want)
	}
}

func openSeason(t *testing.T, z *zip.ReadCloser) *season {
	t.Helper()
	s := &season{words: map[string]string{}, views: map[string][]seasonView{}}
	readWords(t, z, s)
	for _, f := range z.File {
		switch b := readZip(t, z, f.Name); {
		case strings.HasSuffix(f.Name, "/"):
		case strings.HasPrefix(f.Name, "proofs/"):
			s.addViews(b)
		case strings.HasPrefix(f.Name, "rekor/"):
			if entries, err := ParseEntries(f.Name, b); err == nil {
				s.entries = append(s.entries, entries...)
			}
		case path.Dir(f.Name) == "trust/rekor" && path.Ext(f.Name) == ".pem":
			key, _, ok := readKey(b)
			if !ok {
				t.Fatalf("%s: no key", f.Name)
			}
			s.log = Log{Name: strings.TrimSuffix(path.Base(f.Name), ".pem"), Key: key,
				Offsets: map[string]uint64{"1193050959916656506": 121904262}} // as the .json beside it says
		}
	}
	return s
}

func (s *season) addViews(b []byte) {
	var batch struct{ Proofs map[string]*seasonView }
	var one seasonView
	if json.Unmarshal(b, &batch) == nil && batch.Proofs != nil {
		for id, v := range batch.Proofs {
			if v != nil {
				s.views[id] = append(s.views[id], *v)
			}
		}
	} else if json.Unmarshal(b, &one) == nil && one.ID != "" {
		s.views[one.ID] = append(s.views[one.ID], one)
	}
}

// readWords maps each cited proof to what expected.json says of the assertion that cites it. A proof cited twice keeps a word about a log.
func readWords(t *testing.T, z *zip.ReadCloser, s *season) {
	t.Helper()
	type assertion struct {
		Why       string
		Supported bool
	}
	type task struct{ Assertions map[string]assertion }
	var expected struct {
		Tracks map[string]map[string]struct{ Tasks map[string]task }
	}
	if err := json.Unmarshal(readZip(t, z, "expected.json"), &expected); err != nil {
		t.Fatal(err)
	}
	for track, participants := range expected.Tracks {
		for participant, p := range participants {
			for id, task := range p.Tasks {
				var submission struct {
					Assertions []struct {
						ID     string
						Proofs []string `json:"proof_ids"`
					}
				}
				b, err := fs.ReadFile(z, path.Join("submissions", participant, track, id+".json"))
				if err != nil || json.Unmarshal(b, &submission) != nil {
					continue
				}
				for _, a := range submission.Assertions {
					s.note(task.Assertions[a.ID].Why, task.Assertions[a.ID].Supported, a.Proofs)
				}
			}
		}
	}
}

// note keeps the word of an assertion about each proof. What is unsupported for a fault elsewhere than in the log entry says nothing here.
func (s *season) note(why string, supported bool, proofs []string) {
	_, about := seasonReasons[why]
	for _, id := range proofs {
		if _, known := s.words[id]; about || supported && !known {
			s.words[id] = why
		}
	}
}

func readZip(t *testing.T, z *zip.ReadCloser, name string) []byte {
	t.Helper()
	if strings.HasSuffix(name, "/") {
		return nil
	}
	b, err := fs.ReadFile(z, name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
