package conformance_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// proofFault is one change of a good proof, or a proof that was made with it. Expectations come from the specification of the receipts, never from a run.
type proofFault struct {
	name, what, why string
	check, reason   string // empty: the proof holds
	result          string // invalid unless stated
	facts           []string
	call            func(c *mint.Call)
	witness         func(w *world, ws *mint.Witnesses)
	alone           bool
	edit            func(w *world, m *made)
}

// set gives a member of the view another value.
func set(path string, value any) func(*world, *made) {
	return func(_ *world, m *made) { m.view = edited(m.view, path, value) }
}

// change makes the new value of a member that holds a text.
func change(path string, f func(string) any) func(*world, *made) {
	return func(_ *world, m *made) { m.view = edited(m.view, path, f(textAt(m.view, path))) }
}

// fromOther takes a member from another good proof.
func fromOther(path string) func(*world, *made) {
	return func(w *world, m *made) { m.view = edited(m.view, path, member(w.other().view, path)) }
}

func upper(prefix string) func(string) any {
	return func(s string) any { return prefix + strings.ToUpper(strings.TrimPrefix(s, prefix)) }
}

func another(s string) any { return flipped(s) }

// path edits the audit path.
func path(f func(list []string) []string) func(*world, *made) {
	return func(_ *world, m *made) {
		list, _ := member(m.view, "batch_anchor/audit_path").([]string)
		m.view = edited(m.view, "batch_anchor/audit_path", f(slices.Clone(list)))
	}
}

// signed replaces the issuer's signature by one over other bytes, or by another key.
func signed(key func(w *world) mint.IssuerKey, text func(m *made) []byte) func(*world, *made) {
	return func(w *world, m *made) {
		sig := ed25519.Sign(key(w).Private, text(m))
		m.view = edited(m.view, "arkforge_signature", "ed25519:"+canon.EncodeBase64URL(sig))
	}
}

func keyNumber(n int) func(w *world) mint.IssuerKey {
	return func(w *world) mint.IssuerKey { return w.keys[n] }
}

// signature edits the 64 bytes of the signature.
func signature(f func(sig []byte) []byte) func(*world, *made) {
	return change("arkforge_signature", func(s string) any {
		sig := must(base64.RawURLEncoding.DecodeString(strings.TrimPrefix(s, "ed25519:")))
		return "ed25519:" + canon.EncodeBase64URL(f(sig))
	})
}

// plusOrder adds the order of the group to S (RFC 8032 §5.1.7 refuses S that is not below it).
func plusOrder(sig []byte) []byte {
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	s := slices.Clone(sig[32:])
	slices.Reverse(s)
	sum := new(big.Int).Add(new(big.Int).SetBytes(s), order).FillBytes(make([]byte, 32))
	slices.Reverse(sum)
	return append(slices.Clone(sig[:32]), sum...)
}

// spareBits sets a bit of the last base64url character that encodes nothing.
func spareBits(s string) any {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return s[:len(s)-1] + string(alphabet[strings.IndexByte(alphabet, s[len(s)-1])|1])
}

func proofCase(w *world, f proofFault) given {
	c := w.call()
	if f.call != nil {
		f.call(&c)
	}
	ws := w.witnesses(c)
	if f.witness != nil {
		f.witness(w, &ws)
	}
	build := w.batched
	if f.alone {
		build = w.alone
	}
	m := build(c, ws)
	if f.edit != nil {
		f.edit(w, &m)
	}
	g := given{name: "proof-" + f.name, what: f.what, why: f.why, question: "proof verify",
		input: []string{"file", "proof.json"}, files: map[string][]byte{"proof.json": mint.Indented(m.view)}}
	if m.entry != nil {
		g.files["entry.json"] = mint.Indented(m.entry)
		g.input = append(g.input, "rekor", "entry.json")
	}
	if m.pairs != nil {
		g.files["disclosures.json"] = mint.Indented(m.pairs)
		g.input = append(g.input, "disclosures", "disclosures.json")
	}
	g.input = append(g.input, "trust", "../_trust")
	result, code := f.result, map[string]int{"": 1, "invalid": 1, "valid": 0, "pending": 3, "incomplete": 3}[f.result]
	if f.result == "" {
		result = "invalid"
		if f.check == "" {
			result, code = "valid", 0
		}
	}
	g.want = answer(result, f.check, f.reason, code, f.facts)
	return g
}

