package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/freeze"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/score"
	"github.com/ark-forge/proveit/verify/submission"
	"github.com/ark-forge/proveit/verify/trust"
)

// SeasonFile is the file of a bundle that names all others.
const SeasonFile = "season.json"

const submissionsDir = "submissions/"

// Options of a replay. The zero value checks everything with one worker.
type Options struct {
	Jobs          int          // workers; less than 1 means 1
	Shard         Shard        // the part to judge; the zero Shard is the whole
	Trust         *trust.Store // wins over the bundle's own trust/; nil to use that one
	FreezeProofs  []string     // the only freezes that are accepted; empty for any
	WithoutFreeze bool         // weakens: scores although no freeze was checked; every document then says that it is a rehearsal
	RequirePinned bool         // refuses trust material from the bundle that matches no built-in fingerprint

	// Sink takes the participants as they are judged. Where it is nil they are put into the document, tasks and all.
	Sink Sink
	// Progress is called after each participant with how many are done and how many there are. It may be nil.
	Progress func(done, all int)
}

// Sink takes the participants of a replay in the order of the document, by Participant, on one goroutine. Begin comes first, when the freeze has held and
// the tracks are known; it is not called where nothing is scored. Render comes before Participant, from the workers, in any order. An
// error ends the run.
type Sink interface {
	Begin(doc *report.Replay) error
	Render(h report.Header, p report.Participant) error
	Participant(track int, p report.Participant) error
}

// run is one replay.
type run struct {
	assembly
	bundle   *bundle.Bundle
	o        Options
	season   *season.Season
	store    *trust.Store
	verifier *proof.Verifier
	evidence *evidence
	window   *proof.Window
	entry    submission.Rules
	refused  map[string]bool // names that the bundle refused
	count    struct{ submissions, proofs, assertions atomic.Int64 }
	freezes  int // proofs of freezes that were judged; every part judges them
}

// Run replays the season in the bundle. The error means that the question could not be put: season.json or a file that it names is
// malformed, the trust material is, or there is no submission at all.
func Run(ctx context.Context, b *bundle.Bundle, o Options) (*report.Replay, error) {
	r := newRun(b, o)
	if err := r.all(ctx); err != nil {
		return nil, err
	}
	return r.doc, nil
}

// RunPart judges one part of the season and writes it to w, for Merge. Every file of the bundle that a whole run reads is read, so that
// the parts of one bundle know each other.
func RunPart(ctx context.Context, b *bundle.Bundle, o Options, w io.Writer) (*report.Replay, error) {
	r := newRun(b, o)
	part := r.writePart(w)
	if err := r.all(ctx); err != nil {
		return nil, err
	}
	tokens, entries := r.verifier.AnchorNames()
	return r.doc, part.end(r.doc, PartTail{Inputs: r.doc.Inputs, Checked: r.doc.Checked, Tokens: names(tokens), Entries: names(entries),
		Freezes: r.freezes, Result: r.doc.Result})
}

func newRun(b *bundle.Bundle, o Options) *run {
	r := &run{bundle: b, o: o, refused: map[string]bool{}}
	r.assembly = assembly{doc: newDocument(), outcome: verify.Holds, sink: o.Sink, index: map[string]publishedIndex{}}
	r.o.Jobs = max(o.Jobs, 1)
	for _, refusal := range b.Refused() {
		r.refused[refusal.Name] = true
	}
	return r
}

// all is the main job in order.
func (r *run) all(ctx context.Context) error {
	if s := r.o.Shard; s.Of < 0 || s.Of > 0 && (s.Index < 1 || s.Index > s.Of) {
		return fmt.Errorf("found part %d of %d, want one of 1 to %d", s.Index, s.Of, s.Of)
	}
	if err := r.load(ctx); err != nil {
		return err
	}
	scored, err := r.frozen()
	r.freezes = int(r.count.proofs.Load())
	if err == nil && scored {
		scored, err = r.ready()
	}
	if err == nil && scored {
		err = r.judgeAll(ctx)
		r.evidence = nil // the end of a long season needs memory of its own
	}
	if err == nil && scored && r.o.Shard.whole() {
		err = r.compare()
	}
	if err != nil {
		return err
	}
	r.finish()
	return nil
}

