package manifest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ark-forge/proveit/canon"
)

// Document reads one JSON document of our own, of which every member is known: a missing member, an unknown one, or one of another
// type is a fault with its place. The first fault is kept and later reads give zero values, so that a parser reads straight on and asks
// Err once, before it returns anything.
type Document struct {
	File string
	Root canon.Value
	err  *canon.SyntaxError
}

// OpenDocument reads b strictly and checks its member "format". The error is a *canon.SyntaxError.
func OpenDocument(file string, b []byte, format string) (*Document, error) {
	root, err := canon.ParseStrict(file, b)
	if err != nil {
		return nil, err
	}
	d := &Document{File: file, Root: root}
	if root.Kind() != canon.Object {
		d.Fail(root, root.Kind().String(), "an object of format "+format)
		return nil, d.err
	}
	if got := d.Text(root, "format"); d.err == nil && got != format {
		d.Fail(root.Get("format"), fmt.Sprintf("format %q", got), fmt.Sprintf("%q", format))
	}
	if d.err != nil {
		return nil, d.err
	}
	return d, nil
}

// Err is the first fault, a *canon.SyntaxError, or nil.
func (d *Document) Err() error {
	if d.err == nil {
		return nil
	}
	return d.err
}

// Fail records a fault at v unless there is one already.
func (d *Document) Fail(v canon.Value, found, want string) {
	if d.err == nil {
		d.err = &canon.SyntaxError{File: d.File, Line: v.Line(), Col: v.Col(), Pointer: v.Pointer(), Found: found, Want: want}
	}
}

// Members checks that v is an object that has these members and no other. A name that ends in "?" may be absent.
func (d *Document) Members(v canon.Value, names ...string) {
	if v.Kind() != canon.Object {
		d.Fail(v, v.Kind().String(), "an object with "+strings.Join(names, ", "))
		return
	}
	for name, member := range v.Members() {
		if !slices.Contains(names, name) && !slices.Contains(names, name+"?") {
			d.Fail(member, fmt.Sprintf("an unknown member %q", short(name)), "only "+strings.Join(names, ", "))
		}
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "?") {
			d.Get(v, name)
		}
	}
}

// Get is the member, whatever its type; its absence is a fault.
func (d *Document) Get(v canon.Value, name string) canon.Value {
	member := v.Get(name)
	if !member.Exists() {
		d.Fail(v, "no member "+name, "one")
	}
	return member
}

// Text is a member that is a string and not empty.
func (d *Document) Text(v canon.Value, name string) string {
	return d.String(d.Get(v, name))
}

// String is the text of v, which must be a string and not empty. The text does not keep the document in memory.
func (d *Document) String(v canon.Value) string {
	text, ok := v.Text()
	if !ok || text == "" {
		d.Fail(v, describe(v), "a string that is not empty")
	}
	return strings.Clone(text)
}

// Int is a member that is an integer of at least least.
func (d *Document) Int(v canon.Value, name string, least int64) int64 {
	member := d.Get(v, name)
	n, ok := member.Int64()
	if !ok || n < least {
		d.Fail(member, describe(member), fmt.Sprintf("an integer of at least %d", least))
		return 0
	}
	return n
}

// Flag is a member that is true or false.
func (d *Document) Flag(v canon.Value, name string) bool {
	member := d.Get(v, name)
	b, ok := member.Bool()
	if !ok {
		d.Fail(member, describe(member), "true or false")
	}
	return b
}

// List is a member that is an array.
func (d *Document) List(v canon.Value, name string) canon.Value {
	member := d.Get(v, name)
	if member.Kind() != canon.Array {
		d.Fail(member, describe(member), "an array")
	}
	return member
}

// Digest is a member that is 64 lowercase hex digits.
func (d *Document) Digest(v canon.Value, name string) canon.Digest {
	member := d.Get(v, name)
	text, _ := member.Text()
	sum, err := canon.ParseHex(text)
	if err != nil {
		d.Fail(member, describe(member), "64 lowercase hex digits")
	}
	return sum
}

// Path is a member that names a file: relative, slash-separated, without "..", an empty step or a backslash.
func (d *Document) Path(v canon.Value, name string) string {
	text := d.Text(v, name)
	if d.err == nil && !plainPath(text) {
		d.Fail(v.Get(name), fmt.Sprintf("%q", short(text)), "a relative path without .., empty steps or backslashes")
	}
	return text
}

func plainPath(s string) bool {
	for step := range strings.SplitSeq(s, "/") {
		if step == "" || step == "." || step == ".." || strings.ContainsFunc(step, func(r rune) bool { return r == '\\' || r < 0x20 || r == 0x7f }) {
			return false
		}
	}
	return true
}

// describe names what stands at v, with its text where that is short enough to help.
func describe(v canon.Value) string {
	switch v.Kind() {
	case canon.Missing:
		return "nothing"
	case canon.Array, canon.Object:
		return v.Kind().String()
	}
	return short(v.Raw())
}

// short cuts a text for a message, never inside a character.
func short(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
