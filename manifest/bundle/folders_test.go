package bundle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
)

// TestManyFoldersAtOnce: more folders than are kept open, read by several at once, each folder opened again and again. Every file has its own text.
func TestManyFoldersAtOnce(t *testing.T) {
	const folders, readers = 200, 8
	dir := t.TempDir()
	name := func(i int) string { return fmt.Sprintf("a/%03d/b/file", i) }
	for i := range folders {
		path := filepath.Join(dir, name(i))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name(i)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for r := range readers {
		wg.Go(func() {
			for n := range 3 * folders {
				i := (n*(2*r+1) + 25*r) % folders
				if got, err := b.Read(name(i)); err != nil || string(got) != name(i) {
					t.Errorf("%s: %q, %v", name(i), got, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Read(name(0)); err == nil {
		t.Errorf("after Close: %q, want an error", got)
	}
}
