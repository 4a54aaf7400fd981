package form

import (
	"fmt"
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// criteria records R008 to R013 and the syntax part of R079.
func (w *walker) criteria(c document.Criteria) {
	v := c.Value
	w.log.Check(len(c.Dimensions) >= 2, finding.Error, "R008", "one-dimension", w.doc.Place(v)+"/dimensions", fmt.Sprint(len(c.Dimensions)), "at least 2")
	seen := map[string]bool{}
	for _, d := range c.Dimensions {
		at := w.doc.Place(d.Value)
		w.log.Check(dimension.MatchString(d.Name), finding.Error, "R008", "name", at+"/name", document.Clip(d.Name), "a-z, then a-z 0-9 _, at most 64")
		w.log.Check(!seen[d.Name], finding.Error, "R008", "repeated-name", at+"/name", document.Clip(d.Name), "each name once")
		seen[d.Name] = true
		w.dimension(d)
	}
	w.weights(c)
	if t := v.Get("composite_threshold"); t.Exists() {
		w.log.Check(document.IsPercent(t), finding.Error, "R008", "threshold", w.doc.Place(t), document.Shown(t), "0 to 100")
	}
	w.method(v.Get("composite_method"))
	w.guarantee(c)
	w.gates(c)
}

func (w *walker) dimension(d document.Dimension) {
	at := w.doc.Place(d.Value)
	metric := d.Value.Get("metric")
	switch d.Metric {
	case "percentage", "boolean":
		w.log.OK("R009")
	case "score":
		w.log.Gap(finding.Note, "R009", "extension", w.doc.Place(metric), d.Metric, "percentage | boolean")
	case "count", "duration_seconds":
		w.log.Gap(finding.Note, "R009", "extension", w.doc.Place(metric), d.Metric, "percentage | boolean")
		if d.From == nil || d.To == nil || d.From.Cmp(d.To) == 0 {
			w.log.Missing("R009", "no-normalize", at, "normalize with two different bounds")
		}
	default:
		w.log.Gap(finding.Error, "R009", "metric", w.doc.Place(metric), document.Shown(metric), "percentage | boolean")
	}
	w.slo(d.SLO, d.Metric, at+"/slo")
	shadow, limit := d.Value.Get("shadow_metric"), d.Value.Get("shadow_slo")
	w.log.Check(shadow.Exists() == limit.Exists(), finding.Error, "R008", "half-shadow", at, "", "shadow_metric and shadow_slo, both or neither")
	if limit.Exists() {
		w.slo(d.ShadowSLO, "", at+"/shadow_slo")
	}
}

func (w *walker) slo(s document.SLO, metric, at string) {
	switch s.Operator {
	case "gte", "lte", "eq":
		w.log.OK("R010")
	case "gt", "lt", "neq", "between":
		w.log.Gap(finding.Note, "R010", "extension", at+"/operator", s.Operator, "gte | lte | eq")
	default:
		w.log.Gap(finding.Reject, "R010", "operator", at+"/operator", document.Clip(s.Operator), "gte | lte | eq | gt | lt | neq | between")
		return
	}
	w.log.Check(sloValueFits(s, metric), finding.Error, "R010", "value", at+"/value", document.Shown(s.Value), "a value of the metric's type")
}

// sloValueFits reports whether the limit has the type that its operator and metric compare with.
func sloValueFits(s document.SLO, metric string) bool {
	switch {
	case s.Operator == "between":
		low, high := document.Number(s.Value.At(0)), document.Number(s.Value.At(1))
		return s.Value.Len() == 2 && low != nil && high != nil && low.Cmp(high) <= 0
	case metric == "boolean":
		return s.Value.Kind() == canon.Bool && (s.Operator == "eq" || s.Operator == "neq")
	case metric == "" && s.Value.Kind() == canon.Bool:
		return s.Operator == "eq" || s.Operator == "neq"
	}
	return document.Number(s.Value) != nil
}

// weights records R011: the paper never states that weights sum to 1, but every one of its samples does.
func (w *walker) weights(c document.Criteria) {
	sum := new(big.Rat)
	for _, d := range c.Dimensions {
		ok := d.Weight.Sign() > 0 && d.Weight.Cmp(exact.Int(1)) <= 0
		w.log.Check(ok, finding.Error, "R011", "weight-range", w.doc.Place(d.Value)+"/weight", exact.Text(d.Weight), "over 0, at most 1")
		sum.Add(sum, d.Weight)
	}
	severity, exactly := WeightSum(sum)
	w.log.Check(exactly, severity, "R011", "weight-sum", w.doc.Place(c.Value)+"/dimensions", exact.Text(sum), "1")
}

// WeightSum says whether a sum of weights is 1, and how grave it is if not: thirds written with six digits are only a warning.
func WeightSum(sum *big.Rat) (finding.Severity, bool) {
	off := new(big.Rat).Abs(exact.Sub(sum, exact.Int(1)))
	switch {
	case off.Sign() == 0:
		return finding.Warn, true
	case off.Cmp(exact.Must("0.000001")) <= 0:
		return finding.Warn, false
	}
	return finding.Error, false
}

func (w *walker) method(v canon.Value) {
	switch document.Text(v) {
	case "", "weighted_average":
		w.log.OK("R012")
	case "geometric_mean", "harmonic_mean":
		w.log.Gap(finding.Note, "R012", "extension", w.doc.Place(v), document.Shown(v), "weighted_average")
	default:
		w.log.Missing("R012", "unknown-method", w.doc.Place(v), "weighted_average | geometric_mean | harmonic_mean")
	}
}

func (w *walker) guarantee(c document.Criteria) {
	v := c.Value.Get("guarantee_type")
	if !w.oneOf(finding.Error, "R013", "guarantee-type", v, "deterministic", "probabilistic") {
		return
	}
	if document.Text(v) == "probabilistic" {
		w.log.Check(c.Value.Get("guarantees").Len() > 0, finding.Error, "R013", "nothing-guaranteed", w.doc.Place(v), "probabilistic", "an expression in guarantees")
	}
}

func (w *walker) gates(c document.Criteria) {
	for _, g := range c.Gates {
		w.oneOf(finding.Error, "R079", "gate-type", g.Value.Get("type"), "threshold", "boolean")
		if g.Type == "threshold" {
			_, ok := document.ParseGate(g.Condition, c)
			w.log.Check(ok, finding.Error, "R079", "gate-syntax", w.doc.Place(g.Value)+"/condition", document.Clip(g.Condition), "dimension_or_composite_gte_number")
		}
	}
	if v := c.Value.Get("gate_logic"); v.Exists() {
		w.oneOf(finding.Error, "R079", "gate-logic", v, "all_must_pass")
	}
}
