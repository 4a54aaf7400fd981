package asa

import (
	"slices"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/receipts"
	"github.com/ark-forge/proveit/verify/proof"
)

// A result that cites one receipt five times: the right value, another value, a field that is not there, another resource, no field; and
// receipts that are invalid, unknown and pending.
func TestR086_Receipts(t *testing.T) {
	body, err := canon.ParseStrict("body", []byte(`{"items":[{"price":1.50}]}`))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]receipts.Receipt{
		"prf_good": {Outcome: proof.Valid, Resource: "catalog/1", Body: body}, "prf_bad": {Outcome: proof.Invalid, Resource: "catalog/1", Body: body}, "prf_open": {Outcome: proof.Pending, Resource: "catalog/1", Body: body},
	}
	refs := `"evidence_refs": [
    {"proof_id": "prf_good", "resource": "catalog/1", "field": "/items/0/price", "value": 1.50},
    {"proof_id": "prf_good", "resource": "catalog/1", "field": "/items/0/price", "value": "1.50"},
    {"proof_id": "prf_good", "resource": "catalog/1", "field": "/items/01/price", "value": 1.50},
    {"proof_id": "prf_good", "resource": "catalog/2", "field": "/items/0/price", "value": 1.50},
    {"proof_id": "prf_good", "resource": "catalog/1"},
    {"proof_id": "prf_bad", "resource": "catalog/1"},
    {"proof_id": "prf_none", "resource": "catalog/1"},
    {"proof_id": "prf_open", "resource": "catalog/1"}
  ], "evidence": "10 of 12`
	files := altered(t, change{resultFile, `"evidence": "10 of 12`, refs})
	r := mustAudit(t, files, Options{Receipts: func(id string) (receipts.Receipt, bool) { x, ok := known[id]; return x, ok }})
	count := map[string]int{}
	for _, f := range r.Log.Findings() {
		count[f.ID]++
	}
	for id, want := range map[string]int{"asa/R086/value-differs": 1, "asa/R086/field-missing": 1, "asa/R086/resource-differs": 1, "asa/R086/receipt-invalid": 1, "asa/R086/receipt-not-established": 2} {
		if count[id] != want {
			t.Errorf("%s: %d, want %d\n%s", id, count[id], want, show(r))
		}
	}
	// 4 of the 6 that can be judged do not hold
	at := slices.IndexFunc(r.Answers, func(a finding.Answer) bool { return a.Name == "unsupported_evidence" })
	if at < 0 || r.Answers[at].Value != "4/8 (66.6667 %)" || r.Answers[at].Robust {
		t.Errorf("answers %+v", r.Answers)
	}
	wantUnestablished(t, mustAudit(t, files, Options{}), "asa/R086/receipts-missing")
}
