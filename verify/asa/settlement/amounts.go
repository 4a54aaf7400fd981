package settlement

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// JudgeAmounts records R093 of one release event against a percentage.
func JudgeAmounts(p document.Payment, e document.Event, percent *big.Rat, step string, l *finding.Log) {
	provider, client := p.Split(percent)
	toProvider, toClient := paid(e, l)
	if toProvider == nil {
		return
	}
	data := e.Get("data")
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
			Declared: document.Shown(data.Get(m.name)), Recomputed: p.Money(m.want), Difference: exact.Text(exact.Sub(m.declared, m.want)), Derivation: []string{step},
		})
	}
	judgeConserved(p, e, toProvider, toClient, l)
}

// JudgeRuled records R093 of a release that follows a ruling: how it divides the amount is the ruling's, but nothing is lost.
func JudgeRuled(p document.Payment, e document.Event, l *finding.Log) {
	toProvider, toClient := paid(e, l)
	if toProvider == nil || p.Amount == nil {
		return
	}
	l.Missing("R093", "ruling-decides", e.Document.At("data"), "the ruling")
	judgeConserved(p, e, toProvider, toClient, l)
}

// paid are the amounts of a release event; both nil where one is missing.
func paid(e document.Event, l *finding.Log) (toProvider, toClient *big.Rat) {
	toProvider, toClient = document.AnyNumber(e.Data("to_provider")), document.AnyNumber(e.Data("to_client"))
	if toProvider == nil || toClient == nil {
		l.Missing("R093", "amounts-missing", e.Document.At("data"), "to_provider and to_client")
		return nil, nil
	}
	return toProvider, toClient
}

// judgeConserved records that the amounts and the fees are the amount in escrow, in its currency, and that nobody is paid less than nothing.
func judgeConserved(p document.Payment, e document.Event, toProvider, toClient *big.Rat, l *finding.Log) {
	data := e.Get("data")
	total := exact.Add(exact.Add(toProvider, toClient), p.Fees)
	l.Check(total.Cmp(p.Amount.Rat) == 0, finding.Error, "R093", "not-conserved", e.Document.At("data"), exact.Text(total), exact.Text(p.Amount.Rat))
	if code := data.Get("currency"); code.Exists() {
		l.Check(document.Text(code) == p.Currency, finding.Error, "R093", "currency", e.Document.At("data", "currency"), document.Shown(code), p.Currency)
	}
}
