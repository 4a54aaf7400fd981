package paper

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/exact"
)

// Scaling is what a number of agreements a day needs, from the assumptions of the paper's §14 (R107): 2 KB for an agreement, 1 KB for a
// result, 10 to 120 seconds for an evaluation, one canary for five deliveries, 0.30 USD for an evaluation.
type Scaling struct {
	PerDay                            *big.Rat
	StorageGB                         *big.Rat // a year, in 10^9 bytes
	EvaluatorsLow, EvaluatorsHigh     *big.Rat // at work at the same time
	WithCanariesLow, WithCanariesHigh *big.Rat // the same with a fifth more
	CanaryUSD                         *big.Rat // a day
}

// Scale computes the needs of so many agreements a day.
func Scale(perDay *big.Rat) Scaling {
	day := exact.Int(86400)
	low, high := exact.Quo(exact.Mul(perDay, exact.Int(10)), day), exact.Quo(exact.Mul(perDay, exact.Int(120)), day)
	more := exact.Must("1.2")
	return Scaling{
		PerDay:        perDay,
		StorageGB:     exact.Quo(exact.Mul(perDay, exact.Int(365*3)), exact.Int(1_000_000)),
		EvaluatorsLow: low, EvaluatorsHigh: high, WithCanariesLow: exact.Mul(low, more), WithCanariesHigh: exact.Mul(high, more),
		CanaryUSD: exact.Mul(exact.Mul(perDay, exact.Must("0.2")), exact.Must("0.30")),
	}
}

// CanaryReduction is by how many percent canary costs fall from one share of the deliveries to another (R108).
func CanaryReduction(from, to *big.Rat) *big.Rat {
	return exact.Percent(exact.Sub(from, to), from)
}
