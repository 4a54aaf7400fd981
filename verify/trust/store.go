package trust

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/tsa"
)

// Limits of the trust folder. The largest real file takes about 7,000 bytes.
const (
	MaxFile  = 1 << 20 // bytes of one file
	MaxFiles = 1024    // files
)

// Presence says what is known of a timestamping authority.
type Presence uint8

// The states of a provider. The zero value is that of a name nobody knows.
const (
	Unknown Presence = iota // neither configured nor one of KnownProviders
	Absent                  // one of KnownProviders, and the folder has nothing for it
	Present                 // configured
)

// KnownProviders are the authorities that the issuer uses, sorted. Missing material for one of these is not a fault of a proof.
var KnownProviders = []string{"digicert.com", "freetsa.org", "sectigo.com"}

// Store is a trust folder that has been read. It never changes, so any number of goroutines may use it. The zero Store and a nil one hold
// nothing: every proof is then incomplete.
type Store struct {
	source      string
	authorities []tsa.Authority // sorted by provider
	logs        []LogKey
	plain       []rekor.Log // logs, in the form that rekor takes
	issuer      []IssuerKey
	submitters  []RekorKey
	keys        []Key
	ignored     []string
}

// FormatError says where the trust folder is malformed.
type FormatError struct {
	File    string // in the trust folder
	Pointer string // RFC 6901 pointer inside a JSON file; empty where it is none
	Found   string
	Want    string
}

// Error is one line: place, found, wanted.
func (e *FormatError) Error() string {
	place := e.File
	if e.Pointer != "" {
		place += "#" + e.Pointer
	}
	return fmt.Sprintf("trust %s: found %s, want %s", place, e.Found, e.Want)
}

// Load reads a trust folder. source is how reports call it, for example "bundle"; no path of the machine. An error says that the folder is
// malformed (a *FormatError or *canon.SyntaxError), cannot be read, or holds no key at all.
func Load(fsys fs.FS, source string) (*Store, error) {
	names, err := list(fsys)
	if err != nil {
		return nil, err
	}
	l := loader{fsys: fsys, store: &Store{source: source}}
	if err := l.load(names); err != nil {
		return nil, err
	}
	s := l.store
	if len(s.keys) == 0 {
		return nil, fmt.Errorf("found no key in %d files, want rekor/, tsa/ or issuer/ files", len(names))
	}
	return s, nil
}

// Source is how reports call the folder; empty for no folder.
func (s *Store) Source() string {
	if s == nil {
		return ""
	}
	return s.source
}

// Authority is the timestamping authority of that name, and whether there is one.
func (s *Store) Authority(provider string) (tsa.Authority, Presence) {
	if s != nil {
		for _, a := range s.authorities {
			if a.Provider == provider {
				return a, Present
			}
		}
	}
	if slices.Contains(KnownProviders, provider) {
		return tsa.Authority{}, Absent
	}
	return tsa.Authority{}, Unknown
}

// Providers are the configured timestamping authorities, sorted.
func (s *Store) Providers() []string {
	var names []string
	if s != nil {
		for _, a := range s.authorities {
			names = append(names, a.Provider)
		}
	}
	return names
}

// Logs are the trusted logs, by name. The slice is not to be changed.
func (s *Store) Logs() []rekor.Log {
	if s == nil {
		return nil
	}
	return s.plain
}

// LogKeys are the trusted logs with the windows of their keys, in the order of Logs. The slice is not to be changed.
func (s *Store) LogKeys() []LogKey {
	if s == nil {
		return nil
	}
	return s.logs
}

// IssuerKeys are the issuer's published signing keys, in the order of the files. The slice is not to be changed.
func (s *Store) IssuerKeys() []IssuerKey {
	if s == nil {
		return nil
	}
	return s.issuer
}

// RekorKeys are the issuer's published log submission keys, in the order of the files. The slice is not to be changed.
func (s *Store) RekorKeys() []RekorKey {
	if s == nil {
		return nil
	}
	return s.submitters
}

// Keys are all keys and certificates, by kind and then in the order in which they were read. The slice is not to be changed.
func (s *Store) Keys() []Key {
	if s == nil {
		return nil
	}
	return s.keys
}

// Ignored are the files outside the layout, sorted. They were not read.
func (s *Store) Ignored() []string {
	if s == nil {
		return nil
	}
	return s.ignored
}

// list names every file, sorted. Anything but files and directories is refused.
func list(fsys fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return &FormatError{File: name, Found: d.Type().String(), Want: "a regular file"}
		case len(names) == MaxFiles:
			return &FormatError{File: ".", Found: "more files", Want: fmt.Sprintf("at most %d", MaxFiles)}
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("trust folder: %w", err)
	}
	slices.Sort(names)
	return names, nil
}

// loader fills a store, file by file.
type loader struct {
	fsys  fs.FS
	store *Store
}

func (l *loader) load(names []string) error {
	var issuer, logs, certificates []string
	root := ""
	for _, name := range names {
		dir, base := path.Split(name)
		switch {
		case name == "trusted_root.json":
			root = name
		case dir == "issuer/" && strings.HasSuffix(base, ".json"):
			issuer = append(issuer, name)
		case dir == "rekor/" && (strings.HasSuffix(base, ".pem") || strings.HasSuffix(base, ".json")):
			logs = append(logs, name)
		case strings.HasPrefix(dir, "tsa/") && strings.Count(dir, "/") == 2 && (strings.HasSuffix(base, ".pem") || base == "policy.txt"):
			certificates = append(certificates, name)
		default:
			l.store.ignored = append(l.store.ignored, name)
		}
	}
	tr, err := l.trustedRoot(root)
	if err != nil {
		return err
	}
	if err := l.issuerFiles(issuer); err != nil {
		return err
	}
	if err := l.logFiles(logs, tr); err != nil {
		return err
	}
	return l.authorityFiles(certificates, tr)
}

// read gives the bytes of one file, MaxFile at most.
func (l *loader) read(name string) ([]byte, error) {
	f, err := l.fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("trust %s: %w", name, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("trust %s: %w", name, err)
	}
	if len(b) > MaxFile {
		return nil, &FormatError{File: name, Found: "a larger file", Want: fmt.Sprintf("at most %d bytes", MaxFile)}
	}
	return b, nil
}
