// Package score turns verified proofs into judgements by arithmetic alone: no hash is computed here, no file is read.
//
// Three steps, each a pure function. Assertion applies the four conditions of seed 000 §4.1 to one claim and the proofs that it
// cites, and names the first that fails. Task applies §5.7 to one submission: its status, whether its verdict is exact, whether it is
// grounded. Track counts over the tasks of one track and gives two columns that are never combined.
//
// Example: a minimum of 4, six assertions, four on own resources. One (own) hit a system body of the corpus, one (own) claims another
// value than the frozen one, one (shared) cites a proof of another resource. Kept: 5 of at least 4, own among them 3 of at least 2, so
// the task is rendered and brings 2 unsupported of 5 asserted.
package score
