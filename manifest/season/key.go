package season

import (
	"fmt"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
)

// Claim is a statement about the corpus: the value at a field of a resource.
type Claim struct {
	Resource string
	Field    string // RFC 6901 pointer, not empty
	Value    canon.Value
}

// Fact is something that a right verdict rests on. It is carried when every claim of at least one form is.
type Fact struct {
	ID    string
	Forms [][]Claim
}

// KeyTask is the answer to one task.
type KeyTask struct {
	ID      string
	Verdict string
	Family  string // "P1" to "P5"; empty where there is none
	Control bool
	Facts   []Fact
	Pointer string // of the task in the key
}

// Key is the revealed answer key of a track.
type Key struct {
	File   string
	Season int64
	Track  string
	Tasks  []KeyTask

	tasks     map[string]int
	line, col int // of the array of tasks
}

// Task returns the answer to a task.
func (k *Key) Task(id string) (KeyTask, bool) {
	i, ok := k.tasks[id]
	if !ok {
		return KeyTask{}, false
	}
	return k.Tasks[i], true
}

// ParseKey reads a key, which must be that of the season and track.
//
//	{"format": "proveit.key/v1", "season": 1, "track": "conformite", "tasks": [{"task_id": "conf-03", "verdict": "non_conforme", "family": "P2",
//	 "control": false, "facts": [{"id": "f1", "forms": [[{"resource": "/attestations/ATT-9", "field": "/date_fin", "value": "2026-06-30"}]]}]}]}
//
// A task has at least one fact, a fact one form, a form one claim.
func ParseKey(file string, b []byte, season int64, track string) (*Key, error) {
	d, err := manifest.OpenDocument(file, b, FormatKey)
	if err != nil {
		return nil, err
	}
	d.Members(d.Root, "format", "season", "track", "tasks")
	k := &Key{File: file, Season: d.Int(d.Root, "season", 1), Track: d.Text(d.Root, "track"), tasks: map[string]int{}}
	if k.Season != season {
		d.Fail(d.Root.Get("season"), fmt.Sprintf("season %d", k.Season), fmt.Sprintf("season %d", season))
	}
	if k.Track != track {
		d.Fail(d.Root.Get("track"), fmt.Sprintf("track %q", k.Track), fmt.Sprintf("track %q", track))
	}
	tasks := d.List(d.Root, "tasks")
	k.line, k.col = tasks.Line(), tasks.Col()
	for _, v := range tasks.Elements() {
		t := parseKeyTask(d, v)
		if _, again := k.tasks[t.ID]; again {
			d.Fail(v.Get("task_id"), fmt.Sprintf("task %q again", t.ID), "each task once")
		}
		k.tasks[t.ID] = len(k.Tasks)
		k.Tasks = append(k.Tasks, t)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return k, nil
}

func parseKeyTask(d *manifest.Document, v canon.Value) KeyTask {
	d.Members(v, "task_id", "verdict", "family", "control", "facts")
	t := KeyTask{ID: identifier(d, v, "task_id"), Verdict: d.Text(v, "verdict"), Control: d.Flag(v, "control"), Pointer: v.Pointer()}
	if family := d.Get(v, "family"); family.Kind() != canon.Null {
		t.Family = d.String(family)
		if !slices.Contains([]string{"P1", "P2", "P3", "P4", "P5"}, t.Family) {
			d.Fail(family, fmt.Sprintf("family %q", t.Family), "P1 to P5, or null")
		}
	}
	for _, f := range filled(d, d.List(v, "facts"), "fact").Elements() {
		fact := parseFact(d, f)
		if slices.ContainsFunc(t.Facts, func(other Fact) bool { return other.ID == fact.ID }) {
			d.Fail(f.Get("id"), fmt.Sprintf("fact %q again", fact.ID), "each fact of a task once")
		}
		t.Facts = append(t.Facts, fact)
	}
	return t
}

func parseFact(d *manifest.Document, v canon.Value) Fact {
	d.Members(v, "id", "forms")
	f := Fact{ID: d.Text(v, "id")}
	for _, form := range filled(d, d.List(v, "forms"), "form").Elements() {
		var claims []Claim
		for _, c := range filled(d, form, "claim").Elements() {
			claims = append(claims, parseClaim(d, c))
		}
		f.Forms = append(f.Forms, claims)
	}
	return f
}

func parseClaim(d *manifest.Document, v canon.Value) Claim {
	d.Members(v, "resource", "field", "value")
	c := Claim{Resource: d.Text(v, "resource"), Field: d.Text(v, "field"), Value: d.Get(v, "value")}
	if _, err := canon.ParsePointer(c.Field); err != nil {
		d.Fail(v.Get("field"), fmt.Sprintf("%q", c.Field), "an RFC 6901 pointer that is not empty")
	}
	return c
}

// filled wants an array with at least one element.
func filled(d *manifest.Document, v canon.Value, what string) canon.Value {
	if v.Kind() != canon.Array || v.Len() == 0 {
		d.Fail(v, v.Kind().String()+" without a "+what, "an array of at least one "+what)
	}
	return v
}

// covers wants an answer to every task of the scale: without one, success cannot be counted.
func (k *Key) covers(s *Scale) error {
	for _, t := range s.Tasks {
		if _, ok := k.tasks[t.ID]; !ok {
			return &canon.SyntaxError{File: k.File, Line: k.line, Col: k.col, Pointer: "/tasks", Found: fmt.Sprintf("no task %q", t.ID), Want: "an answer to every task of " + s.File}
		}
	}
	return nil
}
