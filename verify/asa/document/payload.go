package document

import (
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
)

// MessagePrefix is the first line of the message that a party signs.
const MessagePrefix = "asa-agreement-signature/1"

// Dropped are the members outside the payload: signatures cannot sign themselves, the status changes after signing, and an evaluator
// that is drawn is assigned after signing.
func (a *Agreement) Dropped() []string {
	drop := []string{"/signatures", "/status"}
	if mode := Text(a.Get("verification", "evaluator_selection", "mode")); mode != "" && mode != "fixed" {
		drop = append(drop, "/parties/evaluator")
	}
	return drop
}

// Payload is the canonical text that signatures cover. The error is an *exact.NumberError where a number changes its value in that form;
// the text is complete even then.
func (a *Agreement) Payload() ([]byte, error) {
	if a.payload == nil {
		a.payload, a.payloadErr = exact.JCS(a.Root, a.Dropped()...)
	}
	return a.payload, a.payloadErr
}

// SignMessage is the exact text that a party, "client" or "provider", signs.
func (a *Agreement) SignMessage(party string) []byte {
	payload, _ := a.Payload()
	return Message(party, canon.Sum(payload))
}

// Message is the text that a party signs for a payload of that hash.
func Message(party string, payload canon.Digest) []byte {
	return []byte(MessagePrefix + "\n" + party + "\n" + payload.Prefixed() + "\n")
}

// PythonForm is the payload as Python's json.dumps(sort_keys=True, separators=(",", ":")) writes it.
func PythonForm(root canon.Value, drop []string) []byte {
	return canon.AppendCanonical(nil, without(root, drop))
}

// without copies an object, leaving out the members at the pointers; everything else keeps its text.
func without(v canon.Value, drop []string) canon.Value {
	copied, err := canon.ParseStrict("", appendWithout(nil, v, "", drop))
	if err != nil {
		return canon.Value{}
	}
	return copied
}

func appendWithout(dst []byte, v canon.Value, at string, drop []string) []byte {
	if v.Kind() != canon.Object || !slices.ContainsFunc(drop, func(p string) bool { return strings.HasPrefix(p, at+"/") }) {
		return append(dst, v.Raw()...)
	}
	dst = append(dst, '{')
	first := true
	for name, member := range v.Members() {
		inside := at + "/" + canon.EscapeToken(name)
		if slices.Contains(drop, inside) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(exact.AppendString(dst, name), ':')
		dst = appendWithout(dst, member, inside, drop)
	}
	return append(dst, '}')
}

// SignedStates are those in which both signatures must be there. An expired agreement may have expired before it was signed.
var SignedStates = map[string]bool{"active": true, "delivered": true, "verified": true, "closed": true, "disputed": true}
