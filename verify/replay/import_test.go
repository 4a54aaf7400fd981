package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// take imports answers into a directory.
func take(t *testing.T, dir string, answers ...replay.Answer) *replay.Import {
	t.Helper()
	w, err := bundle.NewWriter(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	doc, err := replay.Take(context.Background(), b, answers, w.Put, false)
	if err != nil {
		t.Fatal(err)
	}
	w.Keep()
	return doc
}

// answersOf are the files below folders of the minted season, as answers with names that say nothing.
func answersOf(t *testing.T, folders ...string) []replay.Answer {
	t.Helper()
	var out []replay.Answer
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(mintedSeason, folder), func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(name)
			out = append(out, replay.Answer{Name: "answer-" + canon.Sum([]byte(name)).String()[:8] + ".json", Bytes: b})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestImportMakesTheSeasonAgain: a bundle without evidence, completed from the answers alone, is judged like the one that they came from.
func TestImportMakesTheSeasonAgain(t *testing.T) {
	dir := seasonCopy(t)
	remove(t, dir, "proofs", "rekor", "submissions")
	answers := answersOf(t, "proofs", "rekor", "submissions")
	doc := take(t, dir, answers...)
	for _, r := range doc.Refused {
		// The season has files that the entry cannot read, submissions of nobody enrolled and a view under another id on purpose.
		if !slices.Contains([]string{"file_unreadable", "did_not_enrolled", "season_unknown", "track_unknown", "task_unknown",
			"import_repeated", "proof_id_differs"}, string(r.Code)) {
			t.Errorf("refused %s: %s %+v", r.What, r.Code, r.Detail)
		}
	}
	want, got := run(t, mintedSeason, replay.Options{Jobs: 2}), run(t, dir, replay.Options{Jobs: 2})
	var differing []string
	for i, track := range want.Tracks {
		for _, p := range track.Participants {
			n := slices.IndexFunc(got.Tracks[i].Participants, func(o report.Participant) bool { return o.Participant == p.Participant })
			if n < 0 || judged(t, got.Tracks[i].Participants[n]) != judged(t, p) {
				differing = append(differing, p.Participant)
			}
		}
	}
	// agent-0001 has a task for which a copy of its submission lies in another folder too; the entry refuses files of the other two, some of
	// which say another season, track, task or DID than their place.
	if want := []string{"agent-0001", "agent-0021", "agent-0022", "agent-0021"}; !slices.Equal(differing, want) {
		t.Errorf("%v are judged otherwise, want %v alone, whose submissions cannot all be sorted", differing, want)
	}
	again := take(t, dir, answers...)
	if len(again.Placed) != 0 || again.Present == 0 {
		t.Errorf("a second import placed %d files, want none", len(again.Placed))
	}
}

// judged is how a participant was judged, as text, without the names of the files in which evidence lies.
func judged(t *testing.T, p report.Participant) string {
	t.Helper()
	for _, task := range p.Tasks {
		for _, a := range task.Assertions {
			if a.Detail != nil {
				a.Detail.File = ""
			}
		}
	}
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const (
	batchFile = "proofs/agent-0004/lot-1.json"
	subFile   = "submissions/agent-0004/conformite/conf-01.json"
)

// members are the members of an object with their texts.
func members(t *testing.T, b []byte) map[string]json.RawMessage {
	t.Helper()
	var out map[string]json.RawMessage
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// twoViews are two views of a batch answer, with their ids.
func twoViews(t *testing.T) (ids []string, views map[string]json.RawMessage) {
	t.Helper()
	views = members(t, members(t, read(t, filepath.Join(mintedSeason, batchFile)))["proofs"])
	for id := range views {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids[:2], views
}

func TestImportViews(t *testing.T) {
	dir := t.TempDir()
	ids, views := twoViews(t)
	first := views[ids[0]]
	doc := take(t, dir, replay.Answer{Name: "x.json", Bytes: first})
	if len(doc.Placed) != 1 || doc.Placed[0].Name != "proofs/"+ids[0]+".json" || !bytes.Equal(read(t, filepath.Join(dir, doc.Placed[0].Name)), first) {
		t.Fatalf("placed %+v, want the view byte for byte under its id", doc.Placed)
	}
	// Read again: views_count has changed. The view is kept beside the first.
	later := bytes.Replace(first, []byte(`"views_count":1`), []byte(`"views_count":2`), 1)
	if bytes.Equal(later, first) {
		later = append([]byte("{\"views_count\":2,"), first[1:]...)
	}
	doc = take(t, dir, replay.Answer{Name: "y.json", Bytes: later})
	if len(doc.Placed) != 1 || !strings.HasPrefix(doc.Placed[0].Name, "proofs/"+ids[0]+"/") {
		t.Fatalf("placed %+v, want a further view", doc.Placed)
	}
	// A batch of a known and a new view: the new one alone is kept.
	batch := []byte(`{"proofs":{"` + ids[0] + `":` + string(first) + `,"` + ids[1] + `":` + string(views[ids[1]]) + `}}`)
	doc = take(t, dir, replay.Answer{Name: "z.json", Bytes: batch})
	if len(doc.Placed) != 1 || doc.Placed[0].Count != 1 || doc.Present != 1 {
		t.Fatalf("placed %+v, %d there already, want one of each", doc.Placed, doc.Present)
	}
	kept := members(t, members(t, read(t, filepath.Join(dir, doc.Placed[0].Name)))["proofs"])
	if len(kept) != 1 || !bytes.Equal(kept[ids[1]], views[ids[1]]) {
		t.Errorf("kept %d views, want the new one as it stood", len(kept))
	}
}

func TestImportRefuses(t *testing.T) {
	ids, views := twoViews(t)
	sub := read(t, filepath.Join(mintedSeason, subFile))
	other := bytes.Replace(sub, []byte("conf-01"), []byte("conf-99"), 1)
	changed := bytes.Replace(sub, []byte(`"verdict":"`), []byte(`"verdict":"in`), 1)
	if bytes.Equal(changed, sub) {
		t.Fatal("the submission has no verdict to change")
	}
	stranger := bytes.Replace(sub, []byte("did:key:z"), []byte("did:key:y"), 1)
	dir := seasonCopy(t)
	before := digests(t, dir)
	for name, c := range map[string]struct {
		code    string
		answers [][]byte
	}{
		"a null for a view that is there": {"import_null", [][]byte{[]byte(`{"proofs":{"` + ids[0] + `":null}}`)}},
		"a view under another id":         {"proof_id_differs", [][]byte{[]byte(`{"proofs":{"` + ids[1] + `":` + string(views[ids[0]]) + `}}`)}},
		"a submission that differs":       {"import_differs", [][]byte{changed}},
		"a submission of nobody enrolled": {"did_not_enrolled", [][]byte{stranger}},
		"a submission for no task":        {"task_unknown", [][]byte{other}},
		"something else":                  {"import_unknown", [][]byte{[]byte(`{"hello":"world"}`)}},
		"no JSON":                         {"file_unreadable", [][]byte{[]byte(`{"proofs":`)}},
		"two names of one member":         {"file_unreadable", [][]byte{[]byte(`{"proofs":{},"proofs":{}}`)}},
		"an entry without its UUID":       {"import_unknown", [][]byte{[]byte(`[{"body":"e30="}]`)}},
	} {
		t.Run(name, func(t *testing.T) {
			var answers []replay.Answer
			for _, b := range c.answers {
				answers = append(answers, replay.Answer{Name: "answer.json", Bytes: b})
			}
			doc := take(t, dir, answers...)
			if len(doc.Refused) != 1 || string(doc.Refused[0].Code) != c.code || doc.ExitCode != 1 || len(doc.Placed) != 0 {
				t.Errorf("refused %+v, placed %+v, want %s alone", doc.Refused, doc.Placed, c.code)
			}
			if !slices.Equal(before, digests(t, dir)) {
				t.Error("the bundle changed")
			}
		})
	}
}

// digests are the files of a directory with their hashes.
func digests(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, name+" "+canon.Sum(read(t, name)).String())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestImportSubmissions: an array, one a line and a single file all end in the place that the DID, the track and the task say.
func TestImportSubmissions(t *testing.T) {
	dir := seasonCopy(t)
	one := read(t, filepath.Join(mintedSeason, subFile))
	two := read(t, filepath.Join(mintedSeason, "submissions/agent-0004/conformite/conf-02.json"))
	var lines bytes.Buffer
	for _, b := range [][]byte{one, two} {
		if err := json.Compact(&lines, b); err != nil {
			t.Fatal(err)
		}
		lines.WriteByte('\n')
	}
	for name, answer := range map[string][]byte{"array": []byte("[" + string(one) + "," + string(two) + "]"), "lines": lines.Bytes()} {
		remove(t, dir, subFile, "submissions/agent-0004/conformite/conf-02.json")
		doc := take(t, dir, replay.Answer{Name: "export", Bytes: answer})
		if len(doc.Placed) != 2 || doc.Placed[0].Name != subFile || len(doc.Refused) != 0 {
			t.Errorf("%s: placed %+v, refused %+v", name, doc.Placed, doc.Refused)
		}
	}
	// Two that differ for one task: which was the last is not known, so neither is taken.
	remove(t, dir, subFile)
	changed := bytes.Replace(one, []byte(`"verdict":"`), []byte(`"verdict":"in`), 1)
	doc := take(t, dir, replay.Answer{Name: "a", Bytes: one}, replay.Answer{Name: "b", Bytes: changed}, replay.Answer{Name: "c", Bytes: one})
	if len(doc.Refused) != 3 || doc.Refused[0].Code != replay.ReasonImportRepeated || len(doc.Placed) != 0 {
		t.Errorf("refused %+v, placed %+v, want all three refused", doc.Refused, doc.Placed)
	}
	if doc := take(t, t.TempDir(), replay.Answer{Name: "a", Bytes: one}); len(doc.Refused) != 1 || doc.Refused[0].Code != replay.ReasonImportSeason {
		t.Errorf("without a season: %+v", doc.Refused)
	}
}
