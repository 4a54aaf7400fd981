package canon

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"testing"
)

// seeds adds documents with faults and without.
func seeds(f *testing.F) {
	for _, r := range grammarFaults {
		f.Add([]byte(r.text))
	}
	for _, r := range evidenceFaults {
		f.Add([]byte(r.text))
	}
	g := newGenerator(7)
	for range 50 {
		f.Add(g.document())
	}
}

// FuzzParse: the canonical text is a fixed point, and refusals have one type and a place inside the document.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		v, err := Parse(b)
		if !bytes.Equal(b, before) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			checkPlace(t, b, err)
			return
		}
		text, err := Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("%q, written as %s, is refused: %v", b, text, err)
		}
		checkPointers(t, again)
		if hasRawHalf(b) {
			// Two raw halves stay two characters, yet are written like one: Python's own text is then no fixed point.
			return
		}
		if twice := AppendCanonical(nil, again); !bytes.Equal(twice, text) {
			t.Fatalf("%q: written as %s, then as %s", b, text, twice)
		}
		if !Equal(v, again) || Hash(v) != Sum(text) {
			t.Fatalf("%q: equality or hash differ from the text", b)
		}
	})
}

// FuzzParseStrict: whatever it accepts, Parse accepts with the same text, and so does encoding/json's grammar.
func FuzzParseStrict(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ParseStrict("f", b)
		if err != nil {
			checkPlace(t, b, err)
			return
		}
		loose, err := Parse(b)
		if err != nil {
			t.Fatalf("%q: the strict reader accepts what Parse refuses: %v", b, err)
		}
		if text := AppendCanonical(nil, v); !bytes.Equal(text, AppendCanonical(nil, loose)) {
			t.Fatalf("%q: the readers give two texts", b)
		}
		if !json.Valid(b) {
			t.Fatalf("%q: not JSON to encoding/json", b)
		}
		checkPointers(t, v)
	})
}

// checkPlace holds a refusal to its type and to a place in the document.
func checkPlace(t *testing.T, b []byte, err error) {
	t.Helper()
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("%q: error %T, want *SyntaxError", b, err)
	}
	lines := bytes.Split(b, []byte("\n"))
	if syntax.Line < 1 || syntax.Line > len(lines) || syntax.Col < 1 || syntax.Col > len(lines[syntax.Line-1])+1 || syntax.Found == "" || syntax.Want == "" {
		t.Fatalf("%q: refused at %+v", b, syntax)
	}
	if _, err := ParsePointer(syntax.Pointer); err != nil {
		t.Fatalf("%q: refused at pointer %q: %v", b, syntax.Pointer, err)
	}
}

// checkPointers: every value is found at the pointer that it gives.
func checkPointers(t *testing.T, root Value) {
	t.Helper()
	if root.Len() > 200 {
		return // looking up each of many costs the square
	}
	var walk func(v Value)
	walk = func(v Value) {
		p, err := ParsePointer(v.Pointer())
		if err != nil {
			t.Fatal(err)
		}
		if at, err := p.Lookup(root); err != nil || at != v {
			t.Fatalf("pointer %q leads to %q, %v", v.Pointer(), at.Raw(), err)
		}
		for _, e := range v.Elements() {
			walk(e)
		}
		for _, m := range v.Members() {
			walk(m)
		}
	}
	walk(root)
}

// hasRawHalf reports whether the bytes hold half of a surrogate pair in generalized UTF-8.
func hasRawHalf(b []byte) bool {
	for i := range b {
		if isRawSurrogate(string(b[i:min(i+3, len(b))])) {
			return true
		}
	}
	return false
}

// FuzzPointer: parse, write, the same text; and the tokens written one by one are the pointer.
func FuzzPointer(f *testing.F) {
	for _, s := range []string{"", "/", "/a/0", "/a~1b/m~0n", "/~01", "/~", "a", "#/a", "/a//b", "/é/\xff", "/~~"} {
		f.Add(s)
	}
	doc, err := Parse([]byte(`{"a":["x",{"b":[[]]}],"":{"":null},"~":1,"/":2}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePointer(s)
		var failure *PointerError
		if err != nil {
			if !errors.As(err, &failure) || !failure.Syntax {
				t.Fatalf("%q: error %v, want a *PointerError of syntax", s, err)
			}
			return
		}
		if p.String() != s {
			t.Fatalf("%q is written %q", s, p.String())
		}
		v, err := p.Lookup(doc)
		if err != nil {
			if !errors.As(err, &failure) || v.Exists() {
				t.Fatalf("%q: error %v with value %q", s, err, v.Raw())
			}
			return
		}
		if v.Pointer() != s {
			t.Fatalf("%q leads to the value at %q", s, v.Pointer())
		}
	})
}

// FuzzHex: what is accepted is written back as it was, and encoding/hex reads the same.
func FuzzHex(f *testing.F) {
	for _, s := range []string{abc, "sha256:" + abc, "", "AB", "0g", "00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseHex(s); err == nil && d.String() != s {
			t.Fatalf("%q is written %q", s, d)
		}
		if d, err := ParsePrefixed(s); err == nil && d.Prefixed() != s {
			t.Fatalf("%q is written %q", s, d.Prefixed())
		}
		b, err := DecodeHex(s, len(s)/2)
		if err != nil {
			if want, hexErr := hex.DecodeString(s); hexErr == nil && hex.EncodeToString(want) == s {
				t.Fatalf("%q refused: %v", s, err)
			}
			return
		}
		if hex.EncodeToString(b) != s {
			t.Fatalf("%q is written %q", s, hex.EncodeToString(b))
		}
	})
}

// FuzzBase64: what is accepted is written back as it was; what is refused is no encoder's output.
func FuzzBase64(f *testing.F) {
	for _, v := range base64Vectors {
		f.Add(v.padded, []byte(v.plain))
		f.Add(v.url, []byte(v.plain))
	}
	f.Add("Zh==", []byte{0})
	f.Add("Zg\n==", []byte{0xff, 0xff})
	f.Fuzz(func(t *testing.T, s string, b []byte) {
		if got, err := DecodeBase64(s); err == nil && base64.StdEncoding.EncodeToString(got) != s {
			t.Fatalf("%q is written otherwise", s)
		}
		if got, err := DecodeBase64URL(s); err == nil && base64.RawURLEncoding.EncodeToString(got) != s {
			t.Fatalf("%q is written otherwise", s)
		}
		if got, err := DecodeBase64(EncodeBase64(b)); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("%x came back as %x, %v", b, got, err)
		}
		if got, err := DecodeBase64URL(EncodeBase64URL(b)); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("%x came back as %x, %v", b, got, err)
		}
	})
}
