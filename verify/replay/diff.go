package replay

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
)

// FormatDiff is the format of a comparison of two replays.
const FormatDiff = "proveit.diff/v1"

// Diff is the comparison of two replays of one season. Values are canonical JSON, empty where there is none.
type Diff struct {
	Format     string          `json:"format"` // FormatDiff
	Identical  bool            `json:"identical"`
	First      *AssertionDiff  `json:"first"`      // the first assertion that was judged otherwise; null where there is none
	Assertions []AssertionDiff `json:"assertions"` // every one, in the order of the first replay
	Rates      []ValueDiff     `json:"rates"`      // either column of a participant, or the number of rendered tasks
	Others     []ValueDiff     `json:"others"`     // everything else
	Count      int             `json:"count"`      // of all differences
	Result     string          `json:"result"`     // holds or differs
	ExitCode   int             `json:"exit_code"`  // 0 or 1
}

// AssertionDiff is one assertion that two replays judged otherwise.
type AssertionDiff struct {
	Track       string   `json:"track"`
	Participant string   `json:"participant"`
	TaskID      string   `json:"task_id"`
	Assertion   string   `json:"assertion"`
	Members     []string `json:"members"` // that differ; empty where only one replay has the assertion
	A           string   `json:"a"`
	B           string   `json:"b"`
}

// ValueDiff is one other value that differs.
type ValueDiff struct {
	Place string `json:"place"` // names and ids from the top, joined by "/"
	A     string `json:"a"`
	B     string `json:"b"`
}

// ReadReplay reads a proveit.replay/v1 document strictly: what it says must be exactly what this program would write for it. The error is
// a *canon.SyntaxError with the place of the first member that is missing, unknown or of another type.
func ReadReplay(file string, b []byte) (canon.Value, error) {
	d, err := manifest.OpenDocument(file, b, report.FormatReplay)
	if err != nil {
		return canon.Value{}, err
	}
	var doc report.Replay
	if err := json.Unmarshal(b, &doc); err != nil {
		d.Fail(d.Root, err.Error(), "the members and types of "+report.FormatReplay)
		return canon.Value{}, d.Err()
	}
	var again bytes.Buffer
	if err := report.JSON(&again, doc); err != nil {
		return canon.Value{}, err
	}
	want, err := canon.Parse(again.Bytes())
	if err != nil {
		return canon.Value{}, err
	}
	differ(d.Root, want, "", func(pointer string, found, wanted canon.Value) {
		at := found
		if !at.Exists() {
			at = d.Root
		}
		d.Fail(at, orNothing(found)+" at "+pointer, orNothing(wanted)+", as "+report.FormatReplay+" has it")
	})
	if err := d.Err(); err != nil {
		return canon.Value{}, err
	}
	return d.Root, nil
}

func orNothing(v canon.Value) string {
	const longest = 80
	text := canonicalText(v)
	switch {
	case text == "":
		return "nothing"
	case len(text) > longest:
		return "a value of kind " + v.Kind().String()
	}
	return text
}

// Compare compares two replays as ReadReplay gives them. Tracks, participants, tasks and assertions are matched by their ids, so that
// one that only one replay has is one difference.
func Compare(a, b canon.Value) *Diff {
	c := &comparison{doc: &Diff{Format: FormatDiff, Assertions: []AssertionDiff{}, Rates: []ValueDiff{}, Others: []ValueDiff{}}}
	c.walk(nil, a, b)
	d := c.doc
	if len(d.Assertions) > 0 {
		d.First = &d.Assertions[0]
	}
	d.Count = len(d.Assertions) + len(d.Rates) + len(d.Others)
	d.Identical = d.Count == 0
	outcome := verify.Holds
	if !d.Identical {
		outcome = verify.Differs
	}
	d.Result, d.ExitCode = outcome.String(), outcome.ExitCode()
	return d
}

type comparison struct{ doc *Diff }

// The steps of a place inside a replay: tracks/<track>/participants/<participant>/tasks/<task>/assertions/<assertion>.
const (
	stepParticipants = 2
	stepRate         = 4
	stepsOfAssertion = 8
)

