package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/submission"
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

// known are the texts of the views that the bundle has of a proof; the empty text stands for null.
func (im *importer) known(id string) map[string]bool {
	if texts, ok := im.views[id]; ok {
		return texts
	}
	texts := map[string]bool{}
	views, null := im.evidence.distinct(id)
	for _, v := range views {
		texts[v.Text()] = true
	}
	if null {
		texts[""] = true
	}
	im.views[strings.Clone(id)] = texts
	return texts
}

// part is one member of an answer that is to be kept.
type part struct{ name, raw string }

// proofs takes the views of one answer.
func (im *importer) proofs(a Answer) error {
	views, err := proof.Views("", a.Bytes) // no name, since that of an answer means nothing
	if err != nil {
		im.refuse(a.Name, "", unreadable(a.Name, err))
		return nil
	}
	var keep []part
	for _, v := range views {
		if p, ok := im.view(a.Name, v); ok {
			keep = append(keep, p)
		}
	}
	whole := len(keep) == len(views)
	single := len(views) == 1 && views[0].Pointer == ""
	switch {
	case len(keep) == 0:
		return nil
	case single:
		return im.place(im.freeName(proofsDir, keep[0].name, a.Bytes), a.Name, "proofs", a.Bytes, 1)
	case whole:
		return im.place(proofsDir+"lot-"+contentName(a.Bytes), a.Name, "proofs", a.Bytes, len(keep))
	}
	b := joinParts(`{"proofs":`, keep, "}\n")
	return im.place(proofsDir+"lot-"+contentName(b), a.Name, "proofs", b, len(keep))
}

// view decides on one view: whether it is new and contradicts nothing.
func (im *importer) view(from string, v proof.View) (part, bool) {
	if v.Misfiled != nil {
		im.refuse(from, v.ID, v.Misfiled)
		return part{}, false
	}
	texts := im.known(v.ID)
	text := ""
	if v.Proof != nil {
		text = v.Proof.Text()
	}
	switch {
	case texts[text]:
		im.doc.Present++
		return part{}, false
	case v.Null && len(texts) > 0:
		im.refuse(from, v.ID, &verify.Failure{Reason: ReasonImportNull, Found: "null for " + v.ID, Wanted: "the proof that the bundle has", Pointer: v.Pointer})
		return part{}, false
	}
	texts[text] = true
	if v.Null {
		return part{v.ID, "null"}, true
	}
	if v.Proof.Own() != nil {
		im.doc.Full = append(im.doc.Full, strings.Clone(v.ID))
	}
	return part{v.ID, text}, true
}

// freeName is the name of a thing in a folder, or one made of its content where that is taken.
func (im *importer) freeName(dir, id string, b []byte) string {
	name := dir + id + ".json"
	taken := im.b.Has(name) || slices.ContainsFunc(im.b.Refused(), func(r bundle.Refusal) bool { return r.Name == name }) ||
		slices.ContainsFunc(im.doc.Placed, func(p Imported) bool { return p.Name == name })
	if taken {
		return dir + id + "/" + contentName(b)
	}
	return name
}

// contentName is a file name made of the content: the first 16 hex digits of its SHA-256.
func contentName(b []byte) string { return canon.Sum(b).String()[:16] + ".json" }

// joinParts writes members, as they stood in an answer, into one object.
func joinParts(before string, parts []part, after string) []byte {
	var out bytes.Buffer
	out.WriteString(before + "{")
	for i, p := range parts {
		if i > 0 {
			out.WriteByte(',')
		}
		name, _ := json.Marshal(p.name) // a string always marshals
		out.WriteString("\n" + string(name) + ":" + p.raw)
	}
	out.WriteString("\n}" + after)
	return out.Bytes()
}

// log takes the entries of one answer.
func (im *importer) log(a Answer) error {
	entries, err := rekor.ParseEntries(a.Name, a.Bytes)
	if err != nil {
		im.refuse(a.Name, "", unreadable(a.Name, err))
		return nil
	}
	doc, err := canon.Parse(a.Bytes)
	if err != nil {
		return err
	}
	var keep []part
	repeated := map[string]bool{}
	whole := true
	for _, e := range entries {
		if !im.entry(a.Name, e) {
			whole = false
			continue
		}
		tokens, err := tokensOf(e.Pointer)
		if err != nil {
			return err
		}
		whole = whole && !repeated[e.UUID]
		repeated[e.UUID] = true
		keep = append(keep, part{e.UUID, inside(doc, tokens...).Raw()})
	}
	switch {
	case len(keep) == 0:
		return nil
	case whole && len(keep) == 1:
		return im.place(im.freeName(rekorDir, keep[0].name, a.Bytes), a.Name, "log_entries", a.Bytes, 1)
	case whole:
		return im.place(rekorDir+"retrieve-"+contentName(a.Bytes), a.Name, "log_entries", a.Bytes, len(keep))
	}
	for _, p := range keep { // one file each, since an object cannot have one UUID twice
		b := joinParts("", []part{p}, "\n")
		if err := im.place(im.freeName(rekorDir, p.name, b), a.Name, "log_entries", b, 1); err != nil {
			return err
		}
	}
	return nil
}

