package score

import "github.com/ark-forge/proveit/verify"

// Why an assertion is not supported (seed 000 §4.1). Of conditions 1 and 2, most reasons are those of the proof's own checks.
const (
	ReasonProofNotJudged  verify.Reason = "proof_not_judged"  // condition 1: no check of the proof was made, or none says why it is invalid
	ReasonPairsNotOpened  verify.Reason = "pairs_not_opened"  // condition 1: request_hash and response_hash were not opened
	ReasonDIDDiffers      verify.Reason = "did_differs"       // condition 2: the opened identity is another DID than the participant's
	ReasonResourceUnknown verify.Reason = "resource_unknown"  // condition 3: the corpus has no such resource, nor a collection for it
	ReasonResourceDiffers verify.Reason = "resource_differs"  // condition 3: the proof is of another request than the resource's
	ReasonSystemBody      verify.Reason = "system_body"       // the response is one of the corpus's own failures
	ReasonBodyDiffers     verify.Reason = "body_differs"      // condition 4: the proof is of another response than the frozen one
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
