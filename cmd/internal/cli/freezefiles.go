package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify/freeze"
	"github.com/ark-forge/proveit/verify/replay"
)

// materials are the files to be frozen: those of a season's bundle where one is given, else those given, the keys with their salts.
func (a *app) materials(args []string, o commitFlags) ([]freeze.Material, error) {
	if len(args) == 1 && len(o.keys) == 0 && isBundle(args[0]) {
		return frozenFiles(args[0], o.salts)
	}
	var files []freeze.Material
	for _, arg := range slices.Concat(args, o.keys) {
		found, err := a.materialsOf(arg)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			// A key may be given among the files too, or lie in a folder that is.
			if !slices.ContainsFunc(files, func(o freeze.Material) bool { return o.Name == f.Name && string(o.Bytes) == string(f.Bytes) }) {
				files = append(files, f)
			}
		}
	}
	return salted(files, o)
}

// isBundle reports whether a path is a season's bundle: a folder with season.json, or an archive.
func isBundle(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return err != nil || strings.EqualFold(filepath.Ext(path), ".zip")
	}
	_, err = os.Lstat(filepath.Join(path, replay.SeasonFile))
	return err == nil
}

// materialsOf reads a file, or every file of a folder. Names are those in the folder; a file that is given by itself keeps its relative name.
func (a *app) materialsOf(arg string) ([]freeze.Material, error) {
	if info, err := os.Stat(arg); err != nil || !info.IsDir() {
		bytes, err := a.read(arg)
		if err != nil {
			return nil, err
		}
		return []freeze.Material{{Name: frozenName(arg), Bytes: bytes}}, nil
	}
	b, err := openFiles(arg, bundle.Limits{})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if refused := b.Refused(); len(refused) > 0 {
		return nil, fmt.Errorf("%s: %w", arg, &refused[0])
	}
	if len(b.Names()) == 0 {
		return nil, fmt.Errorf("%s: found no file, want at least one: nothing was examined", arg)
	}
	var out []freeze.Material
	for _, name := range b.Names() {
		bytes, err := b.Read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arg, err)
		}
		out = append(out, freeze.Material{Name: name, Bytes: bytes})
	}
	return out, nil
}

// frozenName is how a file that is given by itself is called in the commitment.
func frozenName(arg string) string {
	if !filepath.IsLocal(arg) {
		return filepath.Base(arg)
	}
	return filepath.ToSlash(filepath.Clean(arg))
}

// salted gives every answer key its salt.
func salted(files []freeze.Material, o commitFlags) ([]freeze.Material, error) {
	var keys []int
	for i, f := range files {
		named := slices.ContainsFunc(o.keys, func(arg string) bool { return frozenName(arg) == f.Name })
		if named || isKey(f) {
			keys = append(keys, i)
		}
	}
	if len(o.salts) > 0 && len(keys) == 0 {
		return nil, errors.New("--salt: found no answer key among the files, want one, or its name with --key")
	}
	if len(o.salts) > 1 && len(o.salts) != len(keys) {
		return nil, fmt.Errorf("--salt: found %d, want one, or one for each of the %d keys", len(o.salts), len(keys))
	}
	for n, i := range keys {
		var err error
		if files[i].Salt, err = salt(o.salts, n); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// isKey reports whether a file says that it is an answer key.
func isKey(f freeze.Material) bool {
	v, err := canon.ParseStrict(f.Name, f.Bytes)
	if err != nil {
		return false
	}
	format, _ := v.Get("format").Text()
	return format == season.FormatKey
}

// frozenFiles are the files that season.json names, the keys with their salts.
func frozenFiles(path string, salts []string) ([]freeze.Material, error) {
	b, err := openBundle(path, seasonFlags{})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	raw, err := b.Read(replay.SeasonFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s, err := season.ParseSeason(replay.SeasonFile, raw)
	if err != nil {
		return nil, err
	}
	if len(salts) > 1 && len(salts) != len(s.Tracks) {
		return nil, fmt.Errorf("--salt: found %d, want one, or one for each of the %d tracks", len(salts), len(s.Tracks))
	}
	names, keys := []string{replay.SeasonFile, s.ManifestFile}, map[string]*[freeze.SaltSize]byte{}
	if b.Has(s.EnrolmentFile) {
		names = append(names, s.EnrolmentFile)
	}
	for i, t := range s.Tracks {
		if keys[t.KeyFile], err = salt(salts, i); err != nil {
			return nil, err
		}
		names = append(names, t.ScaleFile, t.TextFile, t.KeyFile)
	}
	var files []freeze.Material
	for _, name := range names {
		bytes, err := b.Read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		files = append(files, freeze.Material{Name: name, Bytes: bytes, Salt: keys[name]})
	}
	return files, nil
}

// salt is the given one, or 32 random bytes.
func salt(given []string, i int) (*[freeze.SaltSize]byte, error) {
	var s [freeze.SaltSize]byte
	if len(given) == 0 {
		_, err := rand.Read(s[:])
		return &s, err
	}
	d, err := canon.ParseHex(given[min(i, len(given)-1)])
	if err != nil {
		return nil, fmt.Errorf("--salt: %w", err)
	}
	s = d
	return &s, nil
}
