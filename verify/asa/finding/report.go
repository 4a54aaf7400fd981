package finding

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/asa/exact"
)

// Schema is the name of the report's format.
const Schema = "asa-report/1"

// Input is one file that was read.
type Input struct {
	Path   string
	SHA256 canon.Digest
}

// Answer is one recomputed fact of a settlement, and whether it is the same under every reading.
type Answer struct {
	Name     string   // "composite", "determination", "release_percent", "to_provider", "to_client", "state", …
	Value    string   // as recomputed; "" where not established
	Robust   bool     // the same under every reading
	Readings []string // "switch=value → other value", where not
}

// Report is the whole answer of an audit.
type Report struct {
	AsOf    string // RFC 3339, or "" where no document gives a time
	Inputs  []Input
	Log     Log
	Answers []Answer
	Strict  bool     // what is not established, and warnings, count
	Unread  []Unread // files that could not be read or recognised; they make the report unusable
}

// Unread is a file that could not be examined, and why.
type Unread struct {
	Path, Why string
}

// Outcome is the one value from which the last line, the document and the exit code come.
func (r *Report) Outcome() verify.Outcome {
	examined := r.Log.Count(OK)+r.Log.Count(Gap)+r.Log.Count(Unestablished) > 0
	outcome := verify.Holds
	if len(r.Unread) > 0 || !examined {
		return verify.Unusable
	}
	if r.Strict && r.Log.Count(Unestablished) > 0 { // counted, because a full log drops them first
		outcome = verify.Incomplete
	}
	for _, f := range r.Log.findings {
		switch {
		case f.Outcome == Gap && f.Severity <= Error:
			return verify.Differs
		case r.Strict && f.Outcome == Gap && f.Severity == Warn:
			outcome = verify.Incomplete
		}
	}
	return outcome
}

// Verdict is one word for the outcome: "consistent", "gaps", "incomplete" or "unusable".
func (r *Report) Verdict() string {
	switch r.Outcome() {
	case verify.Holds:
		return "consistent"
	case verify.Differs:
		return "gaps"
	case verify.Incomplete:
		return "incomplete"
	}
	return "unusable"
}

// JSON writes the report in canonical form (RFC 8785), ended by a line feed: the same bytes on every machine.
func (r *Report) JSON() []byte {
	inputs := []any{}
	for _, i := range r.Inputs {
		inputs = append(inputs, map[string]any{"path": i.Path, "sha256": i.SHA256.String()})
	}
	findings := []any{}
	for _, f := range r.Log.Findings() {
		findings = append(findings, f.object())
	}
	document := map[string]any{
		"tool": "proveit", "schema": Schema, "as_of": r.AsOf, "inputs": inputs, "findings": findings, "exit_code": r.Outcome().ExitCode(),
		"summary": map[string]any{
			"ok": r.Log.Count(OK), "gap": r.Log.Count(Gap), "unestablished": r.Log.Count(Unestablished), "na": r.Log.Count(NA), "verdict": r.Verdict(),
		},
	}
	if len(r.Answers) > 0 {
		answers := map[string]any{}
		for _, a := range r.Answers {
			answers[a.Name] = a.object()
		}
		document["answers"] = answers
	}
	if len(r.Unread) > 0 {
		var unread []any
		for _, u := range r.Unread {
			unread = append(unread, map[string]any{"path": u.Path, "why": u.Why})
		}
		document["unread"] = unread
	}
	if n := r.Log.Dropped(); n > 0 {
		document["findings_not_shown"] = n
	}
	return encode(document)
}

// encode writes Go values in JCS form. Every number in a report is a small integer, so that nothing can change its value.
func encode(document map[string]any) []byte {
	v, err := canon.From(document)
	if err != nil {
		return []byte("{}\n") // only types that canon writes are used above
	}
	b, _ := exact.JCS(v)
	return append(b, '\n')
}

func (a Answer) object() map[string]any {
	m := map[string]any{"value": a.Value, "robust": a.Robust}
	if len(a.Readings) > 0 {
		m["readings"] = a.Readings
	}
	return m
}

func (f Finding) object() map[string]any {
	m := map[string]any{"id": f.ID, "severity": f.Severity.String(), "robust": f.Robust, "at": f.At, "rule": RuleText(f.ID)}
	text := map[string]string{"declared": f.Declared, "recomputed": f.Recomputed, "gap": f.Difference, "tolerance": f.Tolerance,
		"amount_declared": f.AmountsDeclared, "amount_recomputed": f.AmountsRecomputed}
	for name, value := range text {
		if value != "" {
			m[name] = value
		}
	}
	lists := map[string][]string{"readings": f.Readings, "derivation": f.Derivation, "repairs_keeping_all_slos": f.Keeping, "formulas_tried": f.Formulas}
	for name, value := range lists {
		if len(value) > 0 {
			m[name] = value
		}
	}
	if f.Outcome == Unestablished {
		m["outcome"] = f.Outcome.String()
	}
	if len(f.Repairs) > 0 {
		repairs := map[string]any{}
		for _, r := range f.Repairs {
			repairs[r.Field] = r.Value
		}
		m["repairs"] = repairs
	}
	return m
}
