// Package mint makes the artefacts of a rehearsal season: keys, certificates, RFC 3161 tokens, transparency log entries, proof views.
//
// It is the only code of the program that signs anything or draws bytes. Every byte comes from a seed: keys are derived with a SHA-256
// counter, Ed25519 and ECDSA sign without a random source, certificates have serials and key identifiers that are set here. The same
// seed gives the same bytes on every machine.
//
// Each artefact can be made with exactly one fault (TokenFault, EntryFault), so that a verifier can be shown things that are almost
// valid. Nothing here judges: the package knows how to build, never what is accepted.
package mint
