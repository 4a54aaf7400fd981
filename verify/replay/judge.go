package replay

import (
	"slices"
	"strings"

	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/freeze"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/score"
	"github.com/ark-forge/proveit/verify/submission"
)

// trackRun is what judges the tasks of one track.
type trackRun struct {
	track *season.Track
	rules []score.TaskRules // in the order of the scale; the participant's DID is filled in for each
}

// judge judges the submissions of one participant in one track.
func (r *run) judge(t *trackRun, p season.Participant) report.Participant {
	out := report.Participant{Participant: p.ID, Name: p.Name, DID: p.DID, Table: string(p.Table), Stack: p.Stack,
		Tasks: make([]report.Task, 0, len(t.rules)), Withheld: []string{}, Proofs: []string{}}
	results := make([]score.TaskResult, 0, len(t.rules))
	for _, rules := range t.rules {
		rules.DID = p.DID
		result, s, seen, unread := r.task(t, p, rules)
		if unread != nil {
			out.Unread = append(out.Unread, report.NoticeOf(unread))
		}
		results = append(results, result)
		out.Tasks = append(out.Tasks, taskDocument(&result, s))
		for _, id := range result.Cited {
			out.Proofs = append(out.Proofs, strings.Clone(id)) // an id read from a submission keeps all of it in memory
		}
		out.Rejected = out.Rejected || result.Status == verify.RejeteeEntree || result.Status == verify.RejeteeCloture
		out.Incidents = append(out.Incidents, incidents(p.ID, t.track.ID, &result, s, seen)...)
		out.Missing = append(out.Missing, missing(&result)...)
	}
	slices.Sort(out.Proofs)
	out.Proofs = slices.Compact(out.Proofs)
	columns := score.Track(results, len(t.rules))
	out.Overclaim, out.Success = report.OverclaimOf(columns.Overclaim), report.SuccessOf(columns.Success)
	out.Rendered = columns.Rendered
	out.Withheld = append(out.Withheld, columns.Withheld...)
	return out
}

// task judges one submission, or says that there is none. It gives the submission where the entry took it, what is known of each proof
// that it cites, and why the file cannot be read where it cannot.
func (r *run) task(t *trackRun, p season.Participant, rules score.TaskRules) (score.TaskResult, *submission.Submission, map[string]judged, *verify.Failure) {
	id := rules.Task.ID
	name := submissionName(p.ID, t.track.ID, id)
	if !r.present(name) {
		return score.Absent(id), nil, nil, nil
	}
	r.count.submissions.Add(1)
	b, err := r.bundle.Read(name)
	if err != nil {
		return score.Unread(id, proof.Missing{Kind: freeze.KindFile, ID: name}), nil, nil, unreadable(name, err)
	}
	result, s, seen := r.text(name, b, r.entry.At(t.track.ID, id, p.DID), rules)
	return result, s, seen, nil
}

// text judges the bytes of one submission.
func (r *run) text(name string, b []byte, entry submission.Rules, rules score.TaskRules) (score.TaskResult, *submission.Submission, map[string]judged) {
	s, refusals := submission.Parse(name, b, entry)
	if len(refusals) > 0 {
		return score.Refused(rules.Task.ID, refusals), nil, nil
	}
	seen := make(map[string]judged, len(s.Disclosures))
	cited := make(map[string]proof.Result, len(s.Disclosures))
	for _, id := range s.Cited() {
		one := r.proof(id, s.Disclosures[id], r.window)
		seen[id], cited[id] = one, one.result
	}
	r.count.assertions.Add(int64(len(s.Assertions)))
	result := score.Task(s, cited, rules)
	r.placed(name, s, &result)
	return result, s, seen
}

func submissionName(participant, track, task string) string {
	return submissionsDir + participant + "/" + track + "/" + task + ".json"
}

// judged is what is known of one cited proof.
type judged struct {
	result    proof.Result
	incidents []verify.Incident
}

// proof judges every distinct view of a proof and takes the best. A proof of which nothing is there is missing.
func (r *run) proof(id string, d proof.Disclosures, w *proof.Window) judged {
	views, null := r.evidence.distinct(id)
	switch {
	case len(views) == 0 && null:
		return judged{result: proof.NullResult(proof.View{ID: id, Null: true})}
	case len(views) == 0:
		return judged{result: score.MissingProof(id)}
	}
	r.count.proofs.Add(1)
	var out judged
	results := make([]proof.Result, 0, len(views))
	for _, view := range views {
		results = append(results, r.verifier.Verify(view, proof.Evidence{
			Entries: r.evidence.entriesFor(view.EntryUUID()), Disclosures: &d, Window: w}))
	}
	if i := proof.Differences(views); i != nil {
		out.incidents = append(out.incidents, *i)
	}
	out.result = proof.Best(results)
	out.incidents = append(out.incidents, out.result.Incidents...)
	return out
}

