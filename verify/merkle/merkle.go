// Package merkle does the tree hashing and the inclusion paths of RFC 6962 §2.1 over SHA-256.
//
// A leaf hash is SHA-256(0x00 ‖ data), a node SHA-256(0x01 ‖ left ‖ right). A tree of n > 1 leaves splits at the largest power of two
// below n, so a last node without a sibling is promoted unchanged. An audit path lists the siblings from the leaf upwards, and its
// length follows from the index and the size alone.
//
// Example, the leaves being the texts "leaf0", "leaf1", "leaf2":
//
//	index 2 of 3, path [node(leaf hash 0, leaf hash 1)]
//	root = f1aed069e1b79c5f12193e715059c468eff1559a5c989c6d7c46bc29f4f84f6c
package merkle

import (
	"math/bits"
	"strconv"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// MaxPath is the longest possible audit path, in siblings: sizes are 64 bits wide.
const MaxPath = 64

// AuditPath is the list of sibling hashes from the leaf up to the root (RFC 6962 §2.1.1).
type AuditPath []canon.Digest

// LeafHash is SHA-256(0x00 ‖ data).
func LeafHash(data []byte) canon.Digest {
	return canon.Digest(rfc6962.DefaultHasher.HashLeaf(data))
}

// NodeHash is SHA-256(0x01 ‖ left ‖ right).
func NodeHash(left, right canon.Digest) canon.Digest {
	return canon.Digest(rfc6962.DefaultHasher.HashChildren(left[:], right[:]))
}

// Root is the root over leaf hashes, in order. The root of no leaves is SHA-256 of the empty string (RFC 6962 §2.1).
func Root(leaves []canon.Digest) canon.Digest {
	factory := compact.RangeFactory{Hash: rfc6962.DefaultHasher.HashChildren}
	r := factory.NewEmptyRange(0)
	for i := range leaves {
		// Append fails only for hashes of several sizes, which the array type excludes.
		if err := r.Append(leaves[i][:], nil); err != nil {
			return canon.Digest{}
		}
	}
	root, err := r.GetRootHash(nil)
	if err != nil || root == nil {
		return canon.Digest(rfc6962.DefaultHasher.EmptyRoot())
	}
	return canon.Digest(root)
}

// PathLength is the number of siblings of the leaf at index (from 0) in a tree of size leaves. The error is a *verify.Failure with reason
// ReasonTreeSize for size 0 and ReasonLeafIndex for an index that is not below size.
func PathLength(index, size uint64) (int, error) {
	if size == 0 {
		return 0, &verify.Failure{Reason: ReasonTreeSize, Found: "0", Wanted: "at least 1"}
	}
	if index >= size {
		return 0, &verify.Failure{Reason: ReasonLeafIndex, Found: decimal(index), Wanted: "less than " + decimal(size)}
	}
	// Below the level where the ways to this leaf and to the last one part, every level gives a sibling; above it, the way follows the
	// right border, where only a set bit of the index has a sibling (the others are promoted nodes).
	inner := bits.Len64(index ^ (size - 1))
	return inner + bits.OnesCount64(index>>inner), nil
}

// RootFromPath computes the root that leaf, at index (from 0) in a tree of size leaves, reaches along path. It compares the root with
// nothing: that is the caller's question. The error is a *verify.Failure with reason ReasonTreeSize, ReasonLeafIndex or, where the path
// has not exactly the length that index and size imply, ReasonPathLength.
func RootFromPath(leaf canon.Digest, index, size uint64, path AuditPath) (canon.Digest, error) {
	want, err := PathLength(index, size)
	if err != nil {
		return canon.Digest{}, err
	}
	if len(path) != want {
		return canon.Digest{}, lengthFailure(len(path), want, index, size)
	}
	siblings := make([][]byte, len(path))
	for i := range path {
		siblings[i] = path[i][:]
	}
	root, err := proof.RootFromInclusionProof(rfc6962.DefaultHasher, index, size, leaf[:], siblings)
	if err != nil {
		return canon.Digest{}, lengthFailure(len(path), want, index, size)
	}
	return canon.Digest(root), nil
}

func lengthFailure(got, want int, index, size uint64) *verify.Failure {
	return &verify.Failure{
		Reason: ReasonPathLength,
		Found:  strconv.Itoa(got) + " siblings",
		Wanted: strconv.Itoa(want) + " for leaf " + decimal(index) + " of " + decimal(size),
	}
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
