package settlement

import (
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/reference"
)

// formulas are the other ways in which somebody might have combined the scores, each with what it gives, to four decimals: they end the
// argument that another formula was meant.
func formulas(c document.Criteria, r *document.Result) []string {
	var defaults finding.Readings
	all, ok := Terms(c, r, defaults)
	if !ok || c.Method != "weighted_average" {
		return nil
	}
	var numeric, ones []Term
	for _, t := range all {
		d, _ := c.Dimension(t.Name)
		one := t
		if d.Metric == "boolean" {
			one.Points = exact.Quo(t.Points, exact.Int(100))
		} else {
			numeric = append(numeric, t)
		}
		ones = append(ones, one)
	}
	mean := func(name string, v *big.Rat) string { return name + "=" + exact.Rounded(v, 4) }
	list := []string{mean("weighted average, boolean 100", weighted(all))}
	mixed := len(numeric) > 0 && len(numeric) < len(all)
	if mixed {
		list = append(list, mean("weighted average, boolean 1", weighted(ones)), mean("booleans dropped, renormalised", exact.Quo(weighted(numeric), totalWeight(numeric))),
			mean("booleans dropped, not renormalised", weighted(numeric)))
	}
	for _, o := range reference.DefaultDimensions() {
		if v := underDefaults(o, all); v != nil {
			list = append(list, mean(o.Type+" default weights", v))
		}
	}
	list = append(list, means("", all)...)
	if mixed {
		list = append(list, means(", booleans dropped", numeric)...)
	}
	return append(list, mean("median", exact.Median(pointsOf(all))), mean("minimum", slices.MinFunc(pointsOf(all), (*big.Rat).Cmp)))
}

// means are the plain, geometric and harmonic means of some terms.
func means(suffix string, ts []Term) []string {
	plain := new(big.Rat)
	for _, t := range ts {
		plain.Add(plain, t.Points)
	}
	list := []string{"plain mean" + suffix + "=" + exact.Rounded(exact.Quo(plain, exact.Int(int64(len(ts)))), 4)}
	if v, _ := geometric(ts); v != nil {
		list = append(list, "weighted geometric"+suffix+"="+exact.Rounded(v, 4))
	}
	if v, _ := harmonic(ts); v != nil {
		list = append(list, "weighted harmonic"+suffix+"="+exact.Rounded(v, 4))
	}
	return list
}

func weighted(ts []Term) *big.Rat {
	sum, _ := average(ts)
	return sum
}

func pointsOf(ts []Term) []*big.Rat {
	var ps []*big.Rat
	for _, t := range ts {
		ps = append(ps, t.Points)
	}
	return ps
}

// underDefaults applies the default weights of a deliverable type to the scores of the same names; nil where one has no score.
func underDefaults(o reference.DefaultSet, ts []Term) *big.Rat {
	sum := new(big.Rat)
	for i, name := range o.Dimensions {
		at := slices.IndexFunc(ts, func(t Term) bool { return t.Name == name || t.Name == reference.LongName[name] })
		if at < 0 {
			return nil
		}
		sum.Add(sum, exact.Mul(exact.Int(o.Weights[i]), ts[at].Points))
	}
	return exact.Quo(sum, exact.Int(100))
}
