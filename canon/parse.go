package canon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of the readers. Each is the largest that is accepted.
const (
	MaxDepth  = 1000      // nested arrays and objects; Python gives up near the same depth
	MaxValues = 1 << 20   // values in one document, member names not counted
	MaxDigits = 4300      // digits of an integer: sys.get_int_max_str_digits() of Python 3.11
	MaxBytes  = 1<<31 - 1 // bytes of a document: offsets are kept in 32 bits
)

// SyntaxError says where a document is not JSON, or not the JSON that the reader wants. It is the only error of Parse and ParseStrict.
type SyntaxError struct {
	File    string // as given by the caller; may be empty
	Line    int    // counted from 1
	Col     int    // in characters, counted from 1
	Pointer string // RFC 6901 pointer of the value being read; "" at the top
	Found   string // what stands there
	Want    string // what was expected
}

// Error is one line: place, found, wanted.
func (e *SyntaxError) Error() string {
	file := e.File
	if file != "" {
		file += ":"
	}
	at := ""
	if e.Pointer != "" {
		at = " (at " + e.Pointer + ")"
	}
	return fmt.Sprintf("%s%d:%d: found %s, want %s%s", file, e.Line, e.Col, e.Found, e.Want, at)
}

// Parse gives the value that CPython 3.11's json.loads(b) gives. UTF-16 and UTF-32, which Python detects, are refused with that
// reason; so are documents past the limits of this package. The error is a *SyntaxError. The text is copied.
func Parse(b []byte) (Value, error) { return parse("", b, false) }

// ParseStrict reads evidence: see the package comment for what it refuses beyond Parse. The error is a *SyntaxError that names file.
func ParseStrict(file string, b []byte) (Value, error) { return parse(file, b, true) }

// parser is the state of one pass over a document.
type parser struct {
	src     string
	at      int
	depth   int
	values  int
	strict  bool
	reading bool // a value has begun and has no node yet
	nodes   []node
	fail    *SyntaxError // set once; the pass stops
}

func parse(file string, b []byte, strict bool) (Value, error) {
	p := &parser{strict: strict}
	err := p.document(b)
	if err != nil {
		err.File = file
		return Value{}, err
	}
	return Value{&document{src: p.src, nodes: p.nodes}, 0}, nil
}

func (p *parser) document(b []byte) *SyntaxError {
	if len(b) > MaxBytes {
		return &SyntaxError{Line: 1, Col: 1, Found: fmt.Sprintf("%d bytes", len(b)), Want: fmt.Sprintf("at most %d", MaxBytes)}
	}
	p.src = string(b)
	if err := p.encoding(); err != nil {
		return err
	}
	p.nodes = make([]node, 0, roomFor(p.src))
	p.space()
	if p.value() {
		p.space()
		if p.at < len(p.src) {
			p.refuse("the end of the document")
		}
	}
	if p.fail != nil {
		return p.fail
	}
	return nil
}

// roomFor is how many nodes a document can need: each value or name but the first stands behind a comma, a colon or an opening bracket.
// Marks inside strings only make it too many. Growing step by step instead would copy the nodes several times over.
func roomFor(src string) int {
	marks := strings.Count(src, ",") + strings.Count(src, ":") + strings.Count(src, "[") + strings.Count(src, "{")
	return min(marks+1, 2*MaxValues)
}

// encoding settles byte-order marks and UTF-8 before anything is read, so that no other code meets an invalid byte.
func (p *parser) encoding() *SyntaxError {
	if wide := wideEncoding(p.src); wide != "" {
		return &SyntaxError{Line: 1, Col: 1, Found: wide + " text", Want: "UTF-8"}
	}
	if rest, ok := strings.CutPrefix(p.src, "\xef\xbb\xbf"); ok {
		if p.strict {
			return &SyntaxError{Line: 1, Col: 1, Found: "a byte-order mark", Want: "JSON in UTF-8 without one"}
		}
		p.src = rest
	}
	if utf8.ValidString(p.src) {
		return nil
	}
	for i := 0; i < len(p.src); {
		r, n := utf8.DecodeRuneInString(p.src[i:])
		if r == utf8.RuneError && n == 1 {
			if !p.strict && isRawSurrogate(p.src[i:]) {
				i += 3
				continue
			}
			line, col := lineCol(p.src, i)
			return &SyntaxError{Line: line, Col: col, Found: fmt.Sprintf("byte 0x%02x", p.src[i]), Want: "valid UTF-8"}
		}
		i += n
	}
	return nil
}

// isRawSurrogate reports whether s begins with a surrogate in generalized UTF-8, which Python's "surrogatepass" takes.
func isRawSurrogate(s string) bool {
	return len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80
}

// wideEncoding names the encoding that json.detect_encoding would find where it is not UTF-8.
func wideEncoding(s string) string {
	switch {
	case strings.HasPrefix(s, "\x00\x00\xfe\xff"), strings.HasPrefix(s, "\xff\xfe\x00\x00"):
		return "UTF-32"
	case strings.HasPrefix(s, "\xfe\xff"), strings.HasPrefix(s, "\xff\xfe"):
		return "UTF-16"
	case len(s) >= 4 && s[0] == 0 && s[1] == 0, len(s) >= 4 && s[1] == 0 && s[2] == 0 && s[3] == 0:
		return "UTF-32"
	case len(s) >= 4 && (s[0] == 0 || s[1] == 0):
		return "UTF-16"
	case len(s) == 2 && (s[0] == 0 || s[1] == 0):
		return "UTF-16"
	}
	return ""
}

