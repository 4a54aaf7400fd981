package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
)

func TestWriterNeverOverwrites(t *testing.T) {
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
	for name, why := range map[string]bundle.Why{
		"a/b/c.json":    bundle.Occupied,
		"a/b":           bundle.NotRegular,
		"a/b/link.json": bundle.NotRegular,
		"../c.json":     bundle.NameInvalid,
		"/c.json":       bundle.NameInvalid,
		`a\c.json`:      bundle.NameInvalid,
	} {
		_, err := put(name, "two")
		var r *bundle.Refusal
		if !errors.As(err, &r) || r.Why != why {
			t.Errorf("%s: %v, want %s", name, err, why)
		}
	}
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
