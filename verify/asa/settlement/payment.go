package settlement

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Release is the percentage that a determination releases, and why; nil where it is not established.
func Release(p document.Payment, d Determination, rd finding.Readings) (percent *big.Rat, step string) {
	switch {
	case d.Verdict == document.Unknown:
		return nil, ""
	case d.GateFailed && rd.Is(finding.GatePay, "zero"):
		return new(big.Rat), "gate failed -> 0"
	case !p.Graduated && d.Verdict == document.True:
		return exact.Int(100), "PASS, not graduated -> 100"
	case !p.Graduated:
		return new(big.Rat), "FAIL, not graduated -> 0"
	case d.Verdict == document.False && !d.GateFailed && rd.Is(finding.FailPay, "zero"):
		return new(big.Rat), "FAIL -> 0"
	case d.Composite == nil:
		return nil, ""
	case p.Continuous:
		return document.Clamp(d.Composite), "continuous: composite " + ShortText(d.Composite)
	}
	with := p
	with.Tiers = p.TiersOrDefault()
	t, ok := with.TierFor(d.Composite)
	if !ok || t.Percent == nil {
		return nil, ""
	}
	bound := "< " + exact.Text(t.LT)
	if t.GTE != nil {
		bound = ">= " + exact.Text(t.GTE)
	}
	return t.Percent, ShortText(d.Composite) + " " + bound + " -> " + exact.Text(t.Percent)
}

// PaymentSwitches are the readings that can change what is paid.
var PaymentSwitches = []finding.Switch{finding.PassRule, finding.FailPay, finding.GatePay, finding.BoolMap}

// CheckRelease records R088, R089 and R092 of one result: the percentage declared against the one recomputed. Where the judged deliverable
// is not bound to the delivered one, nothing is established.
func CheckRelease(run finding.Run, c document.Criteria, p document.Payment, r *document.Result, bound bool) {
	at := r.At("determination", "payment_release_percent")
	switch {
	case !p.Enabled && r.Percent != nil:
		run.Log.Gap(finding.Warn, "R015", "release-without-escrow", at, exact.Text(r.Percent), "no release: escrow is not enabled")
		fallthrough
	case !p.Enabled:
		for _, requirement := range []string{"R088", "R089", "R092", "R093"} {
			run.Log.NA(requirement)
		}
		return
	case !bound:
		for _, requirement := range []string{"R088", "R092"} {
			run.Log.Missing(requirement, "deliverable-not-bound", at, "one content hash everywhere")
		}
		return
	}
	run.Walk(func(rd finding.Readings, l *finding.Log) { judgeRelease(c, p, r, rd, l) }, PaymentSwitches...)
}

func judgeRelease(c document.Criteria, p document.Payment, r *document.Result, rd finding.Readings, l *finding.Log) {
	at := r.At("determination", "payment_release_percent")
	requirement := "R092"
	if p.Graduated {
		requirement = "R088"
	}
	if p.Graduated && p.Continuous {
		requirement = "R089"
	}
	percent, step := Release(p, Decide(c, r, rd), rd)
	switch {
	case percent == nil:
		l.Missing(requirement, "release-unknown", at, "a determination and a composite")
	case r.Percent == nil:
		l.Missing(requirement, "release-not-declared", at, exact.Text(percent))
	case requirement == "R089" && sameContinuous(r, percent), r.Percent.Cmp(percent) == 0:
		l.OK(requirement)
	default:
		f := finding.Finding{
			ID: finding.ID(requirement, "release-mismatch"), Severity: finding.Error, Outcome: finding.Gap, At: at,
			Declared: exact.Text(r.Percent), Recomputed: ShortText(percent), Difference: ShortText(exact.Sub(r.Percent, percent)), Derivation: []string{step},
		}
		if p.Amount != nil {
			before, _ := p.Split(r.Percent)
			after, _ := p.Split(percent)
			f.AmountsDeclared, f.AmountsRecomputed = p.Money(before), p.Money(after)
		}
		l.Add(f)
	}
}

// sameContinuous allows a declared continuous percentage the rounding of its own last digit.
func sameContinuous(r *document.Result, percent *big.Rat) bool {
	declared := document.Decimal(r.Get("determination", "payment_release_percent"))
	off := new(big.Rat).Abs(exact.Sub(declared.Rat, percent))
	return off.Cmp(exact.HalfUnit(declared.Places)) <= 0
}
