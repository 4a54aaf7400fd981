package exact

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/ark-forge/proveit/canon"
)

// NumberError says that a number does not mean the same once written as JCS writes it: its decimal value is not that of the shortest
// text of the nearest IEEE double, or it is too large for a double.
type NumberError struct {
	Pointer string // RFC 6901 pointer to the number
	Literal string // the number as the document has it
	Written string // as JCS writes it; empty where it overflows
}

// Error names the number, its place and what JCS would make of it.
func (e *NumberError) Error() string {
	if e.Written == "" {
		return "number " + e.Literal + " at " + e.Pointer + " is too large for an IEEE double"
	}
	return "number " + e.Literal + " at " + e.Pointer + " becomes " + e.Written + " in canonical form"
}

// ErrMissing says that there is no value to write.
var ErrMissing = errors.New("no value to write in canonical form")

// JCS writes a value in the canonical form of RFC 8785: names sorted by UTF-16 units, no white space, strings with the shortest
// escapes, numbers as ECMAScript writes them. Members at the pointers in drop, such as "/parties/evaluator", are left out. The text is
// complete even where the error is a *NumberError, which tells about the first number that changes its value.
func JCS(v canon.Value, drop ...string) ([]byte, error) {
	if v.Kind() == canon.Missing {
		return nil, ErrMissing
	}
	w := writer{}
	w.value(v, "", drop)
	if w.err != nil {
		return w.out, w.err
	}
	return w.out, nil
}

type writer struct {
	out []byte
	err *NumberError
}

func (w *writer) value(v canon.Value, at string, drop []string) {
	switch v.Kind() {
	case canon.Null:
		w.out = append(w.out, "null"...)
	case canon.Bool:
		b, _ := v.Bool()
		w.out = strconv.AppendBool(w.out, b)
	case canon.Int, canon.Float:
		w.number(v)
	case canon.String:
		s, _ := v.Text()
		w.out = AppendString(w.out, s)
	case canon.Array:
		w.out = append(w.out, '[')
		for i, e := range v.Elements() {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.value(e, "", nil) // what is left out is a member of objects inside objects
		}
		w.out = append(w.out, ']')
	case canon.Object:
		w.object(v, at, drop)
	}
}

func (w *writer) object(v canon.Value, at string, drop []string) {
	type member struct {
		name  string
		units []uint16
		value canon.Value
	}
	var members []member
	for name, e := range v.Members() {
		if len(drop) == 0 || !slices.Contains(drop, at+"/"+canon.EscapeToken(name)) {
			members = append(members, member{name, utf16.Encode([]rune(name)), e})
		}
	}
	slices.SortFunc(members, func(a, b member) int { return slices.Compare(a.units, b.units) })
	w.out = append(w.out, '{')
	for i, m := range members {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(AppendString(w.out, m.name), ':')
		inside := ""
		if len(drop) > 0 {
			inside = at + "/" + canon.EscapeToken(m.name)
		}
		w.value(m.value, inside, drop)
	}
	w.out = append(w.out, '}')
}

func (w *writer) number(v canon.Value) {
	literal := v.Number()
	written, ok := ES6(literal)
	if !ok {
		w.out = append(w.out, literal...)
		written = ""
	} else {
		w.out = append(w.out, written...)
	}
	if w.err == nil && !sameValue(literal, written) {
		w.err = &NumberError{Pointer: v.Pointer(), Literal: literal, Written: written}
	}
}

// sameValue compares two JSON numbers by their digits, without computing anything.
func sameValue(literal, written string) bool {
	a, pointA, negativeA, okA := cut(literal)
	b, pointB, negativeB, okB := cut(written)
	return okA && okB && a == b && (a == "" || pointA == pointB && negativeA == negativeB)
}

// ES6 writes a JSON number as ECMAScript's Number::toString does (RFC 8785 §3.2.2.3): the shortest digits that give the nearest IEEE
// double again. It works on text alone: the digits are those of Python's repr, which package canon writes and which are the same ones;
// only the layout differs. ok is false for a text that is no number or overflows.
func ES6(literal string) (text string, ok bool) {
	if literal == "" || literal[0] != '-' && (literal[0] < '0' || literal[0] > '9') {
		return "", false
	}
	if plainInteger(literal) {
		return literal, true
	}
	if !strings.ContainsAny(literal, ".eE") {
		literal += ".0" // the reader keeps a float only where the text has a point or an exponent
	}
	v, err := canon.ParseStrict("", []byte(literal))
	if err != nil || v.Kind() != canon.Float {
		return "", false
	}
	digits, point, negative, ok := cut(string(canon.AppendCanonical(nil, v)))
	if !ok {
		return "", false
	}
	return layout(digits, point, negative), true
}

// plainInteger reports whether a text is a positive integer of at most 15 digits: every double of that size writes it as it stands.
func plainInteger(s string) bool {
	if len(s) > 15 || s[0] == '0' && len(s) > 1 {
		return false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// cut takes a number text apart: its significant digits without zeros at either end, and the position of the decimal point relative to
// the first of them (0.digits × 10^point).
func cut(s string) (digits string, point int, negative, ok bool) {
	s, negative = strings.CutPrefix(s, "-")
	if s == "" {
		return "", 0, false, false
	}
	mantissa := s
	if at := strings.IndexAny(s, "eE"); at >= 0 {
		mantissa = s[:at]
		n, err := strconv.Atoi(s[at+1:])
		if err != nil {
			return "", 0, false, false
		}
		point = n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = whole + fraction
	point += len(whole)
	trimmed := strings.TrimLeft(digits, "0")
	point -= len(digits) - len(trimmed)
	return strings.TrimRight(trimmed, "0"), point, negative, true
}

// layout writes digits as ECMA-262 Number::toString lays them out: plain up to 21 digits before the point and six zeros after it,
// otherwise with an exponent.
func layout(digits string, point int, negative bool) string {
	if digits == "" {
		return "0" // minus zero too
	}
	sign := ""
	if negative {
		sign = "-"
	}
	n := len(digits)
	switch {
	case n <= point && point <= 21:
		return sign + digits + strings.Repeat("0", point-n)
	case 0 < point && point <= 21:
		return sign + digits[:point] + "." + digits[point:]
	case -6 < point && point <= 0:
		return sign + "0." + strings.Repeat("0", -point) + digits
	}
	exponent := strconv.Itoa(point - 1)
	if point-1 > 0 {
		exponent = "+" + exponent
	}
	if n > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	return sign + digits + "e" + exponent
}

// AppendString appends a string as RFC 8785 §3.2.2.2 writes it: two-character escapes where JSON has them, \u00xx in lower case for the
// other control characters, everything else as it is.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= 0x20:
			dst = append(dst, c)
		case strings.IndexByte("\b\t\n\f\r", c) >= 0:
			dst = append(dst, '\\', "btn_fr"[c-'\b'])
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(dst, '"')
}

// Hash is the SHA-256 of the JCS form, and the error of JCS: whether every number kept its value.
func Hash(v canon.Value, drop ...string) (canon.Digest, error) {
	b, err := JCS(v, drop...)
	return canon.Sum(b), err
}
