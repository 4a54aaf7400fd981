package canon

import (
	"math"
	"strconv"
	"strings"
)

func canonicalFloat(literal string) string {
	switch literal {
	case "NaN", "Infinity", "-Infinity":
		return literal
	}
	return formatFloat(parseFloat(literal))
}

// formatFloat is Python's repr of a double: the shortest digits that read back, an exponent of at least two digits for exponents below
// -4 and from 16 on, and ".0" where nothing else marks a float.
func formatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	_, exp, _ := strings.Cut(s, "e")
	if n, _ := strconv.Atoi(exp); n < -4 || n >= 16 {
		return s
	}
	s = strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// longFloat is the longest literal, in bytes, that strconv reads as it stands. It keeps 800 digits and takes a whole part of more as one
// of 800 (Go 1.26: 1, 800 zeros and e-800 give 0.1), and it counts an exponent to five digits only, for which zeros can make up.
const longFloat = 800

// parseFloat is Python's float() of a literal of the JSON grammar: rounded to nearest even, an infinity past the range.
func parseFloat(literal string) float64 {
	if len(literal) > longFloat {
		literal = normalized(literal)
	}
	f, _ := strconv.ParseFloat(literal, 64)
	return f
}

// normalized writes a literal again with its first digit other than zero before the point and the exponent that goes with it.
func normalized(literal string) string {
	rest, negative := strings.CutPrefix(literal, "-")
	sign := ""
	if negative {
		sign = "-"
	}
	mantissa, exponent := rest, ""
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent = rest[:i], rest[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return sign + "0"
	}
	e, _ := strconv.ParseInt(exponent, 10, 64) // the nearest int64 where it does not fit
	// Half the range leaves room to add and is as far outside a double's.
	e = min(max(e, math.MinInt64/2), math.MaxInt64/2) + int64(len(digits)-len(fraction)-1)
	e = min(max(e, -longFloat), longFloat)
	return sign + digits[:1] + "." + digits[1:] + "e" + strconv.FormatInt(e, 10)
}

// overflows reports whether a literal is past the range of a double.
func overflows(literal string) bool { return math.IsInf(parseFloat(literal), 0) }
