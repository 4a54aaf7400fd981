package negotiation

import (
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// OutsideBand is the flag that metadata.flags must hold where a price lies outside the band.
const OutsideBand = "price_outside_band"

// checkMarket records R051 and R050.
func (s *session) checkMarket(terms canon.Value) {
	median, comparable := s.marketMedian()
	switch {
	case !comparable:
		return
	case s.base != nil && !s.base.Get("escrow").Exists() && (s.Agreement == nil || !s.Agreement.Get("escrow").Exists()):
		s.log.NA("R050") // no money, no price
		return
	}
	if median == nil {
		for _, m := range s.messages {
			if m.Median != nil {
				median = m.Median.Rat
			}
		}
	}
	if median == nil || median.Sign() <= 0 {
		s.log.Missing("R050", "input-missing", "market.json", "a median price")
		return
	}
	low, high := exact.Mul(s.bandFactor("low", "0.5"), median), exact.Mul(s.bandFactor("high", "3.0"), median)
	b := priceBand{low, high}
	for _, m := range s.messages {
		if v := m.Get("proposed_changes").Get(pricePath); v.Exists() && (s.Agreement == nil || !sameForm(v, s.Agreement.Get("escrow", "payment", "amount"))) {
			b.check(s.log, m.Place(v), v)
		}
	}
	switch {
	case s.Agreement != nil:
		s.checkFlag(b)
	case terms.Exists():
		b.check(s.log, s.base.At("escrow", "payment", "amount"), document.Get(terms, "escrow", "payment", "amount"))
	}
}

// bandFactor is a bound of negotiation.price_band, a decimal string or a number.
func (s *session) bandFactor(name, standard string) *big.Rat {
	if r := document.AnyNumber(s.settings("price_band", name)); r != nil && r.Sign() >= 0 {
		return r
	}
	return exact.Must(standard)
}

// priceBand is from which to which amount a price is ordinary, both ends included.
type priceBand struct{ low, high *big.Rat }

func (b priceBand) text() string { return "[" + exact.Text(b.low) + ", " + exact.Text(b.high) + "]" }

func (b priceBand) holds(amount *big.Rat) bool {
	return amount.Cmp(b.low) >= 0 && amount.Cmp(b.high) <= 0
}

// check records R050 of one amount; a price outside is flagged, not blocked.
func (b priceBand) check(l *finding.Log, at string, v canon.Value) (inside, known bool) {
	amount := document.DecimalText(v)
	if amount == nil {
		l.Missing("R050", "no-amount", at, "an amount")
		return false, false
	}
	inside = b.holds(amount.Rat)
	l.Check(inside, finding.Warn, "R050", "outside-band", at, document.Shown(v), b.text())
	return inside, true
}

// checkFlag records R050 of the signed amount and of its flag.
func (s *session) checkFlag(b priceBand) {
	g := s.Agreement
	inside, known := b.check(s.log, g.At("escrow", "payment", "amount"), g.Get("escrow", "payment", "amount"))
	if !known {
		return
	}
	var flags []string
	for i, f := range g.Get("metadata", "flags").Elements() {
		if i < document.MaxItems {
			flags = append(flags, document.Text(f))
		}
	}
	at := g.At("metadata", "flags")
	if flagged := slices.Contains(flags, OutsideBand); inside {
		s.log.Check(!flagged, finding.Warn, "R050", "flag-without-cause", at, OutsideBand, "no flag: the amount lies in "+b.text())
	} else {
		s.log.Check(flagged, finding.Error, "R050", "flag-not-recorded", at, "", OutsideBand)
	}
}

// marketMedian records R051 and gives the median of the market file for the service type; nil where there is none to use. It says no where
// the file has prices in another currency: then no price compares.
func (s *session) marketMedian() (median *big.Rat, comparable bool) {
	if s.Market == nil {
		s.log.Missing("R051", "input-missing", "market.json", "market prices")
		return nil, true
	}
	if s.base == nil {
		return nil, true
	}
	kind := document.Text(s.base.Get("service", "type"))
	entry := s.Market.Get("service_types", kind)
	at := s.Market.At("service_types", document.Clip(kind))
	if !entry.Exists() {
		s.log.Missing("R051", "no-prices", at, "prices of this service type")
		return nil, true
	}
	if want, got := s.base.Payment.Currency, document.Text(s.Market.Get("currency")); want != got {
		s.log.Missing("R050", "currency", s.Market.At("currency"), "prices in "+document.Clip(want))
		return nil, false
	}
	median = s.recomputedMedian(entry, at)
	for _, m := range s.messages {
		if m.Median != nil && median != nil {
			s.log.Check(m.Median.Rat.Cmp(median) == 0, finding.Error, "R051", "reference-differs", m.At("market_reference", "median_price_for_service_type"), exact.Text(m.Median.Rat), exact.Text(median))
		}
	}
	return median, true
}

func (s *session) recomputedMedian(entry canon.Value, at string) *big.Rat {
	declared := document.AnyNumber(entry.Get("median"))
	var prices []*big.Rat
	for i, p := range entry.Get("prices").Elements() {
		r := document.AnyNumber(p)
		if r == nil || r.Sign() < 0 || i >= document.MaxItems {
			s.log.Gap(finding.Error, "R051", "price", s.Market.Place(p), document.Shown(p), "a decimal >= 0, at most 1000 of them")
			return nil
		}
		prices = append(prices, r)
	}
	median := exact.Median(prices)
	switch {
	case median == nil:
		s.log.Missing("R051", "no-prices", at, "raw prices")
		return declared
	case declared != nil:
		s.log.Check(declared.Cmp(median) == 0, finding.Error, "R051", "median-differs", at+"/median", document.Shown(entry.Get("median")), exact.Text(median))
	default:
		s.log.OK("R051")
	}
	return median
}