func newDocument() *report.Replay {
	return &report.Replay{
		ReplayHead: report.ReplayHead{Format: report.FormatReplay, Unfit: []string{},
			Freeze: report.Freeze{Freezes: []report.FreezeAnchor{}, Checks: []report.Check{}, Bound: []string{}, Unbound: []string{}}},
		Tracks: []report.Track{},
		ReplayTail: report.ReplayTail{Incidents: []report.Incident{}, Missing: []report.Missing{},
			Published: report.Published{Compared: []string{}, Differences: []report.Difference{}},
			Silent:    []string{}, Strangers: []string{}, Unread: []report.Notice{}, Ignored: []string{}, Warnings: []report.Notice{},
			Inputs: []report.Input{}, Trust: []report.TrustKey{}},
	}
}

// load reads season.json, the trust material and the index of evidence.
func (r *run) load(ctx context.Context) error {
	raw, err := r.bundle.Read(SeasonFile)
	if err != nil {
		return fmt.Errorf("%s: %w", SeasonFile, err)
	}
	if r.season, err = season.ParseSeason(SeasonFile, raw); err != nil {
		return err
	}
	if opens, closes := r.season.Opens, r.season.Closes; !closes.After(opens) {
		// No token could lie within: every assertion would fail for a mistake of the organizer.
		return &verify.Failure{Reason: verify.Reason(season.ClosesBeforeOpens), Found: closes.Format(time.RFC3339Nano),
			Wanted: "a time after " + opens.Format(time.RFC3339Nano), File: SeasonFile, Pointer: "/closes_at"}
	}
	r.doc.Season = r.season.Number
	r.window = &proof.Window{Opens: r.season.Opens, Closes: r.season.Closes}
	if err := r.trust(); err != nil {
		return err
	}
	r.verifier = proof.NewVerifier(r.store)
	if r.evidence, err = readEvidence(ctx, r.bundle, r.o.Jobs); err != nil {
		return err
	}
	for _, f := range r.evidence.unread {
		r.doc.Unread = append(r.doc.Unread, report.NoticeOf(f))
	}
	for _, f := range r.evidence.astray {
		r.warn(f)
	}
	return nil
}

// trust takes the trust material of the options, else the bundle's own.
func (r *run) trust() error {
	r.store = r.o.Trust
	own := r.store == nil
	if own {
		for _, refusal := range r.bundle.Refused() {
			// One file less could mean one rule less: a policy, the offset of a shard.
			if refusal.Name == trustFolder || strings.HasPrefix(refusal.Name, trustDir) {
				return &refusal
			}
		}
		if len(r.bundle.Under(trustDir)) == 0 {
			r.warn(&verify.Failure{Reason: ReasonTrustMissing, Found: "no trust/ in the bundle", Wanted: "trust/, or trust material of your own", File: trustDir})
			return nil
		}
		sub, err := fs.Sub(r.bundle, trustFolder)
		if err != nil {
			return err
		}
		if r.store, err = trust.Load(sub, trustFolder); err != nil {
			return fmt.Errorf("%s: %w", trustFolder, err)
		}
	}
	unpinned := 0
	for _, k := range r.store.Keys() {
		r.doc.Trust = append(r.doc.Trust, report.TrustKey{Kind: string(k.Kind), Name: k.Name, Source: r.store.Source() + "/" + k.Source,
			SHA256: k.SHA256.String(), Window: k.Window.String(), Pinned: k.Pinned})
		if own && !k.Pinned {
			unpinned++
		}
	}
	if unpinned == 0 {
		return nil
	}
	f := &verify.Failure{Reason: ReasonTrustUnpinned, Found: fmt.Sprintf("%d of %d keys without a built-in fingerprint", unpinned, len(r.doc.Trust)),
		Wanted: "keys that match one, or trust material of your own", File: trustDir}
	if r.o.RequirePinned {
		return f
	}
	r.warn(f)
	return nil
}

const (
	trustFolder = "trust"
	trustDir    = "trust/"
)

