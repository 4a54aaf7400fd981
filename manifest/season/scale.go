package season

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
)

// Limits of a scale.
const (
	maxAssertions = 10_000 // cap that a task may set
	maxRules      = 200    // rules of the graph
	maxTasks      = 1_000
	maxTemplate   = 1_024 // bytes of a template, and of a subject's value
)

// knownVersions lists, for each track, the versions of its scale that this program implements.
var knownVersions = map[string][]string{
	"conformite": {"conformite-bareme-v3"},
	"generique":  {"generique-bareme-v1"},
}

// UnknownVersion says that a scale is of a version that this program does not implement for the track. Nothing is scored by guess.
type UnknownVersion struct {
	File  string
	Track string
	Found string
	Known []string // every known version of the track; of all tracks where the track is unknown
}

// Error is one line: file, found, known.
func (e *UnknownVersion) Error() string {
	return fmt.Sprintf("%s#/version: unknown version %q for track %q, known: %s", e.File, e.Found, e.Track, strings.Join(e.Known, ", "))
}

func checkVersion(file, track, version string) error {
	known, ok := knownVersions[track]
	if !ok {
		known = slices.Concat(knownVersions["conformite"], knownVersions["generique"])
	}
	if ok && slices.Contains(known, version) {
		return nil
	}
	return &UnknownVersion{File: file, Track: track, Found: version, Known: known}
}

// Verdicts is the set of answers of a track: a list, or the references of a collection and some more.
type Verdicts struct {
	List       []string // the whole set; nil where Collection is set
	Collection string   // prefix such as "/produits/": what follows it in a resource of the corpus is a verdict
	Or         []string // further verdicts beside those of the collection
}

// AtEntry reports whether a verdict may be submitted, which is decided without the corpus: a value of the list or, where verdicts are
// references, anything that is not empty and has no "/".
func (v Verdicts) AtEntry(verdict string) bool {
	if v.Collection == "" {
		return slices.Contains(v.List, verdict)
	}
	return verdict != "" && !strings.Contains(verdict, "/")
}

// Contains reports whether a verdict belongs to the set, given the corpus.
func (v Verdicts) Contains(verdict string, corpus *manifest.Corpus) bool {
	if v.Collection == "" || slices.Contains(v.Or, verdict) {
		return slices.Contains(v.List, verdict) || v.Collection != "" && slices.Contains(v.Or, verdict)
	}
	if !v.AtEntry(verdict) {
		return false
	}
	page, ok := corpus.Page(v.Collection + verdict)
	return ok && !page.Absent
}

// Count is how many tasks expect a verdict, as published.
type Count struct {
	Verdict string
	Tasks   int64
}

// Task is one question of a track.
type Task struct {
	ID        string
	Statement string
	Subject   map[string]string // the variables of the graph rules
	Min, Max  int               // assertions
	Pointer   string            // of the task in the scale
}

// Half is how many assertions must at least bear on own resources: half of the minimum, rounded up (§5.7).
func (t Task) Half() int { return (t.Min + 1) / 2 }

// Scale is the frozen scale of a track.
type Scale struct {
	File         string
	Version      string
	Verdicts     Verdicts
	Distribution []Count // in the order of the document; may leave verdicts out
	Fields       []Fields
	Tasks        []Task

	rules []rule
	tasks map[string]int
}

// Fields lists the admissible pointers of the resources below a prefix.
type Fields struct {
	Prefix   string
	Pointers []string // as written, "<n>" standing for an array index

	patterns []pattern
}

// Task returns the task of that id.
func (s *Scale) Task(id string) (Task, bool) {
	i, ok := s.tasks[id]
	if !ok {
		return Task{}, false
	}
	return s.Tasks[i], true
}

// Admissible reports whether an assertion may bear on the field of the resource: the pointer is one of those listed for the longest
// prefix that the resource lies below. An index with a leading zero is none.
func (s *Scale) Admissible(resource, field string) bool {
	p, err := canon.ParsePointer(field)
	if err != nil {
		return false
	}
	f, ok := s.fieldsOf(resource)
	if !ok {
		return false
	}
	tokens := p.Tokens()
	return slices.ContainsFunc(f.patterns, func(p pattern) bool { return p.matches(tokens) })
}

// fieldsOf is the entry with the longest prefix. Below a prefix that ends in "/" something has to follow, as in collections.
func (s *Scale) fieldsOf(resource string) (Fields, bool) {
	best := -1
	for i, f := range s.Fields {
		rest, ok := strings.CutPrefix(resource, f.Prefix)
		if ok && (rest != "" || !strings.HasSuffix(f.Prefix, "/")) && (best < 0 || len(f.Prefix) > len(s.Fields[best].Prefix)) {
			best = i
		}
	}
	if best < 0 {
		return Fields{}, false
	}
	return s.Fields[best], true
}

