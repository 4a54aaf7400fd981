package conformance_test

import (
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/conformance"
)

// canonCases are documents with the text that Python's json.dumps(v, sort_keys=True, separators=(",", ":")) gives for json.loads of the bytes; the texts below
// were written by CPython 3.11. place is line and column of the refusal.
func canonCases() []given {
	one := func(name, what, why, document string, strict bool, pointer string, want conformance.Answer) given {
		input := []string{"file", "input.json"}
		if strict {
			input = append(input, "strict", "true")
		}
		if pointer != "-" {
			input = append(input, "pointer", pointer)
		}
		return given{name: "canon-" + name, what: what, why: why, question: "canon", input: input, files: map[string][]byte{"input.json": []byte(document)}, want: want}
	}
	text := func(s string) conformance.Answer {
		return answer("holds", "", "", 0, []string{"sha256", canon.Sum([]byte(s)).String()})
	}
	refused := func(place string) conformance.Answer {
		if place == "" {
			return answer("unusable", "", "", 2, nil)
		}
		return answer("unusable", "", "", 2, []string{"place", "input.json:" + place})
	}
	python := func(name, what, document, canonical string) given {
		return one(name, what, "As Python writes it", document, false, "-", text(canonical))
	}
	notPython := func(name, what, document, place string) given {
		return one(name, what, "Python refuses it too", document, false, "-", refused(place))
	}
	notStrict := func(name, what, document, place string) given {
		return one("strict-"+name, what, "Evidence must not be read in two ways", document, true, "-", refused(place))
	}
	pointed := func(name, what, why, pointer string, want conformance.Answer) given {
		return one("pointer-"+name, what, why, `{"a":[10,20],"m~n":1,"m~1n":2,"a/b":3,"o":{"01":4,"-":5},"n":null,"":6}`+"\n", false, pointer, want)
	}
	const rfc = "RFC 6901 §3 and §4"
	return []given{
		python("floats", "Floats of every size", `[1e15,9999999999999998.0,1e16,0.0001,0.00001,1e22,5e-324,1.7976931348623157e308]`, `[1000000000000000.0,9999999999999998.0,1e+16,0.0001,1e-05,1e+22,5e-324,1.7976931348623157e+308]`),
		python("float-or-integer", "1 and 1.0 and 1e0, 0 and -0 and -0.0", `[1,1.0,1e0,100.00,0,-0,-0.0]`, `[1,1.0,1.0,100.0,0,0,-0.0]`),
		python("big-integer", "An integer of 23 digits", `{"n":12345678901234567890123}`, `{"n":12345678901234567890123}`),
		python("not-numbers", "NaN, Infinity, and a number that overflows", `[NaN,Infinity,-Infinity,1e400,-1e400]`, `[NaN,Infinity,-Infinity,Infinity,-Infinity]`),
		python("last-wins", "Members that stand twice", `{"a":{"x":1},"b":2,"a":{"y":2},"\u0061":3}`, `{"a":3,"b":2}`),
		python("lone-surrogates", "Halves of surrogate pairs, and a whole pair", `["\ud800","\udc00\ud800","\ud83dA","\uD83D\uDE00"]`, `["\ud800","\udc00\ud800","\ud83dA","\ud83d\ude00"]`),
		python("order", "Names beyond the first plane", `{"`+"\uffee"+`":1,"`+"\U0001F600"+`":2,"`+"\ue000"+`":3,"z":4}`, `{"z":4,"\ue000":3,"\uffee":1,"\ud83d\ude00":2}`),
		python("escapes", "Characters that other writers escape, or do not", `{"s":"<a href='x'>&`+"\u2028\u007f"+`\/\u0008\u000c\u001f é"}`, `{"s":"<a href='x'>&\u2028\u007f/\b\f\u001f \u00e9"}`),
		python("byte-order-mark", "A UTF-8 byte-order mark", "\xef\xbb\xbf[1]", `[1]`),
		python("white-space", "Every white space that JSON knows", " \t\n\r[ 1 ,\t2 ]\r\n", `[1,2]`),
		python("depth-500", "Five hundred lists, one in the other", strings.Repeat("[", 500)+strings.Repeat("]", 500), strings.Repeat("[", 500)+strings.Repeat("]", 500)),
		notPython("depth-100000", "A hundred thousand lists, one in the other", strings.Repeat("[", 100000), "1:1001"),
		notPython("trailing-text", "Text after the document", `{"season":1} GARBAGE`, "1:14"),
		notPython("two-documents", "Two documents", "{}\n{}", "2:1"),
		notPython("empty", "An empty file", "", "1:1"),
		notPython("minus-nan", "-NaN", "[-NaN]", "1:3"),
		notPython("nan-lower", "nan", "[nan]", "1:2"),
		notPython("leading-zero", "01", "[01]", "1:3"),
		notPython("bare-point", "1.", "[1.]", "1:3"),
		notPython("comma", "A comma after the last element", "[1,]", "1:4"),
		notPython("comment", "A comment", "[1] // un", "1:5"),
		notPython("single-quotes", "Single quotes", "['a']", "1:2"),
		notPython("raw-tab", "A tab inside a text", "[\"a\tb\"]", "1:4"),
		notPython("bad-escape", `\x41`, `["\x41"]`, "1:3"),
		notPython("form-feed", "A form feed around the document", "\f[1]", "1:1"),
		notPython("byte-ff", "The bytes FF FE inside a text", "[\"\xff\xfe\"]", "1:3"),
		notPython("overlong", "An overlong encoding of /", "[\"\xc0\xaf\"]", "1:3"),
		notPython("cut-sequence", "A UTF-8 sequence that is cut off", "[\"\xe2\x82\"]", "1:3"),
		notPython("beyond-unicode", "A code point beyond U+10FFFF", "[\"\xf4\x90\x80\x80\"]", "1:3"),
		one("strict-good", "A document that both readers read alike", "Nothing is wrong with it", `{"b":[1,2.50],"a":"é"}`, true, "-", text(`{"a":"\u00e9","b":[1,2.5]}`)),
		notStrict("duplicate", "A member that stands twice", `{"a":1,"b":2,"a":3}`, "1:14"),
		notStrict("duplicate-escaped", "A member that stands twice in two spellings", `{"a":1,"\u0061":2}`, "1:8"),
		notStrict("nan", "NaN", `[NaN]`, "1:2"),
		notStrict("overflow", "1e400", `[1e400]`, "1:2"),
		notStrict("surrogate", "Half a surrogate pair", `["\ud800"]`, "1:3"),
		notStrict("surrogate-raw", "Half a surrogate pair as bytes", "[\"\xed\xa0\x80\"]", "1:3"),
		notStrict("byte-order-mark", "A byte-order mark", "\xef\xbb\xbf[1]", "1:1"),
		pointed("whole", "The empty pointer", rfc+": the whole document", "", text(`{"":6,"a":[10,20],"a/b":3,"m~1n":2,"m~n":1,"n":null,"o":{"-":5,"01":4}}`)),
		pointed("index", "/a/1", rfc, "/a/1", text("20")),
		pointed("tilde", "/m~0n", rfc, "/m~0n", text("1")),
		pointed("tilde-one", "/m~01n", rfc+": ~1 is turned first, then ~0", "/m~01n", text("2")),
		pointed("slash", "/a~1b", rfc, "/a~1b", text("3")),
		pointed("digits-as-name", "/o/01", "What is no index may well be a name", "/o/01", text("4")),
		pointed("null", "/n", "Null that is there is a value", "/n", text("null")),
		pointed("index-leading-zero", "/a/01", rfc+": an index has no leading zero", "/a/01", refused("")),
		pointed("index-plus", "/a/+1", rfc+": an index is digits", "/a/+1", refused("")),
		pointed("index-minus", "/a/-1", rfc+": an index is digits", "/a/-1", refused("")),
		pointed("index-dash", "/a/-", rfc+": - is the element after the last, which is not there", "/a/-", refused("")),
		pointed("index-beyond", "/a/2", "Nothing is there", "/a/2", refused("")),
		pointed("bad-escape", "/m~n", rfc+": ~ is followed by 0 or 1", "/m~n", refused("")),
		pointed("no-slash", "a/0", rfc+": / before each token", "a/0", refused("")),
		pointed("fragment", "#/a/0", "The fragment form is another syntax", "#/a/0", refused("")),
		pointed("percent", "/a%2Fb", "Nothing is percent-decoded", "/a%2Fb", refused("")),
	}
}
