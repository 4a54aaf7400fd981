package merkle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// The slow reference below is RFC 6962 §2.1 word for word: MTH(D[n]) and PATH(m, D[n]), on leaf hashes, with crypto/sha256 alone.

func splitPoint(n int) int {
	k := 1
	for k*2 < n {
		k *= 2
	}
	return k
}

func refNode(l, r canon.Digest) canon.Digest {
	return sha256.Sum256(append(append([]byte{1}, l[:]...), r[:]...))
}

// reference remembers the roots of the ranges of one list of leaves, which the recursion asks for again and again.
type reference struct {
	leaves []canon.Digest
	memo   map[[2]int]canon.Digest
}

func (f *reference) root(from, to int) canon.Digest {
	if to-from == 1 {
		return f.leaves[from]
	}
	key := [2]int{from, to}
	if d, ok := f.memo[key]; ok {
		return d
	}
	k := splitPoint(to - from)
	d := refNode(f.root(from, from+k), f.root(from+k, to))
	f.memo[key] = d
	return d
}

func (f *reference) path(m, from, to int) []canon.Digest {
	if to-from == 1 {
		return nil
	}
	k := splitPoint(to - from)
	if m < k {
		return append(f.path(m, from, from+k), f.root(from+k, to))
	}
	return append(f.path(m-k, from+k, to), f.root(from, from+k))
}

func testLeaves(n int) []canon.Digest {
	leaves := make([]canon.Digest, n)
	for i := range leaves {
		leaves[i] = LeafHash([]byte(fmt.Sprintf("leaf%d", i)))
	}
	return leaves
}

const biggestTree = 300

// TestAllTrees walks every tree of 1 to 300 leaves and every index: the right path reaches the root, every other length is refused with
// both numbers, and a path read for the neighbouring index or with one sibling changed misses the root.
func TestAllTrees(t *testing.T) {
	leaves := testLeaves(biggestTree)
	ref := &reference{leaves: leaves, memo: map[[2]int]canon.Digest{}}
	paths := 0
	for n := 1; n <= biggestTree; n++ {
		root := ref.root(0, n)
		if got := Root(leaves[:n]); got != root {
			t.Fatalf("root of %d leaves: got %s, want %s", n, got, root)
		}
		for i := 0; i < n; i++ {
			path := AuditPath(ref.path(i, 0, n))
			checkPath(t, leaves[i], uint64(i), uint64(n), path, root)
			paths++
		}
	}
	if want := biggestTree * (biggestTree + 1) / 2; paths != want {
		t.Fatalf("walked %d paths, want %d", paths, want)
	}
}

func checkPath(t *testing.T, leaf canon.Digest, i, n uint64, path AuditPath, root canon.Digest) {
	t.Helper()
	if length, err := PathLength(i, n); err != nil || length != len(path) {
		t.Fatalf("length for leaf %d of %d: got %d, %v, want %d", i, n, length, err, len(path))
	}
	got, err := RootFromPath(leaf, i, n, path)
	if err != nil || got != root {
		t.Fatalf("leaf %d of %d: got %s, %v, want %s", i, n, got, err, root)
	}
	if len(path) > 0 {
		changed := append(AuditPath(nil), path...)
		changed[int(i)%len(path)][int(n)%32] ^= 1
		if got, err := RootFromPath(leaf, i, n, changed); err != nil || got == root {
			t.Fatalf("leaf %d of %d with a changed sibling: got %s, %v", i, n, got, err)
		}
	}
	if got, err := RootFromPath(leaf, i+1, n, path); err == nil && got == root {
		t.Fatalf("path of leaf %d of %d reaches the root for its neighbour", i, n)
	}
	long := append(append(AuditPath(nil), path...), make(AuditPath, 12-len(path))...)
	for l := 0; l <= len(long); l++ {
		if l == len(path) {
			continue
		}
		_, err := RootFromPath(leaf, i, n, long[:l])
		var f *verify.Failure
		if !errors.As(err, &f) || f.Reason != ReasonPathLength {
			t.Fatalf("leaf %d of %d with %d siblings: got %v, want %s", i, n, l, err, ReasonPathLength)
		}
		want := fmt.Sprintf("%d for leaf %d of %d", len(path), i, n)
		if f.Found != fmt.Sprintf("%d siblings", l) || f.Wanted != want {
			t.Fatalf("got %q, %q, want %d siblings and %q", f.Found, f.Wanted, l, want)
		}
	}
}