// ParseScale reads the scale of a track. The error is a *canon.SyntaxError, or an *UnknownVersion, which is looked for first.
func ParseScale(file string, b []byte, track string) (*Scale, error) {
	d, err := manifest.OpenDocument(file, b, FormatScale)
	if err != nil {
		return nil, err
	}
	root := d.Root
	s := &Scale{File: file, Version: d.Text(root, "version"), tasks: map[string]int{}}
	if err := d.Err(); err != nil {
		return nil, err
	}
	if err := checkVersion(file, track, s.Version); err != nil {
		return nil, err
	}
	d.Members(root, "format", "version", "verdicts", "published_distribution", "fields", "graph", "tasks")
	s.Verdicts = parseVerdicts(d, d.Get(root, "verdicts"), track)
	s.Distribution = parseDistribution(d, d.Get(root, "published_distribution"))
	s.Fields = parseFields(d, d.Get(root, "fields"))
	for _, v := range atMost(d, d.List(root, "graph"), maxRules).Elements() {
		s.rules = append(s.rules, parseRule(d, v))
	}
	for _, v := range atMost(d, filled(d, d.List(root, "tasks"), "task"), maxTasks).Elements() {
		t := parseTask(d, v)
		if _, again := s.tasks[t.ID]; again {
			d.Fail(v.Get("task_id"), fmt.Sprintf("task %q again", t.ID), "each task once")
		}
		s.tasks[t.ID] = len(s.Tasks)
		s.Tasks = append(s.Tasks, t)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// parseVerdicts reads the form that belongs to the track: a collection and more for the generic one, a list for the other.
func parseVerdicts(d *manifest.Document, v canon.Value, track string) Verdicts {
	if track != "generique" {
		return Verdicts{List: parseNames(d, v)}
	}
	d.Members(v, "collection", "or")
	out := Verdicts{Collection: d.Text(v, "collection"), Or: parseNames(d, d.Get(v, "or"))}
	for i, name := range out.Or {
		if strings.Contains(name, "/") {
			d.Fail(v.Get("or").At(i), fmt.Sprintf("%q", name), "a verdict without a slash")
		}
	}
	return out
}

// parseNames reads a list of different strings, at least one.
func parseNames(d *manifest.Document, v canon.Value) []string {
	var out []string
	for _, e := range filled(d, v, "verdict").Elements() {
		name := d.String(e)
		if slices.Contains(out, name) {
			d.Fail(e, fmt.Sprintf("%q again", name), "each verdict once")
		}
		out = append(out, name)
	}
	return out
}

func parseDistribution(d *manifest.Document, v canon.Value) []Count {
	object(d, v, "an object of verdicts and counts")
	var out []Count
	for name := range v.Members() {
		out = append(out, Count{Verdict: strings.Clone(name), Tasks: d.Int(v, name, 0)})
	}
	return out
}

func object(d *manifest.Document, v canon.Value, want string) {
	if v.Kind() != canon.Object {
		d.Fail(v, v.Kind().String(), want)
	}
}

func parseFields(d *manifest.Document, v canon.Value) []Fields {
	object(d, v, "an object of prefixes and lists of pointers")
	var out []Fields
	for prefix, list := range v.Members() {
		f := Fields{Prefix: strings.Clone(prefix)}
		if !strings.HasPrefix(prefix, "/") {
			d.Fail(list, fmt.Sprintf("prefix %q", prefix), "one that begins with /")
		}
		if list.Kind() != canon.Array {
			d.Fail(list, list.Kind().String(), "an array of pointers")
		}
		for _, e := range list.Elements() {
			text := d.String(e)
			f.Pointers = append(f.Pointers, text)
			f.patterns = append(f.patterns, parsePattern(d, e))
		}
		out = append(out, f)
	}
	return out
}

func parseTask(d *manifest.Document, v canon.Value) Task {
	d.Members(v, "task_id", "statement", "subject", "min_assertions", "max_assertions")
	t := Task{ID: identifier(d, v, "task_id"), Statement: d.Text(v, "statement"), Subject: map[string]string{}, Pointer: v.Pointer()}
	least, most := d.Int(v, "min_assertions", 1), d.Int(v, "max_assertions", 1)
	if most < least || most > maxAssertions {
		d.Fail(v.Get("max_assertions"), fmt.Sprint(most), fmt.Sprintf("from the minimum, %d, to %d", least, maxAssertions))
	}
	t.Min, t.Max = int(least), int(most)
	subject := d.Get(v, "subject")
	object(d, subject, "an object of variables")
	for name, value := range subject.Members() {
		if name == linkValue || name == "" || strings.ContainsAny(name, "{}/") {
			d.Fail(value, fmt.Sprintf("a variable %q", name), "a name without braces and slashes, and not "+linkValue)
		}
		text := d.String(value)
		if len(text) > maxTemplate {
			d.Fail(value, fmt.Sprintf("%d bytes", len(text)), fmt.Sprintf("at most %d", maxTemplate))
		}
		t.Subject[strings.Clone(name)] = text
	}
	return t
}

// atMost wants an array of at most n elements.
func atMost(d *manifest.Document, v canon.Value, n int) canon.Value {
	if v.Len() > n {
		d.Fail(v, fmt.Sprintf("%d elements", v.Len()), fmt.Sprintf("at most %d", n))
	}
	return v
}
