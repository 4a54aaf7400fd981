package asa

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// defaultTiers are those of the paper's §8.2: at least 90, 75, 60, and the rest.
var defaultTiers = []Tier{
	{GTE: exact.Int(90), Percent: exact.Int(100)}, {GTE: exact.Int(75), Percent: exact.Int(85)},
	{GTE: exact.Int(60), Percent: exact.Int(50)}, {LT: exact.Int(60), Percent: new(big.Rat)},
}

// tiersOrDefault are the agreement's tiers, or the paper's where it asks for graduated release without giving any.
func (p Payment) tiersOrDefault() []Tier {
	if len(p.Tiers) > 0 {
		return p.Tiers
	}
	return defaultTiers
}

// release is the percentage that a determination releases, and why; nil where it is not established.
func (p Payment) release(d determination, rd finding.Readings) (percent *big.Rat, step string) {
	switch {
	case d.verdict == unknown:
		return nil, ""
	case d.gateFailed && rd.Is(finding.GatePay, "zero"):
		return new(big.Rat), "gate failed -> 0"
	case !p.Graduated && d.verdict == yea:
		return exact.Int(100), "PASS, not graduated -> 100"
	case !p.Graduated:
		return new(big.Rat), "FAIL, not graduated -> 0"
	case d.verdict == no && !d.gateFailed && rd.Is(finding.FailPay, "zero"):
		return new(big.Rat), "FAIL -> 0"
	case d.composite == nil:
		return nil, ""
	case p.Continuous:
		return clamp(d.composite), "continuous: composite " + shortText(d.composite)
	}
	with := p
	with.Tiers = p.tiersOrDefault()
	t, ok := with.tierFor(d.composite)
	if !ok || t.Percent == nil {
		return nil, ""
	}
	bound := "< " + exact.Text(t.LT)
	if t.GTE != nil {
		bound = ">= " + exact.Text(t.GTE)
	}
	return t.Percent, shortText(d.composite) + " " + bound + " -> " + exact.Text(t.Percent)
}

// split divides the amount: the provider's part is rounded down to the decimals in which the amount is written, the client has the rest.
// Declared fees come off the client's part.
func (p Payment) split(percent *big.Rat) (provider, client *big.Rat) {
	provider = exact.FloorPlaces(exact.Quo(exact.Mul(p.Amount.Rat, percent), exact.Int(100)), p.Amount.Places)
	return provider, exact.Sub(exact.Sub(p.Amount.Rat, provider), p.Fees)
}

// money writes an amount with the decimals of the agreement's amount.
func (p Payment) money(r *big.Rat) string {
	if p.Amount == nil || r == nil {
		return ""
	}
	return exact.Fixed(r, p.Amount.Places)
}

// paymentSwitches are the readings that can change what is paid.
var paymentSwitches = []finding.Switch{finding.PassRule, finding.FailPay, finding.GatePay, finding.BoolMap}

// checkRelease records R088, R089 and R092 of one result: the percentage declared against the one recomputed.
func checkRelease(a *audit, c Criteria, p Payment, r *Result) {
	at := r.At("determination", "payment_release_percent")
	switch {
	case !p.Enabled && r.Percent != nil:
		a.log.Gap(finding.Warn, "R015", "release-without-escrow", at, exact.Text(r.Percent), "no release: escrow is not enabled")
		fallthrough
	case !p.Enabled:
		a.log.NA("R088")
		a.log.NA("R089")
		a.log.NA("R092")
		a.log.NA("R093")
		return
	case !a.bound(r):
		for _, requirement := range []string{"R088", "R092"} {
			a.log.Missing(requirement, "deliverable-not-bound", at, "one content hash everywhere")
		}
		return
	}
	a.walk(func(rd finding.Readings, l *finding.Log) { judgeRelease(c, p, r, rd, l) }, paymentSwitches...)
}

