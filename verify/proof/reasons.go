package proof

import "github.com/ark-forge/proveit/verify"

// The reasons of this package, by check. Those of packages merkle (batch_path), tsa (timestamp) and rekor (transparency_log) are given too.
const (
	ReasonNotAProof   verify.Reason = "not_a_proof"          // the document is neither a proof view nor a batch answer
	ReasonIDDiffers   verify.Reason = "proof_id_differs"     // the view's proof_id is not the key or the file name under which it lies
	ReasonNull        verify.Reason = "proof_null"           // the batch answer gives null: the service says that there is no such proof
	ReasonViewsDiffer verify.Reason = "views_differ"         // incident: two views of one proof differ in a judged field
	ReasonFlatField   verify.Reason = "flat_field"           // incident: a field that no anchor covers differs from the opened or logged value
	ReasonTimeGap     verify.Reason = "integrated_time_gap"  // incident: token and log entry are more than an hour apart
	ReasonIssuer      verify.Reason = "issuer_status_failed" // incident: the witness does not hold and the issuer's own status says failed

	ReasonVersionUnknown   verify.Reason = "spec_version_unknown"   // another major version: this program cannot judge the proof
	ReasonVersionMalformed verify.Reason = "spec_version_malformed" // spec_version is not numbers joined by dots
	ReasonVersionLater     verify.Reason = "spec_version_later"     // a later 3.x, verified as 3.1

	ReasonChainMalformed      verify.Reason = "chain_hash_malformed"        // hashes.chain is not "sha256:" and 64 lowercase hex digits
	ReasonNotRecomputable     verify.Reason = "chain_hash_not_recomputable" // 1.x and 2.x hash values that public views leave out
	ReasonCommitments         verify.Reason = "commitments_malformed"       // commitments is not an object of digests
	ReasonCommitmentMissing   verify.Reason = "commitment_missing"          // a field that this version always commits has no commitment
	ReasonChainDiffers        verify.Reason = "chain_hash_differs"          // the root over the commitments is not hashes.chain
	ReasonCommitmentsBeyond   verify.Reason = "commitments_beyond"          // with an ok check: fields are committed that the specification does not name
	ReasonCommitmentsUnproved verify.Reason = "commitments_unproved"        // the chain hash does not hold, so its commitments open nothing

	ReasonIdentityNotCommitted verify.Reason = "identity_not_committed" // before 3.1 no anchor covers the identity
	ReasonIdentityNotOpened    verify.Reason = "identity_not_opened"    // disclosed lacks a field of the identity block, or an opening is malformed
	ReasonIdentityDiffers      verify.Reason = "identity_differs"       // nonce and value do not give the commitment
	ReasonIdentityNotVerified  verify.Reason = "identity_not_verified"  // the opened agent_identity_verified is not true
	ReasonIdentityNotBound     verify.Reason = "identity_not_bound"     // the opened did_resolution_status is not "bound"

	ReasonNoDisclosures       verify.Reason = "no_disclosures"       // nothing was handed in to open the request and response hashes with
	ReasonNoCommitments       verify.Reason = "no_commitments"       // a 1.x or 2.x proof commits to nothing that could be opened
	ReasonRequestDiffers      verify.Reason = "request_differs"      // the disclosed request_hash does not open its commitment
	ReasonResponseDiffers     verify.Reason = "response_differs"     // the disclosed response_hash does not open its commitment
	ReasonDisclosureMalformed verify.Reason = "disclosure_malformed" // not exactly request_hash and response_hash, each nonce and value

	ReasonSignatureMalformed verify.Reason = "signature_malformed"  // arkforge_signature is not "ed25519:" and 64 bytes in canonical base64url
	ReasonKeyMalformed       verify.Reason = "public_key_malformed" // arkforge_pubkey is not "ed25519:" and 32 bytes in canonical base64url
	ReasonKeyNotPublished    verify.Reason = "key_not_published"    // arkforge_pubkey is no published key
	ReasonKIDNotPublished    verify.Reason = "kid_not_published"    // arkforge_kid names no published key
	ReasonKIDDiffers         verify.Reason = "kid_differs"          // arkforge_pubkey is not the key that arkforge_kid names
	ReasonKeyWindow          verify.Reason = "key_outside_window"   // the token time is outside the key's window
	ReasonSignatureDiffers   verify.Reason = "signature_differs"    // the signature does not hold over the chain hash
	ReasonIssuerKeysMissing  verify.Reason = "issuer_keys_missing"  // the trust folder has no issuer key

	ReasonBatchMalformed   verify.Reason = "batch_malformed"       // a member of batch_anchor is missing or of the wrong kind
	ReasonBatchStatus      verify.Reason = "batch_status"          // batch_anchor.status is neither anchored nor pending
	ReasonBatchPending     verify.Reason = "batch_pending"         // the batch is still open: nothing is anchored yet
	ReasonBatchRootDiffers verify.Reason = "batch_root_differs"    // the audit path does not reach the root
	ReasonAlone            verify.Reason = "anchored_alone"        // no batch: the witnesses cover the chain hash itself
	ReasonAnchorUnknown    verify.Reason = "anchored_hash_unknown" // the hash that the witnesses should cover cannot be read

	ReasonNoToken         verify.Reason = "token_not_named"      // the proof carries no timestamp token
	ReasonTokenMalformed  verify.Reason = "token_malformed"      // tsr_base64 is not base64 in its only spelling
	ReasonProviderUnknown verify.Reason = "provider_unknown"     // the timestamping authority is none of the known or configured ones
	ReasonProviderMissing verify.Reason = "provider_missing"     // the trust folder has nothing for this known authority
	ReasonOutsideSeason   verify.Reason = "token_outside_season" // the token time is before the opening or after the close
	ReasonTrustUnusable   verify.Reason = "trust_unusable"       // the trust material cannot decide

	ReasonNoEntry              verify.Reason = "entry_not_named"          // the proof names no log entry
	ReasonUUIDMalformed        verify.Reason = "uuid_malformed"           // not 80 or 64 lowercase hex digits
	ReasonEntryMissing         verify.Reason = "entry_missing"            // the log entry was not handed in
	ReasonEntryNull            verify.Reason = "entry_null"               // the log is said to have no such entry
	ReasonLogKeysMissing       verify.Reason = "log_keys_missing"         // the trust folder has no log key
	ReasonRekorKeysMissing     verify.Reason = "rekor_keys_missing"       // the trust folder has no submission key of the issuer
	ReasonSubmitterUnpublished verify.Reason = "submitter_not_published"  // the entry was signed with a key that is none of rekor_keys
	ReasonSubmitterWindow      verify.Reason = "submitter_outside_window" // the token time is outside the submission key's window
	ReasonLogKeyWindow         verify.Reason = "log_key_outside_window"   // the integrated time is outside the log key's window
)
