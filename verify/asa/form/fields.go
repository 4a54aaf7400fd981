package form

import (
	"fmt"
	"iter"
	"regexp"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/canon/nearest"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// shape is what a value must be.
type shape uint8

const (
	anything shape = iota
	aString
	aNumber
	nonNegative // number ≥ 0
	positive    // integer > 0
	aBool
	anInstant
	anObject
	anArray
	aStringOrNull
)

var shapeNames = [...]string{"any value", "a string", "a number", "a number >= 0", "an integer > 0", "true or false", "an RFC 3339 date-time", "an object", "an array", "a string or null"}

// field is one known member of an object: its shape, whether it must be there, and what it holds. An array has the fields of its elements.
type field struct {
	name     string
	shape    shape
	required bool
	fields   []field
	open     bool    // members beyond fields are nobody's business
	most     int     // elements of an array; 0 for MaxItems
	each     []field // of every member of an object whose names are anybody's
}

func str(name string) field             { return field{name: name, shape: aString} }
func num(name string) field             { return field{name: name, shape: aNumber} }
func pos(name string) field             { return field{name: name, shape: positive} }
func yes(name string) field             { return field{name: name, shape: aBool} }
func val(name string) field             { return field{name: name} }
func when(name string) field            { return field{name: name, shape: anInstant} }
func obj(name string, f ...field) field { return field{name: name, shape: anObject, fields: f} }
func arr(name string, f ...field) field { return field{name: name, shape: anArray, fields: f} }
func must(f field) field                { f.required = true; return f }
func atMost(n int, f field) field       { f.most = n; return f }
func loose(f field) field               { f.open = true; return f }
func nul(name string) field             { return field{name: name, shape: aStringOrNull} }
func non(name string) field             { return field{name: name, shape: nonNegative} }

var identityField = must(obj("identity", must(str("scheme")), must(str("value"))))

func partyField(name string) field {
	return must(obj(name, identityField, str("display_name")))
}

func sloField(name string) field {
	return obj(name, must(str("operator")), must(val("value")))
}

var signatureFields = []field{must(str("scheme")), must(str("value"))}

// criteriaFields are those of quality_criteria, in an agreement and in a standalone request.
var criteriaFields = []field{
	must(atMost(document.MaxDimensions, arr("dimensions", must(str("name")), must(num("weight")), must(str("metric")), must(sloField("slo")), str("shadow_metric"), sloField("shadow_slo"),
		obj("normalize", must(num("from")), must(num("to")))))),
	must(num("composite_threshold")), str("composite_method"), str("guarantee_type"),
	arr("guarantees", must(str("expr")), must(str("operator")), must(num("value"))),
	arr("quality_gates", must(str("condition")), must(str("type"))), str("gate_logic"),
}

var verificationField = must(obj("verification",
	must(str("strategy")), pos("challenge_window_seconds"), pos("evaluator_timeout_seconds"),
	obj("canary_tasks", yes("enabled"), str("frequency"), str("failure_action")),
	obj("evaluator_selection", str("mode"), pos("max_rounds"), loose(obj("criteria")), str("order")),
	obj("consensus", str("method"), pos("evaluators")), obj("rotation", pos("max_consecutive")),
	field{name: "max_cost_usd", shape: nonNegative}, pos("max_backup_evaluators"), str("result_visibility"),
	arr("depth_by_reputation", must(num("reputation_gte")), must(str("depth")))))

var escrowField = obj("escrow",
	must(yes("enabled")), loose(obj("binding", must(str("type")))),
	obj("payment", val("amount"), str("currency"), arr("fees", str("name"), val("amount")),
		obj("graduated_release", must(yes("enabled")), str("mode"), arr("tiers", num("composite_score_gte"), num("composite_score_lt"), must(num("release_percent"))),
			obj("noise", str("mode"), num("points")))),
	obj("dead_mans_switch", pos("client_timeout_seconds"), pos("provider_timeout_seconds"), pos("evaluator_timeout_seconds"), str("timeout_action")))

// agreementFields is the document of the paper's §4.1 with the keys that it describes without naming them.
var agreementFields = []field{
	must(str("asa_version")), must(str("agreement_id")), must(when("created_at")), when("expires_at"), must(str("status")),
	must(obj("parties", partyField("client"), partyField("provider"), obj("evaluator", identityField, must(str("type")), str("display_name"), loose(obj("config"))))),
	must(obj("service", must(str("type")), must(str("description")), str("deliverable_format"),
		obj("constraints", pos("max_tokens"), pos("max_duration_seconds"), field{name: "max_cost_usd", shape: nonNegative},
			pos("max_api_calls"), field{name: "max_compute_cost_usd", shape: nonNegative}, pos("max_bytes"), arr("required_pointers")))),
	must(obj("quality_criteria", criteriaFields...)),
	verificationField, escrowField,
	obj("dispute", str("protocol"), str("auto_file_on"), num("threshold"), arr("evidence_includes")),
	obj("signatures", obj("client", signatureFields...), obj("provider", signatureFields...)),
	obj("negotiation", pos("max_rounds"), field{name: "max_change_percent", shape: nonNegative}, pos("timeout_seconds"), obj("price_band", val("low"), val("high"))),
	obj("metadata", arr("flags"), arr("nonstandard_terms"), obj("template", str("id"), str("version")), field{name: "fine_tuned_judge", shape: aBool}),
	str("parent_agreement_id"), obj("eligibility", pos("min_chain_length")),
}

// walker checks a document against fields and records R002, R003, R019 and R014's positive integers.
type walker struct {
	doc     *document.Document
	log     *finding.Log
	unknown finding.Severity // of a member that the version does not define
}

func (w *walker) object(v canon.Value, fields []field, open bool) {
	for _, f := range fields {
		member := v.Get(f.name)
		switch {
		case member.Exists():
			w.value(member, f)
		case f.required:
			w.log.Gap(finding.Reject, "R002", "missing", w.doc.Place(v)+"/"+f.name, "", shapeNames[f.shape])
		}
	}
	if open {
		return
	}
	for name := range v.Members() {
		if known(fields, name) {
			continue
		}
		at := w.doc.Place(v) + "/" + canon.EscapeToken(document.Clip(name))
		if near := nearest.Name(name, names(fields)); near != "" {
			w.log.Gap(w.unknown, "R019", "unknown-field-near", at, document.Clip(name), near)
		} else {
			w.log.Gap(w.unknown, "R019", "unknown-field", at, document.Clip(name), "")
		}
	}
}

func (w *walker) value(v canon.Value, f field) {
	if !fits(v, f.shape) {
		requirement, slug := "R002", "type"
		if f.shape == anInstant && v.Kind() == canon.String {
			requirement, slug = "R003", "timestamp"
		}
		w.log.Gap(finding.Reject, requirement, slug, w.doc.Place(v), document.Shown(v), shapeNames[f.shape])
		return
	}
	w.log.OK("R002")
	switch f.shape {
	case anInstant:
		w.log.OK("R003")
	case anObject:
		w.object(v, f.fields, f.open)
		w.each(v, f)
	case anArray:
		w.array(v, f)
	}
}

// each checks every member of an object whose names are anybody's, like the elements of an array.
func (w *walker) each(v canon.Value, f field) {
	if f.each == nil {
		return
	}
	if v.Len() > document.MaxItems {
		w.log.Gap(finding.Reject, "R002", "too-many", w.doc.Place(v), fmt.Sprint(v.Len(), " members"), fmt.Sprint("at most ", document.MaxItems))
		return
	}
	for _, e := range v.Members() {
		w.value(e, field{shape: anObject, fields: f.each})
	}
}

func (w *walker) array(v canon.Value, f field) {
	most := document.MaxItems
	if f.most > 0 {
		most = f.most
	}
	if v.Len() > most {
		w.log.Gap(finding.Reject, "R002", "too-many", w.doc.Place(v), fmt.Sprint(v.Len(), " elements"), fmt.Sprint("at most ", most))
		return
	}
	if f.fields == nil {
		return
	}
	for _, e := range v.Elements() {
		w.value(e, field{shape: anObject, fields: f.fields, open: f.open})
	}
}

func fits(v canon.Value, s shape) bool {
	switch k := v.Kind(); s {
	case anything:
		return k != canon.Null
	case aString:
		return k == canon.String
	case aNumber:
		return k == canon.Int || k == canon.Float
	case nonNegative:
		r := document.Number(v)
		return r != nil && r.Sign() >= 0
	case positive:
		r := document.Number(v)
		return k == canon.Int && r != nil && r.Sign() > 0
	case aBool:
		return k == canon.Bool
	case anInstant:
		return document.Instant(v) != nil
	case anObject:
		return k == canon.Object
	case anArray:
		return k == canon.Array
	case aStringOrNull:
		return k == canon.String || k == canon.Null
	}
	return false
}

func known(fields []field, name string) bool {
	for _, f := range fields {
		if f.name == name {
			return true
		}
	}
	return false
}

// names are the known names, in the order of the table.
func names(fields []field) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range fields {
			if !yield(f.name) {
				return
			}
		}
	}
}

var (
	agreementID = regexp.MustCompile(`^asa-[A-Za-z0-9._-]{1,120}$`)
	currency    = regexp.MustCompile(`^[A-Z]{3,10}$`)
	dimension   = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
)

// oneOf records whether a string is one of the words, and says which are.
func (w *walker) oneOf(s finding.Severity, requirement, slug string, v canon.Value, words ...string) bool {
	if !v.Exists() {
		return true
	}
	got := document.Text(v)
	for _, word := range words {
		if got == word {
			w.log.OK(requirement)
			return true
		}
	}
	w.log.Gap(s, requirement, slug, w.doc.Place(v), document.Shown(v), strings.Join(words, " | "))
	return false
}
