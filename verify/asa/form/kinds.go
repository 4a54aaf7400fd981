package form

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// kind is one sort of document: what it is called, which members tell it, its members, and whatever else Validate says of it.
type kind struct {
	name   string
	says   string     // of its schema
	told   [][]string // it is of this kind where it has every member of one of these lists
	fields []field
	judge  func(*document.Document, *finding.Log) // nil where the fields say everything
}

// kinds are all sorts of documents. The first that is told by the members of a document is taken.
var kinds = []kind{
	{"asa-agreement", "A service agreement (ASA 1.y.z, paper §4.1).", [][]string{{"asa_version"}, {"parties"}}, agreementFields,
		func(d *document.Document, l *finding.Log) { ValidateAgreement(document.NewAgreement(d), l) }},
	{"asa-result", "A verification result (paper §5.2).", [][]string{{"determination"}, {"composite"}}, resultFields,
		func(d *document.Document, l *finding.Log) { ValidateResult(document.NewResult(d), l) }},
	{"asa-request", "A verification request (paper §5.1).", [][]string{{"deliverable"}}, requestFields, ValidateRequest},
	{"asa-message", "One line of negotiation.jsonl (paper §7.3).", [][]string{{"negotiation_id"}}, messageFields, nil},
	{"asa-canary", "One line of canaries.jsonl: a task with a known answer.", [][]string{{"canary_id"}}, canaryFields, nil},
	{"asa-event", "One line of events.jsonl. prev is the SHA-256 of the line before, without its line feed.", [][]string{{"seq", "type"}}, eventFields, nil},
	{"asa-attempt", "One line of history.jsonl: an attempt at a task.", [][]string{{"task", "attempt"}}, attemptFields, nil},
	{"asa-market", "market.json: prices by type of service.", [][]string{{"service_types"}}, marketFields, nil},
	{"asa-evaluators", "evaluators.json: a registry of evaluators.", [][]string{{"evaluators"}}, registryFields, nil},
	{"asa-agents", "agents.json: who the parties are.", [][]string{{"agents"}}, []field{must(arr("agents", agentFields...))}, nil},
	{"asa-keys", "keys.json: keys of identities that carry none.", [][]string{{"keys"}}, []field{must(arr("keys", identityField, must(str("ed25519"))))}, nil},
}

var (
	messageFields = []field{
		must(str("negotiation_id")), str("agreement_id"), must(pos("round")), must(str("action")), str("sender"), when("at"), loose(obj("proposed_changes")),
		str("rationale_code"), obj("market_reference", str("median_price_for_service_type"), str("source")), str("document_sha256"),
	}
	eventFields = []field{
		must(pos("seq")), must(when("at")), str("by"), must(str("type")), must(str("agreement_id")), loose(obj("data")), str("prev"),
	}
	canaryFields = []field{
		must(str("canary_id")), must(obj("subject", must(str("scheme")), must(str("value")))), str("provider"), pos("delivery_seq"),
		must(str("known")), must(str("rated")), when("at"), val("reliability_before"), val("reliability_after"),
	}
	attemptFields = []field{
		must(str("task")), must(pos("attempt")), str("provider"), str("dimension"), num("score"), yes("passed"), when("at"),
	}
	marketFields = []field{
		when("as_of"), must(str("currency")), must(field{name: "service_types", shape: anObject, open: true, each: []field{must(arr("prices")), val("median"), str("source")}}),
	}
	agentFields    = []field{identityField, str("org"), nul("model"), nul("coc_root"), arr("coc_ancestors"), non("chain_length"), str("display_name")}
	registryFields = []field{
		obj("policy", val("min_evaluations"), val("canary_rate_gt"), val("max_calibration_deviation")),
		must(arr("evaluators", identityField, str("org"), nul("model"), arr("domains"), non("evaluations"), obj("canary", must(non("passed")), must(non("total"))),
			val("calibration_deviation"), val("cost_usd"), yes("available"), nul("coc_root"), arr("coc_ancestors"), yes("fine_tuned_judge"))),
	}
)

// KindOf is the kind that the members of a document tell, or nil.
func KindOf(v canon.Value) *kind {
	for i := range kinds {
		for _, names := range kinds[i].told {
			all := true
			for _, name := range names {
				all = all && v.Get(name).Exists()
			}
			if all {
				return &kinds[i]
			}
		}
	}
	return nil
}

// Validate records the form of a document of a kind.
func (k *kind) Validate(d *document.Document, l *finding.Log) {
	if k.judge != nil {
		k.judge(d, l)
		return
	}
	w := &walker{doc: d, log: l, unknown: finding.Warn}
	w.object(d.Root, k.fields, false)
}
