package canon

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
)

// MaxTokens is how many reference tokens a pointer may have: no document is deeper.
const MaxTokens = MaxDepth

// Pointer is a JSON Pointer (RFC 6901), read strictly. The zero Pointer means the whole document.
type Pointer struct{ tokens []string }

// PointerError says why a pointer gives no value.
type PointerError struct {
	Pointer string // the whole pointer as written
	Token   string // the token that leads nowhere, unescaped
	Syntax  bool   // true where RFC 6901 forbids the spelling, false where the document has no such value
	Found   string
	Want    string
}

// Error is one line: pointer, found, wanted.
func (e *PointerError) Error() string {
	return fmt.Sprintf("pointer %s: found %s, want %s", quote(e.Pointer), e.Found, e.Want)
}

// ParsePointer reads a pointer in its string form: empty, or "/" before each token, "~" only before 0 or 1 (RFC 6901 §3). The error is
// a *PointerError with Syntax set.
func ParsePointer(s string) (Pointer, error) {
	bad := func(found, want string) (Pointer, error) {
		return Pointer{}, &PointerError{Pointer: s, Syntax: true, Found: found, Want: want}
	}
	if s != "" && s[0] != '/' {
		return bad(quote(s), "nothing or a leading '/'")
	}
	if n := strings.Count(s, "/"); n > MaxTokens {
		return bad(fmt.Sprintf("%d tokens", n), fmt.Sprintf("at most %d", MaxTokens))
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return bad(quote(s[i:min(i+2, len(s))]), `"~0" or "~1"`)
		}
	}
	// The library takes any "~" and leading zeros of indexes; both are settled here and in step.
	p, err := jsonpointer.New(s)
	if err != nil {
		return bad(quote(s), "a JSON Pointer")
	}
	return Pointer{p.DecodedTokens()}, nil
}

// EscapeToken writes one reference token: "~" as "~0", "/" as "~1" (RFC 6901 §3).
func EscapeToken(token string) string { return jsonpointer.Escape(token) }

// Tokens are the unescaped reference tokens.
func (p Pointer) Tokens() []string { return p.tokens }

// String writes the pointer in its only spelling.
func (p Pointer) String() string {
	var b strings.Builder
	for _, t := range p.tokens {
		b.WriteString("/" + EscapeToken(t))
	}
	return b.String()
}

// Lookup is the value at the pointer (RFC 6901 §4). A value that is null is found. The error is a *PointerError.
func (p Pointer) Lookup(v Value) (Value, error) {
	for _, token := range p.tokens {
		next, err := step(v, token)
		if err != nil {
			err.Pointer, err.Token = p.String(), token
			return Value{}, err
		}
		v = next
	}
	if !v.Exists() {
		return Value{}, &PointerError{Pointer: p.String(), Found: "no document", Want: "a value"}
	}
	return v, nil
}

func step(v Value, token string) (Value, *PointerError) {
	switch v.Kind() {
	case Object:
		if m := v.Get(token); m.Exists() {
			return m, nil
		}
		return Value{}, &PointerError{Found: "no member " + quote(token), Want: "a member of that name"}
	case Array:
		if token == "-" {
			return Value{}, &PointerError{Found: "the place after the last element", Want: "an element"}
		}
		if !isIndex(token) {
			return Value{}, &PointerError{Syntax: true, Found: "index " + quote(token), Want: "0 or digits without a leading zero"}
		}
		if i, ok := ParseIndex(token); ok && i < v.Len() {
			return v.At(i), nil
		}
		return Value{}, &PointerError{Found: fmt.Sprintf("%d elements", v.Len()), Want: "an element at index " + token}
	}
	return Value{}, &PointerError{Found: v.Kind().String(), Want: "an array or an object that holds " + quote(token)}
}

// ParseIndex reads an array index: 0, or digits without a leading zero (RFC 6901 §4), that fits an int.
func ParseIndex(token string) (int, bool) {
	if !isIndex(token) {
		return 0, false
	}
	i, err := strconv.Atoi(token)
	if err != nil {
		return 0, false
	}
	return i, true
}

// isIndex reports whether a token is an array index, of any size.
func isIndex(token string) bool {
	return token == "0" || token != "" && token[0] != '0' && skipDigits(token, 0) == len(token)
}
