package report

import "github.com/ark-forge/proveit/verify"

// english is the catalogue in English: one entry for every code that the program can give.
var english = gather(englishProof, englishWitness, englishBundle, englishScore, englishSeason, englishEntry)

// gather joins the parts of a catalogue. No code is in two parts, which a test holds.
func gather(parts ...map[verify.Reason]Message) map[verify.Reason]Message {
	out := map[verify.Reason]Message{}
	for _, part := range parts {
		for code, m := range part {
			out[code] = m
		}
	}
	return out
}
