package replay

import (
	"context"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/score"
	"github.com/ark-forge/proveit/verify/submission"
)

// One is the judgement of a single submission, made by the same code as a whole replay.
type One struct {
	Scored      bool // false where the freeze or the corpus does not allow a score, or where nobody's task is named
	Participant season.Participant
	Track       string
	Task        report.Task

	Asserted, Unsupported, InstrumentDefects int // of a rendered task; asserted leaves the defects out

	Incidents []report.Incident
	Missing   []report.Missing
	Document  *report.Replay // freeze, trust, warnings and what was read; no tracks
	Outcome   verify.Outcome
}

// RunOne judges one submission against the season in the bundle. name is the file's, slash-separated: where it ends in
// submissions/<participant>/<track>/<task_id>.json of somebody enrolled, the file is judged as one of that place, else as that of the participant
// whose DID it gives. The error is that of Run.
func RunOne(ctx context.Context, b *bundle.Bundle, name string, text []byte, o Options) (*One, error) {
	r := newRun(b, o)
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	scored, err := r.frozen()
	if err == nil && scored {
		scored, err = r.ready()
	}
	if err != nil {
		return nil, err
	}
	one := &One{Document: r.doc}
	if scored {
		if err := r.judgeOne(one, name, text); err != nil {
			return nil, err
		}
	}
	r.doc.Missing = append(r.doc.Missing, one.Missing...)
	r.doc.Incidents = append(r.doc.Incidents, one.Incidents...)
	r.finish()
	one.Incidents, one.Missing, one.Outcome = r.doc.Incidents, r.doc.Missing, r.outcome
	return one, nil
}

func (r *run) judgeOne(one *One, name string, text []byte) error {
	tracks, err := r.tracks()
	if err != nil {
		return err
	}
	r.count.submissions.Add(1)
	one.Scored = true
	entry := r.entry
	p, track, task, placed := placeOf(r.season, name)
	if placed {
		entry = entry.At(track, task, p.DID)
	} else {
		s, refusals := submission.Parse(name, text, entry)
		if len(refusals) > 0 {
			refused := score.Refused("", refusals)
			one.Task = taskDocument(&refused, nil)
			return nil
		}
		track, task = s.Track, s.TaskID
		p = r.season.Enrolments[slices.IndexFunc(r.season.Enrolments, func(p season.Participant) bool { return p.DID == s.DID })]
	}
	one.Participant, one.Track = p, track
	for _, t := range tracks {
		for _, rules := range t.rules {
			if t.track.ID != track || rules.Task.ID != task {
				continue
			}
			rules.DID, rules.File = p.DID, name
			result, s, seen := r.text(name, text, entry, rules)
			one.Task = taskDocument(&result, s)
			one.Asserted, one.Unsupported, one.InstrumentDefects = result.Asserted, result.Unsupported, result.InstrumentDefects
			one.Incidents, one.Missing = incidents(p.ID, track, &result, s, seen), missing(&result)
			if result.Open() {
				r.worse(verify.Incomplete)
			}
		}
	}
	return nil
}

// placeOf is what the name of a file says of it, where it lies in the folder of somebody enrolled under a task of the season.
func placeOf(s *season.Season, name string) (p season.Participant, track, task string, ok bool) {
	steps := strings.Split(name, "/")
	if len(steps) < 4 || steps[len(steps)-4] != strings.TrimSuffix(submissionsDir, "/") {
		return p, "", "", false
	}
	steps = steps[len(steps)-3:]
	task, ok = strings.CutSuffix(steps[2], ".json")
	p, enrolled := s.Participant(steps[0])
	t, known := s.Track(steps[1])
	if !ok || !enrolled || !known || t.Scale == nil {
		return p, "", "", false
	}
	_, known = t.Scale.Task(task)
	return p, t.ID, task, known
}

// RunFreeze checks the freeze of a season alone: nothing that it binds is parsed, and nothing is scored. The error is that of Run.
func RunFreeze(ctx context.Context, b *bundle.Bundle, o Options) (*report.Replay, error) {
	r := newRun(b, o)
	r.o.WithoutFreeze = false
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	if _, err := r.frozen(); err != nil {
		return nil, err
	}
	r.finish()
	return r.doc, nil
}
