package canon

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestLimits reads a document at each limit and one past it, with both readers.
func TestLimits(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	objects := func(n int) string { return strings.Repeat(`{"a":`, n-1) + "{" + strings.Repeat("}", n) }
	values := func(n int) string { return "[" + strings.Repeat("0,", n-2) + "0]" } // the array counts too
	members := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"":0`)
		for i := range n - 2 {
			fmt.Fprintf(&b, `,"%d":0`, i)
		}
		return b.String() + "}"
	}
	for _, c := range []struct {
		name  string
		make  func(int) string
		limit int
		found string
		want  string
	}{
		{"nested arrays", nested, MaxDepth, "1001 nested values", "at most 1000"},
		{"nested objects", objects, MaxDepth, "1001 nested values", "at most 1000"},
		{"values", values, MaxValues, "more values", "at most 1048576 values in one document"},
		{"members, whose names do not count", members, MaxValues, "more values", "at most 1048576 values in one document"},
		{"digits", func(n int) string { return strings.Repeat("9", n) }, MaxDigits, "an integer of 4301 digits", "at most 4300 digits, as Python allows"},
		{"digits after a sign", func(n int) string { return "-" + strings.Repeat("9", n) }, MaxDigits, "an integer of 4301 digits", "at most 4300 digits, as Python allows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, past := []byte(c.make(c.limit)), []byte(c.make(c.limit+1))
			if v, err := Parse(at); err != nil {
				t.Errorf("at the limit: %v", err)
			} else if string(AppendCanonical(nil, v)) == "" {
				t.Error("at the limit: no text")
			}
			if _, err := ParseStrict("", at); err != nil {
				t.Errorf("strict, at the limit: %v", err)
			}
			for _, read := range []func([]byte) (Value, error){Parse, func(b []byte) (Value, error) { return ParseStrict("", b) }} {
				_, err := read(past)
				var syntax *SyntaxError
				if !errors.As(err, &syntax) || syntax.Found != c.found || syntax.Want != c.want {
					t.Errorf("past the limit: %.200v, want found %q, want %q", err, c.found, c.want)
				}
			}
		})
	}
}

// TestLongFractions: Python's limit of digits is one of integers only.
func TestLongFractions(t *testing.T) {
	for _, text := range []string{"0." + strings.Repeat("1", 5000), strings.Repeat("1", 5000) + "e-4999", strings.Repeat("1", 5000) + ".5e-4999"} {
		if _, err := ParseStrict("", []byte(text)); err != nil {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
}

// TestDeepErrorPlace: the place of an error at the deepest level is still found.
func TestDeepErrorPlace(t *testing.T) {
	_, err := Parse([]byte(strings.Repeat("[", MaxDepth) + "x"))
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || syntax.Pointer != strings.Repeat("/0", MaxDepth) || syntax.Col != MaxDepth+1 {
		t.Errorf("got %.100v", err)
	}
}

// TestQuotedInput: a message repeats at most 80 bytes of what it refuses.
func TestQuotedInput(t *testing.T) {
	_, err := ParseHex(strings.Repeat("G", 64))
	if err == nil || strings.Contains(err.Error(), "…") {
		t.Errorf("got %v", err)
	}
	long := strings.Repeat("!", 1<<16)
	_, err = DecodeBase64(long)
	if err == nil || len(err.Error()) > 300 || !strings.Contains(err.Error(), "… (65536 bytes)") {
		t.Errorf("got %.400v", err)
	}
	_, err = ParseStrict("", []byte(`{"`+long+`":1,"`+long+`":1}`))
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || len(syntax.Found) > 300 {
		t.Errorf("found has %d bytes", len(syntax.Found))
	}
}
