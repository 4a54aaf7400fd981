package replay

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/ark-forge/proveit/verify/proof"
)

// viewRef is where a view of one proof lies. A season has one for each proof, so it holds no pointer and takes 32 bytes.
type viewRef struct {
	id   idKey
	file int32 // index into viewFiles.names
	at   int32 // index of the view in the file
}

// idKey is a proof id: every one has this length (proof.IsID).
type idKey [len("prf_dddddddd_dddddd_xxxxxx")]byte

// viewIndex lists views by proof id, then in the order of the files.
type viewIndex []viewRef

// keyOf is the key of a proof id, and whether it is one. A name that is none can be cited by nobody.
func keyOf(id string) (k idKey, ok bool) {
	if !proof.IsID(id) {
		return k, false
	}
	copy(k[:], id)
	return k, true
}

func (x viewIndex) sort() {
	slices.SortFunc(x, func(a, b viewRef) int {
		return cmp.Or(bytes.Compare(a.id[:], b.id[:]), cmp.Compare(a.file, b.file), cmp.Compare(a.at, b.at))
	})
}

// of gives the views of one proof.
func (x viewIndex) of(id string) []viewRef {
	k, ok := keyOf(id)
	if !ok {
		return nil
	}
	from, _ := slices.BinarySearchFunc(x, k, func(r viewRef, k idKey) int { return bytes.Compare(r.id[:], k[:]) })
	to := from
	for to < len(x) && x[to].id == k {
		to++
	}
	return x[from:to]
}
