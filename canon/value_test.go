package canon

import (
	"math/big"
	"strings"
	"testing"
)

func TestEqual(t *testing.T) {
	// Every value differs from every other one, and equals its other spellings.
	classes := [][]string{
		{`1`, ` 1 `}, {`1.0`, `1e0`, `10E-1`, `1.000`}, {`true`}, {`"1"`, `"\u0031"`}, {`0`, `-0`}, {`0.0`, `0e0`, `0e99`}, {`-0.0`, `-0e0`, `-1e-400`}, {`false`}, {`null`}, {`""`},
		{`[]`, `[ ]`}, {`{}`}, {`[[]]`}, {`[null]`}, {`"null"`}, {`{"a":1,"b":2}`, `{"b":2, "a":1}`, `{"a":0,"b":2,"a":1}`}, {`{"a":1,"b":2.0}`}, {`{"a":1}`}, {`{"A":1}`},
		{`[1,2]`}, {`[2,1]`}, {`"\u00e9"`, `"é"`}, {`"e\u0301"`}, {`"\ufb01"`}, {`"fi"`}, {`"A"`}, {`"a"`}, {`"a "`}, {`9007199254740992`}, {`9007199254740993`},
		{`9007199254740992.0`, `9007199254740993.0`}, {`NaN`}, {`Infinity`, `1e400`, `2e308`}, {`-Infinity`, `-1e999`}, {`"\ud800"`, "\"\xed\xa0\x80\""}, {`"\udfff"`}, {`"\ufffd"`},
		{`"\ud83d\ude00"`, "\"\U0001f600\""}, {`"/"`, `"\/"`}, {`"\u2028"`}, {`"\n"`, `"\u000a"`, `"\u000A"`}, {`"\\n"`},
	}
	type spelled struct {
		class int
		text  string
		v     Value
	}
	var all []spelled
	for i, class := range classes {
		for _, text := range class {
			all = append(all, spelled{i, text, read(t, text)})
		}
	}
	for _, a := range all {
		for _, b := range all {
			if got, want := Equal(a.v, b.v), a.class == b.class; got != want {
				t.Errorf("Equal(%s, %s) is %v", a.text, b.text, got)
			}
			if got, want := Hash(a.v) == Hash(b.v), a.class == b.class; got != want {
				t.Errorf("Hash(%s) == Hash(%s) is %v", a.text, b.text, got)
			}
		}
		if Equal(a.v, Value{}) || Equal(Value{}, a.v) {
			t.Errorf("%s equals Missing", a.text)
		}
	}
	if Equal(Value{}, Value{}) {
		t.Error("Missing equals itself")
	}
}

func TestMissing(t *testing.T) {
	var v Value
	text, isText := v.Text()
	b, isBool := v.Bool()
	n, isInt := v.Int64()
	if v.Exists() || v.Kind() != Missing || text != "" || isText || b || isBool || n != 0 || isInt || v.Number() != "" || v.Len() != 0 || v.Raw() != "" || v.Line() != 0 || v.Col() != 0 ||
		v.Pointer() != "" || v.At(0).Exists() || v.Get("").Exists() || len(AppendCanonical(nil, v)) != 0 {
		t.Error("Missing answers something")
	}
	for range v.Members() {
		t.Error("Missing has a member")
	}
	for range v.Elements() {
		t.Error("Missing has an element")
	}
	if _, err := Marshal(v); err == nil {
		t.Error("Missing was written")
	}
}

