package paper

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/lint"
	"github.com/ark-forge/proveit/verify/asa/reference"
)

// states is P18: six announced, nine named; which of them lack a definition, a drawn cause or an exit.
func (p *paperAudit) states() {
	c := p.claims.Get("states")
	p.gap(finding.Warn, "P18", "states", "L192", c.Get("declared").Number(), fmt.Sprint(c.Get("named").Len()), words(c.Get("named")))
	p.gap(finding.Warn, "P18", "state-undefined", "L192-203", "", words(c.Get("undefined")))
	drawn := document.Text(c.Get("expired_drawn_after"))
	fire := strings.Split(words(c.Get("expiring_timeouts_fire_in")), ", ")
	if !slices.Contains(fire, drawn) {
		p.gap(finding.Warn, "P18", "expired-drawn-elsewhere", "L196", drawn, strings.Join(fire, ", "))
	}
	p.gap(finding.Warn, "P18", "no-exit", "L202", "", words(c.Get("without_exit")))
}

// words joins the strings of an array.
func words(v canon.Value) string {
	var list []string
	for _, e := range v.Elements() {
		list = append(list, document.Text(e))
	}
	return strings.Join(list, ", ")
}

// decimals reads an array of decimal strings.
func decimals(v canon.Value) []*big.Rat {
	var list []*big.Rat
	for _, e := range v.Elements() {
		list = append(list, exact.Must(document.Text(e)))
	}
	return list
}

// incentive is P19: under the default tiers 88 and 76 are paid alike; only continuous release pays 88 more.
func (p *paperAudit) incentive() {
	pay := p.agreement.Payment
	paid := func(composite *big.Rat) (percent, tier, continuous string) {
		t, _ := pay.TierFor(composite)
		money, _ := pay.Split(t.Percent)
		straight, _ := pay.Split(composite)
		return exact.Text(t.Percent), pay.Money(money), pay.Money(straight)
	}
	more := decimals(p.claims.Get("incentive", "claimed_more"))
	percentX, x, straightX := paid(more[0])
	percentY, y, straightY := paid(more[1])
	if x == y {
		p.gap(finding.Warn, "P19", "incentive", "L465", exact.Text(more[0])+" > "+exact.Text(more[1]), x+" = "+y, percentX+" % and "+percentY+" %", "continuous "+straightX+" > "+straightY)
	}
	other := decimals(p.claims.Get("incentive", "claimed_different"))
	a, _, _ := paid(other[0])
	b, _, _ := paid(other[1])
	p.control(a != b, "P19", exact.Text(other[0])+" and "+exact.Text(other[1]))
}

// proseTiers is P20: the table in words leaves composites between its whole numbers undefined.
func (p *paperAudit) proseTiers() {
	bounds := decimals(p.claims.Get("prose_bounds"))
	total := new(big.Rat)
	var holes []string
	for i, row := range p.claims.Get("prose_tiers").Elements() {
		top := decimals(row)[1]
		total.Add(total, exact.Sub(bounds[i], top))
		holes = append(holes, "("+exact.Text(top)+", "+exact.Text(bounds[i])+")")
	}
	p.gap(finding.Warn, "P20", "prose-tiers", "L432-437", strings.Join(holes, " "), exact.Text(total)+"/100")
}

// gateAndTier is P21: the paper's gates on the paper's agreement.
func (p *paperAudit) gateAndTier() {
	both := document.NewAgreement(p.agreement.Document)
	gates := document.ReadCriteria(p.gates.Root)
	both.Criteria.Gates = gates.Gates
	in := lint.Input{Run: finding.Run{Log: &finding.Log{}}, Agreement: both}
	in.Unreachable(document.Descending(both.Payment.TiersOrDefault()))
	for _, f := range in.Log.Findings() {
		f.ID = finding.ID("P21", "gate-and-tier")
		p.log.Add(f)
	}
	for _, g := range gates.Gates {
		cond, ok := document.ParseGate(g.Condition, both.Criteria)
		d, named := both.Criteria.Dimension(cond.Subject)
		if limit := document.Number(d.SLO.Value); ok && named && limit != nil && cond.Bound.Cmp(limit) < 0 {
			p.gap(finding.Note, "P21", "gate-weaker-than-slo", p.gates.Place(g.Value), g.Condition, d.SLO.Operator+" "+exact.Text(limit))
		}
	}
}

