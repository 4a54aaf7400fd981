package season

import (
	"fmt"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
)

// anyIndex stands for an array index in the pointers of a scale.
const anyIndex = "<n>"

// pattern is a pointer in which the token "<n>" stands for any array index.
type pattern []string

// parsePattern reads a pattern that is not the whole document.
func parsePattern(d *manifest.Document, v canon.Value) pattern {
	text := d.String(v)
	p, err := canon.ParsePointer(text)
	if err != nil {
		d.Fail(v, fmt.Sprintf("%q", text), "an RFC 6901 pointer that is not empty, <n> standing for an array index")
	}
	return p.Tokens()
}

// matches reports whether the tokens of a pointer fit the pattern.
func (p pattern) matches(tokens []string) bool {
	if len(p) != len(tokens) {
		return false
	}
	for i, want := range p {
		if want == anyIndex && !isIndex(tokens[i]) || want != anyIndex && tokens[i] != want {
			return false
		}
	}
	return true
}

// isIndex reports whether a token is an array index (RFC 6901 §4): 0, or digits without a leading zero, of any length.
func isIndex(token string) bool {
	if token == "" || len(token) > 1 && token[0] == '0' {
		return false
	}
	return strings.Trim(token, "0123456789") == ""
}

// each calls f with every value that the pattern reaches in v, in document order.
func (p pattern) each(v canon.Value, f func(canon.Value)) {
	if len(p) == 0 {
		f(v)
		return
	}
	switch {
	case p[0] == anyIndex && v.Kind() == canon.Array:
		for _, e := range v.Elements() {
			p[1:].each(e, f)
		}
	case v.Kind() == canon.Object:
		if m := v.Get(p[0]); m.Exists() && p[0] != anyIndex {
			p[1:].each(m, f)
		}
	case v.Kind() == canon.Array:
		if i, ok := canon.ParseIndex(p[0]); ok && i < v.Len() {
			p[1:].each(v.At(i), f)
		}
	}
}
