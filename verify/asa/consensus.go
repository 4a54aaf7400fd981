package asa

import (
	"fmt"
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// ConsensusInput is what R065 reads: several results on one deliverable.
type ConsensusInput struct {
	Agreement        *Agreement
	Registry, Agents *Document
	Results          []*Result
	Events           []Event
	Method           string           // "majority_vote" or "median_score"; "" for the agreement's
	Readings         finding.Readings // the readings under which findings are made
	All              bool             // also record gaps that exist only under other readings
}

// Agreed is what several results come to together. Empty fields are not established.
type Agreed struct {
	Method    string
	Composite *big.Rat // the median; nil where a result has none
	Verdict   string   // "PASS" or "FAIL"
	Percent   *big.Rat // released to the provider
	Split     bool     // as many results pass as fail: no majority
}

// consensusSwitches are the readings that can change a joint outcome or what it pays.
var consensusSwitches = []finding.Switch{finding.MedianLevel, finding.PassRule, finding.BoolMap, finding.FailPay, finding.GatePay}

// maxPanel is how many results on one deliverable are taken together.
const maxPanel = 101

// Consensus records R065: majority or median, recomputed from the results and compared with what was declared and paid.
func Consensus(in ConsensusInput, l *finding.Log) Agreed {
	g := in.Agreement
	if g == nil {
		return Agreed{}
	}
	block := g.Get("verification", "consensus")
	if in.Method == "" {
		in.Method = text(block.Get("method"))
	}
	if in.Method == "" || !block.Exists() && len(in.Results) < 2 {
		l.NA("R065")
		return Agreed{}
	}
	at := g.Place(block)
	if !block.Exists() {
		at = g.At("verification", "consensus")
	}
	if want := number(block.Get("evaluators")); want != nil {
		n := exact.Int(int64(len(in.Results)))
		l.Check(n.Cmp(want) == 0, finding.Error, "R065", "panel-size", at, exact.Text(want), exact.Text(n)+" results")
	}
	if len(in.Results) == 0 || len(in.Results) > maxPanel {
		l.Missing("R065", "input-missing", "result-*.json", fmt.Sprint("1 to ", maxPanel, " results"))
		return Agreed{}
	}
	if !in.checkPanel(l) {
		return Agreed{}
	}
	l.Walk(in.Readings, in.All, func(rd finding.Readings, l *finding.Log) { in.judge(rd, l) }, consensusSwitches...)
	return in.agree(in.Readings)
}

// checkPanel records that the results are on one deliverable and by different, independent evaluators. Without one deliverable there is
// nothing to agree on.
func (in ConsensusInput) checkPanel(l *finding.Log) bool {
	one := true
	registry, agents := agentsOf(in.Registry, "evaluators"), agentsOf(in.Agents, "agents")
	var members []Agent
	first := text(in.Results[0].Get("evidence_trail", "deliverable_hash"))
	for _, r := range in.Results {
		hash := text(r.Get("evidence_trail", "deliverable_hash"))
		one = l.Check(hash == first && hash64.MatchString(hash), finding.Error, "R065", "other-deliverable", r.At("evidence_trail", "deliverable_hash"), clip(hash), clip(first)) && one
		e, _ := lookUp(readIdentity(r.Get("evaluator", "identity")), r.At("evaluator"), registry, agents)
		for _, other := range members {
			for _, t := range ties(e, other) {
				if t.shared {
					l.Gap(finding.Error, "R065", "panel-not-independent", r.At("evaluator"), clip(t.a), "evaluators of their own")
				}
			}
			if independent(e, other) == unknown {
				l.Missing("R065", "panel-unknown", r.At("evaluator"), "organisation and lineage of "+clip(e.String())+" and "+clip(other.String()))
			}
		}
		members = append(members, e)
	}
	return one
}

// agree combines the results under some readings.
func (in ConsensusInput) agree(rd finding.Readings) Agreed {
	c := in.Agreement.Criteria
	m := in.median(rd)
	out := Agreed{Method: in.Method, Composite: m.composite}
	if in.Method == "majority_vote" {
		yes, not, failed := 0, 0, 0
		for _, r := range in.Results {
			d := decide(c, r, rd)
			switch d.verdict {
			case yea:
				yes++
			case no:
				not++
			}
			if d.gateFailed {
				failed++
			}
		}
		m.verdict = majority(yes, not, len(in.Results))
		m.gateFailed = 2*failed > len(in.Results)
		out.Split = yes == not && yes+not == len(in.Results)
	}
	out.Verdict = m.verdict.word()
	if p := in.Agreement.Payment; p.Enabled {
		out.Percent, _ = release(p, m, rd)
	}
	return out
}

// majority is a strict one among all results: those without a verdict may still go either way.
func majority(yes, not, all int) verdict {
	switch {
	case 2*yes > all:
		return yea
	case 2*not > all:
		return no
	}
	return unknown
}

// median is the determination of the medians: threshold gates and SLOs use medians, boolean gates the majority.
func (in ConsensusInput) median(rd finding.Readings) determination {
	c := in.Agreement.Criteria
	medians := in.dimensionMedians()
	d := determination{gates: yea, slos: yea, composite: in.medianComposite(rd, medians)}
	if d.composite != nil && c.Threshold != nil {
		d.passed = judged(d.composite.Cmp(c.Threshold) >= 0)
	}
	for _, g := range c.Gates {
		d.gates = both(d.gates, in.gate(g, d.composite, medians))
	}
	for _, dim := range c.Dimensions {
		met := unknown
		if v := medians[dim.Name]; v != nil && dim.Metric == "boolean" {
			met = judged((v.Cmp(exact.Int(50)) > 0) == (declaredBool(dim.SLO.Value) == yea) == (dim.SLO.Operator == "eq"))
		} else if v != nil {
			met, _ = dim.SLO.compare(v)
		}
		d.slos = both(d.slos, met)
	}
	d.gateFailed = d.gates == no
	d.verdict = both(d.passed, d.gates)
	if rd.Is(finding.PassRule, "composite+gates+every-slo") {
		d.verdict = both(d.verdict, d.slos)
	}
	return d
}

// dimensionMedians are the medians of the scores as given, booleans as 0 and 100; a dimension that some result lacks is left out.
func (in ConsensusInput) dimensionMedians() map[string]*big.Rat {
	medians := map[string]*big.Rat{}
	for _, dim := range in.Agreement.Criteria.Dimensions {
		var values []*big.Rat
		for _, r := range in.Results {
			s, _ := r.Score(dim.Name)
			v := number(s.Score)
			if dim.Metric == "boolean" {
				v = dim.points(s.Score)
			}
			if v != nil {
				values = append(values, v)
			}
		}
		if len(values) == len(in.Results) {
			medians[dim.Name] = medianOf(values)
		}
	}
	return medians
}

func (in ConsensusInput) medianComposite(rd finding.Readings, medians map[string]*big.Rat) *big.Rat {
	c := in.Agreement.Criteria
	if rd.Is(finding.MedianLevel, "composites") {
		var values []*big.Rat
		for _, r := range in.Results {
			v, _ := composite(c, r, rd)
			if v == nil {
				return nil
			}
			values = append(values, v)
		}
		return medianOf(values)
	}
	ts, ok := terms(c, in.Results[0], rd) // the weights; the points are replaced
	if !ok {
		return nil
	}
	for i := range ts {
		dim, _ := c.Dimension(ts[i].name)
		points := medians[ts[i].name]
		if dim.Metric == "count" || dim.Metric == "duration_seconds" {
			points = dim.normalized(points)
		}
		if points == nil {
			return nil
		}
		ts[i].points, ts[i].shown = points, exact.Text(points)
	}
	v, _ := combine(c.Method, ts)
	return v
}

func (in ConsensusInput) gate(g Gate, composite *big.Rat, medians map[string]*big.Rat) verdict {
	if g.Type == "boolean" {
		yes, not := 0, 0
		for _, r := range in.Results {
			switch declaredBool(r.Gates[g.Condition]) {
			case yea:
				yes++
			case no:
				not++
			}
		}
		return majority(yes, not, len(in.Results))
	}
	cond, ok := parseGate(g.Condition, in.Agreement.Criteria)
	if !ok {
		return unknown
	}
	got := composite
	if cond.subject != "composite" {
		got = medians[cond.subject]
	}
	if got == nil {
		return unknown
	}
	return judged(relation(cond.operator, got.Cmp(cond.bound)))
}
