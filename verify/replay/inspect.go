package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/freeze"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/score"
)

// FormatInspection is the format of what is found in a season under preparation.
const FormatInspection = "proveit.inspection/v1"

// Inspection is what is wrong with a season, before it opens. No proof, freeze or submission is judged.
type Inspection struct {
	Format    string           `json:"format"` // FormatInspection
	Season    int64            `json:"season"`
	Faults    []report.Notice  `json:"faults"`    // in the order of the files
	Missing   []string         `json:"missing"`   // files that season.json or the manifest names, sorted
	Ignored   []string         `json:"ignored"`   // names outside the layout, sorted; no fault
	Strangers []string         `json:"strangers"` // folders of submissions of nobody enrolled; no fault
	Tracks    []InspectedTrack `json:"tracks"`
	Pages     int              `json:"pages"`     // of the corpus, system bodies apart
	Facts     int              `json:"facts"`     // of the keys
	Result    string           `json:"result"`    // unusable, differs, incomplete or holds
	ExitCode  int              `json:"exit_code"` // 2 where a file is malformed, 1 for any other fault, 3 where only files are missing
}

// InspectedTrack is one track with what guessing would bring in it.
type InspectedTrack struct {
	Track        string               `json:"track"`
	Bareme       string               `json:"bareme"`
	BestConstant *report.BestConstant `json:"best_constant"` // null where no distribution is published
	BestFiller   *report.BestConstant `json:"best_filler"`   // the best constant verdict with the first true claims; null where that cannot be told
	Tasks        []InspectedTask      `json:"tasks"`
}

// InspectedTask is one task with the claims that it admits and, where asked for, its graph.
type InspectedTask struct {
	TaskID        string              `json:"task_id"`
	Min           int                 `json:"min_assertions"`
	Max           int                 `json:"max_assertions"`
	Admissible    int                 `json:"admissible"`     // true claims that the task may make
	AdmissibleOwn int                 `json:"admissible_own"` // those on own resources
	Own           int                 `json:"own"`            // own resources of the graph
	Shared        int                 `json:"shared"`         // shared lists of the graph
	Graph         []InspectedResource `json:"graph,omitempty"`
}

// InspectedResource is one resource of a task's graph.
type InspectedResource struct {
	Resource string `json:"resource"`
	Own      bool   `json:"own"`
	Shared   bool   `json:"shared"`
	Absent   bool   `json:"absent"` // its absent body is what is served
	From     string `json:"from"`   // the resource whose link reached it first; empty for a start
}

// inspector gathers faults. What cannot be read keeps only what depends on it from being looked at.
type inspector struct {
	run     *run
	doc     *Inspection
	outcome verify.Outcome
	graph   bool
}

// Inspect looks at a season under preparation: layout, the form of every file, the contract of the corpus, and everything that
// season.Check asks of scales and keys. Where graph is set, the graph of every task is given. The error means that season.json is not
// there or malformed.
func Inspect(b *bundle.Bundle, graph bool) (*Inspection, error) {
	raw, err := b.Read(SeasonFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", SeasonFile, err)
	}
	s, err := season.ParseSeason(SeasonFile, raw)
	if err != nil {
		return nil, err
	}
	in := &inspector{run: newRun(b, Options{}), outcome: verify.Holds, graph: graph}
	in.run.season = s
	in.doc = &Inspection{Format: FormatInspection, Season: s.Number, Faults: []report.Notice{}, Missing: []string{}, Ignored: []string{},
		Strangers: []string{}, Tracks: []InspectedTrack{}}
	in.names()
	if err := in.files(); err != nil {
		return nil, err
	}
	in.check()
	in.layout()
	slices.Sort(in.doc.Missing)
	in.doc.Missing = slices.Compact(in.doc.Missing)
	if len(in.doc.Missing) > 0 {
		in.worse(verify.Incomplete)
	}
	in.doc.Result, in.doc.ExitCode = in.outcome.String(), in.outcome.ExitCode()
	return in.doc, nil
}

func (in *inspector) worse(o verify.Outcome) { in.outcome = verify.Worse(in.outcome, o) }

func (in *inspector) fault(o verify.Outcome, f *verify.Failure) {
	in.doc.Faults = append(in.doc.Faults, report.NoticeOf(f))
	in.worse(o)
}

