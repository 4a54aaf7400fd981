//go:build unix

package bundle

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

func TestExamDirectory(t *testing.T) {
	e := exam{t: t, what: "what lies in a directory"}
	outside := tree(t, map[string]string{"secret.json": "{}", "sub/x.json": "{}"})
	dir := tree(t, map[string]string{"ok.json": "{}", "real/x.json": "{}", "big.json": "12345678901", "limit.json": "1234567890"})
	must(t, os.Symlink(filepath.Join(outside, "secret.json"), filepath.Join(dir, "abs.json")))
	must(t, os.Symlink("ok.json", filepath.Join(dir, "inside.json")))
	must(t, os.Symlink("real", filepath.Join(dir, "folder")))
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo.json"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "back\\slash"), nil, 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "tab\t"), nil, 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "latin\xe9"), nil, 0o644))
	must(t, os.MkdirAll(filepath.Join(dir, strings.Repeat("d/", 40)), 0o755))
	b := open(t, dir, Limits{FileSize: 10})

	want := map[string]Why{
		"abs.json": SymbolicLink, "inside.json": SymbolicLink, "folder": SymbolicLink, "dangling": SymbolicLink, "loop": SymbolicLink,
		"folder/x.json": SymbolicLink, "fifo.json": NotRegular, "back\\slash": NameInvalid, "tab\t": NameInvalid, "latin\xe9": NameInvalid,
		"big.json": TooLarge, "limit.json": "read", "ok.json": "read", "real": "absent", "nothing.json": "absent", "real/y": "absent", "": "absent",
		"../secret.json": "absent", "/etc/passwd": "absent", "./ok.json": "absent", "OK.json": "absent",
	}
	for name, why := range want {
		_, err := b.Read(name)
		e.try(name, err, why)
		if b.Has(name) != (why == "read") {
			t.Errorf("%q: Has is %v", name, b.Has(name))
		}
	}
	if got := len(b.Refused()); got != 11 { // nine refused names above, "big.json", and the folder that is too deep
		t.Errorf("refused %d names: %v", got, b.Refused())
	}
	for _, r := range b.Refused() {
		if strings.Contains(r.Name, "\t") || !utf8.ValidString(r.Name) {
			t.Errorf("%q is not printable", r.Name)
		}
	}
	e.end(11)
}

func TestExamTreeThatChanges(t *testing.T) {
	e := exam{t: t, what: "a tree that changes while it is read"}
	dir := tree(t, map[string]string{"a": "aaaa", "b": "bbbb", "c": "cccc", "d": "dddd", "e": "eeee", "same": "eeee"})
	b := open(t, dir, Limits{})
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("a"), []byte("aaaaa"), 0o644))
	must(t, os.Remove(at("b")))
	must(t, syscall.Mkfifo(at("b"), 0o644))
	must(t, os.Remove(at("c")))
	must(t, os.Symlink("same", at("c")))
	must(t, os.Remove(at("e")))
	if _, err := b.Read("d"); err != nil {
		t.Fatal(err)
	}
	must(t, os.WriteFile(at("d"), []byte("DDDD"), 0o644))
	for name, why := range map[string]Why{"a": Changed, "b": NotRegular, "c": SymbolicLink, "d": Changed, "e": Unreadable} {
		_, err := b.Read(name)
		e.try(name, err, why)
	}
	e.end(5)
}

func TestExamOpen(t *testing.T) {
	e := exam{t: t, what: "what is opened, and its limits"}
	dir := tree(t, map[string]string{"a": "aaaa", "b": "bbbb", "c/d": "dddd", "text": "not a zip", "empty": ""})
	fifo := filepath.Join(dir, "fifo")
	must(t, syscall.Mkfifo(fifo, 0o644))
	for _, c := range []struct {
		name, path string
		limits     Limits
		want       Why
	}{
		{"no such path", filepath.Join(dir, "none"), Limits{}, "absent"},
		{"fifo", fifo, Limits{}, NotRegular},
		{"device", os.DevNull, Limits{}, NotRegular},
		{"not a zip", filepath.Join(dir, "text"), Limits{}, ZipStructure},
		{"empty file", filepath.Join(dir, "empty"), Limits{}, ZipStructure},
		{"files at the limit", dir, Limits{Files: 7}, "read"},
		{"one file more", dir, Limits{Files: 6}, TooMany},
		{"bytes at the limit", dir, Limits{TotalSize: 21}, "read"},
		{"one byte more", dir, Limits{TotalSize: 20}, TotalTooLarge},
	} {
		b, err := Open(c.path, c.limits)
		e.try(c.name, err, c.want)
		if err == nil {
			b.Close()
		}
	}
	e.end(7)
}

func TestUnreadableFile(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("the superuser may read everything")
	}
	dir := tree(t, map[string]string{"a": "a", "f/x": "x"})
	must(t, os.Chmod(filepath.Join(dir, "a"), 0))
	must(t, os.Chmod(filepath.Join(dir, "f"), 0))
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "f"), 0o755) })
	b := open(t, dir, Limits{})
	for _, name := range []string{"a", "f", "f/x"} {
		if _, err := b.Read(name); whyOf(err) != Unreadable {
			t.Errorf("%s: %v", name, err)
		}
	}
}
