package finding

import (
	"fmt"
	"testing"

	"github.com/ark-forge/proveit/verify"
)

// A full log drops the least grave first: no number of small findings hides a graver one from the outcome.
func TestFullLogKeepsTheGravest(t *testing.T) {
	fill := func(l *Log, s Severity) {
		for i := range MaxFindings + 10 {
			l.Gap(s, "R019", "unknown-field", fmt.Sprintf("agreement.json#/x%d", i), "", "")
		}
	}
	for _, c := range []struct {
		name   string
		record func(*Log)
		strict bool
		want   verify.Outcome
	}{
		{"warnings", func(l *Log) { fill(l, Warn) }, false, verify.Holds},
		{"an error after warnings", func(l *Log) { fill(l, Warn); l.Gap(Error, "R080", "determination", "", "", "") }, false, verify.Differs},
		{"an error merged after warnings", func(l *Log) {
			fill(l, Warn)
			other := &Log{}
			other.Gap(Error, "R080", "determination", "", "", "")
			l.Merge(other)
		}, false, verify.Differs},
		{"warnings after notes, strict", func(l *Log) { fill(l, Note); l.Gap(Warn, "R075", "no-shadow", "", "", "") }, true, verify.Incomplete},
		{"not established after notes, strict", func(l *Log) { fill(l, Note); l.Missing("R026", "no-key", "", "") }, true, verify.Incomplete},
		{"notes, strict", func(l *Log) { fill(l, Note) }, true, verify.Holds},
		{"a note after errors", func(l *Log) { fill(l, Error); l.Gap(Note, "R007", "no-template", "", "", "") }, false, verify.Differs},
	} {
		r := &Report{Strict: c.strict}
		c.record(&r.Log)
		if got := r.Outcome(); got != c.want {
			t.Errorf("%s: outcome %v, want %v", c.name, got, c.want)
		}
		if len(r.Log.Findings()) != MaxFindings {
			t.Errorf("%s: %d findings are kept, want %d", c.name, len(r.Log.Findings()), MaxFindings)
		}
	}
	l := &Log{}
	fill(l, Warn)
	if l.Gap(Reject, "R002", "type", "", "", ""); !l.Rejected() {
		t.Error("a refusal after many warnings is lost")
	}
	if kept := len(l.Findings()) + l.Dropped(); kept != MaxFindings+11 {
		t.Errorf("%d findings kept or counted, want %d", kept, MaxFindings+11)
	}
}
