package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
)

func TestExamWriterNeverOverwrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	w, err := bundle.NewWriter(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	put := func(name, content string) (bool, error) { return w.Put(name, []byte(content)) }
	if fresh, err := put("a/b/c.json", "one"); !fresh || err != nil {
		t.Fatalf("fresh %t, %v, want a new file", fresh, err)
	}
	if fresh, err := put("a/b/c.json", "one"); fresh || err != nil {
		t.Errorf("fresh %t, %v, want the file that is there", fresh, err)
	}
	if err := os.Symlink("c.json", filepath.Join(dir, "a/b/link.json")); err != nil {
		t.Skip("no symbolic links on this system")
	}
	ran, accepted := 0, 0
	for name, why := range map[string]bundle.Why{
		"a/b/c.json":    bundle.Occupied,
		"a/b":           bundle.NotRegular,
		"a/b/link.json": bundle.NotRegular,
		"../c.json":     bundle.NameInvalid,
		"/c.json":       bundle.NameInvalid,
		`a\c.json`:      bundle.NameInvalid,
	} {
		ran++
		_, err := put(name, "two")
		var r *bundle.Refusal
		if !errors.As(err, &r) || r.Why != why {
			t.Errorf("%s: %v, want %s", name, err, why)
		}
		if err == nil {
			accepted++
		}
	}
	t.Logf("exam of names to write under: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
	if b, err := os.ReadFile(filepath.Join(dir, "a/b/c.json")); err != nil || string(b) != "one" {
		t.Errorf("the file holds %q (%v), want what was there first", b, err)
	}
	// Nothing else is left behind.
	entries, err := os.ReadDir(filepath.Join(dir, "a/b"))
	if err != nil || len(entries) != 2 {
		t.Errorf("%d entries (%v), want the file and the link", len(entries), err)
	}
}

func TestWriterOutOfTheRoot(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "proofs")); err != nil {
		t.Skip("no symbolic links on this system")
	}
	w, err := bundle.NewWriter(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if fresh, err := w.Put("proofs/x.json", []byte("x")); err == nil {
		t.Errorf("fresh %t, want an error: the folder leads out of the bundle", fresh)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 0 {
		t.Error("a file was written outside the bundle")
	}
}

func TestDryWriter(t *testing.T) {
	dir := t.TempDir()
	w, err := bundle.NewWriter(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if fresh, err := w.Put("a/b.json", []byte("x")); !fresh || err != nil {
		t.Errorf("fresh %t, %v, want a file that would be new", fresh, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Error("a dry writer wrote")
	}
}

// TestWriterTakesAway: what was not kept goes at Close, with the folders that were made for it; what somebody else put there stays.
func TestWriterTakesAway(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "new", "bundle")
	names := func() (out []string) {
		filepath.WalkDir(above, func(name string, _ os.DirEntry, _ error) error {
			out = append(out, strings.TrimPrefix(name, above))
			return nil
		})
		return out
	}
	write := func(keep bool, meanwhile func()) {
		t.Helper()
		w, err := bundle.NewWriter(dir, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"proofs/a.json", "proofs/deep/b.json"} {
			if _, err := w.Put(name, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		meanwhile()
		if keep {
			w.Keep()
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	nothing := func() {}
	write(false, nothing)
	if got := names(); len(got) != 1 {
		t.Errorf("left behind: %q", got)
	}
	write(false, func() {
		if err := os.Remove(filepath.Join(dir, "proofs/a.json")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "proofs/a.json"), []byte("somebody's"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	want := []string{"", "/new", "/new/bundle", "/new/bundle/proofs", "/new/bundle/proofs/a.json"}
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if err := os.RemoveAll(filepath.Join(above, "new")); err != nil {
		t.Fatal(err)
	}
	write(true, nothing)
	write(false, nothing) // everything is there already: nothing of it is the second writer's
	if got := names(); len(got) != 7 {
		t.Errorf("found %q, want what was kept", got)
	}
}
