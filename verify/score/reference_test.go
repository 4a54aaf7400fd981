package score

import (
	"fmt"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify/proof"
	"testing"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/submission"
)

// A slow reading of seed 000 §5.7, sentence by sentence, for the fuzz targets below. Assertions are drawn from a byte each: its kind
// says what becomes of it, so that the reference needs no proof, no corpus and no graph.

// kind is what one drawn assertion is.
type kind byte

const (
	ownTrue kind = iota
	ownFalse
	ownInvalid
	ownDefect
	sharedTrue
	sharedFalse
	sharedUnbound
	sharedDefect
	outside
	strangerEntry
	uselessField
	ownPending
	ownMissing
	kinds
)

func (k kind) draw(t testing.TB, i int) (season.Claim, proof.Result) {
	own := func(value string) season.Claim { return claim(t, "/own/1", "/radiee", value) }
	shared := func(value string) season.Claim { return claim(t, "/list/1", "/entrees/0/entite", value) }
	good, list := goodProof("/own/1"), goodProof("/list/1")
	switch k {
	case ownTrue:
		return own(`false`), good
	case ownFalse:
		return own(fmt.Sprintf(`"no %d"`, i)), good
	case ownInvalid:
		return own(`false`), with(good, invalid)
	case ownDefect:
		return own(`false`), with(good, system("403"))
	case sharedTrue:
		return shared(`"E"`), list
	case sharedFalse:
		return shared(fmt.Sprintf(`"no %d"`, i)), list
	case sharedUnbound:
		return shared(`"E"`), with(list, func(c *proof.Result) { c.Identity.Bound = false })
	case sharedDefect:
		return shared(`"E"`), with(list, system("400"))
	case outside:
		return claim(t, "/else", "/statut", `"actif"`), goodProof("/else")
	case strangerEntry:
		return claim(t, "/list/1", "/entrees/1/entite", `"F"`), list
	case uselessField:
		return claim(t, "/own/1", "/page_suivante", `null`), good
	case ownPending:
		return own(`false`), with(good, func(c *proof.Result) { c.Outcome = proof.Pending })
	}
	return own(`false`), MissingProof("prf_20260921_101233_ffffff")
}

// expected is what the reference says of a task.
type expected struct {
	status                verify.TaskStatus
	unsupported, asserted int
	grounded              bool
}

// literal applies the sentences of §5.7 in the order of the statuses. The key's only fact is the claim of ownTrue.
func literal(drawn []kind, minimum int) expected {
	has := func(wanted ...kind) bool {
		for _, k := range drawn {
			for _, w := range wanted {
				if k == w {
					return true
				}
			}
		}
		return false
	}
	if has(ownMissing) {
		return expected{status: "incomplete"}
	}
	if has(ownPending) {
		return expected{status: "en_attente"}
	}
	if has(outside, strangerEntry, uselessField) {
		return expected{status: "rejetee_cloture"}
	}
	kept, own, unsupported := 0, 0, 0
	for _, k := range drawn {
		switch k {
		case ownTrue:
			kept, own = kept+1, own+1
		case ownFalse, ownInvalid:
			kept, own, unsupported = kept+1, own+1, unsupported+1
		case sharedTrue:
			kept++
		case sharedFalse, sharedUnbound:
			kept, unsupported = kept+1, unsupported+1
		}
	}
	if kept < minimum || 2*own < minimum { // "at least half, rounded up": own ≥ ⌈min/2⌉ exactly when 2·own ≥ min
		return expected{status: "non_rendue"}
	}
	return expected{status: "rendue", unsupported: unsupported, asserted: kept, grounded: has(ownTrue)}
}

func drawTask(t testing.TB, data []byte, minimum int) (TaskResult, expected) {
	var drawn []kind
	s := &submission.Submission{DID: did, Verdict: "oui"}
	proofs := make(map[string]proof.Result)
	for i, b := range data {
		k := kind(b % byte(kinds))
		drawn = append(drawn, k)
		c, cited := k.draw(t, i)
		id := fmt.Sprintf("prf_20260921_101233_%06x", i)
		s.Assertions = append(s.Assertions, submission.Assertion{ID: fmt.Sprintf("a%d", i), Claim: c, ProofIDs: []string{id}})
		proofs[id] = cited
	}
	fact := season.Fact{ID: "f", Forms: [][]season.Claim{{claim(t, "/own/1", "/radiee", `false`)}}}
	return Task(s, proofs, rulesOf(minimum, fact)), literal(drawn, minimum)
}

func FuzzTask(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7}, byte(4))
	f.Add([]byte{8, 11, 12}, byte(0))
	f.Add([]byte{3, 3, 0, 4}, byte(2))
	f.Fuzz(func(t *testing.T, data []byte, minimum byte) {
		if len(data) > 64 {
			return
		}
		got, want := drawTask(t, data, int(minimum%12))
		if got.Status != want.status || got.Unsupported != want.unsupported || got.Asserted != want.asserted {
			t.Fatalf("%v min %d: %s %d/%d, want %+v", data, minimum%12, got.Status, got.Unsupported, got.Asserted, want)
		}
		if (got.Grounded != nil) != (want.status == "rendue") || got.Grounded != nil && *got.Grounded != want.grounded {
			t.Fatalf("%v: grounded %v, want %+v", data, got.Grounded, want)
		}
	})
}

// FuzzTrack: the two columns against sums by hand. Tasks are cut from the data at every 0xff.
func FuzzTrack(f *testing.F) {
	f.Add([]byte{0, 1, 4, 0xff, 0, 0, 5, 0xff, 3, 3}, byte(2))
	f.Add([]byte{11, 0xff, 12}, byte(0))
	f.Fuzz(func(t *testing.T, data []byte, minimum byte) {
		if len(data) > 128 {
			return
		}
		var results []TaskResult
		exact, unsupported, asserted, rendered, open := 0, 0, 0, 0, 0
		for _, part := range split(data) {
			got, want := drawTask(t, part, int(minimum%6))
			results = append(results, got)
			switch want.status {
			case "rendue":
				rendered++
				unsupported += want.unsupported
				asserted += want.asserted
				if want.grounded {
					exact++
				}
			case "incomplete", "en_attente":
				open++
			}
		}
		c := Track(results, len(results)+1)
		switch {
		case c.Rendered != rendered || len(c.Withheld) != open:
			t.Fatalf("rendered %d withheld %v, want %d and %d", c.Rendered, c.Withheld, rendered, open)
		case open > 0:
			if c.Success != nil || c.Overclaim != nil {
				t.Fatalf("rates beside %d open tasks", open)
			}
		case *c.Success != Ratio{exact, len(results) + 1}:
			t.Fatalf("success %+v, want %d", c.Success, exact)
		case (c.Overclaim == nil) != (asserted == 0), c.Overclaim != nil && *c.Overclaim != Ratio{unsupported, asserted}:
			t.Fatalf("overclaim %+v, want %d of %d", c.Overclaim, unsupported, asserted)
		}
	})
}

func split(data []byte) [][]byte {
	parts := [][]byte{nil}
	for _, b := range data {
		if b == 0xff {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], b)
	}
	return parts
}
