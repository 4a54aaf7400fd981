package proof

import (
	"os"
	"testing"

	"github.com/ark-forge/proveit/verify"
)

// TestWalks: the walks of the captured 3.1 proof end at its chain hash and at the root of its batch of 11, after 10 nodes over 11 leaves and 4
// siblings; a proof without commitments has no walk.
func TestWalks(t *testing.T) {
	const dir = "../../../shared/real/proofs/"
	b, err := os.ReadFile(dir + "proof_3.1_freeze.json")
	if err != nil {
		t.Skip("the captured proofs are not beside the repository")
	}
	views, err := Views("f", b)
	if err != nil {
		t.Fatal(err)
	}
	walks := views[0].Proof.Walks(nil)
	if len(walks) != 2 || len(walks[0].Leaves) != 11 || len(walks[0].Steps) != 10 || len(walks[1].Steps) != 4 {
		t.Fatalf("%d walks, want 11 leaves, 10 nodes, 4 siblings", len(walks))
	}
	chain, _ := views[0].Proof.Value().Get("hashes").Get("chain").Text()
	root, _ := views[0].Proof.Value().Get("batch_anchor").Get("root").Text()
	if walks[0].Root.Prefixed() != chain || walks[1].Root.Prefixed() != root {
		t.Errorf("the walks end at %s and %s, want %s and %s", walks[0].Root, walks[1].Root, chain, root)
	}
	b, err = os.ReadFile(dir + "proof_2.0.json")
	if err != nil {
		t.Fatal(err)
	}
	if views, err = Views("f", b); err != nil || len(views[0].Proof.Walks(nil)) != 0 {
		t.Errorf("a 2.0 proof has walks, or %v", err)
	}
}

// TestWhole: a block of disclosed that does not open makes a proof invalid where the identity counts too, whatever else it is.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		identity verify.Status
		outcome  Outcome
		want     verify.Outcome
	}{
		{verify.OK, Valid, verify.Holds}, {verify.Failed, Valid, verify.Differs}, {verify.Failed, Pending, verify.Differs}, {verify.Skipped, Valid, verify.Holds},
		{verify.OK, Pending, verify.Incomplete}, {verify.OK, Incomplete, verify.Incomplete}, {verify.OK, Invalid, verify.Differs},
	} {
		r := Result{Outcome: c.outcome, Checks: verify.Checks{{Name: CheckIdentity, Status: c.identity}}}
		if got := r.Whole().Answer(); got != c.want {
			t.Errorf("identity %s, outcome %s: %s, want %s", c.identity, c.outcome, got, c.want)
		}
	}
}
