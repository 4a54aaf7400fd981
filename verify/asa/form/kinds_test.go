package form

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// refusals are the findings for which a document of a kind is refused, as "id at declared want".
func refusals(t *testing.T, kind, text string) []string {
	t.Helper()
	d, err := document.Read("f", []byte(text), false)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	log := &finding.Log{}
	Named(kind).Validate(d, log)
	var out []string
	for _, f := range log.Refusals() {
		out = append(out, strings.Join([]string{f.ID, f.At, f.Declared, f.Recomputed}, "; "))
	}
	return out
}

// One malformed value at a time: which rule, where, what was found and what is expected. Values stand at the border where there is one.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"asa-market", `[]`, "asa/R002/type; f#; []; an object"},
		{"asa-market", `{"currency": "USDC"}`, "asa/R002/missing; f#/service_types; ; an object"},
		{"asa-market", `{"currency": "usdc", "service_types": {}}`, "asa/R002/value; f#/currency; usdc; 3 to 10 upper-case letters"},
		{"asa-market", `{"currency": "USDC", "service_types": {"a/b": {"prices": ["1", -0.01]}}}`, "asa/R002/type; f#/service_types/a~1b/prices/1; -0.01; a number >= 0 or its decimal text"},
		{"asa-market", `{"currency": "USDC", "service_types": {"x": {"prices": ["1e3"]}}}`, "asa/R002/type; f#/service_types/x/prices/0; 1e3; a number >= 0 or its decimal text"},
		{"asa-market", `{"currency": "USDC", "service_types": {"x": {"prices": [0, "0", 0.5, "7.50"], "median": "5"}, "y": {"median": 1}}}`, ""},
		{"asa-market", `{"as_of": "2026-04-01", "currency": "USDC", "service_types": {}}`, "asa/R003/timestamp; f#/as_of; 2026-04-01; an RFC 3339 date-time"},
		{"asa-evaluators", `{"policy": {"canary_rate_gt": "1.000000000000000001"}, "evaluators": []}`, "asa/R002/type; f#/policy/canary_rate_gt; 1.000000000000000001; a number from 0 to 1 or its decimal text"},
		{"asa-evaluators", `{"policy": {"canary_rate_gt": "1.0", "min_evaluations": 0, "max_calibration_deviation": 8}, "evaluators": []}`, ""},
		{"asa-evaluators", `{"evaluators": [{"identity": {"scheme": "did", "value": "did:a:b"}, "evaluations": 49.5}]}`, "asa/R002/type; f#/evaluators/0/evaluations; 49.5; an integer >= 0"},
		{"asa-evaluators", `{"evaluators": [{"identity": {"scheme": "did", "value": "did:a:b"}, "domains": ["x", 1]}]}`, "asa/R002/type; f#/evaluators/0/domains/1; 1; a string"},
		{"asa-agents", `{"agents": [{"identity": {"scheme": "did"}}]}`, "asa/R002/missing; f#/agents/0/identity/value; ; a string"},
		{"asa-agents", `{"agents": [{"identity": {"scheme": "did", "value": "did:a:b"}, "chain_length": -1}]}`, "asa/R002/type; f#/agents/0/chain_length; -1; an integer >= 0"},
		{"asa-keys", `{"keys": [{"identity": {"scheme": "x", "value": "y"}, "ed25519": "KyizujcDTqz3dRuOC6mHgCP4GjyDBwQoao4ZvmWTemI"}]}`, ""},
		{"asa-keys", `{"keys": [{"identity": {"scheme": "x", "value": "y"}, "ed25519": "KyizujcDTqz3dRuOC6mHgCP4GjyDBwQoao4ZvmWTemJ"}]}`, "asa/R002/value; f#/keys/0/ed25519; KyizujcDTqz3dRuOC6mHgCP4GjyDBwQoao4ZvmWTemJ; the base64url text of 32 bytes, without padding"},
		{"asa-canary", `{"canary_id": "c", "subject": {"scheme": "x", "value": "y"}, "known": "odd", "rated": "PASS"}`, "asa/R002/value; f#/known; odd; good | bad"},
		{"asa-canary", `{"canary_id": "c", "subject": {"scheme": "x", "value": "y"}, "known": "bad", "rated": "fail"}`, "asa/R002/value; f#/rated; fail; PASS | FAIL"},
		{"asa-event", `{"seq": 0, "at": "2026-04-01T09:00:00Z", "type": "x", "agreement_id": "a"}`, "asa/R002/type; f#/seq; 0; an integer > 0"},
		{"asa-message", `{"negotiation_id": "n", "round": 1, "action": "offer"}`, "asa/R002/value; f#/action; offer; propose | counter | accept | reject"},
		{"asa-attempt", `{"task": "t", "attempt": 1, "passed": 1}`, "asa/R002/type; f#/passed; 1; true or false"},
		{"asa-arp-report", `{"verifications": 1.5}`, "asa/R002/type; f#/verifications; 1.5; an integer >= 0"},
		{"asa-policy", `{}`, ""},
		{"asa-policy", `{"reading": {}}`, "asa/R019/unknown-field-near; f#/reading; reading; readings"},
		{"asa-policy", `{"evaluators": {"limit": 1}}`, "asa/R019/unknown-field; f#/evaluators/limit; limit; one of the members min_evaluations, canary_rate_gt, max_calibration_deviation"},
		{"asa-policy", `{"readings": {"pctl": "median"}}`, "asa/R002/value; f#/readings/pctl; median; nearest-rank | complement"},
	} {
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if got := refusals(t, c.kind, c.text); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s %s:\nfound %q\nwant  %q", c.kind, c.text, got, want)
		}
	}
}

