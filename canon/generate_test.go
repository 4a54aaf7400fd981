package canon

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf16"
)

// generator makes documents, valid and not, that press on what JSON readers disagree about. One seed gives one sequence.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 0x70726f76))} }

func (g generator) pick(from ...string) string { return from[g.IntN(len(from))] }

// document is a value with, in about four of ten cases, one fault or one unusual encoding.
func (g generator) document() []byte {
	var b strings.Builder
	g.space(&b)
	g.value(&b, 5)
	g.space(&b)
	doc := []byte(b.String())
	switch g.IntN(25) {
	case 0, 1, 2, 3, 4, 5:
		return g.mutate(doc)
	case 6:
		return append([]byte("\xef\xbb\xbf"), doc...)
	case 7:
		return g.wide(doc)
	case 8:
		return append(doc, g.pick("x", "]", "}", ",", " 1", "\x00", "\f", "\u00a0", "\ufeff", "//", "\"")...)
	case 9:
		return []byte(g.pick("", " ", "\ufeff", "[", "{", "\"", "-", "1", "\x00", "1\x00", "\x001", "\xff", "[1,]", "{\"a\":1,}", "{,}", "{\"a\"}", "'a'", "+1", ".5",
			strings.Repeat("[", 500)+strings.Repeat("]", 500), strings.Repeat("[", 5000)+strings.Repeat("]", 5000)))
	}
	return doc
}

// mutate changes a few bytes anywhere.
func (g generator) mutate(doc []byte) []byte {
	for range 1 + g.IntN(3) {
		if len(doc) == 0 {
			return doc
		}
		at := g.IntN(len(doc))
		switch g.IntN(5) {
		case 0:
			doc[at] = byte(g.IntN(256))
		case 1:
			doc = append(doc[:at:at], doc[at+1:]...)
		case 2:
			insert := g.pick("\"", "\\", "\\u", "\\ud800", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "E+", "\x00", "\x1f", "\x7f", "\xed\xa0\x80", "\xed\xb0\x80", "\xc0\xaf",
				"\xf4\x90\x80\x80", "\xe2\x82", "NaN", "Infinity", "nul", "\n")
			doc = append(doc[:at:at], insert+string(doc[at:])...)
		case 3:
			doc = doc[:at]
		case 4:
			end := at + g.IntN(len(doc)-at)
			doc = append(doc[:end:end], doc[at:]...)
		}
	}
	return doc
}

// wide is the document in UTF-16 or UTF-32, with or without a byte-order mark.
func (g generator) wide(doc []byte) []byte {
	var out []byte
	units := utf16.Encode([]rune(string(doc)))
	mark, little, four := g.IntN(2) == 0, g.IntN(2) == 0, g.IntN(2) == 0
	put := func(u uint32) {
		b := []byte{byte(u >> 24), byte(u >> 16), byte(u >> 8), byte(u)}
		if !four {
			b = b[2:]
		}
		if little {
			for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
				b[i], b[j] = b[j], b[i]
			}
		}
		out = append(out, b...)
	}
	if mark {
		put(0xfeff)
	}
	if four {
		for _, r := range string(doc) {
			put(uint32(r))
		}
		return out
	}
	for _, u := range units {
		put(uint32(u))
	}
	return out
}

func (g generator) space(b *strings.Builder) {
	if g.IntN(4) == 0 {
		b.WriteString(g.pick(" ", "\n", "\t", "\r", "  ", "\r\n\t "))
	}
}

func (g generator) value(b *strings.Builder, depth int) {
	k := g.IntN(8)
	if depth == 0 {
		k = g.IntN(5)
	}
	switch k {
	case 0, 1:
		b.WriteString(g.number())
	case 2, 3:
		g.text(b)
	case 4:
		b.WriteString(g.pick("true", "false", "null", "true", "false", "null", "NaN", "Infinity", "-Infinity"))
	case 5:
		g.list(b, "[]", func() { g.value(b, depth-1) })
	default:
		g.list(b, "{}", func() {
			g.text(b)
			g.space(b)
			b.WriteByte(':')
			g.space(b)
			g.value(b, depth-1)
		})
	}
}

