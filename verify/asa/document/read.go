package document

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Limits of one document.
const (
	MaxBytes      = 1 << 20 // bytes; for a log of messages or events too
	MaxDepth      = 64      // nested arrays and objects
	MaxItems      = 1000    // elements of any list that is walked (tiers, events, evaluators …)
	MaxDimensions = 64      // quality dimensions: exact means over more would cost more than anybody's question
)

// Document is one parsed JSON file.
type Document struct {
	Name  string
	Bytes []byte // as on disk, comments included
	Root  canon.Value
}

// Refusal says why a file is not a document that can be audited. It carries what the finding of R001 shows.
type Refusal struct {
	Slug  string // "not-json", "too-large", "too-deep", "number-limits"
	At    string // "agreement.json:3:17"
	Found string
	Want  string
}

// Error is one line: place, found, wanted.
func (r *Refusal) Error() string { return r.At + ": found " + r.Found + ", want " + r.Want }

// OptionError says that an option cannot be used.
type OptionError struct{ Name, Found, Want string }

// Error is one line: option, found, wanted.
func (e *OptionError) Error() string {
	return "option " + e.Name + ": found " + Clip(e.Found) + ", want " + e.Want
}

// File is one file and its name as findings show it.
type File struct {
	Name  string
	Bytes []byte
}

// Read parses one JSON document strictly: RFC 8259, UTF-8 without byte-order mark, no repeated name, at most MaxBytes and MaxDepth. With
// jsonc, comments from "//" to the end of the line are taken out first, outside strings. The error is a *Refusal.
func Read(name string, b []byte, jsonc bool) (*Document, error) {
	if len(b) > MaxBytes {
		return nil, &Refusal{"too-large", name, fmt.Sprint(len(b), " bytes"), fmt.Sprint("at most ", MaxBytes)}
	}
	text := b
	if jsonc {
		text, _ = StripComments(b)
	}
	if d := depth(text); d > MaxDepth {
		return nil, &Refusal{"too-deep", name, fmt.Sprint(d, " levels"), fmt.Sprint("at most ", MaxDepth)}
	}
	root, err := canon.ParseStrict(name, text)
	if err != nil {
		var s *canon.SyntaxError
		if errors.As(err, &s) {
			return nil, &Refusal{"not-json", fmt.Sprintf("%s:%d:%d", name, s.Line, s.Col), s.Found, s.Want}
		}
		return nil, &Refusal{"not-json", name, err.Error(), "JSON"}
	}
	d := &Document{Name: name, Bytes: b, Root: root}
	if bad := oversized(root); bad.Exists() {
		return nil, &Refusal{"number-limits", d.Place(bad), Clip(bad.Number()), fmt.Sprintf("at most %d digits and exponents of at most %d", exact.MaxDigits, exact.MaxExponent)}
	}
	return d, nil
}

