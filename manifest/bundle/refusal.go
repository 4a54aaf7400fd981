package bundle

import (
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"unicode/utf8"
)

// Why is a stable snake_case code that says why something in a bundle is not read.
type Why string

// Why a name, a file or a whole bundle is refused.
const (
	NameInvalid   Why = "name_invalid"       // not UTF-8, absolute, with "..", an empty step, a backslash or a control character
	NameTooLong   Why = "name_too_long"      // more than MaxName bytes or MaxDepth steps
	NameRepeated  Why = "name_repeated"      // an archive holds the name twice, or as a file and as a folder
	CaseTwin      Why = "case_twin"          // reported, not refused: differs from another name only by case
	SymbolicLink  Why = "symbolic_link"      // a link, wherever it leads
	NotRegular    Why = "not_regular"        // a FIFO, socket, device: neither a regular file nor a directory
	TooLarge      Why = "file_too_large"     // more than Limits.FileSize bytes
	TooMany       Why = "too_many_files"     // more than Limits.Files entries
	TotalTooLarge Why = "total_too_large"    // more than Limits.TotalSize bytes together
	Ratio         Why = "compression_ratio"  // an archive that inflates to more than MaxRatio times its size
	Encrypted     Why = "zip_encrypted"      // an encrypted entry
	Method        Why = "zip_method"         // neither stored nor deflated
	ZipStructure  Why = "zip_structure"      // end record, directory or entry of the archive do not fit together
	ZipContent    Why = "zip_content"        // the entry does not inflate to what the directory declares
	Unreadable    Why = "unreadable"         // the system refused to open, list or read it
	Occupied      Why = "name_occupied"      // a file with other content lies where one was to be written; nothing is overwritten
	Changed       Why = "changed_while_read" // other bytes, size or kind than when first looked at
)

// Limits on names, whatever the limits of the bundle.
const (
	MaxName  = 1024 // bytes in a whole name
	MaxDepth = 32   // steps in a name
)

// Refusal says that something in a bundle, or the bundle itself where Name is its path, is not read. It implements error.
type Refusal struct {
	Name   string // as found; what cannot be printed is escaped, and a name that is too long is cut
	Why    Why
	Found  string
	Wanted string
}

// Error is one line: name, code, found, wanted.
func (r *Refusal) Error() string {
	s := string(r.Why)
	if r.Name != "" {
		s = r.Name + ": " + s
	}
	if r.Found != "" {
		s += ": found " + r.Found
	}
	if r.Wanted != "" {
		s += ", want " + r.Wanted
	}
	return s
}

// printable makes a name safe to print: bytes that are no text, or would move a cursor, are written as hexadecimal escapes.
func printable(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if isControl(r) || r == utf8.RuneError && n == 1 {
			for _, c := range []byte(name[i : i+n]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		} else {
			b.WriteString(name[i : i+n])
		}
		i += n
	}
	return b.String()
}

// checkName refuses a name that could mean two things to two programs, or something outside the bundle.
func checkName(name string) *Refusal {
	invalid := func(found string) *Refusal {
		return &Refusal{Name: printable(name), Why: NameInvalid, Found: found, Wanted: "plain UTF-8 steps joined by /"}
	}
	if len(name) > MaxName || strings.Count(name, "/") >= MaxDepth {
		return &Refusal{Name: printable(name[:min(len(name), MaxName)]), Why: NameTooLong, Found: "a longer or deeper name", Wanted: "at most 1024 bytes and 32 steps"}
	}
	switch {
	case !utf8.ValidString(name):
		return invalid("bytes that are not UTF-8")
	case strings.HasPrefix(name, "/"):
		return invalid("an absolute name")
	case strings.ContainsRune(name, '\\'):
		return invalid("a backslash")
	case strings.ContainsFunc(name, isControl):
		return invalid("a control character")
	case !fs.ValidPath(name) || name == ".":
		return invalid(`an empty step, "." or ".."`)
	}
	return nil
}

// isControl reports C0 and C1 controls and the marks that reverse the direction of text on a screen.
func isControl(r rune) bool {
	return r < 0x20 || 0x7f <= r && r <= 0x9f || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m.IsRegular():
		return "a regular file"
	}
	return "a special file"
}

// refusalOfKind is the refusal of anything but a regular file or directory, or nil.
func refusalOfKind(name string, m fs.FileMode) *Refusal {
	switch {
	case m.IsRegular() || m.IsDir():
		return nil
	case m&fs.ModeSymlink != 0:
		return &Refusal{Name: name, Why: SymbolicLink, Found: kind(m), Wanted: "a regular file or a directory"}
	}
	return &Refusal{Name: name, Why: NotRegular, Found: kind(m), Wanted: "a regular file or a directory"}
}

// caseTwins reports every name that equals another one when case is ignored. Of such names at most one is its own folded form, so only
// the others are remembered.
func caseTwins(sorted []string, listed map[string]int64) []Refusal {
	groups := map[string][]string{}
	for _, name := range sorted {
		if folded := foldCase(name); folded != name {
			groups[folded] = append(groups[folded], name)
		}
	}
	var out []Refusal
	for folded, names := range groups {
		if _, ok := listed[folded]; ok {
			names = append(names, folded)
		}
		for i, name := range names {
			if len(names) > 1 {
				out = append(out, Refusal{Name: name, Why: CaseTwin, Found: "a name equal to " + names[(i+1)%len(names)] + " but for case", Wanted: "names that differ by more"})
			}
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// foldCase goes through upper case, which brings together letters that have two lowercase forms.
func foldCase(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return strings.ToLower(strings.ToUpper(name))
		}
	}
	return strings.ToLower(name)
}
