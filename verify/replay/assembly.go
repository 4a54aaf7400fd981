package replay

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
)

// assembly builds the document of a season from participants that come in order: from a run, or from the parts of several.
type assembly struct {
	doc     *report.Replay
	outcome verify.Outcome
	sink    Sink
	index   map[string]publishedIndex // of each track that has one
	unread  map[string]bool           // track/participant with a submission that cannot be read
}

func (a *assembly) warn(f *verify.Failure) {
	a.doc.Warnings = append(a.doc.Warnings, report.NoticeOf(f))
}

// worse folds one more outcome into the answer.
func (a *assembly) worse(o verify.Outcome) { a.outcome = verify.Worse(a.outcome, o) }

// gather takes one judged participant, in order.
func (a *assembly) gather(track int, p report.Participant) error {
	if len(p.Withheld) > 0 {
		a.worse(verify.Incomplete)
	}
	a.doc.Incidents = append(a.doc.Incidents, p.Incidents...)
	a.doc.Missing = append(a.doc.Missing, p.Missing...)
	a.noteUnread(a.doc.Tracks[track].Track, &p)
	if a.sink != nil {
		if err := a.sink.Participant(track, p); err != nil {
			return err
		}
		p.Tasks, p.Incidents, p.Missing, p.Unread = nil, nil, nil, nil // the rates stay, for the index
	}
	t := &a.doc.Tracks[track]
	t.Participants = append(t.Participants, p)
	return nil
}

// header is what the reports of one track share.
func (a *assembly) header(track int) report.Header {
	t := a.doc.Tracks[track]
	h := report.Header{Season: a.doc.Season, Track: t.Track, Bareme: t.Bareme, BestConstant: t.BestConstant, Unfit: a.doc.Unfit}
	for _, f := range a.doc.Freeze.Freezes {
		if f.Status == "current" {
			h.Freezes = append(h.Freezes, f.ProofID)
		}
	}
	return h
}

// compare holds every published index against the recomputed one, value by value.
func (a *assembly) compare() error {
	for _, t := range a.doc.Tracks {
		read, ok := a.index[t.Track]
		if !ok {
			continue
		}
		published, err := read()
		if err != nil {
			return err
		}
		name := publishedName(t.Track)
		a.doc.Published.Compared = append(a.doc.Published.Compared, name)
		err = differIndex(published, report.IndexOf(a.doc.Season, t), func(pointer string, p, c canon.Value) {
			if a.proofsOpen(t.Track, published, pointer) {
				return
			}
			a.worse(verify.Differs)
			a.doc.Published.Differences = append(a.doc.Published.Differences,
				report.Difference{File: name, Pointer: pointer, Published: canonicalText(p), Computed: canonicalText(c)})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// settle sorts what is missing and writes the answer.
func (a *assembly) settle() {
	sortMissing(a.doc)
	a.doc.Result, a.doc.ExitCode = a.outcome.String(), a.outcome.ExitCode()
}
