package mint

import (
	"crypto/sha256"

	"github.com/ark-forge/proveit/canon"
)

// Tree is an RFC 6962 Merkle tree that grows by one leaf at a time. Level 0 holds the leaf hashes; an odd last node is promoted.
type Tree struct {
	levels [][]canon.Digest
}

// LeafHash is SHA-256(0x00, data) (RFC 6962 §2.1).
func LeafHash(data []byte) canon.Digest {
	return sha256.Sum256(append([]byte{0}, data...))
}

func nodeHash(l, r canon.Digest) canon.Digest {
	var b [1 + 2*sha256.Size]byte
	b[0] = 1
	copy(b[1:], l[:])
	copy(b[1+sha256.Size:], r[:])
	return sha256.Sum256(b[:])
}

// Size is the number of leaves.
func (t *Tree) Size() uint64 {
	if len(t.levels) == 0 {
		return 0
	}
	return uint64(len(t.levels[0]))
}

// Append adds a leaf hash and returns its index. Only the right edge of the tree is hashed again.
func (t *Tree) Append(leaf canon.Digest) uint64 {
	if len(t.levels) == 0 {
		t.levels = [][]canon.Digest{nil}
	}
	t.levels[0] = append(t.levels[0], leaf)
	for k := 0; len(t.levels[k]) > 1; k++ {
		if len(t.levels) == k+1 {
			t.levels = append(t.levels, nil)
		}
		last := len(t.levels[k]) - 1
		node := t.levels[k][last]
		if last%2 == 1 {
			node = nodeHash(t.levels[k][last-1], node)
		}
		if parent := last / 2; parent < len(t.levels[k+1]) {
			t.levels[k+1][parent] = node
		} else {
			t.levels[k+1] = append(t.levels[k+1], node)
		}
	}
	return t.Size() - 1
}

// Root is the root hash; that of an empty tree is SHA-256 of nothing.
func (t *Tree) Root() canon.Digest {
	if len(t.levels) == 0 {
		return sha256.Sum256(nil)
	}
	return t.levels[len(t.levels)-1][0]
}

// Path is the audit path of a leaf, from the leaf upwards. A promoted node has no sibling at its level.
func (t *Tree) Path(index uint64) []canon.Digest {
	var path []canon.Digest
	for _, level := range t.levels {
		if sibling := index ^ 1; len(level) > 1 && sibling < uint64(len(level)) {
			path = append(path, level[sibling])
		}
		index /= 2
	}
	return path
}
