package evaluators

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// Deviation is how far an evaluator lies from the panel's median, in points, over the deliverables that it shares with others.
type Deviation struct {
	Evaluator document.Identity
	Mean      *big.Rat // of the absolute differences
	Shared    int      // deliverables
}

// Calibration recomputes the deviations (R068). The paper refers to a calibration score that it never defines; this is the mean absolute
// difference between an evaluator's composite and the median of all composites of the same deliverable.
func Calibration(c document.Criteria, results []*document.Result, rd finding.Readings) []Deviation {
	byHash := map[string][]*document.Result{}
	var hashes []string
	for i, r := range results {
		h := document.Text(r.Get("evidence_trail", "deliverable_hash"))
		if !document.Hash64.MatchString(h) || i >= document.MaxItems {
			continue
		}
		if byHash[h] == nil {
			hashes = append(hashes, h)
		}
		byHash[h] = append(byHash[h], r)
	}
	sums, counts := map[document.Identity]*big.Rat{}, map[document.Identity]int{}
	var order []document.Identity
	for _, h := range hashes {
		var who []document.Identity
		var values []*big.Rat
		for _, r := range byHash[h] {
			if v, _ := settlement.Composite(c, r, rd); v != nil {
				who, values = append(who, document.ReadIdentity(r.Get("evaluator", "identity")).Normal()), append(values, v)
			}
		}
		if len(values) < 2 {
			continue
		}
		median := exact.Median(values)
		for i, v := range values {
			if counts[who[i]]++; counts[who[i]] == 1 {
				order = append(order, who[i])
				sums[who[i]] = new(big.Rat)
			}
			off := exact.Sub(v, median)
			sums[who[i]] = exact.Add(sums[who[i]], off.Abs(off))
		}
	}
	var list []Deviation
	for _, i := range order {
		list = append(list, Deviation{i, exact.Quo(sums[i], exact.Int(int64(counts[i]))), counts[i]})
	}
	return list
}

// checkCalibration records R068.
func (p *panel) checkCalibration() {
	if p.mode == "fixed" && p.policy.deviation == nil {
		p.log.NA("R068")
		return
	}
	list := Calibration(p.Agreement.Criteria, p.Results, p.Readings)
	if len(list) == 0 {
		p.log.Missing("R068", "no-panel", "result-*.json", "several results on one deliverable")
		return
	}
	for _, d := range list {
		e, _ := lookUp(d.Evaluator, "evaluators.json", p.registry)
		if p.policy.deviation == nil {
			p.log.Missing("R068", "no-calibration-limit", e.Place, "max_calibration_deviation; recomputed "+settlement.ShortText(d.Mean))
			continue
		}
		p.log.Check(d.Mean.Cmp(p.policy.deviation) <= 0, finding.Error, "R068", "deviation", e.Place, settlement.ShortText(d.Mean), "at most "+exact.Text(p.policy.deviation))
	}
}
