package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// Our own seasons; their expected.json is written by the generator, by construction.
const (
	closed = "../../testdata/season"
	open   = "../../testdata/season-open"
)

func TestOwnSeasons(t *testing.T) {
	for _, name := range []string{closed, open} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			doc, want := run(t, name, replay.Options{Jobs: 2}), readExpected(t, name)
			same(t, "exit code", doc.ExitCode, want.ExitCode)
			agree(t, doc, want)
		})
	}
}

// TestSameBytes: neither the number of workers, nor a zip in place of the folder, nor a sink in place of the document changes a byte.
func TestSameBytes(t *testing.T) {
	want := document(t, run(t, closed, replay.Options{Jobs: 1}))
	if got := document(t, run(t, closed, replay.Options{Jobs: 8})); !bytes.Equal(got, want) {
		t.Error("eight workers give other bytes than one")
	}
	if got := document(t, run(t, zipped(t, closed), replay.Options{Jobs: 3})); !bytes.Equal(got, want) {
		t.Error("the zip gives other bytes than the folder")
	}
	var streamed bytes.Buffer
	w := report.NewReplayWriter(&streamed)
	doc := run(t, closed, replay.Options{Jobs: 2, Sink: sink{w}})
	if err := w.End(doc); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(streamed.Bytes(), want) {
		t.Error("a streamed document has other bytes than a whole one")
	}
}

type sink struct{ w *report.ReplayWriter }

func (s sink) Begin(doc *report.Replay) error { return s.w.Begin(doc) }

func (s sink) Render(report.Header, report.Participant) error { return nil }

func (s sink) Participant(track int, p report.Participant) error { return s.w.Participant(track, p) }

// TestParts: any number of parts joins into the bytes of one run.
func TestParts(t *testing.T) {
	want := document(t, run(t, open, replay.Options{}))
	for _, n := range []int{1, 2, 7, 64} {
		doc, err := replay.Merge(parts(t, open, n), nil)
		if err != nil {
			t.Fatalf("%d parts: %v", n, err)
		}
		if got := document(t, doc); !bytes.Equal(got, want) {
			t.Errorf("%d parts give other bytes than one run", n)
		}
	}
}

// TestPartsWithoutFreezeProof: the proofs that were judged are counted, not those that freeze.json names. Without the one proof of the
// freeze, none was judged, in however many parts.
func TestPartsWithoutFreezeProof(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(closed)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "proofs")); err != nil {
		t.Fatal(err)
	}
	doc, err := replay.Merge(parts(t, dir, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "proofs", doc.Checked.Proofs, 0)
	if got, want := document(t, doc), document(t, run(t, dir, replay.Options{})); !bytes.Equal(got, want) {
		t.Error("three parts give other bytes than one run")
	}
}

// TestPartsRefused names the part that is missing, doubled, cut short or of another bundle.
func TestPartsRefused(t *testing.T) {
	good, other := parts(t, open, 3), parts(t, closed, 3)
	for _, c := range []struct {
		name  string
		parts []replay.Part
		part  string
		found string
	}{
		{"none", nil, "", "none"},
		{"missing", []replay.Part{good[0], good[2]}, "", "no part 2 of 3"},
		{"doubled", []replay.Part{good[0], good[1], good[1], good[2]}, "part-2", "part 2 a second time"},
		{"other bundle", []replay.Part{good[0], other[1], good[2]}, "part-2", "a part of another bundle or of other options"},
		{"cut short", []replay.Part{good[0], good[1], cut(t, good[2])}, "part-3", "a last line that does not end a part"},
		{"other division", []replay.Part{good[0], parts(t, open, 2)[1]}, "part-2", "part 2 of 2"},
	} {
		_, err := replay.Merge(c.parts, nil)
		var refused *replay.PartError
		if !errors.As(err, &refused) || refused.Part != c.part || refused.Found != c.found {
			t.Errorf("%s: got %v, want part %q found %q", c.name, err, c.part, c.found)
		}
	}
}

