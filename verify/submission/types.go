package submission

import (
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify/proof"
)

// Submission is what a participant declares for one task. It is complete or it is not there: nothing of a refused file is given.
type Submission struct {
	Season      int64
	Track       string
	TaskID      string
	DID         string // agent_did
	Verdict     string
	Assertions  []Assertion // in the order of the file
	Disclosures map[string]proof.Disclosures
	Narrative   string // published beside the result, never scored
}

// Assertion is one factual claim and the proofs that it cites.
type Assertion struct {
	ID       string
	Claim    season.Claim // Value is compared typed
	ProofIDs []string     // in the order of the file, at least one, none twice
}

// Cited gives every proof id that the submission cites, once, in the order of first citation.
func (s *Submission) Cited() []string {
	seen := make(map[string]bool)
	var ids []string
	for _, a := range s.Assertions {
		for _, id := range a.ProofIDs {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}