func (w *world) proofCases() []given {
	var out []given
	for _, f := range slices.Concat(goodProofs, chainFaults, identityFaults, pairFaults, signatureFaults, batchFaults, witnessFaults) {
		out = append(out, proofCase(w, f))
	}
	return out
}

var goodProofs = []proofFault{
	{name: "good", what: "A proof of version 3.1, third of five in its batch, with its token, its log entry and both disclosures", why: "Everything holds",
		facts: []string{"token_time", "2026-09-23T07:31:44Z", "incidents", ""}},
	{name: "good-alone", what: "A proof that was anchored alone: batch_anchor is null", why: "The witnesses cover the chain hash itself", alone: true},
	{name: "good-without-kid", what: "A proof that does not name its key", why: "Without arkforge_kid the key is the published one that arkforge_pubkey is", call: func(c *mint.Call) { c.OmitKID = true }},
	{name: "good-without-upstream", what: "A proof whose host sent no date", why: "upstream_timestamp is committed only where there was one", call: func(c *mint.Call) { c.NoUpstream = true }},
	{name: "good-with-receipt", what: "A proof that commits to a payment receipt too", why: "receipt_content_hash is one of the optional fields", call: func(c *mint.Call) { c.Receipt = true }},
	{name: "good-consistent-false", what: "A proof whose identity_consistent is false", why: "The field must open; its value never counts",
		call: func(c *mint.Call) { c.Identity.Consistent = false }},
	{name: "good-later-3x", what: "A proof that says version 3.2", why: "A later 3.x is verified as 3.1", call: func(c *mint.Call) { c.Spec = "3.2" }},
	{name: "good-version-numeric", what: "A proof that says version 3.10", why: "Versions are compared by component: 3.10 is later than 3.1", call: func(c *mint.Call) { c.Spec = "3.10" }},
	{name: "good-digicert", what: "A token of an authority with an intermediate that embeds its certificates", why: "Intermediates may come from the token",
		witness: func(w *world, ws *mint.Witnesses) { ws.Authority = w.authorities["digicert.com"] }},
	{name: "good-sectigo", what: "A token without the signing-time attribute, by an authority with an intermediate", why: "Certificates are judged at the token's own time",
		witness: func(w *world, ws *mint.Witnesses) { ws.Authority = w.authorities["sectigo.com"] }},
	{name: "good-last-moment-of-key", what: "The token is exactly fifteen minutes later than the retirement of the key", why: "A batch closes a little after the proof: the window ends at retired_at plus fifteen minutes, bounds included",
		call: func(c *mint.Call) { c.At = at("2026-09-30T23:59:00Z") },
		witness: func(_ *world, ws *mint.Witnesses) {
			ws.TokenAt, ws.LoggedAt = at("2026-10-01T00:15:00Z"), at("2026-10-01T00:15:02Z")
		}},
	{name: "flat-field", what: "The open seller differs from nothing that is disclosed, and the open agent_identity differs from the committed one",
		why: "Flat fields prove nothing: the difference is an incident and changes no judgement", edit: set("agent_identity", "did:web:other.example"), facts: []string{"incidents", "flat_field"}},
	{name: "time-gap", what: "The log entry is two hours later than the token", why: "More than one hour apart is an incident and changes no judgement",
		witness: func(_ *world, ws *mint.Witnesses) { ws.LoggedAt = ws.TokenAt.Add(2 * time.Hour) }, facts: []string{"incidents", "integrated_time_gap"}},
	{name: "integrity-verified-false", what: "The service's own integrity_verified is false", why: "A flat statement of the issuer proves nothing, in either direction", edit: set("integrity_verified", false)},
}

