package freeze

import "github.com/ark-forge/proveit/verify"

// Why a freeze does not hold (seed 000 §8). Where its proof is not valid, the reason is that of the proof's own check.
const (
	ReasonProofDiffers      verify.Reason = "freeze_proof_differs"      // the proof that was found is not the one that the freeze names
	ReasonProofPending      verify.Reason = "freeze_proof_pending"      // the freeze's proof is not anchored yet
	ReasonProofMissing      verify.Reason = "freeze_proof_missing"      // the freeze's proof, its log entry or trust material is not there
	ReasonProofInvalid      verify.Reason = "freeze_proof_invalid"      // the freeze's proof is not valid and no check of it says why
	ReasonRequestNotFrozen  verify.Reason = "freeze_request_differs"    // the request is not the one that the proof's request_hash opens to
	ReasonRequestNotOpened  verify.Reason = "freeze_request_not_opened" // the proof opens no request_hash to compare with
	ReasonBindingDiffers    verify.Reason = "binding_differs"           // the file's hash is not the value that was anchored
	ReasonBindingNoValue    verify.Reason = "binding_without_value"     // the request has no hash at the binding's pointer
	ReasonBoundFileMissing  verify.Reason = "bound_file_missing"        // the bundle lacks a file that a freeze binds
	ReasonBindingMissing    verify.Reason = "binding_missing"           // no current freeze binds a file that must be bound
	ReasonKeyUnsalted       verify.Reason = "key_binding_unsalted"      // the answer key is bound without a salt, so it could be guessed
	ReasonAfterOpening      verify.Reason = "freeze_after_opening"      // the token of a current freeze is later than the opening
	ReasonNotAccepted       verify.Reason = "freeze_not_accepted"       // a freeze that is not among the proofs insisted on
	ReasonNotListed         verify.Reason = "freeze_not_listed"         // a proof insisted on that freeze.json does not list
	ReasonFreezeFileMissing verify.Reason = "freeze_file_missing"       // the bundle lacks freeze.json
)
