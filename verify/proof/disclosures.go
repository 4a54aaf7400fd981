package proof

import (
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// DisclosureSet holds the disclosures of several proofs.
type DisclosureSet struct {
	byID map[string]Disclosures
	any  *Disclosures // a pair block that names no proof
}

// ReadDisclosures reads disclosures from a file: a submission or another object with a member "disclosures", such a block alone
// ({"prf_…": {"request_hash": …, "response_hash": …}}), the pairs of one proof alone, or freeze.json. The error is a *canon.SyntaxError where the file is
// not strict JSON, a *verify.Failure with ReasonDisclosureMalformed at the first member that is not as it must be.
func ReadDisclosures(file string, b []byte) (DisclosureSet, error) {
	doc, err := canon.ParseStrict(file, b)
	if err != nil {
		return DisclosureSet{}, err
	}
	if inner := doc.Get("disclosures"); inner.Exists() {
		doc = inner
	}
	if doc.Get(fieldRequest).Exists() || doc.Get(fieldResponse).Exists() {
		d, err := ParseDisclosures(file, doc)
		if err != nil {
			return DisclosureSet{}, err
		}
		return DisclosureSet{any: &d}, nil
	}
	if doc.Kind() != canon.Object {
		return DisclosureSet{}, &verify.Failure{Reason: ReasonDisclosureMalformed, Found: shown(doc), Wanted: "an object of disclosures", File: file, Pointer: doc.Pointer()}
	}
	set := DisclosureSet{byID: map[string]Disclosures{}}
	if freezes := doc.Get("freezes"); freezes.Exists() {
		for _, v := range freezes.Elements() {
			id, _ := v.Get("proof_id").Text()
			if err := set.add(file, id, v.Get("disclosures")); err != nil {
				return DisclosureSet{}, err
			}
		}
		return set, nil
	}
	for id, v := range doc.Members() {
		if err := set.add(file, id, v); err != nil {
			return DisclosureSet{}, err
		}
	}
	return set, nil
}

func (s *DisclosureSet) add(file, id string, v canon.Value) error {
	if !IsID(id) {
		return &verify.Failure{Reason: ReasonDisclosureMalformed, Found: shownText(id), Wanted: "a proof id", File: file, Pointer: v.Pointer()}
	}
	d, err := ParseDisclosures(file, v)
	if err != nil {
		return err
	}
	s.byID[strings.Clone(id)] = d
	return nil
}

func shownText(s string) string {
	if len(s) > 100 {
		s = s[:100] + "…"
	}
	return s
}

// For gives the disclosures of a proof, or nil.
func (s DisclosureSet) For(id string) *Disclosures {
	if d, ok := s.byID[id]; ok {
		return &d
	}
	return s.any
}

// Own gives the disclosures that the owner's full view carries, or nil for a public view.
func (p *Proof) Own() *Disclosures {
	d, err := p.OwnDisclosures()
	if err != nil {
		return nil
	}
	return &d
}
