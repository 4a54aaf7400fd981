package score

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/submission"
)

// Graph is what the close asks of a task's graph.
type Graph interface {
	Resource(resource string) (season.Node, bool) // whether the resource is of this task, and how
	EntryConcerns(resource, pointer string) bool  // whether the pointer goes into an entry that concerns the subject
}

// Scale is what the close asks of the track's scale.
type Scale interface {
	Admissible(resource, field string) bool // whether some criterion consumes the field
}

// TaskRules are all that judges one task of one participant.
type TaskRules struct {
	Task   season.Task    // of the scale
	Key    season.KeyTask // of the answer key
	Graph  Graph
	Scale  Scale
	Corpus Corpus
	DID    string // of the participant as enrolled; empty where no enrolments are given
	File   string // name of the submission, for messages; may be empty
}

// Rejection is one assertion that rejects the whole submission at the close.
type Rejection struct {
	Assertion string
	Failure   *verify.Failure
}

// TaskResult is what became of one task. The zero value has no status and counts for nothing.
type TaskResult struct {
	TaskID        string
	Status        verify.TaskStatus
	VerdictExact  *bool               // nil unless rendered
	Grounded      *bool               // nil unless rendered
	MissingFacts  []string            // ids of the key's facts that are not carried, in the key's order; nil unless rendered
	Refusals      submission.Refusals // where refused at entry
	Rejections    []Rejection         // where rejected at the close
	NotRendered   *verify.Failure     // below_minimum or too_few_own, where not rendered
	Judgements    []Judgement         // of every assertion, whatever the status; nil where refused or absent
	Cited         []string            // every proof that a submission cites which passed entry, once, sorted
	MissingProofs []string            // cited proofs that are incomplete, sorted
	Missing       []proof.Missing     // what to fetch for those
	PendingProofs []string            // cited proofs that are pending, sorted

	Asserted, Unsupported, InstrumentDefects int // of a rendered task; asserted leaves the defects out
}

// Shown are the judgements that a report gives: those of a task that was looked at to the end.
func (t *TaskResult) Shown() []Judgement {
	switch t.Status {
	case verify.RejeteeCloture, verify.NonRendue, verify.Rendue:
		return t.Judgements
	}
	return nil
}

// Open reports whether the task has no score yet: its track shows no rates for this participant.
func (t *TaskResult) Open() bool {
	return t.Status == verify.TacheIncomp || t.Status == verify.EnAttente
}

// Exact reports whether the task counts as a success: rendered, the key's verdict, and grounded.
func (t *TaskResult) Exact() bool {
	return t.Status == verify.Rendue && t.VerdictExact != nil && *t.VerdictExact && t.Grounded != nil && *t.Grounded
}

// Absent is the result of a task for which nothing was handed in.
func Absent(taskID string) TaskResult { return TaskResult{TaskID: taskID, Status: verify.Absente} }

// Refused is the result of a submission that the entry refuses.
func Refused(taskID string, why submission.Refusals) TaskResult {
	return TaskResult{TaskID: taskID, Status: verify.RejeteeEntree, Refusals: why}
}

// Unread is the result of a submission that is there and cannot be read. That is no fault of the participant's, so there is no score before
// the file can be read.
func Unread(taskID string, file proof.Missing) TaskResult {
	return TaskResult{TaskID: taskID, Status: verify.TacheIncomp, Missing: []proof.Missing{file}}
}

// Task judges one submission that passed entry (seed 000 §5.7). proofs holds what is known of each cited proof, by id; one that is not
// in it is missing. The statuses are tried in order: incomplete, en_attente, rejetee_cloture, non_rendue, rendue.
func Task(s *submission.Submission, proofs map[string]proof.Result, r TaskRules) TaskResult {
	t := TaskResult{TaskID: r.Task.ID, Judgements: make([]Judgement, 0, len(s.Assertions))}
	for _, a := range s.Assertions {
		cited := make([]proof.Result, len(a.ProofIDs))
		for i, id := range a.ProofIDs {
			cited[i] = known(proofs, id)
		}
		t.Judgements = append(t.Judgements, Assertion(a.ID, a.Claim, cited, r.Corpus, Rules{DID: r.DID, AgentDID: s.DID}))
	}
	t.citations(s, proofs)
	if len(t.MissingProofs) > 0 {
		t.Status = verify.TacheIncomp
		return t
	}
	if len(t.PendingProofs) > 0 {
		t.Status = verify.EnAttente
		return t
	}
	if t.Rejections = rejections(s, r); len(t.Rejections) > 0 {
		t.Status = verify.RejeteeCloture
		return t
	}
	if t.NotRendered = t.count(s, r); t.NotRendered != nil {
		t.Status = verify.NonRendue
		t.Asserted, t.Unsupported = 0, 0
		return t
	}
	t.Status = verify.Rendue
	exact := s.Verdict == r.Key.Verdict
	t.MissingFacts = missingFacts(s, t.Judgements, r.Key.Facts)
	grounded := len(t.MissingFacts) == 0
	t.VerdictExact, t.Grounded = &exact, &grounded
	return t
}