// walk compares two values at a place.
func (c *comparison) walk(path []string, a, b canon.Value) {
	if canon.Equal(a, b) {
		return
	}
	if len(path) == stepsOfAssertion && path[0] == "tracks" {
		c.assertion(path, a, b)
		return
	}
	switch {
	case a.Kind() == canon.Object && b.Kind() == canon.Object && !isRate(path):
		for _, name := range memberOrder(a, b) {
			c.walk(append(slices.Clip(path), name), a.Get(name), b.Get(name))
		}
	case a.Kind() == canon.Array && b.Kind() == canon.Array:
		c.list(path, a, b)
	default:
		c.value(path, a, b)
	}
}

func isRate(path []string) bool {
	return len(path) == stepRate+1 && path[0] == "tracks" && path[stepParticipants] == "participants" &&
		slices.Contains([]string{"overclaim", "success", "rendered"}, path[stepRate])
}

func (c *comparison) value(path []string, a, b canon.Value) {
	one := ValueDiff{strings.Join(path, "/"), canonicalText(a), canonicalText(b)}
	if isRate(path) {
		c.doc.Rates = append(c.doc.Rates, one)
		return
	}
	c.doc.Others = append(c.doc.Others, one)
}

func (c *comparison) assertion(path []string, a, b canon.Value) {
	one := AssertionDiff{Track: path[1], Participant: path[3], TaskID: path[5], Assertion: path[7], Members: []string{},
		A: canonicalText(a), B: canonicalText(b)}
	if a.Exists() && b.Exists() {
		for _, name := range memberOrder(a, b) {
			if !canon.Equal(a.Get(name), b.Get(name)) {
				one.Members = append(one.Members, name)
			}
		}
	}
	c.doc.Assertions = append(c.doc.Assertions, one)
}

// list compares two arrays: element by element of one id where all elements have ids of their own, else by what only one of them has.
func (c *comparison) list(path []string, a, b canon.Value) {
	as, aIDs, ok := identified(a)
	bs, bIDs, ok2 := identified(b)
	if !ok || !ok2 {
		c.unmatched(path, a, b)
		return
	}
	for _, id := range aIDs {
		c.walk(append(slices.Clip(path), id), as[id], bs[id])
	}
	for _, id := range bIDs {
		if !as[id].Exists() {
			c.walk(append(slices.Clip(path), id), canon.Value{}, bs[id])
		}
	}
}

// unmatched tells the elements that only one of two arrays has; where both have the same ones, the order differs.
func (c *comparison) unmatched(path []string, a, b canon.Value) {
	left := map[string]int{}
	for _, e := range b.Elements() {
		left[canonicalText(e)]++
	}
	before := len(c.doc.Others)
	for i, e := range a.Elements() {
		if text := canonicalText(e); left[text] > 0 {
			left[text]--
			continue
		}
		c.value(append(slices.Clip(path), strconv.Itoa(i)), e, canon.Value{})
	}
	for i, e := range b.Elements() {
		if text := canonicalText(e); left[text] > 0 {
			left[text]--
			c.value(append(slices.Clip(path), strconv.Itoa(i)), canon.Value{}, e)
		}
	}
	if len(c.doc.Others) == before {
		c.value(path, a, b)
	}
}

// idMembers are the members by which elements of a replay are told apart.
var idMembers = []string{"track", "participant", "task_id", "id", "name", "file", "proof_id"}

// identified maps the elements of an array by their ids, and gives the ids in order. It is false where an element has none or two have
// the same.
func identified(list canon.Value) (map[string]canon.Value, []string, bool) {
	byID := map[string]canon.Value{}
	var ids []string
	for _, e := range list.Elements() {
		id, ok := idOf(e)
		if _, twice := byID[id]; !ok || twice {
			return nil, nil, false
		}
		byID[id] = e
		ids = append(ids, id)
	}
	return byID, ids, true
}

func idOf(e canon.Value) (string, bool) {
	for _, name := range idMembers {
		if id, ok := e.Get(name).Text(); ok {
			return id, true
		}
	}
	return "", false
}

// memberOrder gives the member names of two objects in the order of the first, then those that only the second has.
func memberOrder(a, b canon.Value) []string {
	var out []string
	for name := range a.Members() {
		out = append(out, name)
	}
	for name := range b.Members() {
		if !a.Get(name).Exists() {
			out = append(out, name)
		}
	}
	return out
}
