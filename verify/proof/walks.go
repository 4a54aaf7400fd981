package proof

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
	"github.com/ark-forge/proveit/verify/rekor"
)

// Walks gives every hash of the Merkle walks that judge a proof: the tree over its commitments, the path of its batch, and the inclusion
// path of each log entry. Whatever cannot be read takes no part; Verify says why. They are for showing, and judge nothing.
func (p *Proof) Walks(entries []rekor.Entry) []merkle.Walk {
	var out []merkle.Walk
	if w, ok := p.commitmentWalk(); ok {
		out = append(out, w)
	}
	if w, ok := p.batchWalk(); ok {
		out = append(out, w)
	}
	for _, e := range entries {
		if w, ok := e.Walk(); ok {
			w.Check = CheckLog
			out = append(out, w)
		}
	}
	return out
}

func (p *Proof) commitmentWalk() (merkle.Walk, bool) {
	ver, f := parseVersion(p.m.specVersion)
	if f != nil || ver.scheme != schemeTree && ver.scheme != schemeIdentity {
		return merkle.Walk{}, false
	}
	cs, f := p.readCommitments(nil)
	if f != nil || len(cs) == 0 {
		return merkle.Walk{}, false
	}
	w := merkle.Walk{Check: CheckChainHash, Root: cs.root()}
	var hashes []canon.Digest
	for _, c := range cs {
		hash := leafHash(&c.digest)
		hashes = append(hashes, hash)
		w.Leaves = append(w.Leaves, merkle.Leaf{Name: c.name, Data: c.digest.String(), Hash: hash})
	}
	w.Steps = merkle.RootSteps(hashes)
	return w, true
}

func (p *Proof) batchWalk() (merkle.Walk, bool) {
	j := judgement{p: p}
	batch := p.m.batch
	chain, _, f := p.readChain()
	index, f1 := j.count(batch, "leaf_index")
	size, f2 := j.count(batch, "tree_size")
	path, f3 := j.auditPath(batch.Get("audit_path"), nil)
	if f != nil || f1 != nil || f2 != nil || f3 != nil {
		return merkle.Walk{}, false
	}
	leaf := leafHash(&chain)
	steps, err := merkle.PathSteps(leaf, index, size, path)
	if err != nil {
		return merkle.Walk{}, false
	}
	w := merkle.Walk{Check: CheckBatchPath, Leaves: []merkle.Leaf{{Name: "chain hash", Data: chain.String(), Hash: leaf}}, Steps: steps, Root: leaf}
	if len(steps) > 0 {
		w.Root = steps[len(steps)-1].Node
	}
	return w, true
}

// Whole is the outcome where the identity counts as well: a block in disclosed that does not open makes the proof invalid. A season asks
// for the identity apart (condition 2 of seed 000 §4.1), so Outcome leaves it out.
func (r *Result) Whole() Outcome {
	if c, ok := r.Checks.Named(CheckIdentity); ok && c.Status == verify.Failed {
		return Invalid
	}
	return r.Outcome
}

// Answer is the outcome as that of a run.
func (o Outcome) Answer() verify.Outcome {
	switch o {
	case Valid:
		return verify.Holds
	case Pending, Incomplete:
		return verify.Incomplete
	}
	return verify.Differs
}
