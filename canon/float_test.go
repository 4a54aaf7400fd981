package canon

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestFloatSpelling: literals and CPython 3.11.7's repr of them.
func TestFloatSpelling(t *testing.T) {
	for literal, want := range map[string]string{
		"1.0": "1.0", "1e0": "1.0", "100.00": "100.0", "1E5": "100000.0", "1e15": "1000000000000000.0", "9999999999999998.0": "9999999999999998.0", "9999999999999999.5": "1e+16",
		"1e16": "1e+16", "12345678901234567.0": "1.2345678901234568e+16", "1e17": "1e+17", "1e22": "1e+22", "1e23": "1e+23", "1e100": "1e+100", "0.0001": "0.0001", "0.00012345": "0.00012345",
		"0.00001": "1e-05", "0.000012": "1.2e-05", "1e-5": "1e-05", "1e-10": "1e-10", "123.456e-7": "1.23456e-05", "-0.0": "-0.0", "0.0": "0.0", "-0e5": "-0.0", "0e99999999999999999999": "0.0",
		"5e-324": "5e-324", "3e-324": "5e-324", "2e-324": "0.0", "-2e-324": "-0.0", "2.2250738585072011e-308": "2.225073858507201e-308", "2.2250738585072014e-308": "2.2250738585072014e-308",
		"1.7976931348623157e308": "1.7976931348623157e+308", "1.7976931348623158e308": "1.7976931348623157e+308", "1.7976931348623159e308": "Infinity", "1e400": "Infinity", "-1e400": "-Infinity",
		"1e99999999999999999999": "Infinity", "-1e-99999999999999999999": "-0.0", "0.1": "0.1", "0.30000000000000004": "0.30000000000000004", "0.1000000000000000055511151231257827": "0.1",
		"9007199254740993.0": "9007199254740992.0", "9007199254740993.0000000000000000000000001": "9007199254740994.0", "NaN": "NaN", "Infinity": "Infinity", "-Infinity": "-Infinity",
		"1.5e+300": "1.5e+300", "4.35": "4.35", "2.675": "2.675", "1e-4": "0.0001", "-1e-4": "-0.0001", "1e+05": "100000.0",
	} {
		if got := string(AppendCanonical(nil, read(t, literal))); got != want {
			t.Errorf("%s: got %s, want %s", literal, got, want)
		}
	}
}

func TestIntSpelling(t *testing.T) {
	for literal, want := range map[string]string{
		"-0": "0", "0": "0", "-1": "-1", "123456789012345678901234567890": "123456789012345678901234567890", "-10000000000000000000000": "-10000000000000000000000",
		strings.Repeat("9", MaxDigits): strings.Repeat("9", MaxDigits),
	} {
		v := read(t, literal)
		if got := string(AppendCanonical(nil, v)); got != want || v.Kind() != Int {
			t.Errorf("%.40s: got %.40s, a %v", literal, got, v.Kind())
		}
	}
}

// TestLongFloats: zeros can make up for an exponent of any length. 10^0 and the powers around the range are computed by hand.
func TestLongFloats(t *testing.T) {
	zeros := strings.Repeat("0", 200000)
	for _, c := range []struct{ literal, want string }{
		{"0." + zeros + "1e200001", "1.0"},
		{"-0." + zeros + "12e200002", "-12.0"},
		{"1" + zeros + "e-200000", "1.0"},
		{"1" + zeros + ".0E-200016", "1e-16"},
		{"0." + zeros + "1e+200309", "1e+308"},
		{"0." + zeros + "1e200310", "Infinity"},
		{"0." + zeros + "1e199900", "1e-101"},
		{"0." + zeros + "1", "0.0"},
		{"-1" + zeros + ".0", "-Infinity"},
		{"0." + zeros + "e99999999999999999999999", "0.0"},
		{"-0." + zeros, "-0.0"},
		{"0." + zeros + "1e99999999999999999999999", "Infinity"},
		{"1" + zeros + ".5e-99999999999999999999999", "0.0"},
		// strconv alone loses count of a whole part of more than 800 digits.
		{"1" + zeros[:799] + "e-799", "1.0"},
		{"1" + zeros[:800] + "e-800", "1.0"},
		{"25" + zeros[:800] + ".0e-801", "2.5"},
		{"-1" + zeros[:4000] + "E-3980", "-1e+20"},
		{"1" + zeros[:8000] + "e-7000", "Infinity"},
		{strings.Repeat("9", 801) + "e-801", "1.0"},
	} {
		if got := string(AppendCanonical(nil, read(t, c.literal))); got != c.want {
			t.Errorf("%.10s… of %d bytes: got %s, want %s", c.literal, len(c.literal), got, c.want)
		}
		if _, err := ParseStrict("", []byte(c.literal)); (err != nil) != strings.HasSuffix(c.want, "Infinity") {
			t.Errorf("%.10s…: strict reader says %v", c.literal, err)
		}
	}
}

// TestFloatRange walks over all binary exponents: the text reads back as the same double, is no longer than Go's shortest, and keeps Python's rule
// for the exponent (repr: 'r' format of PyOS_double_to_string, exponents below -4 and from 16 on).
func TestFloatRange(t *testing.T) {
	for exponent := range uint64(0x7ff) {
		for _, mantissa := range []uint64{0, 1, 0x8000000000000, 0x5555555555555, 0xfffffffffffff} {
			for _, sign := range []uint64{0, 1} {
				f := math.Float64frombits(sign<<63 | exponent<<52 | mantissa)
				text := formatFloat(f)
				if back, err := strconv.ParseFloat(text, 64); err != nil || math.Float64bits(back) != math.Float64bits(f) {
					t.Fatalf("%s does not read back as %x", text, f)
				}
				_, exp, scientific := strings.Cut(text, "e")
				size := math.Abs(f)
				if want := f != 0 && (size < 1e-4 || size >= 1e16); scientific != want {
					t.Fatalf("%s: exponent written: %v, want %v", text, scientific, want)
				}
				if scientific && (len(exp) < 3 || exp[0] != '+' && exp[0] != '-') || !scientific && !strings.Contains(text, ".") {
					t.Fatalf("%s is not Python's spelling", text)
				}
			}
		}
	}
}
