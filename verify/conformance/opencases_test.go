package conformance_test

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/conformance"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

func sumOf(b []byte) string { return canon.Sum(b).String() }

// openFault is one change of a good proof or of the pairs that open it. No witness is asked, so none is handed in.
type openFault struct {
	name, what, why string
	spec            string // 3.1 unless stated
	edit            func(w *world, m *made)
	bare            bool // no disclosures are handed in
	want            conformance.Answer
}

func notOpened(check, reason string) conformance.Answer {
	return answer("differs", check, reason, 1, nil)
}

// pairChange edits the disclosed pairs.
func pairChange(path string, f func(string) any) func(*world, *made) {
	return func(_ *world, m *made) { m.pairs = edited(m.pairs, path, f(textAt(m.pairs, path))) }
}

func opensTo(identity string) conformance.Answer {
	return answer("holds", "", "", 0, []string{"request_hash", sumOf([]byte("request")), "response_hash", sumOf([]byte("response")), "identity", identity})
}

var openFaults = []openFault{
	{name: "good", what: "A view and the pairs that open it", why: "Identity, request and response open", want: opensTo(did)},
	{name: "spec-3-0", what: "A view of version 3.0, and the pairs that open it", why: "Request and response open; the identity is not committed", spec: "3.0", want: opensTo("")},
	{name: "witness-signature", what: "One digit of the signature is another", why: "No witness is asked: what is committed opens all the same", edit: change("arkforge_signature", func(s string) any { return s[:20] + flipped(s[20:21]) + s[21:] }), want: opensTo(did)},
	{name: "chain-flip", what: "One digit of the chain hash is another", why: "The commitments are not those that the chain hash is over", edit: change("hashes/chain", another), want: notOpened("chain_hash", "chain_hash_differs")},
	{name: "commitment-flip", what: "One digit of a commitment is another", why: "The chain hash is over another one", edit: change("commitments/response_hash", another), want: notOpened("chain_hash", "chain_hash_differs")},
	{name: "request-nonce", what: "One digit of the request's nonce is another", why: "The pair does not open its commitment", edit: pairChange("request_hash/nonce", another), want: notOpened("disclosure", "request_differs")},
	{name: "request-value", what: "One digit of the request's hash is another", why: "The pair does not open its commitment", edit: pairChange("request_hash/value", another), want: notOpened("disclosure", "request_differs")},
	{name: "response-nonce", what: "One digit of the response's nonce is another", why: "The pair does not open its commitment", edit: pairChange("response_hash/nonce", another), want: notOpened("disclosure", "response_differs")},
	{name: "response-value", what: "One digit of the response's hash is another", why: "The pair does not open its commitment", edit: pairChange("response_hash/value", another), want: notOpened("disclosure", "response_differs")},
	{name: "pairs-exchanged", what: "The pairs of request and response stand in each other's place", why: "A pair opens the commitment of its own name", edit: func(_ *world, m *made) {
		m.pairs = mint.Obj("request_hash", m.pairs.Get("response_hash"), "response_hash", m.pairs.Get("request_hash"))
	}, want: notOpened("disclosure", "request_differs")},
	{name: "pairs-of-other", what: "The pairs are those of another good proof", why: "They open that proof and no other", edit: func(w *world, m *made) { m.pairs = w.other().pairs }, want: notOpened("disclosure", "request_differs")},
	{name: "did-changed", what: "The disclosed DID is another", why: "The value does not open its commitment", edit: set("disclosed/agent_identity/value", "did:web:other.example"), want: notOpened("identity", "identity_differs")},
	{name: "verified-text", what: "agent_identity_verified is disclosed as the text \"true\"", why: "Values are typed: true and \"true\" have two commitments", edit: set("disclosed/agent_identity_verified/value", "true"), want: notOpened("identity", "identity_differs")},
	{name: "identity-nonce", what: "One digit of the nonce of the DID's status is another", why: "The pair does not open its commitment", edit: change("disclosed/did_resolution_status/nonce", another), want: notOpened("identity", "identity_differs")},
	{name: "identity-nonce-short", what: "The nonce of the DID has 62 digits", why: "A nonce is 32 bytes", edit: change("disclosed/agent_identity/nonce", func(s string) any { return s[:62] }), want: notOpened("identity", "identity_not_opened")},
	{name: "identity-member-missing", what: "identity_consistent is not disclosed", why: "The four fields of the block open together or not at all", edit: set("disclosed/identity_consistent", gone{}), want: notOpened("identity", "identity_not_opened")},
	{name: "spec-2-1", what: "A view of version 2.1, and pairs", why: "It commits to nothing that could be opened", spec: "2.1", want: notOpened("disclosure", "no_commitments")},
	{name: "spec-3-0-bare", what: "A view of version 3.0, and no pairs", why: "Nothing examined is never success", spec: "3.0", bare: true, want: unusable()},
	{name: "nonce-upper", what: "The request's nonce is in capitals", why: "Pairs are 64 lowercase hexadecimal digits", edit: pairChange("request_hash/nonce", upper("")), want: unusable()},
	{name: "null", what: "A batch answer that gives null", why: "There is no view to open", edit: func(_ *world, m *made) { m.view = mint.Obj("proofs", mint.Obj(proofID, nil)) }, want: unusable()},
}

func (w *world) openCases() []given {
	var out []given
	for _, f := range openFaults {
		c := w.call()
		if f.spec != "" {
			c.Spec = f.spec
		}
		m := w.batched(c, w.witnesses(c))
		if m.pairs == nil { // a version without commitments has none of its own
			m.pairs = w.good().pairs
		}
		if f.edit != nil {
			f.edit(w, &m)
		}
		g := given{name: "open-" + f.name, what: f.what, why: f.why, question: "open", want: f.want,
			input: []string{"file", "proof.json"}, files: map[string][]byte{"proof.json": mint.Indented(m.view)}}
		if !f.bare {
			g.files["disclosures.json"] = mint.Indented(m.pairs)
			g.input = append(g.input, "disclosures", "disclosures.json")
		}
		out = append(out, g)
	}
	return out
}
