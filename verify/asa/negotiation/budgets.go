package negotiation

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// checkCosts records R055 of the signed agreement, or of the proposal where there is none.
func (s *session) checkCosts() {
	g := s.Agreement
	if g == nil {
		g = s.base
	}
	if g == nil {
		return
	}
	c := g.Get("service", "constraints")
	at := func(name string) string { return g.At("service", "constraints", name) }
	s.log.Check(c.Get("max_tokens").Exists(), finding.Note, "R055", "no-token-budget", at("max_tokens"), "", "a token budget")
	s.log.Check(c.Get("max_cost_usd").Exists() || c.Get("max_compute_cost_usd").Exists(), finding.Note, "R055", "no-compute-cost", at("max_cost_usd"), "", "a compute cost")
	s.log.Check(c.Get("max_api_calls").Exists(), finding.Note, "R055", "no-call-limit", at("max_api_calls"), "", "a limit of API calls")
	s.checkCostCap(g.At("escrow", "payment", "amount"), g.Get("escrow", "payment", "amount"), c.Get("max_cost_usd"))
}

// checkCostsInForce records R055 for the terms after a message that touches the amount or the cap.
func (s *session) checkCostsInForce(m *Message, changes []applied) {
	const capPath = "service.constraints.max_cost_usd"
	if slices.ContainsFunc(changes, func(c applied) bool { return c.path == pricePath || c.path == capPath }) {
		s.checkCostCap(m.At("proposed_changes"), s.inForceAt(pricePath), s.inForceAt(capPath))
	}
}

// checkCostCap compares an amount with max_cost_usd where the currency is the US dollar or a token that bears its name.
func (s *session) checkCostCap(at string, amount, limit canon.Value) {
	a, most := document.DecimalText(amount), document.Number(limit)
	if a == nil || most == nil || s.base == nil || !strings.HasPrefix(s.base.Payment.Currency, "USD") {
		return
	}
	s.log.Check(a.Rat.Cmp(most) <= 0, finding.Warn, "R055", "amount-over-cap", at, exact.Text(a.Rat), "at most "+exact.Text(most))
}

// Budgets records R056: what the children of an agreement may use together is at most what their parent may, for every numeric
// constraint and at every level.
func Budgets(g *document.Agreement, children []*document.Agreement, l *finding.Log) {
	if g == nil {
		return
	}
	all := append([]*document.Agreement{g}, children[:min(len(children), document.MaxItems)]...)
	known, below := map[string]*document.Agreement{}, map[string][]*document.Agreement{}
	for _, x := range all {
		if other, twice := known[x.ID]; twice {
			l.Gap(finding.Error, "R056", "id-reused", x.At("agreement_id"), document.Clip(x.ID), other.Name)
			continue
		}
		known[x.ID] = x
		if parent := parentOf(x); parent != "" {
			below[parent] = append(below[parent], x)
		}
	}
	for _, x := range all {
		switch parent := parentOf(x); {
		case parent == "" && len(children) == 0:
			l.NA("R056")
		case parent == "" && x != g:
			l.Missing("R056", "no-parent", x.At("parent_agreement_id"), "parent_agreement_id")
		case parent != "" && known[parent] == nil:
			l.Missing("R056", "no-parent", x.At("parent_agreement_id"), document.Clip(parent))
		case inCycle(x, known):
			l.Gap(finding.Error, "R056", "cycle", x.At("parent_agreement_id"), document.Clip(parent), "no agreement among its own ancestors")
		}
		if known[x.ID] == x {
			checkBudget(x, below[x.ID], l)
		}
	}
}

func parentOf(g *document.Agreement) string { return document.Text(g.Get("parent_agreement_id")) }

// inCycle reports whether an agreement is among its own ancestors.
func inCycle(g *document.Agreement, known map[string]*document.Agreement) bool {
	at := g
	for range len(known) {
		if at = known[parentOf(at)]; at == nil {
			return false
		}
		if at.ID == g.ID {
			return true
		}
	}
	return false
}

func checkBudget(parent *document.Agreement, children []*document.Agreement, l *finding.Log) {
	if len(children) == 0 {
		return
	}
	n := 0
	for name, v := range parent.Get("service", "constraints").Members() {
		most := document.Number(v)
		if n++; n > 100 || most == nil {
			continue
		}
		sum, all := new(big.Rat), true
		var steps []string
		for _, c := range children {
			part := document.Number(c.Get("service", "constraints", name))
			if part == nil {
				l.Missing("R056", "child-without-limit", c.At("service", "constraints", document.Clip(name)), "a limit within the parent's")
				all = false
				continue
			}
			sum.Add(sum, part)
			steps = append(steps, document.Clip(c.ID)+": "+exact.Text(part))
		}
		if sum.Cmp(most) <= 0 {
			if all {
				l.OK("R056")
			}
			continue
		}
		l.Add(finding.Finding{
			ID: finding.ID("R056", "budget-exceeded"), Severity: finding.Error, Outcome: finding.Gap, At: parent.Place(v),
			Declared: exact.Text(most), Recomputed: exact.Text(sum), Difference: exact.Text(exact.Sub(most, sum)), Derivation: steps[:min(len(steps), 20)],
		})
	}
}
