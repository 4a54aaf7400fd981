package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"
)

// tempName is where a file is written before it gets its name. It lies beside season.json, where nothing is looked for, so that what a
// run leaves there when it is killed is no evidence.
const tempName = ".import.tmp"

// Writer puts files into the directory of a bundle. It never changes a file that is there: what a bundle holds is evidence. What it wrote
// stays once Keep was called, and goes again at Close where it was not.
type Writer struct {
	root  *os.Root
	dry   bool
	above []string // directories that were made for the root, outermost first
	made  []made   // below the root, in the order in which they were made
}

// made is a file or directory of the writer's own; the information tells it from another one that came to lie there.
type made struct {
	name string
	info fs.FileInfo
}

// is reports whether what lies there now is what was made. A system may give a new file the number of one that was removed, so a file
// must not have been written since.
func (m made) is(now fs.FileInfo) bool {
	return os.SameFile(now, m.info) && (m.info.IsDir() || now.Size() == m.info.Size() && now.ModTime().Equal(m.info.ModTime()))
}

// NewWriter opens the directory at dir, which is made where it is not there. A dry writer changes nothing and answers as if it did; its
// directory must be there.
func NewWriter(dir string, dry bool) (*Writer, error) {
	w := &Writer{dry: dry}
	if !dry {
		if err := w.makeRoot(filepath.Clean(dir)); err != nil {
			w.takeAway()
			return nil, err
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		w.takeAway()
		return nil, err
	}
	w.root = root
	return w, nil
}

func (w *Writer) makeRoot(dir string) error {
	err := os.Mkdir(dir, 0o777)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		if err := w.makeRoot(filepath.Dir(dir)); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o777)
	}
	switch {
	case err == nil:
		w.above = append(w.above, dir)
	case errors.Is(err, fs.ErrExist):
		return nil // opened next, which fails where it is no directory
	}
	return err
}

// Keep says that what was written so far is to stay.
func (w *Writer) Keep() { w.above, w.made = nil, nil }

// Close takes away what was not kept, and releases the directory.
func (w *Writer) Close() error {
	err := w.takeAway()
	return errors.Join(err, w.root.Close())
}

// takeAway removes what the writer made, the last first. A directory that holds somebody's file by now stays.
func (w *Writer) takeAway() error {
	var errs []error
	for _, m := range slices.Backward(w.made) {
		if now, err := w.root.Lstat(m.name); err != nil || !m.is(now) {
			continue
		}
		if err := w.root.Remove(m.name); err != nil && !m.info.IsDir() {
			errs = append(errs, err)
		}
	}
	for _, dir := range slices.Backward(w.above) {
		os.Remove(dir) // fails where it is not empty
	}
	w.Keep()
	return errors.Join(errs...)
}

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
	if err := w.makeDir(path.Dir(name)); err != nil {
		return false, err
	}
	defer w.root.Remove(tempName)
	written, err := w.write(tempName, b)
	if err != nil {
		return false, err
	}
	// A link, and not a renaming, because it fails where something has come to lie there meanwhile.
	if err := w.root.Link(tempName, name); err != nil {
		return false, err
	}
	// Another writer in the same directory may have put its own file under the temporary name.
	if linked, err := w.root.Lstat(name); err != nil || !os.SameFile(linked, written) {
		err = errors.Join(err, w.root.Remove(name))
		return false, errors.Join(&Refusal{Name: name, Why: Changed, Found: "the file of another writer", Wanted: "one writer at a time"}, err)
	}
	w.made = append(w.made, made{name, written})
	return true, nil
}

// makeDir makes a directory and those above it, and remembers which are its own.
func (w *Writer) makeDir(dir string) error {
	if dir == "." {
		return nil
	}
	if err := w.makeDir(path.Dir(dir)); err != nil {
		return err
	}
	err := w.root.Mkdir(dir, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := w.root.Lstat(dir)
	if err == nil {
		w.made = append(w.made, made{dir, info})
	}
	return err
}

// write makes a file of its own; one of that name was left by a run that was killed, and goes.
func (w *Writer) write(name string, b []byte) (fs.FileInfo, error) {
	if err := w.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(b)
	info, statErr := f.Stat()
	return info, errors.Join(err, statErr, f.Close())
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
