package asa

import (
	"errors"
	"io/fs"
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/form"
	"github.com/ark-forge/proveit/verify/asa/lint"
	"github.com/ark-forge/proveit/verify/asa/policy"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// Options are what a caller may choose. The zero value audits strictly under the default readings.
type Options struct {
	Readings  finding.Readings // the readings under which findings are made
	All       bool             // also record gaps that exist only under other readings, as notes
	JSONC     bool             // take comments out before reading; each file that has some gets a note
	AsOf      string           // RFC 3339 "now"; "" for the last instant of the documents
	Strict    bool             // what is not established and warnings make the outcome incomplete
	Type      string           // deliverable type of a standalone verification; "" to take it from the request
	Receipts  Receipts         // finds the receipts that results cite as evidence; nil where none are at hand
	Threshold string           // composite threshold of a standalone verification, a decimal; "" for none
	Policy    *policy.Policy   // what qualifies an evaluator for whoever audits; its readings are for the caller to take. nil for none
}

// ErrNothing says that there is no document that an audit could start from.
var ErrNothing = errors.New("no agreement.json, request.json or result.json found")

// audit is everything that one run knows. Rules read it and record in log.
type audit struct {
	opts Options
	asOf *big.Rat // nil where no document gives a time
	log  *finding.Log
	read []finding.Input

	agreement   *document.Agreement // nil where there is none
	proposal    *document.Agreement
	children    []*document.Agreement
	request     *document.Document
	results     []*document.Result
	events      []document.Event     // nil where there is no log
	messages    []*document.Document // lines of negotiation.jsonl; nil where there is none
	canaries    []*document.Document
	history     []*document.Document
	market      *document.Document
	registry    *document.Document // evaluators.json
	agents      *document.Document
	keys        *document.Document
	export      *document.Document // arp_report.json
	deliverable []byte             // nil where there is none
	deliverName string
	cites       support                   // what receipts bear out, over all results
	unbound     map[*document.Result]bool // results whose content hash differs somewhere
}

// Audit recomputes everything that the files of one folder allow. The error says that the question could not be put: nothing to audit,
// or a file that cannot be read. Documents that are refused are findings.
func Audit(fsys fs.FS, o Options) (*finding.Report, error) {
	set, err := Collect(fsys)
	if err != nil {
		return nil, err
	}
	return set.Audit(o)
}

func (a *audit) report() *finding.Report {
	return &finding.Report{AsOf: exact.InstantText(a.asOf), Inputs: a.read, Log: *a.log, Answers: slices.Concat(a.answers(), a.cites.answer(), a.processAnswers()), Strict: a.opts.Strict}
}

// validate checks the form of what there is: of the agreement, and of its request and results by its version. That of the other files was
// checked when they were read; of a proposal and of the agreements below this one, what would have them refused. Of the latter only the
// numbers are read (R056), so that an excerpt will do.
func (a *audit) validate() {
	if a.agreement != nil {
		form.ValidateAgreement(a.agreement, a.log)
	}
	if a.proposal != nil {
		a.refusals(a.proposal, false)
	}
	for _, child := range a.children {
		a.refusals(child, true)
	}
	under := form.VersionOf(a.agreement)
	if a.request != nil {
		form.ValidateRequest(a.request, under, a.log)
	}
	for _, r := range a.results {
		form.ValidateResult(r, under, a.log)
	}
}

// refusals records what has an agreement refused; of an excerpt, members may be missing.
func (a *audit) refusals(g *document.Agreement, excerpt bool) {
	own := &finding.Log{}
	form.ValidateAgreement(g, own)
	for _, f := range own.Refusals() {
		if !excerpt || f.ID != finding.ID("R002", "missing") {
			a.log.Add(f)
		}
	}
}

// run applies the rules in the order of the requirements. A document refused at entry ends it: nothing that depends on it is recomputed.
func (a *audit) run() {
	if a.validate(); a.log.Rejected() {
		return
	}
	if a.agreement == nil {
		a.standalone()
		return
	}
	a.checkSignatures()
	a.lifecycle()
	a.negotiation()
	a.evaluators()
	a.static().CheckCoverage()
	a.static().CheckTemplate()
	a.checkBinding()
	for _, r := range a.results {
		a.checkResult(a.agreement.Criteria, a.agreement.Payment, r)
	}
	if len(a.results) == 0 {
		a.resultMissing()
	}
	a.static().CheckGuarantees()
	a.static().CheckPayoff()
	a.static().CheckTimers()
	a.checkExport()
	a.checkAfter()
}

// checkResult runs the rules that judge one result.
func (a *audit) checkResult(c document.Criteria, p document.Payment, r *document.Result) {
	a.checkChain(r)
	settlement.CheckScores(c, r, a.log)
	settlement.CheckComposite(a.bench(), c, p, r)
	settlement.CheckGates(a.bench(), c, r)
	settlement.CheckDetermination(a.bench(), c, r)
	a.checkTrail(r)
	a.cites = a.cites.plus(a.checkReceipts(r))
	if len(a.results) == 1 {
		settlement.CheckRelease(a.bench(), c, p, r, a.bound(r))
		a.checkAmounts(c, p, r)
	}
}

// resultMissing says which rules wait for a result.
func (a *audit) resultMissing() {
	for _, r := range []string{"R069", "R073", "R076", "R078", "R080", "R088", "R097"} {
		a.log.Missing(r, "input-missing", "result.json", "a verification result")
	}
}

// walk runs a judgement over the lattice of some switches.
func (a *audit) walk(j finding.Judge, of ...finding.Switch) {
	a.bench().Walk(j, of...)
}

// bench is the audit as the rules on one result see it.
func (a *audit) bench() finding.Run {
	return finding.Run{Log: a.log, Readings: a.opts.Readings, All: a.opts.All}
}

// bound reports whether the deliverable that the result judged is the one that was delivered, as far as anything says.
func (a *audit) bound(r *document.Result) bool { return !a.unbound[r] }

func (a *audit) noteComments(name string, b []byte) {
	if !a.opts.JSONC {
		return
	}
	if _, n := document.StripComments(b); n > 0 {
		a.log.Gap(finding.Note, "R001", "comments", name, exact.Text(exact.Int(int64(n))), "0")
	}
}

// setAsOf takes "now" from the options, or the last instant that events, results or the agreement state.
func (a *audit) setAsOf() error {
	if a.opts.AsOf != "" {
		t, err := exact.Instant(a.opts.AsOf)
		if err != nil {
			return &document.OptionError{Name: "as-of", Found: a.opts.AsOf, Want: "an RFC 3339 date-time"}
		}
		a.asOf = t
		return nil
	}
	later := func(t *big.Rat) {
		if t != nil && (a.asOf == nil || t.Cmp(a.asOf) > 0) {
			a.asOf = t
		}
	}
	for _, e := range a.events {
		later(e.Instant)
	}
	if a.asOf != nil {
		return nil
	}
	for _, r := range a.results {
		later(r.Timestamp)
	}
	if a.agreement != nil {
		later(a.agreement.Created)
	}
	return nil
}

// event is the last event of a type and whether there is one.
func (a *audit) event(kind string) (document.Event, bool) {
	for i := len(a.events) - 1; i >= 0; i-- {
		if a.events[i].Type == kind {
			return a.events[i], true
		}
	}
	return document.Event{}, false
}

// static is the audit as the rules that need no result see it.
func (a *audit) static() lint.Input {
	in := lint.Input{Run: a.bench(), Agreement: a.agreement, Market: a.market, History: a.history}
	in.Released, _ = a.event("released")
	return in
}
