package asa

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// determination is what a result comes to under one set of readings.
type determination struct {
	composite  *big.Rat
	passed     verdict // composite against the threshold
	gates      verdict // no where one failed
	slos       verdict // no where one is missed
	missed     string  // first SLO missed
	verdict    verdict
	gateFailed bool
}

// decide computes the determination of one result.
func decide(c Criteria, r *Result, rd finding.Readings) determination {
	value, _ := composite(c, r, rd)
	d := determination{composite: value, gates: yea, slos: yea}
	if value != nil && c.Threshold != nil {
		d.passed = judged(value.Cmp(c.Threshold) >= 0)
	}
	for _, g := range c.Gates {
		d.gates = both(d.gates, gateOutcome(g, c, r, value))
	}
	for _, dim := range c.Dimensions {
		s, _ := r.Score(dim.Name)
		met, _ := dim.SLO.holds(s.Score, dim.Metric == "boolean")
		if met == no && d.missed == "" {
			d.missed = dim.Name
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

// both is the conjunction of two verdicts: one no is enough, however little is known of the other.
func both(a, b verdict) verdict {
	switch {
	case a == no || b == no:
		return no
	case a == unknown || b == unknown:
		return unknown
	}
	return yea
}

// checkDetermination records R078 and R080 of one result.
func checkDetermination(run finding.Run, c Criteria, r *Result) {
	if v := r.Get("determination", "confidence"); v.Exists() {
		n := number(v)
		ok := n != nil && n.Sign() >= 0 && n.Cmp(exact.Int(1)) <= 0
		run.Log.Check(ok, finding.Error, "R080", "confidence", r.Place(v), shown(v), "0 to 1")
	}
	run.Walk(func(rd finding.Readings, l *finding.Log) { judgeDetermination(c, r, rd, l) }, finding.PassRule, finding.BoolMap)
	base := decide(c, r, run.Readings)
	if base.verdict == yea && base.slos == no {
		run.Log.Add(finding.Finding{
			ID: finding.ID("R080", "slo-missed-while-pass"), Severity: finding.Warn, Outcome: finding.Gap, At: r.At("determination", "result"),
			Declared: r.Verdict, Recomputed: clip(base.missed), Readings: []string{finding.PassRule.String()},
		})
	}
}

func judgeDetermination(c Criteria, r *Result, rd finding.Readings, l *finding.Log) {
	d := decide(c, r, rd)
	passedAt, resultAt := r.At("composite", "passed"), r.At("determination", "result")
	switch {
	case d.passed == unknown:
		l.Missing("R078", "passed-unknown", passedAt, "a composite and a threshold")
	case declaredBool(r.Passed) == unknown:
		l.Missing("R078", "passed-not-declared", passedAt, d.passed.String())
	default:
		l.Check(declaredBool(r.Passed) == d.passed, finding.Error, "R078", "passed-mismatch", passedAt, declaredBool(r.Passed).String(), d.passed.String())
	}
	switch {
	case r.Verdict != "PASS" && r.Verdict != "FAIL":
		l.Gap(finding.Error, "R080", "determination-word", resultAt, clip(r.Verdict), "PASS | FAIL")
	case d.verdict == unknown:
		l.Missing("R080", "determination-unknown", resultAt, "a composite, a threshold and the outcome of every gate")
	default:
		l.Check(r.Verdict == d.verdict.word(), finding.Error, "R080", "determination-mismatch", resultAt, r.Verdict, d.verdict.word())
	}
}
