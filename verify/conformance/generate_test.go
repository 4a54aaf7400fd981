package conformance_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/conformance"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

var update = flag.Bool("update", false, "write the suite of testdata/conformance")

const (
	suiteDir = "../../testdata/conformance"

	// The suite never shrinks below these without somebody saying so here.
	minimumCases    = 460
	minimumRefusals = 355
	maximumBytes    = 6 << 20
)

// given is one case: everything that its folder holds.
type given struct {
	name     string
	what     string // what the input is, and the one thing that is wrong with it
	why      string // why the answer must be what it is
	question string
	input    []string // name and value in turn
	files    map[string][]byte
	want     conformance.Answer
}

func answer(result, check, reason string, code int, facts []string) conformance.Answer {
	a := conformance.Answer{Result: result, Check: check, Reason: reason, ExitCode: code, Facts: map[string]string{}}
	for i := 0; i+1 < len(facts); i += 2 {
		a.Facts[facts[i]] = facts[i+1]
	}
	return a
}

// suite makes every file of testdata/conformance, by name.
func suite() map[string][]byte {
	w := newWorld()
	files := map[string][]byte{}
	put := func(name string, b []byte) {
		if _, twice := files[name]; twice {
			panic(name + " would be written twice")
		}
		files[name] = b
	}
	for name, b := range w.trust() {
		put("_trust/"+name, b)
	}
	for name, b := range w.smallSeason().files() {
		put("_season/"+name, b)
	}
	put("PROTOCOL.md", []byte(protocol))
	for _, c := range slices.Concat(w.proofCases(), w.viewCases(), w.tokenCases(), w.entryCases(), w.submissionCases(), canonCases(), w.trustCases(), w.seasonCases(), w.freezeCases(), w.openCases()) {
		for name, b := range c.files {
			put(c.name+"/"+name, b)
		}
		put(c.name+"/expected.json", mint.Indented(c.expected()))
		put(c.name+"/README.md", c.readme())
	}
	return files
}

func (c given) expected() mint.Object {
	input, facts := mint.Object{}, mint.Object{}
	for i := 0; i+1 < len(c.input); i += 2 {
		input = append(input, mint.Member{Name: c.input[i], Value: c.input[i+1]})
	}
	for _, name := range slices.Sorted(maps.Keys(c.want.Facts)) {
		facts = append(facts, mint.Member{Name: name, Value: c.want.Facts[name]})
	}
	return mint.Obj("format", conformance.Format, "question", c.question, "input", input, "result", c.want.Result, "check", c.want.Check,
		"reason", c.want.Reason, "exit_code", c.want.ExitCode, "facts", facts)
}

func (c given) readme() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n%s.\n\n    proveit %s", c.name, c.what, c.why, c.question)
	for i := 0; i+1 < len(c.input); i += 2 {
		switch c.input[i] {
		case "file":
			fmt.Fprintf(&b, " %s", c.input[i+1])
		case "strict":
			b.WriteString(" --strict")
		default:
			fmt.Fprintf(&b, " --%s %s", c.input[i], c.input[i+1])
		}
	}
	b.WriteString("\n")
	return []byte(b.String())
}

// TestSuiteIsGenerated: what is committed is what the generator makes, no file more, no file less.
func TestSuiteIsGenerated(t *testing.T) {
	want := suite()
	if *update {
		write(t, want)
	}
	size := 0
	for _, name := range slices.Sorted(maps.Keys(want)) {
		size += len(want[name])
		got, err := os.ReadFile(filepath.Join(suiteDir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatalf("%v (make testdata writes it)", err)
		}
		if !bytes.Equal(got, want[name]) {
			t.Errorf("%s is not what the generator makes (make testdata writes it)", name)
		}
	}
	err := fs.WalkDir(os.DirFS(suiteDir), ".", func(name string, d fs.DirEntry, err error) error {
		if _, made := want[name]; err == nil && !d.IsDir() && !made {
			t.Errorf("%s: nothing makes this file", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > maximumBytes {
		t.Errorf("the suite has %d bytes, want at most %d", size, maximumBytes)
	}
}

// write replaces the whole suite.
func write(t *testing.T, files map[string][]byte) {
	t.Helper()
	if err := os.RemoveAll(suiteDir); err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		path := filepath.Join(suiteDir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSuiteCounts: the suite is as large as is said of it, every question is asked, and no two cases ask the same of the same bytes.
func TestSuiteCounts(t *testing.T) {
	cases, err := conformance.Load(os.DirFS(suiteDir))
	if err != nil {
		t.Fatal(err)
	}
	refusals, asked := 0, map[string]int{}
	for _, c := range cases {
		asked[c.Question]++
		if c.Refusal() {
			refusals++
		}
		if !conformance.Known(c.Question) {
			t.Errorf("%s: question %q is not in the protocol", c.Name, c.Question)
		}
	}
	if len(cases) < minimumCases || refusals < minimumRefusals {
		t.Errorf("%d cases and %d refusals, want at least %d and %d", len(cases), refusals, minimumCases, minimumRefusals)
	}
	for _, q := range []string{"canon", "freeze verify", "open", "proof verify", "rekor verify", "season replay", "submission check", "trust show", "tsa verify"} {
		if asked[q] < 3 {
			t.Errorf("%d cases ask %q, want at least 3", asked[q], q)
		}
	}
	t.Logf("%d cases, %d refusals: %v", len(cases), refusals, asked)
}
