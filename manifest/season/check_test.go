package season

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/manifest"
)

// A season of four tasks in which nothing is wrong: one control, three of family P5. Each subject has a page of its own with four
// admissible fields and an entry in a common list.
const (
	checkScale = `{"format":"proveit.bareme/v1","version":"conformite-bareme-v3","verdicts":["oui","non","peut_etre"],
"published_distribution":{"non":2,"oui":2},"fields":{"/e/":["/a","/b","/c","/l/<n>"],"/s/":["/rows/<n>/d"]},
"graph":[{"start":"/e/{e}","own":true},{"from":"/e/{e}","pointer":"/l/<n>","to":"/e/{value}","own":true},
{"start":"/s/1","entries":"/rows","match":{"/e":"{e}"}}],"tasks":[` +
		`{"task_id":"t1","statement":"?","subject":{"e":"E1"},"min_assertions":3,"max_assertions":6},` +
		`{"task_id":"t2","statement":"?","subject":{"e":"E2"},"min_assertions":3,"max_assertions":6},` +
		`{"task_id":"t3","statement":"?","subject":{"e":"E3"},"min_assertions":3,"max_assertions":6},` +
		`{"task_id":"t4","statement":"?","subject":{"e":"E4"},"min_assertions":3,"max_assertions":6}]}`
	checkKey = `{"format":"proveit.key/v1","season":1,"track":"conformite","tasks":[` +
		`{"task_id":"t1","verdict":"oui","family":null,"control":true,"facts":[{"id":"f","forms":[[{"resource":"/e/E1","field":"/a","value":true}]]}]},` +
		`{"task_id":"t2","verdict":"oui","family":"P5","control":false,"facts":[{"id":"f","forms":[[{"resource":"/e/E2","field":"/b","value":"b"}],[{"resource":"/s/1","field":"/rows/1/d","value":"d2"}]]}]},` +
		`{"task_id":"t3","verdict":"non","family":"P5","control":false,"facts":[{"id":"f","forms":[[{"resource":"/e/E3","field":"/c","value":null}]]}]},` +
		`{"task_id":"t4","verdict":"non","family":"P5","control":false,"facts":[{"id":"f","forms":[[{"resource":"/s/1","field":"/rows/3/d","value":"d4"}]]}]}]}`
)

func checkPages() map[string]string {
	pages := map[string]string{}
	var rows []string
	for i := 1; i <= 4; i++ {
		pages[fmt.Sprintf("/e/E%d", i)] = fmt.Sprintf(`{"a":true,"b":"b","c":null,"id":"E%d"}`, i)
		rows = append(rows, fmt.Sprintf(`{"e":"E%d","d":"d%d"}`, i, i))
	}
	pages["/s/1"] = `{"rows":[` + strings.Join(rows, ",") + `]}`
	return pages
}

func checkSeason(t *testing.T, corpus *manifest.Corpus, scale, key string) *Season {
	t.Helper()
	s, err := ParseSeason("season.json", []byte(`{"format":"proveit.season/v1","season":1,"opens_at":"2026-09-21T00:00:00Z","closes_at":"2026-10-19T22:00:00Z",
"tracks":[{"id":"conformite","bareme":"b","text":"t","key":"k"}],"freeze":"f","manifest":"m","enrolments":"e"}`))
	if err != nil {
		t.Fatal(err)
	}
	s.Corpus = corpus
	if s.Tracks[0].Scale, err = ParseScale("b", []byte(scale), "conformite"); err != nil {
		t.Fatal(err)
	}
	if s.Tracks[0].Key, err = ParseKey("k", []byte(key), 1, "conformite"); err != nil {
		t.Fatal(err)
	}
	return s
}

// found lists problems as "code file#pointer".
func found(problems []manifest.Problem) string {
	var out []string
	for _, p := range problems {
		out = append(out, string(p.Code)+" "+p.File+"#"+p.Pointer)
	}
	return strings.Join(out, "; ")
}

