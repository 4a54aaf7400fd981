package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/form"
)

// asaRefusals is the Go validator of service agreements' documents: what it refuses a document of a kind for.
func asaRefusals(name string, b []byte) []string {
	d, err := document.Read("document.json", b, false)
	if err != nil {
		return []string{err.Error()}
	}
	log := &finding.Log{}
	form.Named(name).Validate(d, log)
	var refused []string
	for _, f := range log.Findings() {
		if f.Outcome == finding.Gap && f.Severity == finding.Reject {
			refused = append(refused, f.ID+" want "+f.Recomputed)
		}
	}
	return refused
}

// asaDocument is a valid document of a kind: from the example bundle, or written here where it holds none.
func asaDocument(t *testing.T, name string) string {
	t.Helper()
	file := map[string]string{"asa-agreement": "agreement.json", "asa-result": "result.json", "asa-request": "request.json", "asa-market": "market.json",
		"asa-evaluators": "evaluators.json", "asa-agents": "agents.json", "asa-event": "events.jsonl", "asa-message": "negotiation.jsonl"}[name]
	if file == "" {
		return map[string]string{
			"asa-keys":       `{"keys":[{"identity":{"scheme":"erc8004","value":"0x00"},"ed25519":"KyizujcDTqz3dRuOC6mHgCP4GjyDBwQoao4ZvmWTemI"}]}`,
			"asa-canary":     `{"canary_id":"cn-1","subject":{"scheme":"public_key","value":"ed25519:x"},"provider":"p","delivery_seq":5,"known":"bad","rated":"FAIL","at":"2026-04-01T11:00:00Z"}`,
			"asa-policy":     `{"readings":{"gate.pay":"tier","passk":"blocks"},"evaluators":{"min_evaluations":100,"canary_rate_gt":"0.95","max_calibration_deviation":"5"}}`,
			"asa-arp-report": `{"pass_rate":"75","mean_composite":86.1,"verifications":4}`,
			"asa-export":     `{"agreement_id":"asa-1","verification_id":"ver-1","audience":"parties_only","at":"2026-04-02T00:00:00Z"}`,
			"asa-archive":    `{"record":"result","id":"ver-1","purged_at":"2027-04-01T00:00:00Z","sha256":"sha256:0","composite":88.6}`,
			"asa-attempt":    `{"task":"t1","attempt":1,"provider":"p","dimension":"accuracy","score":88,"passed":true}`,
		}[name]
	}
	b, err := os.ReadFile(filepath.Join(repoRoot, "testdata/asa/bundle", file))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(string(b), "\n"); strings.HasSuffix(file, ".jsonl") {
		return lines[1] // the second line has every member that the first has
	}
	return string(b)
}

// mostChanges is about how many changes of one document are looked at: of more, every second, third and so on.
const mostChanges = 4000

// A document with one thing changed is accepted or refused by the schema as by Validate. JSON Schema holds 1.0 for an integer (2020-12
// §6.1.1); Validate wants one without a fraction.
func TestASASchemasAgreeWithValidate(t *testing.T) {
	if len(form.SchemaNames()) < 15 {
		t.Fatalf("found %d schemas, want at least 15", len(form.SchemaNames()))
	}
	for _, name := range form.SchemaNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, text := compiled(t, name), asaDocument(t, name)
			if _, err := asa.Validate(document.File{Name: "document.json", Bytes: []byte(text)}, asa.Options{}); err != nil {
				t.Fatalf("the document is not recognised: %v", err)
			}
			if refused := asaRefusals(name, []byte(text)); refused != nil {
				t.Fatalf("the document itself is refused: %v", refused)
			}
			if err := bySchema(t, s, []byte(text)); err != nil {
				t.Fatalf("the schema refuses the document itself: %v", err)
			}
			both, all := 0, changes(t, text)
			what := slices.Sorted(maps.Keys(all))
			for i := 0; i < len(what); i += 1 + len(what)/mostChanges {
				what, b := what[i], all[what[i]]
				refused, err := asaRefusals(name, b), bySchema(t, s, b)
				switch {
				case refused != nil && err != nil:
					both++
				case refused == nil && err != nil:
					t.Errorf("%s: the schema alone refuses it: %v", what, err)
				case refused != nil && !strings.HasSuffix(what, " = 1.0"):
					t.Errorf("%s: the validator alone refuses it: %q", what, refused)
				}
			}
			if both < 100 {
				t.Errorf("%d changes were refused by both, want at least 100", both)
			}
		})
	}
}

// Elements, kinds of words and payment without escrow: what a single change of the example does not reach.
func TestASASchemasBeyondTheExample(t *testing.T) {
	agreement := asaDocument(t, "asa-agreement")
	s := compiled(t, "asa-agreement")
	for _, c := range []struct{ old, with string }{
		{`"status": "closed"`, `"status": "CLOSED"`},
		{`"status": "closed"`, `"status": "shut"`},
		{`"asa_version": "1.0.0"`, `"asa_version": "1.4.0-rc.1+b"`},
		{`"asa_version": "1.0.0"`, `"asa_version": "2.0.0"`},
		{`"asa_version": "1.0.0"`, `"asa_version": "1.0"`},
		{`"asa_version": "1.0.0"`, `"asa_version": "01.0.0"`},
		{`"amount": "6.00"`, `"amount": "06.00"`},
		{`"amount": "6.00"`, `"amount": "6.00", "fees": [{"amount": "0.05"}, {"name": "x"}]`},
		{`"amount": "6.00"`, `"amount": "6.00", "fees": [{"amount": "0.05"}]`},
		{`"amount": "6.00"`, `"amount": 6`},
		{`"currency": "USDC"`, `"currency": "usdc"`},
		{`"currency": "USDC"`, `"currency_": "USDC"`},
		{`"operator": "lte"`, `"operator": "between"`},
		{`"operator": "lte"`, `"operator": "about"`},
		{`"shadow_metric": "word_count"`, `"shadow_metric": null`},
	} {
		b := []byte(strings.Replace(agreement, c.old, c.with, 1))
		if string(b) == agreement {
			t.Fatalf("the example does not hold %s", c.old)
		}
		refused, err := asaRefusals("asa-agreement", b), bySchema(t, s, b)
		if (refused == nil) != (err == nil) {
			t.Errorf("%s: validator %q, schema %v", c.with, refused, err)
		}
	}
	free := strings.Replace(strings.Replace(agreement, `"escrow": {
    "enabled": true`, `"escrow": {
    "enabled": false`, 1), `"amount": "6.00"`, `"amount": 6`, 1)
	if refused, err := asaRefusals("asa-agreement", []byte(free)), bySchema(t, s, []byte(free)); refused != nil || err != nil {
		t.Errorf("an amount of an escrow that is not enabled: validator %q, schema %v, want both to accept", refused, err)
	}
}
