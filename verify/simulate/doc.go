// Package simulate makes a whole rehearsal season whose results are known: corpus, scales, key, freezes, enrolments, proofs with real
// signatures, tokens and log entries, submissions, the published index, and expected.json.
//
// Participants follow profiles, one for each thing that can happen. Each profile is a small type that differs from the exact participant
// in one method, and it says what must come out; expected.json is written from that, never by the code that judges, which this package
// does not import. The same options give the same bytes on every machine.
package simulate