// entry decides on one log entry. Another reading of an entry, with a later tree, is kept beside the first. A malformed one is kept too: it
// is evidence, and judged as such.
func (im *importer) entry(from string, e rekor.Entry) bool {
	switch {
	case e.UUID == "":
		im.refuse(from, "", e.Failure)
	case im.entries[e.Digest()]:
		im.doc.Present++
	case e.Null && slices.ContainsFunc(im.evidence.entriesFor(e.UUID), func(other rekor.Entry) bool { return !other.Null }):
		im.refuse(from, e.UUID, &verify.Failure{Reason: ReasonImportNull, Found: "null for " + e.UUID, Wanted: "the log entry that the bundle has", Pointer: e.Pointer})
	default:
		im.entries[e.Digest()] = true
		return true
	}
	return false
}

// hand notes one submission, or says why its place is not known.
func (im *importer) hand(from string, text []byte, v canon.Value) {
	place, f := im.placeOf(v)
	if f != nil {
		f.File = from
		im.refuse(from, "", f)
		return
	}
	im.pending = append(im.pending, handed{place, from, text, v})
}

// placeOf is where a submission belongs: the folder of the participant whose DID it gives, its track and its task.
func (im *importer) placeOf(v canon.Value) (string, *verify.Failure) {
	if im.season == nil {
		return "", &verify.Failure{Reason: ReasonImportSeason, Found: "no season that can be read", Wanted: "season.json, enrolments and scales"}
	}
	if n, ok := v.Get("season").Int64(); !ok || n != im.season.Number {
		return "", &verify.Failure{Reason: submission.ReasonSeasonUnknown, Found: canonicalText(v.Get("season")), Wanted: canonicalInt(im.season.Number), Pointer: v.Pointer() + "/season"}
	}
	did, _ := v.Get("agent_did").Text()
	i := slices.IndexFunc(im.season.Enrolments, func(p season.Participant) bool { return p.DID == did })
	if i < 0 {
		return "", &verify.Failure{Reason: submission.ReasonDIDNotEnrolled, Found: did, Wanted: "the DID of somebody enrolled", Pointer: v.Pointer() + "/agent_did"}
	}
	id, _ := v.Get("track").Text()
	track, ok := im.season.Track(id)
	if !ok {
		return "", &verify.Failure{Reason: submission.ReasonTrackUnknown, Found: id, Wanted: "a track of the season", Pointer: v.Pointer() + "/track"}
	}
	task, _ := v.Get("task_id").Text()
	if _, ok := track.Scale.Task(task); !ok {
		return "", &verify.Failure{Reason: submission.ReasonTaskUnknown, Found: task, Wanted: "a task of the track", Pointer: v.Pointer() + "/task_id"}
	}
	return submissionName(im.season.Enrolments[i].ID, track.ID, task), nil
}

func canonicalInt(n int64) string {
	b, _ := canon.Marshal(n) // an integer always marshals
	return string(b)
}

// submissions places what was handed in. Two that differ for one task are both refused: which was the last is not known here.
func (im *importer) submissions() error {
	byPlace := map[string][]handed{}
	for _, h := range im.pending {
		byPlace[h.place] = append(byPlace[h.place], h)
	}
	for _, h := range im.pending {
		list := byPlace[h.place]
		if len(list) == 0 {
			continue // placed with the first of its task
		}
		if i := slices.IndexFunc(list, func(o handed) bool { return !canon.Equal(o.value, h.value) }); i >= 0 {
			im.refuse(h.from, h.place, &verify.Failure{Reason: ReasonImportRepeated, Found: "another submission in " + list[i].from, Wanted: "one submission", File: h.place})
			continue
		}
		byPlace[h.place] = nil
		if err := im.submission(h); err != nil {
			return err
		}
	}
	return nil
}

func (im *importer) submission(h handed) error {
	old, err := im.b.Read(h.place)
	if errors.Is(err, fs.ErrNotExist) {
		return im.place(h.place, h.from, "submission", h.text, 1)
	}
	if err == nil {
		if v, err := canon.Parse(old); err == nil && canon.Equal(v, h.value) {
			im.doc.Present++
			return nil
		}
	}
	im.refuse(h.from, h.place, &verify.Failure{Reason: ReasonImportDiffers, Found: "a submission that differs from the one in the bundle", Wanted: "the same, or none in its place", File: h.place})
	return nil
}
