package settlement

import (
	"math/big"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Term is one dimension inside a composite.
type Term struct {
	Name   string
	weight *big.Rat
	Points *big.Rat // 0 to 100
	text   string   // the weight as written
	Shown  string   // the points as shown in a derivation
}

// Terms lines up weights and scores. It fails where a dimension has no score that counts.
func Terms(c document.Criteria, r *document.Result, rd finding.Readings) ([]Term, bool) {
	var ts []Term
	for _, d := range c.Dimensions {
		if d.Metric == "boolean" && rd.Is(finding.BoolMap, "dropped") {
			continue
		}
		s, ok := r.Score(d.Name)
		if !ok || d.Weight == nil {
			return nil, false
		}
		p := d.Points(s.Score)
		if p == nil {
			return nil, false
		}
		ts = append(ts, Term{Name: d.Name, weight: d.Weight, Points: p, text: d.Value.Get("weight").Number(), Shown: exact.Text(p)})
	}
	if rd.Is(finding.BoolMap, "dropped") {
		if total := totalWeight(ts); total.Sign() > 0 {
			for i := range ts {
				ts[i].weight = exact.Quo(ts[i].weight, total)
				ts[i].text = exact.Text(ts[i].weight)
			}
		}
	}
	return ts, len(ts) > 0
}

func totalWeight(ts []Term) *big.Rat {
	total := new(big.Rat)
	for _, t := range ts {
		total.Add(total, t.weight)
	}
	return total
}

// Composite is the exact composite of a result and its derivation; nil where a score is missing or the method is unknown.
func Composite(c document.Criteria, r *document.Result, rd finding.Readings) (*big.Rat, []string) {
	if len(c.Dimensions) == 0 {
		return nil, nil
	}
	key := document.CompositeKey{Dimensions: &c.Dimensions[0], Dropped: rd.Is(finding.BoolMap, "dropped")}
	return r.Remember(key, func() (*big.Rat, []string) {
		ts, ok := Terms(c, r, rd)
		if !ok {
			return nil, nil
		}
		return Combine(c.Method, ts)
	})
}

// Combine is the composite of some terms by a method; nil where the method is unknown.
func Combine(method string, ts []Term) (*big.Rat, []string) {
	switch method {
	case "weighted_average":
		return average(ts)
	case "harmonic_mean":
		return harmonic(ts)
	case "geometric_mean":
		return geometric(ts)
	}
	return nil, nil
}

func average(ts []Term) (*big.Rat, []string) {
	sum := new(big.Rat)
	var steps []string
	for _, t := range ts {
		product := exact.Mul(t.weight, t.Points)
		sum.Add(sum, product)
		steps = append(steps, t.text+"*"+t.Shown+"="+exact.Text(product))
	}
	return sum, append(steps, "sum="+exact.Text(sum))
}

func harmonic(ts []Term) (*big.Rat, []string) {
	sum := new(big.Rat)
	var steps []string
	for _, t := range ts {
		if t.Points.Sign() == 0 {
			return new(big.Rat), []string{t.Name + "=0"}
		}
		q := exact.Quo(t.weight, t.Points)
		sum.Add(sum, q)
		steps = append(steps, t.text+"/"+t.Shown+"="+exact.Text(q))
	}
	if sum.Sign() == 0 {
		return nil, nil
	}
	mean := exact.Quo(totalWeight(ts), sum)
	return mean, append(steps, "weights/sum="+exact.Text(mean))
}

func geometric(ts []Term) (*big.Rat, []string) {
	total := totalWeight(ts)
	if total.Sign() == 0 {
		return nil, nil
	}
	var factors []exact.Power
	var steps []string
	for _, t := range ts {
		if t.Points.Sign() == 0 {
			return new(big.Rat), []string{t.Name + "=0"}
		}
		factors = append(factors, exact.Power{Base: t.Points, Exponent: exact.Quo(t.weight, total)})
		steps = append(steps, t.Shown+"^"+t.text)
	}
	mean := exact.Product(factors)
	return mean, append(steps, "product~"+exact.Rounded(mean, 12))
}

// CheckComposite records R076 and R077: a declared composite may be off by half a unit of its last digit and no more, and wherever the
// declared and the exact value fall on different sides of a bound, the exact one decides.
func CheckComposite(run finding.Run, c document.Criteria, p document.Payment, r *document.Result) {
	at := r.At("composite", "score")
	if value, _ := Composite(c, r, run.Readings); value == nil {
		run.Log.Missing("R076", "composite-unknown", at, "a valid score for every dimension and a known method")
		run.Log.Missing("R077", "composite-unknown", at, "a composite")
		return
	}
	run.Walk(func(rd finding.Readings, l *finding.Log) { judgeComposite(c, p, r, rd, l) }, finding.BoolMap)
}

func judgeComposite(c document.Criteria, p document.Payment, r *document.Result, rd finding.Readings, l *finding.Log) {
	at := r.At("composite", "score")
	value, steps := Composite(c, r, rd)
	if value == nil || r.Composite == nil {
		return
	}
	tolerance := exact.HalfUnit(r.Composite.Places)
	gap := exact.Sub(r.Composite.Rat, value)
	if new(big.Rat).Abs(gap).Cmp(tolerance) > 0 {
		repairs, keeping := repairsOf(c, r, rd, gap)
		l.Add(finding.Finding{
			ID: finding.ID("R076", "composite-mismatch"), Severity: finding.Error, Outcome: finding.Gap, At: at,
			Declared: document.Shown(r.Get("composite", "score")), Recomputed: ShortText(value), Difference: ShortText(gap), Tolerance: exact.Text(tolerance),
			Derivation: steps, Repairs: repairs, Keeping: keeping, Formulas: formulas(c, r),
		})
		return
	}
	l.OK("R076")
	for _, b := range BoundsOf(c, p) {
		declaredSide, exactSide := r.Composite.Rat.Cmp(b) >= 0, value.Cmp(b) >= 0
		l.Check(declaredSide == exactSide, finding.Error, "R077", "rounding-decides", at, document.Shown(r.Get("composite", "score")), ShortText(value)+" / "+exact.Text(b))
	}
}

// ShortText is exact where a short decimal is, otherwise a decimal of twelve places marked as cut.
func ShortText(r *big.Rat) string {
	if s := exact.Text(r); len(s) <= 24 && !strings.Contains(s, "/") {
		return s
	}
	return "~" + exact.Rounded(r, 12)
}

// BoundsOf are the composites at which the pass decision or the payment changes.
func BoundsOf(c document.Criteria, p document.Payment) []*big.Rat {
	var bounds []*big.Rat
	if c.Threshold != nil {
		bounds = append(bounds, c.Threshold)
	}
	if p.Enabled && p.Graduated && !p.Continuous {
		for _, t := range p.TiersOrDefault() {
			if t.GTE != nil {
				bounds = append(bounds, t.GTE)
			}
		}
	}
	return bounds
}

// repairsOf lists the changes of one score that would make the declared composite right, and those that leave every SLO met and are
// values that the dimension can take.
func repairsOf(c document.Criteria, r *document.Result, rd finding.Readings, gap *big.Rat) (repairs []finding.Repair, keeping []string) {
	ts, ok := Terms(c, r, rd)
	if !ok || c.Method != "weighted_average" {
		return nil, nil
	}
	for _, t := range ts {
		if t.weight.Sign() == 0 {
			continue
		}
		score := exact.Add(t.Points, exact.Quo(gap, t.weight))
		if score.Sign() < 0 || score.Cmp(exact.Int(100)) > 0 {
			continue
		}
		repairs = append(repairs, finding.Repair{Field: t.Name, Value: ShortText(score)})
		d, _ := c.Dimension(t.Name)
		if d.Metric == "percentage" || d.Metric == "score" {
			if met, _ := d.SLO.Compare(score); met == document.True {
				keeping = append(keeping, t.Name)
			}
		}
	}
	return repairs, keeping
}
