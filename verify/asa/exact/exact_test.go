package exact

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
)

// Values by hand; the ES6 column is RFC 8785 appendix B (bit patterns given there written as decimals) and node's String(x).
func TestES6(t *testing.T) {
	for literal, want := range map[string]string{
		"0": "0", "-0": "0", "0.0": "0", "-0.0": "0", "1": "1", "1.0": "1", "5.00": "5", "0.10": "0.1", "6.5": "6.5",
		"5e-324":                    "5e-324",
		"-5e-324":                   "-5e-324",
		"1.7976931348623157e308":    "1.7976931348623157e+308",
		"9007199254740992":          "9007199254740992",
		"295147905179352830000":     "295147905179352830000",
		"9.999999999999997e22":      "9.999999999999997e+22",
		"1e23":                      "1e+23",
		"1.0000000000000001e23":     "1.0000000000000001e+23",
		"999999999999999700000":     "999999999999999700000",
		"999999999999999900000":     "999999999999999900000",
		"1e21":                      "1e+21",
		"0.000001":                  "0.000001",
		"9.999999999999997e-7":      "9.999999999999997e-7",
		"0.0000001":                 "1e-7",
		"333333333.33333329":        "333333333.3333333",
		"1424953923781206.2":        "1424953923781206.2",
		"-0.0000033333333333333333": "-0.0000033333333333333333",
		"12345678901234567890":      "12345678901234567000",
		"100":                       "100", "1e2": "100", "123.456e1": "1234.56",
	} {
		if got, ok := ES6(literal); !ok || got != want {
			t.Errorf("ES6(%s) = %q, %v; want %q", literal, got, ok, want)
		}
	}
	for _, bad := range []string{"", "1e400", "x", " 1", "1 ", "NaN", "01", "+1", "1.", ".5"} {
		if got, ok := ES6(bad); ok {
			t.Errorf("ES6(%q) = %q, want a refusal", bad, got)
		}
	}
}

// RFC 8785 §3.2.3 gives the order of these names; §3.2.2 the escapes.
func TestJCS(t *testing.T) {
	for in, want := range map[string]string{
		"{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}": "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}",
		`{"b":[56,{"d":true,"10":null,"1":[]}],"a":""}`:                                                    `{"a":"","b":[56,{"1":[],"10":null,"d":true}]}`,
		"\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\\b\\f\\t\"":                            "\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\\b\\f\\t\"",
		"\"\x7f\"": "\"\x7f\"",
	} {
		v, err := canon.ParseStrict("t", []byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := JCS(v); err != nil || string(got) != want {
			t.Errorf("JCS(%s) = %s, %v; want %s", in, got, err, want)
		}
	}
	v, _ := canon.ParseStrict("t", []byte(`{"a":{"n":0.12345678901234567891},"status":1}`))
	got, err := JCS(v, "/status")
	var number *NumberError
	if !errors.As(err, &number) || number.Pointer != "/a/n" || number.Written != "0.12345678901234568" {
		t.Errorf("a number that changes: %s, %v", got, err)
	}
	if _, err := JCS(canon.Value{}); !errors.Is(err, ErrMissing) {
		t.Errorf("nothing: %v, want %v", err, ErrMissing)
	}
}

func TestParse(t *testing.T) {
	for in, want := range map[string]struct {
		value  string
		places int
	}{
		"86.1": {"861/10", 1}, "5.00": {"5", 2}, "1e3": {"1000", 0}, "8.61e1": {"861/10", 1}, "-0.5": {"-1/2", 1}, "0": {"0", 0}, "1E-2": {"1/100", 2}, "1e+2": {"100", 0},
	} {
		d, err := Parse(in)
		if err != nil || d.Rat.RatString() != want.value || d.Places != want.places {
			t.Errorf("Parse(%s) = %v, %d, %v; want %v", in, d.Rat, d.Places, err, want)
		}
	}
	for _, bad := range []string{"", "-", "01", "1.", ".1", "+1", "1e", "1e+", "1e401", "0x1", "1_0", "1/2", " 1", "Infinity", strings.Repeat("9", 101), "1e99999999999999999999"} {
		if d, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) = %v, want a refusal", bad, d.Rat)
		}
	}
}

