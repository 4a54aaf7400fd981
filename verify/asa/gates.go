package asa

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/finding"
)

// gateOutcome is whether a gate let the deliverable pass; boolean gates rest on what the result says about them.
func gateOutcome(g Gate, c Criteria, r *Result, composite *big.Rat) verdict {
	if g.Type == "boolean" {
		return declaredBool(r.Gates[g.Condition])
	}
	cond, ok := parseGate(g.Condition, c)
	if !ok {
		return unknown
	}
	got := composite
	if cond.subject != "composite" {
		d, _ := c.Dimension(cond.subject)
		s, _ := r.Score(cond.subject)
		if got = number(s.Score); got == nil {
			got = d.points(s.Score)
		}
	}
	if got == nil {
		return unknown
	}
	return judged(relation(cond.operator, got.Cmp(cond.bound)))
}

// checkGates records R079 for one result.
func checkGates(run finding.Run, c Criteria, r *Result) {
	if len(c.Gates) == 0 {
		run.Log.NA("R079")
		return
	}
	for _, g := range c.Gates {
		if g.Type == "boolean" && declaredBool(r.Gates[g.Condition]) == unknown {
			run.Log.Missing("R079", "gate-results", r.At("gate_results"), clip(g.Condition))
			continue
		}
		run.Walk(func(rd finding.Readings, l *finding.Log) {
			value, _ := composite(c, r, rd)
			judgeGate(g, r, gateOutcome(g, c, r, value), l)
		}, finding.BoolMap)
	}
}

func judgeGate(g Gate, r *Result, got verdict, l *finding.Log) {
	declared, reported := r.Gates[g.Condition]
	at := r.At("gate_results", g.Condition)
	switch {
	case got == unknown:
		l.Missing("R079", "gate-unknown", at, clip(g.Condition))
	case g.Type == "boolean":
		l.OK("R079")
	case !reported:
		l.OK("R079") // recomputed; nothing declared to compare with
	default:
		l.Check(declaredBool(declared) == got, finding.Error, "R079", "gate-mismatch", at, declaredBool(declared).String(), got.String())
	}
}
