package settlement

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Determination is what a result comes to under one set of readings.
type Determination struct {
	Composite  *big.Rat
	Passed     document.Verdict // composite against the threshold
	Gates      document.Verdict // no where one failed
	SLOs       document.Verdict // no where one is missed
	missed     string           // first SLO missed
	Verdict    document.Verdict
	GateFailed bool
}

// Decide computes the determination of one result.
func Decide(c document.Criteria, r *document.Result, rd finding.Readings) Determination {
	value, _ := Composite(c, r, rd)
	d := Determination{Composite: value, Gates: document.True, SLOs: document.True}
	if value != nil && c.Threshold != nil {
		d.Passed = document.Judged(value.Cmp(c.Threshold) >= 0)
	}
	for _, g := range c.Gates {
		d.Gates = Both(d.Gates, gateOutcome(g, c, r, value))
	}
	for _, dim := range c.Dimensions {
		s, _ := r.Score(dim.Name)
		met, _ := dim.SLO.Holds(s.Score, dim.Metric == "boolean")
		if met == document.False && d.missed == "" {
			d.missed = dim.Name
		}
		d.SLOs = Both(d.SLOs, met)
	}
	d.GateFailed = d.Gates == document.False
	d.Verdict = Both(d.Passed, d.Gates)
	if rd.Is(finding.PassRule, "composite+gates+every-slo") {
		d.Verdict = Both(d.Verdict, d.SLOs)
	}
	return d
}

// Both is the conjunction of two verdicts: one no is enough, however little is known of the other.
func Both(a, b document.Verdict) document.Verdict {
	switch {
	case a == document.False || b == document.False:
		return document.False
	case a == document.Unknown || b == document.Unknown:
		return document.Unknown
	}
	return document.True
}

// CheckDetermination records R078 and R080 of one result.
func CheckDetermination(run finding.Run, c document.Criteria, r *document.Result) {
	if v := r.Get("determination", "confidence"); v.Exists() {
		n := document.Number(v)
		ok := n != nil && n.Sign() >= 0 && n.Cmp(exact.Int(1)) <= 0
		run.Log.Check(ok, finding.Error, "R080", "confidence", r.Place(v), document.Shown(v), "0 to 1")
	}
	run.Walk(func(rd finding.Readings, l *finding.Log) { judgeDetermination(c, r, rd, l) }, finding.PassRule, finding.BoolMap)
	base := Decide(c, r, run.Readings)
	if base.Verdict == document.True && base.SLOs == document.False {
		run.Log.Add(finding.Finding{
			ID: finding.ID("R080", "slo-missed-while-pass"), Severity: finding.Warn, Outcome: finding.Gap, At: r.At("determination", "result"),
			Declared: r.Verdict, Recomputed: document.Clip(base.missed), Readings: []string{finding.PassRule.String()},
		})
	}
}

func judgeDetermination(c document.Criteria, r *document.Result, rd finding.Readings, l *finding.Log) {
	d := Decide(c, r, rd)
	passedAt, resultAt := r.At("composite", "passed"), r.At("determination", "result")
	switch {
	case d.Passed == document.Unknown:
		l.Missing("R078", "passed-unknown", passedAt, "a composite and a threshold")
	case document.DeclaredBool(r.Passed) == document.Unknown:
		l.Missing("R078", "passed-not-declared", passedAt, d.Passed.String())
	default:
		l.Check(document.DeclaredBool(r.Passed) == d.Passed, finding.Error, "R078", "passed-mismatch", passedAt, document.DeclaredBool(r.Passed).String(), d.Passed.String())
	}
	switch {
	case r.Verdict != "PASS" && r.Verdict != "FAIL":
		l.Gap(finding.Error, "R080", "determination-word", resultAt, document.Clip(r.Verdict), "PASS | FAIL")
	case d.Verdict == document.Unknown:
		l.Missing("R080", "determination-unknown", resultAt, "a composite, a threshold and the outcome of every gate")
	default:
		l.Check(r.Verdict == d.Verdict.Word(), finding.Error, "R080", "determination-mismatch", resultAt, r.Verdict, d.Verdict.Word())
	}
}
