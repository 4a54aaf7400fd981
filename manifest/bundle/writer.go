package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// Writer puts files into the directory of a bundle. It never changes a file that is there: what a bundle holds is evidence.
type Writer struct {
	root *os.Root
	dry  bool
}

// NewWriter opens the directory at dir, which is made where it is not there. A dry writer changes nothing and answers as if it did; its
// directory must be there.
func NewWriter(dir string, dry bool) (*Writer, error) {
	if !dry {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Writer{root, dry}, nil
}

// Close releases the directory.
func (w *Writer) Close() error { return w.root.Close() }

// Put writes a file, whole or not at all. It reports whether the file is new: false where one with these bytes is there already. The error
// is a *Refusal where the name is not plain, or something else lies there, and any other where the file cannot be written.
func (w *Writer) Put(name string, b []byte) (bool, error) {
	if r := checkName(name); r != nil {
		return false, r
	}
	if there, err := w.there(name, b); there || err != nil {
		return false, err
	}
	if w.dry {
		return true, nil
	}
	if dir := path.Dir(name); dir != "." {
		if err := w.root.MkdirAll(dir, 0o777); err != nil {
			return false, err
		}
	}
	temp := path.Join(path.Dir(name), ".import.tmp")
	if err := w.write(temp, b); err != nil {
		return false, err
	}
	defer w.root.Remove(temp)
	// A link, and not a renaming, because it fails where something has come to lie there meanwhile.
	if err := w.root.Link(temp, name); err != nil {
		return false, err
	}
	return true, nil
}

func (w *Writer) write(name string, b []byte) error {
	if err := w.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) { // left by a run that was interrupted
		return err
	}
	f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// there reports whether a file with these bytes lies under the name already. Anything else under it is a *Refusal.
func (w *Writer) there(name string, b []byte) (bool, error) {
	info, err := w.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, &Refusal{Name: name, Why: NotRegular, Found: info.Mode().Type().String(), Wanted: "a regular file, or nothing"}
	}
	f, err := w.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	old, err := io.ReadAll(io.LimitReader(f, int64(len(b))+1))
	if err != nil {
		return false, err
	}
	if !bytes.Equal(old, b) {
		return false, &Refusal{Name: name, Why: Occupied, Found: fmt.Sprintf("a file of %d bytes with other content", info.Size()), Wanted: "the same bytes, or nothing"}
	}
	return true, nil
}