func TestValue(t *testing.T) {
	doc := read(t, "{\"list\":[1, 2.50,\n  \"a\\u00e9\"],\"yes\":true,\"no\":false,\"nothing\":null,\"list2\":{\"x\":-0},\"é\":9223372036854775807,\"past\":9223372036854775808}")
	list := doc.Get("list")
	if doc.Len() != 7 || list.Len() != 3 || list.Kind() != Array || list.At(3).Exists() || list.At(-1).Exists() {
		t.Errorf("lengths %d and %d, kind %v", doc.Len(), list.Len(), list.Kind())
	}
	if v := list.At(1); v.Kind() != Float || v.Number() != "2.50" || v.Raw() != "2.50" || v.Pointer() != "/list/1" {
		t.Errorf("element 1 is %v %s at %s", v.Kind(), v.Raw(), v.Pointer())
	}
	if _, ok := list.At(1).Int64(); ok {
		t.Error("2.50 is an integer")
	}
	v := list.At(2)
	if text, ok := v.Text(); !ok || text != "aé" || v.Line() != 2 || v.Col() != 3 || v.Raw() != `"a\u00e9"` {
		t.Errorf("element 2 is %q at %d:%d", text, v.Line(), v.Col())
	}
	if b, ok := doc.Get("yes").Bool(); !ok || !b {
		t.Error("yes is not true")
	}
	if b, ok := doc.Get("no").Bool(); !ok || b {
		t.Error("no is not false")
	}
	if v := doc.Get("nothing"); !v.Exists() || v.Kind() != Null || v.Number() != "" {
		t.Errorf("nothing is %v", v.Kind())
	}
	if doc.Get("List").Exists() || doc.Get("lis").Exists() || list.Get("0").Exists() {
		t.Error("a name matched inexactly")
	}
	if v := doc.Get("é"); v.Pointer() != "/é" || v.Line() != 2 {
		t.Errorf("é is at %s, line %d", v.Pointer(), v.Line())
	}
	if n, ok := doc.Get("é").Int64(); !ok || n != 1<<63-1 {
		t.Errorf("got %d, %v", n, ok)
	}
	if _, ok := doc.Get("past").Int64(); ok {
		t.Error("2^63 fits an int64")
	}
	if n, ok := doc.Get("list2").Get("x").Int64(); !ok || n != 0 {
		t.Errorf("-0 is %d, %v", n, ok)
	}
}

// TestAt: elements of one node each, and of several, are found at their index.
func TestAt(t *testing.T) {
	for _, text := range []string{`[1,2.5,"a",null,true]`, `[1,[2,[3]],"a",{"b":[]},true]`, `[[],[],[],{},{}]`, `[[1],2,3,4,5]`, `[1,2,3,4,[5]]`} {
		list := read(t, text)
		for i, e := range list.Elements() {
			if list.At(i) != e {
				t.Errorf("%s: At(%d) is %s, want %s", text, i, list.At(i).Raw(), e.Raw())
			}
		}
		if list.Len() != 5 || list.At(5).Exists() {
			t.Errorf("%s: %d elements", text, list.Len())
		}
	}
}

