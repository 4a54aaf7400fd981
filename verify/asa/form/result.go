package form

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

var evidenceRefs = arr("evidence_refs", must(str("proof_id")), must(str("resource")), str("field"), val("value"))

// resultFields is the verification result of the paper's §5.2 with the keys that we add.
var resultFields = []field{
	must(str("verification_id")), str("agreement_id"), must(when("timestamp")),
	must(obj("evaluator", identityField, must(str("type")), str("model"))),
	must(atMost(document.MaxDimensions, arr("dimensions", must(str("name")), must(val("score")), val("slo_target"), yes("slo_met"), str("evidence"), evidenceRefs,
		obj("shadow_metric", must(str("name")), must(num("value")), val("slo_target"), yes("slo_met"))))),
	arr("gate_results", must(str("condition")), must(yes("passed"))),
	must(obj("composite", must(num("score")), str("method"), num("threshold"), yes("passed"))),
	must(obj("determination", must(str("result")), num("payment_release_percent"), num("confidence"), str("notes"))),
	obj("evidence_trail", str("deliverable_hash"), str("evaluation_hash"), non("evaluation_duration_ms"), non("evaluation_cost_usd")),
}

// requestFields is the verification request of the paper's §5.1.
var requestFields = []field{
	must(str("verification_id")), str("agreement_id"),
	must(obj("deliverable", must(str("content_hash")), str("content_url"), str("format"), str("type"), non("size_bytes"))),
	loose(obj("original_request")), loose(obj("quality_criteria")),
	loose(obj("verification_config", str("depth"), str("evaluator_type"), loose(obj("evaluator_config")))),
}

// ValidateResult records the shape of a result (R002, R003, R019), its identity and its hashes (R006, R020), by the version of its agreement.
func ValidateResult(r *document.Result, under Version, l *finding.Log) {
	if under.foreign(r.Document, l) {
		return
	}
	w := &walker{doc: r.Document, log: l, unknown: under.unknown()}
	if r.Root.Kind() != canon.Object {
		l.Gap(finding.Reject, "R002", "type", r.At(), document.Shown(r.Root), "an object")
		return
	}
	w.object(r.Root, resultFields, false)
	checkIdentity(r.Document, r.Get("evaluator", "identity"), l)
	w.evaluatorType(r.Get("evaluator", "type"))
	checkFormat(r.Document, r.Get("evidence_trail", "deliverable_hash"), document.Hash64, "sha256: and 64 hex digits", l)
	checkFormat(r.Document, r.Get("evidence_trail", "evaluation_hash"), document.Hash64, "sha256: and 64 hex digits", l)
}

// ValidateRequest records the shape of a request, its hash and, where no agreement governs it, its own criteria, by the version of its
// agreement.
func ValidateRequest(d *document.Document, under Version, l *finding.Log) {
	if under.foreign(d, l) {
		return
	}
	w := &walker{doc: d, log: l, unknown: under.unknown()}
	if d.Root.Kind() != canon.Object {
		l.Gap(finding.Reject, "R002", "type", d.At(), document.Shown(d.Root), "an object")
		return
	}
	w.object(d.Root, requestFields, false)
	checkFormat(d, d.Get("deliverable", "content_hash"), document.Hash64, "sha256: and 64 hex digits", l)
	w.oneOf(finding.Error, "R071", "depth", d.Get("verification_config", "depth"), "structural", "semantic", "composite")
	w.evaluatorType(d.Get("verification_config", "evaluator_type"))
	if c := d.Get("quality_criteria"); c.Len() > 0 && !d.Get("agreement_id").Exists() {
		before := &finding.Log{}
		inner := &walker{doc: d, log: before, unknown: finding.Warn}
		inner.object(c, criteriaFields, false)
		if !before.Rejected() {
			inner.criteria(document.ReadCriteria(c))
		}
		l.Merge(before)
	}
}
