package rekor

import (
	"bytes"
	"os"
	"testing"
)

// TestIndexAndWalk: an entry is found by both forms of its UUID and by no other, and the walk that is shown ends at the root that is judged.
func TestIndexAndWalk(t *testing.T) {
	const name = "../../../shared/real/rekor/rekor_entry_proof_2.0.json"
	b, err := os.ReadFile(name)
	if err != nil {
		t.Skip("the captured entries are not beside the repository")
	}
	entries, err := ParseEntries(name, b)
	if err != nil || len(entries) != 1 {
		t.Fatal(len(entries), err)
	}
	x, e := NewIndex(entries), entries[0]
	for uuid, want := range map[string]int{e.UUID: 1, e.UUID[treeHex:]: 1, "0000000000000000" + e.UUID[treeHex:]: 0, e.UUID[:len(e.UUID)-1] + "x": 0, "": 0} {
		if got := len(x.Named(uuid)); got != want {
			t.Errorf("%s: found %d entries, want %d", uuid, got, want)
		}
	}
	w, ok := e.Walk()
	// The real README says: a proof of 32 nodes.
	if !ok || len(w.Steps) != 32 || w.Root != e.proof.root || w.Leaves[0].Hash != e.leaf {
		t.Errorf("%d steps to %s, want 32 to %s", len(w.Steps), w.Root, e.proof.root)
	}
	if _, ok := (Entry{Null: true}).Walk(); ok {
		t.Error("a null entry has no walk")
	}
}

// TestDigestOfMalformed: -0 is refused, and canonical JSON writes it as 0 (python3: json.dumps(json.loads("-0"))). What is remembered of the
// one spelling under its digest must not answer for the other.
func TestDigestOfMalformed(t *testing.T) {
	f := newForge(t)
	f.size = 1
	good := f.make(t)
	odd := bytes.Replace(good, []byte(`"logIndex":0,`), []byte(`"logIndex":-0,`), 1)
	entries, err := ParseEntries("entry.json", good)
	if err != nil || len(entries) != 1 || entries[0].Failure != nil {
		t.Fatal(entries, err)
	}
	other, err := ParseEntries("odd.json", odd)
	if err != nil || len(other) != 1 || other[0].Failure == nil {
		t.Fatal(other, err)
	}
	if entries[0].Digest() == other[0].Digest() {
		t.Error("a malformed entry has the digest of the well-formed one")
	}
}
