package canon

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// str reads a string whose opening quote is at the current place.
func (p *parser) str() bool {
	start, s := p.at, p.src
	var flags uint8
	for i := start + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			if flags != 0 && p.strict {
				if !p.noLoneSurrogate(start+1, i) {
					return false
				}
			}
			p.push(String, flags, start, i+1)
			return true
		case c == '\\':
			flags |= flagEscaped
			n := escapeLength(s[i:])
			if n == 0 {
				p.at = i
				return p.refuseAt(i, quote(s[i:min(i+6, len(s))]), `one of \" \\ \/ \b \f \n \r \t or \u and four hex digits`)
			}
			i += n - 1
		case c < 0x20:
			p.at = i
			return p.refuseAt(i, "control character "+strconv.QuoteRune(rune(c)), "its escape")
		}
	}
	p.at = len(s)
	return p.refuse("a closing quote")
}

// escapeLength is the length of the escape at the start of s, or 0 where it is none.
func escapeLength(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(s); ok {
			return 6
		}
	}
	return 0
}

// hex4 is the number in an escape \uXXXX at the start of s.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for i := 2; i < 6; i++ {
		c := s[i]
		if c >= 'A' && c <= 'F' {
			c += 'a' - 'A'
		}
		d := lowerHex(c)
		if d > 15 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

const (
	highFirst, highLast = 0xd800, 0xdbff
	lowFirst, lowLast   = 0xdc00, 0xdfff
)

// escaped is the code point of the \u escape at the start of s and its length in bytes. A high and a low half that are both written
// as escapes are one code point, as in Python; a half alone stays one.
func escaped(s string) (r rune, size int) {
	r, _ = hex4(s)
	if r >= highFirst && r <= highLast {
		if low, ok := hex4(s[6:]); ok && low >= lowFirst && low <= lowLast {
			return (r-highFirst)<<10 + (low - lowFirst) + 0x10000, 12
		}
	}
	return r, 6
}

// noLoneSurrogate checks the escapes of a string whose bytes lie between from and to.
func (p *parser) noLoneSurrogate(from, to int) bool {
	for i := from; i < to; {
		if p.src[i] != '\\' {
			i++
			continue
		}
		if p.src[i+1] != 'u' {
			i += 2
			continue
		}
		r, n := escaped(p.src[i:to])
		if r >= highFirst && r <= lowLast {
			return p.refuseAt(i, "half of a surrogate pair", "both halves or another character")
		}
		i += n
	}
	return true
}

// unescape decodes the inside of a string. Halves of surrogate pairs are written in generalized UTF-8.
func unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		if s[1] != 'u' {
			b.WriteByte(shortEscapes[s[1]])
			s = s[2:]
			continue
		}
		r, n := escaped(s)
		writeRune(&b, r)
		s = s[n:]
	}
}

var shortEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// writeRune writes r in UTF-8, and a surrogate half in the same three-byte form.
func writeRune(b *strings.Builder, r rune) {
	if r >= highFirst && r <= lowLast {
		b.Write([]byte{0xe0 | byte(r>>12), 0x80 | byte(r>>6)&0xbf, 0x80 | byte(r)&0x3f})
		return
	}
	b.WriteRune(r)
}

// decodeRune is the first code point of generalized UTF-8, halves of surrogate pairs among them, and its length in bytes.
func decodeRune(s string) (rune, int) {
	if isRawSurrogate(s) {
		return rune(s[0]&0x0f)<<12 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return utf8.DecodeRuneInString(s)
}
