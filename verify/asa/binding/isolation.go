package binding

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// isolationLength is how many consecutive characters of a deliverable are a quotation, white space counted as one.
const isolationLength = 200

// checkIsolation records R102: of the content only its hash should persist in the result.
func (a Input) checkIsolation(r *document.Result) {
	if a.Deliverable == nil {
		return
	}
	if len(a.Deliverable) > document.MaxBytes {
		a.Log.Missing("R102", "deliverable-too-large", a.DeliverableName, fmt.Sprint("at most ", document.MaxBytes, " bytes"))
		return
	}
	content := oneSpaced(string(a.Deliverable))
	held := map[uint64]bool{}
	eachWindow([]rune(content), func(h uint64, _ int) bool { held[h] = true; return true })
	quoted := ""
	eachString(r.Root, func(v canon.Value, s string) {
		if quoted == "" && len(held) > 0 && quotes([]rune(oneSpaced(s)), content, held) {
			quoted = r.Place(v)
		}
	})
	a.Log.Check(quoted == "", finding.Warn, "R102", "content-quoted", quoted, fmt.Sprint(">= ", isolationLength), "0")
}

func oneSpaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// quotes reports whether a window of s stands in content. A hit of the hash is checked; after a few false ones the rest is let go, so
// that crafted collisions cost nothing.
func quotes(s []rune, content string, held map[uint64]bool) bool {
	found, tries := false, 0
	eachWindow(s, func(h uint64, at int) bool {
		if held[h] {
			tries++
			found = strings.Contains(content, string(s[at:at+isolationLength]))
		}
		return !found && tries < 16
	})
	return found
}

// eachWindow visits the polynomial hash, modulo 2^61-1, of every isolationLength consecutive runes until visit says no.
func eachWindow(s []rune, visit func(hash uint64, at int) bool) {
	const base = 1_000_003
	if len(s) < isolationLength {
		return
	}
	var hash, drop uint64 = 0, 1
	for i := range isolationLength {
		hash = mulMersenne(hash, base) + uint64(s[i])
		if i > 0 {
			drop = mulMersenne(drop, base)
		}
	}
	for i := 0; ; i++ {
		if !visit(hash%mersenne, i) || i+isolationLength >= len(s) {
			return
		}
		hash = hash%mersenne + mersenne - mulMersenne(uint64(s[i]), drop)
		hash = mulMersenne(hash%mersenne, base) + uint64(s[i+isolationLength])
	}
}

const mersenne = 1<<61 - 1

// mulMersenne is a*b modulo 2^61-1.
func mulMersenne(a, b uint64) uint64 {
	high, low := bits.Mul64(a%mersenne, b%mersenne)
	return (low&mersenne + (low>>61 | high<<3)) % mersenne
}

// eachString visits every string value of a document.
func eachString(v canon.Value, visit func(canon.Value, string)) {
	switch v.Kind() {
	case canon.String:
		visit(v, document.Text(v))
	case canon.Array:
		for _, e := range v.Elements() {
			eachString(e, visit)
		}
	case canon.Object:
		for _, e := range v.Members() {
			eachString(e, visit)
		}
	}
}
