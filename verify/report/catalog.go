package report

import (
	"sort"

	"github.com/ark-forge/proveit/verify"
)

// Lang is a language of text output. The zero value is English.
type Lang uint8

// The languages of text output.
const (
	English Lang = iota
	French
)

// String is the language tag: "en" or "fr".
func (l Lang) String() string {
	if l == French {
		return "fr"
	}
	return "en"
}

// ParseLang reads "en" or "fr", also as the start of a locale such as fr_FR.UTF-8.
func ParseLang(s string) (Lang, bool) {
	if len(s) < 2 || len(s) > 2 && s[2] != '_' && s[2] != '.' && s[2] != '-' && s[2] != '@' {
		return English, false
	}
	switch s[:2] {
	case "en":
		return English, true
	case "fr":
		return French, true
	}
	return English, false
}

// Message is what the catalogue says about a code.
type Message struct {
	Means string // one sentence: what the code says
	Next  string // one sentence: what to do
}

// Explain is the message of a code in a language and whether there is one.
func Explain(code verify.Reason, l Lang) (Message, bool) {
	catalog := english
	if l == French {
		catalog = french
	}
	m, ok := catalog[code]
	return m, ok
}

// Codes are all codes of the catalogue, sorted.
func Codes() []verify.Reason {
	out := make([]verify.Reason, 0, len(english))
	for code := range english {
		out = append(out, code)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}