func (in *inspector) problem(p manifest.Problem) {
	in.fault(verify.Differs, &verify.Failure{Reason: verify.Reason(p.Code), Found: p.Found, Wanted: p.Wanted, File: p.File, Pointer: p.Pointer})
}

// names reports what the bundle refused, and names that differ only by case.
func (in *inspector) names() {
	for _, list := range [][]bundle.Refusal{in.run.bundle.Refused(), in.run.bundle.Twins()} {
		for _, r := range list {
			in.fault(verify.Differs, &verify.Failure{Reason: verify.Reason(r.Why), Found: r.Found, Wanted: r.Wanted, File: r.Name})
		}
	}
}

// read gives the bytes of a file that must be there. What was refused is among the faults already.
func (in *inspector) read(name string) ([]byte, bool) {
	b, err := in.run.bundle.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		in.doc.Missing = append(in.doc.Missing, name)
	case err != nil && !in.run.refused[name]:
		in.fault(verify.Differs, unreadable(name, err))
	}
	return b, err == nil
}

// malformed records that a file of the organizer's cannot be read as what it should be. The error is given back where it is no such
// thing.
func (in *inspector) malformed(name string, err error) error {
	var syntax *canon.SyntaxError
	var version *season.UnknownVersion
	var refusal *bundle.Refusal
	switch {
	case errors.As(err, &syntax):
		in.fault(verify.Unusable, &verify.Failure{Reason: ReasonMalformed, Found: fmt.Sprintf("line %d, column %d: %s", syntax.Line, syntax.Col, syntax.Found),
			Wanted: syntax.Want, File: name, Pointer: syntax.Pointer})
	case errors.As(err, &version):
		in.fault(verify.Unusable, &verify.Failure{Reason: ReasonScaleVersion, Found: version.Found, Wanted: fmt.Sprintf("one of %q", version.Known),
			File: name, Pointer: "/version"})
	case errors.As(err, &refusal):
		return nil // among the faults already
	default:
		return err
	}
	return nil
}

// files reads every file that season.json names, each on its own.
func (in *inspector) files() error {
	s := in.run.season
	if b, ok := in.read(s.EnrolmentFile); ok {
		var err error
		if s.Enrolments, err = season.ParseEnrolments(s.EnrolmentFile, b); err != nil {
			if err := in.malformed(s.EnrolmentFile, err); err != nil {
				return err
			}
		}
	}
	if b, ok := in.read(s.FreezeFile); ok {
		if _, err := freeze.Parse(s.FreezeFile, b); err != nil {
			if err := in.malformed(s.FreezeFile, err); err != nil {
				return err
			}
		}
	}
	for i := range s.Tracks {
		if err := in.track(&s.Tracks[i]); err != nil {
			return err
		}
	}
	return in.corpus()
}

// track reads the text, scale and key of a track.
func (in *inspector) track(t *season.Track) error {
	in.read(t.TextFile)
	var err error
	if b, ok := in.read(t.ScaleFile); ok {
		if t.Scale, err = season.ParseScale(t.ScaleFile, b, t.ID); err != nil {
			if err := in.malformed(t.ScaleFile, err); err != nil {
				return err
			}
		}
	}
	if b, ok := in.read(t.KeyFile); ok {
		if t.Key, err = season.ParseKey(t.KeyFile, b, in.run.season.Number, t.ID); err != nil {
			return in.malformed(t.KeyFile, err)
		}
	}
	return nil
}

func (in *inspector) corpus() error {
	s := in.run.season
	if _, ok := in.read(s.ManifestFile); !ok {
		return nil
	}
	corpus, err := manifest.LoadIn(in.run.bundle, s.ManifestFile, season.CorpusDir)
	if err != nil {
		return in.malformed(s.ManifestFile, err)
	}
	s.Corpus = corpus
	in.doc.Pages = len(corpus.Resources())
	for _, name := range corpus.Files() {
		if !in.run.present(name) {
			in.doc.Missing = append(in.doc.Missing, name)
		}
	}
	return nil
}