func TestExamCheck(t *testing.T) {
	ran, accepted := 0, 0
	corpus := corpusOf(t, checkPages(), `[]`)
	if got := found(Check(checkSeason(t, corpus, checkScale, checkKey))); got != "" {
		t.Fatalf("the good season: %s", got)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"cap", `"max_assertions":6}`, `"max_assertions":7}`, "cap_above_twice b#/tasks/0/max_assertions"},
		{"minimum", `"min_assertions":3,"max_assertions":6}`, `"min_assertions":5,"max_assertions":6}`, "minimum_unreachable b#/tasks/0/min_assertions"},
		{"own half", `"/e/":["/a","/b","/c","/l/<n>"]`, `"/e/":["/a"]`, "minimum_unreachable b#/tasks/0/min_assertions; minimum_unreachable b#/tasks/1/min_assertions; fact_inadmissible k#/tasks/1/facts/0/forms/0/0/field; minimum_unreachable b#/tasks/2/min_assertions; fact_inadmissible k#/tasks/2/facts/0/forms/0/0/field; minimum_unreachable b#/tasks/3/min_assertions"},
		{"start", `{"start":"/s/1"`, `{"start":"/nulle/part","own":true},{"start":"/s/1"`, "link_to_nowhere b#/graph"},
		{"misspelt variable", `"to":"/e/{value}"`, `"to":"/e/{valeur}"`, "rule_for_nobody b#/graph/1"},
		{"distribution", `"oui":2`, `"oui":1`, "distribution_differs b#/published_distribution/oui"},
		{"distribution of another verdict", `"oui":2`, `"oui":2,"jamais/":0`, "verdict_unknown b#/published_distribution/jamais~1"},
		{"verdict of the key", `"verdict":"oui","family":null`, `"verdict":"Oui","family":null`, "distribution_differs b#/published_distribution/oui; verdict_unknown k#/tasks/0/verdict"},
		{"control", `"control":true`, `"control":false`, "control_count k#/tasks"},
		{"two controls", `"family":"P5","control":false`, `"family":"P5","control":true`, "control_family k#/tasks/1/family; control_count k#/tasks"},
		{"P5", `"family":"P5"`, `"family":"P4"`, "p5_count k#/tasks"},
		{"task of the key", `"tasks":[{"task_id":"t1","verdict"`, `"tasks":[{"task_id":"t0","verdict":"peut_etre","family":null,"control":false,"facts":[{"id":"f","forms":[[{"resource":"/x","field":"/y","value":"z"}]]}]},{"task_id":"t1","verdict"`, "key_task_unknown k#/tasks/0/task_id"},
		{"false fact", `"field":"/a","value":true`, `"field":"/a","value":"true"`, "fact_false k#/tasks/0/facts/0/forms/0/0/value"},
		{"fact at nothing", `"field":"/b","value":"b"`, `"field":"/l/0","value":"b"`, "fact_false k#/tasks/1/facts/0/forms/0/0/value"},
		{"inadmissible fact", `"field":"/a","value":true`, `"field":"/id","value":"E1"`, "fact_inadmissible k#/tasks/0/facts/0/forms/0/0/field"},
		{"fact of another subject", `"resource":"/e/E1"`, `"resource":"/e/E2"`, "fact_unreachable k#/tasks/0/facts/0/forms/0/0/resource"},
		{"fact served by nothing", `"resource":"/e/E1"`, `"resource":"/x"`, "fact_unreachable k#/tasks/0/facts/0/forms/0/0/resource; fact_inadmissible k#/tasks/0/facts/0/forms/0/0/field; fact_false k#/tasks/0/facts/0/forms/0/0/value"},
		{"entry of another subject", `"field":"/rows/1/d","value":"d2"`, `"field":"/rows/2/d","value":"d3"`, "fact_entry k#/tasks/1/facts/0/forms/1/0/field"},
		{"more facts than the cap", `"min_assertions":3,"max_assertions":6}`, `"min_assertions":1,"max_assertions":1}`, ""},
	} {
		scale, key := strings.Replace(checkScale, c.old, c.new, 1), strings.Replace(checkKey, c.old, c.new, 1)
		if scale == checkScale && key == checkKey {
			t.Errorf("%s: nothing to replace", c.name)
		}
		got := found(Check(checkSeason(t, corpus, scale, key)))
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if c.want != "" {
			if ran++; got == "" {
				accepted++
			}
		}
	}
	t.Logf("exam of a season before it opens: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
	s := checkSeason(t, corpus, checkScale, checkKey)
	s.Closes = s.Opens
	if got := found(Check(s)); got != "closes_before_opens season.json#/closes_at" {
		t.Errorf("closes when it opens: %s", got)
	}
}

