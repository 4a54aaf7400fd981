package submission

import "github.com/ark-forge/proveit/verify"

// Why the entry refuses a submission (seed 000 §4).
const (
	ReasonMalformedJSON        verify.Reason = "malformed_json"         // the file is not strict JSON
	ReasonMemberType           verify.Reason = "member_type"            // a value has another JSON type than the schema's
	ReasonMemberMissing        verify.Reason = "member_missing"         // a required member is not there
	ReasonMemberUnknown        verify.Reason = "member_unknown"         // a member that the schema does not have
	ReasonSeasonUnknown        verify.Reason = "season_unknown"         // another season than the one that is open
	ReasonTrackUnknown         verify.Reason = "track_unknown"          // the season has no such track
	ReasonTaskUnknown          verify.Reason = "task_unknown"           // the track has no such task
	ReasonVerdictUnknown       verify.Reason = "verdict_unknown"        // the verdict is not one of the track's
	ReasonDIDMalformed         verify.Reason = "did_malformed"          // not a did:key of an Ed25519 key, nor a did:web
	ReasonDIDNotEnrolled       verify.Reason = "did_not_enrolled"       // nobody enrolled has this DID
	ReasonPathDiffers          verify.Reason = "path_differs"           // the file lies where another season, track, task or participant belongs
	ReasonTooManyAssertions    verify.Reason = "too_many_assertions"    // more assertions than the task's cap
	ReasonAssertionIDRepeated  verify.Reason = "assertion_id_repeated"  // two assertions with one id
	ReasonResourceMalformed    verify.Reason = "resource_malformed"     // not a canonical URL without its host
	ReasonFieldMalformed       verify.Reason = "field_malformed"        // not an RFC 6901 pointer
	ReasonFieldEmpty           verify.Reason = "field_empty"            // the pointer to the whole document
	ReasonTripleRepeated       verify.Reason = "triple_repeated"        // the same resource, field and value twice
	ReasonNoProofCited         verify.Reason = "no_proof_cited"         // proof_ids is empty
	ReasonProofIDMalformed     verify.Reason = "proof_id_malformed"     // not prf_, 8 digits, 6 digits, 6 lowercase hex digits
	ReasonProofIDRepeated      verify.Reason = "proof_id_repeated"      // one assertion cites a proof twice
	ReasonDisclosureMissing    verify.Reason = "disclosure_missing"     // a cited proof has no entry in disclosures
	ReasonDisclosureUncited    verify.Reason = "disclosure_not_cited"   // disclosures has an entry for a proof that nobody cites
	ReasonHexMalformed         verify.Reason = "hex_malformed"          // a nonce or value is not 64 lowercase hex digits
	ReasonMoreRefusals         verify.Reason = "more_refusals"          // more refusals than are listed
	ReasonResourceNotCanonical verify.Reason = "resource_not_canonical" // advice only: the catalogue spells this resource otherwise
)

// Why no disclosures block is made from a view, or none is put into a file.
const (
	ReasonViewWithoutNonces verify.Reason = "view_without_nonces"        // not the owner's full view
	ReasonViewNull          verify.Reason = "view_null"                  // the service says that there is no such proof
	ReasonViewRepeated      verify.Reason = "view_repeated"              // two views of one proof that give different pairs
	ReasonPairDoesNotOpen   verify.Reason = "pair_does_not_open"         // the view's own pair is not what its commitment holds
	ReasonNotAnObject       verify.Reason = "not_an_object"              // nothing can be inserted: the file is not a JSON object
	ReasonBlockMalformed    verify.Reason = "disclosure_block_malformed" // the block to be inserted is not a JSON object
)
