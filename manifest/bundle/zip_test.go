package bundle

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// entry is one entry of an archive written for a test; patch changes its header after name, sizes and checksum are set.
type entry struct {
	name, text string
	stored     bool
	patch      func(h *zip.FileHeader)
}

func entriesOf(files map[string]string) []entry {
	var out []entry
	for name, text := range files {
		out = append(out, entry{name: name, text: text})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

func archive(t testing.TB, entries []entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE([]byte(e.text)), UncompressedSize64: uint64(len(e.text))}
		packed := []byte(e.text)
		if e.stored || strings.HasSuffix(e.name, "/") {
			h.Method = zip.Store
		} else {
			packed = deflate(e.text)
		}
		h.CompressedSize64 = uint64(len(packed))
		if e.patch != nil {
			e.patch(h)
		}
		f, err := w.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(packed); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func deflate(text string) []byte {
	var buf bytes.Buffer
	w, _ := flate.NewWriter(&buf, flate.DefaultCompression)
	w.Write([]byte(text))
	w.Close()
	return buf.Bytes()
}

func openEntries(t *testing.T, entries []entry, l Limits) *Bundle {
	t.Helper()
	b, err := openBytes(archive(t, entries), l)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func openBytes(data []byte, l Limits) (*Bundle, error) {
	return OpenZip(bytes.NewReader(data), int64(len(data)), l)
}

func unix(mode uint32) func(*zip.FileHeader) {
	return func(h *zip.FileHeader) { h.CreatorVersion = 3 << 8; h.ExternalAttrs = mode << 16 }
}

func TestExamZipEntries(t *testing.T) {
	e := exam{t: t, what: "entries of an archive"}
	for _, c := range []struct {
		name    string
		entries []entry
		read    string // the name that is asked for
		want    Why
	}{
		{"plain", []entry{{name: "x", text: "text"}}, "x", "read"},
		{"stored", []entry{{name: "x", text: "text", stored: true}}, "x", "read"},
		{"mode of a regular file", []entry{{name: "x", text: "text", patch: unix(0o100644)}}, "x", "read"},
		{"mode without a kind", []entry{{name: "x", text: "text", patch: unix(0o644)}}, "x", "read"},
		{"folder entry", []entry{{name: "d/"}, {name: "d/x", text: "text"}}, "d/x", "read"},
		{"folder entry twice", []entry{{name: "d/"}, {name: "d/"}, {name: "d/x", text: "text"}}, "d/x", "read"},
		{"parent", []entry{{name: "../x", text: "text"}}, "../x", NameInvalid},
		{"parent in the middle", []entry{{name: "a/../x", text: "text"}}, "a/../x", NameInvalid},
		{"absolute", []entry{{name: "/etc/x", text: "text"}}, "/etc/x", NameInvalid},
		{"dot", []entry{{name: "./x", text: "text"}}, "./x", NameInvalid},
		{"empty step", []entry{{name: "a//x", text: "text"}}, "a//x", NameInvalid},
		{"backslash", []entry{{name: `a\x`, text: "text"}}, `a\x`, NameInvalid},
		{"drive and backslash", []entry{{name: `C:\x`, text: "text"}}, `C:\x`, NameInvalid},
		{"no name", []entry{{name: "", text: "text"}}, "", NameInvalid},
		{"NUL", []entry{{name: "x\x00.json", text: "text"}}, "x\x00.json", NameInvalid},
		{"escape sequence", []entry{{name: "x\x1b[2J", text: "text"}}, "x\x1b[2J", NameInvalid},
		{"right-to-left mark", []entry{{name: "x\u202enosj", text: "text"}}, "x\u202enosj", NameInvalid},
		{"Latin-1", []entry{{name: "caf\xe9", text: "text"}}, "caf\xe9", NameInvalid},
		{"33 steps", []entry{{name: strings.Repeat("d/", 32) + "x", text: "text"}}, strings.Repeat("d/", 32) + "x", NameTooLong},
		{"32 steps", []entry{{name: strings.Repeat("d/", 31) + "x", text: "text"}}, strings.Repeat("d/", 31) + "x", "read"},
		{"1,025 bytes", []entry{{name: strings.Repeat("n", 1025), text: "text"}}, strings.Repeat("n", 1025), NameTooLong},
		{"the same name twice", []entry{{name: "x", text: "one"}, {name: "x", text: "two"}}, "x", NameRepeated},
		{"three times", []entry{{name: "x", text: "one"}, {name: "x", text: "one"}, {name: "x", text: "one"}}, "x", NameRepeated},
		{"link, then file", []entry{{name: "x", text: "y", patch: unix(0o120777)}, {name: "x", text: "two"}}, "x", NameRepeated},
		{"file and folder entry", []entry{{name: "x", text: "one"}, {name: "x/"}}, "x", NameRepeated},
		{"file and folder of another", []entry{{name: "x", text: "one"}, {name: "x/y/z", text: "two"}}, "x", NameRepeated},
		{"symbolic link", []entry{{name: "x", text: "y", patch: unix(0o120777)}}, "x", SymbolicLink},
		{"symbolic link made on macOS", []entry{{name: "x", text: "y", patch: func(h *zip.FileHeader) { h.CreatorVersion = 19 << 8; h.ExternalAttrs = 0o120777 << 16 }}}, "x", SymbolicLink},
		{"FIFO", []entry{{name: "x", patch: unix(0o010644)}}, "x", NotRegular},
		{"device", []entry{{name: "x", patch: unix(0o020644)}}, "x", NotRegular},
		{"folder by its mode only", []entry{{name: "x", patch: unix(0o040755)}}, "x", NotRegular},
		{"encrypted", []entry{{name: "x", text: "text", patch: func(h *zip.FileHeader) { h.Flags |= 1 }}}, "x", Encrypted},
		{"strongly encrypted", []entry{{name: "x", text: "text", patch: func(h *zip.FileHeader) { h.Flags |= 1 << 6 }}}, "x", Encrypted},
		{"method 99", []entry{{name: "x", text: "text", patch: func(h *zip.FileHeader) { h.Method = 99 }}}, "x", Method},
		{"bzip2", []entry{{name: "x", text: "text", patch: func(h *zip.FileHeader) { h.Method = 12 }}}, "x", Method},
		{"over the limit", []entry{{name: "x", text: strings.Repeat(" ", 1001)}}, "x", TooLarge},
		{"at the limit", []entry{{name: "x", text: strings.Repeat(" ", 1000)}}, "x", "read"},
		{"declares 2^64-1 bytes", []entry{{name: "x", text: "text", patch: func(h *zip.FileHeader) { h.UncompressedSize64 = 1<<64 - 1 }}}, "x", TooLarge},
		{"declares fewer bytes", []entry{{name: "x", text: "text", patch: func(h *zip.FileHeader) { h.UncompressedSize64 = 3 }}}, "x", ZipContent},
		{"declares more bytes", []entry{{name: "x", text: "text", patch: func(h *zip.FileHeader) { h.UncompressedSize64 = 5 }}}, "x", ZipContent},
		{"stored with two sizes", []entry{{name: "x", text: "text", stored: true, patch: func(h *zip.FileHeader) { h.UncompressedSize64 = 3 }}}, "x", ZipStructure},
		{"packed larger than it could be", []entry{{name: "x", text: "text", patch: func(h *zip.FileHeader) { h.CompressedSize64 = 1 << 30 }}}, "x", ZipStructure},
		{"wrong checksum", []entry{{name: "x", text: "text", patch: func(h *zip.FileHeader) { h.CRC32 ^= 1 }}}, "x", ZipContent},
		{"an archive inside", []entry{{name: "x.zip", text: "PK\x05\x06" + strings.Repeat("\x00", 18)}}, "x.zip", "read"},
	} {
		b, err := openBytes(archive(t, c.entries), Limits{FileSize: 1000})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		data, err := b.Read(c.read)
		e.try(c.name, err, c.want)
		if c.want == "read" && len(data) == 0 {
			t.Errorf("%s: no bytes", c.name)
		}
	}
	e.end(30)
}

// put16 and put32 change the end record of an archive without a comment.
func put16(at int, v uint16) func([]byte) []byte {
	return func(b []byte) []byte { binary.LittleEndian.PutUint16(b[len(b)-22+at:], v); return b }
}

func put32(at int, v uint32) func([]byte) []byte {
	return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[len(b)-22+at:], v); return b }
}

func TestExamZipStructure(t *testing.T) {
	e := exam{t: t, what: "the structure of an archive"}
	base := archive(t, entriesOf(map[string]string{"a": "text", "b": "text"}))
	both := func(fs ...func([]byte) []byte) func([]byte) []byte {
		return func(b []byte) []byte {
			for _, f := range fs {
				b = f(b)
			}
			return b
		}
	}
	for _, c := range []struct {
		name  string
		spoil func([]byte) []byte
		want  Why
	}{
		{"untouched", func(b []byte) []byte { return b }, "read"},
		{"comment", both(put16(20, 3), func(b []byte) []byte { return append(b, "abc"...) }), "read"},
		{"bytes after the end", func(b []byte) []byte { return append(b, 0) }, ZipStructure},
		{"bytes before the start", func(b []byte) []byte { return append([]byte("#!/bin/sh\n"), b...) }, ZipStructure},
		{"cut at the end", func(b []byte) []byte { return b[:len(b)-1] }, ZipStructure},
		{"cut in the middle", func(b []byte) []byte { return b[:len(b)/2] }, ZipStructure},
		{"two archives in a row", func(b []byte) []byte { return append(b, b...) }, ZipStructure},
		{"one entry fewer declared", both(put16(8, 1), put16(10, 1)), ZipStructure},
		{"one entry more declared", both(put16(8, 3), put16(10, 3)), ZipStructure},
		{"two counts", put16(10, 3), ZipStructure},
		{"65,538 entries modulo 65,536", both(put16(8, 2), put16(10, 2)), "read"},
		{"several disks", put16(4, 1), ZipStructure},
		{"size of the directory", put32(12, 10), ZipStructure},
		{"place of the directory", put32(16, 10), ZipStructure},
		{"ZIP64 without a locator", put32(16, 0xffffffff), ZipStructure},
		{"65,535 entries declared", both(put16(8, 0xffff), put16(10, 0xffff)), ZipStructure},
	} {
		_, err := openBytes(c.spoil(bytes.Clone(base)), Limits{})
		e.try(c.name, err, c.want)
	}
	e.end(12)
}

// zip64End wraps a directory in ZIP64 end records that claim any number of entries.
func zip64End(directory []byte, records uint64) []byte {
	le := binary.LittleEndian
	out := bytes.Clone(directory)
	end := make([]byte, end64Len)
	copy(end, "PK\x06\x06")
	le.PutUint64(end[4:], end64Len-12)
	le.PutUint64(end[24:], records)
	le.PutUint64(end[32:], records)
	le.PutUint64(end[40:], uint64(len(directory)))
	locator := make([]byte, locator64Len)
	copy(locator, "PK\x06\x07")
	le.PutUint64(locator[8:], uint64(len(directory)))
	le.PutUint32(locator[16:], 1)
	last := make([]byte, endLen)
	copy(last, "PK\x05\x06")
	for i := 8; i < 12; i++ {
		last[i] = 0xff
	}
	for i := 12; i < 20; i++ {
		last[i] = 0xff
	}
	return append(append(append(out, end...), locator...), last...)
}

// put changes one byte, counted from the end.
func put(b []byte, at int, v byte) []byte { b[len(b)+at] = v; return b }

func TestExamZip64(t *testing.T) {
	e := exam{t: t, what: "what a ZIP64 record claims"}
	one := make([]byte, headerLen+1)
	copy(one, "PK\x01\x02")
	binary.LittleEndian.PutUint16(one[28:], 1)
	one[headerLen] = 'x'
	million := bytes.Repeat(one, 1_000_001)
	for _, c := range []struct {
		name string
		data []byte
		want Why
	}{
		{"one", zip64End(one, 1), "read"},
		{"2^63 claimed", zip64End(one, 1<<63), ZipStructure},
		{"a million claimed in 47 bytes", zip64End(one, 1_000_000), ZipStructure},
		{"a million and one there", zip64End(million, 1_000_001), TooMany},
		{"65,537 there, one claimed", zip64End(bytes.Repeat(one, 65_537), 1), ZipStructure},
		{"nothing at all", zip64End(nil, 0), "read"},
		{"a locator of two disks", put(zip64End(one, 1), -endLen-4, 2), ZipStructure},
		{"a locator that points elsewhere", put(zip64End(one, 1), -endLen-locator64Len+8, 1), ZipStructure},
		{"a record of another length", put(zip64End(one, 1), -endLen-locator64Len-end64Len+4, end64Len-11), ZipStructure},
		{"two counts", put(zip64End(one, 1), -endLen-locator64Len-end64Len+24, 2), ZipStructure},
		{"a record of another kind", put(zip64End(one, 1), -endLen-locator64Len-end64Len, 'Q'), ZipStructure},
	} {
		_, err := openBytes(c.data, Limits{})
		e.try(c.name, err, c.want)
	}
	e.end(8)
	// archive/zip alone takes all 65,537 of the last but one case: its number of entries is compared modulo 65,536.
	plain := zip64End(bytes.Repeat(one, 65_537), 1)
	if r, err := zip.NewReader(bytes.NewReader(plain), int64(len(plain))); err != nil || len(r.File) != 65_537 {
		t.Logf("archive/zip has become stricter: %v", err)
	}
}

func TestExamZipThatInflatesTooFar(t *testing.T) {
	e := exam{t: t, what: "archives that inflate too far"}
	spaces := strings.Repeat(" ", 1<<20)
	var few, many []entry
	for i := range 65 {
		e := entry{name: fmt.Sprint(i), text: spaces}
		many = append(many, e)
		if i < 64 {
			few = append(few, e)
		}
	}
	_, err := openBytes(archive(t, few), Limits{})
	e.try("64 MiB of spaces", err, "read")
	_, err = openBytes(archive(t, many), Limits{})
	e.try("65 MiB of spaces", err, Ratio)
	_, err = openBytes(archive(t, few), Limits{TotalSize: 64<<20 - 1})
	e.try("over the total", err, TotalTooLarge)
	e.end(2)
}

func TestSeasonZips(t *testing.T) {
	found, _ := filepath.Glob("../../../shared/seasons/*.zip")
	if len(found) == 0 {
		t.Skip("no ../shared/seasons beside the repository")
	}
	for _, path := range found {
		b := open(t, path, Limits{})
		if len(b.Refused()) != 0 || len(b.Twins()) != 0 || !b.Has("season.json") {
			t.Errorf("%s: refused %v, twins %v", path, b.Refused(), b.Twins())
		}
		for _, name := range b.Names() {
			if _, err := b.Read(name); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

func FuzzOpenZip(f *testing.F) {
	f.Add(archive(f, entriesOf(map[string]string{"a": "text", "b/c": "text"})))
	f.Add(archive(f, []entry{{name: "x", text: "y", patch: unix(0o120777)}}))
	f.Add(zip64End(nil, 0))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := openBytes(data, Limits{FileSize: 1 << 16, Files: 1000})
		if err != nil {
			return
		}
		for _, name := range b.Names() {
			got, err := b.Read(name)
			if err == nil && len(got) > 1<<16 {
				t.Errorf("%q: %d bytes", name, len(got))
			}
			if _, refused := b.refused[name]; refused {
				t.Errorf("%q is listed and refused", name)
			}
		}
	})
}

func BenchmarkReadFromZip(b *testing.B) {
	data, err := os.ReadFile("../../../shared/seasons/closed-season.zip")
	if err != nil {
		b.Skip("no ../shared/seasons beside the repository")
	}
	bun, err := openBytes(data, Limits{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, name := range bun.Names() {
			if _, err := bun.Read(name); err != nil {
				b.Fatal(err)
			}
		}
	}
}
