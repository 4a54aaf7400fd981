package replay

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/freeze"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/score"
	"github.com/ark-forge/proveit/verify/submission"
)

// FormatNeeds is the format of what a bundle still lacks.
const FormatNeeds = "proveit.needs/v1"

// How many things one request may ask for.
const (
	ProofsPerRequest  = 50 // proof ids in one batch read (seed 000 §10)
	EntriesPerRequest = 10 // UUIDs in one retrieve call of a Rekor log
)

// Needs is what must still be fetched before a season can be scored, as request bodies that are ready to be sent.
type Needs struct {
	Format        string          `json:"format"`         // FormatNeeds
	Season        int64           `json:"season"`         //
	ProofRequests []ProofRequest  `json:"proof_requests"` // for the batch read, POST /v1/proofs
	LogRequests   []LogRequest    `json:"log_requests"`   // for the log's POST /api/v1/log/entries/retrieve
	Pending       []string        `json:"pending"`        // proofs among those asked for whose batch was still open, sorted
	Files         []string        `json:"files"`          // of the bundle, sorted
	Trust         []Needed        `json:"trust"`          // trust material, sorted
	Refused       []string        `json:"refused"`        // submissions that the entry refuses: nothing is fetched for them
	Unread        []report.Notice `json:"unread"`         // files of evidence that cannot be read; their contents count as missing
	Submissions   int             `json:"submissions"`    // that passed entry, or cannot be read
	Proofs        int             `json:"proofs"`         // cited by those and by freezes
	Result        string          `json:"result"`         // holds where nothing is missing, else incomplete
	ExitCode      int             `json:"exit_code"`      // 0 or 3
}

// ProofRequest is the body of one batch read of proofs.
type ProofRequest struct {
	ProofIDs []string `json:"proof_ids"`
}

// LogRequest is the body of one retrieve call of a log.
type LogRequest struct {
	EntryUUIDs []string `json:"entryUUIDs"`
}

// Needed is a piece of trust material, or a program, that a proof cannot be judged without.
type Needed struct {
	Kind string `json:"kind"` // tsa, log_keys, issuer_keys, rekor_keys or spec_version
	ID   string `json:"id"`   // the provider, for tsa; the version, for spec_version
}

// needs gathers what is missing.
type needs struct {
	run    *run
	mu     sync.Mutex
	sets   map[string]map[string]bool // by kind, then id
	proofs map[string]bool            // every proof that was looked at
}

// FindNeeds lists what the bundle still lacks: the views and log entries of every proof that a freeze names or that a submission which
// passes entry cites, files, and trust material. It works before the close: no key is read. Where beforeClose is set, what an organizer
// reveals at the close only (keys, corpus, freeze.json) is not asked for. The error means that season.json or a file that it names is
// malformed, or that there is neither a freeze nor a submission to look at.
func FindNeeds(ctx context.Context, b *bundle.Bundle, o Options, beforeClose bool) (*Needs, error) {
	r := newRun(b, o)
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	n := &needs{run: r, sets: map[string]map[string]bool{}, proofs: map[string]bool{}}
	freezes, err := n.freezes(beforeClose)
	if err != nil {
		return nil, err
	}
	if !beforeClose {
		if err := n.revealed(); err != nil {
			return nil, err
		}
	}
	doc, err := n.submissions(ctx)
	if err != nil {
		return nil, err
	}
	if freezes == 0 && doc.Submissions == 0 && len(doc.Refused) == 0 && len(n.sets["file"]) == 0 {
		return nil, errors.New("found no freeze and no submission of anybody enrolled, want at least one: nothing was examined")
	}
	return n.settle(doc), nil
}

func (n *needs) add(kind, id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sets[kind] == nil {
		n.sets[kind] = map[string]bool{}
	}
	n.sets[kind][strings.Clone(id)] = true
}

// look judges one proof and notes what that takes.
func (n *needs) look(id string, d proof.Disclosures, w *proof.Window) {
	n.mu.Lock()
	n.proofs[strings.Clone(id)] = true
	n.mu.Unlock()
	result := n.run.proof(id, d, w).result
	switch result.Outcome {
	case proof.Pending:
		n.add(missingAnchor, id)
	case proof.Incomplete:
		for _, m := range result.Missing {
			n.add(string(m.Kind), m.ID)
		}
	}
}

// freezes looks at the proofs of freeze.json and gives their number.
func (n *needs) freezes(beforeClose bool) (int, error) {
	name := n.run.season.FreezeFile
	b, err := n.run.bundle.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		if !beforeClose {
			n.add(string(freeze.KindFile), name)
		}
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	records, err := freeze.Parse(name, b)
	if err != nil {
		return 0, err
	}
	for _, f := range records {
		n.look(f.ProofID, f.Disclosures, nil)
		for _, bound := range f.Bindings {
			if !beforeClose && !n.run.bundle.Has(bound.File) {
				n.add(string(freeze.KindFile), bound.File)
			}
		}
	}
	return len(records), nil
}

