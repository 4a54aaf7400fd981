package report

import (
	"bytes"
	"strings"
	"testing"
)

// The expected pages are those of html/template from the templates as written, where every word is called for when it is needed.
func TestFoldedPagesAreThoseOfTheSources(t *testing.T) {
	r := sample()
	r.Unfit = []string{"--insecure-without-freeze"}
	track := r.Tracks[0]
	for _, l := range []Lang{English, French} {
		written, err := sources(l)
		if err != nil {
			t.Fatal(err)
		}
		folded, err := parsePages(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"detail", "foot", "report"} {
			const word = `{{label "`
			if tree := written.Lookup(name).Tree.Root.String(); !strings.Contains(tree, word) && !strings.Contains(tree, `(label "`) {
				t.Fatalf("%s as written calls for no word: this test shows nothing", name)
			}
			if tree := folded.Lookup(name).Tree.Root.String(); strings.Contains(tree, word) || strings.Contains(tree, `(label "`) {
				t.Errorf("%s in %s still calls for words", name, l)
			}
		}
		h := Header{Season: r.Season, Track: track.Track, Bareme: track.Bareme, BestConstant: track.BestConstant, Unfit: r.Unfit}
		head := page{l.String(), hostile[0], "../index.html", r.Unfit}
		for name, data := range map[string]any{
			"report": reportPage{head, IndividualOf(h, track.Participants[0])},
			"start":  startPage{head, r},
			"index": indexPage{head, IndexOf(r.Season, track), []tablePage{{"reference", "t", IndexOf(r.Season, track).Tables.Reference, nil},
				{"community", "t", IndexOf(r.Season, track).Tables.Community, nil}}},
		} {
			var want, got bytes.Buffer
			if err := written.ExecuteTemplate(&want, name, data); err != nil {
				t.Fatal(err)
			}
			if err := folded.ExecuteTemplate(&got, name, data); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s in %s: %d bytes folded, %d from the sources, or other ones", name, l, got.Len(), want.Len())
			}
			if want.Len() < 5000 {
				t.Errorf("%s in %s has %d bytes, want a whole page", name, l, want.Len())
			}
		}
	}
}
