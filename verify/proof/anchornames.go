package proof

import (
	"bytes"
	"slices"

	"github.com/ark-forge/proveit/canon"
)

// AnchorNames gives one digest for each distinct token and for each distinct log entry that was verified, sorted. Two runs over parts of
// one season find by them which anchors both met.
func (v *Verifier) AnchorNames() (tokens, entries []canon.Digest) {
	a := v.anchors
	a.mu.RLock()
	defer a.mu.RUnlock()
	for anchored, list := range a.tokens {
		for _, t := range list {
			tokens = append(tokens, anchorName(anchored[:], []byte(t.provider), []byte(t.text)))
		}
	}
	for k := range a.entries {
		entries = append(entries, anchorName(k.anchored[:], k.entry[:], []byte(k.uuid)))
	}
	compare := func(a, b canon.Digest) int { return bytes.Compare(a[:], b[:]) }
	slices.SortFunc(tokens, compare)
	slices.SortFunc(entries, compare)
	return tokens, entries
}

// anchorName is the hash of the parts, each hashed first so that no two lists of parts run together.
func anchorName(parts ...[]byte) canon.Digest {
	var all []byte
	for _, p := range parts {
		d := canon.Sum(p)
		all = append(all, d[:]...)
	}
	return canon.Sum(all)
}
