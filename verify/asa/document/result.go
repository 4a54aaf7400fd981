package document

import (
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
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

var evidenceRefs = arr("evidence_refs", must(str("proof_id")), must(str("resource")), str("field"), val("value"))

// resultFields is the verification result of the paper's §5.2 with the keys that we add.
var resultFields = []field{
	must(str("verification_id")), str("agreement_id"), must(when("timestamp")),
	must(obj("evaluator", identityField, must(str("type")), str("model"))),
	must(atMost(MaxDimensions, arr("dimensions", must(str("name")), must(val("score")), val("slo_target"), yes("slo_met"), str("evidence"), evidenceRefs,
		obj("shadow_metric", must(str("name")), must(num("value")), val("slo_target"), yes("slo_met"))))),
	arr("gate_results", must(str("condition")), must(yes("passed"))),
	must(obj("composite", must(num("score")), str("method"), num("threshold"), yes("passed"))),
	must(obj("determination", must(str("result")), num("payment_release_percent"), num("confidence"), str("notes"))),
	obj("evidence_trail", str("deliverable_hash"), str("evaluation_hash"), field{name: "evaluation_duration_ms", shape: nonNegative}, field{name: "evaluation_cost_usd", shape: nonNegative}),
}

// requestFields is the verification request of the paper's §5.1.
var requestFields = []field{
	must(str("verification_id")), str("agreement_id"),
	must(obj("deliverable", must(str("content_hash")), str("content_url"), str("format"), str("type"), field{name: "size_bytes", shape: nonNegative})),
	loose(obj("original_request")), loose(obj("quality_criteria")),
	loose(obj("verification_config", str("depth"), str("evaluator_type"), loose(obj("evaluator_config")))),
}

// ValidateResult records the shape of a result (R002, R003, R019), its identity and its hashes (R006, R020).
func ValidateResult(r *Result, l *finding.Log) {
	w := &walker{doc: r.Document, log: l, unknown: finding.Warn}
	if r.Root.Kind() != canon.Object {
		l.Gap(finding.Reject, "R002", "type", r.At(), Shown(r.Root), "an object")
		return
	}
	w.object(r.Root, resultFields, false)
	checkIdentity(r.Document, r.Get("evaluator", "identity"), l)
	w.evaluatorType(r.Get("evaluator", "type"))
	checkFormat(r.Document, r.Get("evidence_trail", "deliverable_hash"), Hash64, "sha256: and 64 hex digits", l)
	checkFormat(r.Document, r.Get("evidence_trail", "evaluation_hash"), Hash64, "sha256: and 64 hex digits", l)
}

// ValidateRequest records the shape of a request, its hash and, where no agreement governs it, its own criteria.
func ValidateRequest(d *Document, l *finding.Log) {
	w := &walker{doc: d, log: l, unknown: finding.Warn}
	if d.Root.Kind() != canon.Object {
		l.Gap(finding.Reject, "R002", "type", d.At(), Shown(d.Root), "an object")
		return
	}
	w.object(d.Root, requestFields, false)
	checkFormat(d, d.Get("deliverable", "content_hash"), Hash64, "sha256: and 64 hex digits", l)
	w.oneOf(finding.Error, "R071", "depth", d.Get("verification_config", "depth"), "structural", "semantic", "composite")
	w.evaluatorType(d.Get("verification_config", "evaluator_type"))
	if c := d.Get("quality_criteria"); c.Len() > 0 && !d.Get("agreement_id").Exists() {
		before := &finding.Log{}
		inner := &walker{doc: d, log: before, unknown: finding.Warn}
		inner.object(c, criteriaFields, false)
		if !before.Rejected() {
			inner.criteria(ReadCriteria(c))
		}
		l.Merge(before)
	}
}