func TestCheckCountsWhatFactsTake(t *testing.T) {
	// E1 links to E5, E5 to E6 and so on: reading the 21st takes 21 calls, the 20th 20.
	pages := checkPages()
	pages["/e/E1"] = `{"a":true,"b":"b","c":null,"l":["E5"]}`
	for i := 5; i <= 25; i++ {
		pages[fmt.Sprintf("/e/E%d", i)] = fmt.Sprintf(`{"a":true,"l":["E%d"],"id":"E%d"}`, i+1, i)
	}
	scale := strings.Replace(checkScale, `"from":"/e/{e}"`, `"from":"/e/{x}"`, 1)
	corpus := corpusOf(t, pages, `[{"prefix":"/e/","method":"GET","payload":{},"absent_body":{"existe":false}}]`)
	for last, want := range map[int]string{23: "", 24: "too_many_resources k#/tasks/0"} {
		key := strings.Replace(checkKey, `"resource":"/e/E1","field":"/a"`, fmt.Sprintf(`"resource":"/e/E%d","field":"/a"`, last), 1)
		if got := found(Check(checkSeason(t, corpus, scale, key))); got != want {
			t.Errorf("E%d: %s", last, got)
		}
	}
	// Two claims in one form and a cap of one; the other form of one claim makes it possible again.
	scale = strings.Replace(checkScale, `"min_assertions":3,"max_assertions":6}`, `"min_assertions":1,"max_assertions":1}`, 1)
	two := `[{"resource":"/e/E1","field":"/a","value":true},{"resource":"/e/E1","field":"/b","value":"b"}]`
	for forms, want := range map[string]string{two: "facts_above_cap k#/tasks/0/facts", two + `,[{"resource":"/e/E1","field":"/a","value":true}]`: ""} {
		key := strings.Replace(checkKey, `[{"resource":"/e/E1","field":"/a","value":true}]`, forms, 1)
		if got := found(Check(checkSeason(t, corpusOf(t, checkPages(), `[]`), scale, key))); got != want {
			t.Errorf("%s: %s", forms, got)
		}
	}
}

func TestCheckReportsTheCorpusFirst(t *testing.T) {
	pages := checkPages()
	pages["/x"] = `{"n":1}`
	if got := found(Check(checkSeason(t, corpusOf(t, pages, `[]`), checkScale, checkKey))); got != "number_in_page p/x#/n" {
		t.Error(got)
	}
}

func TestVerdictsOfTheGenericTrack(t *testing.T) {
	corpus := corpusOf(t, map[string]string{"/p/REF-1": `{"x":"y"}`}, `[{"prefix":"/p/","method":"GET","payload":{},"absent_body":{"existe":false}}]`)
	v := Verdicts{Collection: "/p/", Or: []string{"aucune"}}
	for verdict, want := range map[string][2]bool{ // at entry, and with the corpus
		"aucune": {true, true}, "REF-1": {true, true}, "REF-2": {true, false}, "": {false, false}, "a/b": {false, false}, "/p/REF-1": {false, false}, "Aucune": {true, false},
	} {
		if got := [2]bool{v.AtEntry(verdict), v.Contains(verdict, corpus)}; got != want {
			t.Errorf("%q: %v, want %v", verdict, got, want)
		}
	}
	list := Verdicts{List: []string{"oui", "non"}}
	for verdict, want := range map[string]bool{"oui": true, "Oui": false, "": false, "peut-être": false} {
		if list.AtEntry(verdict) != want || list.Contains(verdict, corpus) != want {
			t.Errorf("%q", verdict)
		}
	}
}

func TestWhatGuessingBrings(t *testing.T) {
	s := checkSeason(t, corpusOf(t, checkPages(), `[]`), checkScale, checkKey)
	if c, ok := BestConstant(s.Tracks[0].Scale); !ok || c != (Constant{"non", 2, 4}) { // a tie: the one listed first
		t.Errorf("%v %v", c, ok)
	}
	empty := *s.Tracks[0].Scale
	empty.Distribution = nil
	if c, ok := BestConstant(&empty); ok {
		t.Errorf("%v", c)
	}
	// Each task has four admissible claims and a cap of six, so filling carries every fact: two tasks for either verdict.
	if c, err := BestFiller(&s.Tracks[0], s.Corpus); err != nil || c != (Constant{"non", 2, 4}) {
		t.Errorf("%v %v", c, err)
	}
	// With a cap of two only t1 (/a) and t2 (/b) are carried.
	low := strings.ReplaceAll(checkScale, `"min_assertions":3,"max_assertions":6`, `"min_assertions":1,"max_assertions":2`)
	s = checkSeason(t, s.Corpus, low, checkKey)
	if c, err := BestFiller(&s.Tracks[0], s.Corpus); err != nil || c != (Constant{"oui", 2, 4}) {
		t.Errorf("%v %v", c, err)
	}
}

func TestMintedSeasonsHaveNoProblem(t *testing.T) {
	for _, name := range []string{"closed-season", "open-season"} {
		s, err := Load(minted(t, name), "season.json")
		if err != nil {
			t.Fatal(err)
		}
		if got := Check(s); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}
