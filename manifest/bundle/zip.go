package bundle

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Bounds on an archive.
const (
	MaxRatio     = 200      // an archive may inflate to this many times its own size,
	ratioFree    = 64 << 20 // or to this many bytes, whichever is more
	maxComment   = 65535    // bytes of comment after the end record
	endLen       = 22       // end of central directory record
	end64Len     = 56       // its ZIP64 form, without extensible data
	locator64Len = 20       // what points to the ZIP64 form
	headerLen    = 46       // fixed part of one directory entry
)

// zipSource inflates the entries of an archive.
type zipSource struct {
	entries map[string]*zip.File
	cache   *cache
	file    *os.File // nil where the caller owns the reader
}

// OpenZip lists the archive in r, which is size bytes long. It fails with a *Refusal where the archive's own structure does not hold:
// an end record that is not at the end, a directory that does not lie right before it, or another number of entries than declared.
// The reader must stay usable until the bundle is no longer read.
func OpenZip(r io.ReaderAt, size int64, limits Limits) (*Bundle, error) {
	limits = limits.orDefaults()
	list := newListing(limits)
	if err := checkDirectory(r, size, list); err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(r, size)
	if err != nil && archive == nil {
		return nil, structure(err.Error(), "a .zip archive")
	}
	if len(archive.File) != list.entries {
		return nil, structure(fmt.Sprintf("%d entries", len(archive.File)), fmt.Sprintf("%d, as declared", list.entries))
	}
	src := &zipSource{entries: make(map[string]*zip.File, len(archive.File)), cache: newCache(limits.Cache)}
	for _, f := range archive.File {
		if err := src.entry(f, list); err != nil {
			return nil, err
		}
	}
	refuseFolders(list)
	if list.total > ratioFree && list.total/MaxRatio > size {
		return nil, &Refusal{Why: Ratio, Found: fmt.Sprintf("%d bytes that inflate to %d", size, list.total), Wanted: fmt.Sprintf("at most %d times as many", MaxRatio)}
	}
	return list.bundle(src), nil
}

// entry takes one entry of the directory, or refuses it by name.
func (z *zipSource) entry(f *zip.File, l *listing) error {
	name, isDir := strings.CutSuffix(f.Name, "/")
	if r := checkName(name); r != nil {
		l.refuse(name, r)
		return nil
	}
	before, again := z.entries[name]
	if again && !(isDir && strings.HasSuffix(before.Name, "/")) {
		l.refuse(name, &Refusal{Name: name, Why: NameRepeated, Found: "two entries of that name", Wanted: "one"})
		return nil
	}
	z.entries[name] = f
	mode := unixMode(f)
	if r := refusalOfKind(name, mode); r != nil {
		l.refuse(name, r)
		return nil
	}
	if isDir != mode.IsDir() {
		l.refuse(name, &Refusal{Name: name, Why: NotRegular, Found: kind(mode) + " by its mode, something else by its name", Wanted: "a directory ends in /, a regular file does not"})
		return nil
	}
	if isDir {
		return nil
	}
	if r := refusalOfCoding(name, f); r != nil {
		l.refuse(name, r)
		return nil
	}
	if f.UncompressedSize64 > uint64(l.limits.FileSize) {
		l.refuse(name, &Refusal{Name: name, Why: TooLarge, Found: fmt.Sprintf("%d bytes", f.UncompressedSize64), Wanted: fmt.Sprintf("at most %d bytes", l.limits.FileSize)})
		return nil
	}
	return l.add(name, int64(f.UncompressedSize64))
}

