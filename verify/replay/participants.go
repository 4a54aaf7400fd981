package replay

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/score"
)

// lookAhead is how many participants beyond the one being written a worker may judge, for each worker.
const lookAhead = 4

// missingAnchor is the kind of a proof whose batch is still open.
const missingAnchor = "anchor"

// job is one participant of one track.
type job struct {
	track       int
	participant season.Participant
}

// judgeAll judges every participant of every track and gathers the results in order: tracks in the order of the season, participants in
// the order of their ids.
func (r *run) judgeAll(ctx context.Context) error {
	tracks, err := r.tracks()
	if err != nil {
		return err
	}
	jobs, err := r.jobs(tracks)
	if err != nil {
		return err
	}
	headers := r.headers(tracks)
	if r.o.Sink != nil {
		if err := r.o.Sink.Begin(r.doc); err != nil {
			return err
		}
	}
	done := 0
	return inOrder(ctx, len(jobs), r.o.Jobs,
		func(i int) report.Participant { return r.judge(&tracks[jobs[i].track], jobs[i].participant) },
		func(i int, p report.Participant) error {
			done++
			if r.o.Progress != nil {
				r.o.Progress(done, len(jobs))
			}
			return r.gather(jobs[i].track, headers[jobs[i].track], p)
		})
}

// gather takes one judged participant, in order.
func (r *run) gather(track int, h report.Header, p report.Participant) error {
	if len(p.Withheld) > 0 {
		r.worse(verify.Incomplete)
	}
	r.doc.Incidents = append(r.doc.Incidents, p.Incidents...)
	r.doc.Missing = append(r.doc.Missing, p.Missing...)
	t := &r.doc.Tracks[track]
	if r.o.Sink != nil {
		if err := r.o.Sink.Participant(track, h, p); err != nil {
			return err
		}
		p.Tasks, p.Incidents, p.Missing = nil, nil, nil // the rates stay, for the index
	}
	t.Participants = append(t.Participants, p)
	return nil
}

// headers makes the tracks of the document and what the reports of each share.
func (r *run) headers(tracks []trackRun) []report.Header {
	var freezes []string
	for _, f := range r.doc.Freeze.Freezes {
		if f.Status == "current" {
			freezes = append(freezes, f.ProofID)
		}
	}
	out := make([]report.Header, 0, len(tracks))
	for _, t := range tracks {
		best := bestConstant(t.track.Scale)
		r.doc.Tracks = append(r.doc.Tracks, report.Track{Track: t.track.ID, Bareme: t.track.Scale.Version, BestConstant: best, Participants: []report.Participant{}})
		out = append(out, report.Header{Season: r.season.Number, Track: t.track.ID, Bareme: t.track.Scale.Version, BestConstant: best, Unfit: r.doc.Unfit, Freezes: freezes})
	}
	return out
}

func bestConstant(s *season.Scale) report.BestConstant {
	verdict, ratio := score.BestConstant(s.Distribution, len(s.Tasks))
	return report.BestConstant{Verdict: verdict, Success: *report.SuccessOf(&ratio)}
}

// jobs lists who takes part in which track: enrolled, with at least one file named after a task of the track. It also names folders of
// nobody enrolled, enrolled participants without a submission, and files outside the layout.
func (r *run) jobs(tracks []trackRun) ([]job, error) {
	layout := r.layout(tracks)
	participants := append([]season.Participant(nil), r.season.Enrolments...)
	sortByID(participants)
	seen := map[string]bool{}
	var out []job
	for t := range tracks {
		for _, p := range participants {
			if layout.taken[p.ID+"/"+tracks[t].track.ID] {
				seen[p.ID] = true
				out = append(out, job{t, p})
			}
		}
	}
	for _, p := range participants {
		if !seen[p.ID] {
			r.doc.Silent = append(r.doc.Silent, p.ID)
		}
	}
	r.doc.Strangers = append(r.doc.Strangers, layout.strangers...)
	r.doc.Ignored = append(r.doc.Ignored, layout.ignored...)
	if len(out) == 0 {
		return nil, errors.New("the bundle holds no submission of anybody enrolled, want at least one: nothing was examined")
	}
	return out, nil
}

// placed says what the names of a bundle are.
type placed struct {
	taken     map[string]bool // participant/track with a file named after a task
	strangers []string        // folders of nobody enrolled, sorted
	ignored   []string        // names outside the layout, sorted
}

func (r *run) layout(tracks []trackRun) placed {
	tasks := map[string]bool{}
	for _, t := range tracks {
		for _, rules := range t.rules {
			tasks[t.track.ID+"/"+rules.Task.ID] = true
		}
	}
	out := placed{taken: map[string]bool{}}
	strangers := map[string]bool{}
	names := append([]string(nil), r.bundle.Names()...)
	for name := range r.refused {
		names = append(names, name)
	}
	sortStrings(names)
	for _, name := range names {
		rest, ok := strings.CutPrefix(name, submissionsDir)
		if !ok {
			if !r.known(name) {
				out.ignored = append(out.ignored, name)
			}
			continue
		}
		folder, file, _ := strings.Cut(rest, "/")
		track, task, _ := strings.Cut(file, "/")
		task, isJSON := strings.CutSuffix(task, ".json")
		if _, enrolled := r.season.Participant(folder); !enrolled {
			if file != "" && !strangers[folder] {
				strangers[folder] = true
				out.strangers = append(out.strangers, folder)
			}
			continue
		}
		if !isJSON || !tasks[track+"/"+task] {
			out.ignored = append(out.ignored, name)
			continue
		}
		out.taken[folder+"/"+track] = true
	}
	return out
}

// known reports whether a name outside submissions/ belongs to the layout of a bundle.
func (r *run) known(name string) bool {
	for _, dir := range []string{"freeze/", "corpus/", proofsDir, rekorDir, trustDir, publishedDir} {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	switch name {
	case SeasonFile, r.season.EnrolmentFile, r.season.FreezeFile, r.season.ManifestFile, "expected.json":
		return true
	}
	for _, t := range r.season.Tracks {
		if name == t.ScaleFile || name == t.TextFile || name == t.KeyFile {
			return true
		}
	}
	return false
}

// inOrder computes f(0) … f(n-1) on several workers and hands the results to take in order, on the calling goroutine. Workers run at
// most lookAhead times their number ahead of take.
func inOrder[T any](ctx context.Context, n, jobs int, f func(int) T, take func(int, T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type slot struct {
		i      int
		result chan T
	}
	slots := make(chan slot, jobs*lookAhead)
	work := make(chan slot)
	var wg sync.WaitGroup
	for range min(jobs, n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for s := range work {
				s.result <- f(s.i)
			}
		}()
	}
	go func() {
		defer close(work)
		defer close(slots)
		for i := range n {
			s := slot{i, make(chan T, 1)}
			select {
			case slots <- s:
			case <-ctx.Done():
				return
			}
			select {
			case work <- s:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer wg.Wait()
	for i := 0; i < n; i++ {
		var s slot
		var ok bool
		select {
		case s, ok = <-slots:
		case <-ctx.Done():
		}
		if !ok {
			return ctx.Err()
		}
		select {
		case result := <-s.result:
			if err := take(s.i, result); err != nil {
				cancel()
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
