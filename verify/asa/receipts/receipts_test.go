package receipts

import (
	"testing"

	"github.com/ark-forge/proveit/verify/proof"
)

// Without any view the receipts know nothing; a view that the service answers with null is not established, not invalid.
func TestCited(t *testing.T) {
	views, err := proof.Views("proofs.json", []byte(`{"proofs":{"prf_20260401_120000_aaaaaa":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	find := Cited{Views: views}.Find()
	if _, ok := find("prf_other"); ok {
		t.Error("an unknown proof was found")
	}
	if r, ok := find("prf_20260401_120000_aaaaaa"); !ok || r.Outcome != proof.Incomplete {
		t.Errorf("%+v %v, want incomplete", r, ok)
	}
}
