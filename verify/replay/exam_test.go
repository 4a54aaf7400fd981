package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/simulate"
)

// long asks for the exam at length, as "make exam" does; without it a fixed share of the mutations and few seasons run.
var long = os.Getenv("PROVEIT_EXAM") == "long"

// share is how many of the mutations run otherwise: one in so many.
const share = 4

// expectation is what a change of a submission must lead to, by its place. The first that fits counts.
type expectation struct {
	place *regexp.Regexp
	may   string // words that describe what may become of the task, in one line
	why   string // for a survivor: why nothing depends on the place
}

// Words of an expectation: refused at entry; rejected at the close; other (rendered with another verdict); unsupported (one assertion
// at least is no longer supported); same (nothing changes).
var expectations = []expectation{
	{regexp.MustCompile(`^/narrative$`), "same refused", "published beside the result, never scored"},
	{regexp.MustCompile(`^/assertions/\d+/id$`), "same refused", "a label; only its uniqueness is asked for"},
	{regexp.MustCompile(`^/verdict$`), "refused other", ""},
	{regexp.MustCompile(`^/(season|track|task_id|agent_did|assertions|disclosures)$`), "refused non_rendue", ""},
	{regexp.MustCompile(`^/assertions/\d+/claim/(resource|field|value)$`), "refused rejected unsupported", ""},
	{regexp.MustCompile(`^/assertions/\d+/proof_ids/\d+$`), "refused unsupported", ""},
	{regexp.MustCompile(`^/disclosures/[^/]+/(request|response)_hash/(nonce|value)$`), "refused unsupported", ""},
	{regexp.MustCompile(`^/`), "refused", ""},
}

// TestExamSubmission changes one thing at a time in an exact submission of a minted season and demands that the change shows.
func TestExamSubmission(t *testing.T) {
	dir, name := examSeason(t)
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before := examTask(t, dir)
	if before.Status != verify.Rendue || !*before.VerdictExact || !*before.Grounded {
		t.Fatalf("the submission that is changed is %s, want rendered, exact and grounded", before.Status)
	}
	var ran, accepted, survived int
	mutations := submissionMutations(t, raw)
	for i, m := range mutations {
		if !long && i%share != 0 && !m.always {
			continue
		}
		if err := os.WriteFile(name, m.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		ran++
		got := describe(before, examTask(t, dir))
		want := expectationAt(m.place)
		if !strings.Contains(" "+want.may+" ", " "+got+" ") {
			accepted++
			t.Errorf("%s, %s: %s, want one of: %s", m.place, m.what, got, want.may)
		}
		if got == "same" {
			survived++
		}
	}
	t.Logf("exam of a submission: %d mutations of %d, %d accepted, %d on the list of informational places", ran, len(mutations), accepted, survived)
	if ran < 50 {
		t.Errorf("%d mutations ran, want at least 50", ran)
	}
}

// TestExamSeasons replays minted seasons of other seeds and holds every line against what their maker knows.
func TestExamSeasons(t *testing.T) {
	seeds, participants := 3, 12
	if long {
		seeds, participants = 20, 40
	}
	for i := range seeds {
		o := simulate.Options{Participants: participants, Seed: fmt.Sprintf("examen %d", i), Open: i%2 == 1, Small: !long && i != 0}
		if i < 2 {
			o.Participants = 0 // every profile, then those of an open season too
		}
		dir := t.TempDir()
		err := simulate.Write(o, func(name string, b []byte) error { return writeUnder(dir, name, b) })
		if err != nil {
			t.Fatal(err)
		}
		doc, want := run(t, dir, replay.Options{Jobs: 2}), readExpected(t, dir)
		same(t, o.Seed+": exit code", doc.ExitCode, want.ExitCode)
		agree(t, doc, want)
	}
}

func writeUnder(dir, name string, b []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

func expectationAt(place string) expectation {
	for _, e := range expectations {
		if e.place.MatchString(place) {
			return e
		}
	}
	return expectation{}
}

// describe says in one word what became of the task.
func describe(before, after report.Task) string {
	switch after.Status {
	case verify.RejeteeEntree:
		return "refused"
	case verify.RejeteeCloture:
		return "rejected"
	case verify.Rendue:
	default:
		return string(after.Status)
	}
	for _, a := range after.Assertions {
		if !a.Supported {
			return "unsupported"
		}
	}
	if after.Verdict != before.Verdict {
		return "other"
	}
	if len(after.Assertions) != len(before.Assertions) {
		return "fewer"
	}
	return "same"
}

// mutation is one changed submission.
type mutation struct {
	place, what string
	bytes       []byte
	always      bool // not only in the exam at length
}

// submissionMutations changes every leaf, drops every member, doubles every element, and puts parts in each other's place.
func submissionMutations(t *testing.T, raw []byte) []mutation {
	t.Helper()
	var out []mutation
	add := func(place, what string, change func(doc any) any) {
		var doc any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(change(doc))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, mutation{place: place, what: what, bytes: b})
	}
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	for _, place := range places(doc, "") {
		value := lookup(doc, place)
		for what, other := range others(value) {
			add(place, what, func(doc any) any { return put(doc, place, other) })
		}
		add(place, "removed", func(doc any) any { return drop(doc, place) })
	}
	if ids := regexp.MustCompile(`prf_\d{8}_\d{6}_[0-9a-f]{6}`).FindAll(raw, 1); len(ids) == 1 {
		for what, form := range map[string]string{"no id": "x", "upper case": strings.ToUpper(string(ids[0])), "one digit more": string(ids[0]) + "0"} {
			// In the citation and in the disclosures alike, so that its form alone is wrong.
			out = append(out, mutation{"/assertions/0/proof_ids/0", what + ", everywhere", bytes.ReplaceAll(raw, ids[0], []byte(form)), true})
		}
	}
	add("/disclosures/x/request_hash/value", "pairs of two proofs in each other's place", swapDisclosures)
	add("/assertions/0/proof_ids/0", "proofs of two assertions in each other's place", swapProofs)
	add("/extra", "a member that the schema lacks", func(doc any) any { doc.(map[string]any)["extra"] = 1; return doc })
	sort.SliceStable(out, func(i, j int) bool { return out[i].place+out[i].what < out[j].place+out[j].what })
	return out
}

// places lists the pointers of all leaves.
func places(v any, at string) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for name, m := range v {
			out = append(out, places(m, at+"/"+name)...)
		}
	case []any:
		for i, e := range v {
			out = append(out, places(e, at+"/"+strconv.Itoa(i))...)
		}
	default:
		out = append(out, at)
	}
	return out
}

