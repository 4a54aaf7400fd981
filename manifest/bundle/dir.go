package bundle

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"
	"syscall"
)

// dirChunk is how many names are asked of the system at a time, so that a folder of millions is not listed before it is refused.
const dirChunk = 1024

// maxFolders is how many folders are kept open, so that the files of one folder do not each begin at the root.
const maxFolders = 64

// dirSource reads the files of a directory tree through os.Root, which keeps every step inside it.
type dirSource struct {
	root *os.Root
	max  int64 // bytes in one file

	mu      sync.Mutex
	folders map[string]*os.Root // opened through root
}

func openDir(at string, l Limits) (*Bundle, error) {
	root, err := os.OpenRoot(at)
	if err != nil {
		return nil, err
	}
	list := newListing(l)
	src := &dirSource{root: root, max: l.FileSize, folders: map[string]*os.Root{}}
	if err := src.walk(".", list); err != nil {
		root.Close()
		var r *Refusal
		if errors.As(err, &r) && r.Name == "" {
			r.Name = at
		}
		return nil, err
	}
	return list.bundle(src), nil
}

// walk lists one folder and what is below it. Depth is bounded by checkName.
func (d *dirSource) walk(dir string, l *listing) error {
	f, err := d.root.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		if dir == "." {
			return err
		}
		l.refuse(dir, unreadable(dir, err))
		return nil
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(dirChunk)
		if err := l.count(len(entries)); err != nil {
			return err
		}
		for _, e := range entries {
			if err := d.entry(join(dir, e.Name()), e, l); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			if dir == "." {
				return err
			}
			l.refuse(dir, unreadable(dir, err))
			return nil
		}
	}
}

func (d *dirSource) entry(name string, e fs.DirEntry, l *listing) error {
	if r := checkName(name); r != nil {
		l.refuse(name, r)
		return nil
	}
	info, err := e.Info()
	if err != nil {
		l.refuse(name, unreadable(name, err))
		return nil
	}
	if r := refusalOfKind(name, info.Mode()); r != nil {
		l.refuse(name, r)
		return nil
	}
	if info.IsDir() {
		return d.walk(name, l)
	}
	return l.add(name, info.Size())
}

// read opens without blocking and then looks at what was opened, since the tree may have changed after the walk: os.Root follows links
// that stay inside, even when asked not to, and a FIFO would wait for a writer.
func (d *dirSource) read(name string, size int64) ([]byte, error) {
	f, listed, err := d.open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, unreadable(name, err)
	}
	if r := refusalOfKind(name, listed.Mode()); r != nil {
		return nil, r
	}
	if !opened.Mode().IsRegular() || !os.SameFile(opened, listed) || opened.Size() != size {
		return nil, &Refusal{Name: name, Why: Changed, Found: fmt.Sprintf("%s of %d bytes", kind(opened.Mode()), opened.Size()), Wanted: fmt.Sprintf("the regular file of %d bytes that was listed", size)}
	}
	return readExactly(f, name, size)
}

// open opens a file and looks at what stands under its name.
func (d *dirSource) open(name string) (*os.File, fs.FileInfo, error) {
	dir, base := path.Split(name)
	if dir != "" {
		folder, err := d.folder(dir)
		if err == nil {
			f, info, err := openIn(folder, base)
			// Another reader may have closed the folder for want of room; the root stays open.
			if !errors.Is(err, os.ErrClosed) {
				return f, info, err
			}
		}
	}
	return openIn(d.root, name)
}

func openIn(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := root.Lstat(name)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// folder gives an open folder of the tree. When there are too many of them all are closed: files are read folder by folder.
func (d *dirSource) folder(dir string) (*os.Root, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if folder, ok := d.folders[dir]; ok {
		return folder, nil
	}
	folder, err := d.root.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if len(d.folders) == maxFolders {
		d.closeFolders()
	}
	d.folders[dir] = folder
	return folder, nil
}

func (d *dirSource) closeFolders() {
	for _, folder := range d.folders {
		folder.Close()
	}
	clear(d.folders)
}

// readExactly reads size bytes and makes sure that there are no more and no fewer.
func readExactly(r io.Reader, name string, size int64) ([]byte, error) {
	data := make([]byte, size)
	n, err := io.ReadFull(r, data)
	if err == nil {
		var extra [1]byte
		var m int
		if m, err = io.ReadFull(r, extra[:]); m != 0 {
			return nil, &Refusal{Name: name, Why: Changed, Found: "more bytes", Wanted: fmt.Sprintf("%d, as listed", size)}
		}
	}
	switch {
	case err == io.EOF && int64(n) == size:
		return data, nil
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return nil, &Refusal{Name: name, Why: Changed, Found: fmt.Sprintf("%d bytes", n), Wanted: fmt.Sprintf("%d, as listed", size)}
	}
	return nil, unreadable(name, err)
}

func (d *dirSource) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closeFolders()
	return d.root.Close()
}

func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// unreadable keeps what the system said without the path of the machine, which io/fs errors repeat.
func unreadable(name string, err error) *Refusal {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &Refusal{Name: name, Why: Unreadable, Found: err.Error(), Wanted: "a file that can be read"}
}
