package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// Kind is what happened to one thing between two corpora.
type Kind string

// The kinds of changes.
const (
	Added   Kind = "added"   // only the second corpus has it
	Removed Kind = "removed" // only the first corpus has it
	Changed Kind = "changed" // both have it, with two values
	Spelled Kind = "spelled" // the bytes differ and the value does not: white space, order of members, escapes
)

// Change is one difference between two corpora.
type Change struct {
	Kind     Kind
	Resource string // of a page or system body, the prefix of a collection, or "" for the manifest itself
	Member   string // member of the manifest that differs, or "body"
	Pointer  string // inside the body
	Before   string // canonical JSON or text; empty where Added
	After    string // empty where Removed
}

// maxChanges is how many places inside one body are listed; the rest is summed up as a change of the whole.
const maxChanges = 100

// Diff lists what differs from a to b: the base URL, then resources, system bodies and collections, each sorted by name.
func Diff(a, b *Corpus) []Change {
	var out []Change
	if a.Manifest.BaseURL != b.Manifest.BaseURL {
		out = append(out, Change{Kind: Changed, Member: "base_url", Before: a.Manifest.BaseURL, After: b.Manifest.BaseURL})
	}
	out = append(out, sides(pageSides(a), pageSides(b))...)
	out = append(out, sides(systemSides(a), systemSides(b))...)
	return append(out, sides(collectionSides(a), collectionSides(b))...)
}

// side is one thing as one corpus has it: named texts that are compared in order, and a body.
type side struct {
	texts []string // name, text, name, text…
	sum   canon.Digest
	body  canon.Value
}

func pageSides(c *Corpus) map[string]side {
	out := map[string]side{}
	for resource, i := range c.byResource {
		p := c.pages[i]
		out[resource] = side{[]string{"url", p.URL, "method", p.Method, "payload", canonical(p.Payload)}, p.SHA256, p.Body}
	}
	return out
}

func systemSides(c *Corpus) map[string]side {
	out := map[string]side{}
	for _, s := range c.Manifest.System {
		out[s.Resource] = side{texts: []string{"response_hash", s.Stored.String()}}
	}
	return out
}

func collectionSides(c *Corpus) map[string]side {
	out := map[string]side{}
	for _, col := range c.Manifest.Collections {
		out[col.Prefix] = side{texts: []string{"method", col.Method, "payload", canonical(col.Payload)}, body: col.AbsentBody}
	}
	return out
}

func sides(a, b map[string]side) []Change {
	var names []string
	for name := range a {
		names = append(names, name)
	}
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out []Change
	for _, name := range names {
		before, inA := a[name]
		after, inB := b[name]
		switch {
		case !inA:
			out = append(out, Change{Kind: Added, Resource: name})
		case !inB:
			out = append(out, Change{Kind: Removed, Resource: name})
		default:
			out = append(out, compare(name, before, after)...)
		}
	}
	return out
}

func compare(name string, a, b side) []Change {
	var out []Change
	for i := 0; i < len(a.texts); i += 2 {
		if a.texts[i+1] != b.texts[i+1] {
			out = append(out, Change{Kind: Changed, Resource: name, Member: a.texts[i], Before: a.texts[i+1], After: b.texts[i+1]})
		}
	}
	var places []Change
	compareBodies(&places, name, "", a.body, b.body)
	switch {
	case len(places) > maxChanges:
		out = append(out, Change{Kind: Changed, Resource: name, Member: "body", Before: fmt.Sprintf("SHA-256 %s", a.sum), After: fmt.Sprintf("SHA-256 %s", b.sum)})
	case len(places) == 0 && a.sum != b.sum:
		out = append(out, Change{Kind: Spelled, Resource: name, Member: "body", Before: "SHA-256 " + a.sum.String(), After: "SHA-256 " + b.sum.String()})
	default:
		out = append(out, places...)
	}
	return out
}

// compareBodies lists the deepest places that differ, one more than maxChanges at most.
func compareBodies(out *[]Change, name, pointer string, a, b canon.Value) {
	if len(*out) > maxChanges || canon.Equal(a, b) || !a.Exists() && !b.Exists() {
		return
	}
	if a.Kind() == canon.Array && b.Kind() == canon.Array {
		for i := range max(a.Len(), b.Len()) {
			compareBodies(out, name, fmt.Sprintf("%s/%d", pointer, i), a.At(i), b.At(i))
		}
		return
	}
	if a.Kind() == canon.Object && b.Kind() == canon.Object {
		for member, v := range a.Members() {
			compareBodies(out, name, pointer+"/"+canon.EscapeToken(member), v, b.Get(member))
		}
		for member, v := range b.Members() {
			if !a.Get(member).Exists() {
				compareBodies(out, name, pointer+"/"+canon.EscapeToken(member), canon.Value{}, v)
			}
		}
		return
	}
	kind := Changed
	if !a.Exists() {
		kind = Added
	} else if !b.Exists() {
		kind = Removed
	}
	*out = append(*out, Change{Kind: kind, Resource: name, Member: "body", Pointer: pointer, Before: canonical(a), After: canonical(b)})
}

// Place is the resource, member and pointer that a change is at.
func (c Change) Place() string {
	return strings.Join(slices.DeleteFunc([]string{c.Resource, c.Member, c.Pointer}, func(s string) bool { return s == "" }), " ")
}

// String is one line, in English.
func (c Change) String() string {
	switch c.Kind {
	case Added:
		return strings.TrimSpace(fmt.Sprintf("%s: added %s", c.Place(), c.After))
	case Removed:
		return strings.TrimSpace(fmt.Sprintf("%s: removed %s", c.Place(), c.Before))
	}
	return fmt.Sprintf("%s: %s from %s to %s", c.Place(), c.Kind, c.Before, c.After)
}
