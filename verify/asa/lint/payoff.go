package lint

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// interval is a closed range of composites.
type interval struct{ low, high *big.Rat }

// CheckPayoff records R090, R091 and R096: what the shape of the payment says before any score is known.
func (in Input) CheckPayoff() {
	p := in.Agreement.Payment
	in.checkNoise()
	in.checkTiersUsed()
	if !p.Enabled || !p.Graduated {
		in.Log.NA("R096")
		return
	}
	at := in.Agreement.At("escrow", "payment", "graduated_release")
	if p.Continuous {
		in.Log.Gap(finding.Note, "R089", "no-floor", at, "0", "60")
		return
	}
	tiers := document.Descending(p.TiersOrDefault())
	in.cliffs(tiers, at)
	in.Unreachable(tiers)
	in.disputeBound(tiers)
}

// cliffs notes each jump of the payment, the most that a tier pays above the score in percent, and the most that it pays below it.
func (in Input) cliffs(tiers []document.Tier, at string) {
	p := in.Agreement.Payment
	var over, under *big.Rat
	overAt, underAt := "", ""
	for i, t := range tiers {
		if t.GTE == nil || t.Percent == nil || i+1 >= len(tiers) || tiers[i+1].Percent == nil {
			continue
		}
		jump := exact.Sub(t.Percent, tiers[i+1].Percent)
		f := finding.Finding{
			ID: finding.ID("R096", "cliff"), Severity: finding.Note, Outcome: finding.Gap, At: at + "/tiers",
			Declared: exact.Text(tiers[i+1].Percent) + " -> " + exact.Text(t.Percent), Recomputed: exact.Text(t.GTE), Difference: exact.Text(jump),
			Derivation: []string{"witness " + in.witness(t.GTE)},
		}
		if p.Amount != nil {
			f.AmountsRecomputed = exact.Text(exact.Quo(exact.Mul(p.Amount.Rat, jump), exact.Int(100)))
		}
		in.Log.Add(f)
		if d := exact.Sub(t.Percent, t.GTE); over == nil || d.Cmp(over) > 0 {
			over, overAt = d, exact.Text(t.GTE)
		} else if d.Cmp(over) == 0 {
			overAt += ", " + exact.Text(t.GTE)
		}
		if d := exact.Sub(tiers[i+1].Percent, t.GTE); under == nil || d.Cmp(under) < 0 {
			under, underAt = d, exact.Text(t.GTE)
		}
	}
	if over != nil && over.Sign() > 0 {
		in.Log.Gap(finding.Note, "R096", "pays-above-score", at, "composite = "+overAt, "+"+exact.Text(over))
	}
	if under != nil && under.Sign() < 0 {
		in.Log.Gap(finding.Note, "R096", "pays-below-score", at, "composite -> "+underAt+" from below", "> "+exact.Text(under))
	}
}

// witness is a score vector with that composite: booleans true, everything else equal.
func (in Input) witness(composite *big.Rat) string {
	c := in.Agreement.Criteria
	boolean, numeric := new(big.Rat), new(big.Rat)
	for _, d := range c.Dimensions {
		if d.Metric == "boolean" {
			boolean.Add(boolean, d.Weight)
		} else {
			numeric.Add(numeric, d.Weight)
		}
	}
	if numeric.Sign() == 0 || c.Method != "weighted_average" {
		return "composite=" + exact.Text(composite)
	}
	score := exact.Quo(exact.Sub(composite, exact.Mul(boolean, exact.Int(100))), numeric)
	if score.Sign() < 0 || score.Cmp(exact.Int(100)) > 0 {
		return "composite=" + exact.Text(composite)
	}
	return "numeric=" + settlement.ShortText(score) + ", boolean=true"
}

// Unreachable finds tiers that no deliverable that passes every gate can fall into (the reading gate.pay=zero). Composites then lie in
// the interval that the threshold gates leave.
func (in Input) Unreachable(tiers []document.Tier) {
	c := in.Agreement.Criteria
	if len(c.Gates) == 0 || c.Method != "weighted_average" {
		return
	}
	in.Walk(func(rd finding.Readings, l *finding.Log) {
		if rd.Is(finding.GatePay, "tier") {
			return
		}
		left := passing(c)
		above := exact.Int(101)
		for _, t := range tiers {
			low := new(big.Rat)
			if t.GTE != nil {
				low = t.GTE
			}
			// the tier takes [low, above)
			if low.Cmp(left.high) > 0 || above.Cmp(left.low) <= 0 {
				if t.Percent != nil && t.Percent.Sign() > 0 {
					l.Gap(finding.Warn, "R096", "unreachable-tier", in.Agreement.Place(t.Value), exact.Text(low)+" -> "+exact.Text(t.Percent), exact.Text(left.low)+" to "+exact.Text(left.high))
				}
			}
			above = low
		}
	}, finding.GatePay)
}