// check asks season.Check of whatever could be read.
func (in *inspector) check() {
	s := *in.run.season
	s.Tracks = nil
	if s.Corpus == nil {
		s.Corpus = &manifest.Corpus{}
	} else {
		for _, t := range in.run.season.Tracks {
			if t.Scale == nil {
				continue
			}
			if t.Key == nil {
				t.Key = &season.Key{File: t.KeyFile}
			}
			s.Tracks = append(s.Tracks, t)
		}
	}
	partial := len(s.Corpus.Missing()) > 0
	for _, p := range season.Check(&s) {
		if p.Code != manifest.PageMissing && !in.follows(p, partial) {
			in.problem(p)
		}
	}
	for i := range s.Tracks {
		in.uncovered(&s.Tracks[i])
		in.show(&s.Tracks[i], s.Corpus)
	}
}

// follows reports whether a problem only says that a page or a key is not there, which is said already.
func (in *inspector) follows(p manifest.Problem, partial bool) bool {
	switch p.Code {
	case season.MinimumUnreachable, season.FactUnreachable, season.FactEntry:
		return partial
	case season.DistributionDiffers, season.ControlCount, season.P5Count, season.NoOptionCount:
		return slices.ContainsFunc(in.run.season.Tracks, func(t season.Track) bool {
			return t.Key == nil && (t.KeyFile == p.File || t.ScaleFile == p.File)
		})
	}
	return false
}

// uncovered names the tasks of the scale that the key does not answer.
func (in *inspector) uncovered(t *season.Track) {
	if len(t.Key.Tasks) == 0 {
		return // no key, or none that could be read
	}
	for _, task := range t.Scale.Tasks {
		if _, ok := t.Key.Task(task.ID); !ok {
			in.fault(verify.Differs, &verify.Failure{Reason: ReasonKeyTaskMissing, Found: "no task " + task.ID,
				Wanted: "an answer to every task of " + t.Scale.File, File: t.Key.File, Pointer: "/tasks"})
		}
	}
}

// show describes a track: its tasks, and what guessing would bring.
func (in *inspector) show(t *season.Track, corpus *manifest.Corpus) {
	out := InspectedTrack{Track: t.ID, Bareme: t.Scale.Version, Tasks: []InspectedTask{}}
	if best, ok := season.BestConstant(t.Scale); ok {
		out.BestConstant = constantOf(best)
	}
	if filler, err := season.BestFiller(t, corpus); err == nil && len(t.Key.Tasks) > 0 {
		out.BestFiller = constantOf(filler)
	}
	for _, k := range t.Key.Tasks {
		in.doc.Facts += len(k.Facts)
	}
	for _, task := range t.Scale.Tasks {
		if g, err := season.NewGraph(corpus, t.Scale, task); err == nil { // a graph that is too large is a fault already
			out.Tasks = append(out.Tasks, in.task(task, g, t.Scale))
		}
	}
	in.doc.Tracks = append(in.doc.Tracks, out)
}

func constantOf(c season.Constant) *report.BestConstant {
	ratio := score.Ratio{Count: int(c.Exact), Of: int(c.Tasks)}
	return &report.BestConstant{Verdict: c.Verdict, Success: *report.SuccessOf(&ratio)}
}

func (in *inspector) task(task season.Task, g *season.Graph, scale *season.Scale) InspectedTask {
	out := InspectedTask{TaskID: task.ID, Min: task.Min, Max: task.Max}
	for _, n := range g.Resources() {
		switch {
		case n.Own:
			out.Own++
		case n.Shared:
			out.Shared++
		}
		if in.graph {
			out.Graph = append(out.Graph, InspectedResource{n.Resource, n.Own, n.Shared, n.Absent, n.From})
		}
	}
	for _, claim := range season.Admissible(g, scale) {
		out.Admissible++
		if n, _ := g.Resource(claim.Resource); n.Own {
			out.AdmissibleOwn++
		}
	}
	return out
}

// layout names what lies outside the layout of a bundle. Without scales and enrolments, what lies under submissions/ cannot be told.
func (in *inspector) layout() {
	var tracks []trackRun
	for i := range in.run.season.Tracks {
		t := &in.run.season.Tracks[i]
		if t.Scale == nil || in.run.season.Enrolments == nil {
			return
		}
		one := trackRun{track: t}
		for _, task := range t.Scale.Tasks {
			one.rules = append(one.rules, score.TaskRules{Task: task})
		}
		tracks = append(tracks, one)
	}
	placed := in.run.layout(tracks)
	in.doc.Ignored = append(in.doc.Ignored, placed.ignored...)
	in.doc.Strangers = append(in.doc.Strangers, placed.strangers...)
}
