package replay_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/simulate"
)

// FuzzReadReplay: a replay document is read, or refused with a place; one that is read differs from itself in nothing.
func FuzzReadReplay(f *testing.F) {
	b, err := bundle.Open(closed, bundle.Limits{})
	if err != nil {
		f.Fatal(err)
	}
	defer b.Close()
	doc, err := replay.Run(context.Background(), b, replay.Options{})
	if err != nil {
		f.Fatal(err)
	}
	doc.Tracks[0].Participants = doc.Tracks[0].Participants[:1]
	doc.Tracks = doc.Tracks[:1]
	doc.Inputs, doc.Incidents = doc.Inputs[:2], doc.Incidents[:1]
	var text bytes.Buffer
	if err := report.JSON(&text, doc); err != nil {
		f.Fatal(err)
	}
	f.Add(text.Bytes())
	f.Add([]byte(`{"format":"proveit.replay/v1"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := replay.ReadReplay("replay.json", b)
		if err != nil {
			var syntax *canon.SyntaxError
			if !errors.As(err, &syntax) || v.Exists() {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if again, err := canon.Parse(canon.AppendCanonical(nil, v)); err != nil || !canon.Equal(v, again) {
			t.Fatalf("read %q, wrote something else", b)
		}
	})
}

// FuzzMerge: any bytes as a part give a document or an error that names the part, and no two documents from one text.
func FuzzMerge(f *testing.F) {
	var good [2][]byte
	for i := range good {
		b, err := bundle.Open(open, bundle.Limits{})
		if err != nil {
			f.Fatal(err)
		}
		var w bytes.Buffer
		if _, err := replay.RunPart(context.Background(), b, replay.Options{Shard: replay.Shard{Index: i + 1, Of: 2}}, &w); err != nil {
			f.Fatal(err)
		}
		b.Close()
		good[i] = w.Bytes()
	}
	f.Add(good[1])
	f.Add(good[1][:len(good[1])/2])
	f.Add([]byte("{}\n{}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		join := func() (*report.Replay, error) {
			return replay.Merge([]replay.Part{{Name: "one", R: bytes.NewReader(good[0])}, {Name: "two", R: bytes.NewReader(b)}}, nil)
		}
		doc, err := join()
		var part *replay.PartError
		var syntax *canon.SyntaxError
		if err != nil && (doc != nil || !errors.As(err, &part) && !errors.As(err, &syntax)) {
			t.Fatalf("%T %v", err, err)
		}
		if again, errAgain := join(); (err == nil) != (errAgain == nil) || err == nil && again.Result != doc.Result {
			t.Fatalf("two answers: %v and %v", err, errAgain)
		}
	})
}

// FuzzBundle puts any bytes in the place of one file of a whole season: there is an answer or an error, and nothing is supported that was not.
func FuzzBundle(f *testing.F) {
	files, err := simulate.Season(simulate.Options{Participants: 1, Seed: "examen du dossier"})
	if err != nil {
		f.Fatal(err)
	}
	delete(files, "expected.json")
	names := slices.Sorted(maps.Keys(files))
	for i, name := range names {
		if i%5 == 0 {
			f.Add(uint16(i), files[name])
		}
	}
	judge := func(t testing.TB, files map[string][]byte) (*report.Replay, error) {
		dir := t.TempDir()
		for name, b := range files {
			if err := writeUnder(dir, name, b); err != nil {
				t.Fatal(err)
			}
		}
		b, err := bundle.Open(dir, bundle.Limits{})
		if err != nil {
			return nil, err
		}
		defer b.Close()
		return replay.Run(context.Background(), b, replay.Options{})
	}
	before, err := judge(f, files)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, i uint16, b []byte) {
		changed := maps.Clone(files)
		changed[names[int(i)%len(names)]] = b
		after, err := judge(t, changed)
		if err != nil {
			return
		}
		if gained := moreSupported(before, after); gained != "" {
			t.Fatalf("%s: %s", names[int(i)%len(names)], gained)
		}
		if outcome := after.Result; outcome != verify.Holds.String() && after.ExitCode == 0 {
			t.Fatalf("%s and exit 0", outcome)
		}
	})
}
