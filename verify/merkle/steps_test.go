package merkle

import (
	"fmt"
	"testing"

	"github.com/ark-forge/proveit/canon"
)

// TestStepsReachTheRoot: what is shown is what is judged. The roots to compare with are those of transparency-dev/merkle, behind Root and
// RootFromPath.
func TestStepsReachTheRoot(t *testing.T) {
	for size := 1; size <= 33; size++ {
		var leaves []canon.Digest
		for i := range size {
			leaves = append(leaves, LeafHash([]byte(fmt.Sprint(i))))
		}
		steps := RootSteps(leaves)
		if len(steps) != size-1 {
			t.Fatalf("%d leaves: %d steps, want %d", size, len(steps), size-1)
		}
		if size > 1 && steps[len(steps)-1].Node != Root(leaves) {
			t.Errorf("%d leaves: the steps end elsewhere than at the root", size)
		}
		for i := range size {
			n, err := PathLength(uint64(i), uint64(size))
			if err != nil {
				t.Fatal(err)
			}
			path := make(AuditPath, n)
			for j := range path {
				path[j] = leaves[(i+j)%size]
			}
			root, err := RootFromPath(leaves[i], uint64(i), uint64(size), path)
			if err != nil {
				t.Fatal(err)
			}
			steps, err := PathSteps(leaves[i], uint64(i), uint64(size), path)
			if err != nil || len(steps) != n {
				t.Fatalf("leaf %d of %d: %d steps, %v, want %d", i, size, len(steps), err, n)
			}
			if n > 0 && steps[n-1].Node != root {
				t.Errorf("leaf %d of %d: the steps end elsewhere than at the root", i, size)
			}
		}
	}
	if _, err := PathSteps(LeafHash(nil), 0, 2, nil); err == nil {
		t.Error("a path that is too short: want a failure")
	}
}
