// Package verify holds the vocabulary of answers: what a check, a failure, a cause and an outcome are called everywhere.
//
// Two kinds of "no" are never mixed. A Go error means that the question could not be put. A *Failure means that the answer is no; it
// names the check's reason code, what was found, what was wanted and where. A *Failure implements error so that leaf packages can
// return it; whoever calls them tells the two apart with errors.As.
//
// The codes are data. The sentences that explain them, in English and in French, live in one catalogue in package report.
package verify

import (
	"fmt"
	"strings"
)

// Reason is a stable snake_case code that says why a check did not hold, for example "audit_path_length".
type Reason string

// Failure says that something does not hold. It implements error.
type Failure struct {
	Reason  Reason // stable code
	Found   string // what was found, as text; may be empty where nothing was
	Wanted  string // what was expected
	File    string // name of the file inside the bundle or as given by the user; may be empty
	Pointer string // RFC 6901 pointer inside the file; may be empty
}

// Error is one line: the code, found, wanted, place.
func (f *Failure) Error() string {
	var b strings.Builder
	b.WriteString(string(f.Reason))
	if f.Found != "" || f.Wanted != "" {
		fmt.Fprintf(&b, ": found %s, want %s", orNothing(f.Found), f.Wanted)
	}
	if place := f.Place(); place != "" {
		b.WriteString(" (" + place + ")")
	}
	return b.String()
}

// Place is the file and the pointer, joined by "#" as in a URI reference, or whichever of the two is known.
func (f *Failure) Place() string {
	if f.Pointer == "" {
		return f.File
	}
	return f.File + "#" + f.Pointer
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// Status is the state of one check. The zero value is "not yet checked" and never counts as success.
type Status uint8

// The states of a check, in this order.
const (
	Unset   Status = iota // nobody looked; counts as failed
	OK                    // looked at, and holds
	Failed                // looked at, and does not hold
	Skipped               // cannot be looked at: not recomputable, or the material is missing
	Pending               // the anchor is not there yet
)

// String is the word used in every output.
func (s Status) String() string {
	switch s {
	case OK:
		return "ok"
	case Failed:
		return "failed"
	case Skipped:
		return "skipped"
	case Pending:
		return "pending"
	}
	return "unset"
}

// Check is one step of a verification and what it gave.
type Check struct {
	Name        string   // for example "batch_path"
	Status      Status   // the zero value counts as failed
	Independent bool     // true where a party other than the issuer vouches for it
	Reason      Reason   // empty where Status is OK and there is nothing to say
	Detail      *Failure // found, wanted and place; nil where there is nothing to say
	Note        string   // a fact worth showing when the check holds, such as the token's time
}

// Failing makes the failed check of a Failure.
func Failing(name string, independent bool, f *Failure) Check {
	return Check{Name: name, Status: Failed, Independent: independent, Reason: f.Reason, Detail: f}
}

// Checks is a list of checks in the order in which they are shown.
type Checks []Check

// Valid reports whether every check is ok or skipped, and at least one is ok. An empty list is not valid.
func (cs Checks) Valid() bool {
	ok := false
	for _, c := range cs {
		switch c.Status {
		case OK:
			ok = true
		case Skipped:
		default:
			return false
		}
	}
	return ok
}

// First returns the first check of the given status and whether there is one.
func (cs Checks) First(s Status) (Check, bool) {
	for _, c := range cs {
		if c.Status == s {
			return c, true
		}
	}
	return Check{}, false
}

// Named returns the check of that name and whether there is one.
func (cs Checks) Named(name string) (Check, bool) {
	for _, c := range cs {
		if c.Name == name {
			return c, true
		}
	}
	return Check{}, false
}

// Outcome is the answer of a whole run. It decides the exit code, whatever the output format. The zero value is Unusable.
type Outcome uint8

// The outcomes and their exit codes (command line contract).
const (
	Unusable   Outcome = iota // the question could not be put: exit 2
	Holds                     // answered, nothing failed: exit 0
	Differs                   // answered, something does not hold: exit 1
	Incomplete                // not answerable yet: exit 3
)

// ExitCode is the process exit code of the outcome.
func (o Outcome) ExitCode() int {
	switch o {
	case Holds:
		return 0
	case Differs:
		return 1
	case Incomplete:
		return 3
	}
	return 2
}

// String is the word used in every output.
func (o Outcome) String() string {
	switch o {
	case Holds:
		return "holds"
	case Differs:
		return "differs"
	case Incomplete:
		return "incomplete"
	}
	return "unusable"
}

// Worse returns the outcome that wins when several items were examined: in the order 2, 1, 3, 0 of their exit codes.
func Worse(a, b Outcome) Outcome {
	rank := func(o Outcome) int {
		switch o {
		case Holds:
			return 0
		case Incomplete:
			return 1
		case Differs:
			return 2
		}
		return 3
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}
