package canon

import (
	"bytes"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Marshal writes the canonical text of a value: that of json.dumps(v, sort_keys=True, separators=(",", ":")). It takes a Value that
// exists, and Go's nil, bool, string, int, int64, uint64, *big.Int, float64, Digest (bare hex), []any, []string and map[string]any made
// of these. Another type is an error. Strings are UTF-8 or generalized UTF-8.
func Marshal(v any) ([]byte, error) {
	if v, ok := v.(Value); ok && v.Exists() {
		return canonical(v), nil
	}
	return appendAny(nil, v)
}

// Hash is the SHA-256 of the canonical text of v. The hash of Missing is that of the empty text and equals no value's.
func Hash(v Value) Digest { return Sum(canonical(v)) }

// canonical is the text of v in a buffer as large as the text that was read, which is nearly always enough.
func canonical(v Value) []byte { return AppendCanonical(make([]byte, 0, len(v.Raw())+16), v) }

// Equal reports whether two values are the same in type and content: exactly when their canonical texts are. 1, 1.0, true and "1" are
// four values; 0.0 and -0.0 are two. Missing equals nothing, itself included.
func Equal(a, b Value) bool {
	if !a.Exists() || !b.Exists() || a.Kind() != b.Kind() {
		return false
	}
	return bytes.Equal(canonical(a), canonical(b))
}

// From makes a Value of Go values, by writing and reading them. The errors are those of Marshal and Parse.
func From(v any) (Value, error) {
	b, err := Marshal(v)
	if err != nil {
		return Value{}, err
	}
	return Parse(b)
}

// AppendCanonical appends the canonical text of v to dst; nothing for Missing.
func AppendCanonical(dst []byte, v Value) []byte {
	switch v.Kind() {
	case Missing:
		return dst
	case Int:
		return append(dst, canonicalInt(v.Raw())...)
	case Float:
		return append(dst, canonicalFloat(v.Raw())...)
	case String:
		return appendText(dst, v.doc.text(v.i))
	case Array:
		dst = append(dst, '[')
		for i, e := range v.Elements() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendCanonical(dst, e)
		}
		return append(dst, ']')
	case Object:
		return appendObject(dst, v)
	}
	return append(dst, v.Raw()...) // null, true, false
}

type member struct {
	name  string
	value uint32
}

func appendObject(dst []byte, v Value) []byte {
	var few [linearNames]member // keeps small objects off the heap
	members := few[:0]
	if n := v.Len(); n > len(few) {
		members = make([]member, 0, n)
	}
	for name, m := range v.Members() {
		members = append(members, member{name, m.i})
	}
	// Byte order of generalized UTF-8 is code-point order, which is Python's.
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, m.name), ':')
		dst = AppendCanonical(dst, Value{v.doc, m.value})
	}
	return append(dst, '}')
}

// canonicalInt is the literal as Python prints the integer: the grammar leaves only -0 to mend.
func canonicalInt(literal string) string {
	if literal == "-0" {
		return "0"
	}
	return literal
}

const lowerHexDigits = "0123456789abcdef"

// appendText writes a string as Python does with ensure_ascii: everything outside printable ASCII as \uXXXX in lowercase, characters
// beyond the basic plane as two halves, and DEL, which Python escapes as well by treating only ' ' to '~' as printable.
func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0
	for i := printableEnd(s, 0); i < len(s); i = printableEnd(s, i) {
		c := s[i]
		dst = append(dst, s[plain:i]...)
		n := 1
		if c < utf8.RuneSelf {
			dst = appendASCII(dst, c)
		} else {
			var r rune
			r, n = decodeRune(s[i:])
			dst = appendEscaped(dst, r)
		}
		i += n
		plain = i
	}
	return append(append(dst, s[plain:]...), '"')
}

// printableEnd is the offset of the first byte from i on that appendText cannot copy, len(s) where there is none. Eight bytes at once, as in
// plainEnd.
func printableEnd(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		w := load8(s[i:])
		del := w ^ eachByte*0x7f
		if found := (special(w) | w | (del-eachByte)&^del) & topBits; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] <= '~' && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

func appendASCII(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case '\f':
		return append(dst, '\\', 'f')
	case '\b':
		return append(dst, '\\', 'b')
	}
	return appendUnit(dst, uint16(c))
}

func appendEscaped(dst []byte, r rune) []byte {
	if r < 0x10000 {
		return appendUnit(dst, uint16(r))
	}
	r -= 0x10000
	return appendUnit(appendUnit(dst, uint16(highFirst+r>>10)), uint16(lowFirst+r&0x3ff))
}

func appendUnit(dst []byte, u uint16) []byte {
	return append(dst, '\\', 'u', lowerHexDigits[u>>12], lowerHexDigits[u>>8&15], lowerHexDigits[u>>4&15], lowerHexDigits[u&15])
}

func appendAny(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case Value:
		if !v.Exists() {
			return nil, fmt.Errorf("found no value, want one to write")
		}
		return AppendCanonical(dst, v), nil
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return appendText(dst, v), nil
	case Digest:
		return appendText(dst, v.String()), nil
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case *big.Int:
		return v.Append(dst, 10), nil
	case float64:
		return append(dst, formatFloat(v)...), nil
	case []string:
		return appendList(dst, v)
	case []any:
		return appendList(dst, v)
	case map[string]any:
		return appendMap(dst, v)
	}
	return nil, fmt.Errorf("found a value of type %T, want one that JSON has", v)
}

func appendList[T any](dst []byte, list []T) ([]byte, error) {
	dst = append(dst, '[')
	var err error
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendAny(dst, e); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func appendMap(dst []byte, m map[string]any) ([]byte, error) {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	dst = append(dst, '{')
	var err error
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, name), ':')
		if dst, err = appendAny(dst, m[name]); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}