// frozen checks the freeze and reports whether anything may be scored.
func (r *run) frozen() (bool, error) {
	if r.o.WithoutFreeze {
		r.doc.Freeze.Skipped = true
		r.doc.Unfit = append(r.doc.Unfit, "--insecure-without-freeze")
		return true, nil
	}
	f, err := freeze.Verify(r.bundle, r.season, r.freezeProof, freeze.Options{Proofs: r.o.FreezeProofs})
	if err != nil {
		return false, err
	}
	outcome := f.Outcome()
	doc := &r.doc.Freeze
	doc.Holds = outcome == verify.Holds
	doc.Checks = report.ChecksOf(f.All())
	doc.Bound = append(doc.Bound, f.Anchored...)
	doc.Unbound = append(doc.Unbound, f.Declared...)
	for _, one := range f.Freezes {
		anchor := report.FreezeAnchor{ProofID: one.ProofID, Status: string(one.Status), Reason: one.Reason}
		if !one.TokenTime.IsZero() {
			anchor.TokenTime = one.TokenTime.UTC().Format(time.RFC3339Nano)
		}
		doc.Freezes = append(doc.Freezes, anchor)
		for _, i := range one.Incidents {
			r.doc.Incidents = append(r.doc.Incidents, report.Incident{Code: i.Code, ProofID: one.ProofID,
				Detail: &report.Detail{Found: i.Found, Expected: i.Wanted, File: i.File, Pointer: i.Pointer}})
		}
	}
	for _, m := range f.Missing {
		r.doc.Missing = append(r.doc.Missing, report.Missing{Kind: string(m.Kind), ID: m.ID})
	}
	r.worse(outcome)
	return doc.Holds, nil
}

// freezeProof judges the proof of a freeze: no season window.
func (r *run) freezeProof(id string, d proof.Disclosures) proof.Result {
	one := r.proof(id, d, nil)
	one.result.Incidents = one.incidents
	return one.result
}

// ready reads everything that the freeze vouched for, and reports whether the corpus is whole.
func (r *run) ready() (bool, error) {
	loaded, err := r.season.LoadTracks(r.bundle)
	if errors.Is(err, fs.ErrNotExist) {
		var path *fs.PathError
		name := err.Error()
		if errors.As(err, &path) {
			name = path.Path
		}
		r.doc.Missing = append(r.doc.Missing, report.Missing{Kind: "file", ID: name})
		r.worse(verify.Incomplete)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	r.season = loaded
	whole := true
	for _, p := range r.season.Corpus.Differences() {
		r.warn(&verify.Failure{Reason: ReasonCorpusDiffers, Found: p.Found, Wanted: p.Wanted, File: p.File, Pointer: p.Pointer})
		r.worse(verify.Differs)
		whole = false
	}
	for _, name := range r.season.Corpus.MissingFiles() {
		r.doc.Missing = append(r.doc.Missing, report.Missing{Kind: "file", ID: name})
		r.worse(verify.Incomplete)
		whole = false
	}
	return whole, r.readPublished()
}

// present reports whether a submission lies under a name, readable or not.
func (r *run) present(name string) bool { return r.bundle.Has(name) || r.refused[name] }

// tracks prepares what judges each track: graphs, keys, entry rules.
func (r *run) tracks() ([]trackRun, error) {
	r.entry = submission.ForSeason(r.season)
	var out []trackRun
	for i := range r.season.Tracks {
		t := trackRun{track: &r.season.Tracks[i]}
		for _, task := range t.track.Scale.Tasks {
			rules, err := r.taskRules(t.track, task)
			if err != nil {
				return nil, err
			}
			t.rules = append(t.rules, rules)
		}
		out = append(out, t)
	}
	return out, nil
}

func (r *run) taskRules(track *season.Track, task season.Task) (score.TaskRules, error) {
	answer, ok := track.Key.Task(task.ID)
	if !ok {
		return score.TaskRules{}, &canon.SyntaxError{File: track.Key.File, Line: 1, Col: 1, Pointer: "/tasks", Found: "no task " + task.ID, Want: "an answer to every task of the scale"}
	}
	graph, err := season.NewGraph(r.season.Corpus, track.Scale, task)
	if err != nil {
		return score.TaskRules{}, err
	}
	return score.TaskRules{Task: task, Key: answer, Graph: graph, Scale: track.Scale, Corpus: r.season.Corpus}, nil
}

// finish counts what was looked at and settles the answer.
func (r *run) finish() {
	d := r.doc
	for _, one := range r.bundle.Digests() {
		d.Inputs = append(d.Inputs, report.Input{Name: one.Name, SHA256: canon.Digest(one.SHA256).String()})
	}
	tokens, entries := r.verifier.Anchors()
	d.Checked = report.Checked{Submissions: int(r.count.submissions.Load()), Proofs: int(r.count.proofs.Load()), Tokens: tokens,
		LogEntries: entries, Assertions: int(r.count.assertions.Load())}
	r.settle()
}

// sortMissing sorts what is missing and names each thing once.
func sortMissing(d *report.Replay) {
	slices.SortFunc(d.Missing, func(a, b report.Missing) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.ID, b.ID))
	})
	d.Missing = slices.Compact(d.Missing)
}
