package asa

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ark-forge/proveit/verify/asa/finding"
)

// folder makes a file system of texts.
func fsOf(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// change is one replacement inside one file of the example; the old text must be there.
type change struct{ file, old, new string }

// altered is the example with some changes; the files of a new text "" are left out.
func altered(t *testing.T, changes ...change) map[string]string {
	t.Helper()
	files := demoBundle(t)
	for _, c := range changes {
		apply(t, files, c)
	}
	return files
}

// apply makes one change.
func apply(t *testing.T, files map[string]string, c change) {
	t.Helper()
	switch {
	case c.old == "" && c.new == "":
		delete(files, c.file)
	case c.old == "":
		files[c.file] = c.new
	case !strings.Contains(files[c.file], c.old):
		t.Fatalf("%s does not hold %s", c.file, c.old)
	default:
		files[c.file] = strings.Replace(files[c.file], c.old, c.new, 1)
	}
}

func mustAudit(t *testing.T, files map[string]string, o Options) *finding.Report {
	t.Helper()
	r, err := Audit(fsOf(files), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// gravest lists "severity id at" of errors, rejects and warnings, sorted.
func gravest(r *finding.Report) []string {
	var list []string
	for _, f := range r.Log.Findings() {
		if f.Outcome == finding.Gap && f.Severity < finding.Note {
			list = append(list, f.Severity.String()+" "+f.ID+" "+f.At)
		}
	}
	return list
}

// find is the first finding with that id.
func find(r *finding.Report, id string) (finding.Finding, bool) {
	for _, f := range r.Log.Findings() {
		if f.ID == id {
			return f, true
		}
	}
	return finding.Finding{}, false
}

// wantFinding fails unless there is a finding with that id, severity and, where given, declared and recomputed values.
func wantFinding(t *testing.T, r *finding.Report, severity finding.Severity, id, declared, recomputed string) finding.Finding {
	t.Helper()
	f, ok := find(r, id)
	if !ok {
		t.Errorf("no finding %s; there are:\n%s", id, show(r))
		return f
	}
	if f.Outcome != finding.Gap || f.Severity != severity || declared != "" && f.Declared != declared || recomputed != "" && f.Recomputed != recomputed {
		t.Errorf("%s: %s %s, declared %q, recomputed %q; want %s gap, %q, %q", id, f.Severity, f.Outcome, f.Declared, f.Recomputed, severity, declared, recomputed)
	}
	return f
}

func wantUnestablished(t *testing.T, r *finding.Report, id string) {
	t.Helper()
	if f, ok := find(r, id); !ok || f.Outcome != finding.Unestablished {
		t.Errorf("%s: want an unestablished finding; there are:\n%s", id, show(r))
	}
}

func wantNone(t *testing.T, r *finding.Report, prefix string) {
	t.Helper()
	for _, f := range r.Log.Findings() {
		if strings.HasPrefix(f.ID, prefix) && f.Severity <= finding.Warn {
			t.Errorf("unwanted %s at %s: declared %q, recomputed %q", f.ID, f.At, f.Declared, f.Recomputed)
		}
	}
}

// show is a report in one line per finding, for messages of failing tests.
func show(r *finding.Report) string {
	var b strings.Builder
	for _, f := range r.Log.Findings() {
		fmt.Fprintf(&b, "  %s %s %s %s %q %q %v\n", f.Outcome, f.Severity, f.ID, f.At, f.Declared, f.Recomputed, f.Derivation)
	}
	return b.String()
}

// Vector 1. Composite, percentage and amounts by hand: 0.5*88 + 0.3*82 + 0.2*100 = 88.6; 85 % of 6.00 is 5.10.
func TestVector01_ExampleAuditsClean(t *testing.T) {
	r := mustAudit(t, demoBundle(t), Options{})
	want := []string{"warn asa/R037/unbounded-backups agreement.json#/verification/max_backup_evaluators", "warn asa/R075/no-shadow agreement.json#/quality_criteria/dimensions"}
	if got := gravest(r); !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v\n%s", got, want, show(r))
	}
	if code := r.Outcome().ExitCode(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	answers := map[string]string{}
	for _, a := range r.Answers {
		if answers[a.Name] = a.Value; !a.Robust && a.Name != "composite" && a.Name != "delivery_margin_seconds" {
			t.Errorf("%s depends on readings: %v", a.Name, a.Readings)
		}
	}
	for name, value := range map[string]string{"composite": "88.6", "determination": "PASS", "release_percent": "85", "to_provider": "5.10", "to_client": "0.90", "state": "closed", "on_time": "true", "delivery_margin_seconds": "312"} {
		if answers[name] != value {
			t.Errorf("%s: %q, want %q", name, answers[name], value)
		}
	}
	strict := mustAudit(t, demoBundle(t), Options{Strict: true})
	if code := strict.Outcome().ExitCode(); code != 3 {
		t.Errorf("strict: exit code %d, want 3", code)
	}
	again := mustAudit(t, demoBundle(t), Options{})
	if !bytes.Equal(r.JSON(), again.JSON()) {
		t.Error("two audits of the same bytes give two reports")
	}
}
