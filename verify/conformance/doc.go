// Package conformance reads the suite of testdata/conformance, asks its questions and compares the answers, so that any verifier of the
// same evidence can be held to the same results.
//
// A case is a folder with the input, a README.md that says why, and expected.json:
//
//	{"format": "proveit.conformance/v1", "question": "proof verify",
//	 "input": {"proof": "proof.json", "rekor": "entry.json", "trust": "../_trust"},
//	 "result": "invalid", "check": "timestamp", "reason": "tsa_imprint", "exit_code": 1, "facts": {}}
//
// Paths of input are relative to the folder of the case. Folders whose names begin with "_" hold what several cases share. The package
// judges nothing and starts nothing: who answers is a function that the caller hands in. PROTOCOL.md in the suite describes the questions and how another
// program answers them.
package conformance
