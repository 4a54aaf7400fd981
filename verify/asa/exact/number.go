package exact

import (
	"errors"
	"math/big"
	"slices"
	"strings"
)

// Limits of a decimal text: no plausible score, weight or amount comes near, and exact arithmetic stays cheap below them.
const (
	MaxDigits   = 100 // digits of the significand
	MaxExponent = 400 // absolute value of the exponent
)

// ErrNumber says that a text is not a JSON number or exceeds MaxDigits or MaxExponent.
var ErrNumber = errors.New("not a decimal number within limits")

// Decimal is an exact number together with how it was written.
type Decimal struct {
	Rat    *big.Rat // the exact value
	Places int      // digits after the point once the exponent is applied; "86.1" has 1, "5.00" has 2, "1e3" has 0
}

// Parse reads a JSON number (RFC 8259 §6) exactly. The error is ErrNumber.
func Parse(s string) (Decimal, error) {
	mantissa, exponent, ok := splitNumber(s)
	if !ok {
		return Decimal{}, ErrNumber
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := new(big.Int)
	if _, ok := digits.SetString(whole+fraction, 10); !ok {
		return Decimal{}, ErrNumber
	}
	shift := exponent - len(fraction)
	r := new(big.Rat).SetInt(digits)
	if shift >= 0 {
		r.Mul(r, new(big.Rat).SetInt(pow10(shift)))
	} else {
		r.Quo(r, new(big.Rat).SetInt(pow10(-shift)))
	}
	return Decimal{Rat: r, Places: max(0, -shift)}, nil
}

// splitNumber checks the grammar of a JSON number and cuts it into the significand with its sign and the exponent.
func splitNumber(s string) (mantissa string, exponent int, ok bool) {
	i := 0
	digits := func() int {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i - start
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	first := i
	n := digits()
	if n == 0 || n > 1 && s[first] == '0' {
		return "", 0, false
	}
	if i < len(s) && s[i] == '.' {
		i++
		f := digits()
		if f == 0 {
			return "", 0, false
		}
		n += f
	}
	if n > MaxDigits {
		return "", 0, false
	}
	mantissa = s[:i]
	if i == len(s) {
		return mantissa, 0, true
	}
	return withExponent(mantissa, s[i:])
}

// withExponent reads the part of a number from its "e" on.
func withExponent(mantissa, s string) (string, int, bool) {
	if s[0] != 'e' && s[0] != 'E' {
		return "", 0, false
	}
	s = s[1:]
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	if s == "" {
		return "", 0, false
	}
	exponent := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return "", 0, false
		}
		if exponent = exponent*10 + int(c-'0'); exponent > MaxExponent {
			return "", 0, false
		}
	}
	if negative {
		exponent = -exponent
	}
	return mantissa, exponent, true
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// Must reads a number that the program itself wrote. It is for constants and tests; a text that is not a number gives zero.
func Must(s string) *big.Rat {
	d, err := Parse(s)
	if err != nil {
		return new(big.Rat)
	}
	return d.Rat
}

// HalfUnit is half a unit of the last place shown: 0.05 for one place, 0.5 for none. It is how far a rounded value may be from the exact one.
func HalfUnit(places int) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Mul(big.NewInt(2), pow10(places)))
}

// Text writes a rational: as the shortest decimal where one exists ("87", "4.25", "-0.9"), otherwise as a fraction ("770/9").
func Text(r *big.Rat) string {
	if r == nil {
		return ""
	}
	places, ok := terminating(r.Denom())
	if !ok {
		return r.RatString()
	}
	return r.FloatString(places)
}

// Rounded writes a rational with at most the given number of decimals, halves away from zero, without trailing zeros.
func Rounded(r *big.Rat, places int) string {
	if r == nil {
		return ""
	}
	s := r.FloatString(places)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		s = "0"
	}
	return s
}

// Fixed writes a rational with exactly the given number of decimals, halves away from zero.
func Fixed(r *big.Rat, places int) string {
	return r.FloatString(places)
}

// terminating is the number of decimals of 1/d, and whether it is finite.
func terminating(d *big.Int) (int, bool) {
	rest := new(big.Int).Set(d)
	twos := int(rest.TrailingZeroBits())
	rest.Rsh(rest, uint(twos))
	fives, five, m := 0, big.NewInt(5), new(big.Int)
	for rest.Cmp(five) >= 0 {
		q, r := new(big.Int).QuoRem(rest, five, m)
		if r.Sign() != 0 {
			return 0, false
		}
		rest = q
		fives++
	}
	if rest.Cmp(big.NewInt(1)) != 0 {
		return 0, false
	}
	return max(twos, fives), true
}

// FloorPlaces rounds a rational down, towards minus infinity, to the given number of decimals.
func FloorPlaces(r *big.Rat, places int) *big.Rat {
	scale := pow10(places)
	scaled := new(big.Int).Mul(r.Num(), scale)
	return new(big.Rat).SetFrac(new(big.Int).Div(scaled, r.Denom()), scale)
}

// Add is a+b.
func Add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }

// Sub is a-b.
func Sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

// Mul is a*b.
func Mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// Quo is a/b; the caller has seen to it that b is not zero.
func Quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

// Int is the rational n.
func Int(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// Median is the middle of some numbers, or the mean of the two middles; nil for none.
func Median(values []*big.Rat) *big.Rat {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, (*big.Rat).Cmp)
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return Quo(Add(sorted[n/2-1], sorted[n/2]), Int(2))
}

// Percent is part of whole in percent; the caller has seen to it that whole is not zero.
func Percent(part, whole *big.Rat) *big.Rat {
	return Mul(Quo(part, whole), Int(100))
}
