package replay

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
)

// FormatImport is the format of what became of imported answers.
const FormatImport = "proveit.import/v1"

// Import says what became of raw answers that were put into a bundle.
type Import struct {
	Format   string          `json:"format"` // FormatImport
	DryRun   bool            `json:"dry_run"`
	Placed   []Imported      `json:"placed"`  // written, in the order in which they were handed in
	Present  int             `json:"present"` // views, log entries and submissions that the bundle has already
	Full     []string        `json:"full"`    // proofs of which an owner's full view was placed: it shows what a public view hides
	Refused  []ImportRefusal `json:"refused"`
	Result   string          `json:"result"`    // holds or differs
	ExitCode int             `json:"exit_code"` // 0, or 1 where something was refused
}

// Imported is one file that was written.
type Imported struct {
	Name  string `json:"name"`  // in the bundle
	From  string `json:"from"`  // as handed in
	Kind  string `json:"kind"`  // proofs, log_entries or submission
	Count int    `json:"count"` // of what it holds
}

// ImportRefusal is something that was not taken.
type ImportRefusal struct {
	From   string         `json:"from"`
	What   string         `json:"what"` // the proof id, UUID or place of the submission; empty for a whole file
	Code   verify.Reason  `json:"code"`
	Detail *report.Detail `json:"detail"`
}

// Answer is one file as a service gave it.
type Answer struct {
	Name  string
	Bytes []byte
}

// importer sorts answers into a bundle.
type importer struct {
	b        *bundle.Bundle
	put      func(name string, b []byte) (bool, error)
	doc      *Import
	evidence *evidence
	season   *season.Season             // nil where the bundle has none that can be read
	views    map[string]map[string]bool // texts of the views by proof id, those of this import included; an empty text for null
	entries  map[canon.Digest]bool      // log entries
	pending  []handed                   // submissions, placed when all are known
}

// handed is one submission that was handed in.
type handed struct {
	place, from string
	text        []byte
	value       canon.Value
}

// Take sorts answers of the services into a bundle: views of proofs (a batch answer, a public or an owner's full view), log entries (one,
// several, or the answer of retrieve) and submissions (one, an array, or one a line). put writes a file and reports whether it is new; it
// must not overwrite. Names are made of the content, never of the names of the answers. An answer is placed byte for byte unless part of
// it is there already or refused. The error means that the bundle cannot be read or written.
func Take(ctx context.Context, b *bundle.Bundle, answers []Answer, put func(name string, b []byte) (bool, error), dry bool) (*Import, error) {
	ev, err := readEvidence(ctx, b, 1)
	if err != nil {
		return nil, err
	}
	im := &importer{b: b, put: put, evidence: ev, views: map[string]map[string]bool{}, entries: map[canon.Digest]bool{},
		doc: &Import{Format: FormatImport, DryRun: dry, Placed: []Imported{}, Full: []string{}, Refused: []ImportRefusal{}}}
	for _, list := range ev.entries {
		for _, e := range list {
			im.entries[e.Digest()] = true
		}
	}
	im.loadSeason()
	for _, a := range answers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := im.take(a); err != nil {
			return nil, err
		}
	}
	if err := im.submissions(); err != nil {
		return nil, err
	}
	outcome := verify.Holds
	if len(im.doc.Refused) > 0 {
		outcome = verify.Differs
	}
	im.doc.Result, im.doc.ExitCode = outcome.String(), outcome.ExitCode()
	return im.doc, nil
}

// loadSeason reads what says where a submission belongs. Where it cannot be read, submissions are refused.
func (im *importer) loadSeason() {
	raw, err := im.b.Read(SeasonFile)
	if err != nil {
		return
	}
	s, err := season.ParseSeason(SeasonFile, raw)
	if err != nil {
		return
	}
	if s, err = s.LoadForEntry(im.b); err == nil {
		im.season = s
	}
}

func (im *importer) refuse(from, what string, f *verify.Failure) {
	im.doc.Refused = append(im.doc.Refused, ImportRefusal{From: from, What: strings.Clone(what), Code: f.Reason, Detail: report.DetailOf(f)})
}

// place writes a file and notes it.
func (im *importer) place(name, from, kind string, b []byte, count int) error {
	fresh, err := im.put(name, b)
	var refusal *bundle.Refusal
	switch {
	case errors.As(err, &refusal):
		im.refuse(from, name, &verify.Failure{Reason: verify.Reason(refusal.Why), Found: refusal.Found, Wanted: refusal.Wanted, File: name})
	case err != nil:
		return err
	case fresh:
		im.doc.Placed = append(im.doc.Placed, Imported{name, from, kind, count})
	default:
		im.doc.Present += count
	}
	return nil
}

// take looks at what an answer is.
func (im *importer) take(a Answer) error {
	doc, err := canon.ParseStrict(a.Name, a.Bytes)
	if err != nil {
		if lines := splitLines(a); len(lines) > 1 {
			if first, err := canon.ParseStrict("", lines[0]); err == nil && first.Kind() == canon.Object {
				return im.lines(a, lines)
			}
		}
		im.refuse(a.Name, "", unreadable(a.Name, err))
		return nil
	}
	switch {
	case doc.Get("proof_id").Exists() || doc.Get("proofs").Kind() == canon.Object:
		return im.proofs(a)
	case doc.Get("agent_did").Exists():
		im.hand(a.Name, a.Bytes, doc)
		return nil
	case doc.Kind() == canon.Array && doc.Len() > 0 && doc.At(0).Get("agent_did").Exists():
		for _, v := range doc.Elements() {
			im.hand(a.Name, []byte(v.Raw()), v)
		}
		return nil
	case looksLikeEntries(doc):
		return im.log(a)
	}
	im.unknown(a.Name, doc)
	return nil
}

func (im *importer) unknown(from string, v canon.Value) {
	im.refuse(from, "", &verify.Failure{Reason: ReasonImportUnknown, Found: v.Kind().String(), Wanted: "views of proofs, log entries or submissions", Pointer: v.Pointer()})
}

// splitLines gives the lines of an export that has one submission a line.
func splitLines(a Answer) [][]byte {
	var out [][]byte
	for _, line := range bytes.Split(a.Bytes, []byte("\n")) {
		if len(bytes.TrimSpace(line)) > 0 {
			out = append(out, line)
		}
	}
	return out
}

func (im *importer) lines(a Answer, lines [][]byte) error {
	for _, line := range lines {
		v, err := canon.ParseStrict(a.Name, line)
		switch {
		case err != nil:
			im.refuse(a.Name, "", unreadable(a.Name, err))
		case v.Get("agent_did").Exists():
			im.hand(a.Name, line, v)
		default:
			im.unknown(a.Name, v)
		}
	}
	return nil
}

// looksLikeEntries reports whether every member, of the object or of each object of the array, is named like a log entry.
func looksLikeEntries(v canon.Value) bool {
	if v.Kind() == canon.Array {
		for _, e := range v.Elements() {
			if e.Kind() != canon.Object || !looksLikeEntries(e) {
				return false
			}
		}
		return v.Len() > 0
	}
	n := 0
	for name := range v.Members() {
		n++
		if (len(name) != 80 && len(name) != 64) || strings.Trim(name, "0123456789abcdef") != "" {
			return false
		}
	}
	return n > 0
}
