package season

import (
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
)

func minted(t testing.TB, name string) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Open("../../../shared/seasons/"+name+".zip", bundle.Limits{})
	if err != nil {
		t.Skip("no ../shared/seasons beside the repository")
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// The statuses in expected.json come from the program that minted these seasons, which shares no code with this one.
func TestRejectionAtCloseAgreesWithMintedSeasons(t *testing.T) {
	for _, name := range []string{"closed-season", "open-season"} {
		b := minted(t, name)
		s, err := Load(b, "season.json")
		if err != nil {
			t.Fatal(err)
		}
		data, err := b.Read("expected.json")
		if err != nil {
			t.Fatal(err)
		}
		expected, err := canon.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		rejected, accepted := 0, 0
		for id, participants := range expected.Get("tracks").Members() {
			track, _ := s.Track(id)
			for participant, p := range participants.Members() {
				for task, want := range p.Get("tasks").Members() {
					status, _ := want.Get("status").Text()
					if status != "rejetee_cloture" && status != "non_rendue" && status != "rendue" {
						continue
					}
					got := rejectedAtClose(t, b, s, track, "submissions/"+participant+"/"+id+"/"+task+".json", task)
					if got != (status == "rejetee_cloture") {
						t.Errorf("%s %s %s: rejected %v, want %s", participant, id, task, got, status)
					}
					if got {
						rejected++
					} else {
						accepted++
					}
				}
			}
		}
		if rejected < 5 || accepted < 100 {
			t.Errorf("%s: only %d rejected and %d accepted", name, rejected, accepted)
		}
	}
}

func rejectedAtClose(t *testing.T, b *bundle.Bundle, s *Season, track *Track, file, taskID string) bool {
	t.Helper()
	data, err := b.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	v, err := canon.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	task, ok := track.Scale.Task(taskID)
	if !ok {
		t.Fatalf("no task %s", taskID)
	}
	g, err := NewGraph(s.Corpus, track.Scale, task)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range v.Get("assertions").Elements() {
		resource, _ := a.Get("claim").Get("resource").Text()
		field, _ := a.Get("claim").Get("field").Text()
		node, reached := g.Resource(resource)
		if !reached || !track.Scale.Admissible(resource, field) || node.Shared && !g.EntryConcerns(resource, field) {
			return true
		}
	}
	return false
}

func TestExamSeason(t *testing.T) {
	const good = `{"format":"proveit.season/v1","season":1,"opens_at":"2026-09-21T00:00:00Z","closes_at":"2026-10-19T22:00:00.5Z",
"tracks":[{"id":"conformite","bareme":"freeze/b.json","text":"freeze/b.md","key":"freeze/k.json"}],
"freeze":"freeze/freeze.json","manifest":"corpus/manifest.json","enrolments":"enrolments.json"}`
	s, err := ParseSeason("season.json", []byte(good))
	if err != nil || s.Number != 1 || s.Closes.Nanosecond() != 5e8 || s.Tracks[0].KeyFile != "freeze/k.json" {
		t.Fatalf("%+v, %v", s, err)
	}
	edits{
		{"format", `season/v1`, `season/v2`, "/format"},
		{"no season", `"season":1,`, ``, ""},
		{"season 0", `"season":1`, `"season":0`, "/season"},
		{"season as float", `"season":1`, `"season":1.0`, "/season"},
		{"season as text", `"season":1`, `"season":"1"`, "/season"},
		{"unknown member", `"season":1`, `"season":1,"saison":1`, "/saison"},
		{"member in capitals", `"freeze":`, `"Freeze":`, "/Freeze"},
		{"member twice", `"season":1`, `"season":1,"season":1`, "/season"},
		{"no zone", `00:00:00Z"`, `00:00:00"`, "/opens_at"},
		{"comma", `00.5Z`, `00,5Z`, "/closes_at"},
		{"no time", `2026-09-21T00:00:00Z`, `2026-09-21`, "/opens_at"},
		{"31 February", `2026-09-21`, `2026-02-31`, "/opens_at"},
		{"second 60", `00:00:00Z`, `00:00:60Z`, "/opens_at"},
		{"lowercase z", `00:00:00Z`, `00:00:00z`, "/opens_at"},
		{"no tracks", `[{"id":"conformite","bareme":"freeze/b.json","text":"freeze/b.md","key":"freeze/k.json"}]`, `[]`, "/tracks"},
		{"track twice", `"tracks":[`, `"tracks":[{"id":"conformite","bareme":"b","text":"t","key":"k"},`, "/tracks/1/id"},
		{"track as path", `"conformite"`, `"a/b"`, "/tracks/0/id"},
		{"track ..", `"conformite"`, `".."`, "/tracks/0/id"},
		{"absolute path", `"freeze/freeze.json"`, `"/freeze.json"`, "/freeze"},
		{"path with ..", `"freeze/freeze.json"`, `"freeze/../../x"`, "/freeze"},
		{"backslash", `"freeze/freeze.json"`, `"freeze\\x"`, "/freeze"},
		{"empty step", `"freeze/b.md"`, `"freeze//b.md"`, "/tracks/0/text"},
		{"empty path", `"enrolments.json"`, `""`, "/enrolments"},
		{"null path", `"enrolments.json"`, `null`, "/enrolments"},
		{"array", good, `[]`, ""},
		{"nothing", good, ``, ""},
	}.run(t, "season.json", good, func(b []byte) error { _, err := ParseSeason("f.json", b); return err })
}

// edits are documents with one fault each: the text that is replaced (once), by what, and the pointer that the error must name.
type edits []struct{ name, old, new, pointer string }

func (es edits) run(t *testing.T, what, good string, parse func([]byte) error) {
	t.Helper()
	if err := parse([]byte(good)); err != nil {
		t.Fatalf("the good document: %v", err)
	}
	accepted := 0
	for _, e := range es {
		if !strings.Contains(good, e.old) {
			t.Errorf("%s: nothing to replace", e.name)
		}
		err := parse([]byte(strings.Replace(good, e.old, e.new, 1)))
		syntax, ok := err.(*canon.SyntaxError)
		if !ok || syntax.Pointer != e.pointer || syntax.File != "f.json" || syntax.Found == "" || syntax.Want == "" {
			t.Errorf("%s: %v, want a fault at %q", e.name, err, e.pointer)
		}
		if err == nil {
			accepted++
		}
	}
	t.Logf("exam of %s: %d mutations, %d accepted, 0 on the list of informational places", what, len(es), accepted)
}

func TestExamEnrolments(t *testing.T) {
	const good = `{"format":"proveit.enrolments/v1","participants":[
{"id":"agent-01","name":"Un","did":"did:key:z6MkhPQBKd6L2wcFGQdvTounjE8oVZ9YCDB4B9VbZtF3ubYN","table":"reference","stack":""},
{"id":"agent-02","name":"Deux","did":"did:web:agents.example","table":"community","stack":"x"}]}`
	edits{
		{"id twice", `agent-02`, `agent-01`, "/participants/1/id"},
		{"DID twice", `did:web:agents.example`, `did:key:z6MkhPQBKd6L2wcFGQdvTounjE8oVZ9YCDB4B9VbZtF3ubYN`, "/participants/1/did"},
		{"DID of no known method", `did:web:`, `did:plc:`, "/participants/1/did"},
		{"other table", `"community"`, `"Community"`, "/participants/1/table"},
		{"no stack", `,"stack":"x"`, ``, "/participants/1"},
		{"stack null", `"stack":"x"`, `"stack":null`, "/participants/1/stack"},
		{"id with slash", `agent-02`, `agent/02`, "/participants/1/id"},
		{"id ..", `agent-02`, `..`, "/participants/1/id"},
		{"id too long", `agent-02`, strings.Repeat("a", 129), "/participants/1/id"},
		{"id with control", `agent-02`, `agent\u001b02`, "/participants/1/id"},
		{"id empty", `agent-02`, ``, "/participants/1/id"},
		{"name empty", `"Deux"`, `""`, "/participants/1/name"},
		{"unknown member", `"stack":"x"`, `"stack":"x","rank":1`, "/participants/1/rank"},
		{"not a list", `[`, `{"a":[`, ""},
	}.run(t, "the enrolments", good, func(b []byte) error { _, err := ParseEnrolments("f.json", b); return err })
}

func TestExamKey(t *testing.T) {
	const good = `{"format":"proveit.key/v1","season":3,"track":"conformite","tasks":[
{"task_id":"c1","verdict":"conforme","family":null,"control":true,"facts":[{"id":"f1","forms":[[{"resource":"/a/1","field":"/x","value":null}]]}]},
{"task_id":"c2","verdict":"conforme","family":"P5","control":false,"facts":[{"id":"f1","forms":[[{"resource":"/a/2","field":"/x","value":"v"}]]}]}]}`
	edits{
		{"other season", `"season":3`, `"season":2`, "/season"},
		{"other track", `"conformite"`, `"generique"`, "/track"},
		{"task twice", `"c2"`, `"c1"`, "/tasks/1/task_id"},
		{"family P6", `"P5"`, `"P6"`, "/tasks/1/family"},
		{"family empty", `"P5"`, `""`, "/tasks/1/family"},
		{"no family", `"family":null,`, ``, "/tasks/0"},
		{"control as text", `"control":true`, `"control":"true"`, "/tasks/0/control"},
		{"no fact", `[{"id":"f1","forms":[[{"resource":"/a/1","field":"/x","value":null}]]}]`, `[]`, "/tasks/0/facts"},
		{"no form", `[[{"resource":"/a/1","field":"/x","value":null}]]`, `[]`, "/tasks/0/facts/0/forms"},
		{"no claim", `[[{"resource":"/a/1","field":"/x","value":null}]]`, `[[]]`, "/tasks/0/facts/0/forms/0"},
		{"claim not in a list", `[[{"resource":"/a/1","field":"/x","value":null}]]`, `[{}]`, "/tasks/0/facts/0/forms/0"},
		{"fact twice", `"forms":[[{"resource":"/a/1","field":"/x","value":null}]]}`, `"forms":[[{"resource":"/a","field":"/x","value":""}]]},{"id":"f1","forms":[[{"resource":"/a","field":"/x","value":""}]]}`, "/tasks/0/facts/1/id"},
		{"no value", `,"value":null`, ``, "/tasks/0/facts/0/forms/0/0"},
		{"empty field", `"field":"/x","value":null`, `"field":"","value":null`, "/tasks/0/facts/0/forms/0/0/field"},
		{"field without slash", `"field":"/x","value":null`, `"field":"x","value":null`, "/tasks/0/facts/0/forms/0/0/field"},
		{"bad escape", `"field":"/x","value":null`, `"field":"/~2","value":null`, "/tasks/0/facts/0/forms/0/0/field"},
	}.run(t, "an answer key", good, func(b []byte) error { _, err := ParseKey("f.json", b, 3, "conformite"); return err })
}

func TestExamKeyMustCoverTheScale(t *testing.T) {
	key, err := ParseKey("key.json", []byte(`{"format":"proveit.key/v1","season":1,"track":"conformite","tasks":[]}`), 1, "conformite")
	if err != nil {
		t.Fatal(err)
	}
	scale, err := ParseScale("scale.json", []byte(scaleText(`[]`, `{}`)), "conformite")
	if err != nil {
		t.Fatal(err)
	}
	if err, ok := key.covers(scale).(*canon.SyntaxError); !ok || err.File != "key.json" || err.Found != `no task "c1"` {
		t.Errorf("%v", err)
	}
}

func FuzzParseSeason(f *testing.F) {
	f.Add([]byte(`{"format":"proveit.season/v1","season":1,"opens_at":"2026-09-21T00:00:00Z","closes_at":"2026-10-19T22:00:00Z","tracks":[{"id":"c","bareme":"b","text":"t","key":"k"}],"freeze":"f","manifest":"m","enrolments":"e"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		onlySyntax(t, func() error { _, err := ParseSeason("f", b); return err })
	})
}

func FuzzParseEnrolments(f *testing.F) {
	f.Add([]byte(`{"format":"proveit.enrolments/v1","participants":[{"id":"a","name":"n","did":"did:web:a.example%3A80:b","table":"community","stack":""}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		onlySyntax(t, func() error { _, err := ParseEnrolments("f", b); return err })
	})
}

func FuzzParseKey(f *testing.F) {
	f.Add([]byte(`{"format":"proveit.key/v1","season":1,"track":"t","tasks":[{"task_id":"c","verdict":"v","family":"P1","control":false,"facts":[{"id":"f","forms":[[{"resource":"/a","field":"/b","value":[1]}]]}]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		onlySyntax(t, func() error { _, err := ParseKey("f", b, 1, "t"); return err })
	})
}

// onlySyntax wants success or an error that names its place.
func onlySyntax(t *testing.T, parse func() error) {
	t.Helper()
	if err := parse(); err != nil {
		if s, ok := err.(*canon.SyntaxError); !ok || s.File != "f" || s.Want == "" {
			t.Errorf("%T: %v", err, err)
		}
	}
}