// Hand counted.
func TestText(t *testing.T) {
	for in, want := range map[string]string{"87/1": "87", "-9/10": "-0.9", "770/9": "770/9", "17/4": "4.25", "1/1024": "0.0009765625", "0/1": "0"} {
		r, _ := new(big.Rat).SetString(in)
		if got := Text(r); got != want {
			t.Errorf("Text(%s) = %s, want %s", in, got, want)
		}
	}
	r := big.NewRat(770, 9)
	if got := Rounded(r, 4); got != "85.5556" {
		t.Errorf("Rounded = %s", got)
	}
	if got := Text(FloorPlaces(Must("2.505"), 2)); got != "2.5" {
		t.Errorf("FloorPlaces = %s", got)
	}
}

// Seconds from `date -u -d … +%s`.
func TestInstant(t *testing.T) {
	for in, want := range map[string]string{
		"2026-03-26T15:45:00Z": "1774539900", "2026-03-26T17:45:00+02:00": "1774539900", "2026-03-26T15:45:00.25Z": "1774539900.25", "1970-01-01T00:00:00-00:30": "1800",
	} {
		r, err := Instant(in)
		if err != nil || Text(r) != want {
			t.Errorf("Instant(%s) = %s, %v; want %s", in, Text(r), err, want)
		}
	}
	for _, bad := range []string{"2026-03-26T15:45:60Z", "2026-03-26T15:45:00", "2026-02-30T00:00:00Z", "2026-03-26 15:45:00Z", "2026-03-26t15:45:00z", "2026-03-26T24:00:00Z", "2026-03-26T15:45:00+24:00", "2026-03-26T15:45:00.Z", ""} {
		if _, err := Instant(bad); err == nil {
			t.Errorf("Instant(%q): want a refusal", bad)
		}
	}
	r, _ := Instant("2026-03-26T14:58:21.770Z")
	if got := InstantText(r); got != "2026-03-26T14:58:21.77Z" {
		t.Errorf("InstantText = %s", got)
	}
}

// Whatever parses is written again to a text with the same value, and that text is stable.
func FuzzES6(f *testing.F) {
	for _, s := range []string{"0.1", "1e21", "-5e-324", "123456789012345678901", "1e-7"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, ok := ES6(s)
		if !ok {
			return
		}
		if again, ok := ES6(text); !ok || again != text {
			t.Errorf("ES6(%q) = %q, then %q", s, text, again)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("86.10")
	f.Add("-1.5e-3")
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(Text(d.Rat))
		if err == nil && again.Rat.Cmp(d.Rat) != 0 {
			t.Errorf("%q read again gives %v, want %v", s, again.Rat, d.Rat)
		}
	})
}

func FuzzInstant(f *testing.F) {
	f.Add("2026-03-26T15:45:00.5+01:00")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Instant(s)
		if err != nil {
			return
		}
		if again, err := Instant(InstantText(r)); len(s) < 30 && (err != nil || again.Cmp(r) != 0) {
			t.Errorf("%q read again: %v, %v", s, again, err)
		}
	})
}

// From Python: decimal with 60 digits, exp(sum(w*ln(s))).
func TestProduct(t *testing.T) {
	factors := []Power{}
	for _, f := range [][2]string{{"88", "0.25"}, {"82", "0.20"}, {"94", "0.20"}, {"78", "0.15"}, {"81", "0.10"}, {"100", "0.10"}} {
		factors = append(factors, Power{Must(f[0]), Must(f[1])})
	}
	if got := Rounded(Product(factors), 38); got != "86.73047032935154568947988174657712067042" {
		t.Errorf("Product = %s", got)
	}
	if got := Text(Product([]Power{{Must("75"), Must("0.5")}, {Must("75"), Must("0.5")}})); got != "75" {
		t.Errorf("75^0.5 * 75^0.5 = %s", got)
	}
	if got := Text(Product([]Power{{Must("50"), Must("0.5")}, {Must("72"), Must("0.5")}})); got != "60" {
		t.Errorf("50^0.5 * 72^0.5 = %s", got)
	}
	if got := Product([]Power{{Must("0"), Must("1")}}); got.Sign() != 0 {
		t.Errorf("0^1 = %v", got)
	}
}
