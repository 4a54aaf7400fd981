package mint

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/ark-forge/proveit/canon"
)

// literalRoot is MTH of RFC 6962 §2.1, word for word.
func literalRoot(leaves []canon.Digest) canon.Digest {
	if len(leaves) == 1 {
		return leaves[0]
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	l, r := literalRoot(leaves[:k]), literalRoot(leaves[k:])
	return sha256.Sum256(append(append([]byte{1}, l[:]...), r[:]...))
}

// literalPath is PATH of RFC 6962 §2.1.1, word for word.
func literalPath(m int, leaves []canon.Digest) []canon.Digest {
	if len(leaves) == 1 {
		return nil
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	if m < k {
		return append(literalPath(m, leaves[:k]), literalRoot(leaves[k:]))
	}
	return append(literalPath(m-k, leaves[k:]), literalRoot(leaves[:k]))
}

func TestTreeIsThatOfTheRFC(t *testing.T) {
	var tree Tree
	var leaves []canon.Digest
	for n := range 70 {
		leaf := LeafHash(fmt.Append(nil, n))
		leaves = append(leaves, leaf)
		if got := tree.Append(leaf); got != uint64(n) {
			t.Fatalf("index %d, want %d", got, n)
		}
		if tree.Root() != literalRoot(leaves) {
			t.Fatalf("root of %d leaves differs", n+1)
		}
		for m := range leaves {
			if got, want := fmt.Sprint(tree.Path(uint64(m))), fmt.Sprint(literalPath(m, leaves)); got != want {
				t.Fatalf("path of leaf %d of %d differs", m, n+1)
			}
		}
	}
}

// The roots of the published RFC 6962 test trees (certificate-transparency, "reference" leaves): empty, one empty leaf, and the eight leaves.
func TestKnownRoots(t *testing.T) {
	inputs := []string{"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"}
	want := map[int]string{
		0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	}
	var tree Tree
	for n := 0; n <= len(inputs); n++ {
		if w, ok := want[n]; ok && tree.Root().String() != w {
			t.Errorf("root of %d leaves: got %s, want %s", n, tree.Root(), w)
		}
		if n < len(inputs) {
			b, err := hex.DecodeString(inputs[n])
			if err != nil {
				t.Fatal(err)
			}
			tree.Append(LeafHash(b))
		}
	}
}
