package lint

import (
	"slices"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/reference"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// CheckCoverage records R075 and what an agreement shows of its costs (R055).
func (in Input) CheckCoverage() {
	settlement.CheckShadowCoverage(in.Agreement.Document, in.Agreement.Criteria, in.Log)
	in.checkDisclosure()
}

// CheckTemplate records R082: dimensions and typical SLOs of the template that the service type names.
func (in Input) CheckTemplate() {
	g := in.Agreement
	t, ok := reference.TemplateOf(document.Text(g.Get("service", "type")))
	if !ok {
		in.Log.NA("R082")
		return
	}
	at := g.At("quality_criteria", "dimensions")
	for _, name := range t.Dimensions {
		d, ok := g.Criteria.Dimension(name)
		if !ok {
			d, ok = g.Criteria.Dimension(reference.LongName[name])
		}
		if !in.Log.Check(ok, finding.Note, "R082", "dimension-missing", at, "", name) {
			continue
		}
		typical, named := t.Typical[name]
		limit := document.Number(d.SLO.Value)
		if !named || limit == nil || d.Metric != "percentage" || name == "sources" {
			continue
		}
		in.Log.Check(limit.Cmp(exact.Int(typical)) >= 0, finding.Note, "R082", "below-typical", g.Place(d.Value)+"/slo/value", exact.Text(limit), exact.Text(exact.Int(typical)))
	}
}

// checkDisclosure records R083: a term that differs by more than 25 % from the market's default, which market.json lists by path, must be
// named in metadata.nonstandard_terms.
func (in Input) checkDisclosure() {
	g := in.Agreement
	if in.Market == nil {
		in.Log.NA("R083")
		return
	}
	usual := in.Market.Get("service_types", document.Text(g.Get("service", "type")), "defaults")
	if usual.Len() == 0 {
		in.Log.NA("R083")
		return
	}
	var disclosed []string
	for i, e := range g.Get("metadata", "nonstandard_terms").Elements() {
		if i < document.MaxItems {
			disclosed = append(disclosed, document.Text(e))
		}
	}
	n := 0
	for path, v := range usual.Members() {
		if n++; n > document.MaxItems {
			break
		}
		steps, _ := document.ParsePath(path)
		term, want := document.AnyNumber(steps.Resolve(g.Root)), document.AnyNumber(v)
		if term == nil || want == nil || want.Sign() == 0 {
			in.Log.NA("R083")
			continue
		}
		off := exact.Quo(exact.Sub(term, want), want)
		ok := off.Abs(off).Cmp(exact.Must("0.25")) <= 0 || slices.Contains(disclosed, path)
		in.Log.Check(ok, finding.Warn, "R083", "not-disclosed", g.Name+"#"+document.Clip(path), exact.Text(term), exact.Text(want))
	}
}
