package finding

import (
	"fmt"
	"strings"
	"unicode"
)

// labels are the words of the text report.
var labels = map[string]map[string]string{
	"en": {
		"declared": "declared", "recomputed": "recomputed", "gap": "gap", "tolerance": "tolerance", "amounts": "amounts", "readings": "depends on", "derivation": "derivation", "repairs": "single repairs",
		"keeping": "repairs that break no limit", "formulas": "other formulas tried", "rule": "rule", "next": "next", "answers": "recomputed", "robust": "under every reading", "dropped": "more findings, not shown",
		"summary": "%d ok, %d findings, %d unestablished, %d n/a: %s",
	},
	"fr": {
		"declared": "déclaré", "recomputed": "recalculé", "gap": "écart", "tolerance": "tolérance", "amounts": "montants", "readings": "dépend de", "derivation": "dérivation", "repairs": "réparations simples",
		"keeping": "réparations qui ne rompent aucune limite", "formulas": "autres formules essayées", "rule": "règle", "next": "ensuite", "answers": "recalculé", "robust": "sous toute lecture", "dropped": "autres constats, non montrés",
		"summary": "%d conformes, %d constats, %d non établis, %d sans objet : %s",
	},
}

var verdicts = map[string]map[string]string{
	"fr": {"consistent": "cohérent", "gaps": "écarts", "incomplete": "incomplet", "unusable": "inexploitable"},
}

// Text writes a report for people in "en" or "fr": one line per finding, "severity id place declared recomputed", below it the sentence
// and, with full, everything else that the finding holds. The last line has the four counts and the verdict.
func (r *Report) Text(lang string, full bool) string {
	words, ok := labels[lang]
	if !ok {
		lang, words = "en", labels["en"]
	}
	var b strings.Builder
	for _, f := range r.Log.Findings() {
		f.line(&b, lang)
		if full {
			f.details(&b, lang, words)
		}
	}
	if n := r.Log.Dropped(); n > 0 {
		fmt.Fprintf(&b, "%d %s\n", n, words["dropped"])
	}
	for _, a := range r.Answers {
		if a.Value == "" {
			continue
		}
		fmt.Fprintf(&b, "%s: %s = %s", words["answers"], visible(a.Name), visible(a.Value))
		if a.Robust {
			fmt.Fprintf(&b, " (%s)\n", words["robust"])
		} else {
			fmt.Fprintf(&b, " (%s %s)\n", words["readings"], visible(strings.Join(a.Readings, "; ")))
		}
	}
	for _, u := range r.Unread {
		fmt.Fprintf(&b, "%s: %s\n", visible(u.Path), visible(u.Why))
	}
	verdict := r.Verdict()
	if word, ok := verdicts[lang][verdict]; ok {
		verdict = word
	}
	fmt.Fprintf(&b, words["summary"]+"\n", r.Log.Count(OK), r.Log.Count(Gap), r.Log.Count(Unestablished), r.Log.Count(NA), verdict)
	return b.String()
}

// visible is one line of a party's text without anything that a terminal obeys: control characters, line separators and marks of writing
// direction are written as escapes, so that no document can write a line of its own into a report.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// line is the line of a finding and its sentence.
func (f Finding) line(b *strings.Builder, lang string) {
	severity := f.Severity.String()
	if f.Outcome == Unestablished {
		severity = f.Outcome.String()
	}
	parts := []string{severity, f.ID, f.At}
	for _, p := range []string{f.Declared, f.Recomputed} {
		if p == "" {
			p = "-"
		}
		parts = append(parts, p)
	}
	fmt.Fprintln(b, visible(strings.Join(parts, " ")))
	if says, ok := Text(f.ID, lang); ok {
		fmt.Fprintf(b, "    %s\n", says)
	}
}

func (f Finding) details(b *strings.Builder, lang string, words map[string]string) {
	show := func(label, value string) {
		if value != "" {
			fmt.Fprintf(b, "    %s: %s\n", words[label], visible(value))
		}
	}
	show("gap", f.Difference)
	show("tolerance", f.Tolerance)
	if f.AmountsDeclared != "" {
		show("amounts", f.AmountsDeclared+" / "+f.AmountsRecomputed)
	}
	show("derivation", strings.Join(f.Derivation, "; "))
	var repairs []string
	for _, r := range f.Repairs {
		repairs = append(repairs, r.Field+"="+r.Value)
	}
	show("repairs", strings.Join(repairs, ", "))
	show("keeping", strings.Join(f.Keeping, ", "))
	show("formulas", strings.Join(f.Formulas, ", "))
	if f.Robust {
		if f.Outcome == Gap {
			show("readings", "- ("+words["robust"]+")")
		}
	} else {
		show("readings", strings.Join(f.Readings, ", "))
	}
	show("rule", RuleText(f.ID))
	show("next", f.Next(lang))
}
