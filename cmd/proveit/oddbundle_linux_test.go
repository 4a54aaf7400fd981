package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Bundles from strangers, as the program meets them: a clear answer that names the place, no hang, memory within bounds. Each bundle is the small
// season of the conformance suite, which holds, with one thing added or in the place of one of its files.

// seasonFiles are the files of the small season, its trust folder included.
func seasonFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for folder, prefix := range map[string]string{"_season": "", "_trust": "trust/"} {
		root := os.DirFS(absolute(t, "testdata/conformance/"+folder))
		err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files[prefix+name], err = fs.ReadFile(root, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// said is what the program must say of an odd bundle.
type said struct {
	code  int
	named string // in the document, or in the complaint where there is none
}

const proofsFile, seasonFile = "proofs/proofs.json", "season.json"

// replays judges a bundle and checks the answer.
func replays(t *testing.T, bundle string, size int64, want said) {
	t.Helper()
	r := measured(t, program(t), "season", "replay", bundle, "-o", "json", "--quiet")
	if r.code != want.code {
		t.Errorf("exit code %d, want %d: %.500s", r.code, want.code, r.complaints)
	}
	where := r.out
	if len(r.out) == 0 {
		where = r.complaints
	}
	if text := unescaped(where); !strings.Contains(text, want.named) {
		t.Errorf("%q is not named: %.2000s", want.named, text)
	}
	if bytes.Contains(r.complaints, []byte("goroutine ")) {
		t.Errorf("it panics: %.500s", r.complaints)
	}
	if limit := int64(30<<20) + 10*size + 64<<20; r.peak > limit {
		t.Errorf("%d bytes of memory, want at most %d", r.peak, limit)
	}
}

// unescaped is a document whose texts can be searched as they are.
func unescaped(b []byte) string {
	var v any
	if json.Unmarshal(b, &v) != nil {
		return string(b)
	}
	var out strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, m := range v {
				out.WriteString(name + "\n")
				walk(m)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case string:
			out.WriteString(v + "\n")
		}
	}
	walk(v)
	return out.String()
}

// zipped writes an archive: the season without some of its files, then whatever add writes.
func zipped(t *testing.T, without string, add func(w *zip.Writer)) (name string, size int64) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "bundle.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	for file, b := range seasonFiles(t) {
		if file != without {
			entry(t, w, &zip.FileHeader{Name: file, Method: zip.Deflate}, b)
		}
	}
	add(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return name, info.Size()
}

func entry(t *testing.T, w *zip.Writer, h *zip.FileHeader, b []byte) {
	t.Helper()
	e, err := w.CreateHeader(h)
	if err == nil {
		_, err = e.Write(b)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestHostileZips(t *testing.T) {
	proofs := seasonFiles(t)[proofsFile]
	plain := func(name string, b []byte) func(*zip.Writer) {
		return func(w *zip.Writer) { entry(t, w, &zip.FileHeader{Name: name, Method: zip.Deflate}, b) }
	}
	raw := func(edit func(h *zip.FileHeader), packed []byte) func(*zip.Writer) {
		return func(w *zip.Writer) {
			h := &zip.FileHeader{Name: proofsFile, Method: zip.Store, CompressedSize64: uint64(len(packed)), UncompressedSize64: uint64(len(packed))}
			edit(h)
			e, err := w.CreateRaw(h)
			if err == nil {
				_, err = e.Write(packed)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name, without string
		add           func(*zip.Writer)
		want          said
	}{
		{"nothing odd", "", func(*zip.Writer) {}, said{0, "holds"}},
		{"a name above the root", "", plain("../proofs/x.json", proofs), said{0, "../proofs/x.json"}},
		{"a name above the root in the middle", "", plain("proofs/../../x.json", proofs), said{0, "proofs/../../x.json"}},
		{"an absolute name", "", plain("/etc/proveit.json", proofs), said{0, "/etc/proveit.json"}},
		{"a backslash", "", plain(`proofs\x.json`, proofs), said{0, `proofs\x.json`}},
		{"a name that is not UTF-8", "", plain("proofs/caf\xe9.json", proofs), said{0, "caf"}},
		{"season.json twice", "", plain(seasonFile, []byte(`{}`)), said{2, seasonFile}},
		{"the proofs twice", "", plain(proofsFile, []byte(`{"proofs":{}}`)), said{3, proofsFile}},
		{"twins by case", "", plain("Proofs/Proofs.json", []byte(`{"proofs":{}}`)), said{0, "Proofs/Proofs.json"}},
		{"an archive inside", "", plain("proofs/more.json", []byte("PK\x05\x06"+strings.Repeat("\x00", 18))), said{0, "proofs/more.json"}},
		{"an encrypted file", proofsFile, raw(func(h *zip.FileHeader) { h.Flags |= 1 }, proofs), said{3, proofsFile}},
		{"an unknown method", proofsFile, raw(func(h *zip.FileHeader) { h.Method = 99 }, proofs), said{3, proofsFile}},
		{"a size that is not so", proofsFile, raw(func(h *zip.FileHeader) { h.UncompressedSize64 = 12 }, proofs), said{3, proofsFile}},
		{"a checksum that is not so", proofsFile, raw(func(h *zip.FileHeader) { h.CRC32 = 12 }, proofs), said{3, proofsFile}},
		{"a size beyond every limit", proofsFile, raw(func(h *zip.FileHeader) { h.Method, h.UncompressedSize64 = zip.Deflate, 1<<63 }, proofs), said{3, proofsFile}},
		{"a link", "", func(w *zip.Writer) {
			h := &zip.FileHeader{Name: "proofs/link.json"}
			h.SetMode(fs.ModeSymlink | 0o777)
			entry(t, w, h, []byte("/etc/passwd"))
		}, said{0, "proofs/link.json"}},
		{"spaces, a thousand to one", "", func(w *zip.Writer) {
			for i := range 5 {
				plain(fmt.Sprintf("proofs/%d.json", i), bytes.Repeat([]byte(" "), 15<<20))(w)
			}
		}, said{2, ""}},
		{"a page of the corpus with a thousand to one", "corpus/pages_entites_ENT-2.json", plain("corpus/pages_entites_ENT-2.json", append(bytes.Repeat([]byte(" "), 15<<20), `{}`...)), said{1, "corpus_differs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			name, size := zipped(t, c.without, c.add)
			replays(t, name, size, c.want)
		})
	}
}

// TestMillionEntries: more names than a bundle may hold are refused before anything else is made of them.
func TestMillionEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("writes an archive of a million entries")
	}
	name, size := zipped(t, "", func(w *zip.Writer) {
		for i := range 1_000_000 {
			if _, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("proofs/%d", i)}); err != nil {
				t.Fatal(err)
			}
		}
	})
	replays(t, name, size, said{2, "1000"})
}

