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
// identities written "scheme:value" or as the value alone. The first round with a common name that qualifies decides; of several, the
// smallest. After enough rounds without one a draw decides (R059).
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
	m := p.mutual(first)
	p.log.Walk(p.Readings, p.All, m.judge, finding.CanaryCmp)
}

// mutual is one selection by mutual agreement while it is judged.
type mutual struct {
	*panel
	proposals canon.Value
	rounds    *big.Rat // without a common name before a draw
	at        string   // of the assigned evaluator
	assigned  document.Identity
	drawn     bool // the event says that a draw was used
}

func (p *panel) mutual(first document.Event) mutual {
	m := mutual{panel: p, proposals: first.Data("proposals"), rounds: exact.Int(DefaultMutualRounds), at: first.Document.At("data", "evaluator")}
	if r := document.Number(p.Agreement.Get("verification", "evaluator_selection", "max_rounds")); r != nil {
		m.rounds = r
	}
	m.assigned = p.named(first.Data("evaluator"), m.at).Identity
	m.drawn = document.Text(first.Data("mode")) == "random_from_pool"
	return m
}

// named are the rounds up to the first one that decides: everybody whom both sides named, and of the deciding round those who qualify,
// sorted, or somebody who would come first and whose record is not known.
func (m mutual) named(rd finding.Readings) (common map[document.Identity]bool, qualified []string, open string) {
	common = map[document.Identity]bool{}
	for i, round := range m.proposals.Elements() {
		if i >= 100 {
			break
		}
		for _, who := range m.both(round) {
			name := who.Identity.Normal()
			common[name] = true
			switch v, _ := m.shortfall(who, rd); {
			case v == document.True:
				qualified = append(qualified, name.String())
			case v == document.Unknown && (open == "" || name.String() < open):
				open = name.String()
			}
		}
		slices.Sort(qualified)
		if len(qualified) > 0 && open > qualified[0] {
			open = ""
		}
		if open != "" || len(qualified) > 0 {
			break
		}
	}
	return common, qualified, open
}

// exhausted reports whether enough rounds passed without a common name that qualifies: then a draw decides.
func (m mutual) exhausted(rd finding.Readings) bool {
	_, qualified, open := m.named(rd)
	return len(qualified) == 0 && open == "" && exact.Int(int64(m.proposals.Len())).Cmp(m.rounds) >= 0
}

func (m mutual) judge(rd finding.Readings, l *finding.Log) {
	common, qualified, open := m.named(rd)
	n := exact.Int(int64(m.proposals.Len()))
	switch {
	case open != "":
		l.Missing("R060", "record-unknown", m.at, "the record of "+document.Clip(open)+" in evaluators.json")
	case len(qualified) > 0:
		m.pick(qualified, l)
	case common[m.assigned.Normal()]:
		l.Gap(finding.Error, "R060", "pick-not-qualified", m.at, document.Clip(m.assigned.String()), "a qualified evaluator")
	case n.Cmp(m.rounds) >= 0:
		l.OK("R060") // R059 judges the draw that follows
	case m.drawn:
		l.Gap(finding.Error, "R060", "early-fallback", m.at, exact.Text(n)+" rounds", exact.Text(m.rounds)+" rounds without a common name before a draw")
	default:
		l.Gap(finding.Error, "R060", "never-proposed", m.at, document.Clip(m.assigned.String()), "an evaluator that both sides proposed")
	}
}

// pick compares the assigned evaluator with the common names that qualify, sorted: the smallest decides.
func (m mutual) pick(qualified []string, l *finding.Log) {
	if len(qualified) > 1 {
		l.Gap(finding.Note, "R060", "several-common", m.at, document.Clip(strings.Join(qualified, ", ")), document.Clip(qualified[0]))
	}
	l.Check(m.assigned.Normal().String() == qualified[0], finding.Error, "R060", "other-pick", m.at, document.Clip(m.assigned.String()), document.Clip(qualified[0]))
}

// both are those whom the two sides of a round have in common, each once.
func (m mutual) both(round canon.Value) []Agent {
	in := map[document.Identity]bool{}
	for i, e := range round.Get("client").Elements() {
		if i < document.MaxItems {
			in[m.panel.named(e, m.at).Identity.Normal()] = true
		}
	}
	var out []Agent
	for i, e := range round.Get("provider").Elements() {
		who := m.panel.named(e, m.at)
		if i < document.MaxItems && who.Identity.Exists() && in[who.Identity.Normal()] {
			out = append(out, who)
			delete(in, who.Identity.Normal())
		}
	}
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