// taskDocument writes a task's result.
func taskDocument(t *score.TaskResult, s *submission.Submission) report.Task {
	out := report.Task{TaskID: t.TaskID, Status: t.Status, VerdictExact: t.VerdictExact, Grounded: t.Grounded,
		MissingFacts: []string{}, Assertions: []report.Assertion{}}
	out.MissingFacts = append(out.MissingFacts, t.MissingFacts...)
	if s != nil {
		out.Verdict, out.Narrative = s.Verdict, s.Narrative
	}
	claims := map[string]season.Claim{}
	if s != nil {
		for _, a := range s.Assertions {
			claims[a.ID] = a.Claim
		}
	}
	for _, j := range t.Shown() {
		out.Assertions = append(out.Assertions, assertionDocument(j, claims[j.ID]))
	}
	for _, f := range t.Refusals.Failures() {
		out.Refusals = append(out.Refusals, report.NoticeOf(f))
	}
	for _, rejection := range t.Rejections {
		out.Refusals = append(out.Refusals, report.NoticeOf(rejection.Failure))
	}
	if t.NotRendered != nil {
		out.Refusals = append(out.Refusals, report.NoticeOf(t.NotRendered))
	}
	return out
}

func assertionDocument(j score.Judgement, c season.Claim) report.Assertion {
	out := report.Assertion{ID: j.ID, Supported: j.Supported}
	if j.Supported || j.Cause == "" {
		return out
	}
	cause := j.Cause
	out.Cause, out.Reason, out.Detail = &cause, j.Reason, report.DetailOf(j.Failure)
	for _, p := range j.Proofs {
		if p.Condition.Cause() == cause {
			out.ProofID = p.ProofID
			break
		}
	}
	out.Resource, out.Field, out.Value = c.Resource, c.Field, canonicalText(c.Value)
	return out
}

// incidents are those of every assertion of a submission, whatever became of the task. What one proof gives several times under one
// code (three flat fields that differ, say) is one incident.
func incidents(participant, track string, t *score.TaskResult, s *submission.Submission, seen map[string]judged) []report.Incident {
	if s == nil {
		return nil
	}
	var out []report.Incident
	defects := t.Incidents()
	for _, a := range s.Assertions {
		base := report.Incident{Participant: participant, Track: track, TaskID: t.TaskID, Assertion: a.ID}
		for _, id := range a.ProofIDs {
			out = append(out, proofIncidents(base, id, seen[id].incidents)...)
		}
		for _, i := range defects {
			if i.Assertion == a.ID {
				out = append(out, proofIncidents(base, i.ProofID, []verify.Incident{i})...)
			}
		}
	}
	return out
}

// proofIncidents writes the incidents of one proof, one for each code, in the order in which the codes occur.
func proofIncidents(base report.Incident, id string, list []verify.Incident) []report.Incident {
	var out []report.Incident
	for _, i := range list {
		at := slices.IndexFunc(out, func(o report.Incident) bool { return o.Code == i.Code })
		if at < 0 {
			one := base
			one.Code, one.ProofID = i.Code, id
			if i.Found != "" || i.Wanted != "" || i.Pointer != "" {
				one.Detail = &report.Detail{Found: i.Found, Expected: i.Wanted, File: i.File, Pointer: i.Pointer}
			}
			out = append(out, one)
			continue
		}
		if d := out[at].Detail; d != nil {
			d.Found, d.Expected, d.Pointer = d.Found+"; "+i.Found, d.Expected+"; "+i.Wanted, d.Pointer+"; "+i.Pointer
		}
	}
	return out
}

// missing lists what a task that has no score yet waits for.
func missing(t *score.TaskResult) []report.Missing {
	var out []report.Missing
	for _, m := range t.Missing {
		out = append(out, report.Missing{Kind: string(m.Kind), ID: m.ID})
	}
	for _, id := range t.PendingProofs {
		out = append(out, report.Missing{Kind: missingAnchor, ID: id})
	}
	return out
}
