package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// outDir is a folder that appears whole or not at all. Everything is written to a hidden folder beside the target, which takes the
// target's place at the end; what was there before stays until then, and stays where anything fails.
type outDir struct {
	target string
	temp   string
}

// mark is the file by which a folder is known to be an earlier output, which may be replaced.
const mark = "replay.json"

// newOutDir prepares a target that is not there, is empty, or holds the named file of an earlier output.
func newOutDir(target, earlier string) (*outDir, error) {
	target = filepath.Clean(target)
	entries, err := os.ReadDir(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("--out: %w", readError(target, err))
	case len(entries) > 0:
		if _, err := os.Lstat(filepath.Join(target, earlier)); err != nil {
			return nil, fmt.Errorf("--out: %s: found a folder with other files, want one that is not there, empty, or an earlier output (with %s)", target, earlier)
		}
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return nil, fmt.Errorf("--out: %w", readError(filepath.Dir(target), err))
	}
	temp, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+".tmp-")
	if err != nil {
		return nil, fmt.Errorf("--out: %w", readError(filepath.Dir(target), err))
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		os.RemoveAll(temp)
		return nil, fmt.Errorf("--out: %w", err)
	}
	return &outDir{target, temp}, nil
}

// create makes a file of a slash-separated name, and the folders above it.
func (d *outDir) create(name string) (io.WriteCloser, error) {
	path := filepath.Join(d.temp, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("--out: %s: %w", name, errors.Unwrap(err))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("--out: %s: %w", name, errors.Unwrap(err))
	}
	return f, nil
}

// discard removes what was written. After commit it does nothing.
func (d *outDir) discard() {
	if d.temp != "" {
		os.RemoveAll(d.temp)
	}
}

// commit puts the folder in the target's place.
func (d *outDir) commit() error {
	err := os.Rename(d.temp, d.target)
	if err != nil {
		// A folder that is not empty cannot be renamed over: the two change places in one step, and the old one goes.
		if err = exchange(d.temp, d.target); err != nil {
			return fmt.Errorf("--out: %s: %w", d.target, err)
		}
		err = os.RemoveAll(d.temp)
	}
	d.temp = ""
	return err
}
