package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// replayDocument is what season replay -o json prints for the minted season.
func replayDocument(t *testing.T) []byte {
	t.Helper()
	b, err := bundle.Open(mintedSeason, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	doc, err := replay.Run(context.Background(), b, replay.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.NewReplayWriter(&out).End(doc); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// withMember sets or removes (nil) one member of the document, given by steps of names and indexes.
func withMember(t *testing.T, doc []byte, set any, steps ...any) []byte {
	t.Helper()
	var root any
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	at := root
	for _, s := range steps[:len(steps)-1] {
		if i, ok := s.(int); ok {
			at = at.([]any)[i]
		} else {
			at = at.(map[string]any)[s.(string)]
		}
	}
	last := steps[len(steps)-1].(string)
	if set == nil {
		delete(at.(map[string]any), last)
	} else {
		at.(map[string]any)[last] = set
	}
	out, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readReplay(t *testing.T, b []byte) canon.Value {
	t.Helper()
	v, err := replay.ReadReplay("replay.json", b)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDiff(t *testing.T) {
	doc := replayDocument(t)
	a := readReplay(t, doc)
	if d := replay.Compare(a, readReplay(t, doc)); !d.Identical || d.ExitCode != 0 || d.First != nil {
		t.Errorf("a replay differs from itself: %+v", d)
	}
	assertion := []any{"tracks", 0, "participants", 1, "tasks", 0, "assertions", 1}
	id, _ := a.Get("tracks").At(0).Get("participants").At(1).Get("participant").Text()
	other := withMember(t, withMember(t, doc, false, append(assertion, "supported")...), 9, "tracks", 0, "participants", 1, "rendered")
	other = withMember(t, other, 77, "checked", "proofs")
	d := replay.Compare(a, readReplay(t, other))
	if d.Count != 3 || len(d.Assertions) != 1 || len(d.Rates) != 1 || len(d.Others) != 1 || d.ExitCode != 1 {
		t.Fatalf("found %d assertions, %d rates, %d others, want one of each", len(d.Assertions), len(d.Rates), len(d.Others))
	}
	if f := d.First; f.Track != "conformite" || f.Participant != id || f.TaskID != "conf-01" || f.Assertion != "a2" || strings.Join(f.Members, " ") != "supported" {
		t.Errorf("first difference %+v", f)
	}
	if r := d.Rates[0]; r.Place != "tracks/conformite/participants/"+id+"/rendered" || r.B != "9" {
		t.Errorf("rate %+v", r)
	}
	if o := d.Others[0]; o.Place != "checked/proofs" || o.B != "77" {
		t.Errorf("other %+v", o)
	}
}

// TestDiffLists: an element that only one replay has is one difference, and does not move its neighbours against each other.
func TestDiffLists(t *testing.T) {
	doc := replayDocument(t)
	var d struct{ Incidents, Inputs []any }
	if err := json.Unmarshal(doc, &d); err != nil || len(d.Incidents) < 3 || len(d.Inputs) < 3 {
		t.Fatalf("%d incidents, %d inputs (%v), want some", len(d.Incidents), len(d.Inputs), err)
	}
	a := readReplay(t, doc)
	for name, list := range map[string][]any{"incidents": d.Incidents, "inputs": d.Inputs} {
		if got := replay.Compare(a, readReplay(t, withMember(t, doc, list[1:], name))); got.Count != 1 || got.Others[0].A == "" || got.Others[0].B != "" {
			t.Errorf("%s without the first: %d differences, want 1", name, got.Count)
		}
	}
}

func TestReadReplayRefuses(t *testing.T) {
	doc := replayDocument(t)
	for name, c := range map[string]struct {
		doc   []byte
		found string
	}{
		"other format":   {withMember(t, doc, "proveit.index/v1", "format"), "proveit.index/v1"},
		"unknown member": {withMember(t, doc, 1, "extra"), "/extra"},
		"missing member": {withMember(t, doc, nil, "checked", "tokens"), "/checked/tokens"},
		"other type":     {withMember(t, doc, "1", "season"), "season"},
		"other case":     {[]byte(strings.Replace(string(doc), `"silent"`, `"Silent"`, 1)), "ilent"},
		"not JSON":       {doc[:len(doc)/2], ""},
	} {
		_, err := replay.ReadReplay("replay.json", c.doc)
		var syntax *canon.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.found) {
			t.Errorf("%s: %v, want a syntax error that names %s", name, err, c.found)
		}
	}
}
