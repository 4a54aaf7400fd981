package submission

import (
	"bytes"
	"unicode/utf8"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// InsertDisclosures puts a disclosures block into a submission: in the place of the block that is there, or as a last member. Every other
// byte stays as it is. The file need not be a whole submission, only a strict JSON object.
func InsertDisclosures(file string, submission, block []byte) ([]byte, error) {
	doc, err := canon.ParseStrict(file, submission)
	if err != nil {
		return nil, err
	}
	if doc.Kind() != canon.Object {
		return nil, &verify.Failure{Reason: ReasonNotAnObject, Found: shown(doc), Wanted: "an object", File: file}
	}
	if v, err := canon.ParseStrict("", block); err != nil || v.Kind() != canon.Object {
		return nil, &verify.Failure{Reason: ReasonBlockMalformed, Found: "another text", Wanted: "a JSON object"}
	}
	if old := doc.Get("disclosures"); old.Exists() {
		at := offset(submission, old)
		return splice(submission, at, at+len(old.Raw()), block), nil
	}
	at, before := offset(submission, doc)+1, "\n  \"disclosures\": "
	for _, v := range doc.Members() {
		at = offset(submission, v) + len(v.Raw())
	}
	if doc.Len() > 0 {
		before = "," + before
	}
	return splice(submission, at, at, append([]byte(before), block...)), nil
}

func splice(b []byte, from, to int, middle []byte) []byte {
	return bytes.Join([][]byte{b[:from], middle, b[to:]}, nil)
}

// offset is the place of a value's first byte, from its line and its column in characters.
func offset(b []byte, v canon.Value) int {
	at := 0
	for line := v.Line(); line > 1; line-- {
		at += bytes.IndexByte(b[at:], '\n') + 1
	}
	for col := v.Col(); col > 1; col-- {
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return at
}
