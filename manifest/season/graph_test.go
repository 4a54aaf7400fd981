package season

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"testing"

	"github.com/ark-forge/proveit/manifest"
)

// memory is a corpus given as texts.
type memory map[string]string

func (m memory) Has(name string) bool { _, ok := m[name]; return ok }
func (m memory) Read(name string) ([]byte, error) {
	text, ok := m[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

// corpusOf makes a corpus of pages (resource → text) and collections (the text of the manifest's array).
func corpusOf(t testing.TB, pages map[string]string, collections string) *manifest.Corpus {
	t.Helper()
	files := memory{}
	draft := `{"format":"proveit.manifest/v1","base_url":"https://c.example","system":[`
	for i, code := range []string{"403", "503", "400"} {
		if i > 0 {
			draft += ","
		}
		draft += `{"resource":"/_systeme/` + code + `","file":"s` + code + `"}`
		files["s"+code] = `{"erreur":"` + code + `"}`
	}
	draft += `],"collections":` + collections + `,"resources":[`
	for i, resource := range slices.Sorted(maps.Keys(pages)) {
		if i > 0 {
			draft += ","
		}
		draft += `{"resource":"` + resource + `","url":"https://c.example` + resource + `","method":"GET","payload":{},"file":"p` + resource + `"}`
		files["p"+resource] = pages[resource]
	}
	m, err := manifest.ParseDraft("draft", []byte(draft+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	built, err := manifest.Build(files, m, "")
	if err != nil {
		t.Fatal(err)
	}
	files["manifest.json"] = string(built)
	c, err := manifest.Load(files, "manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if bad := append(c.Differences(), c.Missing()...); len(bad) != 0 {
		t.Fatal(bad)
	}
	return c
}

const absent = `{"existe":false,"ressource":"{resource}"}`

// small is the corpus of the graph that was worked out by hand below.
func small(t testing.TB) *manifest.Corpus {
	return corpusOf(t, map[string]string{
		"/e/E1":   `{"l":["M1","M2","NOPE",7,null,["M3"]],"fiche":"/f/1","x":"y"}`,
		"/e/E2":   `{"l":["M3"]}`,
		"/m/M1":   `{"avenants":["V1"],"date":"d"}`,
		"/m/M2":   `{"avenants":[]}`,
		"/m/M3":   `{"avenants":["V2"]}`,
		"/v/V1":   `{"annule":null}`,
		"/v/V2":   `{"annule":"x"}`,
		"/b/E1/1": `{"b":[{"nom":"A","prenom":"a"},{"nom":"B"}],"suite":"/b/E1/2"}`,
		"/b/E1/2": `{"b":[{"nom":"C","prenom":"c"}],"suite":"/b/E1/1"}`,
		"/s/1":    `{"rows":[{"e":"E1","d":"1"},{"e":"E2"},{"e":"e1"},"E1",{"e":["E1"]}],"suite":"/s/2"}`,
		"/s/2":    `{"rows":[{"e":"E2"},{"e":"E1"}],"suite":null}`,
		"/t/1":    `{"rows":[{"n":"A","p":"a"},{"n":"A","p":"c"},{"n":"B"},{"n":"B","p":null},{"n":"C","p":"c"}],"suite":"/hors/1"}`,
		"/f/1":    `{"x":"y"}`,
	}, `[{"prefix":"/m/","method":"GET","payload":{},"absent_body":`+absent+`},{"prefix":"/b/","method":"GET","payload":{},"absent_body":`+absent+`}]`)
}

const smallRules = `[
{"start":"/e/{e}","own":true},
{"from":"/e/{e}","pointer":"/l/<n>","to":"/m/{value}","own":true},
{"from":"/m/{id}","pointer":"/avenants/<n>","to":"/v/{value}","own":true},
{"start":"/b/{e}/1","own":true},
{"from":"/b/{e}/{p}","pointer":"/suite","to":"{value}","own":true},
{"start":"/s/1","entries":"/rows","match":{"/e":"{e}"}},
{"from":"/s/{p}","pointer":"/suite","to":"{value}","entries":"/rows","match":{"/e":"{e}"}},
{"start":"/t/1","entries":"/rows","match_any":{"in":"/b/{e}/*","each":"/b/<n>","equal":{"/n":"/nom","/p":"/prenom"}}},
{"from":"/t/{p}","pointer":"/suite","to":"{value}","entries":"/rows","match_any":{"in":"/b/{e}/*","each":"/b/<n>","equal":{"/n":"/nom","/p":"/prenom"}}},
{"from":"/e/{e}","pointer":"/fiche","to":"{value}","own":true},
{"start":"/f/1","entries":"/rows","match":{"/e":"{e}"}},
{"start":"/e/{autre}","own":true},
{"from":"/e/{e}","pointer":"/x","to":"/m/{autre}","own":true},
{"start":"/m/M3","entries":"/rows","match":{"/e":"{autre}"}}]`

func graphOf(t testing.TB, c *manifest.Corpus, rules string) *Graph {
	t.Helper()
	s, err := ParseScale("scale.json", []byte(scaleText(rules, `{}`)), "conformite")
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGraph(c, s, s.Tasks[0])
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGraphByHand(t *testing.T) {
	g := graphOf(t, small(t), smallRules)
	// Worked out on paper for the subject e = E1. The last three rules lack "autre" and do not apply; /hors/1 is served by nothing; 7, null
	// and ["M3"] are no links; /f/1 is reached as own too, and shared wins.
	want := map[string]string{
		"/e/E1": "own", "/m/M1": "own", "/m/M2": "own", "/m/NOPE": "own absent", "/v/V1": "own", "/b/E1/1": "own", "/b/E1/2": "own",
		"/s/1": "shared", "/s/2": "shared", "/t/1": "shared", "/f/1": "shared",
	}
	got := map[string]string{}
	for _, n := range g.Resources() {
		word := "neither"
		if n.Own != n.Shared {
			word = map[bool]string{true: "own", false: "shared"}[n.Own]
		}
		if n.Absent {
			word += " absent"
		}
		got[n.Resource] = word
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n, ok := g.Resource("/v/V1"); !ok || n.From != "/m/M1" {
		t.Errorf("%+v", n)
	}
	if _, ok := g.Resource("/m/M3"); ok {
		t.Error("/m/M3 belongs to another subject")
	}
}

func TestEntriesByHand(t *testing.T) {
	g := graphOf(t, small(t), smallRules)
	for _, c := range []struct {
		resource, pointer string
		want              bool
	}{
		{"/s/1", "/rows/0/e", true},
		{"/s/1", "/rows/0/d", true},
		{"/s/1", "/rows/0/nothing", true}, // whether it is there is condition 4's affair
		{"/s/1", "/rows/0", false},        // the entry itself names nothing in it
		{"/s/1", "/rows", false},
		{"/s/1", "/suite", false},
		{"/s/1", "/rows/1/e", false},
		{"/s/1", "/rows/2/e", false}, // case counts
		{"/s/1", "/rows/3/e", false}, // a string, not an entry
		{"/s/1", "/rows/4/e", false}, // ["E1"] is not "E1"
		{"/s/1", "/rows/5/e", false},
		{"/s/1", "/rows/00/e", false},
		{"/s/1", "/rows/-/e", false},
		{"/s/1", "/Rows/0/e", false},
		{"/s/1", "rows/0/e", false},
		{"/s/2", "/rows/1/e", true},
		{"/s/2", "/rows/0/e", false},
		{"/t/1", "/rows/0/n", true},  // A a, on page 1
		{"/t/1", "/rows/1/n", false}, // A c: two different people
		{"/t/1", "/rows/2/n", false}, // B without first names on either side: nothing to compare
		{"/t/1", "/rows/3/n", false}, // null is not absent
		{"/t/1", "/rows/4/n", true},  // C c, on page 2, reached by a link
		{"/e/E1", "/rows/0/e", false},
		{"/s/3", "/rows/0/e", false},
	} {
		if got := g.EntryConcerns(c.resource, c.pointer); got != c.want {
			t.Errorf("%s %s: %v", c.resource, c.pointer, got)
		}
	}
}

func TestAnyRuleMayFindAnEntryFit(t *testing.T) {
	c := corpusOf(t, map[string]string{"/l": `{"rows":[{"a":"E1"},{"b":"E1"},{"c":"E1"},{"d":true}],"autres":[{"c":"E1"}]}`}, `[]`)
	g := graphOf(t, c, `[{"start":"/l","entries":"/rows","match":{"/a":"{e}"}},{"start":"/l","entries":"/rows","match":{"/b":"{e}"}},
{"start":"/l","entries":"/autres","match":{"/c":"{e}"}},{"start":"/l","entries":"/rows","match":{"/d":true}}]`)
	for pointer, want := range map[string]bool{"/rows/0/a": true, "/rows/1/a": true, "/rows/2/c": false, "/rows/3/d": true, "/autres/0/c": true} {
		if got := g.EntryConcerns("/l", pointer); got != want {
			t.Errorf("%s: %v", pointer, got)
		}
	}
}

func TestWholeResourceAsTheElement(t *testing.T) {
	c := corpusOf(t, map[string]string{"/e/E1": `{"nom":"A"}`, "/l": `{"rows":[{"n":"A"},{"n":"B"}]}`}, `[]`)
	g := graphOf(t, c, `[{"start":"/e/{e}","own":true},{"start":"/l","entries":"/rows","match_any":{"in":"/e/{e}","each":"","equal":{"/n":"/nom"}}}]`)
	if !g.EntryConcerns("/l", "/rows/0/n") || g.EntryConcerns("/l", "/rows/1/n") {
		t.Error("the first entry and no other is A's")
	}
}

func TestTemplatesAreFilledOnce(t *testing.T) {
	// The value of a link that looks like a variable, and one that looks like an expression, stay what they are.
	c := corpusOf(t, map[string]string{"/e/E1": `{"l":["{e}",".*"]}`, "/m/E1": `{"x":"y"}`, "/m/x": `{"x":"z"}`}, `[]`)
	g := graphOf(t, c, `[{"start":"/e/{e}","own":true},{"from":"/e/{e}","pointer":"/l/<n>","to":"/m/{value}","own":true}]`)
	if got := g.Resources(); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestGraphIsBounded(t *testing.T) {
	deep, err := ParseScale("scale.json", []byte(scaleText(`[{"start":"/m/0","own":true},{"from":"/m/{p}","pointer":"/suite/<n>","to":"{value}","own":true}]`, `{}`)), "conformite")
	if err != nil {
		t.Fatal(err)
	}
	// Every absent body links to two longer resources of one segment, which are absent too.
	wide := corpusOf(t, map[string]string{"/e/E1": `{"x":"y"}`}, `[{"prefix":"/m/","method":"GET","payload":{},"absent_body":{"suite":["{resource}a","{resource}b"]}}]`)
	_, err = NewGraph(wide, deep, deep.Tasks[0])
	var large *GraphTooLarge
	if !errors.As(err, &large) || large.TaskID != "c1" {
		t.Errorf("a tree without end: %v", err)
	}
}
