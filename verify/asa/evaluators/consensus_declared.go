package evaluators

import (
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// declared is the joint outcome as the events have it: the verified event may hold "result" and "payment_release_percent", the released
// event holds the amounts. The paper gives a joint outcome no document.
func (in ConsensusInput) declared() (verified, released document.Event) {
	for _, e := range in.Events {
		switch e.Type {
		case "verified":
			verified = e
		case "released":
			released = e
		}
	}
	return verified, released
}

// ruled reports whether a dispute was resolved: what is paid then is the ruling's.
func (in ConsensusInput) ruled() bool {
	return slices.ContainsFunc(in.Events, func(e document.Event) bool { return e.Type == "dispute_resolved" })
}

// judge compares the joint outcome under some readings with what is declared.
func (in ConsensusInput) judge(rd finding.Readings, l *finding.Log) {
	got := in.agree(rd)
	verified, released := in.declared()
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
	if p := in.Agreement.Payment; released.Exists() && p.Amount != nil && !in.ruled() {
		provider, client := p.Split(got.Percent)
		in.compareAmount(released, "to_provider", provider, l)
		in.compareAmount(released, "to_client", client, l)
	}
}

func (in ConsensusInput) compareAmount(e document.Event, name string, want *big.Rat, l *finding.Log) {
	got := document.AnyNumber(e.Data(name))
	l.Check(got != nil && got.Cmp(want) == 0, finding.Error, "R065", "amount-differs", e.At("data", name), shownOr(e.Data(name), "absent"), in.Agreement.Payment.Money(want))
}

func shownOr(v canon.Value, absent string) string {
	if !v.Exists() {
		return absent
	}
	return document.Shown(v)
}
