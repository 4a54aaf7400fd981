package replay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/simulate"
)

// desk is a season in a folder into which one submission at a time is laid.
type desk struct {
	t           *testing.T
	dir         string
	submissions []string // names inside the bundle, sorted
	files       map[string][]byte
	alone       string // the participant whose proofs alone are there; empty: everybody's
}

// only leaves the proofs of one participant, which makes the replay quick.
func (d *desk) only(participant string) {
	d.t.Helper()
	if d.alone == participant {
		return
	}
	d.alone = participant
	if err := os.RemoveAll(filepath.Join(d.dir, "proofs")); err != nil {
		d.t.Fatal(err)
	}
	for name, b := range d.files {
		if strings.HasPrefix(name, "proofs/") && (!strings.HasPrefix(name, "proofs/agent-") || strings.HasPrefix(name, "proofs/"+participant+"/")) {
			if err := writeUnder(d.dir, name, b); err != nil {
				d.t.Fatal(err)
			}
		}
	}
}

func newDesk(t *testing.T, o simulate.Options) *desk {
	t.Helper()
	files, err := simulate.Season(o)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, dir: t.TempDir(), files: files}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		switch {
		case strings.HasPrefix(name, "submissions/") && !strings.Contains(string(files["enrolments.json"]), `"`+strings.Split(name, "/")[1]+`"`):
			// of nobody enrolled
		case strings.HasPrefix(name, "submissions/"):
			d.submissions = append(d.submissions, name)
		case !strings.HasPrefix(name, "published/"):
			if err := writeUnder(d.dir, name, files[name]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return d
}

// judge lays one submission into the season, replays it, and gives the task.
func (d *desk) judge(name string, b []byte) report.Task {
	d.t.Helper()
	if err := os.RemoveAll(filepath.Join(d.dir, "submissions")); err != nil {
		d.t.Fatal(err)
	}
	if err := writeUnder(d.dir, name, b); err != nil {
		d.t.Fatal(err)
	}
	return examTask(d.t, d.dir)
}

// TestExamProfiles changes one thing at a time in a submission of every profile. Nothing may be supported afterwards that was not before,
// and what was changed may be supported no longer.
func TestExamProfiles(t *testing.T) {
	d := newDesk(t, simulate.Options{Seed: "examen des profils", Small: !long})
	each := 80
	if long {
		each = 4
	}
	var ran, accepted, survived, profiles int
	last := ""
	for _, name := range d.submissions {
		part := strings.Split(name, "/")
		if part[1]+part[2] == last {
			continue // one submission for each participant and track
		}
		last = part[1] + part[2]
		d.only(part[1])
		raw := d.files[name]
		before := d.judge(name, raw)
		if before.Status != verify.Rendue && before.Status != verify.NonRendue {
			continue // it is refused already, each for its own rule
		}
		profiles++
		for i, m := range submissionMutations(t, raw) {
			if i%each != profiles%each || strings.Contains(m.what, "in each other's place") {
				continue // exchanging proofs may set right what was crossed
			}
			ran++
			after := d.judge(name, m.bytes)
			switch fault := gained(raw, before, after, m.place); {
			case fault != "":
				accepted++
				t.Errorf("%s, %s, %s: %s", name, m.place, m.what, fault)
			case sameTask(before, after):
				survived++
			}
		}
	}
	t.Logf("exam of submissions of every profile: %d mutations, %d accepted, %d on the list of informational places", ran, accepted, survived)
	if ran < 60 || profiles < 10 {
		t.Errorf("%d mutations of %d submissions ran, want at least 60 of 10", ran, profiles)
	}
}

// gained says what a changed submission got that it must not have. It is empty where all is well.
func gained(raw []byte, before, after report.Task, place string) string {
	if after.Status == verify.RejeteeEntree || after.Status == verify.RejeteeCloture {
		return ""
	}
	was, touched := map[string]bool{}, touchedBy(raw, place)
	for i, a := range before.Assertions {
		was[a.ID] = a.Supported
		if touched[i] && a.Supported {
			if j := slices.IndexFunc(after.Assertions, func(b report.Assertion) bool { return b.ID == a.ID }); j >= 0 && after.Assertions[j].Supported {
				return "the assertion " + a.ID + " is still supported"
			}
		}
	}
	for _, a := range after.Assertions {
		if mended := strings.HasPrefix(place, "/assertions/") && strings.Contains(place, "/claim/"); a.Supported && !was[a.ID] && !mended && !strings.HasSuffix(place, "/id") {
			return "the assertion " + a.ID + " is supported now"
		}
	}
	if place == "/verdict" && after.Verdict == before.Verdict && after.Status == before.Status {
		return "the verdict is as it was"
	}
	for _, e := range expectations {
		if e.place.MatchString(place) && e.why == "" && sameTask(before, after) && !unsupportedAlready(before, touched) {
			return "nothing changed at a place that is not informational"
		} else if e.place.MatchString(place) {
			return ""
		}
	}
	return ""
}

// touchedBy are the assertions, by number, that rest on a place of a submission.
func touchedBy(raw []byte, place string) map[int]bool {
	out := map[int]bool{}
	var doc struct {
		Assertions []struct {
			ProofIDs []string `json:"proof_ids"`
		}
	}
	if json.Unmarshal(raw, &doc) != nil {
		return out
	}
	parts := strings.Split(place, "/")
	for i, a := range doc.Assertions {
		switch {
		case len(parts) > 3 && parts[1] == "assertions" && parts[3] != "id":
			out[i] = parts[2] == strconv.Itoa(i)
		case len(parts) > 2 && parts[1] == "disclosures":
			out[i] = slices.Contains(a.ProofIDs, parts[2])
		}
	}
	return out
}

func unsupportedAlready(before report.Task, touched map[int]bool) bool {
	for i, a := range before.Assertions {
		if touched[i] && !a.Supported {
			return true
		}
	}
	return false
}

func sameTask(a, b report.Task) bool {
	for _, t := range []*report.Task{&a, &b} { // details quote the file, so they follow each change of it
		t.Narrative = "" // published as it stands, and judged by nothing
		t.Assertions = slices.Clone(t.Assertions)
		for i := range t.Assertions {
			t.Assertions[i].Detail, t.Assertions[i].ID = nil, "" // the id is a label
		}
	}
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && string(x) == string(y)
}

// TestExamBorrowed gives an exact submission the proofs of others: of another participant, of the same participant's other calls, of another
// season, and a 403 of a made-up host, each valid in itself; and files proofs under other names.
func TestExamBorrowed(t *testing.T) {
	d := newDesk(t, simulate.Options{Seed: "examen des emprunts"})
	other := newDesk(t, simulate.Options{Seed: "examen d'une autre saison", Small: true})
	name, doc := "", map[string]any{}
	donors := map[string]map[string]any{}
	for _, n := range d.submissions {
		var s map[string]any
		if json.Unmarshal(d.files[n], &s) != nil {
			continue
		}
		if strings.HasPrefix(n, "submissions/agent-0001/conformite/") && name == "" {
			name, doc = n, s
		} else if p := strings.Split(n, "/"); p[1] != "agent-0001" && donors[p[1]] == nil {
			donors[p[1]] = s
		}
	}
	if task := d.judge(name, d.files[name]); task.Status != verify.Rendue || !*task.VerdictExact {
		t.Fatalf("the submission that is changed is %s", task.Status)
	}
	for _, n := range other.submissions[:3] { // valid where they come from; their proofs are laid beside ours
		var s map[string]any
		if json.Unmarshal(other.files[n], &s) == nil {
			donors["another season "+n] = s
		}
	}
	for n, b := range other.files {
		if strings.HasPrefix(n, "proofs/") || strings.HasPrefix(n, "rekor/") {
			if err := writeUnder(d.dir, strings.Replace(n, "/", "/autre-", 1), b); err != nil {
				t.Fatal(err)
			}
		}
	}
	ran, accepted := 0, 0
	for _, donor := range slices.Sorted(maps.Keys(donors)) {
		for id, pairs := range disclosuresOf(donors[donor]) {
			if !replayable(pairs) || !long && ran >= 40 {
				continue
			}
			changed := borrow(t, doc, id, pairs)
			ran++
			task := d.judge(name, changed)
			if task.Status == verify.RejeteeEntree {
				continue // the borrowed pairs are of no form, which is what their owner was refused for
			}
			if len(task.Assertions) == 0 || task.Assertions[0].Supported {
				accepted++
				t.Errorf("%s, %s: %s, the first assertion is supported", donor, id, task.Status)
			}
		}
	}
	t.Logf("exam of submissions with the proofs of others: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
	if ran < 40 {
		t.Errorf("%d mutations ran, want at least 40", ran)
	}
}

func disclosuresOf(doc map[string]any) map[string]any {
	m, _ := doc["disclosures"].(map[string]any)
	return m
}

func replayable(pairs any) bool {
	m, ok := pairs.(map[string]any)
	return ok && len(m) == 2
}

// borrow lets the first assertion cite another proof, with its disclosures.
func borrow(t *testing.T, doc map[string]any, id string, pairs any) []byte {
	t.Helper()
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var changed map[string]any
	if err := json.Unmarshal(b, &changed); err != nil {
		t.Fatal(err)
	}
	list := changed["assertions"].([]any)
	first := list[0].(map[string]any)
	old := first["proof_ids"].([]any)
	first["proof_ids"] = []any{id}
	disclosures := disclosuresOf(changed)
	disclosures[id] = pairs
	for _, o := range old {
		cited := false
		for _, a := range list {
			cited = cited || slices.Contains(a.(map[string]any)["proof_ids"].([]any), o)
		}
		if !cited {
			delete(disclosures, o.(string))
		}
	}
	if b, err = json.Marshal(changed); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestExamSpelling claims the same twice in two spellings of JSON, pointer and path: the second is refused, is no other claim, or is false.
func TestExamSpelling(t *testing.T) {
	dir, name := examSeason(t)
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	first := doc["assertions"].([]any)[0].(map[string]any)
	claim := first["claim"].(map[string]any)
	resource, field := claim["resource"].(string), claim["field"].(string)
	value := string(must(json.Marshal(claim["value"])))
	ran, accepted := 0, 0
	for what, s := range map[string][3]string{ // resource, field and value as JSON text
		"as it is":              {quoted(resource), quoted(field), value},
		"escaped letter":        {`"\u002f` + resource[1:] + `"`, quoted(field), value},
		"escaped solidus":       {`"\/` + resource[1:] + `"`, quoted(field), value},
		"escaped field":         {quoted(resource), `"\u002f` + field[1:] + `"`, value},
		"pointer escape":        {quoted(resource), quoted("/~" + field[1:]), value},
		"URI fragment":          {quoted(resource), quoted("#" + field), value},
		"two solidi":            {quoted("/" + resource), quoted(field), value},
		"dot segment":           {quoted("/." + resource), quoted(field), value},
		"percent":               {quoted("/%" + fmt.Sprintf("%02x", resource[1]) + resource[2:]), quoted(field), value},
		"final solidus":         {quoted(resource + "/"), quoted(field), value},
		"empty query":           {quoted(resource + "?"), quoted(field), value},
		"fragment":              {quoted(resource + "#"), quoted(field), value},
		"space":                 {quoted(resource + " "), quoted(field), value},
		"other case":            {quoted(strings.ToUpper(resource)), quoted(field), value},
		"field ends in solidus": {quoted(resource), quoted(field + "/"), value},
		"value in a list":       {quoted(resource), quoted(field), "[" + value + "]"},
	} {
		// The text is put together by hand: an encoder would spell both alike.
		twin := `{"id":"a-twin","claim":{"resource":` + s[0] + `,"field":` + s[1] + `,"value":` + s[2] + `},"proof_ids":` + string(must(json.Marshal(first["proof_ids"]))) + `}`
		text := strings.Replace(string(must(json.Marshal(doc))), `"assertions":[`, `"assertions":[`+twin+`,`, 1)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		ran++
		task := examTask(t, dir)
		if task.Status == verify.RejeteeEntree || task.Status == verify.RejeteeCloture {
			continue
		}
		if len(task.Assertions) == 0 || task.Assertions[0].Supported {
			accepted++
			t.Errorf("%s: %s, one claim counts twice", what, task.Status)
		}
	}
	t.Logf("exam of one claim spelled in two ways: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
}

func quoted(s string) string { return string(must(json.Marshal(s))) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// outcome replays a folder that may be unreadable: the error is an answer too.
func outcome(t *testing.T, dir string) (*report.Replay, error) {
	t.Helper()
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return replay.Run(context.Background(), b, replay.Options{Jobs: 2})
}