// cloudCredit is P22: a credit of 30 cents over 973 000 dollars.
func (p *paperAudit) cloudCredit() {
	c := p.claims.Get("cloud_credit")
	declared, credit, loss := exact.Must(document.Text(c.Get("declared_percent"))), exact.Must(document.Text(c.Get("credit"))), exact.Must(document.Text(c.Get("loss")))
	share := exact.Percent(credit, loss)
	factor := exact.Quo(declared, share)
	thousands := exact.Percent(credit, exact.Quo(loss, exact.Int(1000)))
	p.gap(finding.Error, "P22", "cloud-credit", "L10, L23", exact.Text(declared)+" %", exact.Rounded(share, 7)+" %", "factor "+exact.Rounded(factor, 0), "thousands dropped: "+exact.Rounded(thousands, 2)+" %")
}

func (p *paperAudit) sources() {
	c := p.claims.Get("sources")
	first, _ := c.Get("never_cited").Get("first").Int64()
	last, _ := c.Get("never_cited").Get("last").Int64()
	p.gap(finding.Warn, "P23", "sources", "L15", "> "+c.Get("declared").Number(), c.Get("listed").Number())
	p.gap(finding.Note, "P23", "never-cited", "L550-623", fmt.Sprintf("[%d]-[%d]", first, last), fmt.Sprint(last-first+1))
}

// scaling is P24: the table of §14 from its own assumptions.
func (p *paperAudit) scaling() {
	c := p.claims.Get("scaling")
	seconds := decimals(c.Get("seconds"))
	for _, row := range c.Get("rows").Elements() {
		perDay := exact.Must(document.Text(row.Get("per_day")))
		s := Scale(perDay)
		at := "L545-547 " + document.Text(row.Get("name"))
		declared := exact.Must(document.Text(row.Get("storage_gb")))
		implied := exact.Quo(exact.Mul(declared, exact.Int(1_000_000)), exact.Mul(perDay, exact.Int(365)))
		p.gap(finding.Error, "P24", "storage", at, exact.Text(declared)+" GB", exact.Text(s.StorageGB)+" GB", "factor "+exact.Rounded(exact.Quo(declared, s.StorageGB), 2), "fits "+exact.Rounded(implied, 2)+" KB per agreement")
		workers := decimals(row.Get("evaluators"))
		implies := func(n *big.Rat) string { return exact.Rounded(exact.Quo(exact.Mul(n, exact.Int(86400)), perDay), 1) }
		p.gap(finding.Error, "P24", "evaluators", at, exact.Text(workers[0])+" - "+exact.Text(workers[1]), exact.Rounded(s.EvaluatorsLow, 2)+" - "+exact.Rounded(s.EvaluatorsHigh, 2),
			"with canaries "+exact.Rounded(s.WithCanariesLow, 2)+" - "+exact.Rounded(s.WithCanariesHigh, 2),
			"factors "+exact.Rounded(exact.Quo(workers[0], s.EvaluatorsLow), 2)+" and "+exact.Rounded(exact.Quo(workers[1], s.EvaluatorsHigh), 2),
			"fits "+implies(workers[0])+" - "+implies(workers[1])+" s per evaluation", "ratio "+exact.Rounded(exact.Quo(workers[1], workers[0]), 2)+" against "+exact.Text(exact.Quo(seconds[1], seconds[0])))
		p.control(s.CanaryUSD.Cmp(exact.Must(document.Text(row.Get("canary_usd")))) == 0, "P24", at)
		p.control(exact.Quo(perDay, exact.Must(document.Text(row.Get("agents")))).Cmp(exact.Int(10)) == 0, "P24", at)
	}
}

func (p *paperAudit) canaryTarget() {
	t := strings.Split(words(p.claims.Get("canary_targets")), ", ")
	p.gap(finding.Note, "P25", "canary-target", "L50, L367", t[0], t[1])
}

func (p *paperAudit) notGiven() {
	for _, e := range p.claims.Get("referred_but_not_given").Elements() {
		p.log.Missing("P26", "not-given", "paper", document.Text(e))
	}
}

