package replay

import (
	"strconv"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/score"
	"github.com/ark-forge/proveit/verify/submission"
)

// Names of the four conditions (seed 000 §4.1) in a check before the close.
const (
	ConditionProof    = "proof"
	ConditionIdentity = "identity"
	ConditionResource = "resource"
	ConditionValue    = "value"
)

// Why a condition cannot be known yet.
const (
	ReasonProofNotGiven     verify.Reason = "proof_not_given"     // no view of the cited proof was handed in
	ReasonHashesNotOpened   verify.Reason = "hashes_not_opened"   // the proof does not open its request and response hash, so nothing can be compared
	ReasonCatalogueNotGiven verify.Reason = "catalogue_not_given" // no manifest says which request asks for the resource
	ReasonResponseNotGiven  verify.Reason = "response_not_given"  // neither the frozen page nor a saved response of that hash was handed in
)

// judge judges every assertion as far as can be known.
func (d *Desk) judge(out *Prechecked) {
	for i, a := range out.Submission.Assertions {
		one := PrecheckedAssertion{Assertion: a}
		for _, id := range a.ProofIDs {
			result := d.proof(id, out.Submission.Disclosures[id])
			checks := d.conditions(out.Submission, a, &result)
			d.placed(out.Name, claimAt{a.Claim, i}, result.Opened, checks)
			one.Proofs = append(one.Proofs, PrecheckedProof{id, checks})
			if result.Outcome.Answer() == verify.Incomplete {
				out.Outcome = verify.Worse(out.Outcome, verify.Incomplete)
			}
		}
		for _, p := range one.Proofs {
			if _, failed := p.Checks.First(verify.Failed); failed {
				out.Outcome = verify.Worse(out.Outcome, verify.Differs)
			}
		}
		out.Assertions = append(out.Assertions, one)
	}
	for _, id := range out.Submission.Cited() {
		result := d.results[id]
		if result.Outcome == proof.Pending {
			out.Pending = append(out.Pending, id)
		}
		if result.Outcome == proof.Incomplete {
			out.Missing = append(out.Missing, result.Missing...)
		}
	}
}

// proof judges every view of a proof and takes the best, as at the close.
func (d *Desk) proof(id string, disclosures proof.Disclosures) proof.Result {
	if r, ok := d.results[id]; ok && d.opened[id] == disclosures {
		return r
	}
	var results []proof.Result
	for _, v := range d.views[id] {
		switch {
		case v.Null:
			results = append(results, proof.NullResult(v))
		case v.Proof != nil:
			results = append(results, d.verifier.Verify(v.Proof, proof.Evidence{Entries: d.h.Entries.Named(v.Proof.EntryUUID()), Disclosures: &disclosures, Window: d.window}))
		}
	}
	result := score.MissingProof(id)
	if len(results) > 0 {
		result = proof.Best(results)
	}
	d.results[id], d.opened[id] = result, disclosures
	return result
}

// conditions judges the four conditions apart from one another: what fails first does not hide the rest.
func (d *Desk) conditions(s *submission.Submission, a submission.Assertion, result *proof.Result) verify.Checks {
	rules := score.Rules{AgentDID: s.DID}
	corpus := &openCorpus{desk: d, opened: result.Opened}
	first := func(r proof.Result) score.ProofJudgement {
		return score.Assertion(a.ID, a.Claim, []proof.Result{r}, corpus, rules).Proofs[0]
	}
	relaxed := *result
	checks := verify.Checks{d.proofCondition(result, first(*result))}
	relaxed.Outcome, relaxed.Null = proof.Valid, false
	if result.Opened == nil {
		unknown := verify.Check{Status: verify.Skipped, Reason: ReasonHashesNotOpened}
		if len(result.Checks) == 0 {
			unknown.Reason = ReasonProofNotGiven
		}
		for _, name := range []string{ConditionIdentity, ConditionResource, ConditionValue} {
			unknown.Name = name
			checks = append(checks, unknown)
		}
		return checks
	}
	j := first(relaxed)
	checks = append(checks, condition(ConditionIdentity, j, score.IdentityBound))
	relaxed.SpecVersion, relaxed.Identity = "3.1", proof.Identity{Opened: true, DID: s.DID, Verified: true, Bound: true}
	j = first(relaxed)
	resource := condition(ConditionResource, j, score.ResourceMatch)
	if d.corpus == nil {
		resource = verify.Check{Name: ConditionResource, Status: verify.Skipped, Reason: ReasonCatalogueNotGiven}
	}
	checks = append(checks, resource)
	corpus.anyRequest = true
	j = first(relaxed)
	value := condition(ConditionValue, j, score.ValueMatch)
	switch {
	case j.Condition == score.SystemBody:
		value = failing(ConditionValue, j)
	case corpus.unknown:
		value = verify.Check{Name: ConditionValue, Status: verify.Skipped, Reason: ReasonResponseNotGiven}
	}
	return append(checks, value)
}

