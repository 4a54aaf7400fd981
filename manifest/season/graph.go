package season

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
)

// Bounds of one task's graph. A scale whose rules go past them cannot be judged by.
const (
	MaxNodes = 10_000    // resources
	MaxLinks = 1_000_000 // links followed
)

// GraphTooLarge says that the rules of a scale reach more than this program follows.
type GraphTooLarge struct {
	File   string // the scale
	TaskID string
	Found  string
	Wanted string
}

// Error is one line: place, found, wanted.
func (e *GraphTooLarge) Error() string {
	return fmt.Sprintf("%s: graph of task %s: found %s, want %s", e.File, e.TaskID, e.Found, e.Wanted)
}

// Node is one resource of a task's graph.
type Node struct {
	Resource string
	Own      bool   // concerns the subject alone
	Shared   bool   // a common list, of which some entries may concern the subject; then never Own
	Absent   bool   // a reference that does not exist: its absent body is what is served
	From     string // the resource whose link reached it first; empty for a start
}

// Graph is the set of resources that a task's assertions may bear on. It does not change once made and may be used by many goroutines.
type Graph struct {
	nodes   map[string]*node
	order   []*node   // in the order in which they were reached
	nowhere []Nowhere // at most maxNowhere
}

// Nowhere is a start or a link at which nothing is served: neither a page of the corpus nor a reference below a collection.
type Nowhere struct {
	From   string // resource that holds the link; empty for a start
	Target string
}

// maxNowhere is how many of them are kept.
const maxNowhere = 100

type node struct {
	Node
	body  canon.Value
	rules []*entryRule // the rules with entries that reached it
}

// entryRule is a rule with entries, its templates filled in for the subject.
type entryRule struct {
	entries canon.Pointer
	match   []wanted
	any     *matchAny
	in      *regexp.Regexp
	keys    map[string]bool // for any: what the elements hold, one key each
}

type wanted struct {
	pointer canon.Pointer
	value   canon.Value
}

// bound is a rule with its templates filled in for the subject.
type bound struct {
	rule  *rule
	start string
	from  *regexp.Regexp
	vars  map[string]string // the subject's, and the link's value when one is followed
	entry *entryRule        // nil where the rule says own
}

// NewGraph derives the graph of a task from the frozen corpus. The error is a *GraphTooLarge.
//
// Rules apply until nothing new is reached. A link to a reference that does not exist reaches its absent body; a link whose value is
// not a string, or that leads outside the corpus and its collections, ends. A resource reached by a rule with entries is shared, even
// where another rule reaches it as own.
func NewGraph(corpus *manifest.Corpus, s *Scale, t Task) (*Graph, error) {
	w := &walker{corpus: corpus, graph: &Graph{nodes: map[string]*node{}}}
	tooLarge := func(found, want string) error {
		return &GraphTooLarge{File: s.File, TaskID: t.ID, Found: found, Wanted: want}
	}
	for i := range s.rules {
		if b, ok := bind(&s.rules[i], t.Subject); ok {
			w.rules = append(w.rules, b)
		}
	}
	for _, b := range w.rules {
		if b.from == nil {
			w.reach(b.start, "", b)
		}
	}
	for i := 0; i < len(w.graph.order); i++ {
		if len(w.graph.order) > MaxNodes {
			return nil, tooLarge(fmt.Sprintf("more than %d resources", MaxNodes), fmt.Sprintf("at most %d", MaxNodes))
		}
		w.follow(w.graph.order[i])
		if w.links > MaxLinks {
			return nil, tooLarge(fmt.Sprintf("more than %d links", MaxLinks), fmt.Sprintf("at most %d", MaxLinks))
		}
	}
	w.collect()
	return w.graph, nil
}

// bind fills in the subject's variables. A rule with a variable that the subject lacks does not apply, except that in "from" such a
// variable stands for one path segment.
func bind(r *rule, subject map[string]string) (bound, bool) {
	b, ok := bound{rule: r}, true
	if r.start != "" {
		b.start, ok = expand(r.start, subject)
	} else {
		b.from = segments(r.from, subject, false)
		b.vars = map[string]string{linkValue: ""}
		maps.Copy(b.vars, subject)
		_, ok = expand(r.to, b.vars)
	}
	if !ok || r.own {
		return b, ok
	}
	b.entry = &entryRule{entries: r.entries, any: r.any}
	for _, m := range r.match {
		if !m.value.Exists() {
			text, complete := expand(m.text, subject)
			if !complete {
				return b, false
			}
			m.value, _ = canon.From(text)
		}
		b.entry.match = append(b.entry.match, wanted{m.pointer, m.value})
	}
	if r.any != nil {
		if _, complete := expand(r.any.in, subject); !complete {
			return b, false
		}
		b.entry.in = segments(r.any.in, subject, true)
		b.entry.keys = map[string]bool{}
	}
	return b, true
}

