//go:build !linux

package cli

import (
	"errors"
	"os"
)

// exchange lets two folders change places in three renames; a crash between them leaves the old one beside the target.
func exchange(a, b string) error {
	old := a + ".old"
	if err := os.Rename(b, old); err != nil {
		return err
	}
	if err := os.Rename(a, b); err != nil {
		return errors.Join(err, os.Rename(old, b))
	}
	return os.Rename(old, a)
}
