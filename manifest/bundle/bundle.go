// Package bundle opens a directory, or a .zip of one, as one read-only view: a sorted list of names, the bytes behind them, and the
// SHA-256 of every file that was read.
//
// What is inside comes from strangers, so the view is narrow. One walk lists it when it is opened. Only regular files and directories
// are taken; everything else (symbolic links, those that stay inside included, FIFOs, sockets, devices) is refused by name and never
// opened. A name that is not plain (not UTF-8, absolute, with "..", a backslash or a control character) is refused, as is a name that
// an archive holds twice. Refused names stay visible through Refused, and reading one gives the refusal, so that "there is a link in
// the place of season.json" is never reported as "season.json is missing": that one is fs.ErrNotExist.
//
// Names are slash-separated and relative to the root, as in io/fs, on every system.
//
// Files are read whole, at most Limits.FileSize bytes each. Whatever Read returned is what was judged, so its digest is kept: see Digests.
// A name that gives other bytes at a second reading is an error.
package bundle

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"syscall"
)

// Default limits, used where a field of Limits is zero.
const (
	DefaultFileSize  = 16 << 20  // bytes in one file
	DefaultFiles     = 1_000_000 // files, directories and refused names in one bundle
	DefaultTotalSize = 16 << 30  // bytes in all files together
	DefaultCache     = 64 << 20  // bytes of inflated files that a .zip keeps in memory
)

// Limits bounds what a bundle may hold. The zero value means the defaults.
type Limits struct {
	FileSize  int64 // bytes in one file; a larger one is refused by name
	Files     int   // entries in the bundle; more make Open fail
	TotalSize int64 // bytes in all files together; more make Open fail
	Cache     int64 // bytes of inflated files kept in memory; of use for a .zip only
}

func (l Limits) orDefaults() Limits {
	if l.FileSize <= 0 {
		l.FileSize = DefaultFileSize
	}
	if l.Files <= 0 {
		l.Files = DefaultFiles
	}
	if l.TotalSize <= 0 {
		l.TotalSize = DefaultTotalSize
	}
	if l.Cache <= 0 {
		l.Cache = DefaultCache
	}
	return l
}

// Digest is the SHA-256 of a file that was read, as it was read.
type Digest struct {
	Name   string
	SHA256 [sha256.Size]byte
}

// source is what a directory and an archive do differently: get the bytes of one listed file.
type source interface {
	read(name string, size int64) ([]byte, error)
	close() error
}

// Bundle is an opened directory or .zip. It is safe for concurrent use and implements fs.FS, fs.ReadFileFS and fs.ReadDirFS.
type Bundle struct {
	src     source
	names   []string // sorted, what can be read
	refused map[string]*Refusal
	twins   []Refusal

	mu    sync.Mutex
	files []listed // by place in names
}

// listed is what is known of one name. A long season has tens of thousands of them, so they stand in a list and not in maps.
type listed struct {
	size   int64 // bytes, as listed; never changes
	digest [sha256.Size]byte
	read   bool // digest is known
}

// Open lists the directory or the .zip at path. Whether it is one or the other is decided by what is there, not by the name.
// It fails with a *Refusal when that is neither, when the archive's structure does not hold, or when there is more than the
// limits allow; single bad entries do not make it fail (see Refused).
func Open(path string, l Limits) (*Bundle, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openDir(path, l.orDefaults())
	}
	// O_NONBLOCK: opening a FIFO without a writer would wait for ever.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &Refusal{Name: path, Why: NotRegular, Found: kind(info.Mode()), Wanted: "a directory or a .zip file"}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	b, err := OpenZip(f, info.Size(), l)
	if err != nil {
		f.Close()
		var r *Refusal
		if errors.As(err, &r) && r.Name == "" {
			r.Name = path
		}
		return nil, err
	}
	b.src.(*zipSource).file = f
	return b, nil
}

// listing collects what a walk finds and turns it into a Bundle.
type listing struct {
	limits  Limits
	entries int // everything counted against Limits.Files
	total   int64
	sizes   map[string]int64
	refused map[string]*Refusal
}

func newListing(l Limits) *listing {
	return &listing{limits: l, sizes: map[string]int64{}, refused: map[string]*Refusal{}}
}

// count adds n entries and fails once there are more than the limit.
func (l *listing) count(n int) error {
	l.entries += n
	if l.entries > l.limits.Files {
		return &Refusal{Why: TooMany, Found: fmt.Sprintf("%d entries or more", l.entries), Wanted: fmt.Sprintf("at most %d", l.limits.Files)}
	}
	return nil
}