func TestRefusedShapes(t *testing.T) {
	leaf := LeafHash([]byte("leaf0"))
	for _, c := range []struct {
		name        string
		index, size uint64
		path        int
		want        verify.Reason
	}{
		{"no leaf at all", 0, 0, 0, ReasonTreeSize},
		{"no leaf, long path", 5, 0, 3, ReasonTreeSize},
		{"index equals size", 1, 1, 0, ReasonLeafIndex},
		{"index past size", 12, 11, 4, ReasonLeafIndex},
		{"largest index and size", math.MaxUint64, math.MaxUint64, 0, ReasonLeafIndex},
		{"single leaf with a sibling", 0, 1, 1, ReasonPathLength},
		{"one past the longest path", 0, math.MaxUint64, MaxPath + 1, ReasonPathLength},
		{"a batch of 11 with five siblings", 0, 11, 5, ReasonPathLength},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := RootFromPath(leaf, c.index, c.size, make(AuditPath, c.path))
			var f *verify.Failure
			if !errors.As(err, &f) || f.Reason != c.want {
				t.Fatalf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestLongestPath(t *testing.T) {
	leaf := LeafHash(nil)
	// Counted by hand: 2^64-1 leaves have 64 levels above the first leaf; the last leaf (index 2^64-2, bits 63 ones and a zero) has a
	// sibling for each set bit.
	for index, want := range map[uint64]int{0: 64, 1: 64, math.MaxUint64 - 1: 63} {
		if got, err := PathLength(index, math.MaxUint64); err != nil || got != want {
			t.Errorf("index %d: got %d, %v, want %d", index, got, err, want)
		}
		if _, err := RootFromPath(leaf, index, math.MaxUint64, make(AuditPath, want)); err != nil {
			t.Errorf("index %d: %v", index, err)
		}
	}
}

// TestKnownHashes has the values of python3's hashlib over the byte strings written in the names.
func TestKnownHashes(t *testing.T) {
	a, b := LeafHash([]byte("leaf0")), LeafHash([]byte("leaf1"))
	for _, c := range []struct {
		name string
		got  canon.Digest
		want string
	}{
		{"empty string", Root(nil), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"00", LeafHash(nil), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"},
		{"00 leaf0", a, "e6c410a9745b0151d82d1a9f007b81f378a1588c3fb63dc634a2ab001379c3d2"},
		{"01 and both leaf hashes", NodeHash(a, b), "82bbd1c5de08394573f035ab3871ffaa6d8aba80baf47c7b28fb2b167f18464e"},
	} {
		if c.got.String() != c.want {
			t.Errorf("%s: got %s, want %s", c.name, c.got, c.want)
		}
	}
}

type vector struct {
	LeafData  string   `json:"leaf_data_hex"`
	Index     uint64   `json:"leaf_index"`
	Size      uint64   `json:"tree_size"`
	AuditPath []string `json:"audit_path"`
	Root      string   `json:"root"`
	Expect    string   `json:"expect"`
}

// TestVectors runs the vectors that a Python program made from the RFC text.
func TestVectors(t *testing.T) {
	b, err := os.ReadFile("../../../shared/cases/rekor/merkle.json")
	if err != nil {
		t.Skipf("no vectors beside the repository: %v", err)
	}
	var vectors []vector
	if err := json.Unmarshal(b, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 87 {
		t.Fatalf("found %d vectors, want at least 87", len(vectors))
	}
	for i, v := range vectors {
		data, err := hex.DecodeString(v.LeafData)
		if err != nil {
			t.Fatal(err)
		}
		path := make(AuditPath, len(v.AuditPath))
		for j, s := range v.AuditPath {
			if path[j], err = canon.ParseHex(s); err != nil {
				t.Fatal(err)
			}
		}
		root, err := RootFromPath(LeafHash(data), v.Index, v.Size, path)
		if accepted := err == nil && root.String() == v.Root; accepted != (v.Expect == "accept") {
			t.Errorf("vector %d (leaf %d of %d): got %s, %v, want %s", i, v.Index, v.Size, root, err, v.Expect)
		}
	}
}

// FuzzRootFromPath holds the path arithmetic to the recursion of the RFC for trees of at most 4096 leaves and any index, size and length.
func FuzzRootFromPath(f *testing.F) {
	f.Add(uint64(0), uint64(11), 4)
	f.Add(uint64(2), uint64(3), 1)
	f.Add(uint64(math.MaxUint64), uint64(0), -1)
	f.Fuzz(func(t *testing.T, index, size uint64, length int) {
		if length < 0 || length > MaxPath+1 {
			length = 0
		}
		_, err := RootFromPath(canon.Digest{}, index, size, make(AuditPath, length))
		var failure *verify.Failure
		if err != nil && !errors.As(err, &failure) {
			t.Fatalf("an error of another kind: %v", err)
		}
		if size > 4096 || index >= size {
			return
		}
		want := refLength(int(index), int(size))
		if (err == nil) != (length == want) {
			t.Fatalf("leaf %d of %d with %d siblings: got %v, want length %d", index, size, length, err, want)
		}
	})
}

func refLength(m, n int) int {
	if n == 1 {
		return 0
	}
	if k := splitPoint(n); m >= k {
		return refLength(m-k, n-k) + 1
	} else {
		return refLength(m, k) + 1
	}
}

// FuzzTree holds root and paths of whole trees to the recursion of RFC 6962 §2.1, and lets no changed sibling, index or size reach the root
// by another way than the tree's own.
func FuzzTree(f *testing.F) {
	f.Add([]byte("abcdefghijk"), uint16(2), uint16(0), byte(1))
	f.Add([]byte("a"), uint16(0), uint16(0), byte(0))
	f.Add([]byte("abcdefg"), uint16(6), uint16(1), byte(128))
	f.Fuzz(func(t *testing.T, data []byte, at, sibling uint16, flip byte) {
		if len(data) == 0 || len(data) > 600 {
			return
		}
		leaves := make([]canon.Digest, len(data))
		for i := range data {
			leaves[i] = LeafHash(data[:i+1])
		}
		ref := &reference{leaves: leaves, memo: map[[2]int]canon.Digest{}}
		root := ref.root(0, len(leaves))
		if got := Root(leaves); got != root {
			t.Fatalf("%d leaves: root %s, want %s", len(leaves), got, root)
		}
		index := int(at) % len(leaves)
		path := AuditPath(ref.path(index, 0, len(leaves)))
		if got, err := RootFromPath(leaves[index], uint64(index), uint64(len(leaves)), path); err != nil || got != root {
			t.Fatalf("leaf %d of %d: %s %v, want %s", index, len(leaves), got, err, root)
		}
		if len(path) == 0 || flip == 0 {
			return
		}
		path[int(sibling)%len(path)][0] ^= flip
		if got, err := RootFromPath(leaves[index], uint64(index), uint64(len(leaves)), path); err != nil || got == root {
			t.Fatalf("leaf %d of %d with a changed sibling: %s %v", index, len(leaves), got, err)
		}
	})
}
