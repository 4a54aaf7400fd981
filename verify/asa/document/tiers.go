package document

import (
	"crypto/sha256"
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/verify/asa/exact"
)

// DefaultTiers are those of the paper's §8.2: at least 90, 75, 60, and the rest.
var DefaultTiers = []Tier{
	{GTE: exact.Int(90), Percent: exact.Int(100)}, {GTE: exact.Int(75), Percent: exact.Int(85)},
	{GTE: exact.Int(60), Percent: exact.Int(50)}, {LT: exact.Int(60), Percent: new(big.Rat)},
}

// TiersOrDefault are the agreement's tiers, or the paper's where it asks for graduated release without giving any.
func (p Payment) TiersOrDefault() []Tier {
	if len(p.Tiers) > 0 {
		return p.Tiers
	}
	return DefaultTiers
}

// Descending sorts the gte tiers from the highest bound down, the lt tier last.
func Descending(tiers []Tier) []Tier {
	sorted := slices.Clone(tiers)
	slices.SortStableFunc(sorted, func(x, y Tier) int {
		switch {
		case x.GTE == nil && y.GTE == nil:
			return 0
		case x.GTE == nil:
			return 1
		case y.GTE == nil:
			return -1
		}
		return y.GTE.Cmp(x.GTE)
	})
	return sorted
}

// TierFor is the tier that a composite falls into: the highest gte bound that it meets, otherwise an lt bound above it.
func (p Payment) TierFor(composite *big.Rat) (Tier, bool) {
	best, found := Tier{}, false
	for _, t := range p.Tiers {
		if t.GTE != nil && composite.Cmp(t.GTE) >= 0 && (!found || t.GTE.Cmp(best.GTE) > 0) {
			best, found = t, true
		}
	}
	if found {
		return best, true
	}
	for _, t := range p.Tiers {
		if t.LT != nil && composite.Cmp(t.LT) < 0 {
			return t, true
		}
	}
	return Tier{}, false
}

// Split divides the amount: the provider's part is rounded down to the decimals in which the amount is written, the client has the rest.
// Declared fees come off the client's part.
func (p Payment) Split(percent *big.Rat) (provider, client *big.Rat) {
	provider = exact.FloorPlaces(exact.Quo(exact.Mul(p.Amount.Rat, percent), exact.Int(100)), p.Amount.Places)
	return provider, exact.Sub(exact.Sub(p.Amount.Rat, provider), p.Fees)
}

// Money writes an amount with the decimals of the agreement's amount.
func (p Payment) Money(r *big.Rat) string {
	if p.Amount == nil || r == nil {
		return ""
	}
	return exact.Fixed(r, p.Amount.Places)
}

// DerivedNoise is the shift of the bounds: (sha256("asa-noise/1\n" + payload hash) mod 601)/100 - 3 points.
func DerivedNoise(payload string) *big.Rat {
	sum := sha256.Sum256([]byte("asa-noise/1\n" + payload))
	n := new(big.Int).SetBytes(sum[:])
	n.Mod(n, big.NewInt(601))
	return exact.Sub(exact.Quo(new(big.Rat).SetInt(n), exact.Int(100)), exact.Int(3))
}

// shifted moves every bound by some points.
func shifted(tiers []Tier, by *big.Rat) []Tier {
	moved := slices.Clone(tiers)
	for i := range moved {
		if moved[i].GTE != nil {
			moved[i].GTE = exact.Add(moved[i].GTE, by)
		}
		if moved[i].LT != nil {
			moved[i].LT = exact.Add(moved[i].LT, by)
		}
	}
	return moved
}
