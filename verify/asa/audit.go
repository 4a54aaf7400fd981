package asa

import (
	"io/fs"
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/binding"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/followup"
	"github.com/ark-forge/proveit/verify/asa/lint"
	"github.com/ark-forge/proveit/verify/asa/policy"
	"github.com/ark-forge/proveit/verify/asa/receipts"
	"github.com/ark-forge/proveit/verify/asa/settlement"
	"github.com/ark-forge/proveit/verify/asa/signing"
)

// Options are what a caller may choose. The zero value audits strictly under the default readings.
type Options struct {
	Readings  finding.Readings // the readings under which findings are made
	All       bool             // also record gaps that exist only under other readings, as notes
	JSONC     bool             // take comments out before reading; each file that has some gets a note
	AsOf      string           // RFC 3339 "now"; "" for the last instant of the documents
	Strict    bool             // what is not established and warnings make the outcome incomplete
	Type      string           // deliverable type of a standalone verification; "" to take it from the request
	Receipts  receipts.Find    // finds the receipts that results cite as evidence; nil where none are at hand
	Threshold string           // composite threshold of a standalone verification, a decimal; "" for none
	Inputs    []finding.Input  // files that were read for this audit beside its documents, those of the receipts; the report lists them
	Policy    *policy.Policy   // what qualifies an evaluator for whoever audits; its readings are for the caller to take. nil for none
}

// audit is everything that one run knows. Rules read it and record in its log.
type audit struct {
	finding.Run
	*folder.Documents
	opts    Options
	asOf    *big.Rat                  // nil where no document gives a time
	cites   receipts.Support          // what receipts bear out, over all results
	unbound map[*document.Result]bool // results whose content hash differs somewhere
}

// open parses the documents of a set. Documents that are refused are findings; the error is an option that cannot be used.
func open(s folder.Set, o Options) (*audit, error) {
	l := &finding.Log{}
	a := &audit{Run: finding.Run{Log: l, Readings: o.Readings, All: o.All}, Documents: s.Open(o.JSONC, l), opts: o, unbound: map[*document.Result]bool{}}
	a.Inputs = append(a.Inputs, o.Inputs...)
	if o.Policy != nil {
		a.Inputs = append(a.Inputs, o.Policy.Input)
	}
	slices.SortStableFunc(a.Inputs, func(x, y finding.Input) int { return strings.Compare(x.Path, y.Path) })
	var err error
	a.asOf, err = a.Now(o.AsOf)
	return a, err
}

// Audit recomputes everything that the files of one folder allow. The error says that the question could not be put: nothing to audit,
// or a file that cannot be read. Documents that are refused are findings.
func Audit(fsys fs.FS, o Options) (*finding.Report, error) {
	set, err := folder.Collect(fsys)
	if err != nil {
		return nil, err
	}
	return AuditSet(set, o)
}

func (a *audit) report() *finding.Report {
	return &finding.Report{AsOf: exact.InstantText(a.asOf), Inputs: a.Inputs, Log: *a.Log, Answers: slices.Concat(a.answers(), a.cites.Answers(), a.processAnswers()), Strict: a.opts.Strict}
}

// run applies the rules in the order of the requirements. A document refused at entry ends it: nothing that depends on it is recomputed.
func (a *audit) run() {
	if a.Validate(a.Log); a.Log.Rejected() {
		return
	}
	if a.Agreement == nil {
		a.standalone()
		return
	}
	signing.Check(a.Documents, a.Log)
	a.lifecycle()
	a.negotiation()
	a.evaluators()
	a.static().CheckCoverage()
	a.static().CheckTemplate()
	a.binding().CheckDeliverable()
	for _, r := range a.Results {
		a.checkResult(a.Agreement.Criteria, a.Agreement.Payment, r)
	}
	if len(a.Results) == 0 {
		a.resultMissing()
	}
	a.static().CheckGuarantees()
	a.static().CheckPayoff()
	a.static().CheckTimers()
	a.followup().Check()
}

// checkResult runs the rules that judge one result.
func (a *audit) checkResult(c document.Criteria, p document.Payment, r *document.Result) {
	a.binding().CheckChain(r)
	settlement.CheckScores(c, r, a.Log)
	settlement.CheckComposite(a.Run, c, p, r)
	settlement.CheckGates(a.Run, c, r)
	settlement.CheckDetermination(a.Run, c, r)
	a.binding().CheckTrail(r)
	a.cites = a.cites.Plus(receipts.Check(a.opts.Receipts, r, a.Log))
	if len(a.Results) == 1 {
		settlement.CheckRelease(a.Run, c, p, r, a.binding().Bound(r))
		a.followup().CheckAmounts(c, p, r)
	}
}

// resultMissing says which rules wait for a result.
func (a *audit) resultMissing() {
	for _, r := range []string{"R069", "R073", "R076", "R078", "R080", "R088", "R097"} {
		a.Log.Missing(r, "input-missing", "result.json", "a verification result")
	}
}

// binding is the audit as the rules on what belongs together see it.
func (a *audit) binding() binding.Input {
	return binding.Input{Documents: a.Documents, Log: a.Log, Unbound: a.unbound}
}

// followup is the audit as the rules on what follows a verification see it.
func (a *audit) followup() followup.Input {
	return followup.Input{Run: a.Run, Documents: a.Documents, AsOf: a.asOf, Bound: a.binding().Bound}
}

// static is the audit as the rules that need no result see it.
func (a *audit) static() lint.Input {
	in := lint.Input{Run: a.Run, Agreement: a.Agreement, Market: a.Market, History: a.History}
	in.Released, _ = a.Event("released")
	return in
}
