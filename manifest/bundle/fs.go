package bundle

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"time"
)

// Open implements fs.FS. A file is read, and its digest recorded, when it is opened.
func (b *Bundle) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if b.Has(name) {
		data, err := b.Read(name)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &file{info: info{name: path.Base(name), size: int64(len(data))}, Reader: bytes.NewReader(data)}, nil
	}
	entries, err := b.ReadDir(name)
	if err != nil {
		return nil, err
	}
	return &folder{info: info{name: path.Base(name), dir: true}, name: name, left: entries}, nil
}

// ReadFile implements fs.ReadFileFS. Unlike Read it gives bytes that the caller may change.
func (b *Bundle) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	data, err := b.Read(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return bytes.Clone(data), nil
}

// ReadDir implements fs.ReadDirFS: what can be read right below the folder, sorted. A folder without such files does not exist.
func (b *Bundle) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	under := b.Under(prefix)
	at := sort.SearchStrings(b.names, prefix) // the place of the first of them
	if len(under) == 0 && name != "." {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: b.absent(name)}
	}
	var out []fs.DirEntry
	for len(under) > 0 {
		step, _, deeper := strings.Cut(under[0][len(prefix):], "/")
		skip := 1
		if deeper {
			skip = sort.Search(len(under), func(i int) bool { return !strings.HasPrefix(under[i], prefix+step+"/") })
		}
		out = append(out, fs.FileInfoToDirEntry(info{name: step, size: b.files[at].size, dir: deeper}))
		under, at = under[skip:], at+skip
	}
	slices.SortFunc(out, func(x, y fs.DirEntry) int { return strings.Compare(x.Name(), y.Name()) })
	return out, nil
}

// info describes a file or folder. Times are not kept: nothing may depend on them.
type info struct {
	name string
	size int64
	dir  bool
}

func (i info) Name() string { return i.name }
func (i info) Size() int64 {
	if i.dir {
		return 0
	}
	return i.size
}
func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.dir }
func (i info) Sys() any           { return nil }

type file struct {
	info
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Size() int64                { return f.info.size }
func (f *file) Close() error               { return nil }

type folder struct {
	info
	name string
	left []fs.DirEntry
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folder) Close() error               { return nil }
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(f.left) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(f.left) {
		n = len(f.left)
	}
	out := f.left[:n:n]
	f.left = f.left[n:]
	return out, nil
}
