package document

import (
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
)

// Verdict is a truth value that may not be established. The zero value is not.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota // inputs are missing
	False                  // established, and it does not hold
	True                   // established, and it holds
)

// Judged is a known truth value as a verdict.
func Judged(b bool) Verdict {
	if b {
		return True
	}
	return False
}

// DeclaredBool is a JSON boolean as a verdict.
func DeclaredBool(v canon.Value) Verdict {
	if b, ok := v.Bool(); ok {
		return Judged(b)
	}
	return Unknown
}

// String is the verdict as reports write it.
func (v Verdict) String() string { return [...]string{"unestablished", "false", "true"}[v] }

// Word is a verdict as determinations write it.
func (v Verdict) Word() string { return [...]string{"", "FAIL", "PASS"}[v] }

// Truth is a boolean score: true or 100, false or 0. Anything else is none.
func Truth(v canon.Value) Verdict {
	if b, ok := v.Bool(); ok {
		return Judged(b)
	}
	switch r := Number(v); {
	case r == nil:
		return Unknown
	case r.Sign() == 0:
		return False
	case r.Cmp(exact.Int(100)) == 0:
		return True
	}
	return Unknown
}

// Holds applies an SLO to a score. The third result is how far the score is on the right side, in points; nil for booleans.
func (s SLO) Holds(score canon.Value, boolean bool) (Verdict, *big.Rat) {
	if boolean {
		got, want := Truth(score), DeclaredBool(s.Value)
		if got == Unknown || want == Unknown {
			return Unknown, nil
		}
		return Judged((got == want) == (s.Operator == "eq")), nil
	}
	got := Number(score)
	if got == nil {
		return Unknown, nil
	}
	return s.Compare(got)
}

// Compare applies an SLO to a number.
func (s SLO) Compare(got *big.Rat) (Verdict, *big.Rat) {
	if s.Operator == "between" {
		low, high := Number(s.Value.At(0)), Number(s.Value.At(1))
		if low == nil || high == nil {
			return Unknown, nil
		}
		return Judged(got.Cmp(low) >= 0 && got.Cmp(high) <= 0), nil
	}
	want := Number(s.Value)
	if want == nil {
		return Unknown, nil
	}
	return Judged(Relation(s.Operator, got.Cmp(want))), margin(s.Operator, got, want)
}

// Relation says whether an operator accepts the sign of a comparison.
func Relation(operator string, sign int) bool {
	switch operator {
	case "gte":
		return sign >= 0
	case "gt":
		return sign > 0
	case "lte":
		return sign <= 0
	case "lt":
		return sign < 0
	case "eq":
		return sign == 0
	case "neq":
		return sign != 0
	}
	return false
}

func margin(operator string, got, want *big.Rat) *big.Rat {
	switch operator {
	case "gte", "gt":
		return exact.Sub(got, want)
	case "lte", "lt":
		return exact.Sub(want, got)
	}
	return nil
}

// Points is what a score adds to the composite before its weight: 0 to 100, or nil where there is no such number.
func (d Dimension) Points(score canon.Value) *big.Rat {
	switch d.Metric {
	case "boolean":
		switch Truth(score) {
		case True:
			return exact.Int(100)
		case False:
			return new(big.Rat)
		}
		return nil
	case "count", "duration_seconds":
		return d.Normalized(Number(score))
	}
	if IsPercent(score) {
		return Number(score)
	}
	return nil
}

// Normalized maps a count or a duration linearly to 0..100, clamped; nil without a rule.
func (d Dimension) Normalized(r *big.Rat) *big.Rat {
	if r == nil || d.From == nil || d.To == nil || d.From.Cmp(d.To) == 0 {
		return nil
	}
	p := exact.Quo(exact.Mul(exact.Sub(r, d.From), exact.Int(100)), exact.Sub(d.To, d.From))
	return Clamp(p)
}

// Clamp keeps a percentage between 0 and 100.
func Clamp(r *big.Rat) *big.Rat {
	switch {
	case r.Sign() < 0:
		return new(big.Rat)
	case r.Cmp(exact.Int(100)) > 0:
		return exact.Int(100)
	}
	return r
}

// SameTyped reports whether two JSON values are of one type and equal; 5 and 5.0 are one number.
func SameTyped(a, b canon.Value) bool {
	if x, y := Number(a), Number(b); x != nil && y != nil {
		return x.Cmp(y) == 0
	}
	if a.Kind() == canon.Array && b.Kind() == canon.Array && a.Len() == b.Len() {
		for i, e := range a.Elements() {
			if !SameTyped(e, b.At(i)) {
				return false
			}
		}
		return true
	}
	return canon.Equal(a, b)
}

// IsPercent reports whether a value is a number from 0 to 100.
func IsPercent(v canon.Value) bool {
	r := Number(v)
	return r != nil && r.Sign() >= 0 && r.Cmp(exact.Int(100)) <= 0
}
