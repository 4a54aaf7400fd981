package evaluators

import (
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// verified is the event that may hold the joint outcome, "result" and "payment_release_percent"; the paper gives a joint outcome no document.
// The payments hold the amounts.
func (in ConsensusInput) verified() (last document.Event) {
	for _, e := range in.Events {
		if e.Type == "verified" {
			last = e
		}
	}
	return last
}

// ruled reports whether a dispute was resolved: what is paid then is the ruling's.
func (in ConsensusInput) ruled() bool {
	return slices.ContainsFunc(in.Events, func(e document.Event) bool { return e.Type == "dispute_resolved" })
}

// judge compares the joint outcome under some readings with what is declared.
func (in ConsensusInput) judge(rd finding.Readings, l *finding.Log) {
	got := in.agree(rd)
	verified := in.verified()
	at := in.Agreement.At("verification", "consensus")
	declared := verified.Data("result")
	switch {
	case got.Verdict == "" && got.Split:
		l.Missing("R065", "tie", at, "a strict majority: a tie is no PASS")
	case got.Verdict == "":
		l.Missing("R065", "outcome-unknown", at, "a verdict of enough results")
	case !declared.Exists():
		l.Missing("R065", "outcome-not-declared", at, got.Verdict)
	default:
		l.Check(document.Text(declared) == got.Verdict, finding.Error, "R065", "outcome-differs", verified.At("data", "result"), document.Shown(declared), got.Verdict)
	}
	if got.Percent == nil {
		return
	}
	if v := document.Number(verified.Data("payment_release_percent")); v != nil {
		l.Check(v.Cmp(got.Percent) == 0, finding.Error, "R065", "release-differs", verified.At("data", "payment_release_percent"), exact.Text(v), settlement.ShortText(got.Percent))
	}
	if p, paid := in.Agreement.Payment, settlement.PaidBy(in.Events); len(paid.Events) > 0 && p.Amount != nil && !in.ruled() {
		provider, client := p.Split(got.Percent)
		in.compareAmount(paid, "to_provider", paid.Provider, provider, l)
		in.compareAmount(paid, "to_client", paid.Client, client, l)
	}
}

func (in ConsensusInput) compareAmount(paid settlement.Paid, name string, got, want *big.Rat, l *finding.Log) {
	if got == nil {
		l.Missing("R065", "amounts-missing", paid.At(name), in.Agreement.Payment.Money(want))
		return
	}
	l.Check(got.Cmp(want) == 0, finding.Error, "R065", "amount-differs", paid.At(name), paid.Shown(name, got), in.Agreement.Payment.Money(want))
}
