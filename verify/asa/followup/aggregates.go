package followup

import (
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// CheckAggregates records R101: arp_report.json holds {"pass_rate","mean_composite","verifications"} in percent and points, each as the
// results give it, and nothing about single dimensions.
func (a Input) CheckAggregates() {
	if a.Aggregates == nil {
		a.Log.NA("R101")
		return
	}
	passes, sum, known := int64(0), new(big.Rat), int64(0)
	for _, r := range a.Results {
		d := settlement.Decide(a.Agreement.Criteria, r, a.Readings)
		if d.Composite == nil || d.Verdict == document.Unknown {
			continue
		}
		known++
		sum.Add(sum, d.Composite)
		if d.Verdict == document.True {
			passes++
		}
	}
	if known == 0 || known < int64(len(a.Results)) {
		a.Log.Missing("R101", "input-missing", a.Aggregates.Name, "results that can be recomputed")
	} else {
		n := exact.Int(known)
		a.compareAggregate("pass_rate", exact.Quo(exact.Int(100*passes), n))
		a.compareAggregate("mean_composite", exact.Quo(sum, n))
		a.compareAggregate("verifications", n)
	}
	a.noDetail(a.Aggregates.Root)
}

func (a Input) compareAggregate(name string, want *big.Rat) {
	v := a.Aggregates.Get(name)
	declared := document.Decimal(v)
	if declared == nil {
		declared = document.DecimalText(v)
	}
	if declared == nil {
		return
	}
	off := exact.Sub(declared.Rat, want)
	a.Log.Check(off.Abs(off).Cmp(exact.HalfUnit(declared.Places)) <= 0, finding.Error, "R101", "aggregate-differs", a.Aggregates.At(name), document.Shown(v), settlement.ShortText(want))
}

// noDetail looks for members that describe single verifications.
func (a Input) noDetail(v canon.Value) {
	detail := []string{"dimensions", "dimension", "evidence", "evidence_trail", "scores", "verification_id", "results"}
	switch v.Kind() {
	case canon.Array:
		for _, e := range v.Elements() {
			a.noDetail(e)
		}
	case canon.Object:
		for name, e := range v.Members() {
			if slices.Contains(detail, name) {
				a.Log.Gap(finding.Error, "R101", "detail-exported", a.Aggregates.Place(e), name, "pass_rate, mean_composite, verifications")
				continue
			}
			a.noDetail(e)
		}
	}
}
