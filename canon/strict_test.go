package canon

import (
	"errors"
	"testing"
)

// refusal is one document with one fault: where the reader must see it, what it must name and what it must ask for. The lines and columns
// are counted by hand.
type refusal struct {
	name, text  string
	line, col   int
	pointer     string
	found, want string
}

// escapes is what a reader asks for after a backslash.
const escapes = `one of \" \\ \/ \b \f \n \r \t or \u and four hex digits`

// grammarFaults are refused by both readers (RFC 8259 §2 to §7).
var grammarFaults = []refusal{
	{"empty", "", 1, 1, "", "the end of the text", "a JSON value"},
	{"only space", " \n\t", 2, 2, "", "the end of the text", "a JSON value"},
	{"trailing text", `{"a":1} x`, 1, 9, "", "'x'", "the end of the document"},
	{"two documents", "{}\n{}", 2, 1, "", "'{'", "the end of the document"},
	{"trailing NUL", "[12]\x00", 1, 5, "", `'\x00'`, "the end of the document"},
	{"form feed", "\f1", 1, 1, "", `'\f'`, "a JSON value"},
	{"no-break space", "\u00a01", 1, 1, "", `'\u00a0'`, "a JSON value"},
	{"leading zero", `[01]`, 1, 3, "", "'1'", "',' or ']'"},
	{"no digit after the point", `{"a":1.}`, 1, 7, "", "'.'", "',' or '}'"},
	{"no digit in the exponent", `1e+`, 1, 2, "", "'e'", "the end of the document"},
	{"sign alone", `[0,-]`, 1, 5, "/1", "']'", "a digit"},
	{"sign at the end", `-`, 1, 2, "", "the end of the text", "a digit"},
	{"plus sign", `[+1]`, 1, 2, "/0", "'+'", "a JSON value"},
	{"negative NaN", `[-NaN]`, 1, 3, "/0", "'N'", "a digit"},
	{"wrong word", `[true,nul]`, 1, 7, "/1", "'n'", "a JSON value"},
	{"word in capitals", `True`, 1, 1, "", "'T'", "a JSON value"},
	{"comma at the end of an array", `[1,]`, 1, 4, "/1", "']'", "a JSON value"},
	{"comma at the end of an object", `{"a":1,}`, 1, 8, "", "'}'", "a member name in double quotes"},
	{"no comma in an array", `{"a":[1 2]}`, 1, 9, "/a", "'2'", "',' or ']'"},
	{"no comma in an object", `[{"a":1 "b":2}]`, 1, 9, "/0", "'\"'", "',' or '}'"},
	{"no colon", `{"a" 1}`, 1, 6, "/a", "'1'", "':'"},
	{"no value", `{"a":}`, 1, 6, "/a", "'}'", "a JSON value"},
	{"name without quotes", `{a:1}`, 1, 2, "", "'a'", "a member name in double quotes"},
	{"number as a name", `{"x":{1:1}}`, 1, 7, "/x", "'1'", "a member name in double quotes"},
	{"quotes of the other kind", `['a']`, 1, 2, "/0", `'\''`, "a JSON value"},
	{"comment", `[1] // one`, 1, 5, "", "'/'", "the end of the document"},
	{"wrong bracket", `{"a":[1}}`, 1, 8, "/a", "'}'", "',' or ']'"},
	{"open array", `[1`, 1, 3, "", "the end of the text", "',' or ']'"},
	{"open object", "{\"a\":\n[{", 2, 3, "/a/0", "the end of the text", "a member name in double quotes"},
	{"open string", `["a`, 1, 4, "/0", "the end of the text", "a closing quote"},
	{"raw tab", "[\"a\tb\"]", 1, 4, "/0", `control character '\t'`, "its escape"},
	{"raw line feed in a name", "{\"é\n\":1}", 1, 4, "", `control character '\n'`, "its escape"},
	{"raw control past eight bytes", "\"0123456789\x1f\"", 1, 12, "", `control character '\x1f'`, "its escape"},
	{"unknown escape", `"\x41"`, 1, 2, "", `"\\x41\""`, escapes},
	{"short \\u", `{"k":"\u12"}`, 1, 7, "/k", `"\\u12\"}"`, escapes},
	{"\\u with a wrong digit", `"\u12g4"`, 1, 2, "", `"\\u12g4"`, escapes},
	{"capital \\U", `"\U0041"`, 1, 2, "", `"\\U0041"`, escapes},
	{"backslash at the end", `"\`, 1, 2, "", `"\\"`, escapes},
	{"UTF-8 of no code point", "[\"é\xff\"]", 1, 4, "", "byte 0xff", "valid UTF-8"},
	{"overlong UTF-8", "\n\"\xc0\xaf\"", 2, 2, "", "byte 0xc0", "valid UTF-8"},
	{"UTF-8 cut short", "\"\xe2\x82\"", 1, 2, "", "byte 0xe2", "valid UTF-8"},
	{"past U+10FFFF", "\"\xf4\x90\x80\x80\"", 1, 2, "", "byte 0xf4", "valid UTF-8"},
	{"UTF-16 with a mark", "\xff\xfe1\x00", 1, 1, "", "UTF-16 text", "UTF-8"},
	{"UTF-16, big end first", "\x00[\x00]", 1, 1, "", "UTF-16 text", "UTF-8"},
	{"UTF-16, little end first", "[\x00]\x00", 1, 1, "", "UTF-16 text", "UTF-8"},
	{"UTF-16 of one digit", "1\x00", 1, 1, "", "UTF-16 text", "UTF-8"},
	{"UTF-32 with a mark", "\xff\xfe\x00\x001\x00\x00\x00", 1, 1, "", "UTF-32 text", "UTF-8"},
	{"UTF-32, big end first", "\x00\x00\x001", 1, 1, "", "UTF-32 text", "UTF-8"},
	{"UTF-32, little end first", "1\x00\x00\x00", 1, 1, "", "UTF-32 text", "UTF-8"},
	{"three bytes with a NUL are UTF-8", "1\x00\x00", 1, 2, "", `'\x00'`, "the end of the document"},
	{"two byte-order marks", "\xef\xbb\xbf\xef\xbb\xbf1", 1, 1, "", `'\ufeff'`, "a JSON value"},
	{"place after escaped names", "{\"a/b\":[0,{\"m~n\":\n  [x]}]}", 2, 4, "/a~1b/1/m~0n/0", "'x'", "a JSON value"},
	{"columns count characters", "[\"\U0001f600é\",?]", 1, 7, "/1", "'?'", "a JSON value"},
}

// evidenceFaults are values to Python and refused in evidence (formats §1).
var evidenceFaults = []refusal{
	{"repeated name", "{\"a\":1,\n\"b\":2,\"a\":3}", 2, 7, "/a", `a second member "a"`, "each name once"},
	{"repeated name in another spelling", `{"a":1,"\u0061":2}`, 1, 8, "/a", `a second member "a"`, "each name once"},
	{"repeated empty name", `[{"":1,"":1}]`, 1, 8, "/0/", `a second member ""`, "each name once"},
	{"repeated name past sixteen", `{"a":0,"b":0,"c":0,"d":0,"e":0,"f":0,"g":0,"h":0,"i":0,"j":0,"k":0,"l":0,"m":0,"n":0,"o":0,"p":0,"q":0,"a":1}`, 1, 104, "/a",
		`a second member "a"`, "each name once"},
	{"high half", `{"k":"x\ud800"}`, 1, 8, "/k", "half of a surrogate pair", "both halves or another character"},
	{"low half", `["\udc00"]`, 1, 3, "/0", "half of a surrogate pair", "both halves or another character"},
	{"halves in the wrong order", `"\udc00\ud800"`, 1, 2, "", "half of a surrogate pair", "both halves or another character"},
	{"two high halves", `"\ud83d\ud83d\ude00"`, 1, 2, "", "half of a surrogate pair", "both halves or another character"},
	{"half in a name", `{"\\\udfff":1}`, 1, 5, "", "half of a surrogate pair", "both halves or another character"},
	{"raw half", "[\"\xed\xa0\x80\"]", 1, 3, "", "byte 0xed", "valid UTF-8"},
	{"byte-order mark", "\xef\xbb\xbf{}", 1, 1, "", "a byte-order mark", "JSON in UTF-8 without one"},
	{"NaN", `[0,NaN]`, 1, 4, "/1", "NaN", "a number that JSON can write"},
	{"Infinity", `Infinity`, 1, 1, "", "Infinity", "a number that JSON can write"},
	{"minus infinity", `{"a":-Infinity}`, 1, 6, "/a", "-Infinity", "a number that JSON can write"},
	{"past the range", `[1e400]`, 1, 2, "/0", `"1e400"`, "a number within the range of a double"},
	{"first double past the range", `1.7976931348623159e308`, 1, 1, "", `"1.7976931348623159e308"`, "a number within the range of a double"},
}

func TestGrammarFaults(t *testing.T) {
	for _, r := range grammarFaults {
		t.Run(r.name, func(t *testing.T) {
			_, err := Parse([]byte(r.text))
			r.check(t, "", err)
			_, err = ParseStrict("evidence.json", []byte(r.text))
			if r.name != "two byte-order marks" { // the strict reader stops at the first
				r.check(t, "evidence.json", err)
			}
		})
	}
}

func TestEvidenceFaults(t *testing.T) {
	for _, r := range evidenceFaults {
		t.Run(r.name, func(t *testing.T) {
			if _, err := Parse([]byte(r.text)); err != nil {
				t.Errorf("Python reader: %v, want a value", err)
			}
			_, err := ParseStrict("evidence.json", []byte(r.text))
			r.check(t, "evidence.json", err)
		})
	}
}

func (r refusal) check(t *testing.T, file string, err error) {
	t.Helper()
	var got *SyntaxError
	if !errors.As(err, &got) {
		t.Fatalf("error %v, want a *SyntaxError", err)
	}
	want := SyntaxError{File: file, Line: r.line, Col: r.col, Pointer: r.pointer, Found: r.found, Want: r.want}
	if *got != want {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := ParseStrict("s.json", []byte("{\"a\":\n [1,?]}"))
	if got, want := err.Error(), "s.json:2:5: found '?', want a JSON value (at /a/1)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err = Parse(nil)
	if got, want := err.Error(), "1:1: found the end of the text, want a JSON value"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRefusedIsMissing: a refused document leaves no half-read value behind.
func TestRefusedIsMissing(t *testing.T) {
	for _, text := range []string{`{"a":1`, `[1]x`, "\xff"} {
		if v, _ := Parse([]byte(text)); v.Exists() {
			t.Errorf("%s: got a value of kind %v with the error", text, v.Kind())
		}
		if v, _ := ParseStrict("", []byte(text)); v.Exists() {
			t.Errorf("%s: got a value of kind %v with the error", text, v.Kind())
		}
	}
}
