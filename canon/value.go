package canon

import (
	"iter"
	"strconv"
	"strings"
)

// Kind is the type of a JSON value. Integers and floats are two kinds, as in Python. The zero value means that there is no value.
type Kind uint8

// The kinds of values.
const (
	Missing Kind = iota // no value at all, for example a member that is not there
	Null
	Bool
	Int   // a number literal without fraction and exponent
	Float // any other number literal
	String
	Array
	Object
)

// String is the kind as messages name it.
func (k Kind) String() string {
	return [...]string{"nothing", "null", "boolean", "integer", "float", "string", "array", "object"}[k]
}

// node is one value of a document, or the name of a member. Members are a name node followed by the value's nodes.
type node struct {
	kind  Kind
	flags uint8
	start uint32 // offset of the first byte
	end   uint32 // offset past the last byte
	next  uint32 // index of the node after the whole value
	count uint32 // elements or live members
}

const (
	flagEscaped uint8 = 1 << iota // a string with at least one backslash
	flagTrue                      // the boolean true
	flagDead                      // a member name that a later one replaces
)

// document is the parsed text. It is never changed after parsing, so any number of goroutines may read it.
type document struct {
	src   string
	nodes []node
}

// Value is one value of a parsed document. The zero Value has the kind Missing, and every method of it answers "nothing".
type Value struct {
	doc *document
	i   uint32
}

func (v Value) node() *node { return &v.doc.nodes[v.i] }

// Kind is the type of the value.
func (v Value) Kind() Kind {
	if v.doc == nil {
		return Missing
	}
	return v.node().kind
}

// Exists reports whether there is a value; null is one.
func (v Value) Exists() bool { return v.doc != nil }

// Text is the string and whether the value is one. Lone surrogates are kept in generalized UTF-8 (three bytes each).
func (v Value) Text() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	return v.doc.text(v.i), true
}

// Bool is the boolean and whether the value is one.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.node().flags&flagTrue != 0, true
}

// Int64 is the integer and whether the value is an Int that fits 64 bits with sign. A float such as 1.0 is not.
func (v Value) Int64() (int64, bool) {
	if v.Kind() != Int {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Raw(), 10, 64)
	return n, err == nil
}

// Number is the literal of an Int or Float as it was written, and "" for any other kind.
func (v Value) Number() string {
	if k := v.Kind(); k != Int && k != Float {
		return ""
	}
	return v.Raw()
}

// Raw is the text of the value as it stands in the document.
func (v Value) Raw() string {
	if v.doc == nil {
		return ""
	}
	n := v.node()
	return v.doc.src[n.start:n.end]
}

// Len is the number of elements or members; 0 for any other kind.
func (v Value) Len() int {
	if k := v.Kind(); k != Array && k != Object {
		return 0
	}
	return int(v.node().count)
}

// At is the element at index i of an array, or Missing. Its cost grows with i where the array holds arrays or objects: range over Elements
// to see them all.
func (v Value) At(i int) Value {
	if v.Kind() != Array || i < 0 || i >= v.Len() {
		return Value{}
	}
	at := v.i + 1
	if n := v.node(); n.next == at+n.count { // one node an element
		return Value{v.doc, at + uint32(i)}
	}
	for ; i > 0; i-- {
		at = v.doc.nodes[at].next
	}
	return Value{v.doc, at}
}

// Get is the value of the member of that exact name, or Missing. Its cost grows with the number of members.
func (v Value) Get(name string) Value {
	if v.Kind() != Object {
		return Value{}
	}
	d := v.doc
	for at, end := v.i+1, v.node().next; at < end; at = d.nodes[at+1].next {
		if n := &d.nodes[at]; n.flags&flagDead == 0 && d.text(at) == name {
			return Value{d, at + 1}
		}
	}
	return Value{}
}

// Members ranges over the members of an object in the order of the document. Where a name is repeated only the last is given.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != Object {
			return
		}
		d := v.doc
		for at, end := v.i+1, v.node().next; at < end; at = d.nodes[at+1].next {
			if d.nodes[at].flags&flagDead == 0 && !yield(d.text(at), Value{d, at + 1}) {
				return
			}
		}
	}
}

// Elements ranges over the elements of an array with their indexes.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			return
		}
		d := v.doc
		i := 0
		for at, end := v.i+1, v.node().next; at < end; at = d.nodes[at].next {
			if !yield(i, Value{d, at}) {
				return
			}
			i++
		}
	}
}

// Line is the line of the value's first byte, counted from 1; 0 for Missing.
func (v Value) Line() int {
	if v.doc == nil {
		return 0
	}
	line, _ := lineCol(v.doc.src, int(v.node().start))
	return line
}

// Col is the column of the value's first byte in characters, counted from 1; 0 for Missing.
func (v Value) Col() int {
	if v.doc == nil {
		return 0
	}
	_, col := lineCol(v.doc.src, int(v.node().start))
	return col
}

// Pointer is the RFC 6901 pointer of the value inside its document; "" for the whole document and for Missing.
func (v Value) Pointer() string {
	if v.doc == nil {
		return ""
	}
	var p strings.Builder
	d := v.doc
	for at := uint32(0); at != v.i; {
		switch d.nodes[at].kind {
		case Array:
			i, child := 0, at+1
			for d.nodes[child].next <= v.i {
				child = d.nodes[child].next
				i++
			}
			p.WriteString("/" + strconv.Itoa(i))
			at = child
		case Object:
			name := at + 1
			for d.nodes[name+1].next <= v.i {
				name = d.nodes[name+1].next
			}
			p.WriteString("/" + EscapeToken(d.text(name)))
			at = name + 1
		default:
			return p.String()
		}
	}
	return p.String()
}

// text is the decoded string of a String node.
func (d *document) text(i uint32) string {
	n := &d.nodes[i]
	s := d.src[n.start+1 : n.end-1]
	if n.flags&flagEscaped == 0 {
		return s
	}
	return unescape(s)
}

// lineCol turns an offset into a line and a column, both counted from 1; columns count characters. What stands before the offset is
// UTF-8, halves of surrogate pairs among it.
func lineCol(src string, offset int) (line, col int) {
	before := src[:offset]
	line = strings.Count(before, "\n") + 1
	col = 1
	for i := strings.LastIndexByte(before, '\n') + 1; i < len(before); i++ {
		if before[i]&0xc0 != 0x80 {
			col++
		}
	}
	return line, col
}
