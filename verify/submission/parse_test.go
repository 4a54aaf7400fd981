package submission

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/manifest/season"
)

// sound is a submission that the entry takes. The did:key is that of the specification's examples of length, checked elsewhere.
const sound = `{"season": 1, "track": "conformite", "task_id": "conf-03",
 "agent_did": "did:key:z6MkeXCES4onVW4up9Qgz1KRnZsKmGufcaZxF6Zpv2w5QwUK", "verdict": "non_conforme",
 "assertions": [
  {"id": "a1", "claim": {"resource": "/agrements/AGR-4417", "field": "/statut", "value": "suspendu"}, "proof_ids": ["prf_20260921_101233_ab12cd"]},
  {"id": "a2", "claim": {"resource": "/entites/ENT-1", "field": "/actif", "value": true}, "proof_ids": ["prf_20260921_101240_ab12ce"]}],
 "disclosures": {
  "prf_20260921_101233_ab12cd": {"request_hash": {"nonce": "N1", "value": "V1"}, "response_hash": {"nonce": "N2", "value": "V2"}},
  "prf_20260921_101240_ab12ce": {"request_hash": {"nonce": "N3", "value": "V3"}, "response_hash": {"nonce": "N4", "value": "V4"}}},
 "narrative": "texte libre"}`

// soundText is sound with its nonces and values filled in, each 64 lowercase hex digits of its own.
func soundText() string {
	s := sound
	for i := 1; i <= 4; i++ {
		s = strings.ReplaceAll(s, fmt.Sprintf(`"N%d"`, i), `"`+strings.Repeat(fmt.Sprintf("%d", i), 64)+`"`)
		s = strings.ReplaceAll(s, fmt.Sprintf(`"V%d"`, i), `"`+strings.Repeat(string(rune('a'+i)), 64)+`"`)
	}
	return s
}

const (
	proof1 = "prf_20260921_101233_ab12cd"
	did1   = "did:key:z6MkeXCES4onVW4up9Qgz1KRnZsKmGufcaZxF6Zpv2w5QwUK"
)

func TestParseGivesEverything(t *testing.T) {
	s, refusals := Parse("f.json", []byte(soundText()), caseRules())
	if refusals != nil {
		t.Fatal(refusals.Err())
	}
	a := s.Assertions[1]
	value, _ := a.Claim.Value.Bool()
	if s.Season != 1 || s.Track != "conformite" || s.TaskID != "conf-03" || s.DID != did1 || s.Verdict != "non_conforme" ||
		s.Narrative != "texte libre" || len(s.Assertions) != 2 || a.ID != "a2" || a.Claim.Resource != "/entites/ENT-1" ||
		a.Claim.Field != "/actif" || !value || strings.Join(s.Cited(), " ") != proof1+" prf_20260921_101240_ab12ce" {
		t.Errorf("%+v", s)
	}
	d := s.Disclosures[proof1]
	if d.Request.Nonce[0] != 0x11 || d.Request.Value[0] != 0xbb || d.Response.Nonce[31] != 0x22 || d.Response.Value[31] != 0xcc {
		t.Errorf("%+v", d)
	}
}

