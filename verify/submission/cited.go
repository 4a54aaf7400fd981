package submission

import (
	"bytes"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
)

// CitedIn gives the proof ids that a submission under preparation cites, once, in the order of first citation. The file need only be strict
// JSON; whatever is not an assertion with proof ids is passed over. The error is a *canon.SyntaxError.
func CitedIn(file string, b []byte) ([]string, error) {
	doc, err := canon.ParseStrict(file, b)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, a := range doc.Get("assertions").Elements() {
		for _, id := range a.Get("proof_ids").Elements() {
			if s, ok := id.Text(); ok && !slices.Contains(out, s) {
				out = append(out, strings.Clone(s))
			}
		}
	}
	return out, nil
}

// Form is Skeleton for a participant whose DID is known. The error is a *verify.Failure where the DID is none.
func Form(number int64, track, taskID, did string) ([]byte, error) {
	if err := season.ParseDID(did); err != nil {
		return nil, &verify.Failure{Reason: ReasonDIDMalformed, Found: quoted(did), Wanted: "a did:key of an Ed25519 key, or a did:web"}
	}
	form, err := Skeleton(number, track, taskID)
	if err != nil {
		return nil, err
	}
	text, err := canon.Marshal(did)
	if err != nil {
		return nil, err
	}
	const empty = "\"agent_did\": \"\"" // once: a quotation mark inside a text is escaped
	return bytes.Replace(form, []byte(empty), append([]byte("\"agent_did\": "), text...), 1), nil
}
