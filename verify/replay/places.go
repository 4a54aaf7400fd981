package replay

import (
	"strconv"

	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/score"
	"github.com/ark-forge/proveit/verify/submission"
)

// placed gives every refusal of a task the file that its pointer leads into: the frozen page for a value, else the submission.
func (r *run) placed(name string, s *submission.Submission, t *score.TaskResult) {
	for i := range t.Judgements {
		j := &t.Judgements[i]
		j.Failure = atPlace(r.season.Corpus, r.season.ManifestFile, name, claimAt{s.Assertions[i].Claim, i}, j.Failure)
	}
	if f := t.NotRendered; f != nil && f.File == "" {
		f.File, f.Pointer = name, "/assertions"
	}
}

// claimAt is a claim and which assertion of its submission it is of.
type claimAt struct {
	season.Claim
	index int
}

// atPlace is a failure with its place. A proof's own failure may be that of several assertions, so it is not changed in place.
func atPlace(corpus *manifest.Corpus, manifestFile, name string, c claimAt, f *verify.Failure) *verify.Failure {
	if f == nil || f.File != "" {
		return f
	}
	out := *f
	if f.Pointer != "" && f.Pointer == c.Field {
		if file, prefix, ok := pageOf(corpus, manifestFile, c.Resource); ok {
			out.File, out.Pointer = file, prefix+f.Pointer
			return &out
		}
	}
	if f.Pointer == "" {
		out.Pointer = "/assertions/" + strconv.Itoa(c.index) + "/claim"
	} else {
		out.Pointer = "/assertions/" + strconv.Itoa(c.index) + "/claim/field"
	}
	out.File = name
	return &out
}

// pageOf is the file of the bundle that says what the corpus serves for a resource, and where in it: the page itself, or the body that the
// manifest gives for an absent reference.
func pageOf(corpus *manifest.Corpus, manifestFile, resource string) (file, pointer string, ok bool) {
	if corpus == nil {
		return "", "", false
	}
	p, ok := corpus.Page(resource)
	if !ok {
		return "", "", false
	}
	if !p.Absent {
		return season.CorpusDir + "/" + p.File, "", true
	}
	i := collectionOf(corpus, p.Collection)
	return manifestFile, pointerOf([]string{"collections", strconv.Itoa(i), "absent_body"}), i >= 0
}

// placed gives the failed conditions of one assertion their place, as a replay does. Before the corpus is public, a value stands in the saved
// response.
func (d *Desk) placed(name string, c claimAt, opened *proof.Opened, checks verify.Checks) {
	manifestFile := ""
	if d.season != nil {
		manifestFile = d.season.ManifestFile
	}
	for i := range checks {
		f := checks[i].Detail
		if f != nil && f.File == "" && f.Pointer != "" && f.Pointer == c.Field && opened != nil && d.h.Saved[opened.Response] != "" {
			if _, _, frozen := pageOf(d.corpus, manifestFile, c.Resource); !frozen {
				saved := *f
				saved.File = d.h.Saved[opened.Response]
				f = &saved
			}
		}
		checks[i].Detail = atPlace(d.corpus, manifestFile, name, c, f)
	}
}
