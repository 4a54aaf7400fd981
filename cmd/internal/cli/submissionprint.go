package cli

import (
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/submission"
)

type submissionDoc struct {
	Format      string              `json:"format"`
	Result      string              `json:"result"`
	ExitCode    int                 `json:"exit_code"`
	Submissions []checkedSubmission `json:"submissions"`
	Unread      []report.Notice     `json:"unread"`
}

// checkedSubmission is one file as printed.
type checkedSubmission struct {
	File       string             `json:"file"`
	Accepted   bool               `json:"accepted"` // by the entry
	Result     string             `json:"result"`
	Refusals   []refusal          `json:"refusals"`
	Advice     []refusal          `json:"advice"`  // changes nothing at entry
	Remarks    []refusal          `json:"remarks"` // what the close will say whatever the receipts give
	Assertions []checkedAssertion `json:"assertions"`
	Missing    []missingNote      `json:"missing"`
}

// refusal has the five parts of every refusal: code, expected, found, where, next.
type refusal struct {
	Code     verify.Reason `json:"code"`
	Expected string        `json:"expected"`
	Found    string        `json:"found"`
	File     string        `json:"file"`
	Pointer  string        `json:"pointer"`
	Line     int           `json:"line,omitempty"`
	Col      int           `json:"col,omitempty"`
	Hint     string        `json:"hint,omitempty"`
	Next     string        `json:"next"`
}

type checkedAssertion struct {
	ID     string         `json:"id"`
	Proofs []checkedProof `json:"proofs"`
}

// checkedProof is one cited proof with the four conditions. Skipped is "cannot be known yet".
type checkedProof struct {
	ProofID    string         `json:"proof_id"`
	Conditions []report.Check `json:"conditions"`
}

func (a *app) refusals(list submission.Refusals) []refusal {
	out := []refusal{}
	for _, r := range list {
		one := a.refusalOf(&r.Failure)
		one.Line, one.Col, one.Hint = r.Line, r.Col, r.Hint
		out = append(out, one)
	}
	return out
}

func (a *app) refusalOf(f *verify.Failure) refusal {
	message, _ := report.Explain(f.Reason, a.dataLang())
	return refusal{Code: f.Reason, Expected: f.Wanted, Found: f.Found, File: f.File, Pointer: f.Pointer, Next: message.Next}
}

func (a *app) checkedSubmission(p *replay.Prechecked) checkedSubmission {
	one := checkedSubmission{File: p.Name, Accepted: len(p.Refusals) == 0, Result: p.Outcome.String(), Refusals: a.refusals(p.Refusals), Advice: a.refusals(p.Advice),
		Remarks: []refusal{}, Assertions: []checkedAssertion{}, Missing: a.missingNotes(p.Missing)}
	for _, f := range p.Remarks {
		one.Remarks = append(one.Remarks, a.refusalOf(f))
	}
	for _, id := range p.Pending {
		one.Missing = append(one.Missing, missingNote{"anchor", id, report.Fetch("anchor", id, a.dataLang())})
	}
	slices.SortFunc(one.Missing, func(a, b missingNote) int { return compareText(a.Kind+" "+a.ID, b.Kind+" "+b.ID) })
	one.Missing = slices.Compact(one.Missing)
	for _, as := range p.Assertions {
		checked := checkedAssertion{ID: as.ID, Proofs: []checkedProof{}}
		for _, pr := range as.Proofs {
			checked.Proofs = append(checked.Proofs, checkedProof{pr.ProofID, report.ChecksOf(pr.Checks)})
		}
		one.Assertions = append(one.Assertions, checked)
	}
	return one
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// printSubmission prints one file: why the entry refuses it, or what is established of each assertion.
func (a *app) printSubmission(p *replay.Prechecked, one *checkedSubmission) {
	if !one.Accepted {
		a.printf("%s%s%s\n", p.Name, report.Colon(a.lang), report.Label("refused", a.lang))
		a.printRefusals(p.Refusals)
		return
	}
	a.printf("%s%s%s\n", p.Name, report.Colon(a.lang), report.Label("accepted", a.lang))
	for _, r := range p.Advice {
		a.printf("%s %s\n", a.status("advice"), r.Reason)
		a.detail(r.Reason, &r.Failure)
	}
	for _, f := range p.Remarks {
		a.printf("%s %s\n", a.status("close"), f.Reason)
		a.detail(f.Reason, f)
	}
	for _, as := range p.Assertions {
		a.printf("%s%s%s %s = %s\n", as.ID, report.Colon(a.lang), as.Claim.Resource, as.Claim.Field, canon.AppendCanonical(nil, as.Claim.Value))
		for _, pr := range as.Proofs {
			a.printf("  %s\n", pr.ProofID)
			a.checks(pr.Checks)
		}
	}
	a.printMissing(one.Missing)
}

func (a *app) printRefusals(list submission.Refusals) {
	for _, r := range list {
		a.failure(&r.Failure)
		a.part("hint", r.Hint)
	}
}
