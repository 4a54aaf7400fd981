package canon

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPointerRFC6901 holds the document and the evaluations of RFC 6901 §5.
func TestPointerRFC6901(t *testing.T) {
	doc := read(t, `{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}`)
	for pointer, want := range map[string]string{
		"": string(AppendCanonical(nil, doc)), "/foo": `["bar","baz"]`, "/foo/0": `"bar"`, "/": "0", "/a~1b": "1", "/c%d": "2", "/e^f": "3", "/g|h": "4", `/i\j`: "5",
		`/k"l`: "6", "/ ": "7", "/m~0n": "8",
	} {
		v, err := look(doc, pointer)
		if err != nil || string(AppendCanonical(nil, v)) != want {
			t.Errorf("%q: %v, %v, want %s", pointer, v.Raw(), err, want)
		}
		if v.Pointer() != pointer {
			t.Errorf("%q: the value says it is at %q", pointer, v.Pointer())
		}
	}
}

// TestPointerCases holds the cases kept beside the repository.
func TestPointerCases(t *testing.T) {
	data, err := os.ReadFile("../../shared/cases/pointer/pointers.json")
	if err != nil {
		t.Skip("no ../shared/cases/pointer on this machine")
	}
	file := read(t, string(data))
	doc := file.Get("doc")
	if n := file.Get("cases").Len(); n < 30 {
		t.Fatalf("%d cases, want at least 30", n)
	}
	for _, c := range file.Get("cases").Elements() {
		pointer, _ := c.Get("pointer").Text()
		expect, _ := c.Get("expect").Text()
		v, err := look(doc, pointer)
		switch expect {
		case "value", "value-whole-document":
			want := c.Get("value")
			if !want.Exists() {
				want = doc
			}
			if err != nil || !Equal(v, want) {
				t.Errorf("%q: %v, %v, want %s", pointer, v.Raw(), err, want.Raw())
			}
		case "refuse", "absent":
			var failure *PointerError
			if !errors.As(err, &failure) || failure.Syntax != (expect == "refuse") || v.Exists() {
				t.Errorf("%q: %v, %v, want %s", pointer, v.Raw(), err, expect)
			}
		default:
			t.Fatalf("%q: unknown expectation %q", pointer, expect)
		}
	}
}

// TestPointerRefusals: what RFC 6901 forbids is told apart from what the document does not hold.
func TestPointerRefusals(t *testing.T) {
	doc := read(t, `{"a":[10,20],"m~n":1,"o":{"01":2},"n":null,"s":"text","e":[],"":{"":3}}`)
	for _, c := range []struct {
		pointer     string
		syntax      bool
		token       string
		found, want string
	}{
		{"a", true, "", `"a"`, "nothing or a leading '/'"},
		{"#/a", true, "", `"#/a"`, "nothing or a leading '/'"},
		{" /a", true, "", `" /a"`, "nothing or a leading '/'"},
		{"/m~n", true, "", `"~n"`, `"~0" or "~1"`},
		{"/m~", true, "", `"~"`, `"~0" or "~1"`},
		{"/~2", true, "", `"~2"`, `"~0" or "~1"`},
		{"/~~0", true, "", `"~~"`, `"~0" or "~1"`},
		{"/a~/0", true, "", `"~/"`, `"~0" or "~1"`},
		{"/a/01", true, "01", `index "01"`, "0 or digits without a leading zero"},
		{"/a/00", true, "00", `index "00"`, "0 or digits without a leading zero"},
		{"/a/+1", true, "+1", `index "+1"`, "0 or digits without a leading zero"},
		{"/a/-0", true, "-0", `index "-0"`, "0 or digits without a leading zero"},
		{"/a/-1", true, "-1", `index "-1"`, "0 or digits without a leading zero"},
		{"/a/", true, "", `index ""`, "0 or digits without a leading zero"},
		{"/a/1 ", true, "1 ", `index "1 "`, "0 or digits without a leading zero"},
		{"/a/1e0", true, "1e0", `index "1e0"`, "0 or digits without a leading zero"},
		{"/a/0x1", true, "0x1", `index "0x1"`, "0 or digits without a leading zero"},
		{"/a/1_0", true, "1_0", `index "1_0"`, "0 or digits without a leading zero"},
		{"/a/\uff11", true, "\uff11", "index \"\uff11\"", "0 or digits without a leading zero"},
		{"/a/-", false, "-", "the place after the last element", "an element"},
		{"/a/2", false, "2", "2 elements", "an element at index 2"},
		{"/a/4294967296", false, "4294967296", "2 elements", "an element at index 4294967296"},
		{"/a/18446744073709551616", false, "18446744073709551616", "2 elements", "an element at index 18446744073709551616"},
		{"/a/184467440737095516160184467440737095516160", false, "184467440737095516160184467440737095516160", "2 elements",
			"an element at index 184467440737095516160184467440737095516160"},
		{"/e/0", false, "0", "0 elements", "an element at index 0"},
		{"/b", false, "b", `no member "b"`, "a member of that name"},
		{"/A", false, "A", `no member "A"`, "a member of that name"},
		{"/o/1", false, "1", `no member "1"`, "a member of that name"},
		{"/n/x", false, "x", "null", `an array or an object that holds "x"`},
		{"/s/0", false, "0", "string", `an array or an object that holds "0"`},
		{"/a/0/0", false, "0", "integer", `an array or an object that holds "0"`},
		{"///", false, "", "integer", `an array or an object that holds ""`},
	} {
		v, err := look(doc, c.pointer)
		want := PointerError{Pointer: c.pointer, Token: c.token, Syntax: c.syntax, Found: c.found, Want: c.want}
		var got *PointerError
		if !errors.As(err, &got) || *got != want || v.Exists() {
			t.Errorf("%q: got %+v, want %+v", c.pointer, got, want)
		}
	}
}