// refuse keeps the refusal under the name as it was found, which r.Name may show escaped.
func (l *listing) refuse(name string, r *Refusal) {
	delete(l.sizes, name)
	l.refused[name] = r
}

// add takes a regular file under a name that was checked. It fails when the bundle as a whole becomes too large.
func (l *listing) add(name string, size int64) error {
	if size < 0 || size > l.limits.FileSize {
		l.refuse(name, &Refusal{Name: name, Why: TooLarge, Found: fmt.Sprintf("%d bytes", uint64(size)), Wanted: fmt.Sprintf("at most %d bytes", l.limits.FileSize)})
		return nil
	}
	l.sizes[name] = size
	l.total += size
	if l.total > l.limits.TotalSize {
		return &Refusal{Why: TotalTooLarge, Found: fmt.Sprintf("%d bytes or more", l.total), Wanted: fmt.Sprintf("at most %d bytes in all files together", l.limits.TotalSize)}
	}
	return nil
}

func (l *listing) bundle(src source) *Bundle {
	b := &Bundle{src: src, refused: l.refused, names: make([]string, 0, len(l.sizes)), files: make([]listed, len(l.sizes))}
	for name := range l.sizes {
		b.names = append(b.names, name)
	}
	sort.Strings(b.names)
	for i, name := range b.names {
		b.files[i].size = l.sizes[name]
	}
	b.twins = caseTwins(b.names, l.sizes)
	return b
}

// Names returns the names that can be read, sorted. The caller must not change the slice.
func (b *Bundle) Names() []string { return b.names }

// Has reports whether name can be read: a regular file that was not refused.
func (b *Bundle) Has(name string) bool {
	_, ok := slices.BinarySearch(b.names, name)
	return ok
}

// Under returns the names that begin with prefix, sorted; give the final slash to list a folder. The caller must not change the slice.
func (b *Bundle) Under(prefix string) []string {
	from := sort.SearchStrings(b.names, prefix)
	n := sort.Search(len(b.names)-from, func(i int) bool { return !strings.HasPrefix(b.names[from+i], prefix) })
	return b.names[from : from+n : from+n]
}

// Refused returns what the walk refused, sorted by name.
func (b *Bundle) Refused() []Refusal {
	out := make([]Refusal, 0, len(b.refused))
	for _, r := range b.refused {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y Refusal) int { return strings.Compare(x.Name, y.Name) })
	return out
}

// Twins returns, sorted by name, the files that can be read and whose names differ from another one only by case. A disk that
// ignores case cannot hold both, so they deserve a word in a report; reading by exact name makes the answer the same everywhere.
func (b *Bundle) Twins() []Refusal { return b.twins }

// Read returns the bytes of the file and records their digest. The bytes may be shared: they must not be changed.
//
// The error is fs.ErrNotExist (errors.Is) where there is nothing of that name, and a *Refusal where there is something that may not or
// cannot be read, a link in the middle of the path included.
func (b *Bundle) Read(name string) ([]byte, error) {
	i, ok := slices.BinarySearch(b.names, name)
	if !ok {
		return nil, b.absent(name)
	}
	data, err := b.src.read(name, b.files[i].size)
	if err != nil {
		return nil, err
	}
	if err := b.record(i, data); err != nil {
		return nil, err
	}
	return data, nil
}

// absent says why a name that is not listed cannot be read.
func (b *Bundle) absent(name string) error {
	for at, more := name, true; more; {
		if r, ok := b.refused[at]; ok {
			return r
		}
		slash := strings.LastIndexByte(at, '/')
		at, more = at[:max(slash, 0)], slash > 0
	}
	return &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
}

func (b *Bundle) record(i int, data []byte) error {
	sum := sha256.Sum256(data)
	b.mu.Lock()
	defer b.mu.Unlock()
	f := &b.files[i]
	if f.read && f.digest != sum {
		return &Refusal{Name: b.names[i], Why: Changed, Found: fmt.Sprintf("bytes with SHA-256 %x", sum), Wanted: fmt.Sprintf("those read before, %x", f.digest)}
	}
	f.digest, f.read = sum, true
	return nil
}

// Digests returns the digest of every file that was read so far, sorted by name.
func (b *Bundle) Digests() []Digest {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Digest
	for i := range b.files {
		if f := &b.files[i]; f.read {
			out = append(out, Digest{Name: b.names[i], SHA256: f.digest})
		}
	}
	return out
}

// Close releases the directory or the archive. Reading after Close fails.
func (b *Bundle) Close() error { return b.src.close() }
