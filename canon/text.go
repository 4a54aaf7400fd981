package canon

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// str reads a string whose opening quote is at the current place.
func (p *parser) str() bool {
	start, s := p.at, p.src
	var flags uint8
	for i := start + 1; ; {
		i = plainEnd(s, i)
		if i >= len(s) {
			p.at = len(s)
			return p.refuse("a closing quote")
		}
		switch c := s[i]; c {
		case '"':
			if flags != 0 && p.strict && !p.noLoneSurrogate(start+1, i) {
				return false
			}
			p.push(String, flags, start, i+1)
			return true
		case '\\':
			flags |= flagEscaped
			n := escapeLength(s[i:])
			if n == 0 {
				return p.refuseAt(i, quote(s[i:min(i+6, len(s))]), `one of \" \\ \/ \b \f \n \r \t or \u and four hex digits`)
			}
			i += n
		default:
			return p.refuseAt(i, "control character "+strconv.QuoteRune(rune(c)), "its escape")
		}
	}
}

// eachByte repeats one byte eight times when multiplied by it; topBits is the top bit of each.
const (
	eachByte = 0x0101010101010101
	topBits  = 0x8080808080808080
)

// plainEnd is the offset of the first byte from i on that ends a run of plain characters: a quote, a backslash or a control character;
// len(s) where there is none. It looks at eight bytes at once.
func plainEnd(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		if found := special(load8(s[i:])) & topBits; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s) && s[i] != '"' && s[i] != '\\' && s[i] >= ' ' {
		i++
	}
	return i
}

// load8 is the first eight bytes of s, the first of them lowest.
func load8(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// special sets the top bit of the lowest byte of w that is a quote, a backslash or below ' '. A byte b is zero exactly if (b-1)&^b has its top
// bit set, up to the lowest such byte; above that a borrow may set more, so only the lowest counts.
func special(w uint64) uint64 {
	quotes, slashes := w^eachByte*'"', w^eachByte*'\\'
	return (quotes-eachByte)&^quotes | (slashes-eachByte)&^slashes | (w-eachByte*' ')&^w
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
