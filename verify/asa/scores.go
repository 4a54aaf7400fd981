package asa

import (
	"fmt"
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// verdict is a truth value that may not be established. The zero value is not.
type verdict uint8

const (
	unknown verdict = iota
	no
	yea
)

func judged(b bool) verdict {
	if b {
		return yea
	}
	return no
}

// declared is a JSON boolean as a verdict.
func declaredBool(v canon.Value) verdict {
	if b, ok := v.Bool(); ok {
		return judged(b)
	}
	return unknown
}

func (v verdict) String() string { return [...]string{"unestablished", "false", "true"}[v] }

// word is a verdict as determinations write it.
func (v verdict) word() string { return [...]string{"", "FAIL", "PASS"}[v] }

// truth is a boolean score: true or 100, false or 0. Anything else is none.
func truth(v canon.Value) verdict {
	if b, ok := v.Bool(); ok {
		return judged(b)
	}
	switch r := number(v); {
	case r == nil:
		return unknown
	case r.Sign() == 0:
		return no
	case r.Cmp(exact.Int(100)) == 0:
		return yea
	}
	return unknown
}

// holds applies an SLO to a score. The third result is how far the score is on the right side, in points; nil for booleans.
func (s SLO) holds(score canon.Value, boolean bool) (verdict, *big.Rat) {
	if boolean {
		got, want := truth(score), declaredBool(s.Value)
		if got == unknown || want == unknown {
			return unknown, nil
		}
		return judged((got == want) == (s.Operator == "eq")), nil
	}
	got := number(score)
	if got == nil {
		return unknown, nil
	}
	return s.compare(got)
}

// compare applies an SLO to a number.
func (s SLO) compare(got *big.Rat) (verdict, *big.Rat) {
	if s.Operator == "between" {
		low, high := number(s.Value.At(0)), number(s.Value.At(1))
		if low == nil || high == nil {
			return unknown, nil
		}
		return judged(got.Cmp(low) >= 0 && got.Cmp(high) <= 0), nil
	}
	want := number(s.Value)
	if want == nil {
		return unknown, nil
	}
	return judged(relation(s.Operator, got.Cmp(want))), margin(s.Operator, got, want)
}

// relation says whether an operator accepts the sign of a comparison.
func relation(operator string, sign int) bool {
	switch operator {
	case "gte":
		return sign >= 0
	case "gt":
		return sign > 0
	case "lte":
		return sign <= 0
	case "lt":
		return sign < 0
	case "eq":
		return sign == 0
	case "neq":
		return sign != 0
	}
	return false
}

func margin(operator string, got, want *big.Rat) *big.Rat {
	switch operator {
	case "gte", "gt":
		return exact.Sub(got, want)
	case "lte", "lt":
		return exact.Sub(want, got)
	}
	return nil
}

// points is what a score adds to the composite before its weight: 0 to 100, or nil where there is no such number.
func (d Dimension) points(score canon.Value) *big.Rat {
	switch d.Metric {
	case "boolean":
		switch truth(score) {
		case yea:
			return exact.Int(100)
		case no:
			return new(big.Rat)
		}
		return nil
	case "count", "duration_seconds":
		return d.normalized(number(score))
	}
	if percent(score) {
		return number(score)
	}
	return nil
}

// normalized maps a count or a duration linearly to 0..100, clamped; nil without a rule.
func (d Dimension) normalized(r *big.Rat) *big.Rat {
	if r == nil || d.From == nil || d.To == nil || d.From.Cmp(d.To) == 0 {
		return nil
	}
	p := exact.Quo(exact.Mul(exact.Sub(r, d.From), exact.Int(100)), exact.Sub(d.To, d.From))
	return clamp(p)
}

// clamp keeps a percentage between 0 and 100.
func clamp(r *big.Rat) *big.Rat {
	switch {
	case r.Sign() < 0:
		return new(big.Rat)
	case r.Cmp(exact.Int(100)) > 0:
		return exact.Int(100)
	}
	return r
}

// checkScores records R073 to R075 and R086 of one result, and the types and ranges of its scores.
func checkScores(c Criteria, r *Result, l *finding.Log) {
	for _, d := range c.Dimensions {
		s, ok := r.Score(d.Name)
		if !ok {
			continue // R069 says so
		}
		checkScore(d, s, r, l)
		checkShadow(d, s, r, l)
		evidence := text(s.Value.Get("evidence"))
		l.Check(evidence != "", finding.Warn, "R086", "no-evidence", r.Place(s.Value)+"/evidence", "", "a sentence")
	}
}

func checkScore(d Dimension, s Score, r *Result, l *finding.Log) {
	at := r.Place(s.Value)
	n := number(s.Score)
	switch {
	case d.Metric == "boolean":
		if !l.Check(truth(s.Score) != unknown, finding.Error, "R073", "boolean-score", at+"/score", shown(s.Score), "true, false, 100 or 0") {
			return
		}
		if s.Score.Kind() != canon.Bool {
			l.Gap(finding.Note, "R073", "boolean-as-number", at+"/score", shown(s.Score), truth(s.Score).String())
		}
	case n == nil:
		l.Gap(finding.Error, "R073", "score-type", at+"/score", shown(s.Score), "a number")
		return
	case d.Metric == "percentage" || d.Metric == "score":
		if !l.Check(percent(s.Score), finding.Error, "R073", "score-range", at+"/score", exact.Text(n), "0 to 100") {
			return
		}
	default:
		l.Check(n.Sign() >= 0, finding.Error, "R073", "score-range", at+"/score", exact.Text(n), "0 or more")
	}
	met, margin := d.SLO.holds(s.Score, d.Metric == "boolean")
	compareMet(met, margin, s.Met, "R073", at+"/slo_met", l)
}

// compareMet compares a declared slo_met with the recomputed one.
func compareMet(met verdict, margin *big.Rat, declared canon.Value, requirement, at string, l *finding.Log) {
	switch {
	case met == unknown:
		l.Missing(requirement, "slo-unknown", at, "a limit and a score that compare")
	case !declared.Exists():
		l.Missing(requirement, "slo-met-missing", at, met.String())
	case declaredBool(declared) == met:
		l.OK(requirement)
	default:
		f := finding.Finding{ID: finding.ID(requirement, "slo-met-mismatch"), Severity: finding.Error, Outcome: finding.Gap, At: at, Declared: declaredBool(declared).String(), Recomputed: met.String()}
		if margin != nil {
			f.Derivation = []string{"margin=" + exact.Text(margin)}
		}
		l.Add(f)
	}
}

// checkShadow records R074. A missed shadow metric changes no determination: the paper says that it detects.
func checkShadow(d Dimension, s Score, r *Result, l *finding.Log) {
	v := s.Value.Get("shadow_metric")
	at := r.Place(s.Value) + "/shadow_metric"
	switch {
	case d.Shadow == "" && !v.Exists():
		l.NA("R074")
		return
	case d.Shadow == "":
		l.Gap(finding.Warn, "R074", "undeclared", at, shown(v.Get("name")), "no shadow metric")
		return
	case !v.Exists():
		l.Missing("R074", "not-reported", at, d.Shadow)
		return
	}
	l.Check(text(v.Get("name")) == d.Shadow, finding.Error, "R074", "name", at+"/name", shown(v.Get("name")), d.Shadow)
	if t := v.Get("slo_target"); t.Exists() {
		l.Check(sameTyped(t, d.ShadowSLO.Value), finding.Error, "R074", "target", at+"/slo_target", shown(t), shown(d.ShadowSLO.Value))
	}
	met, margin := d.ShadowSLO.holds(v.Get("value"), d.ShadowSLO.Value.Kind() == canon.Bool)
	compareMet(met, margin, v.Get("slo_met"), "R074", at+"/slo_met", l)
	if met == no {
		l.Gap(finding.Warn, "R074", "missed", at+"/value", shown(v.Get("value")), d.ShadowSLO.Operator+" "+shown(d.ShadowSLO.Value))
	}
}

// sameTyped reports whether two JSON values are of one type and equal; 5 and 5.0 are one number.
func sameTyped(a, b canon.Value) bool {
	if x, y := number(a), number(b); x != nil && y != nil {
		return x.Cmp(y) == 0
	}
	if a.Kind() == canon.Array && b.Kind() == canon.Array && a.Len() == b.Len() {
		for i, e := range a.Elements() {
			if !sameTyped(e, b.At(i)) {
				return false
			}
		}
		return true
	}
	return canon.Equal(a, b)
}

// checkShadowCoverage records R075.
func checkShadowCoverage(d *Document, c Criteria, l *finding.Log) {
	bare, names, weight := 0, "", new(big.Rat)
	for _, dim := range c.Dimensions {
		if dim.Shadow != "" {
			continue
		}
		bare++
		weight.Add(weight, dim.Weight)
		if names != "" {
			names += ", "
		}
		names += clip(dim.Name)
	}
	if bare == 0 {
		l.OK("R075")
		return
	}
	l.Add(finding.Finding{
		ID: finding.ID("R075", "no-shadow"), Severity: finding.Warn, Outcome: finding.Gap, At: d.Place(c.Value) + "/dimensions",
		Declared: fmt.Sprintf("%d/%d", bare, len(c.Dimensions)), Recomputed: fmt.Sprintf("0/%d", len(c.Dimensions)),
		Derivation: []string{"weight=" + exact.Text(weight), names},
	})
}
