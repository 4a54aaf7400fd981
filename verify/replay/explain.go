package replay

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/score"
	"github.com/ark-forge/proveit/verify/submission"
)

// FormatExplanation is the format of how one assertion was judged.
const FormatExplanation = "proveit.explanation/v1"

// Question says which assertion is to be explained.
type Question struct {
	Participant string // id or DID
	Track       string // empty where one track alone has the task
	Task        string
	Assertion   string

	Archive string // name of the .zip that the bundle is, from where the commands are run; empty for a directory
	Trust   fs.FS  // the folder that Options.Trust was read from; nil for the bundle's own
}

// Explanation is how one assertion was judged: condition by condition, the values that were compared, where they come from, and a command
// that gives each of them again with standard tools. The commands are for bash, in the folder of the bundle, after those of Setup.
type Explanation struct {
	Format      string            `json:"format"` // FormatExplanation
	Season      int64             `json:"season"`
	Participant string            `json:"participant"`
	Name        string            `json:"name"`
	DID         string            `json:"did"`
	Track       string            `json:"track"`
	TaskID      string            `json:"task_id"`
	Assertion   string            `json:"assertion"`
	Resource    string            `json:"resource"`
	Field       string            `json:"field"`
	Value       string            `json:"value"` // canonical JSON
	File        string            `json:"file"`  // the submission
	Pointer     string            `json:"pointer"`
	Status      verify.TaskStatus `json:"status"` // of the task; empty where nothing was scored
	Supported   bool              `json:"supported"`
	Cause       *verify.Cause     `json:"cause"`
	Reason      verify.Reason     `json:"reason"`
	Detail      *report.Detail    `json:"detail"`
	Refusals    []report.Notice   `json:"refusals"` // why the submission was refused or rejected, or the freeze does not hold
	Setup       []string          `json:"setup"`    // to be run once, before any other command
	Proofs      []ExplainedProof  `json:"proofs"`   // in cited order
	Missing     []report.Missing  `json:"missing"`
	Result      string            `json:"result"`
	ExitCode    int               `json:"exit_code"` // 0 also where the assertion is not supported; 1 where the freeze does not hold; 3 where something is open
}

// ExplainedProof is what one cited proof does for the assertion.
type ExplainedProof struct {
	ProofID     string               `json:"proof_id"`
	Outcome     string               `json:"outcome"` // of condition 1: valid, invalid, pending or incomplete
	SpecVersion string               `json:"spec_version"`
	File        string               `json:"file"` // of the view that was judged
	Pointer     string               `json:"pointer"`
	Setup       []string             `json:"setup"` // to be run before the commands of this proof
	Checks      []report.Check       `json:"checks"`
	Conditions  []ExplainedCondition `json:"conditions"`
}

// ExplainedCondition is one of the four conditions, or the system bodies between the third and the fourth.
type ExplainedCondition struct {
	Condition   string         `json:"condition"` // 1, 2, 3, system or 4
	Status      string         `json:"status"`    // ok, failed, pending, or skipped where an earlier one decided
	Reason      verify.Reason  `json:"reason"`
	Detail      *report.Detail `json:"detail"`
	Comparisons []Comparison   `json:"comparisons"`
}

// Comparison is a set of values that were held against each other.
type Comparison struct {
	Name   string       `json:"name"`   // such as batch_path
	Status string       `json:"status"` // ok, failed, or shown where nothing is compared
	Wanted string       `json:"wanted"` // what a value must be, where that is not another value
	Values []ShownValue `json:"values"`
}

// ShownValue is one value with its origin.
type ShownValue struct {
	What    string `json:"what"` // such as recomputed or stated
	Of      string `json:"of"`   // a name that tells several apart; may be empty
	Value   string `json:"value"`
	File    string `json:"file"` // may be empty for what is computed from other values alone
	Pointer string `json:"pointer"`
	Command string `json:"command"` // prints Value, a final newline apart; empty where no standard tool does
}

// explainer builds one explanation.
type explainer struct {
	run      *run
	q        Question
	doc      *Explanation
	files    map[string]canon.Value // parsed files by name
	claim    season.Claim
	declared *submission.Assertion
	at       int // index of the assertion in the submission
	stated   *submission.Submission
	person   season.Participant
}

