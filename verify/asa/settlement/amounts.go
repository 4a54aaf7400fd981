package settlement

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Paid is what the released and refunded events of one agreement moved, all together: a second payment is no less money than the first.
type Paid struct {
	Provider, Client *big.Rat         // sums of to_provider and to_client; both nil where an event lacks one of them, or where there is none
	Events           []document.Event // in their order
}

// PaidBy sums up the payments among some events.
func PaidBy(events []document.Event) Paid {
	var p Paid
	stated := true
	provider, client := new(big.Rat), new(big.Rat)
	for _, e := range events {
		if e.Type != "released" && e.Type != "refunded" {
			continue
		}
		p.Events = append(p.Events, e)
		toProvider, toClient := document.AnyNumber(e.Data("to_provider")), document.AnyNumber(e.Data("to_client"))
		if toProvider == nil || toClient == nil {
			stated = false
			continue
		}
		provider.Add(provider, toProvider)
		client.Add(client, toClient)
	}
	if stated && len(p.Events) > 0 {
		p.Provider, p.Client = provider, client
	}
	return p
}

// At is where the last payment stands; there must be one.
func (p Paid) At(names ...string) string {
	return p.Events[len(p.Events)-1].At(append([]string{"data"}, names...)...)
}

// Shown is an amount as its one event has it, or as a sum.
func (p Paid) Shown(name string, sum *big.Rat) string {
	if len(p.Events) == 1 {
		return document.Shown(p.Events[0].Data(name))
	}
	return exact.Text(sum)
}

// JudgeAmounts records R093 of payments against a percentage.
func JudgeAmounts(p document.Payment, paid Paid, percent *big.Rat, step string, l *finding.Log) {
	if !stated(paid, l) {
		return
	}
	provider, client := p.Split(percent)
	amounts := []struct {
		name           string
		declared, want *big.Rat
	}{{"to_provider", paid.Provider, provider}, {"to_client", paid.Client, client}}
	for _, m := range amounts {
		if m.declared.Cmp(m.want) == 0 {
			l.OK("R093")
			continue
		}
		l.Add(finding.Finding{
			ID: finding.ID("R093", "amount-mismatch"), Severity: finding.Error, Outcome: finding.Gap, At: paid.At(m.name),
			Declared: paid.Shown(m.name, m.declared), Recomputed: p.Money(m.want), Difference: exact.Text(exact.Sub(m.declared, m.want)), Derivation: []string{step},
		})
	}
	judgeConserved(p, paid, l)
}

// JudgeRuled records R093 of payments that follow a ruling: how they divide the amount is the ruling's, but nothing is lost.
func JudgeRuled(p document.Payment, paid Paid, l *finding.Log) {
	if p.Amount == nil || !stated(paid, l) {
		return
	}
	l.Missing("R093", "ruling-decides", paid.At(), "the ruling")
	judgeConserved(p, paid, l)
}

func stated(paid Paid, l *finding.Log) bool {
	if paid.Provider == nil {
		l.Missing("R093", "amounts-missing", paid.At(), "to_provider and to_client")
	}
	return paid.Provider != nil
}

// judgeConserved records that the amounts and the fees are the amount in escrow, in its currency.
func judgeConserved(p document.Payment, paid Paid, l *finding.Log) {
	total := exact.Add(exact.Add(paid.Provider, paid.Client), p.Fees)
	l.Check(total.Cmp(p.Amount.Rat) == 0, finding.Error, "R093", "not-conserved", paid.At(), exact.Text(total), exact.Text(p.Amount.Rat))
	for _, e := range paid.Events {
		if code := e.Data("currency"); code.Exists() {
			l.Check(document.Text(code) == p.Currency, finding.Error, "R093", "currency", e.At("data", "currency"), document.Shown(code), p.Currency)
		}
	}
}