var chainFaults = []proofFault{
	{name: "chain-flip", what: "One digit of hashes.chain is another", why: "The chain hash is the RFC 6962 root over the commitments", check: "chain_hash", reason: "chain_hash_differs", edit: change("hashes/chain", another)},
	{name: "chain-upper", what: "hashes.chain in upper case", why: "A hash has one spelling: sha256: and 64 lowercase hex digits", check: "chain_hash", reason: "chain_hash_malformed", edit: change("hashes/chain", upper("sha256:"))},
	{name: "chain-bare", what: "hashes.chain without its prefix", why: "A hash has one spelling", check: "chain_hash", reason: "chain_hash_malformed",
		edit: change("hashes/chain", func(s string) any { return strings.TrimPrefix(s, "sha256:") })},
	{name: "chain-of-other", what: "hashes.chain of another good proof", why: "It is not the root over these commitments", check: "chain_hash", reason: "chain_hash_differs", edit: fromOther("hashes/chain")},
	{name: "commitment-flip", what: "One digit of the commitment to seller is another", why: "The root changes", check: "chain_hash", reason: "chain_hash_differs", edit: change("commitments/seller", another)},
	{name: "commitment-upper", what: "A commitment in upper case", why: "A hash has one spelling", check: "chain_hash", reason: "commitments_malformed", edit: change("commitments/seller", upper("sha256:"))},
	{name: "commitment-more", what: "One more commitment, to a field named zzz", why: "The root is over all commitments", check: "chain_hash", reason: "chain_hash_differs",
		edit: func(_ *world, m *made) {
			m.view = edited(m.view, "commitments/zzz", canon.Sum([]byte("zzz")).Prefixed())
		}},
	{name: "commitment-less", what: "The commitment to upstream_timestamp, which is optional, is taken out", why: "The root is over all commitments", check: "chain_hash", reason: "chain_hash_differs", edit: set("commitments/upstream_timestamp", gone{})},
	{name: "commitments-list", what: "commitments is a list", why: "It is an object of digests", check: "chain_hash", reason: "commitments_malformed", edit: set("commitments", []any{})},
	{name: "commitment-exchanged", what: "The commitments to seller and timestamp in each other's place", why: "Leaves stand in the order of the field names", check: "chain_hash", reason: "chain_hash_differs",
		edit: func(_ *world, m *made) {
			a, b := textAt(m.view, "commitments/seller"), textAt(m.view, "commitments/timestamp")
			m.view = edited(edited(m.view, "commitments/seller", b), "commitments/timestamp", a)
		}},
	{name: "seller-not-committed", what: "The issuer committed to everything but seller", why: "Each version commits to its fields, always", check: "chain_hash", reason: "commitment_missing", call: func(c *mint.Call) { c.Drop = "seller" }},
	{name: "identity-not-committed", what: "A 3.1 proof without a commitment to agent_identity", why: "From 3.1 on the identity block is committed, always", check: "chain_hash", reason: "commitment_missing",
		call: func(c *mint.Call) { c.Drop = "agent_identity" }},
	{name: "version-4", what: "spec_version 4.0", why: "Another major version cannot be judged by a program that does not know it", check: "chain_hash", reason: "spec_version_unknown", result: "incomplete", edit: set("spec_version", "4.0")},
	{name: "version-words", what: "spec_version is not numbers joined by dots", why: "It selects the algorithm and cannot be guessed", check: "chain_hash", reason: "spec_version_malformed", edit: set("spec_version", "3.x")},
	{name: "version-number", what: "spec_version is a number", why: "It is a text; 3.10 and 3.1 are one number", check: "chain_hash", reason: "spec_version_malformed", edit: set("spec_version", mint.Literal("3.1"))},
	{name: "version-1", what: "A proof of version 1.1: its chain hash is over the values", why: "It commits to nothing that a pair could open", check: "disclosure", reason: "no_commitments", call: func(c *mint.Call) { c.Spec = "1.1" }},
	{name: "version-2-commitments", what: "A proof of version 2.1 that shows commitments", why: "Commitments open only where the chain hash was recomputed from them", check: "disclosure", reason: "no_commitments",
		edit: set("spec_version", "2.1")},
	{name: "version-3-0-relabelled", what: "A 3.0 proof that says 3.1", why: "The identity block is not committed", check: "chain_hash", reason: "commitment_missing", call: func(c *mint.Call) { c.Spec = "3.0" }, edit: set("spec_version", "3.1")},
}

