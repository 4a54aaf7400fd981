package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

// The expected text is encoding/json's own of the whole document.
func TestJSONIsThatOfTheLibrary(t *testing.T) {
	r := sample()
	var zero Replay
	h := Header{Season: 3, Track: "conformite", Freezes: []string{"prf_20260910_000000_0000ff"}}
	for name, doc := range map[string]any{
		"replay": r, "replay by value": *r, "zero": zero, "tail": r.ReplayTail, "index": IndexOf(3, r.Tracks[0]), "empty index": IndexOf(3, Track{}),
		"report": IndividualOf(h, full()), "nothing": nil, "no pointer": (*Replay)(nil), "list": r.Tracks, "number": 3, "map": map[string]any{"b": 1, "a": []Input{{"<x>", "&"}}},
		"tags": []struct {
			A string `json:"a,omitempty"`
			B Input  `json:"b"`
		}{{}, {A: "x"}},
		"hidden": struct {
			A int `json:"-"`
			B *Input
			C []Input `json:"c"`
			d int
		}{A: 1, C: []Input{}},
	} {
		var want, got bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", " ")
		if err := errors.Join(enc.Encode(doc), JSON(&got, doc)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got.String(), want.String())
		}
	}
	if err := JSON(&bytes.Buffer{}, []struct{ F func() }{{}}); err == nil {
		t.Error("a function was written, want an error")
	}
}