func judgeRelease(c Criteria, p Payment, r *Result, rd finding.Readings, l *finding.Log) {
	at := r.At("determination", "payment_release_percent")
	requirement := "R092"
	if p.Graduated {
		requirement = "R088"
	}
	if p.Graduated && p.Continuous {
		requirement = "R089"
	}
	percent, step := p.release(decide(c, r, rd), rd)
	switch {
	case percent == nil:
		l.Missing(requirement, "release-unknown", at, "a determination and a composite")
	case r.Percent == nil:
		l.Missing(requirement, "release-not-declared", at, exact.Text(percent))
	case requirement == "R089" && p.sameContinuous(r, percent), r.Percent.Cmp(percent) == 0:
		l.OK(requirement)
	default:
		f := finding.Finding{
			ID: finding.ID(requirement, "release-mismatch"), Severity: finding.Error, Outcome: finding.Gap, At: at,
			Declared: exact.Text(r.Percent), Recomputed: shortText(percent), Difference: shortText(exact.Sub(r.Percent, percent)), Derivation: []string{step},
		}
		if p.Amount != nil {
			before, _ := p.split(r.Percent)
			after, _ := p.split(percent)
			f.AmountsDeclared, f.AmountsRecomputed = p.money(before), p.money(after)
		}
		l.Add(f)
	}
}

// sameContinuous allows a declared continuous percentage the rounding of its own last digit.
func (p Payment) sameContinuous(r *Result, percent *big.Rat) bool {
	declared := decimal(r.Get("determination", "payment_release_percent"))
	off := new(big.Rat).Abs(exact.Sub(declared.Rat, percent))
	return off.Cmp(exact.HalfUnit(declared.Places)) <= 0
}

// checkAmounts records R093: what the release event paid against the recomputed percentage, to the last unit.
func checkAmounts(a *audit, c Criteria, p Payment, r *Result) {
	if !p.Enabled {
		return
	}
	e, ok := a.event("released")
	if !ok {
		if a.events == nil {
			a.log.Missing("R093", "input-missing", "events.jsonl", "a released event")
		} else {
			a.log.NA("R093")
		}
		return
	}
	if !a.bound(r) {
		a.log.Missing("R093", "deliverable-not-bound", e.Document.At("data"), "one content hash everywhere")
		return
	}
	a.walk(func(rd finding.Readings, l *finding.Log) {
		percent, step := p.release(decide(c, r, rd), rd)
		if percent == nil || p.Amount == nil {
			l.Missing("R093", "release-unknown", e.Document.At("data"), "a determination and a composite")
			return
		}
		p.judgeAmounts(e, percent, step, l)
	}, paymentSwitches...)
}

func (p Payment) judgeAmounts(e Event, percent *big.Rat, step string, l *finding.Log) {
	provider, client := p.split(percent)
	data := e.Get("data")
	toProvider, toClient := anyNumber(data.Get("to_provider")), anyNumber(data.Get("to_client"))
	if toProvider == nil || toClient == nil {
		l.Missing("R093", "amounts-missing", e.Document.At("data"), "to_provider and to_client")
		return
	}
	amounts := []struct {
		name           string
		declared, want *big.Rat
	}{{"to_provider", toProvider, provider}, {"to_client", toClient, client}}
	for _, m := range amounts {
		if m.declared.Cmp(m.want) == 0 {
			l.OK("R093")
			continue
		}
		l.Add(finding.Finding{
			ID: finding.ID("R093", "amount-mismatch"), Severity: finding.Error, Outcome: finding.Gap, At: e.Document.At("data", m.name),
			Declared: shown(data.Get(m.name)), Recomputed: p.money(m.want), Difference: exact.Text(exact.Sub(m.declared, m.want)), Derivation: []string{step},
		})
	}
	total := exact.Add(exact.Add(toProvider, toClient), p.Fees)
	l.Check(total.Cmp(p.Amount.Rat) == 0, finding.Error, "R093", "not-conserved", e.Document.At("data"), exact.Text(total), exact.Text(p.Amount.Rat))
	if code := data.Get("currency"); code.Exists() {
		l.Check(text(code) == p.Currency, finding.Error, "R093", "currency", e.Document.At("data", "currency"), shown(code), p.Currency)
	}
}