// refusalOfCoding refuses what this reader does not undo, and sizes that cannot be true.
func refusalOfCoding(name string, f *zip.File) *Refusal {
	const encrypted = 1 | 1<<6 | 1<<13 // APPNOTE 4.4.4: encrypted, strongly encrypted, masked headers
	plain, packed := f.UncompressedSize64, f.CompressedSize64
	switch {
	case f.Flags&encrypted != 0:
		return &Refusal{Name: name, Why: Encrypted, Found: "an encrypted entry", Wanted: "a plain one"}
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return &Refusal{Name: name, Why: Method, Found: fmt.Sprintf("compression method %d", f.Method), Wanted: "0 (stored) or 8 (deflated)"}
	case f.Method == zip.Store && plain != packed, packed > 1<<40, plain <= 1<<40 && packed > 2*plain+4096:
		return &Refusal{Name: name, Why: ZipStructure, Found: fmt.Sprintf("%d bytes packed into %d", plain, packed), Wanted: "sizes that fit the method"}
	}
	return nil
}

// unixMode is the kind of file where the archive was made on a system that has kinds; a regular file otherwise. A mode without a kind,
// as several programs write, is a regular file too.
func unixMode(f *zip.File) fs.FileMode {
	const unix, darwin, kindMask = 3, 19, 0xf000
	creator := f.CreatorVersion >> 8
	if creator != unix && creator != darwin || f.ExternalAttrs>>16&kindMask == 0 {
		if strings.HasSuffix(f.Name, "/") {
			return fs.ModeDir
		}
		return 0
	}
	return f.Mode()
}

// refuseFolders refuses a file whose name is also the folder of another one: no directory can hold both.
func refuseFolders(l *listing) {
	for name := range l.sizes {
		for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
			if _, ok := l.sizes[name[:at]]; ok {
				l.refuse(name[:at], &Refusal{Name: name[:at], Why: NameRepeated, Found: "a file and a folder of that name", Wanted: "one of them"})
			}
		}
	}
}

// read gives the inflated file, from the cache where it is there.
func (z *zipSource) read(name string, size int64) ([]byte, error) {
	return z.cache.get(name, size, func() ([]byte, error) { return inflate(name, z.entries[name], size) })
}

func inflate(name string, f *zip.File, size int64) ([]byte, error) {
	content := func(found string) error {
		return &Refusal{Name: name, Why: ZipContent, Found: found, Wanted: fmt.Sprintf("%d bytes with the declared checksum", size)}
	}
	r, err := f.Open()
	if err != nil {
		return nil, content(err.Error())
	}
	defer r.Close()
	data := make([]byte, size)
	if n, err := io.ReadFull(r, data); err != nil && err != io.EOF {
		return nil, content(fmt.Sprintf("%d bytes (%v)", n, err))
	}
	var extra [1]byte
	// The checksum is compared when the end is reached, so the end has to be reached.
	if n, err := io.ReadFull(r, extra[:]); n != 0 {
		return nil, content("more bytes")
	} else if err != io.EOF {
		return nil, content(err.Error())
	}
	return data, nil
}

func (z *zipSource) close() error {
	if z.file == nil {
		return nil
	}
	return z.file.Close()
}

func structure(found, wanted string) *Refusal {
	return &Refusal{Why: ZipStructure, Found: found, Wanted: wanted}
}

// checkDirectory walks the central directory before archive/zip does, in constant memory: that package believes the number of entries
// in the end record only modulo 65,536 and keeps every entry that follows. Here the end record must be the last thing in the file, the
// directory must lie right before it, and hold exactly the number of entries declared, within the limit.
func checkDirectory(r io.ReaderAt, size int64, l *listing) error {
	end, at, err := findEnd(r, size)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	records, length, offset := uint64(le.Uint16(end[10:])), uint64(le.Uint32(end[12:])), uint64(le.Uint32(end[16:]))
	if le.Uint16(end[4:]) != 0 || le.Uint16(end[6:]) != 0 || le.Uint16(end[8:]) != le.Uint16(end[10:]) {
		return structure("an archive in several parts", "one file")
	}
	if records == 0xffff || length == 0xffff || length == 0xffffffff || offset == 0xffffffff {
		records, length, offset, at, err = findEnd64(r, at, records, length, offset)
		if err != nil {
			return err
		}
	}
	if offset > uint64(at) || length != uint64(at)-offset {
		return structure(fmt.Sprintf("a directory of %d bytes at %d, end record at %d", length, offset, at), "the directory right before the end record")
	}
	if records > length/headerLen {
		return structure(fmt.Sprintf("%d entries in a directory of %d bytes", records, length), "at least 46 bytes an entry")
	}
	if err := l.count(int(records)); err != nil {
		return err
	}
	return walkDirectory(bufio.NewReaderSize(io.NewSectionReader(r, int64(offset), int64(length)), 1<<16), records, length)
}

