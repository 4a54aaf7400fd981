package replay_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/replay"
)

// TestRefusedTrustFile: a file of the bundle's trust folder that may not be read is an error, not one file less. Without its policy.txt an
// authority would accept any policy.
func TestRefusedTrustFile(t *testing.T) {
	dir := copied(t)
	policies, err := filepath.Glob(filepath.Join(dir, "trust", "tsa", "*", "policy.txt"))
	if err != nil || len(policies) == 0 {
		t.Fatalf("found %d policies (%v), want at least one", len(policies), err)
	}
	name := policies[0]
	if err := os.Rename(name, name+".moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("policy.txt.moved", name); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	doc, err := replay.Run(context.Background(), b, replay.Options{})
	var refused *bundle.Refusal
	if !errors.As(err, &refused) || doc != nil {
		t.Errorf("got %v, want the refusal of %s", err, name)
	}
}