// ReadLines parses a log with one JSON document per line. Every line ends with a line feed, the last one may lack it. The error is a
// *Refusal that names the line.
func ReadLines(name string, b []byte, jsonc bool) ([]*Document, error) {
	if len(b) > MaxBytes {
		return nil, &Refusal{"too-large", name, fmt.Sprint(len(b), " bytes"), fmt.Sprint("at most ", MaxBytes)}
	}
	var docs []*Document
	for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		if len(docs) >= MaxItems {
			return nil, &Refusal{"too-large", name, "more lines", fmt.Sprint("at most ", MaxItems)}
		}
		d, err := Read(fmt.Sprintf("%s:%d", name, i+1), []byte(line), jsonc)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// StripComments blanks what follows "//" on a line, outside strings, and says how many comments there were. Lines and columns stay.
func StripComments(b []byte) (out []byte, comments int) {
	out = append([]byte(nil), b...)
	inString := false
	for i := 0; i < len(out); i++ {
		switch {
		case inString && out[i] == '\\':
			i++
		case out[i] == '"':
			inString = !inString
		case !inString && out[i] == '/' && i+1 < len(out) && out[i+1] == '/':
			comments++
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		}
	}
	return out, comments
}

// depth is how deep arrays and objects are nested, brackets in strings not counted.
func depth(b []byte) int {
	level, most, inString := 0, 0, false
	for i := 0; i < len(b); i++ {
		switch {
		case inString && b[i] == '\\':
			i++
		case b[i] == '"':
			inString = !inString
		case inString:
		case b[i] == '[' || b[i] == '{':
			level++
			most = max(most, level)
		case b[i] == ']' || b[i] == '}':
			level--
		}
	}
	return most
}

// oversized finds the first number that exact arithmetic refuses, or Missing.
func oversized(v canon.Value) canon.Value {
	switch v.Kind() {
	case canon.Int, canon.Float:
		if _, err := exact.Parse(v.Number()); err != nil {
			return v
		}
	case canon.Array:
		for _, e := range v.Elements() {
			if bad := oversized(e); bad.Exists() {
				return bad
			}
		}
	case canon.Object:
		for _, e := range v.Members() {
			if bad := oversized(e); bad.Exists() {
				return bad
			}
		}
	}
	return canon.Value{}
}

// Place is where a value stands: "result.json#/composite/score".
func (d *Document) Place(v canon.Value) string { return d.Name + "#" + v.Pointer() }

// At is the place of a pointer that need not lead anywhere.
func (d *Document) At(tokens ...string) string {
	var b strings.Builder
	b.WriteString(d.Name + "#")
	for _, t := range tokens {
		b.WriteString("/" + canon.EscapeToken(t))
	}
	return b.String()
}

// Get is the value under the names, or Missing.
func (d *Document) Get(names ...string) canon.Value { return Get(d.Root, names...) }

// Get is the value under the names below v, or Missing.
func Get(v canon.Value, names ...string) canon.Value {
	for _, n := range names {
		v = v.Get(n)
	}
	return v
}

// Text is a string value, or "".
func Text(v canon.Value) string {
	s, _ := v.Text()
	return s
}

// Number is a JSON number exactly, or nil.
func Number(v canon.Value) *big.Rat {
	if d := Decimal(v); d != nil {
		return d.Rat
	}
	return nil
}

// Decimal is a JSON number with its places, or nil.
func Decimal(v canon.Value) *exact.Decimal {
	if k := v.Kind(); k != canon.Int && k != canon.Float {
		return nil
	}
	d, err := exact.Parse(v.Number())
	if err != nil {
		return nil
	}
	return &d
}

// DecimalText is a string that holds a decimal, or nil: the form of amounts.
func DecimalText(v canon.Value) *exact.Decimal {
	s, ok := v.Text()
	if !ok {
		return nil
	}
	d, err := exact.Parse(s)
	if err != nil {
		return nil
	}
	return &d
}

// AnyNumber is a number given as a JSON number or as a decimal string, or nil.
func AnyNumber(v canon.Value) *big.Rat {
	if r := Number(v); r != nil {
		return r
	}
	if d := DecimalText(v); d != nil {
		return d.Rat
	}
	return nil
}

// Instant is an RFC 3339 string as exact seconds, or nil.
func Instant(v canon.Value) *big.Rat {
	r, err := exact.Instant(Text(v))
	if err != nil {
		return nil
	}
	return r
}

// Shown is a value as findings show it: strings without quotes, everything clipped.
func Shown(v canon.Value) string {
	if s, ok := v.Text(); ok {
		return Clip(s)
	}
	return Clip(v.Raw())
}

// ShownTyped keeps the quotes of strings, where the type is the point.
func ShownTyped(v canon.Value) string { return Clip(v.Raw()) }

// Clip keeps what is shown of a party's text short.
func Clip(s string) string {
	const most = 120
	if len(s) <= most {
		return strings.ToValidUTF8(s, "�")
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// Refuse records the finding of a refusal.
func Refuse(l *finding.Log, err error) {
	var r *Refusal
	if !errors.As(err, &r) {
		r = &Refusal{"not-json", "", err.Error(), "JSON"}
	}
	l.Gap(finding.Reject, "R001", r.Slug, r.At, Clip(r.Found), r.Want)
}