func lookup(v any, place string) any {
	for _, token := range strings.Split(place, "/")[1:] {
		switch c := v.(type) {
		case map[string]any:
			v = c[token]
		case []any:
			i, _ := strconv.Atoi(token)
			v = c[i]
		}
	}
	return v
}

// others are values that differ from a leaf: one character, another type, null.
func others(v any) map[string]any {
	out := map[string]any{"null": nil, "another type": []any{v}}
	switch v := v.(type) {
	case string:
		out["one character more"] = v + "0"
		out["upper case"] = strings.ToUpper(v) + "X"
		if v != "" {
			last := v[len(v)-1]
			flipped := byte('0')
			if last == '0' {
				flipped = '1'
			}
			out["last character"] = v[:len(v)-1] + string(flipped)
			out["first character"] = "~" + v[1:]
		}
	case bool:
		out["negated"] = !v
		out["as text"] = fmt.Sprint(v)
	case float64:
		out["one more"] = v + 1
		out["as text"] = fmt.Sprint(v)
	}
	return out
}

func put(doc any, place string, value any) any {
	parent, last := split(place)
	switch c := lookup(doc, parent).(type) {
	case map[string]any:
		c[last] = value
	case []any:
		i, _ := strconv.Atoi(last)
		c[i] = value
	}
	return doc
}

func drop(doc any, place string) any {
	parent, last := split(place)
	switch c := lookup(doc, parent).(type) {
	case map[string]any:
		delete(c, last)
	case []any:
		i, _ := strconv.Atoi(last)
		put(doc, parent, append(c[:i:i], c[i+1:]...))
	}
	return doc
}

func split(place string) (parent, last string) {
	i := strings.LastIndexByte(place, '/')
	return place[:i], place[i+1:]
}

// swapDisclosures exchanges the pairs of two proofs.
func swapDisclosures(doc any) any {
	d := doc.(map[string]any)["disclosures"].(map[string]any)
	ids := make([]string, 0, len(d))
	for id := range d {
		ids = append(ids, id)
	}
	if sort.Strings(ids); len(ids) < 2 {
		return doc
	}
	d[ids[0]], d[ids[1]] = d[ids[1]], d[ids[0]]
	return doc
}

// swapProofs exchanges the proofs of two assertions on two resources.
func swapProofs(doc any) any {
	list := doc.(map[string]any)["assertions"].([]any)
	first := list[0].(map[string]any)
	resource := func(a map[string]any) any { return a["claim"].(map[string]any)["resource"] }
	for _, other := range list[1:] {
		o := other.(map[string]any)
		if resource(o) != resource(first) {
			first["proof_ids"], o["proof_ids"] = o["proof_ids"], first["proof_ids"]
			return doc
		}
	}
	return doc
}

// examSeason mints a season of one exact participant and leaves one submission of it. It gives the folder and the submission's file.
func examSeason(t *testing.T) (dir, submission string) {
	t.Helper()
	files, err := simulate.Season(simulate.Options{Participants: 1, Seed: "examen"})
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	kept := ""
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if strings.HasPrefix(name, "published/") {
			continue
		}
		if strings.HasPrefix(name, "submissions/") {
			if kept != "" {
				continue
			}
			kept = name
		}
		if err := writeUnder(dir, name, files[name]); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(dir, filepath.FromSlash(kept))
}

// examTask replays the season and gives its only submitted task.
func examTask(t *testing.T, dir string) report.Task {
	t.Helper()
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	doc, err := replay.Run(context.Background(), b, replay.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, track := range doc.Tracks {
		for _, p := range track.Participants {
			for _, task := range p.Tasks {
				if task.Status != verify.Absente {
					return task
				}
			}
		}
	}
	t.Fatal("found no submitted task")
	return report.Task{}
}
