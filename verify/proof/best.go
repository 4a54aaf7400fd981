package proof

import "github.com/ark-forge/proveit/verify"

// NullResult is the result of a view that the batch answer gives as null: the service says that there is no such proof.
func NullResult(v View) Result {
	f := &verify.Failure{Reason: ReasonNull, Found: "null", Wanted: "the proof", File: v.File, Pointer: v.Pointer}
	r := Result{ProofID: v.ID, Outcome: Invalid, Null: true, Identity: Identity{Failure: f}, Checks: make(verify.Checks, checkCount)}
	j := judgement{r: r}
	j.skipAll(f)
	j.set(checkChainHash, verify.Failing(CheckChainHash, false, f))
	return j.r
}

// Best picks among the results of several views of one proof: a valid one; else, among anchored ones, incomplete before invalid; else, among
// pending ones, pending, then incomplete, then invalid; else null. Among equals the first. Best of nothing is the zero Result, which is
// invalid.
func Best(rs []Result) Result {
	var best Result
	rank := 0
	for _, r := range rs {
		if n := r.rank(); n > rank {
			best, rank = r, n
		}
	}
	return best
}

// rank is higher for the better result.
func (r Result) rank() int {
	switch {
	case r.Outcome == Valid:
		return 7
	case r.Null:
		return 1
	case r.Anchored && r.Outcome == Incomplete:
		return 6
	case r.Anchored:
		return 5
	case r.Outcome == Pending:
		return 4
	case r.Outcome == Incomplete:
		return 3
	}
	return 2
}