// A policy and a registry are told apart by what evaluators is.
func TestKindOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"evaluators": []}`: "asa-evaluators", `{"policy": {}, "evaluators": []}`: "asa-evaluators", `{"evaluators": {}}`: "asa-policy", `{"readings": {}}`: "asa-policy",
		`{"readings": {}, "evaluators": {}}`: "asa-policy", `{"keys": []}`: "asa-keys", `{"pass_rate": 1}`: "asa-arp-report", `{"seq": 1}`: "", `{}`: "", `[]`: "", `1`: "",
	} {
		d, err := document.Read("f", []byte(text), false)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if k := KindOf(d.Root); k != nil {
			got = k.name
		}
		if got != want {
			t.Errorf("%s: found %q, want %q", text, got, want)
		}
	}
}

// What a version means for the documents under it (R022, R023).
func TestVersionOf(t *testing.T) {
	for text, want := range map[string]Version{
		"1.0.0": Known, "1.0.99": Known, "1.0.0-rc.1": Known, "1.0.0+b": Known, "1.1.0": Newer, "1.10.0-a": Newer, "0.9.0": Foreign, "2.0.0": Foreign, "10.0.0": Foreign,
		"1.0": Malformed, "01.0.0": Malformed, "1.0.0-01": Malformed, "v1.0.0": Malformed, "": Malformed, "1.0.0\n": Malformed,
	} {
		if got := VersionOf(&document.Agreement{Version: text}); got != want {
			t.Errorf("%q: found %d, want %d", text, got, want)
		}
	}
	if got := VersionOf(nil); got != Known {
		t.Errorf("no agreement: found %d, want that of 1.0", got)
	}
}

// Which of two different entries for one identity holds would be a matter of their order. The same entry twice says nothing new.
func TestListedTwice(t *testing.T) {
	const one, other = `{"identity": {"scheme": "erc8004", "value": "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}, "org": "x"}`, `{"identity": {"scheme": "erc8004", "value": "0xAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}, "org": "y"}`
	for _, kind := range []string{"agents", "evaluators"} {
		for entries, want := range map[string]string{one: "", one + "," + one: "", one + "," + other: "f#/" + kind + "/1/identity"} {
			d, err := document.Read("f", []byte(`{"`+kind+`": [`+entries+`]}`), false)
			if err != nil {
				t.Fatal(err)
			}
			log, at := &finding.Log{}, ""
			Named("asa-"+kind).Validate(d, log)
			for _, f := range log.Findings() {
				if f.ID == "asa/R002/listed-twice" && f.Severity == finding.Error {
					at = f.At
				}
			}
			if at != want {
				t.Errorf("%s: found at %q, want %q", entries, at, want)
			}
		}
	}
}