var identityFaults = []proofFault{
	{name: "identity-hidden", what: "agent_identity is committed and not opened", why: "Nobody can know who called", check: "identity", reason: "identity_not_opened", call: func(c *mint.Call) { c.Hide = []string{"agent_identity"} }},
	{name: "identity-consistent-hidden", what: "identity_consistent is committed and not opened", why: "The whole block must open, this field too", check: "identity", reason: "identity_not_opened", call: func(c *mint.Call) { c.Hide = []string{"identity_consistent"} }},
	{name: "identity-other-value", what: "The opened agent_identity is not the committed one", why: "Nonce and value do not give the commitment", check: "identity", reason: "identity_differs",
		call: func(c *mint.Call) { c.OpenedAs = map[string]any{"agent_identity": "did:web:other.example"} }},
	{name: "identity-nonce", what: "One digit of the nonce of agent_identity is another", why: "Nonce and value do not give the commitment", check: "identity", reason: "identity_differs", edit: change("disclosed/agent_identity/nonce", another)},
	{name: "identity-verified-text", what: "agent_identity_verified is opened as the text \"true\"", why: "The text is not what was committed: values are typed", check: "identity", reason: "identity_differs", edit: set("disclosed/agent_identity_verified/value", "true")},
	{name: "good-identity-not-verified", what: "agent_identity_verified opens to false", why: "The receipt holds: what the identity block says is judged where somebody is named", call: func(c *mint.Call) { c.Identity.Verified = false }},
	{name: "good-identity-unbound", what: "did_resolution_status opens to \"unbound\"", why: "The receipt holds: what the identity block says is judged where somebody is named", call: func(c *mint.Call) { c.Identity.Status = "unbound" }},
	{name: "identity-nothing-disclosed", what: "The view discloses nothing", why: "The whole block must open", check: "identity", reason: "identity_not_opened", edit: set("disclosed", gone{})},
	{name: "identity-of-other", what: "The disclosed block of another good proof", why: "It does not open these commitments", check: "identity", reason: "identity_differs", edit: fromOther("disclosed")},
}

// pair edits the disclosures.
func pair(path string, f func(string) any) func(*world, *made) {
	return func(_ *world, m *made) { m.pairs = edited(m.pairs, path, f(textAt(m.pairs, path))) }
}

var pairFaults = []proofFault{
	{name: "pair-request-nonce", what: "One digit of the nonce of request_hash is another", why: "Nonce and value do not give the commitment", check: "disclosure", reason: "request_differs", edit: pair("request_hash/nonce", another)},
	{name: "pair-request-value", what: "One digit of the value of request_hash is another", why: "Nonce and value do not give the commitment", check: "disclosure", reason: "request_differs", edit: pair("request_hash/value", another)},
	{name: "pair-response-nonce", what: "One digit of the nonce of response_hash is another", why: "Nonce and value do not give the commitment", check: "disclosure", reason: "response_differs", edit: pair("response_hash/nonce", another)},
	{name: "pair-response-value", what: "One digit of the value of response_hash is another", why: "Nonce and value do not give the commitment", check: "disclosure", reason: "response_differs", edit: pair("response_hash/value", another)},
	{name: "pair-exchanged", what: "The two pairs in each other's place", why: "The field's name is part of the commitment", check: "disclosure", reason: "request_differs",
		edit: func(_ *world, m *made) {
			m.pairs = mint.Obj("request_hash", m.pairs.Get("response_hash"), "response_hash", m.pairs.Get("request_hash"))
		}},
	{name: "pair-of-other", what: "The pairs of another good proof", why: "They do not open these commitments", check: "disclosure", reason: "request_differs", edit: func(w *world, m *made) { m.pairs = w.other().pairs }},
}

