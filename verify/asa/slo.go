package asa

import (
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
)

// verdict is a truth value that may not be established. The zero value is not.
type verdict uint8

const (
	unknown verdict = iota
	no
	yea
)

func judged(b bool) verdict {
	if b {
		return yea
	}
	return no
}

// declared is a JSON boolean as a verdict.
func declaredBool(v canon.Value) verdict {
	if b, ok := v.Bool(); ok {
		return judged(b)
	}
	return unknown
}

func (v verdict) String() string { return [...]string{"unestablished", "false", "true"}[v] }

// word is a verdict as determinations write it.
func (v verdict) word() string { return [...]string{"", "FAIL", "PASS"}[v] }

// truth is a boolean score: true or 100, false or 0. Anything else is none.
func truth(v canon.Value) verdict {
	if b, ok := v.Bool(); ok {
		return judged(b)
	}
	switch r := number(v); {
	case r == nil:
		return unknown
	case r.Sign() == 0:
		return no
	case r.Cmp(exact.Int(100)) == 0:
		return yea
	}
	return unknown
}

// holds applies an SLO to a score. The third result is how far the score is on the right side, in points; nil for booleans.
func (s SLO) holds(score canon.Value, boolean bool) (verdict, *big.Rat) {
	if boolean {
		got, want := truth(score), declaredBool(s.Value)
		if got == unknown || want == unknown {
			return unknown, nil
		}
		return judged((got == want) == (s.Operator == "eq")), nil
	}
	got := number(score)
	if got == nil {
		return unknown, nil
	}
	return s.compare(got)
}

// compare applies an SLO to a number.
func (s SLO) compare(got *big.Rat) (verdict, *big.Rat) {
	if s.Operator == "between" {
		low, high := number(s.Value.At(0)), number(s.Value.At(1))
		if low == nil || high == nil {
			return unknown, nil
		}
		return judged(got.Cmp(low) >= 0 && got.Cmp(high) <= 0), nil
	}
	want := number(s.Value)
	if want == nil {
		return unknown, nil
	}
	return judged(relation(s.Operator, got.Cmp(want))), margin(s.Operator, got, want)
}

// relation says whether an operator accepts the sign of a comparison.
func relation(operator string, sign int) bool {
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

// points is what a score adds to the composite before its weight: 0 to 100, or nil where there is no such number.
func (d Dimension) points(score canon.Value) *big.Rat {
	switch d.Metric {
	case "boolean":
		switch truth(score) {
		case yea:
			return exact.Int(100)
		case no:
			return new(big.Rat)
		}
		return nil
	case "count", "duration_seconds":
		return d.normalized(number(score))
	}
	if percent(score) {
		return number(score)
	}
	return nil
}

// normalized maps a count or a duration linearly to 0..100, clamped; nil without a rule.
func (d Dimension) normalized(r *big.Rat) *big.Rat {
	if r == nil || d.From == nil || d.To == nil || d.From.Cmp(d.To) == 0 {
		return nil
	}
	p := exact.Quo(exact.Mul(exact.Sub(r, d.From), exact.Int(100)), exact.Sub(d.To, d.From))
	return clamp(p)
}

// clamp keeps a percentage between 0 and 100.
func clamp(r *big.Rat) *big.Rat {
	switch {
	case r.Sign() < 0:
		return new(big.Rat)
	case r.Cmp(exact.Int(100)) > 0:
		return exact.Int(100)
	}
	return r
}

// sameTyped reports whether two JSON values are of one type and equal; 5 and 5.0 are one number.
func sameTyped(a, b canon.Value) bool {
	if x, y := number(a), number(b); x != nil && y != nil {
		return x.Cmp(y) == 0
	}
	if a.Kind() == canon.Array && b.Kind() == canon.Array && a.Len() == b.Len() {
		for i, e := range a.Elements() {
			if !sameTyped(e, b.At(i)) {
				return false
			}
		}
		return true
	}
	return canon.Equal(a, b)
}
