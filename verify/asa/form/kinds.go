package form

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Kind is one sort of document: what it is called, which members tell it, its members, and whatever else Validate says of it.
type Kind struct {
	name   string
	says   string     // of its schema
	told   [][]string // it is of this kind where it has every member of one of these lists
	fields []field
	closed bool                                   // a member that the fields do not name is refused, not noted
	judge  func(*document.Document, *finding.Log) // nil where the fields say everything
}

// kinds are all sorts of documents. The first that is told by the members of a document is taken.
var kinds = []Kind{
	{name: "asa-agreement", says: "A service agreement (ASA 1.y.z, paper §4.1).", told: [][]string{{"asa_version"}, {"parties"}}, fields: agreementFields,
		judge: func(d *document.Document, l *finding.Log) { ValidateAgreement(document.NewAgreement(d), l) }},
	{name: "asa-result", says: "A verification result (paper §5.2).", told: [][]string{{"determination"}, {"composite"}}, fields: resultFields,
		judge: func(d *document.Document, l *finding.Log) { ValidateResult(document.NewResult(d), Known, l) }},
	{name: "asa-request", says: "A verification request (paper §5.1).", told: [][]string{{"deliverable"}}, fields: requestFields,
		judge: func(d *document.Document, l *finding.Log) { ValidateRequest(d, Known, l) }},
	{name: "asa-message", says: "One line of negotiation.jsonl (paper §7.3).", told: [][]string{{"negotiation_id"}}, fields: messageFields},
	{name: "asa-canary", says: "One line of canaries.jsonl: a task with a known answer.", told: [][]string{{"canary_id"}}, fields: canaryFields},
	{name: "asa-event", says: "One line of events.jsonl. prev is the SHA-256 of the line before, without its line feed.", told: [][]string{{"seq", "type"}}, fields: eventFields},
	{name: "asa-attempt", says: "One line of history.jsonl: an attempt at a task.", told: [][]string{{"task", "attempt"}}, fields: attemptFields},
	{name: "asa-market", says: "market.json: prices by type of service.", told: [][]string{{"service_types"}}, fields: marketFields},
	{name: "asa-policy", says: "What --policy reads: the readings and the qualification of evaluators that whoever audits chooses.", told: [][]string{{"readings"}}, fields: policyFields, closed: true},
	{name: "asa-evaluators", says: "evaluators.json: a registry of evaluators.", told: [][]string{{"evaluators"}}, fields: registryFields, judge: validateRegistry},
	{name: "asa-agents", says: "agents.json: who the parties are.", told: [][]string{{"agents"}}, fields: agentsFields, judge: validateAgents},
	{name: "asa-keys", says: "keys.json: keys of identities that carry none.", told: [][]string{{"keys"}}, fields: keysFields, judge: validateKeys},
	{name: "asa-arp-report", says: "arp_report.json: what is told to reputation services, over all results; nothing about single dimensions.", told: [][]string{{"pass_rate"}, {"mean_composite"}}, fields: exportFields},
	{name: "asa-export", says: "export.json: to whom a result was handed.", told: [][]string{{"audience"}}, fields: handedFields},
	{name: "asa-archive", says: "One line of archive.jsonl: what is left of a deleted record.", told: [][]string{{"purged_at"}}, fields: purgedFields},
}

