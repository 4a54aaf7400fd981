package form

import (
	"regexp"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/document"
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
	aCount   // integer ≥ 0
	aDecimal // number ≥ 0, or the decimal text of one
	aShare   // the same from 0 to 1
)

var shapeNames = [...]string{"any value", "a string", "a number", "a number >= 0", "an integer > 0", "true or false", "an RFC 3339 date-time", "an object", "an array", "a string or null",
	"an integer >= 0", "a number >= 0 or its decimal text", "a number from 0 to 1 or its decimal text"}

// field is one known member of an object: its shape, whether it must be there, and what it holds. An array has the fields of its elements.
type field struct {
	name     string
	shape    shape
	required bool
	fields   []field
	open     bool           // members beyond fields are nobody's business
	most     int            // elements of an array; 0 for MaxItems
	each     []field        // of every member of an object whose names are anybody's
	of       shape          // of every element of an array without fields
	words    []string       // all values that a string may have; nil for any
	pattern  *regexp.Regexp // of a string; nil for any
	says     string         // what the pattern wants, in words
}

// want says what a value of the field must be.
func (f field) want() string {
	switch {
	case f.words != nil:
		return strings.Join(f.words, " | ")
	case f.pattern != nil:
		return f.says
	}
	return shapeNames[f.shape]
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
func count(name string) field           { return field{name: name, shape: aCount} }
func dec(name string) field             { return field{name: name, shape: aDecimal} }
func share(name string) field           { return field{name: name, shape: aShare} }
func list(name string, of shape) field  { return field{name: name, shape: anArray, of: of} }

func word(name string, words ...string) field {
	return field{name: name, shape: aString, words: words}
}

func text(name string, pattern *regexp.Regexp, says string) field {
	return field{name: name, shape: aString, pattern: pattern, says: says}
}

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
	obj("evaluator_selection", str("mode"), pos("max_rounds"), loose(obj("criteria", dec("min_evaluations"), share("canary_rate_gt"), dec("max_calibration_deviation"))), str("order")),
	obj("consensus", str("method"), pos("evaluators")), obj("rotation", pos("max_consecutive")),
	non("max_cost_usd"), pos("max_backup_evaluators"), str("result_visibility"),
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
		obj("constraints", pos("max_tokens"), pos("max_duration_seconds"), non("max_cost_usd"),
			pos("max_api_calls"), non("max_compute_cost_usd"), pos("max_bytes"), arr("required_pointers")))),
	must(obj("quality_criteria", criteriaFields...)),
	verificationField, escrowField,
	obj("dispute", str("protocol"), str("auto_file_on"), num("threshold"), arr("evidence_includes")),
	obj("signatures", obj("client", signatureFields...), obj("provider", signatureFields...)),
	obj("negotiation", pos("max_rounds"), non("max_change_percent"), pos("timeout_seconds"), obj("price_band", dec("low"), dec("high"))),
	obj("metadata", arr("flags"), arr("nonstandard_terms"), obj("template", str("id"), str("version")), yes("fine_tuned_judge")),
	str("parent_agreement_id"), obj("eligibility", pos("min_chain_length")),
}

var (
	agreementID = regexp.MustCompile(`^asa-[A-Za-z0-9._-]{1,120}$`)
	currency    = regexp.MustCompile(`^[A-Z]{3,10}$`)
	dimension   = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
	shareForm   = regexp.MustCompile(`^(0(\.[0-9]{1,18})?|1(\.0{1,18})?)$`)
	keyForm     = regexp.MustCompile(`^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$`) // 32 bytes in base64url: the last two bits are zero
)
