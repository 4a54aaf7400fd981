package submission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
)

// Disclose writes the disclosures block of the proofs whose full views are given: the JSON object that is the value of "disclosures",
// sorted by proof id, indented to stand in a submission. Each pair is opened against the commitments of its own view first. It gives the
// block and no refusal, or nil and every refusal.
func Disclose(views []proof.View) ([]byte, Refusals) {
	pairs := make(map[string]proof.Disclosures, len(views))
	var refusals Refusals
	for _, v := range views {
		d, f := ownPairs(v)
		if f == nil {
			if other, again := pairs[v.ID]; again && other != d {
				f = &verify.Failure{Reason: ReasonViewRepeated, Found: "two views of " + v.ID + " with other pairs", Wanted: "one pair for each hash", File: v.File, Pointer: v.Pointer}
			}
		}
		if f != nil {
			refusals = append(refusals, Refusal{Failure: *f})
			continue
		}
		pairs[v.ID] = d
	}
	if len(refusals) > 0 {
		return nil, refusals
	}
	ids := make([]string, 0, len(pairs))
	for id := range pairs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	entries := make([]string, 0, len(ids))
	for _, id := range ids {
		d := pairs[id]
		entries = append(entries, fmt.Sprintf("    %q: {\n%s,\n%s\n    }", id, pairText("request_hash", d.Request), pairText("response_hash", d.Response)))
	}
	if len(entries) == 0 {
		return []byte("{}"), nil
	}
	return []byte("{\n" + strings.Join(entries, ",\n") + "\n  }"), nil
}

func pairText(name string, p proof.Pair) string {
	return fmt.Sprintf(`      %q: {"nonce": "%x", "value": %q}`, name, p.Nonce, p.Value.String())
}

// ownPairs takes the pairs out of a full view and opens them with the view's own commitments, as whoever scores will.
func ownPairs(v proof.View) (proof.Disclosures, *verify.Failure) {
	switch {
	case v.Misfiled != nil:
		return proof.Disclosures{}, v.Misfiled
	case v.Null || v.Proof == nil:
		return proof.Disclosures{}, &verify.Failure{Reason: ReasonViewNull, Found: "no proof " + v.ID, Wanted: "its full view", File: v.File, Pointer: v.Pointer}
	}
	full := v.Proof.Value()
	if !full.Get("commitment_nonces").Exists() || !full.Get("chain_data").Exists() {
		return proof.Disclosures{}, &verify.Failure{Reason: ReasonViewWithoutNonces, Found: "a public view of " + v.ID, Wanted: "the owner's full view, with commitment_nonces and chain_data", File: v.File, Pointer: v.Pointer}
	}
	d, err := v.Proof.OwnDisclosures()
	if err != nil {
		if f, ok := err.(*verify.Failure); ok {
			return proof.Disclosures{}, f
		}
		return proof.Disclosures{}, &verify.Failure{Reason: ReasonPairDoesNotOpen, Found: err.Error(), Wanted: "the owner's full view", File: v.File, Pointer: v.Pointer}
	}
	// Without trust material only what the view says of itself can be judged; that is all that opening needs.
	r := proof.NewVerifier(nil).Verify(v.Proof, proof.Evidence{Disclosures: &d})
	if r.Opened == nil {
		return proof.Disclosures{}, whyClosed(v, r)
	}
	return d, nil
}

// whyClosed is the failed check that keeps the pairs from opening.
func whyClosed(v proof.View, r proof.Result) *verify.Failure {
	for _, name := range []string{proof.CheckChainHash, proof.CheckDisclosure} {
		if c, ok := r.Checks.Named(name); ok && c.Status == verify.Failed && c.Detail != nil {
			return c.Detail
		}
	}
	return &verify.Failure{Reason: ReasonPairDoesNotOpen, Found: "commitments of " + v.ID + " that open nothing", Wanted: "a proof of spec version 3.0 or later", File: v.File, Pointer: v.Pointer}
}