type walker struct {
	corpus *manifest.Corpus
	graph  *Graph
	rules  []bound
	links  int
}

// reach adds the resource, if anything is served for it, and notes what the rule makes of it.
func (w *walker) reach(resource, from string, b bound) {
	w.links++
	n, ok := w.graph.nodes[resource]
	if !ok {
		page, served := w.corpus.Page(resource)
		if !served {
			if lost := (Nowhere{From: from, Target: resource}); len(w.graph.nowhere) < maxNowhere && !slices.Contains(w.graph.nowhere, lost) {
				w.graph.nowhere = append(w.graph.nowhere, lost)
			}
			return
		}
		n = &node{Node: Node{Resource: resource, Absent: page.Absent, From: from}, body: page.Body}
		w.graph.nodes[resource] = n
		w.graph.order = append(w.graph.order, n)
	}
	if b.entry != nil && !slices.Contains(n.rules, b.entry) {
		n.rules = append(n.rules, b.entry)
	}
	n.Shared = n.Shared || b.entry != nil
	n.Own = !n.Shared
}

// follow applies every rule that starts from the resource. Links beyond the bounds are dropped: the caller then gives up.
func (w *walker) follow(n *node) {
	for _, b := range w.rules {
		if b.from == nil || !b.from.MatchString(n.Resource) {
			continue
		}
		b.rule.pointer.each(n.body, func(v canon.Value) {
			text, ok := v.Text()
			if ok && w.links <= MaxLinks && len(w.graph.order) <= MaxNodes {
				b.vars[linkValue] = text
				target, _ := expand(b.rule.to, b.vars)
				w.reach(target, n.Resource, b)
			}
		})
	}
}

// collect notes what the elements hold that entries are compared with, once the resources are known.
func (w *walker) collect() {
	for _, b := range w.rules {
		if b.entry == nil || b.entry.any == nil {
			continue
		}
		for _, n := range w.graph.order {
			if b.entry.in.MatchString(n.Resource) {
				b.entry.any.each.each(n.body, func(element canon.Value) {
					if key, ok := keyOf(element, b.entry.any.element); ok {
						b.entry.keys[key] = true
					}
				})
			}
		}
	}
}

// keyOf joins the canonical texts of the values at the pointers; false where one of them is not there. Canonical texts are equal
// exactly when the values are, and hold no newline.
func keyOf(v canon.Value, pointers []canon.Pointer) (string, bool) {
	var key []byte
	for _, p := range pointers {
		at, err := p.Lookup(v)
		if err != nil {
			return "", false
		}
		key = append(canon.AppendCanonical(key, at), '\n')
	}
	return string(key), true
}

// Resource returns the resource of the graph of that name.
func (g *Graph) Resource(name string) (Node, bool) {
	n, ok := g.nodes[name]
	if !ok {
		return Node{}, false
	}
	return n.Node, true
}

// Resources returns the resources in the order in which they are reached, starts first.
func (g *Graph) Resources() []Node {
	out := make([]Node, 0, len(g.order))
	for _, n := range g.order {
		out = append(out, n.Node)
	}
	return out
}

// Nowhere returns the starts and links that lead outside the corpus, the first hundred of them.
func (g *Graph) Nowhere() []Nowhere { return g.nowhere }

// EntryConcerns reports whether the pointer goes into an entry of a shared list that concerns the subject. The entry itself is not
// enough: something inside it has to be named. Any of the rules that reached the list may find the entry fit.
func (g *Graph) EntryConcerns(resource, pointer string) bool {
	n, ok := g.nodes[resource]
	p, err := canon.ParsePointer(pointer)
	if !ok || err != nil {
		return false
	}
	tokens := p.Tokens()
	return slices.ContainsFunc(n.rules, func(r *entryRule) bool {
		depth := len(r.entries.Tokens())
		if len(tokens) < depth+2 || !slices.Equal(tokens[:depth], r.entries.Tokens()) {
			return false
		}
		list, err := r.entries.Lookup(n.body)
		i, isIndex := canon.ParseIndex(tokens[depth])
		return err == nil && list.Kind() == canon.Array && isIndex && i < list.Len() && r.fits(list.At(i))
	})
}

// fits reports whether an entry concerns the subject under the rule.
func (r *entryRule) fits(entry canon.Value) bool {
	for _, w := range r.match {
		if at, err := w.pointer.Lookup(entry); err != nil || !canon.Equal(at, w.value) {
			return false
		}
	}
	if r.any == nil {
		return true
	}
	key, ok := keyOf(entry, r.any.entry)
	return ok && r.keys[key]
}
