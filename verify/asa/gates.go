package asa

import (
	"math/big"
	"regexp"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// gateForm: the first group is greedy, so that the last operator of "source_quality_gte_70" is the one that counts.
var gateForm = regexp.MustCompile(`^([a-z][a-z0-9_]*)_(gte|lte|gt|lt|eq)_([0-9]{1,9}(?:\.[0-9]{1,18})?)$`)

// condition is a threshold gate taken apart.
type condition struct {
	subject  string // a dimension, or "composite"
	operator string
	bound    *big.Rat
}

// parseGate reads a threshold gate; its subject must be a dimension or the composite.
func parseGate(s string, c Criteria) (condition, bool) {
	m := gateForm.FindStringSubmatch(s)
	if m == nil {
		return condition{}, false
	}
	bound, err := exact.Parse(m[3])
	if err != nil {
		return condition{}, false
	}
	if _, ok := c.Dimension(m[1]); !ok && m[1] != "composite" {
		return condition{}, false
	}
	return condition{m[1], m[2], bound.Rat}, true
}

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
func checkGates(a *audit, c Criteria, r *Result) {
	if len(c.Gates) == 0 {
		a.log.NA("R079")
		return
	}
	for _, g := range c.Gates {
		if g.Type == "boolean" && declaredBool(r.Gates[g.Condition]) == unknown {
			a.log.Missing("R079", "gate-results", r.At("gate_results"), clip(g.Condition))
			continue
		}
		a.walk(func(rd finding.Readings, l *finding.Log) {
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