// TestRepeatedNames: the last value counts, whole, wherever the earlier ones stand.
func TestRepeatedNames(t *testing.T) {
	var many strings.Builder
	for i := range 40 { // past linearNames, with each name twice
		many.WriteString(`,"n` + string(rune('a'+i%20)) + `":` + string(rune('0'+i/20)))
	}
	for text, want := range map[string]string{
		`{"a":1,"b":2,"a":3}`:                   `{"a":3,"b":2}`,
		`{"a":{"x":1},"a":{"y":2}}`:             `{"a":{"y":2}}`,
		`{"a":1,"\u0061":2,"a":[]}`:             `{"a":[]}`,
		`{"":1,"":2}`:                           `{"":2}`,
		`{"a":1,"a":1,"a":1}`:                   `{"a":1}`,
		`{"\ud800":1,"\udbff":2,"\ufffd":3}`:    `{"\ud800":1,"\udbff":2,"\ufffd":3}`,
		`{"ab":1,"ba":2,"aab":3,"bab":4}`:       `{"aab":3,"ab":1,"ba":2,"bab":4}`,
		`{"x":[{"a":1,"a":2}],"x":[{"a":3}]}`:   `{"x":[{"a":3}]}`,
		`{"` + strings.Repeat("é", 9) + `":1}`:  `{"` + strings.Repeat(`\u00e9`, 9) + `":1}`,
		`{"z":0` + many.String() + `,"z":true}`: `{"na":1,"nb":1,"nc":1,"nd":1,"ne":1,"nf":1,"ng":1,"nh":1,"ni":1,"nj":1,"nk":1,"nl":1,"nm":1,"nn":1,"no":1,"np":1,"nq":1,"nr":1,"ns":1,"nt":1,"z":true}`,
	} {
		v := read(t, text)
		if got := string(AppendCanonical(nil, v)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if n := strings.Count(want, ":"); !strings.ContainsAny(text, "[") && !strings.Contains(text, ":{") && v.Len() != n {
			t.Errorf("%s: %d members, want %d", text, v.Len(), n)
		}
	}
	if v := read(t, `{"a":1,"b":2,"a":3}`); v.Get("a").Raw() != "3" {
		t.Errorf("Get gives %s", v.Get("a").Raw())
	}
}

// TestNameOrder: names are ordered by code point, halves of surrogate pairs among them, which is neither the order of UTF-16 nor that of the escapes.
func TestNameOrder(t *testing.T) {
	v := read(t, "{\"\U0001f600\":1,\"\uffee\":2,\"\ue000\":3,\"z\":4,\"\\udfff\":5,\"\\ud7ff\":6,\"\":7,\"a\":8,\"A\":9,\"aa\":10,\"\\u0000\":11,\"\\u007f\":12,\"é\":13,\"\xed\xa0\x80\xed\xb0\x80\":14}")
	// Written by CPython 3.11.7.
	const want = `{"":7,"\u0000":11,"A":9,"a":8,"aa":10,"z":4,"\u007f":12,"\u00e9":13,"\ud7ff":6,"\ud800\udc00":14,"\udfff":5,"\ue000":3,"\uffee":2,"\ud83d\ude00":1}`
	if got := string(AppendCanonical(nil, v)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSurrogates: only a high and a low half that are both escapes become one character. The lengths are those of Python's strings.
func TestSurrogates(t *testing.T) {
	for text, want := range map[string][2]string{
		`"\ud83d\ude00"`:                   {"\U0001f600", `"\ud83d\ude00"`},
		`"\uD83D\uDE00"`:                   {"\U0001f600", `"\ud83d\ude00"`},
		`"\ud800"`:                         {"\xed\xa0\x80", `"\ud800"`},
		`"\udc00\ud800"`:                   {"\xed\xb0\x80\xed\xa0\x80", `"\udc00\ud800"`},
		`"\ud83dA"`:                        {"\xed\xa0\xbdA", `"\ud83dA"`},
		`"\ud83d\n"`:                       {"\xed\xa0\xbd\n", `"\ud83d\n"`},
		`"\ud83d\ud83d\ude00"`:             {"\xed\xa0\xbd\U0001f600", `"\ud83d\ud83d\ude00"`},
		"\"\\ud83d\xed\xb8\x80\"":          {"\xed\xa0\xbd\xed\xb8\x80", `"\ud83d\ude00"`},
		"\"\xed\xa0\xbd\\ude00\"":          {"\xed\xa0\xbd\xed\xb8\x80", `"\ud83d\ude00"`},
		"\"\xed\xa0\xbd\xed\xb8\x80\"":     {"\xed\xa0\xbd\xed\xb8\x80", `"\ud83d\ude00"`},
		`"\ud83d\\ude00"`:                  {"\xed\xa0\xbd\\ude00", `"\ud83d\\ude00"`},
		`"\udbff\udfff\ud7ff\ue000\uffff"`: {"\U0010ffff\ud7ff\ue000\uffff", `"\udbff\udfff\ud7ff\ue000\uffff"`},
	} {
		v := read(t, text)
		if got, _ := v.Text(); got != want[0] {
			t.Errorf("%q: got %q, want %q", text, got, want[0])
		}
		if got := string(AppendCanonical(nil, v)); got != want[1] {
			t.Errorf("%q: wrote %s, want %s", text, got, want[1])
		}
	}
}

// TestEscapes writes every character of the first 256 and some beyond; the text is CPython's.
func TestEscapes(t *testing.T) {
	var all strings.Builder
	for c := rune(0); c < 0x100; c++ {
		all.WriteRune(c)
	}
	got, err := Marshal(all.String() + "\u2028\ufffe\U00010000")
	if err != nil {
		t.Fatal(err)
	}
	const want = `"\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_` + "`" + `abcdefghijklmnopqrstuvwxyz{|}~\u007f\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0\u00a1\u00a2\u00a3\u00a4\u00a5\u00a6\u00a7\u00a8\u00a9\u00aa\u00ab\u00ac\u00ad\u00ae\u00af\u00b0\u00b1\u00b2\u00b3\u00b4\u00b5\u00b6\u00b7\u00b8\u00b9\u00ba\u00bb\u00bc\u00bd\u00be\u00bf\u00c0\u00c1\u00c2\u00c3\u00c4\u00c5\u00c6\u00c7\u00c8\u00c9\u00ca\u00cb\u00cc\u00cd\u00ce\u00cf\u00d0\u00d1\u00d2\u00d3\u00d4\u00d5\u00d6\u00d7\u00d8\u00d9\u00da\u00db\u00dc\u00dd\u00de\u00df\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u00e6\u00e7\u00e8\u00e9\u00ea\u00eb\u00ec\u00ed\u00ee\u00ef\u00f0\u00f1\u00f2\u00f3\u00f4\u00f5\u00f6\u00f7\u00f8\u00f9\u00fa\u00fb\u00fc\u00fd\u00fe\u00ff\u2028\ufffe\ud800\udc00"`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestEscapeAtEveryOffset: the scan of eight bytes at once finds a special byte wherever it stands.
func TestEscapeAtEveryOffset(t *testing.T) {
	for special, escaped := range map[string]string{`"`: `\"`, `\`: `\\`, "\x1f": `\u001f`, "\x7f": `\u007f`, "\x80": "", "é": `\u00e9`, "\x00": `\u0000`, "~": "~", " ": " ", "!": "!", "#": "#", "[": "[", "]": "]"} {
		if escaped == "" {
			continue // not UTF-8; the readers' own tests cover it
		}
		for before := range 20 {
			for after := range 20 {
				plain := strings.Repeat("a", before) + special + strings.Repeat("z", after)
				want := `"` + strings.Repeat("a", before) + escaped + strings.Repeat("z", after) + `"`
				got, err := Marshal(plain)
				if err != nil || string(got) != want {
					t.Fatalf("%q: %s, %v", plain, got, err)
				}
				v, err := ParseStrict("", got)
				if text, _ := v.Text(); err != nil || text != plain {
					t.Fatalf("%s: %q, %v", got, text, err)
				}
			}
		}
	}
}

func TestMarshal(t *testing.T) {
	big1, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	got, err := Marshal(map[string]any{
		"null": nil, "yes": true, "text": "é", "int": -7, "int64": int64(-1 << 63), "uint64": uint64(1<<64 - 1), "big": big1, "float": 1e16, "zero": 0.0, "digest": Sum([]byte("abc")),
		"list": []any{1, 1.0, "1", []string{"a"}}, "value": read(t, `{"b":1.50, "a":[]}`),
	})
	const want = `{"big":-123456789012345678901234567890,"digest":"` + abc + `","float":1e+16,"int":-7,"int64":-9223372036854775808,"list":[1,1.0,"1",["a"]],"null":null,"text":"\u00e9",` +
		`"uint64":18446744073709551615,"value":{"a":[],"b":1.5},"yes":true,"zero":0.0}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	for _, v := range []any{[]byte("a"), struct{}{}, int32(1), float32(1), []any{1, map[int]any{}}, map[string]any{"a": Value{}}, func() {}} {
		if b, err := Marshal(v); err == nil || b != nil {
			t.Errorf("%T: %s, %v, want an error", v, b, err)
		}
	}
}

func TestFrom(t *testing.T) {
	v, err := From(map[string]any{"a": []any{1, 2.0}})
	if err != nil || !Equal(v, read(t, `{"a":[1,2.0]}`)) {
		t.Errorf("got %s, %v", v.Raw(), err)
	}
	if _, err := From([]byte{}); err == nil {
		t.Error("a []byte became a value")
	}
}

// TestDocExample holds the example of the package comment; the digest is CPython's hashlib's.
func TestDocExample(t *testing.T) {
	v := read(t, `{"b":1.0,"a":"é"}`)
	if got := string(AppendCanonical(nil, v)); got != `{"a":"\u00e9","b":1.0}` {
		t.Errorf("got %s", got)
	}
	if got := Hash(v).String(); got != "8b3040a03e6b64d84012168038bf0f1dd0e6158376829eb58edf49e50d55e8ce" {
		t.Errorf("got %s", got)
	}
}

func TestKindNames(t *testing.T) {
	for k, want := range map[Kind]string{Missing: "nothing", Null: "null", Bool: "boolean", Int: "integer", Float: "float", String: "string", Array: "array", Object: "object"} {
		if k.String() != want {
			t.Errorf("%d is %q, want %q", k, k, want)
		}
	}
}
