package submission

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// caseRules are the season of cases/README.md section G: its task and the three verdicts of seed 000 §5.3.
func caseRules() Rules {
	season := int64(1)
	return Rules{Season: &season, Tracks: []Track{{
		ID: "conformite", Verdicts: []string{"conforme", "non_conforme", "indeterminable"},
		Tasks: []Task{{ID: "conf-03", Max: 8}, {ID: "conf-04", Max: 8}},
	}}}
}

// casesDir is where the shared cases lie, beside the repository.
const casesDir = "../../../shared/cases/score"

// TestSharedCases reads every file of the shared cases in place. The expectation names the pointer or the text that the refusal must
// let the author find.
func TestSharedCases(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(casesDir, "expect.json"))
	if err != nil {
		t.Skip("the shared cases are not beside the repository")
	}
	var expect map[string]struct {
		Entry string `json:"entry"`
	}
	if err := json.Unmarshal(raw, &expect); err != nil {
		t.Fatal(err)
	}
	// Code and place of each refusal, counted by hand from the generator's edits.
	const p1, p2, p9 = "prf_20260921_101233_ab12cd", "prf_20260921_101240_ab12ce", "prf_20260921_999999_ffffff"
	want := map[string][]string{
		"good":                         nil,
		"value_false_claim":            nil,
		"missing_narrative":            nil,
		"season_float":                 {"member_type /season"},
		"season_string":                {"member_type /season"},
		"season_true":                  {"member_type /season"},
		"unknown_member":               {"member_unknown /confidence"},
		"missing_verdict":              {"member_missing /verdict"},
		"unknown_verdict":              {"verdict_unknown /verdict"},
		"claim_extra_member":           {"member_unknown /assertions/0/claim/note"},
		"field_not_pointer":            {"field_malformed /assertions/0/claim/field"},
		"field_empty":                  {"field_empty /assertions/0/claim/field"},
		"proof_ids_empty":              {"no_proof_cited /assertions/0/proof_ids", "disclosure_not_cited /disclosures/" + p1},
		"proof_ids_string":             {"member_type /assertions/0/proof_ids"},
		"nonce_number":                 {"member_type /disclosures/" + p1 + "/request_hash/nonce"},
		"nonce_63_hex":                 {"hex_malformed /disclosures/" + p1 + "/request_hash/nonce"},
		"disclosure_extra_hash":        {"member_unknown /disclosures/" + p1 + "/chain_hash"},
		"disclosure_missing_response":  {"member_missing /disclosures/" + p1 + "/response_hash"},
		"disclosure_missing_for_cited": {"disclosure_missing /disclosures/" + p2},
		"disclosure_not_cited":         {"disclosure_not_cited /disclosures/" + p9},
		"assertion_id_twice":           {"assertion_id_repeated /assertions/1/id"},
		"same_triple_twice":            {"triple_repeated /assertions/2/claim"},
		"same_triple_other_spelling":   {"triple_repeated /assertions/2/claim"},
		"three_faults_at_once":         {"member_type /season", "verdict_unknown /verdict", "field_malformed /assertions/1/claim/field"},
		"duplicate_member":             {"malformed_json /verdict"},
		"trailing_garbage":             {"malformed_json "},
		"bom":                          {"malformed_json "},
		"empty_file":                   {"malformed_json "},
		"array":                        {"member_type "},
	}
	if len(expect) < 29 {
		t.Fatalf("%d cases, want at least 29", len(expect))
	}
	for name, e := range expect {
		b, err := os.ReadFile(filepath.Join(casesDir, "out", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		places, known := want[name]
		if !known {
			t.Errorf("%s: no expectation", name)
		}
		s, refusals := Parse(name, b, caseRules())
		if (s != nil) != (len(refusals) == 0) {
			t.Errorf("%s: submission %v with %d refusals", name, s != nil, len(refusals))
		}
		if e.Entry == "refused" && s != nil || e.Entry == "taken" && s == nil {
			t.Errorf("%s: taken %v, want %s", name, s != nil, e.Entry)
		}
		if got := codesAndPlaces(refusals); strings.Join(got, "|") != strings.Join(places, "|") {
			t.Errorf("%s: refusals %v, want %v", name, got, places)
		}
	}
}

// codesAndPlaces writes each refusal as its code and its pointer.
func codesAndPlaces(rs Refusals) []string {
	var out []string
	for _, r := range rs {
		out = append(out, string(r.Reason)+" "+r.Pointer)
	}
	return out
}

// TestMixedFolder: a broken file is one refusal with its line and column, never a panic (cases S02).
func TestMixedFolder(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(casesDir, "mixed", "*.json"))
	if len(names) == 0 {
		t.Skip("the shared cases are not beside the repository")
	}
	taken := 0
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, refusals := Parse(filepath.Base(name), b, caseRules())
		if s != nil {
			taken++
			continue
		}
		if len(refusals) != 1 || refusals[0].Reason != ReasonMalformedJSON || refusals[0].Line != 1 || refusals[0].Col < 1 {
			t.Errorf("%s: %v", name, refusals)
		}
	}
	if len(names) != 6 || taken != 2 {
		t.Errorf("%d files, %d taken, want 6 and 2", len(names), taken)
	}
}
