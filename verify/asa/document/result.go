package document

import (
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
)

// Result is an evaluator's verification result, read for computing.
type Result struct {
	*Document
	ID          string   // verification_id
	AgreementID string   // "" for a standalone verification
	Timestamp   *big.Rat // seconds since 1970
	Scores      []Score
	Composite   *exact.Decimal // as declared, with its places
	Passed      canon.Value
	Verdict     string                 // "PASS" or "FAIL" as declared
	Percent     *big.Rat               // payment_release_percent as declared; nil where absent
	Gates       map[string]canon.Value // gate_results by condition: what "passed" holds
	composites  map[CompositeKey]computed
}

// CompositeKey is what a composite depends on beside the result: the criteria, by identity, and the reading of booleans.
type CompositeKey struct {
	Dimensions *Dimension
	Dropped    bool
}

// computed is a composite that was computed once. Results are not shared between goroutines.
type computed struct {
	value *big.Rat
	steps []string
}

// Remember computes a composite once.
func (r *Result) Remember(key CompositeKey, compute func() (*big.Rat, []string)) (*big.Rat, []string) {
	known, ok := r.composites[key]
	if !ok {
		known.value, known.steps = compute()
		r.composites[key] = known
	}
	return known.value, known.steps
}

// Score is one dimension of a result.
type Score struct {
	Value  canon.Value
	Name   string
	Score  canon.Value
	Target canon.Value
	Met    canon.Value
}

// NewResult reads the model out of a document. It never fails.
func NewResult(d *Document) *Result {
	r := &Result{
		Document: d, ID: Text(d.Get("verification_id")), AgreementID: Text(d.Get("agreement_id")), Timestamp: Instant(d.Get("timestamp")),
		Composite: Decimal(d.Get("composite", "score")), Passed: d.Get("composite", "passed"),
		Verdict: Text(d.Get("determination", "result")), Percent: Number(d.Get("determination", "payment_release_percent")),
		Gates: map[string]canon.Value{}, composites: map[CompositeKey]computed{},
	}
	for i, s := range d.Get("dimensions").Elements() {
		if i >= MaxItems {
			break
		}
		r.Scores = append(r.Scores, Score{Value: s, Name: Text(s.Get("name")), Score: s.Get("score"), Target: s.Get("slo_target"), Met: s.Get("slo_met")})
	}
	for i, g := range d.Get("gate_results").Elements() {
		if i >= MaxItems {
			break
		}
		r.Gates[Text(g.Get("condition"))] = g.Get("passed")
	}
	return r
}

// Score is the score of that name and whether there is one.
func (r *Result) Score(name string) (Score, bool) {
	for _, s := range r.Scores {
		if s.Name == name {
			return s, true
		}
	}
	return Score{}, false
}
