package submission

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// MaxRefusals is how many refusals of one file are listed. A last one, more_refusals, gives the number of the others.
const MaxRefusals = 1000

// Refusal is one reason why the entry refuses a file.
type Refusal struct {
	verify.Failure
	Line, Col int    // of a syntax fault, counted from 1, columns in characters; 0 elsewhere
	Hint      string // what was probably meant, for example the nearest known name; may be empty
}

// Refusals are all the reasons, in the order of the rules. An empty list means that the entry takes the file.
type Refusals []Refusal

// Failures gives the refusals as failures, in the same order.
func (rs Refusals) Failures() []*verify.Failure {
	fs := make([]*verify.Failure, len(rs))
	for i := range rs {
		fs[i] = &rs[i].Failure
	}
	return fs
}

// Err is nil for an empty list, else one error with a line for each refusal.
func (rs Refusals) Err() error {
	errs := make([]error, len(rs))
	for i, f := range rs.Failures() {
		errs[i] = f
	}
	return errors.Join(errs...)
}

// syntaxRefusal turns the strict reader's error into the one refusal of a file that is not JSON.
func syntaxRefusal(file string, b []byte, err error) Refusal {
	r := Refusal{Failure: verify.Failure{Reason: ReasonMalformedJSON, Found: "unreadable text", Wanted: "strict JSON", File: file}}
	var at *canon.SyntaxError
	if !errors.As(err, &at) {
		return r
	}
	found := at.Found
	if len(b) == 0 {
		found = "an empty file"
	}
	r.Line, r.Col = at.Line, at.Col
	r.Found = fmt.Sprintf("%s at line %d, column %d", found, at.Line, at.Col)
	r.Wanted = at.Want
	if len(at.Pointer) <= maxShown { // of a document that is too deep, line and column say more than a thousand tokens
		r.Pointer = at.Pointer
	}
	return r
}

// maxShown is how many bytes of a party's text are repeated in a message.
const maxShown = 256

// shown is a value as messages name it: its kind and, where it is short, its text.
func shown(v canon.Value) string {
	switch v.Kind() {
	case canon.Missing:
		return ""
	case canon.Null:
		return "null"
	case canon.Array, canon.Object:
		return "an " + v.Kind().String()
	}
	return v.Kind().String() + " " + clip(v.Raw())
}

// clip shortens a text to maxShown bytes, at a character's border.
func clip(s string) string {
	if len(s) <= maxShown {
		return strings.Clone(s)
	}
	cut := maxShown
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// quoted is a text in quotation marks, shortened, with control characters escaped.
func quoted(s string) string { return fmt.Sprintf("%q", clip(s)) }

// OneOf names what is accepted: all of a short list, the first of a long one.
func OneOf(names []string) string {
	const most = 12
	q := make([]string, 0, most)
	for i, n := range names {
		if i == most {
			return fmt.Sprintf("one of %s and %d more", strings.Join(q, ", "), len(names)-most)
		}
		q = append(q, quoted(n))
	}
	if len(q) == 1 {
		return q[0]
	}
	return "one of " + strings.Join(q, ", ")
}
