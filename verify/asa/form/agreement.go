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
	signatureForm = regexp.MustCompile(`^([A-Za-z0-9_-]{86}|[0-9a-f]{128})$`)
	semver        = regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`)
)

// ValidateAgreement records R002 to R023 of an agreement.
func ValidateAgreement(a *document.Agreement, l *finding.Log) {
	unknown := checkVersion(a, l)
	w := &walker{doc: a.Document, log: l, unknown: unknown}
	if a.Root.Kind() != canon.Object {
		l.Gap(finding.Reject, "R002", "type", a.At(), document.Shown(a.Root), "an object")
		return
	}
	w.object(a.Root, agreementFields, false)
	if l.Rejected() {
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

// checkVersion records R021 to R023 and says how grave an unknown member is under the declared version.
func checkVersion(a *document.Agreement, l *finding.Log) finding.Severity {
	at, v := a.At("asa_version"), a.Version
	m := semver.FindStringSubmatch(v)
	if m == nil {
		if a.Get("asa_version").Kind() == canon.String {
			l.Gap(finding.Reject, "R021", "not-semver", at, document.Clip(v), "SemVer 2.0.0: three numbers without leading zeros")
		}
		return finding.Warn
	}
	l.OK("R021")
	if m[1] != "1" {
		l.Gap(finding.Reject, "R022", "major-version", at, document.Clip(v), "1.y.z, or an explicit migration")
		return finding.Warn
	}
	if m[4] != "" {
		l.Gap(finding.Warn, "R022", "pre-release", at, document.Clip(v), "a released version")
	}
	l.OK("R023")
	if m[2] != "0" {
		l.Gap(finding.Note, "R022", "newer-minor", at, document.Clip(v), "1.0 is audited; new optional fields take their defaults")
		l.Missing("R023", "newer-schema", at, "the schema of "+document.Clip(v))
		return finding.Note
	}
	l.OK("R022")
	return finding.Warn
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
