package season

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// scaleText is a scale with one task, the given graph and fields.
func scaleText(graph, fields string) string {
	return `{"format":"proveit.bareme/v1","version":"conformite-bareme-v3","verdicts":["conforme","non_conforme","indeterminable"],
"published_distribution":{"non_conforme":4,"conforme":3,"indeterminable":3},"fields":` + fields + `,"graph":` + graph + `,
"tasks":[{"task_id":"c1","statement":"?","subject":{"e":"E1"},"min_assertions":4,"max_assertions":8}]}`
}

func TestExamScale(t *testing.T) {
	good := scaleText(`[{"start":"/e/{e}","own":true},
{"from":"/e/{e}","pointer":"/l/<n>","to":"/m/{value}","own":true},
{"start":"/s/1","entries":"/rows","match":{"/e":"{e}"}},
{"start":"/t/1","entries":"/lignes","match_any":{"in":"/e/{e}/*","each":"/b/<n>","equal":{"/n":"/m"}}}]`, `{"/e/":["/x","/l/<n>"]}`)
	edits{
		{"other format", `bareme/v1`, `bareme/v2`, "/format"},
		{"no version", `"version":"conformite-bareme-v3",`, ``, ""},
		{"version as number", `"conformite-bareme-v3"`, `3`, "/version"},
		{"no verdicts", `["conforme","non_conforme","indeterminable"]`, `[]`, "/verdicts"},
		{"verdict twice", `["conforme",`, `["conforme","conforme",`, "/verdicts/1"},
		{"verdicts of the generic track", `["conforme","non_conforme","indeterminable"]`, `{"collection":"/p/","or":["x"]}`, "/verdicts"},
		{"count as text", `"conforme":3`, `"conforme":"3"`, "/published_distribution/conforme"},
		{"negative count", `"conforme":3`, `"conforme":-1`, "/published_distribution/conforme"},
		{"distribution as list", `{"non_conforme":4,"conforme":3,"indeterminable":3}`, `[]`, "/published_distribution"},
		{"fields as list", `{"/e/":["/x","/l/<n>"]}`, `[]`, "/fields"},
		{"prefix without slash", `"/e/":[`, `"e/":[`, "/fields/e~1"},
		{"whole document admissible", `"/x"`, `""`, "/fields/~1e~1/0"},
		{"field that is no pointer", `"/x"`, `"x"`, "/fields/~1e~1/0"},
		{"rule without kind", `"own":true}`, `"owned":true}`, "/graph/0/owned"},
		{"own false", `"own":true}`, `"own":false}`, "/graph/0/own"},
		{"own and entries", `"own":true}`, `"own":true,"entries":"/rows"}`, "/graph/0/entries"},
		{"own and match", `"own":true}`, `"own":true,"match":{"/e":"x"}}`, "/graph/0/match"},
		{"entries alone", `,"match":{"/e":"{e}"}`, ``, "/graph/2"},
		{"match without entries", `"entries":"/rows",`, ``, "/graph/2"},
		{"match and match_any", `"match":{"/e":"{e}"}`, `"match":{"/e":"{e}"},"match_any":{"in":"/a","each":"/b","equal":{"/c":"/d"}}`, "/graph/2/match_any"},
		{"match of nothing", `"match":{"/e":"{e}"}`, `"match":{}`, "/graph/2/match"},
		{"match of a number", `"match":{"/e":"{e}"}`, `"match":{"/e":1}`, "/graph/2/match/~1e"},
		{"match at no pointer", `"match":{"/e":"{e}"}`, `"match":{"e":"{e}"}`, "/graph/2/match/e"},
		{"equal of nothing", `"equal":{"/n":"/m"}`, `"equal":{}`, "/graph/3/match_any/equal"},
		{"equal at no pointer", `"equal":{"/n":"/m"}`, `"equal":{"/n":"m"}`, "/graph/3/match_any/equal/~1n"},
		{"entries with <n>", `"entries":"/rows"`, `"entries":"/rows/<n>"`, "/graph/2/entries"},
		{"start and from", `{"start":"/e/{e}",`, `{"start":"/e/{e}","from":"/x",`, "/graph/0/from"},
		{"from without to", `"to":"/m/{value}",`, ``, "/graph/1"},
		{"open brace", `"/m/{value}"`, `"/m/{value"`, "/graph/1/to"},
		{"empty braces", `"/m/{value}"`, `"/m/{}"`, "/graph/1/to"},
		{"long template", `"/m/{value}"`, `"/m/` + strings.Repeat("a", 1024) + `"`, "/graph/1/to"},
		{"too many rules", `"graph":[`, `"graph":[` + strings.Repeat(`{"start":"/x","own":true},`, 200), "/graph"},
		{"no task", `[{"task_id":"c1","statement":"?","subject":{"e":"E1"},"min_assertions":4,"max_assertions":8}]`, `[]`, "/tasks"},
		{"task twice", `"tasks":[`, `"tasks":[{"task_id":"c1","statement":"?","subject":{},"min_assertions":1,"max_assertions":1},`, "/tasks/1/task_id"},
		{"minimum 0", `"min_assertions":4`, `"min_assertions":0`, "/tasks/0/min_assertions"},
		{"cap below minimum", `"max_assertions":8`, `"max_assertions":3`, "/tasks/0/max_assertions"},
		{"huge cap", `"max_assertions":8`, `"max_assertions":10001`, "/tasks/0/max_assertions"},
		{"subject value as number", `{"e":"E1"}`, `{"e":1}`, "/tasks/0/subject/e"},
		{"subject value empty", `{"e":"E1"}`, `{"e":""}`, "/tasks/0/subject/e"},
		{"subject named value", `{"e":"E1"}`, `{"value":"E1"}`, "/tasks/0/subject/value"},
		{"unknown member", `"tasks":[`, `"notes":"","tasks":[`, "/notes"},
	}.run(t, "a scale", good, func(b []byte) error { _, err := ParseScale("f.json", b, "conformite"); return err })
}

