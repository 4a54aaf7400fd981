package replay

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/ark-forge/proveit/manifest/season"
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
	r.openTracks(tracks)
	own := r.ownJobs(tracks, jobs)
	if r.sink != nil {
		if p, ok := r.sink.(*partWriter); ok {
			p.head.Jobs = len(jobs)
			for track, read := range r.index {
				v, err := read()
				if err != nil {
					return err
				}
				p.head.Index[track] = rawValue(v.Raw())
			}
		}
		if err := r.sink.Begin(r.doc); err != nil {
			return err
		}
	}
	headers := make([]report.Header, len(tracks)) // made before the workers start: gathering changes the document
	for t := range tracks {
		headers[t] = r.header(t)
	}
	done := 0
	return inOrder(ctx, len(own), r.o.Jobs,
		func(i int) rendered {
			out := rendered{participant: r.judge(&tracks[own[i].track], own[i].participant)}
			if r.sink != nil {
				out.err = r.sink.Render(headers[own[i].track], out.participant)
			}
			return out
		},
		func(i int, p rendered) error {
			if p.err != nil {
				return p.err
			}
			done++
			if r.o.Progress != nil {
				r.o.Progress(done, len(own))
			}
			return r.gather(own[i].track, p.participant)
		})
}

// rendered is a judged participant whose reports are written, or why they could not be.
type rendered struct {
	participant report.Participant
	err         error
}

// ownJobs are the jobs of this run's part. The submissions of the others are read, so that the ledger is that of a whole run.
func (r *run) ownJobs(tracks []trackRun, jobs []job) []job {
	var own []job
	for i, j := range jobs {
		if r.o.Shard.has(i) {
			own = append(own, j)
			continue
		}
		for _, rules := range tracks[j.track].rules {
			name := submissionName(j.participant.ID, tracks[j.track].track.ID, rules.Task.ID)
			if r.bundle.Has(name) {
				// What cannot be read is told by the part that judges it.
				_, _ = r.bundle.Read(name)
			}
		}
	}
	return own
}

// openTracks puts the tracks into the document, without participants.
func (r *run) openTracks(tracks []trackRun) {
	for _, t := range tracks {
		r.doc.Tracks = append(r.doc.Tracks, report.Track{Track: t.track.ID, Bareme: t.track.Scale.Version,
			BestConstant: bestConstant(t.track.Scale), Participants: []report.Participant{}})
	}
}

func bestConstant(s *season.Scale) report.BestConstant {
	verdict, ratio := score.BestConstant(s.Distribution, len(s.Tasks))
	return report.BestConstant{Verdict: verdict, Success: *report.SuccessOf(&ratio)}
}

// jobs lists who takes part in which track: enrolled, with at least one file named after a task of the track. It also names folders of
// nobody enrolled, enrolled participants without a submission, and files outside the layout.
func (r *run) jobs(tracks []trackRun) ([]job, error) {
	if err := r.foldersRead(tracks); err != nil {
		return nil, err
	}
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

// enrolled are the ids of everybody enrolled. Looking through the list for each name would take time by the square of a season.
func (r *run) enrolled() map[string]bool {
	out := make(map[string]bool, len(r.season.Enrolments))
	for _, p := range r.season.Enrolments {
		out[p.ID] = true
	}
	return out
}

// foldersRead wants every folder of somebody enrolled to be one that can be listed: nobody is left out of the tables without a word.
func (r *run) foldersRead(tracks []trackRun) error {
	enrolled := r.enrolled()
	for _, refusal := range r.bundle.Refused() {
		folder, ok := strings.CutPrefix(refusal.Name, submissionsDir)
		id, track, inside := strings.Cut(folder, "/")
		if !ok || !enrolled[id] {
			continue
		}
		if !inside || slices.ContainsFunc(tracks, func(t trackRun) bool { return t.track.ID == track }) {
			return &refusal
		}
	}
	return nil
}

// placed says what the names of a bundle are.
type placed struct {
	taken     map[string]bool // participant/track with a file named after a task
	strangers []string        // folders of nobody enrolled, sorted
	ignored   []string        // names outside the layout, sorted
}

func (r *run) layout(tracks []trackRun) placed {
	enrolled := r.enrolled()
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
		if !enrolled[folder] {
			switch {
			case file == "": // a file or link beside the folders
				out.ignored = append(out.ignored, name)
			case !strangers[folder]:
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
	for _, dir := range []string{"freeze/", "corpus/", proofsDir, rekorDir, trustDir} {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	switch name {
	case SeasonFile, r.season.EnrolmentFile, r.season.FreezeFile, r.season.ManifestFile, "expected.json":
		return true
	}
	for _, t := range r.season.Tracks {
		if name == t.ScaleFile || name == t.TextFile || name == t.KeyFile || name == publishedName(t.ID) {
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
