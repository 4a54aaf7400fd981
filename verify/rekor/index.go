package rekor

import (
	"github.com/ark-forge/proveit/verify/merkle"
)

// Index finds entries by what a UUID of either form names: the leaf hash.
type Index map[string][]Entry

// NewIndex makes an index of entries.
func NewIndex(entries []Entry) Index {
	x := Index{}
	for _, e := range entries {
		leaf := leafText(e.UUID)
		x[leaf] = append(x[leaf], e)
	}
	return x
}

// Named gives the entries that a UUID of 80 or 64 hex digits can name, in the order in which they were given.
func (x Index) Named(uuid string) []Entry {
	var out []Entry
	for _, e := range x[leafText(uuid)] {
		if _, ok := e.For(uuid); ok {
			out = append(out, e)
		}
	}
	return out
}

func leafText(uuid string) string {
	if len(uuid) > leafHex {
		return uuid[len(uuid)-leafHex:]
	}
	return uuid
}

// Walk is the way from the body of the entry to the root of its inclusion proof, to be shown. It is false where the entry is malformed or the
// path has not the length that its place implies.
func (e Entry) Walk() (merkle.Walk, bool) {
	if e.Failure != nil || e.Null {
		return merkle.Walk{}, false
	}
	leaf := merkle.LeafHash(e.body)
	steps, err := merkle.PathSteps(leaf, e.proof.index, e.proof.size, e.proof.path)
	if err != nil {
		return merkle.Walk{}, false
	}
	w := merkle.Walk{Leaves: []merkle.Leaf{{Name: "body", Data: "body, base64-decoded", Hash: leaf}}, Steps: steps, Root: leaf}
	if len(steps) > 0 {
		w.Root = steps[len(steps)-1].Node
	}
	return w, true
}