// revealed notes which of the files that a closed season must have are not there.
func (n *needs) revealed() error {
	s := n.run.season
	for _, t := range s.Tracks {
		for _, name := range []string{t.TextFile, t.KeyFile} {
			if !n.run.bundle.Has(name) {
				n.add(string(freeze.KindFile), name)
			}
		}
	}
	if !n.run.bundle.Has(s.ManifestFile) {
		n.add(string(freeze.KindFile), s.ManifestFile)
		return nil
	}
	corpus, err := manifest.LoadIn(n.run.bundle, s.ManifestFile, season.CorpusDir)
	if err != nil {
		return err
	}
	for _, name := range corpus.Files() {
		if !n.run.bundle.Has(name) {
			n.add(string(freeze.KindFile), name)
		}
	}
	return nil
}

// submissions looks at every proof that a submission which passes entry cites.
func (n *needs) submissions(ctx context.Context) (*Needs, error) {
	doc := &Needs{Format: FormatNeeds, Season: n.run.season.Number, Refused: []string{}, Unread: n.run.doc.Unread}
	loaded, err := n.run.season.LoadForEntry(n.run.bundle)
	if errors.Is(err, fs.ErrNotExist) {
		return doc, n.publicFiles()
	}
	if err != nil {
		return nil, err
	}
	n.run.season = loaded
	n.run.entry = submission.ForSeason(loaded)
	places := n.places()
	refused := make([]bool, len(places))
	err = each(ctx, len(places), n.run.o.Jobs, func(i int) { refused[i] = !n.submission(places[i]) })
	for i, p := range places {
		if refused[i] {
			doc.Refused = append(doc.Refused, p.name)
		} else {
			doc.Submissions++
		}
	}
	slices.Sort(doc.Refused)
	return doc, err
}

// publicFiles notes which of the files that entry needs are not there.
func (n *needs) publicFiles() error {
	names := []string{n.run.season.EnrolmentFile}
	for _, t := range n.run.season.Tracks {
		names = append(names, t.ScaleFile)
	}
	for _, name := range names {
		if !n.run.bundle.Has(name) {
			n.add(string(freeze.KindFile), name)
		}
	}
	return nil
}

// place is one file of a submission and what its name says.
type place struct {
	name, track, task string
	participant       season.Participant
}

// places lists the submissions of everybody enrolled.
func (n *needs) places() []place {
	var out []place
	for _, p := range n.run.season.Enrolments {
		for _, t := range n.run.season.Tracks {
			for _, task := range t.Scale.Tasks {
				if name := submissionName(p.ID, t.ID, task.ID); n.run.present(name) {
					out = append(out, place{name, t.ID, task.ID, p})
				}
			}
		}
	}
	return out
}

// submission looks at the proofs of one submission and reports whether it passes entry, or may: one that cannot be read has to be fetched again.
func (n *needs) submission(p place) bool {
	b, err := n.run.bundle.Read(p.name)
	if err != nil {
		n.add(string(freeze.KindFile), p.name)
		return true
	}
	s, refusals := submission.Parse(p.name, b, n.run.entry.At(p.track, p.task, p.participant.DID))
	if len(refusals) > 0 {
		return false
	}
	for _, id := range s.Cited() {
		n.look(id, s.Disclosures[id], n.run.window)
	}
	return true
}

// settle writes what was gathered, sorted.
func (n *needs) settle(doc *Needs) *Needs {
	doc.Proofs = len(n.proofs)
	doc.Pending = sorted(n.sets[missingAnchor])
	doc.Files = sorted(n.sets[string(freeze.KindFile)])
	ids := slices.Concat(doc.Pending, sorted(n.sets[string(score.KindProof)]))
	slices.Sort(ids)
	doc.ProofRequests, doc.LogRequests, doc.Trust = []ProofRequest{}, []LogRequest{}, []Needed{}
	for chunk := range slices.Chunk(slices.Compact(ids), ProofsPerRequest) {
		doc.ProofRequests = append(doc.ProofRequests, ProofRequest{chunk})
	}
	for chunk := range slices.Chunk(sorted(n.sets[string(proof.MissingEntry)]), EntriesPerRequest) {
		doc.LogRequests = append(doc.LogRequests, LogRequest{chunk})
	}
	for _, kind := range []proof.MissingKind{proof.MissingAuthority, proof.MissingIssuerKeys, proof.MissingLogKeys, proof.MissingRekorKeys, proof.MissingVersion} {
		for _, id := range sorted(n.sets[string(kind)]) {
			doc.Trust = append(doc.Trust, Needed{string(kind), id})
		}
	}
	outcome := verify.Holds
	if len(doc.ProofRequests)+len(doc.LogRequests)+len(doc.Files)+len(doc.Trust) > 0 {
		outcome = verify.Incomplete
	}
	doc.Result, doc.ExitCode = outcome.String(), outcome.ExitCode()
	return doc
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}
