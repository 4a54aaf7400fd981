package form

import (
	"regexp"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/reference"
)

var (
	signatureForm = regexp.MustCompile(`^([A-Za-z0-9_-]{85}[AQgw]|[0-9a-f]{128})$`)
)

// ValidateAgreement records R002 to R023 of an agreement. Under another major version only that is recorded: the paper has a document judged
// by the schema of the version that it declares (§4.5), which is not known here, so what another schema would say of it is no finding.
func ValidateAgreement(a *document.Agreement, l *finding.Log) {
	if a.Root.Kind() != canon.Object {
		l.Gap(finding.Reject, "R002", "type", a.At(), document.Shown(a.Root), "an object")
		return
	}
	under := checkVersion(a, l)
	if under == Foreign {
		return
	}
	w := &walker{doc: a.Document, log: l, unknown: under.unknown()}
	own := &finding.Log{}
	w.log = own
	w.object(a.Root, agreementFields, false)
	refused := own.Rejected()
	l.Merge(own)
	if w.log = l; refused || under == Malformed {
		return
	}
	l.Check(agreementID.MatchString(a.ID), finding.Reject, "R002", "agreement-id", a.At("agreement_id"), document.Clip(a.ID), "asa- and 1 to 120 of A-Z a-z 0-9 . _ -")
	if a.Expires != nil {
		l.Check(a.Created.Cmp(a.Expires) < 0, finding.Error, "R003", "order", a.At("expires_at"), document.Text(a.Get("expires_at")), "after "+document.Text(a.Get("created_at")))
	}
	w.status(a)
	w.parties(a)
	w.service(a)
	w.criteria(a.Criteria)
	w.verification(a)
	w.escrow(a)
	w.dispute(a)
	for _, party := range []string{"client", "provider"} {
		checkFormat(a.Document, a.Get("signatures", party, "value"), signatureForm, "86 base64url or 128 hex characters", l)
	}
}

func (w *walker) status(a *document.Agreement) {
	v := a.Get("status")
	declared := document.Text(v)
	if document.Lower(declared) != declared {
		w.log.Gap(finding.Note, "R004", "upper-case", w.doc.Place(v), document.Clip(declared), a.Status)
	}
	for _, s := range document.States {
		if s == a.Status {
			w.log.OK("R004")
			return
		}
	}
	w.log.Gap(finding.Reject, "R004", "unknown-status", w.doc.Place(v), document.Clip(declared), strings.Join(document.States, " | "))
}

func (w *walker) parties(a *document.Agreement) {
	for _, party := range []string{"client", "provider", "evaluator"} {
		checkIdentity(w.doc, a.Get("parties", party, "identity"), w.log)
	}
	w.evaluatorType(a.Get("parties", "evaluator", "type"))
}

func (w *walker) evaluatorType(v canon.Value) {
	if document.Text(v) == "hybrid" {
		w.log.Gap(finding.Note, "R005", "alias", w.doc.Place(v), "hybrid", "composite")
		return
	}
	w.oneOf(finding.Error, "R005", "evaluator-type", v, "agent_as_judge", "deterministic", "composite")
}

func (w *walker) service(a *document.Agreement) {
	v := a.Get("service", "type")
	if _, ok := reference.TemplateOf(document.Text(v)); ok {
		w.log.OK("R007")
	} else {
		w.log.Gap(finding.Note, "R007", "no-template", w.doc.Place(v), document.Shown(v), strings.Join(reference.Templates(), " | "))
	}
}

func (w *walker) verification(a *document.Agreement) {
	v := a.Get("verification")
	w.oneOf(finding.Error, "R014", "strategy", v.Get("strategy"), "optimistic", "immediate")
	canary := v.Get("canary_tasks")
	w.oneOf(finding.Warn, "R014", "failure-action", canary.Get("failure_action"), "flag_and_continue")
	w.oneOf(finding.Error, "R014", "selection-mode", document.Get(v, "evaluator_selection", "mode"), "fixed", "random_from_pool", "mutual_agreement", "marketplace")
	w.oneOf(finding.Error, "R065", "consensus-method", document.Get(v, "consensus", "method"), "majority_vote", "median_score")
	if f := canary.Get("frequency"); f.Exists() {
		w.frequency(f)
	}
	w.visibility(v.Get("result_visibility"))
}

func (w *walker) frequency(v canon.Value) {
	m := document.CanaryForm.FindStringSubmatch(document.Text(v))
	ok := m != nil && exact.Must(m[1]).Cmp(exact.Must(m[2])) <= 0
	w.log.Check(ok, finding.Error, "R063", "frequency", w.doc.Place(v), document.Shown(v), "k_per_M_deliveries with k <= M")
}

func (w *walker) visibility(v canon.Value) {
	if !v.Exists() {
		w.log.Gap(finding.Note, "R100", "no-visibility", w.doc.At("verification", "result_visibility"), "", "parties_only | parties_and_arp | public")
		return
	}
	w.oneOf(finding.Error, "R100", "visibility", v, "parties_only", "parties_and_arp", "public")
}

// disputeEvidence is what evidence_includes may name; the paper's §9.3 requires the first four.
var disputeEvidence = []string{"agreement", "deliverable_hash", "verification_result", "identities", "canary_results"}

func (w *walker) dispute(a *document.Agreement) {
	v := a.Get("dispute")
	if !v.Exists() {
		w.log.NA("R018")
		return
	}
	w.oneOf(finding.Warn, "R018", "auto-file", v.Get("auto_file_on"), "verification_failure_below_threshold")
	if t := v.Get("threshold"); t.Exists() {
		w.log.Check(document.IsPercent(t), finding.Error, "R018", "threshold", w.doc.Place(t), document.Shown(t), "0 to 100")
	}
	listed := map[string]bool{}
	for i, e := range v.Get("evidence_includes").Elements() {
		if i >= document.MaxItems {
			break
		}
		listed[document.Text(e)] = true
		w.oneOf(finding.Error, "R018", "evidence", e, disputeEvidence...)
	}
	var absent []string
	for _, e := range disputeEvidence[:4] {
		if !listed[e] {
			absent = append(absent, e)
		}
	}
	w.log.Check(len(absent) == 0, finding.Note, "R018", "evidence-missing", w.doc.At("dispute", "evidence_includes"), "", strings.Join(absent, ", "))
}
