package lifecycle

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// checkRefund records the second half of R036: where the provider's timer fired, everything goes back to the client.
func (r *Run) checkRefund() {
	p, fired, paid := r.Agreement.Payment, r.facts.expired, r.facts.released
	if !p.Enabled || p.Amount == nil || !r.facts.funded.Exists() || document.Text(fired.Data("party")) != "provider" {
		return
	}
	if !paid.Exists() {
		r.log.Missing("R036", "not-refunded", "events.jsonl", p.Money(p.Amount.Rat)+" to the client")
		return
	}
	for _, m := range []struct {
		name string
		want *big.Rat
	}{{"to_provider", new(big.Rat)}, {"to_client", exact.Sub(p.Amount.Rat, p.Fees)}} {
		got, payments := r.moved(m.name)
		shown := exact.Text(got)
		if payments == 1 {
			shown = document.Shown(paid.Data(m.name))
		}
		r.log.Check(got != nil && got.Cmp(m.want) == 0, finding.Error, "R036", "refund-differs", paid.At("data", m.name), shown, p.Money(m.want))
	}
}

// moved is the sum of a member over all payments, nil where one of them lacks it, and how many there are.
func (r *Run) moved(name string) (sum *big.Rat, payments int) {
	sum = new(big.Rat)
	for _, e := range r.Events {
		if e.Type != "released" && e.Type != "refunded" {
			continue
		}
		payments++
		if amount := document.AnyNumber(e.Data(name)); amount == nil {
			sum = nil
		} else if sum != nil {
			sum.Add(sum, amount)
		}
	}
	return sum, payments
}
