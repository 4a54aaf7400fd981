package report

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// What was found and what was expected are written in English where they are found, with values in them, and go into documents like that. For
// people who read another language they are said again by pattern: a table of phrases, English and French, in which
//
//	%d stands for a whole number, %q for a text in double quotes, %z for an instant (RFC 3339),
//	%p for a place in a file, %s for anything, repeated as it is, and %t for a phrase that is said again too.
//
// Both sides have the same marks in the same order. A text that no phrase fits stays as it is: it is a value, a name or a code. Nothing is
// decided by it.

// Phrase is an English phrase of a finding or a complaint in the given language.
func Phrase(text string, l Lang) string {
	if l != French || text == "" || len(text) > maxPhrase {
		return text
	}
	return tables().say(text, 0)
}

const (
	maxPhrase = 8 << 10 // bytes of a text that is matched; values may be as long as a file
	maxDepth  = 12      // phrases inside phrases
)

// phrase is one compiled pattern: marks between literal texts.
type phrase struct {
	english, french []string // literals; one more than marks
	marks           string   // the letters of the marks
	size            int      // bytes of English literals: the more, the more is known of the text
}

// phraseBook is the whole table. Frames come first and in their order, since they hold other phrases.
type phraseBook struct {
	exact  map[string]string
	frames []phrase
	rest   []phrase
}

// tables compiles the table when it is first needed, which in English is never.
var tables = sync.OnceValue(func() *phraseBook {
	b := &phraseBook{exact: map[string]string{}}
	for _, pair := range frenchFrames {
		b.frames = append(b.frames, compiled(pair))
	}
	for _, part := range frenchPhrases() {
		for _, pair := range part {
			if !strings.Contains(pair[0], "%") {
				b.exact[pair[0]] = pair[1]
				continue
			}
			b.rest = append(b.rest, compiled(pair))
		}
	}
	slices.SortStableFunc(b.rest, func(x, y phrase) int { return y.size - x.size })
	return b
})

func compiled(pair [2]string) phrase {
	var p phrase
	p.english, p.marks = literals(pair[0])
	p.french, _ = literals(pair[1])
	for _, s := range p.english {
		p.size += len(s)
	}
	return p
}

// literals splits a pattern at its marks.
func literals(pattern string) (texts []string, marks string) {
	for at := 0; ; {
		i := strings.IndexByte(pattern[at:], '%')
		if i += at; i < at || i == len(pattern)-1 {
			return append(texts, pattern), marks
		}
		if strings.IndexByte("dpqzst", pattern[i+1]) < 0 {
			at = i + 1 // a percent sign of its own, as in %3A
			continue
		}
		texts, marks, pattern, at = append(texts, pattern[:i]), marks+pattern[i+1:i+2], pattern[i+2:], 0
	}
}

// say says a text again: whole, by its frame, by its phrase, or after the name that it begins with.
func (b *phraseBook) say(text string, depth int) string {
	if french, ok := b.exact[text]; ok {
		return french
	}
	if depth > maxDepth || !strings.Contains(text, " ") {
		return text // most are hashes, names and codes
	}
	if quoted, err := strconv.QuotedPrefix(text); err == nil && quoted == text {
		return text // a value, whatever words it has
	}
	if french, ok := b.framed(b.frames, text, depth); ok {
		return french
	}
	if before, after, ok := strings.Cut(text, ": found "); ok { // a file, a flag or a place, and what is wrong with it
		return b.named(before, depth) + ": " + b.say("found "+after, depth+1)
	}
	if french, ok := b.framed(b.rest, text, depth); ok {
		return french
	}
	if before, after, ok := strings.Cut(text, "; "); ok {
		return b.say(before, depth+1) + "\u00a0; " + b.say(after, depth+1)
	}
	if before, after, ok := strings.Cut(text, ": "); ok {
		return b.named(before, depth) + ": " + b.say(after, depth+1)
	}
	return text
}

// framed says a text by the first pattern of a list that it fits.
func (b *phraseBook) framed(list []phrase, text string, depth int) (string, bool) {
	for i := range list {
		if values, ok := list[i].match(text); ok {
			return b.filled(&list[i], values, depth), true
		}
	}
	return "", false
}

// named is what stands before a complaint: a name stays, whatever word it is; a phrase has more than one word.
func (b *phraseBook) named(text string, depth int) string {
	if !strings.Contains(text, " ") {
		return text
	}
	return b.say(text, depth+1)
}

func (b *phraseBook) filled(p *phrase, values []string, depth int) string {
	var out strings.Builder
	for i, literal := range p.french {
		out.WriteString(literal)
		if i < len(values) && i < len(p.french)-1 {
			if p.marks[i] == 't' {
				values[i] = b.say(values[i], depth+1)
			}
			out.WriteString(values[i])
		}
	}
	return out.String()
}

// match gives the values that stand at the marks. Each is as short as what follows allows; the last takes the rest.
func (p *phrase) match(text string) ([]string, bool) {
	if !strings.HasPrefix(text, p.english[0]) {
		return nil, false
	}
	values := make([]string, 0, len(p.marks))
	return p.from(0, text[len(p.english[0]):], values)
}

// from matches the marks from i on.
func (p *phrase) from(i int, text string, values []string) ([]string, bool) {
	if i == len(p.marks) {
		return values, text == ""
	}
	next := p.english[i+1]
	if i == len(p.marks)-1 {
		value, ok := strings.CutSuffix(text, next)
		return append(values, value), ok && fits(p.marks[i], value)
	}
	for at := 0; ; {
		n := strings.Index(text[at:], next)
		if n < 0 || next == "" {
			return nil, false
		}
		at += n
		if fits(p.marks[i], text[:at]) {
			if out, ok := p.from(i+1, text[at+len(next):], append(values, text[:at])); ok {
				return out, true
			}
		}
		at++
	}
}

// fits reports whether a value can stand at a mark.
func fits(mark byte, value string) bool {
	switch mark {
	case 'd':
		return value != "" && strings.Trim(value, "-0123456789") == ""
	case 'p':
		return strings.ContainsAny(value, "/#.") && !strings.Contains(value, " ")
	case 'q':
		return len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"'
	case 'z':
		return len(value) >= len("2026-01-01") && strings.Trim(value, "0123456789-+:.TZ") == ""
	}
	return value != ""
}