var signatureFaults = []proofFault{
	{name: "signature-flip", what: "One bit of the signature is another", why: "Ed25519 over the chain hash as 64 hex characters", check: "signature", reason: "signature_differs",
		edit: signature(func(sig []byte) []byte { sig[5] ^= 1; return sig })},
	{name: "signature-of-other", what: "The issuer's signature on another good proof", why: "It is over another chain hash", check: "signature", reason: "signature_differs", edit: fromOther("arkforge_signature")},
	{name: "signature-raw", what: "Signed over the 32 raw bytes of the chain hash", why: "The message is the 64 hex characters", check: "signature", reason: "signature_differs",
		edit: signed(keyNumber(0), func(m *made) []byte { return m.proof.Chain[:] })},
	{name: "signature-upper", what: "Signed over the hex characters in upper case", why: "The message is lowercase", check: "signature", reason: "signature_differs",
		edit: signed(keyNumber(0), func(m *made) []byte { return []byte(strings.ToUpper(m.proof.Chain.String())) })},
	{name: "signature-plus-order", what: "S of the signature is the same number plus the order of the group", why: "RFC 8032 §5.1.7: S lies below the order, else a signature would have two spellings", check: "signature", reason: "signature_differs", edit: signature(plusOrder)},
	{name: "signature-short", what: "A signature of 63 bytes", why: "It has 64", check: "signature", reason: "signature_malformed", edit: signature(func(sig []byte) []byte { return sig[:63] })},
	{name: "signature-padded", what: "The signature's base64url is padded", why: "It is written without padding", check: "signature", reason: "signature_malformed", edit: change("arkforge_signature", func(s string) any { return s + "==" })},
	{name: "signature-spare-bits", what: "An unused bit of the last base64url character is set", why: "RFC 4648 §3.5: decoders may refuse; one signature has one spelling here", check: "signature", reason: "signature_malformed", edit: change("arkforge_signature", spareBits)},
	{name: "signature-without-prefix", what: "The signature lacks ed25519:", why: "The prefix names the algorithm", check: "signature", reason: "signature_malformed",
		edit: change("arkforge_signature", func(s string) any { return strings.TrimPrefix(s, "ed25519:") })},
	{name: "signature-absent", what: "The view has no arkforge_signature", why: "Nothing says that the issuer made this proof", check: "signature", reason: "signature_malformed", edit: set("arkforge_signature", gone{})},
	{name: "pubkey-padded", what: "The public key's base64url is padded", why: "It is written without padding", check: "signature", reason: "public_key_malformed", call: func(c *mint.Call) { c.OmitKID = true }, edit: change("arkforge_pubkey", func(s string) any { return s + "=" })},
	{name: "pubkey-short", what: "A public key of 31 bytes", why: "It has 32", check: "signature", reason: "public_key_malformed", call: func(c *mint.Call) { c.OmitKID = true }, edit: change("arkforge_pubkey", func(s string) any { return s[:len(s)-2] })},
	{name: "key-unpublished", what: "Signed by a key that the proof itself carries and nobody published", why: "A key found only inside a proof proves nothing", check: "signature", reason: "key_not_published",
		call: func(c *mint.Call) { c.Key = newWorld().keys[2]; c.OmitKID = true }},
	{name: "kid-unpublished", what: "arkforge_kid names a key that is not in the published history", why: "The named key is not known", check: "signature", reason: "kid_not_published", edit: set("arkforge_kid", "key-7")},
	{name: "kid-of-other-key", what: "arkforge_kid names another published key than arkforge_pubkey", why: "The two must be one key", check: "signature", reason: "kid_differs", edit: set("arkforge_kid", "key-2")},
	{name: "key-retired", what: "The token is fifteen minutes and one second later than the retirement of the key", why: "The window ends at retired_at plus fifteen minutes", check: "signature", reason: "key_outside_window",
		call: func(c *mint.Call) { c.At = at("2026-10-01T00:05:00Z") },
		witness: func(w *world, ws *mint.Witnesses) {
			ws.TokenAt, ws.LoggedAt, ws.Submitter = at("2026-10-01T00:15:01Z"), at("2026-10-01T00:15:03Z"), w.submitters[1].Private
		}},
	{name: "key-not-yet", what: "Signed by the key of October, with a token of September", why: "The window begins at valid_from", check: "signature", reason: "key_outside_window", call: func(c *mint.Call) { c.Key = newWorld().keys[1] }},
}
