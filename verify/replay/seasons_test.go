package replay_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// independent holds seasons minted by a program that shares no code with this one; their expected.json was written by construction.
const independent = "../../../shared/seasons"

// expected is what the makers of a season know of it. Only the members that both makers write are read.
type expected struct {
	ExitCode  int                                       `json:"exit_code"`
	Silent    []string                                  `json:"silent"`
	Strangers []string                                  `json:"strangers"`
	Unread    []string                                  `json:"unread"`
	Incidents []expectedIncident                        `json:"incidents"`
	Tracks    map[string]map[string]expectedParticipant `json:"tracks"`
}

type expectedIncident struct {
	Participant string `json:"participant"`
	Track       string `json:"track"`
	TaskID      string `json:"task_id"`
	Assertion   string `json:"assertion"`
	Kind        string `json:"kind"`
}

type expectedParticipant struct {
	DID       string                  `json:"did"`
	Table     string                  `json:"table"`
	Tasks     map[string]expectedTask `json:"tasks"`
	Withheld  []string                `json:"withheld"`
	Overclaim *report.Overclaim       `json:"overclaim"`
	Success   *report.Success         `json:"success"`
}

type expectedTask struct {
	Status       string                       `json:"status"`
	VerdictExact *bool                        `json:"verdict_exact"`
	Grounded     *bool                        `json:"grounded"`
	MissingFacts []string                     `json:"missing_facts"`
	Assertions   map[string]expectedAssertion `json:"assertions"`
}

type expectedAssertion struct {
	Supported bool    `json:"supported"`
	Cause     *string `json:"cause"`
}

// TestIndependentSeasons replays the seasons of another program from their zips as they are.
func TestIndependentSeasons(t *testing.T) {
	if _, err := os.Stat(independent); err != nil {
		t.Skip("no ../shared/seasons on this machine")
	}
	zips, err := filepath.Glob(independent + "/*.zip")
	if err != nil || len(zips) < 4 {
		t.Fatalf("found %d seasons (%v), want at least 4", len(zips), err)
	}
	for _, name := range zips {
		t.Run(filepath.Base(name), func(t *testing.T) {
			doc := run(t, name, replay.Options{Jobs: 2})
			want := readExpected(t, name)
			if doc.ExitCode != want.ExitCode {
				t.Errorf("exit code %d, want %d", doc.ExitCode, want.ExitCode)
			}
			if len(doc.Tracks) == 0 && want.ExitCode == 1 {
				return // a freeze that does not hold gives no score
			}
			agree(t, doc, want)
		})
	}
}

// TestSpoiledKey demands the binding that fails when one byte of the revealed key differs from what was anchored.
func TestSpoiledKey(t *testing.T) {
	name := filepath.Join(independent, "closed-season-key-byte.zip")
	if _, err := os.Stat(name); err != nil {
		t.Skip("no ../shared/seasons on this machine")
	}
	doc := run(t, name, replay.Options{})
	if doc.ExitCode != 1 || len(doc.Tracks) != 0 || doc.Freeze.Holds {
		t.Fatalf("exit %d, %d tracks, freeze holds %v; want 1, no score, false", doc.ExitCode, len(doc.Tracks), doc.Freeze.Holds)
	}
	var failed []string
	for _, c := range doc.Freeze.Checks {
		if c.Status == "failed" {
			failed = append(failed, string(c.Reason)+" "+c.Detail.File+"#"+c.Detail.Pointer)
		}
	}
	if want := []string{"binding_differs freeze/freeze.json#/freezes/1/bindings/7"}; !slices.Equal(failed, want) {
		t.Errorf("failed checks %v, want %v", failed, want)
	}
}

// run replays the bundle at a path.
func run(t *testing.T, path string, o replay.Options) *report.Replay {
	t.Helper()
	b, err := bundle.Open(path, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	doc, err := replay.Run(context.Background(), b, o)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// readExpected reads expected.json of a directory or a zip.
func readExpected(t *testing.T, path string) expected {
	t.Helper()
	b, err := bundle.Open(path, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	raw, err := b.Read("expected.json")
	if err != nil {
		// The spoiled copy of a season may leave it out: then only the exit code is known by its name.
		return expected{ExitCode: 1}
	}
	var want expected
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// agree holds every status, cause, count and rate, and every incident, against what the maker knows.
func agree(t *testing.T, doc *report.Replay, want expected) {
	t.Helper()
	checked := 0
	for _, track := range doc.Tracks {
		left := want.Tracks[track.Track]
		if len(track.Participants) != len(left) {
			t.Errorf("%s: %d participants, want %d", track.Track, len(track.Participants), len(left))
		}
		for _, p := range track.Participants {
			at := track.Track + "/" + p.Participant
			w, ok := left[p.Participant]
			if !ok {
				t.Errorf("%s: not expected", at)
				continue
			}
			same(t, at+" did", p.DID, w.DID)
			same(t, at+" table", p.Table, w.Table)
			same(t, at+" overclaim", text(p.Overclaim), text(w.Overclaim))
			same(t, at+" success", text(p.Success), text(w.Success))
			same(t, at+" withheld", fmt.Sprint(p.Withheld), fmt.Sprint(w.Withheld))
			same(t, at+" tasks", len(p.Tasks), len(w.Tasks))
			for _, task := range p.Tasks {
				checked += agreeTask(t, at+"/"+task.TaskID, task, w.Tasks[task.TaskID])
			}
		}
	}
	if checked < 100 {
		t.Errorf("compared %d assertions, want at least 100", checked)
	}
	agreeIncidents(t, doc.Incidents, want.Incidents)
	same(t, "silent", fmt.Sprint(doc.Silent), fmt.Sprint(want.Silent))
	same(t, "strangers", fmt.Sprint(doc.Strangers), fmt.Sprint(want.Strangers))
	unread := []string{}
	for _, n := range doc.Unread {
		unread = append(unread, n.Detail.File)
	}
	same(t, "unread", fmt.Sprint(unread), fmt.Sprint(want.Unread))
}

func agreeTask(t *testing.T, at string, got report.Task, want expectedTask) int {
	t.Helper()
	same(t, at+" status", string(got.Status), want.Status)
	same(t, at+" verdict_exact", text(got.VerdictExact), text(want.VerdictExact))
	same(t, at+" grounded", text(got.Grounded), text(want.Grounded))
	same(t, at+" missing facts", fmt.Sprint(got.MissingFacts), fmt.Sprint(want.MissingFacts))
	same(t, at+" assertions", len(got.Assertions), len(want.Assertions))
	for _, a := range got.Assertions {
		w := want.Assertions[a.ID]
		same(t, at+"/"+a.ID+" supported", a.Supported, w.Supported)
		same(t, at+"/"+a.ID+" cause", text(a.Cause), text(w.Cause))
	}
	return len(got.Assertions)
}

func agreeIncidents(t *testing.T, got []report.Incident, want []expectedIncident) {
	t.Helper()
	var a, b []string
	for _, i := range got {
		a = append(a, fmt.Sprint(i.Participant, i.Track, i.TaskID, i.Assertion, i.Code))
	}
	for _, i := range want {
		b = append(b, fmt.Sprint(i.Participant, i.Track, i.TaskID, i.Assertion, i.Kind))
	}
	slices.Sort(a)
	slices.Sort(b)
	same(t, "incidents", fmt.Sprint(a), fmt.Sprint(b))
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// text is the JSON of a value, so that pointers compare by what they point to.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// document is a replay as it is written.
func document(t *testing.T, doc *report.Replay) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.NewReplayWriter(&b).End(doc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zipped writes a directory as a zip.
func zipped(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "season.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}
