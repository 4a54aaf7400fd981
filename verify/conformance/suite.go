package conformance

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// Format is the format name of expected.json.
const Format = "proveit.conformance/v1"

// Case is one question with the answer that it must get.
type Case struct {
	Name     string // name of the folder
	Question string // for example "proof verify"
	Input    []Input
	Want     Answer
}

// Input is one named part of a question, in the order of the names.
type Input struct {
	Name  string // for example "proof"
	Value string // a path relative to the case's folder, or a plain value where PROTOCOL.md says so
}

// Answer is what a verifier says. Check and Reason are empty where nothing fails; another verifier may leave them empty always.
type Answer struct {
	Result   string            // the word of the question, such as "valid" or "refused"
	Check    string            // the check that fails, such as "batch_path"
	Reason   string            // the reason code, such as "audit_path_length"
	ExitCode int               // 0 holds, 1 differs, 2 the question could not be put, 3 not answerable yet
	Facts    map[string]string // further values that are compared where the case states them
}

// Refusal reports whether the case is one whose input must not be accepted.
func (c Case) Refusal() bool { return c.Want.ExitCode != 0 }

// Load reads every case of a suite, sorted by name. A folder that lacks expected.json or README.md is an error: a case that is passed over
// would count as nothing.
func Load(suite fs.FS) ([]Case, error) {
	entries, err := fs.ReadDir(suite, ".")
	if err != nil {
		return nil, err
	}
	var out []Case
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), "_") {
			continue
		}
		if _, err := fs.Stat(suite, e.Name()+"/README.md"); err != nil {
			return nil, fmt.Errorf("%s: found no README.md, want one that says why", e.Name())
		}
		name := e.Name() + "/expected.json"
		b, err := fs.ReadFile(suite, name)
		if err != nil {
			return nil, err
		}
		c, err := parse(name, b)
		if err != nil {
			return nil, err
		}
		c.Name = e.Name()
		out = append(out, c)
	}
	return out, nil
}

// parse reads one expected.json.
func parse(name string, b []byte) (Case, error) {
	v, err := canon.ParseStrict(name, b)
	if err != nil {
		return Case{}, err
	}
	if format, _ := v.Get("format").Text(); format != Format {
		return Case{}, fmt.Errorf("%s: found format %q, want %q", name, format, Format)
	}
	c := Case{}
	if c.Question, err = text(name, v, "question"); err != nil {
		return Case{}, err
	}
	for member, value := range v.Get("input").Members() {
		s, ok := value.Text()
		if !ok {
			return Case{}, fmt.Errorf("%s: found no text at /input/%s, want one", name, member)
		}
		c.Input = append(c.Input, Input{strings.Clone(member), strings.Clone(s)})
	}
	slices.SortFunc(c.Input, func(a, b Input) int { return strings.Compare(a.Name, b.Name) })
	c.Want, err = ParseAnswer(name, v)
	return c, err
}

// ParseAnswer reads the members result, check, reason, exit_code and facts of a document. result and exit_code are required.
func ParseAnswer(name string, v canon.Value) (Answer, error) {
	a := Answer{Facts: map[string]string{}}
	var err error
	if a.Result, err = text(name, v, "result"); err != nil {
		return Answer{}, err
	}
	a.Check, _ = v.Get("check").Text()
	a.Reason, _ = v.Get("reason").Text()
	a.Check, a.Reason = strings.Clone(a.Check), strings.Clone(a.Reason)
	code, ok := v.Get("exit_code").Int64()
	if !ok || code < 0 || code > 3 {
		return Answer{}, fmt.Errorf("%s: found %q at /exit_code, want 0, 1, 2 or 3", name, v.Get("exit_code").Raw())
	}
	a.ExitCode = int(code)
	for member, value := range v.Get("facts").Members() {
		s, ok := value.Text()
		if !ok {
			return Answer{}, fmt.Errorf("%s: found no text at /facts/%s, want one", name, member)
		}
		a.Facts[strings.Clone(member)] = strings.Clone(s)
	}
	return a, nil
}

func text(name string, v canon.Value, member string) (string, error) {
	s, ok := v.Get(member).Text()
	if !ok || s == "" {
		return "", fmt.Errorf("%s: found no text at /%s, want one", name, member)
	}
	return strings.Clone(s), nil
}
