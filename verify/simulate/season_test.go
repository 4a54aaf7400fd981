package simulate

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// update writes the committed seasons again: go test ./verify/simulate -run HaveNotDrifted -update
var update = flag.Bool("update", false, "write testdata/season and testdata/season-open again")

// made keeps the seasons that several tests look at.
var made = map[Options]map[string][]byte{}

func season(t *testing.T, o Options) map[string][]byte {
	t.Helper()
	if made[o] == nil {
		made[o] = again(t, o)
	}
	return made[o]
}

func again(t *testing.T, o Options) map[string][]byte {
	t.Helper()
	files, err := Season(o)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// maxCommitted is the size that a committed season may have, in bytes.
const maxCommitted = 3_000_000

func TestSeasonsHaveNotDrifted(t *testing.T) {
	for name, o := range Committed {
		dir := filepath.Join("..", "..", "testdata", name)
		files := season(t, o)
		if *update {
			rewrite(t, dir, files)
		}
		size := 0
		for _, b := range files {
			size += len(b)
		}
		if size > maxCommitted {
			t.Errorf("%s has %d bytes, at most %d", name, size, maxCommitted)
		}
		found := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			found++
			rel, _ := filepath.Rel(dir, path)
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if want, ok := files[filepath.ToSlash(rel)]; !ok || !bytes.Equal(b, want) {
				t.Errorf("%s/%s: made now: %v, same bytes: %v", name, rel, ok, bytes.Equal(b, want))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if found != len(files) {
			t.Errorf("%s holds %d files, want %d", name, found, len(files))
		}
	}
}

func rewrite(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	for _, o := range []Options{{Seed: "known", Small: true, Open: true}, {Seed: "a", Participants: 9, TasksPerParticipant: 3, ProofsPerTask: 4}} {
		one, two := season(t, o), again(t, o)
		if !maps.EqualFunc(one, two, bytes.Equal) {
			t.Errorf("%+v: two runs differ", o)
		}
		other := o
		other.Seed = "b"
		if maps.EqualFunc(one, season(t, other), bytes.Equal) {
			t.Errorf("%+v: another seed gives the same season", o)
		}
	}
}

// expected is the part of expected.json that the tests below look at.
type expected struct {
	Tracks map[string]map[string]struct {
		Profile   string
		Tasks     map[string]struct{ Status string }
		Overclaim *struct {
			Unsupported, Asserted int
			Percent               string
		}
		Success *struct {
			Exact, Tasks int
			Percent      string
		}
		Withheld []string
	}
	Incidents []struct{ Kind string }
	Anchors   struct{ Tokens, Entries int }
	Silent    []string
	Strangers []string
	ExitCode  int `json:"exit_code"`
}

func read(t *testing.T, files map[string][]byte) expected {
	t.Helper()
	var e expected
	if err := json.Unmarshal(files["expected.json"], &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// Worked out by hand from the scale: 4 of 10 conformity verdicts are non_conforme; the minima of the tasks are 4, 3, 4, 4, 4, 6, 5, 5, 4, 4
// (43) and 4, 4, 4, 4, 4, 5, 4, 5, 3, 4 (41, and gen-02 needs a fifth claim); who proves everything gets all; who founds nothing gets none;
// padding asserts the caps, 8 and 6, then 8, with two false claims a task.
func TestKnownResults(t *testing.T) {
	e := read(t, season(t, Options{Seed: "known", Small: true, Open: true}))
	want := map[string]struct{ conformity, generic string }{ // success, overclaim
		"exact":                          {"10/10 0/43", "10/10 0/42"},
		"exact, not grounded":            {"0/10 0/15", "0/10 0/8"},
		"constant verdict":               {"4/10 0/43", ""},
		"wrong verdict":                  {"0/10 0/7", "0/10 0/9"},
		"padding with true trivia":       {"0/10 4/14", "0/10 2/8"},
		"claims without a matching call": {"0/10 3/7", "0/10 2/4"},
		"pending and incomplete":         {"withheld 8", ""},
		"pending alone":                  {"1/10 0/4", "withheld 2"},
	}
	seen := 0
	for track, participants := range e.Tracks {
		for _, p := range participants {
			w, ok := want[p.Profile]
			if !ok {
				continue
			}
			seen++
			text := "withheld " + string(rune('0'+len(p.Withheld)))
			if p.Success != nil {
				text = ratio(p.Success.Exact, p.Success.Tasks)
				if p.Overclaim != nil {
					text += " " + ratio(p.Overclaim.Unsupported, p.Overclaim.Asserted)
				}
			}
			if wanted := map[string]string{"conformite": w.conformity, "generique": w.generic}[track]; text != wanted {
				t.Errorf("%s in %s: got %s, want %s", p.Profile, track, text, wanted)
			}
		}
	}
	if seen < 13 {
		t.Errorf("saw %d of the results", seen)
	}
	if e.ExitCode != 3 || len(e.Silent) != 1 || len(e.Strangers) != 1 {
		t.Errorf("exit code %d, silent %v, strangers %v", e.ExitCode, e.Silent, e.Strangers)
	}
}

func ratio(a, b int) string {
	return strings.TrimSpace(string(mustJSON(a)) + "/" + string(mustJSON(b)))
}

func mustJSON(v any) []byte {
	b, _ := json.Marshal(v)
	return b
}

func TestEveryStatusAndIncidentOccurs(t *testing.T) {
	statuses, incidents := map[string]int{}, map[string]int{}
	for _, o := range Committed {
		e := read(t, season(t, o))
		for _, participants := range e.Tracks {
			for _, p := range participants {
				for _, task := range p.Tasks {
					statuses[task.Status]++
				}
			}
		}
		for _, i := range e.Incidents {
			incidents[i.Kind]++
		}
	}
	for _, s := range []verify.TaskStatus{verify.RejeteeEntree, verify.TacheIncomp, verify.EnAttente, verify.RejeteeCloture, verify.NonRendue, verify.Rendue, verify.Absente} {
		if statuses[string(s)] == 0 {
			t.Errorf("no task is %s", s)
		}
	}
	for _, k := range []string{"defaut_instrument", "flat_field", "views_differ", "integrated_time_gap", "issuer_status_failed"} {
		if incidents[k] == 0 {
			t.Errorf("no incident %s", k)
		}
	}
}

// The evidence that the issuer serves and the files of the organizer are strict JSON; only submissions are allowed not to be.
func TestFilesAreStrictJSON(t *testing.T) {
	files := season(t, Committed["season"])
	n := 0
	for name, b := range files {
		if !strings.HasSuffix(name, ".json") || strings.HasPrefix(name, "submissions/") {
			continue
		}
		n++
		if _, err := canon.ParseStrict(name, b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n < 200 {
		t.Errorf("looked at %d files only", n)
	}
}

func TestProofIdentifiersAreDistinctAndWellFormed(t *testing.T) {
	form := regexp.MustCompile(`^prf_\d{8}_\d{6}_[0-9a-f]{6}$`)
	seen := map[string]string{}
	o := Options{Seed: "ids", Participants: 30, TasksPerParticipant: 4, ProofsPerTask: 5}
	for name, b := range season(t, o) {
		if !strings.HasPrefix(name, "proofs/agent") {
			continue
		}
		var answer struct{ Proofs map[string]json.RawMessage }
		if err := json.Unmarshal(b, &answer); err != nil {
			t.Fatal(err)
		}
		for id := range answer.Proofs {
			if !form.MatchString(id) || seen[id] != "" {
				t.Errorf("%s in %s: well formed %v, also in %q", id, name, form.MatchString(id), seen[id])
			}
			seen[id] = name
		}
	}
	// 600 proofs fill six lots to 100, across participants; the two freezes are anchored apart.
	if got := read(t, season(t, o)).Anchors; got.Tokens != 8 || got.Entries != 8 {
		t.Errorf("got %+v anchors, want 8 of each", got)
	}
	if len(seen) != 600 { // 30 participants, 4 tasks, 5 proofs
		t.Errorf("got %d proofs, want 600", len(seen))
	}
}

// Half to even, worked by hand: 1/16 = 6.25 %, 1/32 = 3.125 % (to 3.12), 3/32 = 9.375 % (to 9.38), 1/3, 2/3.
func TestPercentRoundsHalfToEven(t *testing.T) {
	for _, c := range []struct {
		part, whole int
		want        string
	}{{0, 5, "0.00"}, {1, 16, "6.25"}, {1, 32, "3.12"}, {3, 32, "9.38"}, {1, 3, "33.33"}, {2, 3, "66.67"}, {7, 7, "100.00"}} {
		if got := percent(c.part, c.whole); got != c.want {
			t.Errorf("%d/%d: got %s, want %s", c.part, c.whole, got, c.want)
		}
	}
}

func TestWriteStopsWhereItIsTold(t *testing.T) {
	n := 0
	err := Write(Options{Small: true}, func(string, []byte) error {
		n++
		if n == 5 {
			return fs.ErrClosed
		}
		return nil
	})
	if n != 5 || err == nil {
		t.Errorf("%d files after the refusal at 5, error %v", n, err)
	}
}

func TestKindNamesAreDistinct(t *testing.T) {
	var names []string
	for _, list := range [][]*kind{{good, forbidden, unavailable, badRequest, waiting, withoutLog, withoutFile, nextMajor}, holdingKinds, receiptKinds, identityKinds, requestKinds, answerKinds} {
		for _, k := range list {
			names = append(names, k.name)
		}
	}
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			t.Errorf("kind %s occurs twice", names[i])
		}
	}
	if len(names) < 160 {
		t.Errorf("got %d kinds, want at least 160", len(names))
	}
}
