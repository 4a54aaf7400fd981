package evaluators

import (
	"fmt"
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// ConsensusInput is what R065 reads: several results on one deliverable.
type ConsensusInput struct {
	Agreement        *document.Agreement
	Registry, Agents *document.Document
	Results          []*document.Result
	Events           []document.Event
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

// ConsensusSwitches are the readings that can change a joint outcome or what it pays.
var ConsensusSwitches = []finding.Switch{finding.MedianLevel, finding.PassRule, finding.BoolMap, finding.FailPay, finding.GatePay}

// MaxPanel is how many results on one deliverable are taken together.
const MaxPanel = 101

// Consensus records R065: majority or median, recomputed from the results and compared with what was declared and paid.
func Consensus(in ConsensusInput, l *finding.Log) Agreed {
	g := in.Agreement
	if g == nil {
		return Agreed{}
	}
	block := g.Get("verification", "consensus")
	if in.Method == "" {
		in.Method = document.Text(block.Get("method"))
	}
	if in.Method == "" || !block.Exists() && len(in.Results) < 2 {
		l.NA("R065")
		return Agreed{}
	}
	at := g.Place(block)
	if !block.Exists() {
		at = g.At("verification", "consensus")
	}
	if want := document.Number(block.Get("evaluators")); want != nil {
		n := exact.Int(int64(len(in.Results)))
		l.Check(n.Cmp(want) == 0, finding.Error, "R065", "panel-size", at, exact.Text(want), exact.Text(n)+" results")
	}
	if len(in.Results) == 0 || len(in.Results) > MaxPanel {
		l.Missing("R065", "input-missing", "result-*.json", fmt.Sprint("1 to ", MaxPanel, " results"))
		return Agreed{}
	}
	if !in.checkPanel(l) {
		return Agreed{}
	}
	l.Walk(in.Readings, in.All, func(rd finding.Readings, l *finding.Log) { in.judge(rd, l) }, ConsensusSwitches...)
	return in.agree(in.Readings)
}

// checkPanel records that the results are on one deliverable and by different, independent evaluators. Without one deliverable there is
// nothing to agree on.
func (in ConsensusInput) checkPanel(l *finding.Log) bool {
	one := true
	registry, agents := agentsOf(in.Registry, "evaluators"), agentsOf(in.Agents, "agents")
	var members []Agent
	first := document.Text(in.Results[0].Get("evidence_trail", "deliverable_hash"))
	for _, r := range in.Results {
		hash := document.Text(r.Get("evidence_trail", "deliverable_hash"))
		one = l.Check(hash == first && document.Hash64.MatchString(hash), finding.Error, "R065", "other-deliverable", r.At("evidence_trail", "deliverable_hash"), document.Clip(hash), document.Clip(first)) && one
		e, _ := lookUp(document.ReadIdentity(r.Get("evaluator", "identity")), r.At("evaluator"), registry, agents)
		for _, other := range members {
			for _, t := range ties(e, other) {
				if t.shared {
					l.Gap(finding.Error, "R065", "panel-not-independent", r.At("evaluator"), document.Clip(t.a), "evaluators of their own")
				}
			}
			if independent(e, other) == document.Unknown {
				l.Missing("R065", "panel-unknown", r.At("evaluator"), "organisation and lineage of "+document.Clip(e.String())+" and "+document.Clip(other.String()))
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
	out := Agreed{Method: in.Method, Composite: m.Composite}
	if in.Method == "majority_vote" {
		yes, not, failed := 0, 0, 0
		for _, r := range in.Results {
			d := settlement.Decide(c, r, rd)
			switch d.Verdict {
			case document.True:
				yes++
			case document.False:
				not++
			}
			if d.GateFailed {
				failed++
			}
		}
		m.Verdict = majority(yes, not, len(in.Results))
		m.GateFailed = 2*failed > len(in.Results)
		out.Split = yes == not && yes+not == len(in.Results)
	}
	out.Verdict = m.Verdict.Word()
	if p := in.Agreement.Payment; p.Enabled {
		out.Percent, _ = settlement.Release(p, m, rd)
	}
	return out
}

// majority is a strict one among all results: those without a verdict may still go either way.
func majority(yes, not, all int) document.Verdict {
	switch {
	case 2*yes > all:
		return document.True
	case 2*not > all:
		return document.False
	}
	return document.Unknown
}

// median is the determination of the medians: threshold gates and SLOs use medians, boolean gates the majority.
func (in ConsensusInput) median(rd finding.Readings) settlement.Determination {
	c := in.Agreement.Criteria
	medians := in.dimensionMedians()
	d := settlement.Determination{Gates: document.True, SLOs: document.True, Composite: in.medianComposite(rd, medians)}
	if d.Composite != nil && c.Threshold != nil {
		d.Passed = document.Judged(d.Composite.Cmp(c.Threshold) >= 0)
	}
	for _, g := range c.Gates {
		d.Gates = settlement.Both(d.Gates, in.gate(g, d.Composite, medians))
	}
	for _, dim := range c.Dimensions {
		met := document.Unknown
		if v := medians[dim.Name]; v != nil && dim.Metric == "boolean" {
			if v.Cmp(exact.Int(50)) == 0 {
				d.SLOs = settlement.Both(d.SLOs, document.Unknown) // as many say true as say false
				continue
			}
			met = document.Judged((v.Cmp(exact.Int(50)) > 0) == (document.DeclaredBool(dim.SLO.Value) == document.True) == (dim.SLO.Operator == "eq"))
		} else if v != nil {
			met, _ = dim.SLO.Compare(v)
		}
		d.SLOs = settlement.Both(d.SLOs, met)
	}
	d.GateFailed = d.Gates == document.False
	d.Verdict = settlement.Both(d.Passed, d.Gates)
	if rd.Is(finding.PassRule, "composite+gates+every-slo") {
		d.Verdict = settlement.Both(d.Verdict, d.SLOs)
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
			v := document.Number(s.Score)
			if dim.Metric == "boolean" {
				v = dim.Points(s.Score)
			}
			if v != nil {
				values = append(values, v)
			}
		}
		if len(values) == len(in.Results) {
			medians[dim.Name] = exact.Median(values)
		}
	}
	return medians
}

func (in ConsensusInput) medianComposite(rd finding.Readings, medians map[string]*big.Rat) *big.Rat {
	c := in.Agreement.Criteria
	if rd.Is(finding.MedianLevel, "composites") {
		var values []*big.Rat
		for _, r := range in.Results {
			v, _ := settlement.Composite(c, r, rd)
			if v == nil {
				return nil
			}
			values = append(values, v)
		}
		return exact.Median(values)
	}
	ts, ok := settlement.Terms(c, in.Results[0], rd) // the weights; the points are replaced
	if !ok {
		return nil
	}
	for i := range ts {
		dim, _ := c.Dimension(ts[i].Name)
		points := medians[ts[i].Name]
		if dim.Metric == "count" || dim.Metric == "duration_seconds" {
			points = dim.Normalized(points)
		}
		if points == nil {
			return nil
		}
		ts[i].Points, ts[i].Shown = points, exact.Text(points)
	}
	v, _ := settlement.Combine(c.Method, ts)
	return v
}

func (in ConsensusInput) gate(g document.Gate, composite *big.Rat, medians map[string]*big.Rat) document.Verdict {
	if g.Type == "boolean" {
		yes, not := 0, 0
		for _, r := range in.Results {
			switch document.DeclaredBool(r.Gates[g.Condition]) {
			case document.True:
				yes++
			case document.False:
				not++
			}
		}
		return majority(yes, not, len(in.Results))
	}
	cond, ok := document.ParseGate(g.Condition, in.Agreement.Criteria)
	if !ok {
		return document.Unknown
	}
	got := composite
	if cond.Subject != "composite" {
		got = medians[cond.Subject]
	}
	if got == nil {
		return document.Unknown
	}
	return document.Judged(document.Relation(cond.Operator, got.Cmp(cond.Bound)))
}

// Values are the answers of a consensus under some readings.
func (in ConsensusInput) Values(rd finding.Readings) []string {
	got, p := in.agree(rd), in.Agreement.Payment
	out := []string{"", got.Verdict, "", "", ""}
	if got.Composite != nil {
		out[0] = settlement.ShortText(got.Composite)
	}
	if got.Percent != nil {
		out[2] = settlement.ShortText(got.Percent)
		if p.Amount != nil {
			provider, client := p.Split(got.Percent)
			out[3], out[4] = p.Money(provider), p.Money(client)
		}
	}
	return out
}
