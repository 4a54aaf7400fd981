package freeze

import (
	"testing"
	"time"

	"github.com/ark-forge/proveit/verify/proof"
)

// TestPendingIsListed: a freeze whose batch is still open is among what to fetch, as any other proof that is waited for.
func TestPendingIsListed(t *testing.T) {
	open := func(id string, d proof.Disclosures) proof.Result {
		r := judged(id, d)
		if id == idNew {
			r.Outcome, r.TokenTime = proof.Pending, time.Time{}
		}
		return r
	}
	r, err := run(t, "", "", nil, open, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (proof.Missing{Kind: KindAnchor, ID: idNew}); len(r.Missing) != 1 || r.Missing[0] != want {
		t.Errorf("missing %v, want %v", r.Missing, want)
	}
}