// templates is P27: what templates and standalone defaults have and the other lacks.
func (p *paperAudit) templates() {
	pairs := []struct{ template, kind string }{{"code_generation", "code"}, {"translation", "translation"}}
	for _, pair := range pairs {
		t, _ := reference.TemplateOf(pair.template)
		d, _ := reference.Defaults(pair.kind)
		p.gap(finding.Note, "P27", "template-differs", "L215-222, L336-344", pair.template+": "+strings.Join(minus(t.Dimensions, d.Dimensions), ", "), pair.kind+": "+strings.Join(minus(d.Dimensions, t.Dimensions), ", "),
			fmt.Sprintf("%d and %d dimensions", len(t.Dimensions), len(d.Dimensions)))
	}
	var names, kinds []string
	names = reference.Templates()
	for _, d := range reference.DefaultDimensions() {
		kinds = append(kinds, d.Type)
	}
	p.gap(finding.Note, "P27", "no-default", "L219", "review", strings.Join(minus([]string{"review"}, kinds), ", "))
	p.gap(finding.Note, "P27", "no-template", "L340-342", "text/analysis, data", strings.Join(minus([]string{"text/analysis", "data"}, names), ", "))
}

// minus is what is in a and not in b.
func minus(a, b []string) []string {
	var rest []string
	for _, x := range a {
		if !slices.Contains(b, x) {
			rest = append(rest, x)
		}
	}
	return rest
}

// weakGuarantees is P28: what "p90 >= 85" and "pass@5 >= 95 %" leave open.
func (p *paperAudit) weakGuarantees() {
	scores := make([]*big.Rat, 100)
	sum := new(big.Rat)
	for i := range scores {
		scores[i] = new(big.Rat)
		if i >= 89 {
			scores[i] = exact.Int(85)
		}
		sum.Add(sum, scores[i])
	}
	if lint.NearestRank(scores, 90).Cmp(exact.Int(85)) >= 0 {
		p.gap(finding.Warn, "P28", "weak-direction", "L57", "p90 >= 85", "89 x 0, 11 x 85", "mean "+exact.Text(exact.Quo(sum, exact.Int(100))))
	}
	p.gap(finding.Note, "P28", "weak-guarantee", "L57", "pass@5 >= 95 %", exact.Rounded(lint.PerAttempt(exact.Int(95), 5), 2)+" %")
}

// features is P29: what the prose describes and no member of the sample agreement holds.
func (p *paperAudit) features() {
	absent := 0
	for _, f := range p.claims.Get("features_without_key").Elements() {
		steps, ok := document.ParsePath(document.Text(f.Get("key")))
		if ok && !steps.Resolve(p.agreement.Root).Exists() {
			absent++
			p.gap(finding.Note, "P29", "no-key", "§4.1", document.Text(f.Get("feature")), document.Text(f.Get("key")))
		}
	}
	p.control(absent == p.claims.Get("features_without_key").Len(), "P29", fmt.Sprint(absent))
}

// controls are the numbers of the paper that hold.
func (p *paperAudit) controls() {
	sum := new(big.Rat)
	for _, d := range p.agreement.Criteria.Dimensions {
		sum.Add(sum, d.Weight)
	}
	p.control(sum.Cmp(exact.Int(1)) == 0, "P01", "weights "+exact.Text(sum))
	for _, d := range reference.DefaultDimensions() {
		total := int64(0)
		for _, w := range d.Weights {
			total += w
		}
		p.control(total == 100 && len(d.Dimensions) == 5, "P27", d.Type)
	}
	for _, f := range p.audited.Log.Findings() {
		for _, silent := range []string{"asa/R073/slo-met-mismatch", "asa/R074/slo-met-mismatch", "asa/R074/missed", "asa/R011/", "asa/R003/", "asa/R016/", "asa/R069/method", "asa/R069/threshold", "asa/R069/agreement-id", "asa/R069/verification-id", "asa/R080/determination", "asa/R078/passed-mismatch"} {
			p.control(!strings.HasPrefix(f.ID, silent), "P03", f.ID)
		}
	}
	p.control(CanaryReduction(exact.Must("0.2"), exact.Must("0.05")).Cmp(exact.Must("75")) == 0, "P24", "canary reduction")
}
