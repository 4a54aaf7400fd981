package asa

import (
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/policy"
)

// formSeeds are documents of every kind, and none.
func formSeeds(f *testing.F) {
	f.Helper()
	for _, text := range []string{
		`{"asa_version":"1.0.0","parties":{"client":{"identity":{"scheme":"did","value":"x"}}}}`, `{"determination":{"result":"PASS"},"composite":{"score":1e2}}`,
		`{"deliverable":{"content_hash":"sha256:00"},"quality_criteria":{"dimensions":[{"name":"a","weight":1,"metric":"boolean","slo":{"operator":"eq","value":true}}]}}`,
		`{"negotiation_id":"n","round":1,"action":"counter","proposed_changes":{"escrow.payment.amount":"6.00"}}`, `{"canary_id":"c","subject":{"scheme":"did","value":"x"},"known":"bad","rated":"FAIL"}`,
		`{"seq":1,"at":"2026-04-01T09:00:00Z","type":"closed","agreement_id":"x"}` + "\n" + `{"seq":2}`, `{"task":"t","attempt":1,"score":1.5}`, `{"currency":"USDC","service_types":{"research":{"prices":["1"],"median":1}}}`,
		`{"evaluators":[{"identity":{"scheme":"did","value":"x"},"model":null,"canary":{"passed":1,"total":2}}]}`, `{"agents":[{}]}`, `{"keys":[{"ed25519":1}]}`,
		`{"readings":{"gate.pay":"tier"},"evaluators":{"canary_rate_gt":"0.95"}}`, `{"readings":{"gate.pay":1}}`, `{} // x`, `[`, "", "\xff",
	} {
		f.Add([]byte(text))
	}
}

// Whatever Validate takes, as a document or as lines, it says the same twice, and what it finds is listed.
func FuzzValidate(f *testing.F) {
	formSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, name := range []string{"x.json", "x.jsonl"} {
			r, err := Validate(document.File{Name: name, Bytes: b}, Options{JSONC: true})
			if r == nil {
				t.Fatalf("%s: no report (%v)", name, err)
			}
			again, _ := Validate(document.File{Name: name, Bytes: b}, Options{JSONC: true})
			if string(r.JSON()) != string(again.JSON()) {
				t.Fatalf("%s: two reports of one document", name)
			}
			for _, found := range r.Log.Findings() {
				if _, ok := Explain(found.ID, "fr"); !ok {
					t.Fatalf("%s: %s is not listed", name, found.ID)
				}
			}
			r.Text("en", true)
		}
	})
}

// A canonical text is canonical: reading and writing it again gives the same bytes, in both forms.
func FuzzCanon(f *testing.F) {
	formSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, form := range []Form{{Full: true}, {Full: true, Python: true}, {}} {
			c, err := Canon(document.File{Name: "x.json", Bytes: b}, form, false)
			if err != nil || c.Changed != nil {
				continue
			}
			again, err := Canon(document.File{Name: "x.json", Bytes: c.Text}, form, false)
			if err != nil || string(again.Text) != string(c.Text) || again.SHA256 != canon.Sum(c.Text) {
				t.Fatalf("%+v: %q gives %q (%v)", form, c.Text, again.Text, err)
			}
			for _, party := range []string{"client", "provider"} {
				if _, err := SignMessage(document.File{Name: "x.json", Bytes: b}, party, false); err != nil {
					t.Fatalf("%+v: a text and no message: %v", form, err)
				}
			}
		}
	})
}

// A policy that is read sets only readings that exist.
func FuzzPolicy(f *testing.F) {
	formSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := policy.Read(document.File{Name: "p.json", Bytes: b}, false)
		if err != nil {
			return
		}
		for _, s := range finding.Switches() {
			if p.Readings.Value(s) == "" {
				t.Fatalf("%s has no value", s)
			}
		}
		for _, name := range []string{"min_evaluations", "canary_rate_gt", "max_calibration_deviation"} {
			if r := p.Value(name); r != nil && r.Sign() < 0 {
				t.Fatalf("%s is %s", name, r)
			}
		}
	})
}
