package settlement

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// gateOutcome is whether a gate let the deliverable pass; boolean gates rest on what the result says about them.
func gateOutcome(g document.Gate, c document.Criteria, r *document.Result, composite *big.Rat) document.Verdict {
	if g.Type == "boolean" {
		return document.DeclaredBool(r.Gates[g.Condition])
	}
	cond, ok := document.ParseGate(g.Condition, c)
	if !ok {
		return document.Unknown
	}
	got := composite
	if cond.Subject != "composite" {
		d, _ := c.Dimension(cond.Subject)
		s, _ := r.Score(cond.Subject)
		if got = document.Number(s.Score); got == nil {
			got = d.Points(s.Score)
		}
	}
	if got == nil {
		return document.Unknown
	}
	return document.Judged(document.Relation(cond.Operator, got.Cmp(cond.Bound)))
}

// CheckGates records R079 for one result.
func CheckGates(run finding.Run, c document.Criteria, r *document.Result) {
	if len(c.Gates) == 0 {
		run.Log.NA("R079")
		return
	}
	for _, g := range c.Gates {
		if g.Type == "boolean" && document.DeclaredBool(r.Gates[g.Condition]) == document.Unknown {
			run.Log.Missing("R079", "gate-results", r.At("gate_results"), document.Clip(g.Condition))
			continue
		}
		run.Walk(func(rd finding.Readings, l *finding.Log) {
			value, _ := Composite(c, r, rd)
			judgeGate(g, r, gateOutcome(g, c, r, value), l)
		}, finding.BoolMap)
	}
}

func judgeGate(g document.Gate, r *document.Result, got document.Verdict, l *finding.Log) {
	declared, reported := r.Gates[g.Condition]
	at := r.At("gate_results", g.Condition)
	switch {
	case got == document.Unknown:
		l.Missing("R079", "gate-unknown", at, document.Clip(g.Condition))
	case g.Type == "boolean":
		l.OK("R079")
	case !reported:
		l.OK("R079") // recomputed; nothing declared to compare with
	default:
		l.Check(document.DeclaredBool(declared) == got, finding.Error, "R079", "gate-mismatch", at, document.DeclaredBool(declared).String(), got.String())
	}
}