// proofCondition is condition 1, of which the two that have no answer yet are told apart.
func (d *Desk) proofCondition(r *proof.Result, j score.ProofJudgement) verify.Check {
	switch r.Outcome {
	case proof.Pending:
		return verify.Check{Name: ConditionProof, Status: verify.Pending, Reason: proof.ReasonBatchPending}
	case proof.Incomplete:
		c := verify.Check{Name: ConditionProof, Status: verify.Skipped, Reason: ReasonProofNotGiven}
		for _, one := range r.Checks {
			if one.Status == verify.Skipped && one.Reason != "" && one.Name != proof.CheckIdentity && one.Name != proof.CheckBatchPath {
				c.Reason, c.Detail = one.Reason, one.Detail
			}
		}
		return c
	}
	return condition(ConditionProof, j, score.ProofValid)
}

// condition is the check of one condition: failed where it is the first that fails.
func condition(name string, j score.ProofJudgement, c score.Condition) verify.Check {
	if j.Condition == c {
		return failing(name, j)
	}
	return verify.Check{Name: name, Status: verify.OK}
}

// failing names the published cause beside the reason: the same word as in the report for the same file.
func failing(name string, j score.ProofJudgement) verify.Check {
	c := verify.Failing(name, false, j.Failure)
	c.Note = string(j.Condition.Cause())
	return c
}

// openCorpus is the frozen corpus as far as it is known. Where it is not, the proof is taken at its word, and that is remembered.
type openCorpus struct {
	desk       *Desk
	opened     *proof.Opened
	anyRequest bool // the request is not asked about
	unknown    bool // the body is neither frozen nor saved
}

func (c *openCorpus) Request(resource string) (canon.Digest, bool) {
	if c.desk.corpus == nil || c.anyRequest {
		return c.opened.Request, true
	}
	return c.desk.corpus.Request(resource)
}

func (c *openCorpus) frozen(resource string) bool {
	if c.desk.corpus == nil {
		return false
	}
	_, ok := c.desk.corpus.Response(resource)
	return ok
}

func (c *openCorpus) Response(resource string) (canon.Digest, bool) {
	if c.frozen(resource) {
		return c.desk.corpus.Response(resource)
	}
	return c.opened.Response, true
}

func (c *openCorpus) Body(resource string) (canon.Value, bool) {
	if c.frozen(resource) {
		return c.desk.corpus.Body(resource)
	}
	v, ok := c.desk.h.Responses[c.opened.Response]
	c.unknown = !ok
	return v, ok
}

func (c *openCorpus) System(d canon.Digest) (string, bool) {
	if c.desk.corpus == nil {
		return "", false
	}
	return c.desk.corpus.System(d)
}

// remarks are what the close will say whatever the receipts give, as far as scale and corpus are at hand.
func (d *Desk) remarks(name string, s *submission.Submission) []*verify.Failure {
	if d.season == nil {
		return nil
	}
	track, _ := d.season.Track(s.Track) // the entry took both
	task, _ := track.Scale.Task(s.TaskID)
	rules := score.TaskRules{Task: task, Scale: track.Scale, Graph: anyGraph{}, File: name}
	if d.corpus != nil && len(d.corpus.Missing()) == 0 {
		if graph, err := season.NewGraph(d.corpus, track.Scale, task); err == nil {
			rules.Graph = graph
		}
	}
	var out []*verify.Failure
	for _, r := range score.Rejections(s, rules) {
		out = append(out, r.Failure)
	}
	if n := len(s.Assertions); n < task.Min {
		out = append(out, &verify.Failure{Reason: score.ReasonBelowMinimum, Found: strconv.Itoa(n) + " assertions", Wanted: "at least " + strconv.Itoa(task.Min), File: name, Pointer: "/assertions"})
	}
	return out
}

// anyGraph stands in for the graph of a task as long as the corpus is not public: every resource may be of the task.
type anyGraph struct{}

func (anyGraph) Resource(resource string) (season.Node, bool) {
	return season.Node{Resource: resource, Own: true}, true
}

func (anyGraph) EntryConcerns(string, string) bool { return true }