// findEnd finds the end record (APPNOTE 4.3.16), which with its comment must reach the end of the file.
func findEnd(r io.ReaderAt, size int64) (end []byte, at int64, err error) {
	tail := make([]byte, min(size, endLen+maxComment))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return nil, 0, unreadable("", err)
	}
	for i := len(tail) - endLen; i >= 0; i-- {
		if string(tail[i:i+4]) != "PK\x05\x06" {
			continue
		}
		comment := int(binary.LittleEndian.Uint16(tail[i+20:]))
		if i+endLen+comment != len(tail) {
			return nil, 0, structure(fmt.Sprintf("%d bytes after the end record, which announces %d", len(tail)-i-endLen, comment), "nothing after the archive")
		}
		return tail[i : i+endLen], size - int64(len(tail)) + int64(i), nil
	}
	return nil, 0, structure("no end record", "a directory or a .zip archive, whole")
}

// findEnd64 reads the ZIP64 record (APPNOTE 4.3.14) that the locator before the end record points to. Without a locator the values of
// the end record stand.
func findEnd64(r io.ReaderAt, endAt int64, records, length, offset uint64) (uint64, uint64, uint64, int64, error) {
	le := binary.LittleEndian
	var locator [locator64Len]byte
	if endAt < locator64Len {
		return records, length, offset, endAt, nil
	}
	if _, err := r.ReadAt(locator[:], endAt-locator64Len); err != nil {
		return 0, 0, 0, 0, unreadable("", err)
	}
	if string(locator[:4]) != "PK\x06\x07" {
		return records, length, offset, endAt, nil
	}
	at := endAt - locator64Len - end64Len
	if at < 0 || le.Uint32(locator[4:]) != 0 || le.Uint64(locator[8:]) != uint64(at) || le.Uint32(locator[16:]) != 1 {
		return 0, 0, 0, 0, structure("a ZIP64 locator that points elsewhere", "the ZIP64 end record right before it")
	}
	var end [end64Len]byte
	if _, err := r.ReadAt(end[:], at); err != nil {
		return 0, 0, 0, 0, unreadable("", err)
	}
	if string(end[:4]) != "PK\x06\x06" || le.Uint64(end[4:]) != end64Len-12 || le.Uint64(end[24:]) != le.Uint64(end[32:]) {
		return 0, 0, 0, 0, structure("a damaged ZIP64 end record", "one of 56 bytes")
	}
	return le.Uint64(end[32:]), le.Uint64(end[40:]), le.Uint64(end[48:]), at, nil
}

// walkDirectory counts the entries and their bytes.
func walkDirectory(r *bufio.Reader, records, length uint64) error {
	le := binary.LittleEndian
	var fixed [headerLen]byte
	left := length
	for i := uint64(0); i < records; i++ {
		if _, err := io.ReadFull(r, fixed[:]); err != nil || string(fixed[:4]) != "PK\x01\x02" {
			return structure(fmt.Sprintf("no directory entry at number %d", i), fmt.Sprintf("%d entries", records))
		}
		rest := uint64(le.Uint16(fixed[28:])) + uint64(le.Uint16(fixed[30:])) + uint64(le.Uint16(fixed[32:]))
		if left < headerLen+rest {
			return structure(fmt.Sprintf("a directory that ends inside entry %d", i), fmt.Sprintf("%d entries", records))
		}
		if _, err := r.Discard(int(rest)); err != nil {
			return structure(fmt.Sprintf("a directory that ends inside entry %d", i), fmt.Sprintf("%d entries", records))
		}
		left -= headerLen + rest
	}
	if left != 0 {
		return structure(fmt.Sprintf("%d bytes after the last declared entry", left), "nothing")
	}
	return nil
}