func TestExamVersions(t *testing.T) {
	ran, accepted := 0, 0
	for _, c := range []struct{ track, version string }{
		{"conformite", "conformite-bareme-v2"}, {"conformite", "Conformite-bareme-v3"}, {"conformite", "generique-bareme-v1"},
		{"conformite", "conformite-bareme-v3 "}, {"generique", "conformite-bareme-v3"}, {"autre", "conformite-bareme-v3"},
	} {
		text := strings.Replace(scaleText(`[]`, `{}`), "conformite-bareme-v3", c.version, 1)
		_, err := ParseScale("f.json", []byte(text), c.track)
		var unknown *UnknownVersion
		if !errors.As(err, &unknown) || unknown.Found != c.version || len(unknown.Known) == 0 || unknown.Track != c.track {
			t.Errorf("%v: %v", c, err)
		}
		if ran++; err == nil {
			accepted++
		}
	}
	t.Logf("exam of the versions of a scale: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
	// A later version may have other members: it is named as unknown, not as malformed.
	_, err := ParseScale("f.json", []byte(`{"format":"proveit.bareme/v1","version":"conformite-bareme-v4","new":1}`), "conformite")
	var unknown *UnknownVersion
	if !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
}

func TestDistributionKeepsTheOrderOfTheDocument(t *testing.T) {
	s, err := ParseScale("f.json", []byte(scaleText(`[]`, `{}`)), "conformite")
	if err != nil {
		t.Fatal(err)
	}
	want := []Count{{"non_conforme", 4}, {"conforme", 3}, {"indeterminable", 3}}
	if !slices.Equal(s.Distribution, want) {
		t.Errorf("%v", s.Distribution)
	}
}

func TestAdmissible(t *testing.T) {
	s, err := ParseScale("f.json", []byte(scaleText(`[]`, `{"/a/":["/x","/l/<n>/p~1q","/l/<n>/<n>"],"/a/b/":["/y"],"/r":["/z"]}`)), "conformite")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		resource, field string
		want            bool
	}{
		{"/a/1", "/x", true},
		{"/a/1", "/y", false},
		{"/a/1", "/x/0", false},
		{"/a/1", "/", false},
		{"/a/1", "", false},
		{"/a/1", "x", false},
		{"/a/1", "/l/0/p~1q", true},
		{"/a/1", "/l/10/p~1q", true},
		{"/a/1", "/l/99999999999999999999999/p~1q", true},
		{"/a/1", "/l/01/p~1q", false},
		{"/a/1", "/l/+1/p~1q", false},
		{"/a/1", "/l/-/p~1q", false},
		{"/a/1", "/l/٣/p~1q", false},
		{"/a/1", "/l/<n>/p~1q", false},
		{"/a/1", "/l/0/p/q", false},
		{"/a/1", "/l/0/p~2q", false},
		{"/a/1", "/l/0/00", false},
		{"/a/1", "/l/0/0", true},
		{"/a/b/1", "/y", true}, // the longest prefix wins, and alone
		{"/a/b/1", "/x", false},
		{"/a/b/", "/x", true}, // nothing follows /a/b/, so this is "b/" below /a/
		{"/a/", "/x", false},
		{"/a", "/x", false},
		{"/r", "/z", true},
		{"/c/1", "/x", false},
	} {
		if got := s.Admissible(c.resource, c.field); got != c.want {
			t.Errorf("%s %s: %v", c.resource, c.field, got)
		}
	}
}

func FuzzParseScale(f *testing.F) {
	f.Add([]byte(scaleText(`[{"start":"/e/{e}","own":true},{"from":"/e/{x}","pointer":"/l/<n>","to":"{value}","entries":"/r","match":{"/a":"{e}"}},{"start":"/t","entries":"/l","match_any":{"in":"/e/*","each":"/b/<n>","equal":{"/n":"/m"}}}]`, `{"/e/":["/x"]}`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		onlySyntax(t, func() error {
			s, err := ParseScale("f", b, "conformite")
			var unknown *UnknownVersion
			if errors.As(err, &unknown) {
				return nil
			}
			if err != nil {
				return err
			}
			for _, task := range s.Tasks {
				g, err := NewGraph(small(t), s, task)
				if err != nil {
					continue
				}
				for _, n := range g.Resources() {
					g.EntryConcerns(n.Resource, "/rows/0/e")
					s.Admissible(n.Resource, "/x")
				}
			}
			return nil
		})
	})
}