// passing is the range of composites that the threshold gates leave.
func passing(c document.Criteria) interval {
	bounds := map[string]interval{}
	whole := func() interval { return interval{new(big.Rat), exact.Int(100)} }
	for _, g := range c.Gates {
		cond, ok := document.ParseGate(g.Condition, c)
		if g.Type != "threshold" || !ok {
			continue
		}
		b, ok := bounds[cond.Subject]
		if !ok {
			b = whole()
		}
		bounds[cond.Subject] = b.narrow(cond)
	}
	left := interval{new(big.Rat), new(big.Rat)}
	for _, d := range c.Dimensions {
		b, ok := bounds[d.Name]
		if !ok {
			b = whole()
		}
		left.low = exact.Add(left.low, exact.Mul(d.Weight, b.low))
		left.high = exact.Add(left.high, exact.Mul(d.Weight, b.high))
	}
	if b, ok := bounds["composite"]; ok {
		if b.low.Cmp(left.low) > 0 {
			left.low = b.low
		}
		if b.high.Cmp(left.high) < 0 {
			left.high = b.high
		}
	}
	return left
}

func (i interval) narrow(c document.Condition) interval {
	if (c.Operator == "gte" || c.Operator == "gt" || c.Operator == "eq") && c.Bound.Cmp(i.low) > 0 {
		i.low = c.Bound
	}
	if (c.Operator == "lte" || c.Operator == "lt" || c.Operator == "eq") && c.Bound.Cmp(i.high) < 0 {
		i.high = c.Bound
	}
	return i
}

// disputeBound compares the dispute threshold with the lowest bound that pays.
func (in Input) disputeBound(tiers []document.Tier) {
	v := in.Agreement.Get("dispute", "threshold")
	limit := document.Number(v)
	var lowest *big.Rat
	for _, t := range tiers {
		if t.GTE != nil {
			lowest = t.GTE
		}
	}
	if limit == nil || lowest == nil {
		in.Log.NA("R096")
		return
	}
	in.Log.Check(limit.Cmp(lowest) == 0, finding.Warn, "R096", "dispute-threshold", in.Agreement.Place(v), exact.Text(limit), exact.Text(lowest))
}

// checkNoise records R090. Signed noise means that each bound is within 3 points of the paper's; derived noise shifts every bound by an
// amount that anyone can compute from the payload.
func (in Input) checkNoise() {
	v := in.Agreement.Get("escrow", "payment", "graduated_release", "noise")
	switch mode := document.Text(v.Get("mode")); {
	case !v.Exists():
		in.Log.NA("R090")
	case mode == "derived":
		in.Log.OK("R090")
	case mode == "signed":
		in.signedNoise()
	default:
		in.Log.Missing("R090", "noise-undisclosed", in.Agreement.Place(v), "signed | derived")
	}
}

func (in Input) signedNoise() {
	usual := document.Descending(document.DefaultTiers)
	for i, t := range document.Descending(in.Agreement.Payment.Tiers) {
		if i >= len(usual) || t.GTE == nil || usual[i].GTE == nil {
			continue
		}
		off := exact.Sub(t.GTE, usual[i].GTE)
		in.Log.Check(off.Abs(off).Cmp(exact.Int(3)) <= 0, finding.Error, "R090", "noise-over-three", in.Agreement.Place(t.Value), exact.Text(t.GTE), exact.Text(usual[i].GTE)+" +- 3")
	}
}

// checkTiersUsed records R091: where the release event says which tiers it used, they are the signed ones.
func (in Input) checkTiersUsed() {
	e := in.Released
	used := e.Data("tiers")
	if !used.Exists() {
		in.Log.NA("R091")
		return
	}
	signed := in.Agreement.Get("escrow", "payment", "graduated_release", "tiers")
	got, errGot := exact.Hash(used)
	want, errWant := exact.Hash(signed)
	in.Log.Check(errGot == nil && errWant == nil && got == want, finding.Error, "R091", "other-tiers", e.Document.At("data", "tiers"), document.Clip(used.Raw()), document.Clip(signed.Raw()))
}
