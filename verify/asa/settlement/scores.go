package settlement

import (
	"fmt"
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// CheckScores records R073 to R075 and R086 of one result, and the types and ranges of its scores.
func CheckScores(c document.Criteria, r *document.Result, l *finding.Log) {
	for _, d := range c.Dimensions {
		s, ok := r.Score(d.Name)
		if !ok {
			continue // R069 says so
		}
		checkScore(d, s, r, l)
		checkShadow(d, s, r, l)
		evidence := document.Text(s.Value.Get("evidence"))
		l.Check(evidence != "", finding.Warn, "R086", "no-evidence", r.Place(s.Value)+"/evidence", "", "a sentence")
	}
}

func checkScore(d document.Dimension, s document.Score, r *document.Result, l *finding.Log) {
	at := r.Place(s.Value)
	n := document.Number(s.Score)
	switch {
	case d.Metric == "boolean":
		if !l.Check(document.Truth(s.Score) != document.Unknown, finding.Error, "R073", "boolean-score", at+"/score", document.Shown(s.Score), "true, false, 100 or 0") {
			return
		}
		if s.Score.Kind() != canon.Bool {
			l.Gap(finding.Note, "R073", "boolean-as-number", at+"/score", document.Shown(s.Score), document.Truth(s.Score).String())
		}
	case n == nil:
		l.Gap(finding.Error, "R073", "score-type", at+"/score", document.Shown(s.Score), "a number")
		return
	case d.Metric == "percentage" || d.Metric == "score":
		if !l.Check(document.IsPercent(s.Score), finding.Error, "R073", "score-range", at+"/score", exact.Text(n), "0 to 100") {
			return
		}
	default:
		l.Check(n.Sign() >= 0, finding.Error, "R073", "score-range", at+"/score", exact.Text(n), "0 or more")
	}
	met, margin := d.SLO.Holds(s.Score, d.Metric == "boolean")
	compareMet(met, margin, s.Met, "R073", at+"/slo_met", l)
}

// compareMet compares a declared slo_met with the recomputed one.
func compareMet(met document.Verdict, margin *big.Rat, declared canon.Value, requirement, at string, l *finding.Log) {
	switch {
	case met == document.Unknown:
		l.Missing(requirement, "slo-unknown", at, "a limit and a score that compare")
	case !declared.Exists():
		l.Missing(requirement, "slo-met-missing", at, met.String())
	case document.DeclaredBool(declared) == met:
		l.OK(requirement)
	default:
		f := finding.Finding{ID: finding.ID(requirement, "slo-met-mismatch"), Severity: finding.Error, Outcome: finding.Gap, At: at, Declared: document.DeclaredBool(declared).String(), Recomputed: met.String()}
		if margin != nil {
			f.Derivation = []string{"margin=" + exact.Text(margin)}
		}
		l.Add(f)
	}
}

// checkShadow records R074. A missed shadow metric changes no determination: the paper says that it detects.
func checkShadow(d document.Dimension, s document.Score, r *document.Result, l *finding.Log) {
	v := s.Value.Get("shadow_metric")
	at := r.Place(s.Value) + "/shadow_metric"
	switch {
	case d.Shadow == "" && !v.Exists():
		l.NA("R074")
		return
	case d.Shadow == "":
		l.Gap(finding.Warn, "R074", "undeclared", at, document.Shown(v.Get("name")), "no shadow metric")
		return
	case !v.Exists():
		l.Missing("R074", "not-reported", at, d.Shadow)
		return
	}
	l.Check(document.Text(v.Get("name")) == d.Shadow, finding.Error, "R074", "name", at+"/name", document.Shown(v.Get("name")), d.Shadow)
	if t := v.Get("slo_target"); t.Exists() {
		l.Check(document.SameTyped(t, d.ShadowSLO.Value), finding.Error, "R074", "target", at+"/slo_target", document.Shown(t), document.Shown(d.ShadowSLO.Value))
	}
	met, margin := d.ShadowSLO.Holds(v.Get("value"), d.ShadowSLO.Value.Kind() == canon.Bool)
	compareMet(met, margin, v.Get("slo_met"), "R074", at+"/slo_met", l)
	if met == document.False {
		l.Gap(finding.Warn, "R074", "missed", at+"/value", document.Shown(v.Get("value")), d.ShadowSLO.Operator+" "+document.Shown(d.ShadowSLO.Value))
	}
}

// CheckShadowCoverage records R075.
func CheckShadowCoverage(d *document.Document, c document.Criteria, l *finding.Log) {
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
		names += document.Clip(dim.Name)
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