// known is what is known of a proof: one that is not in the map is missing.
func known(proofs map[string]proof.Result, id string) proof.Result {
	if p, ok := proofs[id]; ok {
		return p
	}
	return MissingProof(id)
}

func (t *TaskResult) citations(s *submission.Submission, proofs map[string]proof.Result) {
	for _, id := range s.Cited() {
		t.Cited = append(t.Cited, id)
		switch p := known(proofs, id); {
		case !undecided(&p):
		case p.Outcome == proof.Pending:
			t.PendingProofs = append(t.PendingProofs, id)
		default:
			t.MissingProofs = append(t.MissingProofs, id)
			t.Missing = append(t.Missing, p.Missing...)
		}
	}
	slices.Sort(t.Cited)
	slices.Sort(t.MissingProofs)
	slices.Sort(t.PendingProofs)
}

// rejections names every assertion that rejects the submission at the close, each by the first rule that it breaks: the graph, then
// the entry of a shared list, then the field.
func rejections(s *submission.Submission, r TaskRules) []Rejection {
	var out []Rejection
	for i, a := range s.Assertions {
		c, at := a.Claim, "/assertions/"+strconv.Itoa(i)+"/claim"
		reject := func(reason verify.Reason, found, wanted, member string) {
			f := &verify.Failure{Reason: reason, Found: strings.Clone(found), Wanted: wanted, File: r.File, Pointer: at + member}
			out = append(out, Rejection{Assertion: strings.Clone(a.ID), Failure: f})
		}
		node, ok := r.Graph.Resource(c.Resource)
		switch {
		case !ok:
			reject(ReasonOutsideGraph, c.Resource, "a resource of the task's graph", "/resource")
		case node.Shared && !r.Graph.EntryConcerns(c.Resource, c.Field):
			reject(ReasonEntryNotConcerned, c.Field, "a pointer into an entry that concerns the subject", "/field")
		case !r.Scale.Admissible(c.Resource, c.Field):
			reject(ReasonFieldNotAdmissible, c.Field, "an admissible field of the collection", "/field")
		}
	}
	return out
}

// count counts the assertions, instrument defects taken out, and says why the task is not rendered, if it is not. Half of the minimum,
// rounded up, must bear on own resources.
func (t *TaskResult) count(s *submission.Submission, r TaskRules) *verify.Failure {
	own := 0
	for i, j := range t.Judgements {
		if j.Cause == verify.DefautInstrument {
			t.InstrumentDefects++
			continue
		}
		t.Asserted++
		if !j.Supported {
			t.Unsupported++
		}
		if node, ok := r.Graph.Resource(s.Assertions[i].Claim.Resource); ok && node.Own {
			own++
		}
	}
	half := r.Task.Half()
	switch {
	case t.Asserted < r.Task.Min:
		return &verify.Failure{Reason: ReasonBelowMinimum, Found: strconv.Itoa(t.Asserted), Wanted: strconv.Itoa(r.Task.Min) + " assertions"}
	case own < half:
		return &verify.Failure{Reason: ReasonTooFewOwn, Found: strconv.Itoa(own), Wanted: strconv.Itoa(half) + " assertions on own resources"}
	}
	return nil
}

// missingFacts gives the ids of the facts that no supported assertions carry, in the key's order.
func missingFacts(s *submission.Submission, js []Judgement, facts []season.Fact) []string {
	missing := []string{}
	for _, f := range facts {
		if !slices.ContainsFunc(f.Forms, func(form []season.Claim) bool { return carried(s, js, form) }) {
			missing = append(missing, f.ID)
		}
	}
	return missing
}

// carried reports whether every claim of a form is that of a supported assertion. A form without claims is carried by nothing.
func carried(s *submission.Submission, js []Judgement, form []season.Claim) bool {
	for _, want := range form {
		found := false
		for i, a := range s.Assertions {
			c := a.Claim
			found = found || js[i].Supported && c.Resource == want.Resource && c.Field == want.Field && canon.Equal(c.Value, want.Value)
		}
		if !found {
			return false
		}
	}
	return len(form) > 0
}

// Incidents are the instrument defects of the task, one for each assertion, whatever became of the task.
func (t *TaskResult) Incidents() []verify.Incident {
	var out []verify.Incident
	for _, j := range t.Judgements {
		if j.Cause != verify.DefautInstrument {
			continue
		}
		for _, p := range j.Proofs {
			if p.Condition == SystemBody {
				out = append(out, verify.Incident{Code: IncidentInstrument, TaskID: t.TaskID, Assertion: j.ID, ProofID: p.ProofID,
					Found: p.Failure.Found, Wanted: p.Failure.Wanted})
				break
			}
		}
	}
	return out
}
