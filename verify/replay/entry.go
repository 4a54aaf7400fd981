package replay

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/score"
	"github.com/ark-forge/proveit/verify/submission"
	"github.com/ark-forge/proveit/verify/trust"
)

// AtHand is what a participant has before the close. The zero value has nothing: then the schema and its own rules are checked, no more.
type AtHand struct {
	Season    *bundle.Bundle               // season.json, scales and enrolments; manifest and pages of the corpus where they are public
	Trust     *trust.Store                 // nil for none
	Judge     bool                         // judge the receipts, not the entry alone
	Views     []proof.View                 // of the cited proofs
	Entries   rekor.Index                  // log entries
	Responses map[canon.Digest]canon.Value // saved responses of the corpus, by their hash
	Saved     map[canon.Digest]string      // the file of each
}

// Desk judges submissions before the close, as far as that can be known. The entry check is the official one; what becomes of the assertions
// is judged by the code of the score, one condition at a time.
type Desk struct {
	h        AtHand
	season   *season.Season // nil where none is given
	rules    submission.Rules
	corpus   *manifest.Corpus // nil where none is given
	window   *proof.Window
	views    map[string][]proof.View
	verifier *proof.Verifier
	results  map[string]proof.Result
	opened   map[string]proof.Disclosures // with which each result was made; another submission may give others for the same proof
}

// Prechecked is what is known of one submission before the close.
type Prechecked struct {
	Name       string
	Outcome    verify.Outcome
	Refusals   submission.Refusals    // why the entry refuses it; then there is nothing else
	Advice     submission.Refusals    // resources that the catalogue spells otherwise
	Submission *submission.Submission // nil where refused
	Remarks    []*verify.Failure      // what the close will find whatever the receipts: too few assertions, a resource outside the task
	Assertions []PrecheckedAssertion  // empty where receipts are not judged
	Missing    []proof.Missing
	Pending    []string // cited proofs whose batch is still open
}

// PrecheckedAssertion is one assertion, with the four conditions for each proof that it cites.
type PrecheckedAssertion struct {
	submission.Assertion
	Proofs []PrecheckedProof
}

// PrecheckedProof is one cited proof: the conditions in their order. Skipped is "cannot be known yet".
type PrecheckedProof struct {
	ProofID string
	Checks  verify.Checks
}

// NewDesk reads what there is of the season. The error is that of a malformed file; a scale that is not there is fs.ErrNotExist.
func NewDesk(h AtHand) (*Desk, error) {
	d := &Desk{h: h, verifier: proof.NewVerifier(h.Trust), views: map[string][]proof.View{}, results: map[string]proof.Result{}, opened: map[string]proof.Disclosures{}}
	for _, v := range h.Views {
		d.views[v.ID] = append(d.views[v.ID], v)
	}
	if h.Season == nil {
		return d, nil
	}
	raw, err := h.Season.Read(SeasonFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", SeasonFile, err)
	}
	s, err := season.ParseSeason(SeasonFile, raw)
	if err != nil {
		return nil, err
	}
	d.window = &proof.Window{Opens: s.Opens, Closes: s.Closes}
	enrolled := h.Season.Has(s.EnrolmentFile)
	files := manifest.Files(h.Season)
	if !enrolled {
		files = withoutEnrolments{h.Season, s.EnrolmentFile}
	}
	if d.season, err = s.LoadForEntry(files); err != nil {
		return nil, err
	}
	d.rules = submission.ForSeason(d.season)
	if !enrolled {
		d.rules.Enrolled = nil
	}
	return d, d.loadCorpus()
}

// withoutEnrolments stands in for a file of enrolments that is not public yet.
type withoutEnrolments struct {
	manifest.Files
	name string
}

func (f withoutEnrolments) Read(name string) ([]byte, error) {
	if name == f.name {
		return []byte(`{"format": "` + season.FormatEnrolments + `", "participants": []}`), nil
	}
	return f.Files.Read(name)
}

// loadCorpus reads the manifest and the pages that are there. Both may come later than the scale.
func (d *Desk) loadCorpus() error {
	corpus, err := manifest.LoadIn(d.h.Season, d.season.ManifestFile, season.CorpusDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	d.corpus = corpus
	var resources []string
	for _, p := range corpus.Resources() {
		resources = append(resources, p.Resource)
	}
	d.rules.Catalogue = submission.NewCatalogue(resources)
	return nil
}

// Check judges one submission. name is the file's, slash-separated; where it ends in submissions/<participant>/<track>/<task_id>.json of
// somebody enrolled, the file must be of that place.
func (d *Desk) Check(name string, text []byte) Prechecked {
	out := Prechecked{Name: name, Outcome: verify.Differs}
	rules := d.rules
	if d.season != nil {
		if p, track, task, ok := placeOf(d.season, name); ok {
			rules = rules.At(track, task, p.DID)
		}
	}
	s, refusals := submission.Parse(name, text, rules)
	if len(refusals) > 0 {
		out.Refusals = refusals
		return out
	}
	out.Submission, out.Outcome = s, verify.Holds
	out.Advice = d.rules.Catalogue.Advise(name, s)
	out.Remarks = d.remarks(name, s)
	if d.h.Judge {
		d.judge(&out)
		for _, f := range out.Remarks {
			if f.Reason != score.ReasonBelowMinimum { // too few assertions reject nothing: the task is not rendered
				out.Outcome = verify.Worse(out.Outcome, verify.Differs)
			}
		}
	}
	return out
}
