package finding

import (
	"maps"
	"strings"
)

// Languages are the languages of the catalogue.
var Languages = []string{"en", "fr"}

var catalog = map[string]map[string]string{
	"en": merged(englishDocument, englishProcess, englishResult, englishLint, englishPaper),
	"fr": merged(frenchDocument, frenchProcess, frenchResult, frenchLint, frenchPaper),
}

func merged(parts ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all
}

// Text is the sentence of a finding id in "en" or "fr", and whether there is one. Ids that differ only in the requirement may share a
// sentence, kept under "asa/*/" and what is wrong.
func Text(id, lang string) (string, bool) {
	texts, ok := catalog[lang]
	if !ok {
		texts = catalog["en"]
	}
	if s, ok := texts[id]; ok {
		return s, true
	}
	s, ok := texts["asa/*/"+id[strings.LastIndexByte(id, '/')+1:]]
	return s, ok
}

var next = map[string][4]string{
	"en": {"correct the document: nothing that depends on it was recomputed", "compare with the derivation, then correct the declared value or the document that it rests on", "decide whether this is meant", "nothing needs to be done"},
	"fr": {"corriger le document : rien de ce qui en dépend n’a été recalculé", "comparer avec la dérivation, puis corriger la valeur déclarée ou le document sur lequel elle repose", "décider si cela est voulu", "il n’y a rien à faire"},
}

// Next is what to do about a finding, in "en" or "fr".
func (f Finding) Next(lang string) string {
	if f.Outcome == Unestablished {
		if lang == "fr" {
			return "fournir ce qui manque, si cela existe"
		}
		return "supply what is missing, if it exists"
	}
	texts, ok := next[lang]
	if !ok {
		texts = next["en"]
	}
	return texts[min(f.Severity, Note)]
}