// TestRefusals: one edit, and exactly the refusals that it must give, by code and pointer (seed 000 §4, counted by hand).
func TestRefusals(t *testing.T) {
	const d1 = "/disclosures/" + proof1
	for _, c := range []struct{ name, old, new, want string }{
		{"season big", `"season": 1`, `"season": 100000000000000000000`, "season_unknown /season"},
		{"season other", `"season": 1`, `"season": 2`, "season_unknown /season"},
		{"season null", `"season": 1`, `"season": null`, "member_type /season"},
		{"season exponent", `"season": 1`, `"season": 1e0`, "member_type /season"},
		{"member case", `"verdict": "non`, `"Verdict": "non`, "member_unknown /Verdict|member_missing /verdict"},
		{"track unknown", `"conformite"`, `"conformité"`, "track_unknown /track"},
		{"task unknown", `"conf-03"`, `"conf-99"`, "task_unknown /task_id"},
		{"task number", `"conf-03"`, `3`, "member_type /task_id"},
		{"verdict empty", `"non_conforme"`, `""`, "verdict_unknown /verdict"},
		{"verdict null", `"non_conforme"`, `null`, "member_type /verdict"},
		{"did truncated", did1, did1[:40], "did_malformed /agent_did"},
		{"did other method", did1, "did:ion:abc", "did_malformed /agent_did"},
		{"narrative null", `"texte libre"`, `null`, "member_type /narrative"},
		{"narrative number", `"texte libre"`, `4`, "member_type /narrative"},
		{"assertion text", `{"id": "a1", "claim": {"resource": "/agrements/AGR-4417", "field": "/statut", "value": "suspendu"}, "proof_ids": ["prf_20260921_101233_ab12cd"]}`,
			`"a1"`, "member_type /assertions/0"},
		{"id number", `"id": "a1"`, `"id": 1`, "member_type /assertions/0/id"},
		{"claim text", `{"resource": "/entites/ENT-1", "field": "/actif", "value": true}`, `"x"`, "member_type /assertions/1/claim"},
		{"value missing", `, "value": true`, ``, "member_missing /assertions/1/claim/value"},
		{"field number", `"/actif"`, `0`, "member_type /assertions/1/claim/field"},
		{"field escape", `"/actif"`, `"/ac~2tif"`, "field_malformed /assertions/1/claim/field"},
		{"field fragment", `"/actif"`, `"#/actif"`, "field_malformed /assertions/1/claim/field"},
		{"resource host", `"/entites/ENT-1"`, `"https://corpus.example/entites/ENT-1"`, "resource_malformed /assertions/1/claim/resource"},
		{"resource two slashes", `"/entites/ENT-1"`, `"//entites/ENT-1"`, "resource_malformed /assertions/1/claim/resource"},
		{"resource fragment", `"/entites/ENT-1"`, `"/entites/ENT-1#x"`, "resource_malformed /assertions/1/claim/resource"},
		{"resource empty", `"/entites/ENT-1"`, `""`, "resource_malformed /assertions/1/claim/resource"},
		{"resource null", `"/entites/ENT-1"`, `null`, "member_type /assertions/1/claim/resource"},
		{"id escaped twice", `"id": "a2"`, `"id": "\u00611"`, "assertion_id_repeated /assertions/1/id"},
		{"proof id in capitals", `["` + proof1, `["prf_20260921_101233_AB12CD`,
			"proof_id_malformed /assertions/0/proof_ids/0"},
		{"proof id newline", `["` + proof1, `["` + proof1 + `\n`, "proof_id_malformed /assertions/0/proof_ids/0"},
		{"proof id path", `["` + proof1, `["../../` + proof1, "proof_id_malformed /assertions/0/proof_ids/0"},
		{"proof id number", `["` + proof1 + `"`, `[7`, "member_type /assertions/0/proof_ids/0"},
		{"proof cited twice", `["` + proof1, `["` + proof1 + `", "` + proof1, "proof_id_repeated /assertions/0/proof_ids/1"},
		{"disclosures array", `"disclosures": {`, `"disclosures": [], "x": {`, "member_unknown /x|member_type /disclosures"},
		{"pair text", `{"nonce": "` + strings.Repeat("1", 64), `"x", "y": {"nonce": "` + strings.Repeat("1", 64),
			"member_unknown " + d1 + "/y|member_type " + d1 + "/request_hash"},
		{"pair with a third member", `{"nonce": "111`, `{"salt": "", "nonce": "111`, "member_unknown " + d1 + "/request_hash/salt"},
		{"nonce capitals", strings.Repeat("b", 64), strings.Repeat("B", 64), "hex_malformed " + d1 + "/request_hash/value"},
		{"value prefix", `"` + strings.Repeat("b", 64), `"sha256:` + strings.Repeat("b", 64), "hex_malformed " + d1 + "/request_hash/value"},
		{"nonce newline", strings.Repeat("1", 64), strings.Repeat("1", 64) + `\n`, "hex_malformed " + d1 + "/request_hash/nonce"},
		{"NaN", `true`, `NaN`, "malformed_json /assertions/1/claim/value"},
		{"lone surrogate", `texte`, `\ud800`, "malformed_json /narrative"},
		{"overflow", `true`, `1e999`, "malformed_json /assertions/1/claim/value"},
		{"duplicate in a claim", `"field": "/actif"`, `"field": "/actif", "\u0066ield": "/actif"`, "malformed_json /assertions/1/claim/field"},
	} {
		if !strings.Contains(soundText(), c.old) {
			t.Errorf("%s: the sound text has no %s", c.name, c.old)
			continue
		}
		s, refusals := Parse("f.json", []byte(strings.Replace(soundText(), c.old, c.new, 1)), caseRules())
		if got := strings.Join(codesAndPlaces(refusals), "|"); got != c.want || s != nil {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestTaken: what looks odd and is no fault of form. An index with a leading zero and a wrong value are seen at the close.
func TestTaken(t *testing.T) {
	for _, c := range []struct{ name, old, new string }{
		{"no narrative", `,
 "narrative": "texte libre"`, ``},
		{"value null", `true`, `null`},
		{"value object", `true`, `{"a": [1]}`},
		{"index with a leading zero", `"/actif"`, `"/agrements/00"`},
		{"query", `"/entites/ENT-1"`, `"/entites/ENT-1?b=1&a=2"`},
		{"same triple of another type", `"/entites/ENT-1", "field": "/actif", "value": true`, `"/agrements/AGR-4417", "field": "/statut", "value": true`},
		{"no assertion", soundText()[strings.Index(soundText(), `"assertions"`):], `"assertions": [], "disclosures": {}}`},
	} {
		if _, refusals := Parse("f", []byte(strings.Replace(soundText(), c.old, c.new, 1)), caseRules()); refusals != nil {
			t.Errorf("%s: %v", c.name, refusals.Err())
		}
	}
}

// TestTypedTriples: 1, 1.0, true and "1" are four values, so four triples; 1.0 and 1.00 are one.
func TestTypedTriples(t *testing.T) {
	text := func(values ...string) string {
		var as []string
		for i, v := range values {
			as = append(as, fmt.Sprintf(`{"id":"a%d","claim":{"resource":"/r","field":"/f","value":%s},"proof_ids":["%s"]}`, i, v, proof1))
		}
		s := soundText()
		hex := `{"nonce":"` + strings.Repeat("0", 64) + `","value":"` + strings.Repeat("0", 64) + `"}`
		return s[:strings.Index(s, `"assertions"`)] + `"assertions":[` + strings.Join(as, ",") + `],"disclosures":{"` + proof1 +
			`":{"request_hash":` + hex + `,"response_hash":` + hex + `}}}`
	}
	if _, refusals := Parse("f", []byte(text("1", "1.0", "true", `"1"`, "null", "0.0", "-0.0")), Rules{}); refusals != nil {
		t.Errorf("distinct values: %v", refusals.Err())
	}
	_, refusals := Parse("f", []byte(text("1.0", "2", "1.00", `{"a":1,"b":2}`, `{"b":2,"\u0061":1}`, `"1"`)), Rules{})
	if got := strings.Join(codesAndPlaces(refusals), "|"); got != "triple_repeated /assertions/2/claim|triple_repeated /assertions/4/claim" {
		t.Errorf("equal values: %s", got)
	}
	if !strings.Contains(refusals[0].Found, `"a0"`) || !strings.Contains(refusals[0].Found, `"a2"`) {
		t.Errorf("found %q names not both assertions", refusals[0].Found)
	}
}

func TestSeasonRules(t *testing.T) {
	rules := caseRules()
	rules.Tracks = append(rules.Tracks, Track{ID: "generique", Tasks: []Task{{ID: "gen-01", Max: 1}}})
	rules.Enrolled = map[string]bool{did1: true, "did:web:agents.exemple.fr": true}
	rules.Path = &Path{Track: "conformite", TaskID: "conf-04", DID: "did:web:agents.exemple.fr"}
	check := func(name, text, want string) {
		t.Helper()
		_, refusals := Parse("f", []byte(text), rules)
		if got := strings.Join(codesAndPlaces(refusals), "|"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check("another task and participant", soundText(), "path_differs /task_id|path_differs /agent_did")
	generic := strings.NewReplacer(`"conformite"`, `"generique"`, "conf-03", "gen-01").Replace(soundText())
	check("another track", generic, "path_differs /track|path_differs /task_id|path_differs /agent_did|too_many_assertions /assertions")
	check("not enrolled", strings.Replace(soundText(), did1, "did:web:ailleurs.exemple.fr", 1), "path_differs /task_id|did_not_enrolled /agent_did")
	rules.Path = nil
	rules.Tracks[1].Tasks[0].Max = 2
	check("generic verdict", generic, "")
	check("generic verdict with a path", strings.Replace(generic, "non_conforme", "/produits/REF-1", 1), "verdict_unknown /verdict")
	check("generic verdict empty", strings.Replace(generic, "non_conforme", "", 1), "verdict_unknown /verdict")
}

// TestWithoutSeason: the schema and its rules alone, and the verdicts that the specification itself fixes.
func TestWithoutSeason(t *testing.T) {
	text := strings.NewReplacer(`"season": 1`, `"season": 77`, "conf-03", "x").Replace(soundText())
	if _, refusals := Parse("f", []byte(text), Rules{}); refusals != nil {
		t.Error(refusals.Err())
	}
	_, refusals := Parse("f", []byte(strings.Replace(text, "non_conforme", "oui", 1)), Rules{})
	if len(refusals) != 1 || refusals[0].Reason != ReasonVerdictUnknown || !strings.Contains(refusals[0].Wanted, "indeterminable") {
		t.Error(refusals.Err())
	}
	if _, refusals := Parse("f", []byte(strings.Replace(text, "conformite", "autre", 1)), Rules{}); refusals != nil {
		t.Error(refusals.Err())
	}
}

// TestForSeason: a list of verdicts is closed, a collection is open; tasks, caps and enrolled DIDs are those of the season.
func TestForSeason(t *testing.T) {
	rules := ForSeason(&season.Season{Number: 5, Enrolments: []season.Participant{{ID: "x", DID: did1}}, Tracks: []season.Track{
		{ID: "conformite", Scale: &season.Scale{Verdicts: season.Verdicts{List: []string{"oui"}}, Tasks: []season.Task{{ID: "c-1", Max: 2}}}},
		{ID: "generique", Scale: &season.Scale{Verdicts: season.Verdicts{Collection: "/produits/"}, Tasks: []season.Task{{ID: "g-1", Max: 1}}}},
	}})
	text := strings.NewReplacer(`"season": 1`, `"season": 5`, "conf-03", "c-1", "non_conforme", "oui").Replace(soundText())
	generic := strings.NewReplacer(`"conformite"`, `"generique"`, "c-1", "g-1", `"oui"`, `"REF-1"`).Replace(text)
	for _, c := range []struct {
		name, text, want string
		rules            Rules
	}{
		{"taken", text, "", rules},
		{"in its place", text, "", rules.At("conformite", "c-1", did1)},
		{"in another's place", text, "path_differs /agent_did", rules.At("conformite", "c-1", "did:web:x.example")},
		{"verdict", strings.Replace(text, `"oui"`, `"non"`, 1), "verdict_unknown /verdict", rules},
		{"another DID", strings.Replace(text, did1, "did:web:x.example", 1), "did_not_enrolled /agent_did", rules},
		{"open verdict, cap of 1", generic, "too_many_assertions /assertions", rules},
	} {
		_, refusals := Parse("f", []byte(c.text), c.rules)
		if got := strings.Join(codesAndPlaces(refusals), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestHints(t *testing.T) {
	rules := caseRules()
	rules.Catalogue = NewCatalogue([]string{"/entites/ENT-1", "/listes/a?x=1&y=2", "/A/b", "/a/B"})
	for _, c := range []struct{ old, new, want string }{
		{`"verdict":`, `"verdit":`, "verdict"},
		{`"non_conforme"`, `"Non_Conforme"`, "non_conforme"},
		{`"conf-03"`, `"conf-30"`, "conf-03"},
		{`"/actif"`, `"actif"`, "/actif"},
		{`"/entites/ENT-1"`, `"https://corpus.example/Entites//ENT-1/?"`, "/entites/ENT-1"},
		{`"/entites/ENT-1"`, `"//entites/ENT-1"`, "/entites/ENT-1"},
		{`"track":`, `"color":`, ""},
	} {
		_, refusals := Parse("f", []byte(strings.Replace(soundText(), c.old, c.new, 1)), rules)
		if len(refusals) == 0 || refusals[0].Hint != c.want {
			t.Errorf("%s: %+v, want the hint %q", c.new, refusals, c.want)
		}
	}
	for _, c := range []struct{ resource, want string }{
		{"/entites/ENT-1", ""}, {"/entites/ent-1/", "/entites/ENT-1"}, {"/listes/a?y=2&x=1", "/listes/a?x=1&y=2"},
		{"/listes/a", ""}, {"/a/b", ""}, {"/entites/ENT-2", ""},
	} {
		s, refusals := Parse("f", []byte(strings.Replace(soundText(), "/entites/ENT-1", c.resource, 1)), rules)
		if refusals != nil {
			t.Fatal(refusals.Err())
		}
		advice, got := rules.Catalogue.Advise("f", s), ""
		if len(advice) > 0 {
			got = advice[0].Hint
		}
		// The first claim's resource is in no catalogue and near none.
		if got != c.want || len(advice) > 0 && advice[0].Pointer != "/assertions/1/claim/resource" {
			t.Errorf("%s: advice %q, want %q", c.resource, got, c.want)
		}
	}
}

func TestManyRefusals(t *testing.T) {
	text := soundText()
	text = text[:len(text)-1]
	for i := range MaxRefusals + 5 {
		text += fmt.Sprintf(`, "x%d": 1`, i)
	}
	_, refusals := Parse("f", []byte(text+"}"), Rules{})
	last := refusals[len(refusals)-1]
	if len(refusals) != MaxRefusals+1 || last.Reason != ReasonMoreRefusals || last.Found != "1005 refusals" {
		t.Errorf("%d refusals, the last %+v", len(refusals), last)
	}
}

// FuzzParse: whatever the bytes, there is a submission or there are refusals, never both and never a panic; what is taken keeps the
// rules that can be said in one line.
func FuzzParse(f *testing.F) {
	f.Add([]byte(soundText()))
	f.Add([]byte(`{"season":true}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, refusals := Parse("f", b, caseRules())
		if (s == nil) == (len(refusals) == 0) {
			t.Fatalf("submission %v, %d refusals", s != nil, len(refusals))
		}
		for _, r := range refusals {
			if r.Reason == "" || r.Wanted == "" || r.File != "f" {
				t.Errorf("refusal without code, place or expectation: %+v", r)
			}
		}
		if s == nil {
			return
		}
		if s.Season != 1 || s.Track != "conformite" || len(s.Assertions) > 8 || len(s.Cited()) != len(s.Disclosures) {
			t.Errorf("taken: %+v", s)
		}
		for _, a := range s.Assertions {
			if len(a.ProofIDs) == 0 || a.Claim.Field == "" || a.Claim.Resource[0] != '/' || !a.Claim.Value.Exists() {
				t.Errorf("taken: %+v", a)
			}
		}
	})
}
