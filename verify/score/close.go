package score

import "github.com/ark-forge/proveit/verify/submission"

// Rejections are the claims for which the close rejects a submission, whatever its proofs give: outside the task's graph, in an entry of a
// shared list that does not concern the subject, or on a field that is not admissible (seed 000 §5.7). Of the rules, Graph and Scale count.
func Rejections(s *submission.Submission, r TaskRules) []Rejection { return rejections(s, r) }