// Explain judges the submission that a question names, with the code of a replay, and explains one assertion of it. The error means that
// the question could not be put: there is no such participant, task, submission or assertion, or that of Run.
func Explain(ctx context.Context, b *bundle.Bundle, o Options, q Question) (*Explanation, error) {
	r := newRun(b, o)
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	x := &explainer{run: r, q: q, files: map[string]canon.Value{}}
	x.doc = &Explanation{Format: FormatExplanation, Season: r.season.Number, Assertion: q.Assertion, TaskID: q.Task, Track: q.Track, Participant: q.Participant,
		Refusals: []report.Notice{}, Setup: setup(q), Proofs: []ExplainedProof{}, Missing: []report.Missing{}}
	scored, err := r.frozen()
	if err == nil && scored {
		scored, err = r.ready()
	}
	if err == nil && scored {
		err = x.find()
	}
	if err != nil {
		return nil, err
	}
	if !scored {
		x.unscored()
	}
	sortMissing(r.doc)
	x.doc.Missing = append(x.doc.Missing, r.doc.Missing...)
	x.doc.Result, x.doc.ExitCode = r.outcome.String(), r.outcome.ExitCode()
	return x.doc, nil
}

// unscored says why there is no judgement to explain.
func (x *explainer) unscored() {
	for _, c := range x.run.doc.Freeze.Checks {
		if c.Status == verify.Failed.String() || c.Status == verify.Unset.String() {
			x.doc.Refusals = append(x.doc.Refusals, report.Notice{Code: c.Reason, Detail: c.Detail})
		}
	}
	for _, w := range x.run.doc.Warnings {
		if w.Code == ReasonCorpusDiffers {
			x.doc.Refusals = append(x.doc.Refusals, w)
		}
	}
}

// find judges the submission that the question names.
func (x *explainer) find() error {
	tracks, err := x.run.tracks()
	if err != nil {
		return err
	}
	t, rules, err := x.task(tracks)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(x.run.season.Enrolments, func(p season.Participant) bool { return p.ID == x.q.Participant || p.DID == x.q.Participant })
	if i < 0 {
		return fmt.Errorf("found no participant %q, want the id or the DID of somebody enrolled", x.q.Participant)
	}
	x.person = x.run.season.Enrolments[i]
	name := submissionName(x.person.ID, t.track.ID, rules.Task.ID)
	if !x.run.present(name) {
		return fmt.Errorf("%s: found no submission, want one to explain", name)
	}
	rules.DID, rules.File = x.person.DID, name
	result, s, seen, unread := x.run.task(t, x.person, rules)
	d := x.doc
	d.Participant, d.Name, d.DID, d.Track, d.File, d.Status = x.person.ID, x.person.Name, x.person.DID, t.track.ID, name, result.Status
	d.Refusals = append(d.Refusals, taskDocument(&result, s).Refusals...)
	if unread != nil {
		d.Refusals = append(d.Refusals, report.NoticeOf(unread))
	}
	x.run.doc.Missing = append(x.run.doc.Missing, missing(&result)...)
	if result.Open() {
		x.run.worse(verify.Incomplete)
	}
	if s == nil {
		return nil // refused at entry: there is nothing that was judged
	}
	return x.assertion(s, &result, seen)
}

// task finds the task of the question.
func (x *explainer) task(tracks []trackRun) (*trackRun, score.TaskRules, error) {
	var found []*trackRun
	var names []string
	var out score.TaskRules
	var known []string
	for i := range tracks {
		known = append(known, tracks[i].track.ID)
		for _, rules := range tracks[i].rules {
			if rules.Task.ID == x.q.Task && (x.q.Track == "" || tracks[i].track.ID == x.q.Track) {
				found, out = append(found, &tracks[i]), rules
				names = append(names, tracks[i].track.ID)
			}
		}
	}
	if x.q.Track != "" && !slices.Contains(known, x.q.Track) {
		return nil, out, fmt.Errorf("found no track %q, want %s", x.q.Track, submission.OneOf(known))
	}
	switch len(found) {
	case 0:
		return nil, out, fmt.Errorf("found no task %q, want one of the season's", x.q.Task)
	case 1:
		return found[0], out, nil
	}
	return nil, out, fmt.Errorf("found task %q in the tracks %s, want --track", x.q.Task, strings.Join(names, " and "))
}

