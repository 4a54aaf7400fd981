package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Colon is what follows any label, French with its space; Named is for the labels of the catalogue.
func Colon(l Lang) string { return colon(l) }

// colon is what stands between a label and its value: French sets a space before it that does not break.
func colon(l Lang) string {
	if l == French {
		return "\u00a0: "
	}
	return ": "
}

// Named is a label with its colon and a space, for the value that follows on the line.
func Named(key string, l Lang) string { return Label(key, l) + colon(l) }

// Heading is a label with its colon, for the lines that follow.
func Heading(key string, l Lang) string { return strings.TrimSuffix(Named(key, l), " ") }

// capital is text with its first letter in upper case, for headings.
func capital(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}

// Percent writes a percentage of two decimals as the language does: 7.32% or 7,32 %.
func Percent(p string, l Lang) string {
	if l == French {
		return strings.Replace(p, ".", ",", 1) + "\u00a0%"
	}
	return p + "%"
}

// rate writes a column: the percentage, then the exact counts.
func rate(count, of int, p string, l Lang) string {
	return fmt.Sprintf("%s (%d/%d)", Percent(p, l), count, of)
}

// overclaimText is the first column of a participant; nothing asserted has no rate.
func overclaimText(withheld []string, o *Overclaim, l Lang) string {
	switch {
	case len(withheld) > 0:
		return Label("withheld", l)
	case o == nil:
		return Label("no_object", l)
	}
	return rate(o.Unsupported, o.Asserted, o.Percent, l)
}

// successText is the second column of a participant.
func successText(withheld []string, s *Success, l Lang) string {
	if len(withheld) > 0 || s == nil {
		return Label("withheld", l)
	}
	return rate(s.Exact, s.Tasks, s.Percent, l)
}

// Visible writes what cannot be seen, or would move a cursor or turn the direction of text, as \u and its code point in hexadecimal.
func Visible(s string) string { return visible(s) }

// visible writes what cannot be seen, or would move a cursor or turn the direction of text, as \u and its code point in hexadecimal.
func visible(s string) string {
	if strings.IndexFunc(s, unseen) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unseen(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unseen(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// longestProse is how many bytes of a free text a page shows: the whole of it is in report.json.
const longestProse = 8 << 10

// prose are the lines of a free text, with what cannot be seen made visible, and whether that is all of it.
func prose(s string) (lines []string, whole bool) {
	whole = len(s) <= longestProse
	if !whole {
		s = strings.ToValidUTF8(s[:longestProse], "")
	}
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, visible(strings.TrimSuffix(line, "\r")))
	}
	return lines, whole
}

// readable is a canonical JSON value with the escapes of letters written as the letters; what cannot be seen stays escaped. The
// canonical text is the one that is compared.
func readable(canonical string) string {
	var s string
	if !strings.HasPrefix(canonical, `"`) || json.Unmarshal([]byte(canonical), &s) != nil {
		return canonical
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return canonical
	}
	return visible(strings.TrimSuffix(b.String(), "\n"))
}

// command recomputes one assertion from the published bundle.
func (r Individual) command(task, assertion string) string {
	return fmt.Sprintf("proveit season explain BUNDLE --participant %s --track %s --task %s --assertion %s",
		shellWord(r.Participant.Participant), shellWord(r.Track), shellWord(task), shellWord(assertion))
}

// shellWord quotes a word for a POSIX shell where it needs that: ids come from participants.
func shellWord(s string) string {
	plain := s != ""
	for i := 0; i < len(s); i++ {
		c := s[i]
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.:", c) >= 0)
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