func TestPointerValues(t *testing.T) {
	doc := read(t, `{"o":{"01":1,"-":2,"+1":3,"":4},"n":null,"m~1n":5,"a/b":6,"\ud83d\ude00":7,"0":[[8]],"a":9,"a":10}`)
	for pointer, want := range map[string]string{
		"/o/01": "1", "/o/-": "2", "/o/+1": "3", "/o/": "4", "/n": "null", "/m~01n": "5", "/a~1b": "6", "/\U0001f600": "7", "/0/0/0": "8", "/a": "10",
	} {
		if v, err := look(doc, pointer); err != nil || v.Raw() != want {
			t.Errorf("%q: %q, %v, want %s", pointer, v.Raw(), err, want)
		}
	}
	if v, err := look(doc, "/a%2Fb"); err == nil {
		t.Errorf("percent-decoding gave %q", v.Raw())
	}
}

func TestPointerOfNothing(t *testing.T) {
	_, err := Pointer{}.Lookup(Value{})
	var failure *PointerError
	if !errors.As(err, &failure) || failure.Syntax || failure.Found != "no document" {
		t.Errorf("got %v", err)
	}
	p, _ := ParsePointer("/a")
	if _, err := p.Lookup(Value{}); !errors.As(err, &failure) || failure.Found != "nothing" {
		t.Errorf("got %v", err)
	}
}

func TestPointerTokensLimit(t *testing.T) {
	if p, err := ParsePointer(strings.Repeat("/a", MaxTokens)); err != nil || len(p.Tokens()) != MaxTokens {
		t.Errorf("at the limit: %v", err)
	}
	_, err := ParsePointer(strings.Repeat("/a", MaxTokens+1))
	var failure *PointerError
	if !errors.As(err, &failure) || failure.Found != "1001 tokens" || failure.Want != "at most 1000" {
		t.Errorf("past the limit: %.200v", err)
	}
}

func TestPointerText(t *testing.T) {
	p, err := ParsePointer("/a~1b/m~0n//0")
	if err != nil || !slices.Equal(p.Tokens(), []string{"a/b", "m~n", "", "0"}) {
		t.Fatalf("got %q, %v", p.Tokens(), err)
	}
	if p.String() != "/a~1b/m~0n//0" {
		t.Errorf("written as %q", p.String())
	}
	if got := EscapeToken("~1/"); got != "~01~1" {
		t.Errorf("escaped as %q", got)
	}
	_, err = ParsePointer("/~")
	if got, want := err.Error(), `pointer "/~": found "~", want "~0" or "~1"`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseIndex(t *testing.T) {
	for token, want := range map[string]int{"0": 0, "7": 7, "10": 10, "9223372036854775807": 9223372036854775807} {
		if i, ok := ParseIndex(token); !ok || i != want {
			t.Errorf("%q: %d, %v", token, i, ok)
		}
	}
	for _, token := range []string{"", "-", "01", "00", "+1", "-1", "-0", " 1", "1 ", "1.0", "1e1", "0x1", "1_0", "９", "9223372036854775808"} {
		if i, ok := ParseIndex(token); ok || i != 0 {
			t.Errorf("%q: %d, %v, want a refusal", token, i, ok)
		}
	}
}

func look(doc Value, pointer string) (Value, error) {
	p, err := ParsePointer(pointer)
	if err != nil {
		return Value{}, err
	}
	return p.Lookup(doc)
}

// read is a document that must be good.
func read(t *testing.T, text string) Value {
	t.Helper()
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
