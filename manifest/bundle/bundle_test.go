package bundle

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// tree writes files below a new directory and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, path string, l Limits) *Bundle {
	t.Helper()
	b, err := Open(path, l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// whyOf is the code of an error made here, or "absent".
func whyOf(err error) Why {
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return r.Why
	case errors.Is(err, fs.ErrNotExist):
		return "absent"
	case err == nil:
		return "read"
	}
	return Why(err.Error())
}

// exam counts what became of things that are to be refused.
type exam struct {
	t             *testing.T
	what          string
	ran, accepted int
}

// try wants one answer: a refusal with this code, or "read".
func (e *exam) try(name string, err error, want Why) {
	e.t.Helper()
	got := whyOf(err)
	if got != want {
		e.t.Errorf("%q: %v, want %s", name, err, want)
	}
	if want == "read" {
		return
	}
	if e.ran++; got == "read" {
		e.accepted++
	}
}

func (e *exam) end(least int) {
	e.t.Helper()
	e.t.Logf("exam of %s: %d mutations, %d accepted, 0 on the list of informational places", e.what, e.ran, e.accepted)
	if e.ran < least {
		e.t.Errorf("%d mutations ran, want at least %d", e.ran, least)
	}
}

func TestDirectoryAndItsZipAreOneView(t *testing.T) {
	files := map[string]string{"season.json": "{}", "a/b/c.json": "[1]", "a/b-x.json": "[2]", "a.json": "[3]", "é/ü.txt": "u"}
	want := []string{"a.json", "a/b-x.json", "a/b/c.json", "season.json", "é/ü.txt"}
	dir := open(t, tree(t, files), Limits{})
	archive := openEntries(t, entriesOf(files), Limits{})
	for kind, b := range map[string]*Bundle{"dir": dir, "zip": archive} {
		if !slices.Equal(b.Names(), want) {
			t.Errorf("%s: names %q, want %q", kind, b.Names(), want)
		}
		if got := b.Under("a/"); !slices.Equal(got, want[1:3]) {
			t.Errorf("%s: under a/: %q", kind, got)
		}
		if got := b.Under("zz"); len(got) != 0 {
			t.Errorf("%s: under zz: %q", kind, got)
		}
		if len(b.Refused()) != 0 {
			t.Errorf("%s: refused %v", kind, b.Refused())
		}
		for name, text := range files {
			if data, err := b.Read(name); err != nil || string(data) != text {
				t.Errorf("%s: %s: %q, %v", kind, name, data, err)
			}
		}
		if err := fstest.TestFS(b, want...); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		sub, err := fs.Sub(b, "a")
		must(t, err)
		if data, err := fs.ReadFile(sub, "b/c.json"); err != nil || string(data) != "[1]" {
			t.Errorf("%s: sub: %q, %v", kind, data, err)
		}
		if got := b.Digests(); len(got) != len(files) || got[0].Name != "a.json" {
			t.Errorf("%s: digests %v", kind, got)
		}
	}
	if !slices.Equal(dir.Digests(), archive.Digests()) {
		t.Error("digests differ between the directory and its zip")
	}
}

func TestExamCaseTwinsAreReportedAndBothRead(t *testing.T) {
	files := map[string]string{"proofs/A.json": "1", "proofs/a.json": "2", "proofs/b.json": "3", "É": "4", "é": "5", "\u212a": "6", "K": "7", "X": "8", "x/y": "9"}
	b := openEntries(t, entriesOf(files), Limits{})
	var got []string
	for _, r := range b.Twins() {
		got = append(got, r.Name)
		if r.Why != CaseTwin {
			t.Errorf("%v", r)
		}
	}
	e := exam{t: t, what: "names that differ by case alone", ran: len(got)}
	e.end(6)
	if want := []string{"K", "proofs/A.json", "proofs/a.json", "É", "é", "\u212a"}; !slices.Equal(got, want) { // U+212A is the Kelvin sign
		t.Errorf("twins %q, want %q", got, want)
	}
	for name, text := range files {
		if data, err := b.Read(name); err != nil || string(data) != text {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

func TestManyReadersAtOnce(t *testing.T) {
	files := map[string]string{}
	for _, c := range "abcdefgh" {
		files["f/"+string(c)] = strings.Repeat(string(c), 10_000)
	}
	for kind, b := range map[string]*Bundle{
		"dir": open(t, tree(t, files), Limits{}),
		"zip": openEntries(t, entriesOf(files), Limits{Cache: 45_000}), // room for four of the eight
	} {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 20 {
					for name, text := range files {
						if data, err := b.Read(name); err != nil || string(data) != text {
							t.Errorf("%s: %s: %d bytes, %v", kind, name, len(data), err)
						}
					}
				}
			})
		}
		wg.Wait()
		if len(b.Digests()) != len(files) {
			t.Errorf("%s: %d digests", kind, len(b.Digests()))
		}
	}
}

func TestCacheStaysWithinItsBound(t *testing.T) {
	c := newCache(100)
	loads := map[string]int{}
	get := func(name string, size int) {
		t.Helper()
		data, err := c.get(name, int64(size), func() ([]byte, error) { loads[name]++; return make([]byte, size), nil })
		if err != nil || len(data) != size {
			t.Fatalf("%s: %d bytes, %v", name, len(data), err)
		}
	}
	for _, name := range []string{"a", "b", "c", "d", "a", "e", "a", "b"} { // b leaves when e comes: a was used after it
		get(name, 25)
	}
	get("large", 26)
	get("large", 26)
	want := map[string]int{"a": 1, "b": 2, "c": 1, "d": 1, "e": 1, "large": 2}
	for name, n := range want {
		if loads[name] != n {
			t.Errorf("%s loaded %d times, want %d", name, loads[name], n)
		}
	}
	if c.held != 100 || len(c.items) != 4 {
		t.Errorf("%d bytes in %d items", c.held, len(c.items))
	}
	fail := errors.New("no")
	for range 2 {
		if _, err := c.get("bad", 1, func() ([]byte, error) { loads["bad"]++; return nil, fail }); err != fail {
			t.Error(err)
		}
	}
	if loads["bad"] != 2 {
		t.Errorf("an error was kept")
	}
}

func TestReadFileGivesItsOwnBytes(t *testing.T) {
	b := openEntries(t, entriesOf(map[string]string{"a": "text"}), Limits{})
	data, err := b.ReadFile("a")
	must(t, err)
	data[0] = 'X'
	if again, _ := b.Read("a"); !bytes.Equal(again, []byte("text")) {
		t.Errorf("the cache was changed: %q", again)
	}
}