func (g generator) list(b *strings.Builder, brackets string, element func()) {
	n := g.IntN(5)
	if g.IntN(20) == 0 {
		n = g.IntN(40) // past linearNames, where names are looked for in another way
	}
	b.WriteByte(brackets[0])
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		g.space(b)
		element()
		g.space(b)
	}
	b.WriteByte(brackets[1])
}

// text is a string of characters that are near some border, each raw or escaped.
func (g generator) text(b *strings.Builder) {
	b.WriteByte('"')
	n := g.IntN(4)
	if g.IntN(10) == 0 {
		n = g.IntN(30) // longer than the eight bytes that are scanned at once
	}
	for range n {
		g.character(b)
	}
	b.WriteByte('"')
}

var characters = []rune{'a', 'b', 'c', 'z', 'A', '0', ' ', '~', '/', '<', '&', '\'', 0x7f, 0x80, 0xe9, 0x7ff, 0x800, 0x2028, 0xd7ff, 0xe000, 0xfb33, 0xfffd, 0xffff, 0x10000, 0x1f600,
	0x10ffff}

func (g generator) character(b *strings.Builder) {
	switch g.IntN(12) {
	case 0:
		b.WriteString(g.pick(`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0000`, `\u001F`, `\u007f`))
	case 1:
		if g.IntN(3) == 0 {
			b.WriteString(g.pick(`\ud800`, `\uDBFF`, `\udc00`, `\uDfFf`, "\xed\xa0\x80", "\xed\xaf\xbf", "\xed\xb0\x80", "\xed\xbf\xbf"))
			return
		}
		b.WriteString(g.pick(`\ud83d\ude00`, `\uD83D\uDE00`, `\ud800\udc00`, `\udbff\udfff`))
	case 2:
		for _, u := range utf16.Encode([]rune{characters[g.IntN(len(characters))]}) {
			fmt.Fprintf(b, g.pick(`\u%04x`, `\u%04X`), u)
		}
	default:
		b.WriteRune(characters[g.IntN(len(characters))])
	}
}

// number is a literal near a border of spelling, range or rounding.
func (g generator) number() string {
	switch g.IntN(9) {
	case 0:
		return g.pick("0", "-0", "0.0", "-0.0", "1E5", "1e5", "1e+05", "1E-5", "100.0", "0.0001", "0.00001", "1e15", "1e16", "9999999999999998.0", "9999999999999999.5", "1e22", "1e23",
			"5e-324", "2e-324", "1.7976931348623157e308", "1.7976931348623159e308", "1e400", "-1e400", "1e-400", "1e99999999999999999999", "-1e-99999999999999999999",
			"0e99999999999999999999", "2.2250738585072011e-308", "9007199254740993.0", "123456789012345678901234567890", "-9223372036854775809")
	case 1:
		f := math.Float64frombits(g.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return "0"
		}
		return strconv.FormatFloat(f, "eg"[g.IntN(2)], -1, 64)
	case 2:
		return fmt.Sprintf("%d.%de%d", g.IntN(1000), g.IntN(1000000), g.IntN(700)-350)
	case 3:
		return "1" + strings.Repeat("0", g.IntN(25)) + g.pick("", ".0", "e0")
	case 4:
		return "0." + strings.Repeat("0", g.IntN(8)) + strconv.Itoa(1+g.IntN(99999))
	case 5:
		return strconv.FormatInt(g.Int64(), 10) + g.pick("", "."+strconv.Itoa(g.IntN(10)))
	case 6:
		if g.IntN(50) == 0 {
			return strings.Repeat("7", 4290+g.IntN(20))
		}
		return "-" + strconv.FormatUint(g.Uint64(), 10) + strconv.FormatUint(g.Uint64(), 10)
	case 7:
		if g.IntN(4) == 0 {
			return g.pick("01", "-01", "1.", "-", "1e", "1e+", ".1", "+1", "0x1", "1_0", "- 1", "--1", "-NaN", "1.e1", "00")
		}
	}
	return strconv.Itoa(g.IntN(20) - 10)
}