// refuse records that want was expected at the current place. It returns false so that callers can return its result.
func (p *parser) refuse(want string) bool { return p.refuseAt(p.at, p.found(p.at), want) }

func (p *parser) refuseAt(offset int, found, want string) bool {
	if p.fail == nil {
		line, col := lineCol(p.src, offset)
		p.fail = &SyntaxError{Line: line, Col: col, Found: found, Want: want, Pointer: p.pointer()}
	}
	return false
}

// found describes what stands at an offset.
func (p *parser) found(offset int) string {
	if offset >= len(p.src) {
		return "the end of the text"
	}
	r, n := utf8.DecodeRuneInString(p.src[offset:])
	if r == utf8.RuneError && n <= 1 {
		return fmt.Sprintf("byte 0x%02x", p.src[offset])
	}
	return strconv.QuoteRune(r)
}

// pointer is the place of the value being read, or of the innermost open container between two of its values. It is read back from
// the unfinished nodes: an open container has no next yet.
func (p *parser) pointer() string {
	d := &document{src: p.src, nodes: p.nodes}
	size := uint32(len(p.nodes))
	var out strings.Builder
	for at := uint32(0); at < size && p.nodes[at].next == 0; {
		isObject := p.nodes[at].kind == Object
		i, child := 0, at+1
		for child < size {
			value := child
			if isObject {
				value++
			}
			if value >= size || p.nodes[value].next == 0 {
				break
			}
			child = p.nodes[value].next
			i++
		}
		switch {
		case isObject && child < size:
			out.WriteString("/" + EscapeToken(d.text(child)))
			at = child + 1
		case !isObject && (child < size || p.reading):
			out.WriteString("/" + strconv.Itoa(i))
			at = child
		default:
			return out.String()
		}
	}
	return out.String()
}

// space skips the four white-space characters of RFC 8259.
func (p *parser) space() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// value reads one value and reports whether the pass goes on.
func (p *parser) value() bool {
	p.reading = true
	if p.values++; p.values > MaxValues {
		return p.refuseAt(p.at, "more values", fmt.Sprintf("at most %d values in one document", MaxValues))
	}
	if p.at >= len(p.src) {
		return p.refuse("a JSON value")
	}
	switch c := p.src[p.at]; {
	case c == '"':
		return p.str()
	case c == '{':
		return p.container(Object)
	case c == '[':
		return p.container(Array)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	return p.word()
}

// push appends a finished node.
func (p *parser) push(k Kind, flags uint8, start, end int) {
	p.add(node{kind: k, flags: flags, start: uint32(start), end: uint32(end), next: uint32(len(p.nodes) + 1)})
	p.at = end
	p.reading = false
}

// add appends a node. Where the first guess of their number was too low it makes room once for all that can follow: each further
// node has one of these four characters before it.
func (p *parser) add(n node) {
	if len(p.nodes) == cap(p.nodes) {
		more := 1
		for _, c := range [...]string{",", ":", "[", "{"} {
			more += strings.Count(p.src[p.at:], c)
		}
		p.nodes = slices.Grow(p.nodes, min(more, 2*MaxValues-len(p.nodes)+2))
	}
	p.nodes = append(p.nodes, n)
}

// word reads true, false, null and, for the Python reader, NaN and Infinity.
func (p *parser) word() bool {
	for _, w := range [...]struct {
		text  string
		kind  Kind
		flags uint8
	}{{"true", Bool, flagTrue}, {"false", Bool, 0}, {"null", Null, 0}, {"NaN", Float, 0}, {"Infinity", Float, 0}} {
		if strings.HasPrefix(p.src[p.at:], w.text) {
			if p.strict && w.kind == Float {
				return p.refuseAt(p.at, w.text, "a number that JSON can write")
			}
			p.push(w.kind, w.flags, p.at, p.at+len(w.text))
			return true
		}
	}
	return p.refuse("a JSON value")
}

// number reads a number literal by the grammar of RFC 8259 §6, which is Python's too.
func (p *parser) number() bool {
	start, i, s := p.at, p.at, p.src
	if s[i] == '-' {
		i++
		if strings.HasPrefix(s[i:], "Infinity") {
			if p.strict {
				return p.refuseAt(start, "-Infinity", "a number that JSON can write")
			}
			p.push(Float, 0, start, i+len("Infinity"))
			return true
		}
	}
	digits := i
	switch {
	case i < len(s) && s[i] == '0':
		i++
	case i < len(s) && s[i] >= '1' && s[i] <= '9':
		i = skipDigits(s, i)
	default:
		p.at = i
		return p.refuse("a digit")
	}
	whole := i - digits
	kind := Int
	if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		kind, i = Float, skipDigits(s, i+1)
	}
	if j := exponent(s, i); j > i {
		kind, i = Float, j
	}
	if kind == Int && whole > MaxDigits {
		return p.refuseAt(start, fmt.Sprintf("an integer of %d digits", whole), fmt.Sprintf("at most %d digits, as Python allows", MaxDigits))
	}
	if kind == Float && p.strict && overflows(s[start:i]) {
		return p.refuseAt(start, quote(s[start:i]), "a number within the range of a double")
	}
	p.push(kind, 0, start, i)
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func skipDigits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// exponent is the offset past an exponent part that begins at i, or i where there is none.
func exponent(s string, i int) int {
	if i >= len(s) || s[i] != 'e' && s[i] != 'E' {
		return i
	}
	j := i + 1
	if j < len(s) && (s[j] == '+' || s[j] == '-') {
		j++
	}
	if end := skipDigits(s, j); end > j {
		return end
	}
	return i
}
