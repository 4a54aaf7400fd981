package season

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
)

// linkValue is the variable that stands for the value of a link in "to".
const linkValue = "value"

// rule is one line of "graph". It reaches a resource from nothing ("start") or from the value at a pointer of a resource already
// reached ("from", "pointer", "to"), and says whether that resource is the subject's own or a list of which some entries concern it.
type rule struct {
	start   string
	from    string
	pointer pattern
	to      string

	own     bool
	entries canon.Pointer // of the array of entries; of use where own is false
	match   []matchValue
	any     *matchAny
}

// matchValue wants a value at a pointer of an entry.
type matchValue struct {
	pointer canon.Pointer
	text    string      // template, where value is Missing
	value   canon.Value // null, true or false
}

// matchAny wants an entry to agree with an element of another resource of the graph.
type matchAny struct {
	in      string // template of a resource, "*" standing for one step
	each    pattern
	entry   []canon.Pointer // into the entry, side by side with
	element []canon.Pointer // into the element
}

func parseRule(d *manifest.Document, v canon.Value) rule {
	object(d, v, "an object")
	var names []string
	var r rule
	if v.Get("start").Exists() {
		names = []string{"start"}
		r.start = template(d, v, "start")
	} else {
		names = []string{"from", "pointer", "to"}
		r.from, r.to = template(d, v, "from"), template(d, v, "to")
		r.pointer = parsePattern(d, d.Get(v, "pointer"))
	}
	switch {
	case v.Get("own").Exists():
		d.Members(v, append(names, "own")...)
		if r.own = d.Flag(v, "own"); !r.own {
			d.Fail(v.Get("own"), "false", "true, or entries with match or match_any")
		}
	case v.Get("match").Exists():
		d.Members(v, append(names, "entries", "match")...)
		r.entries, r.match = plainPointer(d, d.Get(v, "entries")), parseMatch(d, v.Get("match"))
	default:
		d.Members(v, append(names, "entries", "match_any")...)
		r.entries, r.any = plainPointer(d, d.Get(v, "entries")), parseMatchAny(d, d.Get(v, "match_any"))
	}
	return r
}

func parseMatch(d *manifest.Document, v canon.Value) []matchValue {
	pairs(d, v)
	var out []matchValue
	for name, want := range v.Members() {
		m := matchValue{pointer: pointerText(d, want, name)}
		switch want.Kind() {
		case canon.String:
			m.text = checkTemplate(d, want)
		case canon.Null, canon.Bool:
			m.value = want
		default:
			d.Fail(want, want.Kind().String(), "a string, a boolean or null")
		}
		out = append(out, m)
	}
	return out
}

func parseMatchAny(d *manifest.Document, v canon.Value) *matchAny {
	d.Members(v, "in", "each", "equal")
	m := &matchAny{in: template(d, v, "in")}
	// An empty pattern takes the whole resource as the one element.
	if each := d.Get(v, "each"); each.Raw() != `""` {
		m.each = parsePattern(d, each)
	}
	equal := d.Get(v, "equal")
	pairs(d, equal)
	for name, other := range equal.Members() {
		m.entry = append(m.entry, pointerText(d, other, name))
		m.element = append(m.element, plainPointer(d, other))
	}
	return m
}

// pairs wants an object with at least one member: a rule that compares nothing would let every entry through.
func pairs(d *manifest.Document, v canon.Value) {
	if v.Kind() != canon.Object || v.Len() == 0 {
		d.Fail(v, v.Kind().String(), "an object with at least one pointer")
	}
}

// plainPointer reads a pointer without <n>.
func plainPointer(d *manifest.Document, v canon.Value) canon.Pointer {
	text, ok := v.Text()
	if !ok {
		d.Fail(v, v.Kind().String(), "a string with a pointer")
	}
	return pointerText(d, v, text)
}

func pointerText(d *manifest.Document, at canon.Value, text string) canon.Pointer {
	p, err := canon.ParsePointer(strings.Clone(text))
	if err != nil || slices.Contains(p.Tokens(), anyIndex) {
		d.Fail(at, fmt.Sprintf("%q", text), "an RFC 6901 pointer without <n>")
	}
	return p
}

// template reads a member that may hold {variables}.
func template(d *manifest.Document, v canon.Value, name string) string {
	member := d.Get(v, name)
	if text, _ := member.Text(); text == "" {
		d.String(member)
	}
	return checkTemplate(d, member)
}

func checkTemplate(d *manifest.Document, v canon.Value) string {
	text, _ := v.Text()
	left := variable.ReplaceAllString(text, "")
	if strings.ContainsAny(left, "{}") {
		d.Fail(v, fmt.Sprintf("%q", text), "balanced {variables}")
	}
	if len(text) > maxTemplate {
		d.Fail(v, fmt.Sprintf("%d bytes", len(text)), fmt.Sprintf("at most %d", maxTemplate))
	}
	return strings.Clone(text)
}

// variable is a placeholder of a template.
var variable = regexp.MustCompile(`\{([^{}/]+)\}`)

// expand puts the subject's values into a template; false where it names a variable that the subject lacks.
func expand(template string, subject map[string]string) (string, bool) {
	complete := true
	out := variable.ReplaceAllStringFunc(template, func(placeholder string) string {
		value, ok := subject[placeholder[1:len(placeholder)-1]]
		complete = complete && ok
		return value
	})
	return out, complete
}

// segments compiles a template into an expression for whole resources. Variables that the subject lacks, and "*" where star is set,
// stand for one path segment.
func segments(template string, subject map[string]string, star bool) *regexp.Regexp {
	const one = `[^/]+`
	var b strings.Builder
	b.WriteString(`\A`)
	literal := func(s string) {
		for i, part := range strings.Split(s, "*") {
			if i > 0 && star {
				b.WriteString(one)
			} else if i > 0 {
				b.WriteString(`\*`)
			}
			b.WriteString(regexp.QuoteMeta(part))
		}
	}
	at := 0
	for _, m := range variable.FindAllStringSubmatchIndex(template, -1) {
		literal(template[at:m[0]])
		if value, ok := subject[template[m[2]:m[3]]]; ok {
			b.WriteString(regexp.QuoteMeta(value))
		} else {
			b.WriteString(one)
		}
		at = m[1]
	}
	literal(template[at:])
	b.WriteString(`\z`)
	return regexp.MustCompile(b.String())
}