// parts judges a season in n parts.
func parts(t *testing.T, path string, n int) []replay.Part {
	t.Helper()
	var out []replay.Part
	for i := 1; i <= n; i++ {
		b, err := bundle.Open(path, bundle.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var w bytes.Buffer
		if _, err := replay.RunPart(context.Background(), b, replay.Options{Shard: replay.Shard{Index: i, Of: n}}, &w); err != nil {
			t.Fatal(err)
		}
		b.Close()
		out = append(out, replay.Part{Name: "part-" + string(rune('0'+i%10)), R: bytes.NewReader(w.Bytes())})
	}
	return out
}

// cut is a part without its last line.
func cut(t *testing.T, p replay.Part) replay.Part {
	t.Helper()
	r := p.R.(*bytes.Reader)
	b := make([]byte, r.Size())
	if _, err := r.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	b = b[:len(b)-1]
	return replay.Part{Name: p.Name, R: bytes.NewReader(b[:bytes.LastIndexByte(b, '\n')+1])}
}

// TestSubmissionUnread: a submission that is there and cannot be read is not the participant's fault. It is no refusal but something to fetch,
// and there are no rates before that; a folder of submissions that cannot be listed leaves nobody out without a word.
func TestSubmissionUnread(t *testing.T) {
	link := func(dir, name string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.Rename(path, path+".moved"), os.Symlink(filepath.Base(path)+".moved", path)); err != nil {
			t.Fatal(err)
		}
	}
	const name = "submissions/agent-0001/conformite/conf-01.json"
	dir := copied(t)
	link(dir, name)
	doc := run(t, dir, replay.Options{})
	p := doc.Tracks[0].Participants[0]
	same(t, "participant", p.Participant, "agent-0001")
	same(t, "status", p.Tasks[0].Status, verify.TacheIncomp)
	same(t, "rates", p.Overclaim == nil && p.Success == nil && len(p.Withheld) == 1, true)
	same(t, "exit code", doc.ExitCode, 3)
	if len(doc.Missing) != 1 || doc.Missing[0] != (report.Missing{Kind: "file", ID: name}) {
		t.Errorf("missing %v, want the file", doc.Missing)
	}
	if len(doc.Unread) != 1 || doc.Unread[0].Code != replay.ReasonUnreadable || doc.Unread[0].Detail.File != name {
		t.Errorf("unread %+v, want the file", doc.Unread)
	}
	joined, err := replay.Merge(parts(t, dir, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(document(t, joined), document(t, doc)) {
		t.Error("three parts give other bytes than one run")
	}
	for _, folder := range []string{"submissions/agent-0001", "submissions/agent-0001/conformite"} {
		dir := copied(t)
		link(dir, folder)
		b, err := bundle.Open(dir, bundle.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var refused *bundle.Refusal
		if _, err := replay.Run(context.Background(), b, replay.Options{}); !errors.As(err, &refused) || refused.Name != folder {
			t.Errorf("%s is a link: %v, want it refused by name", folder, err)
		}
		b.Close()
	}
}

// TestChangedAfterTheFreeze: one byte of a file that the freeze binds, and there is no score; the binding that failed is named.
func TestChangedAfterTheFreeze(t *testing.T) {
	for _, name := range []string{"freeze/key-conformite.json", "freeze/bareme-generique.json", "freeze/bareme-conformite.md", "corpus/manifest.json"} {
		dir := copied(t)
		change(t, filepath.Join(dir, name), func(b []byte) []byte { return append(b, ' ') })
		doc := run(t, dir, replay.Options{})
		if doc.ExitCode != 1 || len(doc.Tracks) != 0 {
			t.Errorf("%s: exit %d with %d tracks, want 1 and no score", name, doc.ExitCode, len(doc.Tracks))
		}
		found := false
		for _, c := range doc.Freeze.Checks {
			found = found || c.Reason == "binding_differs" && strings.HasSuffix(c.Detail.Found, " for "+name)
		}
		if !found {
			t.Errorf("%s: no failed binding names it", name)
		}
	}
}

// TestChangedPage: a page of the corpus is bound through the manifest; white space counts.
func TestChangedPage(t *testing.T) {
	dir := copied(t)
	page := firstPage(t, dir)
	change(t, page, func(b []byte) []byte { return append(b, '\n') })
	doc := run(t, dir, replay.Options{})
	if doc.ExitCode != 1 || len(doc.Tracks) != 0 {
		t.Errorf("exit %d with %d tracks, want 1 and no score", doc.ExitCode, len(doc.Tracks))
	}
	if len(doc.Warnings) == 0 || doc.Warnings[len(doc.Warnings)-1].Code != replay.ReasonCorpusDiffers {
		t.Errorf("warnings %v, want corpus_differs last", doc.Warnings)
	}
}

// TestMissingPage: the bundle lacks a page, so the question waits.
func TestMissingPage(t *testing.T) {
	dir := copied(t)
	if err := os.Remove(firstPage(t, dir)); err != nil {
		t.Fatal(err)
	}
	doc := run(t, dir, replay.Options{})
	if doc.ExitCode != 3 || len(doc.Tracks) != 0 || len(doc.Missing) != 1 || doc.Missing[0].Kind != "file" {
		t.Errorf("exit %d, %d tracks, missing %v; want 3, no score, one file", doc.ExitCode, len(doc.Tracks), doc.Missing)
	}
}

// TestMissingEvidence: without the log entries nobody who cites an anchored proof has a rate, and the list says what to fetch.
func TestMissingEvidence(t *testing.T) {
	for _, folder := range []string{"rekor", "proofs"} {
		dir := copied(t)
		before := run(t, dir, replay.Options{WithoutFreeze: true})
		if err := os.RemoveAll(filepath.Join(dir, folder)); err != nil {
			t.Fatal(err)
		}
		doc := run(t, dir, replay.Options{WithoutFreeze: true})
		same(t, folder+": exit code", doc.ExitCode, 3)
		if len(doc.Missing) < 20 {
			t.Errorf("%s: %d things to fetch, want at least 20", folder, len(doc.Missing))
		}
		for i, track := range doc.Tracks {
			for j, p := range track.Participants {
				if len(p.Withheld) > 0 && (p.Overclaim != nil || p.Success != nil) {
					t.Errorf("%s: %s has rates beside withheld tasks", folder, p.Participant)
				}
				if before.Tracks[i].Participants[j].Rendered > 3 && len(p.Withheld) == 0 {
					t.Errorf("%s: %s has rates without any evidence", folder, p.Participant)
				}
			}
		}
	}
}

// TestWithoutFreeze: the option that weakens shows in the document.
func TestWithoutFreeze(t *testing.T) {
	dir := copied(t)
	if err := os.RemoveAll(filepath.Join(dir, "freeze", "freeze.json")); err != nil {
		t.Fatal(err)
	}
	doc := run(t, dir, replay.Options{})
	if doc.ExitCode != 3 || len(doc.Tracks) != 0 {
		t.Errorf("exit %d with %d tracks, want 3 and no score: freeze.json is missing", doc.ExitCode, len(doc.Tracks))
	}
	doc = run(t, dir, replay.Options{WithoutFreeze: true})
	if len(doc.Tracks) != 2 || !doc.Freeze.Skipped || len(doc.Unfit) != 1 || doc.Unfit[0] != "--insecure-without-freeze" {
		t.Errorf("%d tracks, skipped %v, unfit %v; want 2, true, the option's name", len(doc.Tracks), doc.Freeze.Skipped, doc.Unfit)
	}
}

// TestInsistedFreeze: an auditor's list of freezes is exact.
func TestInsistedFreeze(t *testing.T) {
	doc := run(t, closed, replay.Options{FreezeProofs: []string{"prf_20260101_000000_abcdef"}})
	if doc.ExitCode != 1 || len(doc.Tracks) != 0 {
		t.Errorf("exit %d with %d tracks, want 1 and no score", doc.ExitCode, len(doc.Tracks))
	}
}

// TestRequirePinned: nothing of a rehearsal's trust folder is pinned.
func TestRequirePinned(t *testing.T) {
	b, err := bundle.Open(closed, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	_, err = replay.Run(context.Background(), b, replay.Options{RequirePinned: true})
	var failure *verify.Failure
	if !errors.As(err, &failure) || failure.Reason != replay.ReasonTrustUnpinned {
		t.Errorf("got %v, want %s", err, replay.ReasonTrustUnpinned)
	}
}

// TestPublishedValue: one published percentage that differs is named with both values.
func TestPublishedValue(t *testing.T) {
	dir := copied(t)
	name := filepath.Join(dir, "published", "index-conformite.json")
	change(t, name, func(b []byte) []byte { return bytes.Replace(b, []byte(`"100.00"`), []byte(`"99.00"`), 1) })
	doc := run(t, dir, replay.Options{})
	d := doc.Published.Differences
	if doc.ExitCode != 1 || len(d) != 1 || d[0].Published != `"99.00"` || d[0].Computed != `"100.00"` || !strings.HasSuffix(d[0].Pointer, "/percent") {
		t.Errorf("exit %d, differences %v; want 1 and one percentage", doc.ExitCode, d)
	}
}

// TestNothingSubmitted is never success.
func TestNothingSubmitted(t *testing.T) {
	dir := copied(t)
	if err := os.RemoveAll(filepath.Join(dir, "submissions")); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := replay.Run(context.Background(), b, replay.Options{}); err == nil {
		t.Error("a season without submissions was answered")
	}
}

// copied is a copy of the closed season that a test may spoil.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(closed)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func change(t *testing.T, name string, f func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	after := f(b)
	if bytes.Equal(after, b) && len(after) == len(b) {
		t.Fatalf("%s: nothing was changed", name)
	}
	if err := os.WriteFile(name, after, 0o600); err != nil {
		t.Fatal(err)
	}
}

// firstPage is the file of the first page that the manifest lists.
func firstPage(t *testing.T, dir string) string {
	t.Helper()
	b, err := fs.ReadFile(os.DirFS(dir), "corpus/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Resources []struct{ File string }
	}
	if err := json.Unmarshal(b, &m); err != nil || len(m.Resources) == 0 {
		t.Fatalf("manifest: %v, %d resources", err, len(m.Resources))
	}
	return filepath.Join(dir, "corpus", filepath.FromSlash(m.Resources[0].File))
}
