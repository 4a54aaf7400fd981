package conformance_test

import (
	"encoding/base64"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/conformance"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

var batchFaults = []proofFault{
	{name: "batch-index-other", what: "leaf_index 3 instead of 2", why: "The path is that of another leaf: it does not reach the root", check: "batch_path", reason: "batch_root_differs", edit: set("batch_anchor/leaf_index", 3)},
	{name: "batch-index-beyond", what: "leaf_index 5 in a tree of 5", why: "An index is below the size", check: "batch_path", reason: "leaf_index", edit: set("batch_anchor/leaf_index", 5)},
	{name: "batch-index-negative", what: "leaf_index -1", why: "An index is not negative", check: "batch_path", reason: "batch_malformed", edit: set("batch_anchor/leaf_index", -1)},
	{name: "batch-index-float", what: "leaf_index 2.0", why: "An index is an integer, written as one", check: "batch_path", reason: "batch_malformed", edit: set("batch_anchor/leaf_index", mint.Literal("2.0"))},
	{name: "batch-index-text", what: "leaf_index \"2\"", why: "An index is a number", check: "batch_path", reason: "batch_malformed", edit: set("batch_anchor/leaf_index", "2")},
	{name: "batch-size-zero", what: "tree_size 0", why: "A tree with this leaf is not empty", check: "batch_path", reason: "tree_size", edit: set("batch_anchor/tree_size", 0)},
	{name: "batch-size-other", what: "tree_size 9 instead of 5", why: "Index and size imply four siblings; there are three", check: "batch_path", reason: "audit_path_length", edit: set("batch_anchor/tree_size", 9)},
	{name: "batch-size-one", what: "tree_size 1 and leaf_index 0, the path as it was", why: "A single leaf has an empty path", check: "batch_path", reason: "audit_path_length",
		edit: func(w *world, m *made) {
			m.view = edited(edited(m.view, "batch_anchor/tree_size", 1), "batch_anchor/leaf_index", 0)
		}},
	{name: "batch-path-short", what: "The last sibling is missing", why: "The path has exactly the length that index and size imply", check: "batch_path", reason: "audit_path_length", edit: path(func(l []string) []string { return l[:len(l)-1] })},
	{name: "batch-path-long", what: "The last sibling stands twice", why: "The path has exactly the length that index and size imply", check: "batch_path", reason: "audit_path_length", edit: path(func(l []string) []string { return append(l, l[len(l)-1]) })},
	{name: "batch-path-empty", what: "An empty path", why: "Only the single leaf of a tree has one", check: "batch_path", reason: "audit_path_length", edit: path(func(l []string) []string { return l[:0] })},
	{name: "batch-path-order", what: "The first two siblings in each other's place", why: "The path goes from the leaf upwards", check: "batch_path", reason: "batch_root_differs", edit: path(func(l []string) []string { l[0], l[1] = l[1], l[0]; return l })},
	{name: "batch-path-flip", what: "One digit of the first sibling is another", why: "The path does not reach the root", check: "batch_path", reason: "batch_root_differs", edit: path(func(l []string) []string { l[0] = flipped(l[0]); return l })},
	{name: "batch-path-upper", what: "The first sibling in upper case", why: "Siblings are 64 lowercase hex digits", check: "batch_path", reason: "batch_malformed", edit: path(func(l []string) []string { l[0] = strings.ToUpper(l[0]); return l })},
	{name: "batch-path-prefixed", what: "The first sibling with the prefix sha256:", why: "Siblings are bare hex", check: "batch_path", reason: "batch_malformed", edit: path(func(l []string) []string { l[0] = "sha256:" + l[0]; return l })},
	{name: "batch-root-flip", what: "One digit of the root is another", why: "The path reaches another root", check: "batch_path", reason: "batch_root_differs", edit: change("batch_anchor/root", another)},
	{name: "batch-root-bare", what: "The root without its prefix", why: "Hashes in proofs are written sha256: and hex", check: "batch_path", reason: "batch_malformed",
		edit: change("batch_anchor/root", func(s string) any { return strings.TrimPrefix(s, "sha256:") })},
	{name: "batch-status-other", what: "batch_anchor.status \"closed\"", why: "A batch is anchored or pending", check: "batch_path", reason: "batch_status", edit: set("batch_anchor/status", "closed")},
	{name: "batch-status-capital", what: "batch_anchor.status \"Anchored\"", why: "Words are compared character for character", check: "batch_path", reason: "batch_status", edit: set("batch_anchor/status", "Anchored")},
	{name: "batch-of-other", what: "The whole batch_anchor of another good proof", why: "That path does not begin at this chain hash", check: "batch_path", reason: "batch_root_differs", edit: fromOther("batch_anchor")},
	{name: "batch-null", what: "batch_anchor null where the proof was anchored in a batch", why: "Then the witnesses would have to cover the chain hash itself, and they do not", check: "timestamp", reason: "tsa_imprint", edit: set("batch_anchor", nil)},
	{name: "batch-list", what: "batch_anchor is a list", why: "It is an object or null", check: "batch_path", reason: "batch_malformed", edit: set("batch_anchor", []any{})},
	{name: "batch-added", what: "A proof that was anchored alone, with the batch_anchor of another", why: "That path does not begin at this chain hash", check: "batch_path", reason: "batch_root_differs", alone: true, edit: fromOther("batch_anchor")},
}

func stamped(fault mint.TokenFault) func(*world, *mint.Witnesses) {
	return func(_ *world, ws *mint.Witnesses) { ws.TokenFault = fault }
}

func logged(fault mint.EntryFault) func(*world, *mint.Witnesses) {
	return func(_ *world, ws *mint.Witnesses) { ws.EntryFault = fault }
}

var witnessFaults = []proofFault{
	{name: "token-absent", what: "The view has no timestamp_authority", why: "Two independent witnesses are required", check: "timestamp", reason: "token_not_named", edit: set("timestamp_authority", gone{})},
	{name: "token-null", what: "tsr_base64 is null", why: "Two independent witnesses are required", check: "timestamp", reason: "token_not_named", edit: set("timestamp_authority/tsr_base64", nil)},
	{name: "token-not-base64", what: "tsr_base64 is not base64", why: "There is no token to read", check: "timestamp", reason: "token_malformed", edit: set("timestamp_authority/tsr_base64", "MII!")},
	{name: "token-base64url", what: "tsr_base64 in the URL alphabet, without padding", why: "One token has one spelling: padded standard base64", check: "timestamp", reason: "token_malformed",
		edit: change("timestamp_authority/tsr_base64", func(s string) any {
			return base64.RawURLEncoding.EncodeToString(must(base64.StdEncoding.DecodeString(s)))
		})},
	{name: "token-line-break", what: "A line break inside tsr_base64", why: "One token has one spelling", check: "timestamp", reason: "token_malformed",
		edit: change("timestamp_authority/tsr_base64", func(s string) any { return s[:64] + "\n" + s[64:] })},
	{name: "token-provider-unknown", what: "An authority that nobody configured", why: "Which authority counts is not for the proof to say", check: "timestamp", reason: "provider_unknown", edit: set("timestamp_authority/provider", "tsa.example")},
	{name: "token-provider-other", what: "The provider is named digicert.com, the token is freetsa.org's", why: "The signer leads to no root of that authority", check: "timestamp", reason: "tsa_signer_unknown", edit: set("timestamp_authority/provider", "digicert.com")},
	{name: "token-of-other", what: "The token of another good proof", why: "Its imprint is that of another root", check: "timestamp", reason: "tsa_imprint", edit: fromOther("timestamp_authority/tsr_base64")},
	{name: "token-over-hex", what: "A token over the hex text of the root", why: "The imprint is SHA-256 of the 32 raw bytes", check: "timestamp", reason: "tsa_imprint", witness: stamped(mint.TokenHexImprint)},
	{name: "token-edited-time", what: "A token whose genTime was moved after signing", why: "The signature is over the message digest of another TSTInfo", check: "timestamp", reason: "tsa_message_digest", witness: stamped(mint.TokenEditedTime)},
	{name: "token-other-root", what: "A token under a root of the same name that nobody configured", why: "The name of a root proves nothing", check: "timestamp", reason: "tsa_chain", witness: stamped(mint.TokenOtherRoot)},
	{name: "entry-not-named", what: "The view has no transparency_log", why: "Two independent witnesses are required", check: "transparency_log", reason: "entry_not_named", edit: set("transparency_log", gone{})},
	{name: "entry-uuid-short", what: "A uuid of 79 digits", why: "It has 80 hex digits, or 64", check: "transparency_log", reason: "uuid_malformed", edit: change("transparency_log/uuid", func(s string) any { return s[:79] })},
	{name: "entry-uuid-upper", what: "The uuid in upper case", why: "It is written in lower case", check: "transparency_log", reason: "uuid_malformed", edit: change("transparency_log/uuid", upper(""))},
	{name: "entry-not-at-hand", what: "The log entry that the proof names was not handed in", why: "What is missing is no fault of the proof: it cannot be judged yet", check: "transparency_log", reason: "entry_missing", result: "incomplete",
		facts: []string{"missing", "rekor_entry"}, edit: func(_ *world, m *made) { m.entry = nil }},
	{name: "entry-of-other", what: "The proof names the entry of another good proof, which is at hand", why: "That entry is about another hash", check: "transparency_log", reason: "rekor_artifact",
		edit: func(w *world, m *made) {
			other := w.other()
			m.view, m.entry = edited(m.view, "transparency_log/uuid", other.anchor.Entry.UUID), other.entry
		}},
	{name: "entry-null", what: "The log answers that it has no such entry", why: "The witness that the proof names does not exist", check: "transparency_log", reason: "entry_null",
		edit: func(_ *world, m *made) { m.entry = mint.Obj(m.anchor.Entry.UUID, nil) }},
	{name: "entry-raw-artifact", what: "An entry over the raw bytes of the root", why: "The artifact is the 64 hex characters", check: "transparency_log", reason: "rekor_artifact", witness: logged(mint.EntryRawArtifact)},
	{name: "entry-submitter-unpublished", what: "An entry that was submitted under a key that the issuer never published", why: "Anybody may log the hash of anything: the key must be one of rekor_keys", check: "transparency_log", reason: "submitter_not_published",
		witness: func(w *world, ws *mint.Witnesses) { ws.Submitter = w.submitters[2].Private }},
	{name: "entry-submitter-retired", what: "An entry under the submission key of September, with a token of October", why: "The window of a submission key ends at retired_at plus fifteen minutes", check: "transparency_log", reason: "submitter_outside_window",
		call: func(c *mint.Call) { c.At, c.Key = at("2026-10-02T08:00:00Z"), newWorld().keys[1] }},
	{name: "entry-path-flip", what: "One bit of the inclusion path is another", why: "The path does not reach the root of the checkpoint", check: "transparency_log", reason: "rekor_inclusion", witness: logged(mint.EntryPathFlip)},
	{name: "entry-set", what: "One bit of the signed entry timestamp is another", why: "The log did not promise this", check: "transparency_log", reason: "rekor_set", witness: logged(mint.EntrySet)},
}

// viewCases are about the files around a view, and about trust material that is missing.
func (w *world) viewCases() []given {
	good := w.good()
	batch := func(id string, view any) []byte { return mint.Indented(mint.Obj("proofs", mint.Obj(id, view))) }
	entry, pairs := mint.Indented(good.entry), mint.Indented(good.pairs)
	one := func(name, what, why string, view []byte, want conformance.Answer) given {
		return given{name: "view-" + name, what: what, why: why, question: "proof verify", want: want,
			input: []string{"file", "proof.json", "rekor", "entry.json", "disclosures", "disclosures.json", "trust", "../_trust"},
			files: map[string][]byte{"proof.json": view, "entry.json": entry, "disclosures.json": pairs}}
	}
	text := mint.Indented(good.view)
	invalid := func(reason string) conformance.Answer { return answer("invalid", "proof", reason, 1, nil) }
	unusable := func(reason, place string) conformance.Answer {
		facts := []string{}
		if place != "" {
			facts = []string{"place", place}
		}
		return answer("unusable", "", reason, 2, facts)
	}
	valid := answer("valid", "", "", 0, nil)
	out := []given{
		one("batch-answer", "The view in a batch answer", "Both forms are read", batch(proofID, good.view), valid),
		one("full", "The owner's full view", "It opens more, and proves the same", mint.Indented(good.proof.FullView(good.anchor, good.index, 1)), valid),
		one("null", "A batch answer that gives null", "The service says that there is no such proof", batch(proofID, nil), invalid("proof_null")),
		one("misfiled", "A batch answer gives the view under another id", "A view counts for the id that it carries, or for none", batch(otherID, good.view), invalid("proof_id_differs")),
		one("id-missing", "A view without proof_id", "Nothing says which proof it is", mint.Indented(good.view.Without("proof_id")), unusable("not_a_proof", "")),
		one("id-upper", "A proof_id with capitals", "prf_, 8 digits, 6 digits, 6 lowercase hex digits", mint.Indented(edited(good.view, "proof_id", "prf_20260923_072144_0A1B2C")), unusable("not_a_proof", "")),
		one("not-an-object", "A list where a view is expected", "A view is an object", []byte("[]\n"), unusable("not_a_proof", "")),
		one("duplicate-member", "hashes stands twice in the view", "Two readers would read two documents", append([]byte(`{"hashes": {},`), text[1:]...), unusable("file_unreadable", "")),
		one("trailing", "Text after the view", "A file is one document", append(append([]byte{}, text...), "x\n"...), unusable("file_unreadable", "")),
		one("truncated", "The file ends in the middle", "It is not JSON", text[:len(text)/2], unusable("file_unreadable", "")),
	}
	pending := w.anchored(good.proof, nil, 0)
	open := one("pending", "A proof in a batch that is still open", "Nothing is anchored yet", mint.Indented(pending.view), answer("pending", "batch_path", "batch_pending", 3, nil))
	broken := one("pending-chain-hash", "A proof in an open batch, with one digit of its chain hash changed", "What fails already is not forgiven because an anchor is open",
		mint.Indented(edited(pending.view, "hashes/chain", flipped(textAt(pending.view, "hashes/chain")))), answer("invalid", "chain_hash", "chain_hash_differs", 1, nil))
	out = append(out, open, broken)
	for _, x := range []struct{ name, what, folder, check, reason, missing string }{
		{"no-authority", "The trust folder has no folder for freetsa.org", "tsa/" + provider + "/", "timestamp", "provider_missing", "trust"},
		{"no-log-key", "The trust folder has no log key", "rekor/", "transparency_log", "log_keys_missing", "trust"},
		{"no-issuer-key", "The trust folder has no issuer key", "issuer/", "signature", "issuer_keys_missing", "trust trust"},
	} {
		c := one(x.name, x.what, "Missing trust is not a fault of the proof: it cannot be judged yet", text, answer("incomplete", x.check, x.reason, 3, nil))
		c.input[len(c.input)-1] = "trust"
		for name, b := range w.trust() {
			if !strings.HasPrefix(name, x.folder) {
				c.files["trust/"+name] = b
			}
		}
		out = append(out, c)
	}
	return out
}

// tokenReasons say which check of a token must name each fault (RFC 3161 and formats of the trust material).
var tokenReasons = map[mint.TokenFault][3]string{
	mint.TokenOtherImprint:     {"tsa_imprint", "The token is over other bytes", "The imprint is the hash of the anchored bytes"},
	mint.TokenHexImprint:       {"tsa_imprint", "The token is over the hex text of the digest", "The imprint is that of the raw bytes"},
	mint.TokenSHA1Imprint:      {"tsa_digest_algorithm", "The imprint is by SHA-1", "SHA-1 no longer binds anybody to one document"},
	mint.TokenShortImprint:     {"tsa_imprint", "The imprint lacks its last byte", "The imprint is compared in full"},
	mint.TokenEditedTime:       {"tsa_message_digest", "genTime was moved by ten minutes after signing", "The signed message-digest is that of another TSTInfo"},
	mint.TokenBroken:           {"tsa_signature", "One bit of the signature is another", "The signature does not hold"},
	mint.TokenOtherDigest:      {"tsa_message_digest", "The signed message-digest is that of another content", "It must be that of the TSTInfo"},
	mint.TokenBare:             {"tsa_bare_token", "A token without the response around it", "What is filed is a TimeStampResp; the message says what this is instead"},
	mint.TokenTrailing:         {"tsa_encoding", "Bytes follow the response", "A response has one encoding"},
	mint.TokenTruncated:        {"tsa_encoding", "The last byte is missing", "It is not DER"},
	mint.TokenNoESS:            {"tsa_signing_certificate", "The signed signing-certificate attribute is missing", "RFC 3161 §2.4.2: it must name the signer"},
	mint.TokenOtherESS:         {"tsa_signing_certificate", "The signing-certificate attribute names another certificate", "RFC 3161 §2.4.2: it must name the signer"},
	mint.TokenOtherType:        {"tsa_content_type", "The signed content-type says data", "RFC 5652 §11.1: it equals the type of what is signed"},
	mint.TokenNoAttributes:     {"tsa_signed_attributes", "Signed without attributes", "RFC 5652 §5.3: they are there where the content is not data"},
	mint.TokenOtherPolicy:      {"tsa_policy", "Another policy than those that policy.txt lists", "The folder says which policies are accepted"},
	mint.TokenVersion2:         {"tsa_version", "TSTInfo of version 2", "RFC 3161 §2.4.2 knows version 1"},
	mint.TokenCritical:         {"tsa_extension", "TSTInfo has a critical extension that nobody knows", "RFC 5280 §4.2: what is critical and unknown refuses"},
	mint.TokenTwoSigners:       {"tsa_signer_count", "Two SignerInfo", "RFC 3161 §2.4.2: no signature but the authority's"},
	mint.TokenNoSigner:         {"tsa_signer_count", "No SignerInfo", "Nobody signed"},
	mint.TokenRejection:        {"tsa_status", "PKIStatus 2, rejection, with a token", "RFC 3161 §2.4.2: a token goes with status 0 or 1"},
	mint.TokenEmpty:            {"tsa_no_token", "PKIStatus 0, granted, without a token", "There is nothing to verify"},
	mint.TokenRefused:          {"tsa_status", "PKIStatus 2, rejection, without a token", "The authority refused"},
	mint.TokenExpired:          {"tsa_certificate_window", "The signer's certificate ended before genTime", "It must be valid at the token's own time"},
	mint.TokenNotYetValid:      {"tsa_certificate_window", "The signer's certificate begins after genTime", "It must be valid at the token's own time"},
	mint.TokenSignerIsCA:       {"tsa_certificate_usage", "The signer's certificate is that of a certification authority", "A CA certificate stamps nothing"},
	mint.TokenTwoUsages:        {"tsa_certificate_usage", "The signer's certificate is for timestamping and code signing", "RFC 3161 §2.3: for timestamping alone"},
	mint.TokenOtherUsage:       {"tsa_certificate_usage", "The signer's certificate is for code signing", "RFC 3161 §2.3: for timestamping alone"},
	mint.TokenNoUsage:          {"tsa_certificate_usage", "The signer's certificate has no extended key usage", "RFC 3161 §2.3: for timestamping alone"},
	mint.TokenUsageNotCritical: {"tsa_certificate_usage", "The timestamping usage is not critical", "RFC 3161 §2.3: the extension is critical"},
	mint.TokenOtherRoot:        {"tsa_chain", "A chain to a root of the same name that nobody configured", "The name of a root proves nothing"},
	mint.TokenOtherSigner:      {"tsa_signature", "Signed under a good certificate that neither the attribute nor the SignerInfo names", "The signer is the one that is named, and under its key the signature does not hold"},
}

func (w *world) tokenCases() []given {
	artifact := canon.Sum([]byte("anchored"))
	when := at("2026-09-23T07:31:44Z")
	token := func(name, what, why string, authority string, b []byte, want conformance.Answer) given {
		return given{name: "token-" + name, what: what, why: why, question: "tsa verify", want: want,
			input: []string{"file", "token.tsr", "data", "anchored.bin", "provider", authority, "trust", "../_trust"},
			files: map[string][]byte{"token.tsr": b, "anchored.bin": artifact[:]}}
	}
	var out []given
	for _, fault := range mint.HoldingTokens {
		name := string(fault)
		if fault == mint.TokenGood {
			name = "good"
		}
		out = append(out, token(name, "A token of the kind "+name, "It is one of the forms that hold", provider, must(w.authority.Stamp(artifact[:], when, fault)),
			answer("valid", "", "", 0, []string{"time", "2026-09-23T07:31:44Z"})))
	}
	for _, fault := range mint.FaultyTokens {
		r, ok := tokenReasons[fault]
		if !ok {
			panic("no reason is stated for the fault " + string(fault))
		}
		out = append(out, token(string(fault), r[1], r[2], provider, must(w.authority.Stamp(artifact[:], when, fault)), answer("invalid", "timestamp", r[0], 1, nil)))
	}
	for _, name := range []string{"digicert.com", "sectigo.com"} {
		out = append(out, token("good-"+name, "A token of "+name+", with an intermediate", "The chain leads to the configured root", name,
			must(w.authorities[name].Stamp(artifact[:], when, mint.TokenGood)), answer("valid", "", "", 0, []string{"time", "2026-09-23T07:31:44Z"})))
	}
	out = append(out,
		token("other-authority", "A token of sectigo.com, judged under digicert.com", "It leads to no root of that authority", "digicert.com",
			must(w.authorities["sectigo.com"].Stamp(artifact[:], when, mint.TokenGood)), answer("invalid", "timestamp", "tsa_signer_unknown", 1, nil)),
		token("fraction", "A token with a fraction of a second", "Fractions are kept", provider,
			must(w.authority.Stamp(artifact[:], when.Add(1_000_000), mint.TokenGood)), answer("valid", "", "", 0, []string{"time", "2026-09-23T07:31:44.001Z"})),
		token("empty", "An empty file", "There is no response", provider, nil, answer("invalid", "timestamp", "tsa_size", 1, nil)),
		token("text", "A page of text where a response is expected", "It is not DER", provider, []byte("<html>503</html>\n"), answer("invalid", "timestamp", "tsa_encoding", 1, nil)))
	return out
}

// entryReasons say which check of a log entry must name each fault.
var entryReasons = map[mint.EntryFault][3]string{
	mint.EntryOtherKind:       {"rekor_kind", "An entry of another kind", "Only hashedrekord 0.0.1 is about a hash"},
	mint.EntryOtherVersion:    {"rekor_kind", "hashedrekord 0.0.2", "Only version 0.0.1 is known"},
	mint.EntryOtherArtifact:   {"rekor_artifact", "A genuine entry about something else", "The entry must be about this hash"},
	mint.EntryRawArtifact:     {"rekor_artifact", "An entry over the raw bytes of the hash", "The artifact is the 64 hex characters"},
	mint.EntryBrokenSignature: {"rekor_signature", "The submitter's signature is over other bytes", "The entry's own signature must hold under the key that it carries"},
	mint.EntrySet:             {"rekor_set", "One bit of the signed entry timestamp is another", "The log did not promise this"},
	mint.EntrySetOther:        {"rekor_set", "The signed entry timestamp is by a key that nobody published", "It must hold under the log's key"},
	mint.EntryIndexAfter:      {"rekor_set", "The global index was raised after signing", "The promise covers it"},
	mint.EntryOtherUUID:       {"rekor_leaf", "The UUID ends in another leaf hash", "Its last 64 digits are the leaf hash of the body"},
	mint.EntryOtherTree:       {"rekor_tree", "The UUID begins with another tree id", "It is the number in the checkpoint's origin"},
	mint.EntryPathFlip:        {"rekor_inclusion", "One bit of the first sibling is another", "The path does not reach the root"},
	mint.EntryPathShort:       {"audit_path_length", "The last sibling is missing", "The path has exactly the length that index and size imply"},
	mint.EntryPathLong:        {"audit_path_length", "One sibling too many", "The path has exactly the length that index and size imply"},
	mint.EntrySize:            {"rekor_tree_size", "treeSize is one more than the checkpoint's", "The checkpoint is what the log signed"},
	mint.EntryRoot:            {"rekor_inclusion", "rootHash is not the checkpoint's", "The path from the leaf does not reach it either"},
	mint.EntryOrigin:          {"rekor_checkpoint_origin", "The checkpoint is that of a tree of another name", "Its first line names the log and the tree"},
	mint.EntrySignerName:      {"rekor_checkpoint_signature", "The signature line names another signer", "A signature counts under its name and key hint"},
	mint.EntryCheckpoint:      {"rekor_checkpoint_signature", "The checkpoint's size was edited after signing", "The signature does not hold"},
	mint.EntryCheckpointOther: {"rekor_checkpoint_signature", "The checkpoint is signed by a key that nobody published", "It must be by the log's key"},
	mint.EntryCheckpointEmpty: {"rekor_checkpoint_syntax", "The checkpoint is empty", "Without it, the root is nobody's word"},
	mint.EntryLogID:           {"rekor_log_id", "The log id is that of a key that nobody published", "No configured log has this id"},
	mint.EntryOffset:          {"rekor_shard_offset", "The global index does not fit the shard's offset", "The trust folder gives the offset of this tree"},
	mint.EntrySmallIndex:      {"rekor_log_index", "The global index is smaller than the index in the tree", "A shard's indexes come after those of earlier shards"},
}

func (w *world) entryCases() []given {
	artifact := canon.Sum([]byte("anchored"))
	hash := canon.Sum([]byte(artifact.String()))
	when := at("2026-09-23T07:31:47Z")
	entry := func(name, what, why string, b []byte, want conformance.Answer) given {
		return given{name: "entry-" + name, what: what, why: why, question: "rekor verify", want: want,
			input: []string{"file", "entry.json", "artifact-hash", hash.String(), "trust", "../_trust"}, files: map[string][]byte{"entry.json": b}}
	}
	of := func(fault mint.EntryFault) mint.Object {
		return must(w.log().Append(artifact.String(), w.submitters[0].Private, when, fault)).Document()
	}
	valid := answer("valid", "", "", 0, []string{"integrated_time", "2026-09-23T07:31:47Z"})
	var out []given
	for _, fault := range mint.HoldingEntries {
		name := string(fault)
		if fault == mint.EntryGood {
			name = "good"
		}
		out = append(out, entry(name, "An entry of the kind "+name, "It is one of the forms that hold", mint.Indented(of(fault)), valid))
	}
	for _, fault := range mint.FaultyEntries {
		r, ok := entryReasons[fault]
		if !ok && fault != mint.EntryUnpublished { // that one is for a proof to judge
			panic("no reason is stated for the fault " + string(fault))
		}
		if ok {
			out = append(out, entry(string(fault), r[1], r[2], mint.Indented(of(fault)), answer("invalid", "transparency_log", r[0], 1, nil)))
		}
	}
	return append(out, w.entryShapes(entry, of(mint.EntryGood))...)
}

// entryShapes are entries whose members are missing, of another kind or too many.
func (w *world) entryShapes(entry func(name, what, why string, b []byte, want conformance.Answer) given, good mint.Object) []given {
	uuid := good[0].Name
	shape := answer("invalid", "transparency_log", "rekor_shape", 1, nil)
	var out []given
	for _, m := range []string{"body", "integratedTime", "logID", "logIndex", "verification", "verification/inclusionProof", "verification/signedEntryTimestamp",
		"verification/inclusionProof/rootHash", "verification/inclusionProof/treeSize", "verification/inclusionProof/hashes", "verification/inclusionProof/logIndex"} {
		name := strings.ReplaceAll(m, "/", "-")
		out = append(out, entry("without-"+name, m+" is missing", "Every member of an entry is needed, and none is guessed", mint.Indented(edited(good, uuid+"/"+m, gone{})), shape))
	}
	body := uuid + "/body"
	list := mint.Compact([]any{good})
	return append(out,
		entry("set-null", "signedEntryTimestamp is null", "Null is no promise", mint.Indented(edited(good, uuid+"/verification/signedEntryTimestamp", nil)), shape),
		entry("index-text", "logIndex is a text", "It is a number", mint.Indented(edited(good, uuid+"/logIndex", "7")), shape),
		entry("body-spelling", "A line feed at the end of the body's base64", "The leaf hash is over the decoded body, and a body has one spelling",
			mint.Indented(edited(good, body, textAt(good, body)+"\n")), answer("invalid", "transparency_log", "rekor_body", 1, nil)),
		entry("null", "The log answers null under the UUID", "There is no entry", mint.Compact(mint.Obj(uuid, nil)), answer("invalid", "transparency_log", "rekor_null", 1, nil)),
		entry("array", "The array that the log's retrieve call answers", "This form is read too", list, answer("valid", "", "", 0, nil)),
		entry("duplicate", "A member that stands twice", "Two readers would read two documents", append([]byte(`{"`+uuid+`": {},`), mint.Compact(good)[1:]...), answer("unusable", "", "", 2, nil)),
		entry("empty-object", "An object without an entry", "Nothing was examined", []byte("{}\n"), answer("unusable", "", "", 2, nil)))
}
