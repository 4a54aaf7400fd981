package merkle

import (
	"math/bits"

	"github.com/ark-forge/proveit/canon"
)

// Step is one node as it is computed: Node = SHA-256(0x01 ‖ Left ‖ Right).
type Step struct {
	Left, Right, Node canon.Digest
}

// Leaf is one leaf of a walk: Hash = SHA-256(0x00 ‖ Data).
type Leaf struct {
	Name string // what the leaf is, for showing
	Data string // 64 hex digits; of longer data, where it is to be found
	Hash canon.Digest
}

// Walk is every hash of one way through a tree, to be shown beside the check that walks it. It judges nothing.
type Walk struct {
	Check  string // name of the check that walks it
	Leaves []Leaf
	Steps  []Step
	Root   canon.Digest // what the walk reaches
}

// PathSteps are the nodes that RootFromPath computes, from the leaf up. The error is that of RootFromPath.
func PathSteps(leaf canon.Digest, index, size uint64, path AuditPath) ([]Step, error) {
	if _, err := RootFromPath(leaf, index, size, path); err != nil {
		return nil, err
	}
	inner := bits.Len64(index ^ (size - 1))
	steps := make([]Step, 0, len(path))
	at := leaf
	for i, sibling := range path {
		left, right := sibling, at
		if i < inner && index>>i&1 == 0 {
			left, right = at, sibling
		}
		at = NodeHash(left, right)
		steps = append(steps, Step{left, right, at})
	}
	return steps, nil
}

// RootSteps are the nodes under the root over leaf hashes, level by level. An odd last node is promoted and takes no step.
func RootSteps(leaves []canon.Digest) []Step {
	var steps []Step
	level := leaves
	for len(level) > 1 {
		var above []canon.Digest
		for i := 0; i+1 < len(level); i += 2 {
			node := NodeHash(level[i], level[i+1])
			steps = append(steps, Step{level[i], level[i+1], node})
			above = append(above, node)
		}
		if len(level)%2 == 1 {
			above = append(above, level[len(level)-1])
		}
		level = above
	}
	return steps
}
