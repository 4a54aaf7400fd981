package asa

import (
	"slices"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// checkCoverage records R075 and what an agreement shows of its costs (R055).
func (a *audit) checkCoverage() {
	checkShadowCoverage(a.agreement.Document, a.agreement.Criteria, a.log)
	a.checkDisclosure()
}

// checkTemplate records R082: dimensions and typical SLOs of the template that the service type names.
func (a *audit) checkTemplate() {
	g := a.agreement
	t, ok := templateOf(text(g.Get("service", "type")))
	if !ok {
		a.log.NA("R082")
		return
	}
	at := g.At("quality_criteria", "dimensions")
	for _, name := range t.Dimensions {
		d, ok := g.Criteria.Dimension(name)
		if !ok {
			d, ok = g.Criteria.Dimension(longName[name])
		}
		if !a.log.Check(ok, finding.Note, "R082", "dimension-missing", at, "", name) {
			continue
		}
		typical, named := t.Typical[name]
		limit := number(d.SLO.Value)
		if !named || limit == nil || d.Metric != "percentage" || name == "sources" {
			continue
		}
		a.log.Check(limit.Cmp(exact.Int(typical)) >= 0, finding.Note, "R082", "below-typical", g.Place(d.Value)+"/slo/value", exact.Text(limit), exact.Text(exact.Int(typical)))
	}
}

// checkDisclosure records R083: a term that differs by more than 25 % from the market's default, which market.json lists by path, must be
// named in metadata.nonstandard_terms.
func (a *audit) checkDisclosure() {
	g := a.agreement
	if a.market == nil {
		a.log.NA("R083")
		return
	}
	usual := a.market.Get("service_types", text(g.Get("service", "type")), "defaults")
	if usual.Len() == 0 {
		a.log.NA("R083")
		return
	}
	var disclosed []string
	for i, e := range g.Get("metadata", "nonstandard_terms").Elements() {
		if i < MaxItems {
			disclosed = append(disclosed, text(e))
		}
	}
	n := 0
	for path, v := range usual.Members() {
		if n++; n > MaxItems {
			break
		}
		steps, _ := ParsePath(path)
		term, want := anyNumber(steps.Resolve(g.Root)), anyNumber(v)
		if term == nil || want == nil || want.Sign() == 0 {
			a.log.NA("R083")
			continue
		}
		off := exact.Quo(exact.Sub(term, want), want)
		ok := off.Abs(off).Cmp(exact.Must("0.25")) <= 0 || slices.Contains(disclosed, path)
		a.log.Check(ok, finding.Warn, "R083", "not-disclosed", g.Name+"#"+clip(path), exact.Text(term), exact.Text(want))
	}
}
