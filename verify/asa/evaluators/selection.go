package evaluators

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// DefaultMutualRounds is after how many rounds without a common name a draw decides (paper §3.6).
const DefaultMutualRounds = 3

// checkMutual records R060. The event evaluator_assigned holds the proposals of each round: {"proposals": [{"client": […], "provider": […]}]},
// identities written "scheme:value". The first round with a common name that qualifies decides; of several, the smallest.
func (p *panel) checkMutual() {
	if p.mode != "mutual_agreement" {
		p.log.NA("R060")
		return
	}
	first, _ := p.assignments()
	proposals := first.Data("proposals")
	if proposals.Kind() != canon.Array {
		p.log.Missing("R060", "input-missing", "events.jsonl", "the proposals of both sides in evaluator_assigned")
		return
	}
	rounds := exact.Int(DefaultMutualRounds)
	if r := document.Number(p.Agreement.Get("verification", "evaluator_selection", "max_rounds")); r != nil {
		rounds = r
	}
	at := first.Document.At("data", "evaluator")
	assigned := p.named(first.Data("evaluator"), at).Identity
	p.log.Walk(p.Readings, p.All, func(rd finding.Readings, l *finding.Log) { p.judgeMutual(rd, proposals, rounds, assigned, at, l) }, finding.CanaryCmp)
}

func (p *panel) judgeMutual(rd finding.Readings, proposals canon.Value, rounds *big.Rat, assigned document.Identity, at string, l *finding.Log) {
	proposed := map[string]bool{} // by both sides in some round
	for i, round := range proposals.Elements() {
		if i >= 100 {
			break
		}
		var common []string
		for _, name := range intersection(round.Get("client"), round.Get("provider")) {
			proposed[name] = true
			if v, _ := p.shortfall(p.namedText(name, at), rd); v == document.True {
				common = append(common, name)
			}
		}
		if len(common) == 0 {
			continue
		}
		if len(common) > 1 {
			l.Gap(finding.Note, "R060", "several-common", at, document.Clip(strings.Join(common, ", ")), document.Clip(common[0]))
		}
		l.Check(assigned.String() == common[0], finding.Error, "R060", "other-pick", at, document.Clip(assigned.String()), document.Clip(common[0]))
		return
	}
	if len(proposed) > 0 && proposed[assigned.String()] {
		l.Gap(finding.Error, "R060", "pick-not-qualified", at, document.Clip(assigned.String()), "a qualified evaluator")
		return
	}
	n := exact.Int(int64(proposals.Len()))
	l.Check(n.Cmp(rounds) >= 0, finding.Error, "R060", "early-fallback", at, exact.Text(n)+" rounds", exact.Text(rounds)+" rounds without a common name before a draw")
}

// intersection is what two lists of strings have in common, sorted.
func intersection(a, b canon.Value) []string {
	in := map[string]bool{}
	for i, e := range a.Elements() {
		if i < document.MaxItems {
			in[document.Text(e)] = true
		}
	}
	var out []string
	for i, e := range b.Elements() {
		if s := document.Text(e); s != "" && in[s] && i < document.MaxItems {
			out = append(out, s)
			delete(in, s)
		}
	}
	slices.Sort(out)
	return out
}

// orders are the orders of a marketplace that can be recomputed; the paper's "best match" has no formula.
var orders = map[string]func(a, b Agent) int{
	"lowest_cost":         func(a, b Agent) int { return compareRats(a.Cost, b.Cost) },
	"most_evaluations":    func(a, b Agent) int { return compareRats(b.Evaluations, a.Evaluations) },
	"highest_canary_rate": func(a, b Agent) int { return compareRats(b.canaryRate(), a.canaryRate()) },
}

// compareRats orders numbers, unknown ones last.
func compareRats(a, b *big.Rat) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return a.Cmp(b)
}

// checkMarketplace records R061: the pick meets the declared criteria and, where an order is declared, is its first.
func (p *panel) checkMarketplace() {
	if p.mode != "marketplace" {
		p.log.NA("R061")
		return
	}
	if p.Registry == nil {
		p.log.Missing("R061", "input-missing", "evaluators.json", "a registry of evaluators")
		return
	}
	pick, known := lookUp(p.Agreement.Party("evaluator"), p.Agreement.At("parties", "evaluator"), p.registry)
	at := p.Agreement.At("parties", "evaluator")
	if !known {
		p.log.Missing("R061", "not-registered", at, "an entry in evaluators.json")
		return
	}
	limit := document.AnyNumber(p.Agreement.Get("verification", "evaluator_selection", "criteria", "max_cost_usd"))
	if limit == nil {
		limit = document.Number(p.Agreement.Get("verification", "max_cost_usd"))
	}
	kind := document.Text(p.Agreement.Get("service", "type"))
	p.log.Check(slices.Contains(pick.Domains, kind), finding.Error, "R061", "domain", at, document.Clip(strings.Join(pick.Domains, ", ")), document.Clip(kind))
	if limit != nil && pick.Cost != nil {
		p.log.Check(pick.Cost.Cmp(limit) <= 0, finding.Error, "R061", "cost", at, exact.Text(pick.Cost), "at most "+exact.Text(limit))
	}
	order, declared := orders[document.Text(p.Agreement.Get("verification", "evaluator_selection", "order"))]
	if !declared {
		p.log.NA("R061") // the ranking
		return
	}
	var pool []Agent
	for _, e := range p.registry {
		if p.eligible(e, p.Readings) == document.True && (limit == nil || e.Cost != nil && e.Cost.Cmp(limit) <= 0) {
			pool = append(pool, e)
		}
	}
	slices.SortStableFunc(pool, func(a, b Agent) int { return cmp.Or(order(a, b), cmp.Compare(a.String(), b.String())) })
	if len(pool) > 0 {
		p.log.Check(pool[0].Identity.Normal() == pick.Identity.Normal(), finding.Error, "R061", "order", at, document.Clip(pick.String()), document.Clip(pool[0].String()))
	}
}

// checkBackup records R067: whoever takes over after a hold is another, independent and qualified.
func (p *panel) checkBackup() {
	first, backups := p.assignments()
	if len(backups) == 0 {
		p.log.NA("R067")
		return
	}
	before := p.named(first.Data("evaluator"), "")
	if !first.Exists() {
		before, _ = lookUp(p.Agreement.Party("evaluator"), "", p.registry)
	}
	for _, b := range backups {
		at := b.Document.At("data", "evaluator")
		e := p.named(b.Data("evaluator"), at)
		p.log.Check(e.Identity.Normal() != before.Identity.Normal(), finding.Error, "R067", "same-evaluator", at, document.Clip(e.String()), "another evaluator")
		recordTies("R067", at, e, p.client, "client", p.log)
		recordTies("R067", at, e, p.provider, "provider", p.log)
		p.checkQualified("R067", e)
	}
}
