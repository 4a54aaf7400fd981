// Package receipts judges the receipts that a result cites as evidence (R086): the proof must verify, be about the cited resource, and its
// response must hold the cited value.
package receipts

import (
	"fmt"
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/proof"
)

// Receipt is what a proof that a result cites comes to.
type Receipt struct {
	Outcome  proof.Outcome
	Resource string      // whose request the receipt opened; "" where the request is not known
	Body     canon.Value // the response that the receipt opened; Missing where it is not at hand
}

// Find finds the receipt of a proof id; false where there is no such proof.
type Find func(proofID string) (Receipt, bool)

// Cited is what is at hand to judge the receipts that results cite.
type Cited struct {
	Verifier  *proof.Verifier
	Views     []proof.View
	Evidence  func(*proof.Proof) proof.Evidence // log entries and disclosures of a proof
	Resources map[canon.Digest]string           // resource by request hash
	Bodies    map[canon.Digest]canon.Value      // response by the hash of its canonical form
}

// Find judges each proof when it is first asked for. It is not safe for concurrent use.
func (c Cited) Find() Find {
	known := map[string]Receipt{}
	return func(id string) (Receipt, bool) {
		if r, ok := known[id]; ok {
			return r, true
		}
		var all []proof.Result
		for _, v := range c.Views {
			switch {
			case v.ID != id:
			case v.Null:
				all = append(all, proof.NullResult(v))
			case v.Proof != nil:
				all = append(all, c.Verifier.Verify(v.Proof, c.Evidence(v.Proof)))
			}
		}
		if len(all) == 0 {
			return Receipt{}, false
		}
		best := proof.Best(all)
		r := Receipt{Outcome: best.Whole()}
		if best.Null {
			r.Outcome = proof.Incomplete
		}
		if best.Opened != nil {
			r.Resource, r.Body = c.Resources[best.Opened.Request], c.Bodies[best.Opened.Response]
		}
		known[id] = r
		return r, true
	}
}

// Support is how many of the citations of a result its receipts bear out.
type Support struct{ supported, unsupported, open int64 }

// Plus adds two counts.
func (s Support) Plus(o Support) Support {
	return Support{s.supported + o.supported, s.unsupported + o.unsupported, s.open + o.open}
}

// Check records the second half of R086: each evidence_refs entry of a dimension names a proof, a resource, and optionally a field
// (RFC 6901) with its value; the proof must verify, be about that resource, and its response hold that value there. The share that does
// not hold is shown beside the composite and never enters it.
func Check(find Find, r *document.Result, l *finding.Log) Support {
	var s Support
	for _, score := range r.Scores {
		for i, ref := range score.Value.Get("evidence_refs").Elements() {
			if i >= document.MaxItems {
				break
			}
			switch judge(find, r, ref, l) {
			case document.True:
				s.supported++
			case document.False:
				s.unsupported++
			default:
				s.open++
			}
		}
	}
	return s
}

func judge(find Find, r *document.Result, ref canon.Value, l *finding.Log) document.Verdict {
	at, id := r.Place(ref), document.Text(ref.Get("proof_id"))
	if find == nil {
		l.Missing("R086", "receipts-missing", at, document.Clip(id))
		return document.Unknown
	}
	gap := func(slug, declared, recomputed string) document.Verdict {
		l.Gap(finding.Warn, "R086", slug, at, declared, recomputed)
		return document.False
	}
	receipt, ok := find(id)
	resource := document.Text(ref.Get("resource"))
	switch {
	case ok && receipt.Outcome == proof.Invalid:
		return gap("receipt-invalid", document.Clip(id), "valid")
	case !ok || receipt.Outcome != proof.Valid || receipt.Resource == "" || !receipt.Body.Exists():
		l.Missing("R086", "receipt-not-established", at, document.Clip(id))
		return document.Unknown
	case receipt.Resource != resource:
		return gap("resource-differs", document.Clip(resource), document.Clip(receipt.Resource))
	case !ref.Get("field").Exists():
		l.OK("R086")
		return document.True
	}
	pointer, err := canon.ParsePointer(document.Text(ref.Get("field")))
	if err != nil {
		return gap("field-missing", document.Shown(ref.Get("field")), "an RFC 6901 pointer")
	}
	value, err := pointer.Lookup(receipt.Body)
	switch {
	case err != nil:
		return gap("field-missing", document.Shown(ref.Get("field")), "a value in the response")
	case !canon.Equal(value, ref.Get("value")):
		return gap("value-differs", document.Clip(ref.Get("value").Raw()), document.Clip(value.Raw()))
	}
	l.OK("R086")
	return document.True
}

// Answers is the unsupported share, or none where a result cites nothing.
func (s Support) Answers() []finding.Answer {
	total := s.supported + s.unsupported + s.open
	if total == 0 {
		return nil
	}
	value := fmt.Sprintf("%d/%d", s.unsupported, total)
	if decided := s.supported + s.unsupported; decided > 0 {
		value += " (" + exact.Rounded(exact.Mul(big.NewRat(s.unsupported, decided), exact.Int(100)), 4) + " %)"
	}
	return []finding.Answer{{Name: "unsupported_evidence", Value: value, Robust: s.open == 0}}
}
