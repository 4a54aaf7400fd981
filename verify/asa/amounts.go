package asa

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// checkAmounts records R093: what the release event paid against the recomputed percentage, to the last unit.
func (a *audit) checkAmounts(c Criteria, p Payment, r *Result) {
	if !p.Enabled {
		return
	}
	e, ok := a.event("released")
	if !ok {
		if a.events == nil {
			a.log.Missing("R093", "input-missing", "events.jsonl", "a released event")
		} else {
			a.log.NA("R093")
		}
		return
	}
	if !a.bound(r) {
		a.log.Missing("R093", "deliverable-not-bound", e.Document.At("data"), "one content hash everywhere")
		return
	}
	a.walk(func(rd finding.Readings, l *finding.Log) {
		percent, step := release(p, decide(c, r, rd), rd)
		if percent == nil || p.Amount == nil {
			l.Missing("R093", "release-unknown", e.Document.At("data"), "a determination and a composite")
			return
		}
		judgeAmounts(p, e, percent, step, l)
	}, paymentSwitches...)
}

func judgeAmounts(p Payment, e Event, percent *big.Rat, step string, l *finding.Log) {
	provider, client := p.split(percent)
	data := e.Get("data")
	toProvider, toClient := anyNumber(data.Get("to_provider")), anyNumber(data.Get("to_client"))
	if toProvider == nil || toClient == nil {
		l.Missing("R093", "amounts-missing", e.Document.At("data"), "to_provider and to_client")
		return
	}
	amounts := []struct {
		name           string
		declared, want *big.Rat
	}{{"to_provider", toProvider, provider}, {"to_client", toClient, client}}
	for _, m := range amounts {
		if m.declared.Cmp(m.want) == 0 {
			l.OK("R093")
			continue
		}
		l.Add(finding.Finding{
			ID: finding.ID("R093", "amount-mismatch"), Severity: finding.Error, Outcome: finding.Gap, At: e.Document.At("data", m.name),
			Declared: shown(data.Get(m.name)), Recomputed: p.money(m.want), Difference: exact.Text(exact.Sub(m.declared, m.want)), Derivation: []string{step},
		})
	}
	total := exact.Add(exact.Add(toProvider, toClient), p.Fees)
	l.Check(total.Cmp(p.Amount.Rat) == 0, finding.Error, "R093", "not-conserved", e.Document.At("data"), exact.Text(total), exact.Text(p.Amount.Rat))
	if code := data.Get("currency"); code.Exists() {
		l.Check(text(code) == p.Currency, finding.Error, "R093", "currency", e.Document.At("data", "currency"), shown(code), p.Currency)
	}
}