// assertion explains the assertion of the question.
func (x *explainer) assertion(s *submission.Submission, result *score.TaskResult, seen map[string]judged) error {
	x.stated = s
	x.at = slices.IndexFunc(s.Assertions, func(a submission.Assertion) bool { return a.ID == x.q.Assertion })
	if x.at < 0 {
		var ids []string
		for _, a := range s.Assertions {
			ids = append(ids, a.ID)
		}
		return fmt.Errorf("%s: found no assertion %q, want one of %s", x.doc.File, x.q.Assertion, strings.Join(ids, " "))
	}
	x.declared, x.claim = &s.Assertions[x.at], s.Assertions[x.at].Claim
	d := x.doc
	d.Resource, d.Field, d.Value, d.Pointer = x.claim.Resource, x.claim.Field, canonicalText(x.claim.Value), fmt.Sprintf("/assertions/%d", x.at)
	i := slices.IndexFunc(result.Judgements, func(j score.Judgement) bool { return j.ID == x.q.Assertion })
	if i < 0 {
		return nil
	}
	j := result.Judgements[i]
	d.Supported, d.Reason, d.Detail = j.Supported, j.Reason, report.DetailOf(j.Failure)
	if j.Cause != "" {
		d.Cause = &j.Cause
	}
	d.Setup = append(d.Setup, x.sources()...)
	for n, id := range x.declared.ProofIDs {
		one, err := x.proof(id, seen[id].result, j.Proofs[n])
		if err != nil {
			return err
		}
		d.Proofs = append(d.Proofs, one)
	}
	return nil
}

// proof explains one cited proof.
func (x *explainer) proof(id string, result proof.Result, j score.ProofJudgement) (ExplainedProof, error) {
	out := ExplainedProof{ProofID: id, Outcome: result.Outcome.String(), SpecVersion: result.SpecVersion, Setup: []string{},
		Checks: report.ChecksOf(result.Checks), Conditions: []ExplainedCondition{}}
	e := &proofExplainer{x: x, id: id, result: result}
	if err := e.locate(&out); err != nil {
		return out, err
	}
	for _, c := range []struct {
		name        string
		condition   score.Condition
		comparisons func() []Comparison
	}{{"1", score.ProofValid, e.validity}, {"2", score.IdentityBound, e.identity}, {"3", score.ResourceMatch, e.request},
		{"system", score.SystemBody, e.system}, {"4", score.ValueMatch, e.value}} {
		one := ExplainedCondition{Condition: c.name, Status: conditionStatus(c.condition, j.Condition, result.Outcome), Comparisons: c.comparisons()}
		if one.Comparisons == nil {
			one.Comparisons = []Comparison{}
		}
		if j.Condition == c.condition && j.Failure != nil {
			one.Reason, one.Detail = j.Failure.Reason, report.DetailOf(j.Failure)
		}
		out.Conditions = append(out.Conditions, one)
	}
	return out, e.err
}

// rank is the place of a condition in the order in which they are applied: the system bodies come between the third and the fourth.
func rank(c score.Condition) int {
	return slices.Index([]score.Condition{score.ProofValid, score.IdentityBound, score.ResourceMatch, score.SystemBody, score.ValueMatch}, c)
}

// conditionStatus is the state of one condition where another, or none, is the first that fails.
func conditionStatus(c, first score.Condition, outcome proof.Outcome) string {
	switch {
	case first == score.Met:
		return verify.OK.String()
	case first == score.Undecided && c == score.ProofValid && outcome == proof.Pending:
		return verify.Pending.String()
	case first == score.Undecided:
		return verify.Skipped.String()
	case c == first:
		return verify.Failed.String()
	case rank(c) < rank(first):
		return verify.OK.String()
	}
	return verify.Skipped.String()
}
