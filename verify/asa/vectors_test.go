package asa

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/finding"
)

// paperFiles are the named samples of the paper.
func paperFiles(t *testing.T, names ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range names {
		b, err := fs.ReadFile(os.DirFS("paper"), name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(b)
	}
	return files
}

// Vector 2 and P1 to P5, P17: numbers computed with Python fractions.
func TestVector02_PaperAgreementAndResult(t *testing.T) {
	r := mustAudit(t, paperFiles(t, "agreement.json", "request.json", "result.json"), Options{JSONC: true})
	f := wantFinding(t, r, finding.Error, "asa/R076/composite-mismatch", "86.1", "87")
	if f.Difference != "-0.9" || f.Tolerance != "0.05" || !f.Robust {
		t.Errorf("gap %s, tolerance %s, robust %v; want -0.9, 0.05, true", f.Difference, f.Tolerance, f.Robust)
	}
	if want := []string{"0.25*88=22", "0.20*82=16.4", "0.20*94=18.8", "0.15*78=11.7", "0.10*81=8.1", "0.10*100=10", "sum=87"}; !slices.Equal(f.Derivation, want) {
		t.Errorf("derivation %v, want %v", f.Derivation, want)
	}
	repairs := map[string]string{}
	for _, p := range f.Repairs {
		repairs[p.Field] = p.Value
	}
	for field, value := range map[string]string{"accuracy": "84.4", "completeness": "77.5", "relevance": "89.5", "source_quality": "72", "writing_quality": "72", "timeliness": "91"} {
		if repairs[field] != value {
			t.Errorf("repair of %s: %q, want %q", field, repairs[field], value)
		}
	}
	if !slices.Equal(f.Keeping, []string{"source_quality"}) {
		t.Errorf("repairs that keep every SLO: %v, want source_quality", f.Keeping)
	}
	for _, want := range []string{
		"weighted average, boolean 100=87", "weighted average, boolean 1=77.1", "booleans dropped, renormalised=85.5556", "booleans dropped, not renormalised=77",
		"text/research default weights=85.1", "plain mean=87.1667", "plain mean, booleans dropped=84.6", "weighted geometric=86.7305",
		"weighted geometric, booleans dropped=85.3693", "weighted harmonic=86.466", "weighted harmonic, booleans dropped=85.185", "median=85", "minimum=78",
	} {
		if !slices.Contains(f.Formulas, want) {
			t.Errorf("formulas lack %s: %v", want, f.Formulas)
		}
	}
	p := wantFinding(t, r, finding.Error, "asa/R088/release-mismatch", "100", "85")
	if p.AmountsDeclared != "5.00" || p.AmountsRecomputed != "4.25" || !p.Robust {
		t.Errorf("amounts %s and %s, robust %v; want 5.00, 4.25, true", p.AmountsDeclared, p.AmountsRecomputed, p.Robust)
	}
	wantNone(t, r, "asa/R080/")
	wantNone(t, r, "asa/R078/")
	s := wantFinding(t, r, finding.Warn, "asa/R075/no-shadow", "5/6", "0/6")
	if s.Derivation[0] != "weight=0.75" {
		t.Errorf("R075: %v, want weight=0.75", s.Derivation)
	}
	placeholders := 0
	for _, f := range r.Log.Findings() {
		if f.ID == "asa/R020/placeholder" {
			placeholders++
		}
	}
	if placeholders != 8 {
		t.Errorf("%d placeholders, want 8", placeholders)
	}
	wantUnestablished(t, r, "asa/R026/no-key")
	if code := r.Outcome().ExitCode(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
}

// vectorFile is one file of testdata/asa/vectors: cases made of the example bundle or the paper's samples by replacing text in files.
type vectorFile struct {
	Says  string // what is examined, and where the expected values come from
	Cases []vectorCase
}

type vectorCase struct {
	Name          string
	Base          string                            // "bundle" (default), "paper" or "none"
	Changes       []struct{ File, Old, New string } // an empty Old replaces the whole file, both empty remove it
	JSONC, Strict bool
	AsOf          string
	Readings      []string
	Threshold     string
	Type          string
	Want          []struct{ Severity, ID, At, Declared, Recomputed string } // empty fields are not compared
	None          []string                                                  // prefixes of ids of which there is no gap graver than a note
	Unestablished []string
	Dependent     []string          // ids of findings that are not robust
	Answers       map[string]string // of the report, by name
	Exit          *int
}

func (c vectorCase) files(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	switch c.Base {
	case "paper":
		files = paperFiles(t, "agreement.json", "request.json", "result.json")
	case "", "bundle":
		files = demoBundle(t)
	}
	for _, ch := range c.Changes {
		apply(t, files, change{ch.File, ch.Old, ch.New})
	}
	return files
}

func (c vectorCase) run(t *testing.T) {
	o := Options{JSONC: c.JSONC || c.Base == "paper", Strict: c.Strict, AsOf: c.AsOf, Threshold: c.Threshold, Type: c.Type}
	for _, text := range c.Readings {
		if err := o.Readings.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	r := mustAudit(t, c.files(t), o)
	for _, w := range c.Want {
		if !slices.ContainsFunc(r.Log.Findings(), func(f finding.Finding) bool {
			same := func(want, got string) bool { return want == "" || want == got }
			return f.Outcome == finding.Gap && same(w.ID, f.ID) && same(w.Severity, f.Severity.String()) && same(w.At, f.At) && same(w.Declared, f.Declared) && same(w.Recomputed, f.Recomputed)
		}) {
			t.Errorf("no finding %+v; there are:\n%s", w, show(r))
		}
	}
	for _, prefix := range c.None {
		wantNone(t, r, prefix)
	}
	for _, id := range c.Unestablished {
		wantUnestablished(t, r, id)
	}
	for _, id := range c.Dependent {
		if f, ok := find(r, id); !ok || f.Robust {
			t.Errorf("%s: want a finding that depends on readings, got %+v", id, f)
		}
	}
	for name, want := range c.Answers {
		at := slices.IndexFunc(r.Answers, func(a finding.Answer) bool { return a.Name == name })
		if at < 0 || r.Answers[at].Value != want {
			t.Errorf("answer %s: want %s, got %+v", name, want, r.Answers)
		}
	}
	if code := r.Outcome().ExitCode(); c.Exit != nil && code != *c.Exit {
		t.Errorf("exit code %d, want %d", code, *c.Exit)
	}
}

// minVectors is how many vector files there must be.
const minVectors = 12

func TestVectors(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(testdata, "vectors", "*.json"))
	if err != nil || len(paths) < minVectors {
		t.Fatalf("%d vector files, want at least %d: %v", len(paths), minVectors, err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var v vectorFile
		if err := json.Unmarshal(b, &v); err != nil || len(v.Cases) == 0 || v.Says == "" {
			t.Fatalf("%s: %d cases, %v", path, len(v.Cases), err)
		}
		for i, c := range v.Cases {
			t.Run(fmt.Sprintf("%s/%d_%s", filepath.Base(path), i+1, c.Name), c.run)
		}
	}
}
