package form

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/canon/nearest"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// walker checks a document against fields and records R002, R003, R019 and R014's positive integers.
type walker struct {
	doc     *document.Document
	log     *finding.Log
	unknown finding.Severity // of a member that the fields do not name
}

func (w *walker) object(v canon.Value, fields []field, open bool) {
	for _, f := range fields {
		member := v.Get(f.name)
		switch {
		case member.Exists():
			w.value(member, f)
		case f.required:
			w.log.Gap(finding.Reject, "R002", "missing", w.doc.Place(v)+"/"+f.name, "", f.want())
		}
	}
	if open {
		return
	}
	for name := range v.Members() {
		if !known(fields, name) {
			w.stranger(v, fields, name)
		}
	}
}

// stranger records a member that the fields do not name, with the one that was perhaps meant. Where it is refused, all are named.
func (w *walker) stranger(v canon.Value, fields []field, name string) {
	at := w.doc.Place(v) + "/" + canon.EscapeToken(document.Clip(name))
	near := nearest.Name(name, names(fields))
	switch {
	case near != "":
		w.log.Gap(w.unknown, "R019", "unknown-field-near", at, document.Clip(name), near)
	case w.unknown == finding.Reject:
		w.log.Gap(w.unknown, "R019", "unknown-field", at, document.Clip(name), "one of the members "+strings.Join(slices.Collect(names(fields)), ", "))
	default:
		w.log.Gap(w.unknown, "R019", "unknown-field", at, document.Clip(name), "")
	}
}

func (w *walker) value(v canon.Value, f field) {
	if !fits(v, f.shape) {
		requirement, slug := "R002", "type"
		if f.shape == anInstant && v.Kind() == canon.String {
			requirement, slug = "R003", "timestamp"
		}
		w.log.Gap(finding.Reject, requirement, slug, w.doc.Place(v), document.Shown(v), f.want())
		return
	}
	if s := document.Text(v); f.words != nil && !slices.Contains(f.words, s) || f.pattern != nil && !f.pattern.MatchString(s) {
		w.log.Gap(finding.Reject, "R002", "value", w.doc.Place(v), document.Shown(v), f.want())
		return
	}
	w.log.OK("R002")
	switch f.shape {
	case anInstant:
		w.log.OK("R003")
	case anObject:
		w.object(v, f.fields, f.open)
		w.each(v, f)
	case anArray:
		w.array(v, f)
	}
}

// each checks every member of an object whose names are anybody's, like the elements of an array.
func (w *walker) each(v canon.Value, f field) {
	if f.each == nil {
		return
	}
	if v.Len() > document.MaxItems {
		w.log.Gap(finding.Reject, "R002", "too-many", w.doc.Place(v), fmt.Sprint(v.Len(), " members"), fmt.Sprint("at most ", document.MaxItems))
		return
	}
	for _, e := range v.Members() {
		w.value(e, field{shape: anObject, fields: f.each})
	}
}

func (w *walker) array(v canon.Value, f field) {
	most := document.MaxItems
	if f.most > 0 {
		most = f.most
	}
	if v.Len() > most {
		w.log.Gap(finding.Reject, "R002", "too-many", w.doc.Place(v), fmt.Sprint(v.Len(), " elements"), fmt.Sprint("at most ", most))
		return
	}
	if f.fields == nil && f.of == anything {
		return
	}
	element := field{shape: f.of}
	if f.fields != nil {
		element = field{shape: anObject, fields: f.fields, open: f.open}
	}
	for _, e := range v.Elements() {
		w.value(e, element)
	}
}

func fits(v canon.Value, s shape) bool {
	switch k := v.Kind(); s {
	case anything:
		return k != canon.Null
	case aString:
		return k == canon.String
	case aNumber:
		return k == canon.Int || k == canon.Float
	case nonNegative:
		r := document.Number(v)
		return r != nil && r.Sign() >= 0
	case positive:
		r := document.Number(v)
		return k == canon.Int && r != nil && r.Sign() > 0
	case aCount:
		r := document.Number(v)
		return k == canon.Int && r != nil && r.Sign() >= 0
	case aDecimal:
		return fits(v, nonNegative) || k == canon.String && document.AmountForm.MatchString(document.Text(v))
	case aShare:
		r := document.Number(v)
		return r != nil && r.Sign() >= 0 && r.Cmp(exact.Int(1)) <= 0 || k == canon.String && shareForm.MatchString(document.Text(v))
	case aBool:
		return k == canon.Bool
	case anInstant:
		return document.Instant(v) != nil
	case anObject:
		return k == canon.Object
	case anArray:
		return k == canon.Array
	case aStringOrNull:
		return k == canon.String || k == canon.Null
	}
	return false
}

func known(fields []field, name string) bool {
	for _, f := range fields {
		if f.name == name {
			return true
		}
	}
	return false
}

// names are the known names, in the order of the table.
func names(fields []field) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range fields {
			if !yield(f.name) {
				return
			}
		}
	}
}

// oneOf records whether a string is one of the words, and says which are.
func (w *walker) oneOf(s finding.Severity, requirement, slug string, v canon.Value, words ...string) bool {
	if !v.Exists() {
		return true
	}
	got := document.Text(v)
	for _, word := range words {
		if got == word {
			w.log.OK(requirement)
			return true
		}
	}
	w.log.Gap(s, requirement, slug, w.doc.Place(v), document.Shown(v), strings.Join(words, " | "))
	return false
}
