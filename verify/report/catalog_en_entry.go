package report

import "github.com/ark-forge/proveit/verify"

// englishEntry are the codes of a check before the close.
var englishEntry = map[verify.Reason]Message{
	"proof_not_given": {"No view of the cited proof was handed in, so nothing can be said of it yet.",
		"Fetch the public view of the proof and give its folder with --proofs."},
	"hashes_not_opened": {"The proof does not open its request and response hash with the pairs that the submission discloses, so there is nothing to compare.",
		"Correct what the proof itself fails for, then check again."},
	"catalogue_not_given": {"No manifest of the corpus is at hand, so the request for the resource cannot be recomputed.",
		"Check again with a season bundle that has corpus/manifest.json; until then compare the URL of the call with the resource, character by character."},
	"response_not_given": {"Neither the frozen page nor a saved response of the opened hash is at hand, so the value cannot be compared.",
		"Save the responses of your calls as JSON files and give their folder with --responses."},
}