func TestBrokenArchives(t *testing.T) {
	good, _ := zipped(t, "", func(*zip.Writer) {})
	b, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string][]byte{
		"empty": nil, "cut in the middle": b[:len(b)/2], "cut at the end": b[:len(b)-1], "something before": append([]byte("#!/bin/sh\n"), b...),
		"something after": append(bytes.Clone(b), 0), "text": []byte("season"), "the end record alone": b[len(b)-22:],
	} {
		file := filepath.Join(t.TempDir(), "bundle.zip")
		put(t, file, broken)
		t.Run(name, func(t *testing.T) { replays(t, file, int64(len(broken)), said{2, "bundle.zip"}) })
	}
}

// laidOut writes the season as a folder.
func laidOut(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, b := range seasonFiles(t) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestHostileFolders(t *testing.T) {
	link := func(target, name string) func(string) error {
		return func(dir string) error {
			os.Remove(filepath.Join(dir, name))
			return os.Symlink(target, filepath.Join(dir, name))
		}
	}
	special := func(name string, mode uint32, device int) func(string) error {
		return func(dir string) error {
			os.Remove(filepath.Join(dir, name))
			return syscall.Mknod(filepath.Join(dir, name), mode, device)
		}
	}
	const zero = 1<<8 | 5 // the device numbers of /dev/zero, which never ends
	for _, c := range []struct {
		name  string
		spoil func(dir string) error
		want  said
	}{
		{"nothing odd", func(string) error { return nil }, said{0, "holds"}},
		{"a link that leaves", link("/etc/passwd", "proofs/link.json"), said{0, "proofs/link.json"}},
		{"a link that stays", link("proofs.json", "proofs/link.json"), said{0, "proofs/link.json"}},
		{"a link in the place of season.json", link("enrolments.json", seasonFile), said{2, seasonFile}},
		{"a link in the place of the proofs", link("/dev/zero", proofsFile), said{3, proofsFile}},
		{"a folder that is a link", link("proofs", "more"), said{0, "more"}},
		{"a link to itself", link("loop.json", "rekor/loop.json"), said{0, "rekor/loop.json"}},
		{"a FIFO", special("proofs/pipe.json", syscall.S_IFIFO|0o644, 0), said{0, "proofs/pipe.json"}},
		{"a FIFO in the place of the proofs", special(proofsFile, syscall.S_IFIFO|0o644, 0), said{3, proofsFile}},
		{"a FIFO in the place of season.json", special(seasonFile, syscall.S_IFIFO|0o644, 0), said{2, seasonFile}},
		{"a device", special("rekor/zero.json", syscall.S_IFCHR|0o644, zero), said{0, "rekor/zero.json"}},
		{"a device in the place of the proofs", special(proofsFile, syscall.S_IFCHR|0o644, zero), said{3, proofsFile}},
		{"a name that is not UTF-8", func(dir string) error { return os.WriteFile(dir+"/proofs/caf\xe9.json", []byte("{}"), 0o600) }, said{0, "caf"}},
		{"a name with a line feed and an escape", func(dir string) error { return os.WriteFile(dir+"/proofs/a\n\x1b[2J.json", []byte("{}"), 0o600) }, said{0, "[2J.json"}},
		{"a file that is too large", func(dir string) error { return os.Truncate(dir+"/"+proofsFile, 17<<20) }, said{3, proofsFile}},
		{"a sparse file of a terabyte", func(dir string) error {
			f, err := os.Create(dir + "/proofs/sparse.json")
			if err == nil {
				err = f.Truncate(1 << 40)
				f.Close()
			}
			return err
		}, said{0, "proofs/sparse.json"}},
		{"a folder in the place of the proofs", func(dir string) error {
			os.Remove(dir + "/" + proofsFile)
			return os.Mkdir(dir+"/"+proofsFile, 0o755)
		}, said{3, ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := laidOut(t)
			if err := c.spoil(dir); err != nil {
				if os.Getenv("CI") == "true" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			replays(t, dir, 100<<10, c.want)
		})
	}
}