var (
	messageFields = []field{
		must(str("negotiation_id")), str("agreement_id"), must(pos("round")), must(word("action", "propose", "counter", "accept", "reject")), word("sender", "client", "provider"), when("at"),
		loose(obj("proposed_changes")), str("rationale_code"), obj("market_reference", str("median_price_for_service_type"), str("source")), str("document_sha256"),
	}
	eventFields = []field{
		must(pos("seq")), must(when("at")), str("by"), must(str("type")), must(str("agreement_id")), loose(obj("data")), str("prev"),
	}
	canaryFields = []field{
		must(str("canary_id")), must(obj("subject", must(str("scheme")), must(str("value")))), str("provider"), pos("delivery_seq"),
		must(word("known", "good", "bad")), must(word("rated", "PASS", "FAIL")), when("at"), dec("reliability_before"), dec("reliability_after"),
	}
	attemptFields = []field{
		must(str("task")), must(pos("attempt")), str("provider"), str("dimension"), num("score"), yes("passed"), when("at"),
	}
	marketFields = []field{
		when("as_of"), must(text("currency", currency, "3 to 10 upper-case letters")),
		must(field{name: "service_types", shape: anObject, open: true, each: []field{list("prices", aDecimal), dec("median"), str("source")}}),
	}
	keysFields          = []field{must(arr("keys", identityField, must(text("ed25519", keyForm, "the base64url text of 32 bytes, without padding"))))}
	agentsFields        = []field{must(arr("agents", agentFields...))}
	agentFields         = []field{identityField, str("org"), nul("model"), nul("coc_root"), list("coc_ancestors", aString), count("chain_length"), str("display_name")}
	qualificationFields = []field{count("min_evaluations"), share("canary_rate_gt"), dec("max_calibration_deviation")}
	registryFields      = []field{
		obj("policy", qualificationFields...),
		must(arr("evaluators", identityField, str("org"), nul("model"), list("domains", aString), count("evaluations"), obj("canary", must(count("passed")), must(count("total"))),
			dec("calibration_deviation"), dec("cost_usd"), yes("available"), nul("coc_root"), list("coc_ancestors", aString), yes("fine_tuned_judge"))),
	}
	exportFields = []field{dec("pass_rate"), dec("mean_composite"), count("verifications")}
	handedFields = []field{must(str("agreement_id")), str("verification_id"), must(word("audience", "parties_only", "parties_and_arp", "public")), when("at")}
	purgedFields = []field{must(str("record")), must(str("id")), must(when("purged_at")), str("sha256"), num("composite")}
	policyFields = []field{obj("readings", readingFields()...), obj("evaluators", qualificationFields...)}
)

// readingFields are the switches of the paper's readings, each with its values.
func readingFields() []field {
	var fields []field
	for _, s := range finding.Switches() {
		fields = append(fields, word(s.String(), s.Values()...))
	}
	return fields
}

// KindOf is the kind that the members of a document tell, or nil. Both a registry and a policy have evaluators: a list, and an object.
func KindOf(v canon.Value) *Kind {
	if v.Get("evaluators").Kind() == canon.Object {
		return Named("asa-policy")
	}
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

// Named is the kind of that name, which is that of its schema, or nil.
func Named(name string) *Kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

// Validate records the form of a document of a kind.
func (k *Kind) Validate(d *document.Document, l *finding.Log) {
	if k.judge != nil {
		k.judge(d, l)
		return
	}
	unknown := finding.Warn
	if k.closed {
		unknown = finding.Reject
	}
	walk(d, k.fields, unknown, l)
}

// walk records the members of a document.
func walk(d *document.Document, fields []field, unknown finding.Severity, l *finding.Log) {
	w := &walker{doc: d, log: l, unknown: unknown}
	w.value(d.Root, field{shape: anObject, fields: fields})
}

func validateAgents(d *document.Document, l *finding.Log) {
	walk(d, agentsFields, finding.Warn, l)
	listedOnce(d, "agents", l)
}

func validateKeys(d *document.Document, l *finding.Log) {
	walk(d, keysFields, finding.Warn, l)
	listedOnce(d, "keys", l)
}

// validateRegistry records the form of a registry, and that nobody passed more canary tasks than there were.
func validateRegistry(d *document.Document, l *finding.Log) {
	walk(d, registryFields, finding.Warn, l)
	listedOnce(d, "evaluators", l)
	for i, e := range d.Get("evaluators").Elements() {
		passed, total := document.Number(document.Get(e, "canary", "passed")), document.Number(document.Get(e, "canary", "total"))
		if i < document.MaxItems && passed != nil && total != nil {
			l.Check(passed.Cmp(total) <= 0, finding.Error, "R058", "more-passed-than-run", d.Place(document.Get(e, "canary", "passed")), exact.Text(passed), "at most "+exact.Text(total))
		}
	}
}

// listedOnce records that no two different entries of a list have one identity: which of them holds would be a matter of their order.
func listedOnce(d *document.Document, list string, l *finding.Log) {
	first := map[document.Identity]canon.Value{}
	for i, e := range d.Get(list).Elements() {
		who := document.ReadIdentity(e.Get("identity")).Normal()
		if i >= document.MaxItems || !who.Exists() {
			continue
		}
		if before, again := first[who]; !again {
			first[who] = e
		} else if !canon.Equal(before, e) {
			l.Gap(finding.Error, "R002", "listed-twice", d.Place(e)+"/identity", document.Clip(who.String()), "one entry; the first is "+d.Place(before))
		}
	}
}
