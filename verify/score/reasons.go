package score

import "github.com/ark-forge/proveit/verify"

// Why an assertion is not supported (seed 000 §4.1). Reasons of condition 1 beyond these are those of the proof's own checks.
const (
	ReasonProofNull       verify.Reason = "proof_null"        // condition 1: the service says that this proof does not exist
	ReasonProofNotJudged  verify.Reason = "proof_not_judged"  // condition 1: no check of the proof was made, or none says why it is invalid
	ReasonPairsNotOpened  verify.Reason = "pairs_not_opened"  // condition 1: request_hash and response_hash were not opened
	ReasonSpecBelow31     verify.Reason = "spec_below_31"     // condition 2: the proof's spec version commits to no identity
	ReasonIdentityClosed  verify.Reason = "identity_not_open" // condition 2: disclosed does not open the identity block
	ReasonDIDDiffers      verify.Reason = "did_differs"       // condition 2: the opened identity is another DID
	ReasonNotVerified     verify.Reason = "did_not_verified"  // condition 2: agent_identity_verified does not open to true
	ReasonNotBound        verify.Reason = "did_not_bound"     // condition 2: did_resolution_status does not open to "bound"
	ReasonRequestUnknown  verify.Reason = "request_unknown"   // condition 3: the corpus has no such resource, nor a collection for it
	ReasonRequestDiffers  verify.Reason = "request_differs"   // condition 3: the proof is of another request
	ReasonSystemBody      verify.Reason = "system_body"       // the response is one of the corpus's own failures
	ReasonResponseDiffers verify.Reason = "response_differs"  // condition 4: the proof is of another response than the frozen one
	ReasonPointerNotFound verify.Reason = "pointer_not_found" // condition 4: the frozen resource has nothing at the claim's field
	ReasonTypeDiffers     verify.Reason = "type_differs"      // condition 4: the frozen value has another JSON type
	ReasonValueDiffers    verify.Reason = "value_differs"     // condition 4: the frozen value is another
)

// Why a submission is rejected at the close (seed 000 §5.7).
const (
	ReasonOutsideGraph       verify.Reason = "resource_outside_graph" // the resource is not of this task
	ReasonEntryNotConcerned  verify.Reason = "entry_not_concerned"    // on a shared list, the field names no entry that concerns the subject
	ReasonFieldNotAdmissible verify.Reason = "field_not_admissible"   // no criterion consumes this field of the collection
)

// Why a task is not rendered (seed 000 §5.7).
const (
	ReasonBelowMinimum verify.Reason = "below_minimum" // fewer assertions than the minimum, instrument defects taken out
	ReasonTooFewOwn    verify.Reason = "too_few_own"   // fewer than half the minimum on own resources, instrument defects taken out
)

// IncidentInstrument is the code of the incident that every instrument defect opens.
const IncidentInstrument verify.Reason = "defaut_instrument"
