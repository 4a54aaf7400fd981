package score

import (
	"errors"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
)

// Corpus is what the judgement of a claim asks of the frozen corpus.
type Corpus interface {
	Request(resource string) (canon.Digest, bool)        // hash of the resource's canonical request
	Response(resource string) (canon.Digest, bool)       // hash of what it answers
	Body(resource string) (canon.Value, bool)            // what it answers
	System(response canon.Digest) (name string, ok bool) // the system body of that hash
}

// Rules are the identity that the proofs of a submission must be bound to.
type Rules struct {
	DID      string // the enrolled DID; empty where no enrolments are given
	AgentDID string // agent_did of the submission
}

// KindProof is the kind of what is missing where nothing of a proof is there; the ID is the proof's.
const KindProof proof.MissingKind = "proof"

// MissingProof is the result for a proof of which nothing is there: neither a view nor a word that it does not exist.
func MissingProof(id string) proof.Result {
	return proof.Result{ProofID: id, Outcome: proof.Incomplete, Missing: []proof.Missing{{Kind: KindProof, ID: id}}}
}

// undecided reports whether nothing can be said of the proof yet.
func undecided(p *proof.Result) bool {
	return !p.Null && (p.Outcome == proof.Incomplete || p.Outcome == proof.Pending)
}

// Condition is one of the four of seed 000 §4.1, or the system bodies between the third and the fourth.
type Condition uint8

// The conditions in the order in which they are applied to one proof.
const (
	Met           Condition = iota // every condition holds
	ProofValid                     // 1
	IdentityBound                  // 2
	ResourceMatch                  // 3
	ValueMatch                     // 4
	SystemBody                     // the instrument's own failure, tested once 3 holds; it yields to any numbered condition of another proof
	Undecided                      // the proof is pending or incomplete
)

// Cause is the published cause of the condition; empty for Met and Undecided.
func (c Condition) Cause() verify.Cause {
	return [...]verify.Cause{"", verify.PreuveInvalide, verify.IdentiteNonLiee, verify.RessourceNonCorrespondante,
		verify.ValeurNonCorrespondante, verify.DefautInstrument, ""}[c]
}

// ProofJudgement is what one cited proof does for one claim.
type ProofJudgement struct {
	ProofID   string
	Condition Condition       // the first that fails; Met where none does
	Failure   *verify.Failure // code, found and wanted; nil where Met or Undecided
}

// Judgement is whether one assertion is supported, and if not, why. The zero value is "not supported".
type Judgement struct {
	ID        string
	Supported bool
	Undecided bool            // some proof is pending or incomplete: neither supported nor unsupported
	Cause     verify.Cause    // empty where supported or undecided
	Reason    verify.Reason   // the finer code
	Failure   *verify.Failure // found and wanted of the proof that names the cause; nil where supported or undecided
	Proofs    []ProofJudgement
}

// Assertion judges one claim by the proofs that it cites, in cited order (seed 000 §4.1). It is supported when every proof meets every
// condition. Else the cause is the lowest-numbered condition that any proof fails; defaut_instrument only where no proof fails a
// numbered one. No proof at all is an invalid one, and so is the zero Result.
func Assertion(id string, c season.Claim, cited []proof.Result, corpus Corpus, r Rules) Judgement {
	j := Judgement{ID: strings.Clone(id), Supported: len(cited) > 0, Proofs: make([]ProofJudgement, 0, len(cited))}
	worst := ProofJudgement{}
	for i := range cited {
		p := judgeProof(c, &cited[i], corpus, r)
		j.Proofs = append(j.Proofs, p)
		switch {
		case p.Condition == Undecided:
			j.Undecided = true
		case p.Condition != Met && (worst.Condition == Met || p.Condition < worst.Condition):
			worst = p
		}
	}
	if len(cited) == 0 {
		worst = failed("", ProofValid, ReasonProofNotJudged, "no proof", "a proof")
	}
	if j.Undecided {
		j.Supported = false
		return j
	}
	if worst.Condition != Met {
		j.Supported, j.Cause, j.Failure, j.Reason = false, worst.Condition.Cause(), worst.Failure, worst.Failure.Reason
	}
	return j
}

func failed(proofID string, c Condition, reason verify.Reason, found, wanted string) ProofJudgement {
	return ProofJudgement{ProofID: proofID, Condition: c, Failure: &verify.Failure{Reason: reason, Found: found, Wanted: wanted}}
}

// judgeProof finds the first condition that one proof fails.
func judgeProof(c season.Claim, p *proof.Result, corpus Corpus, r Rules) ProofJudgement {
	id := strings.Clone(p.ProofID)
	if undecided(p) {
		return ProofJudgement{ProofID: id, Condition: Undecided}
	}
	if f := proofFailure(p); f != nil {
		return ProofJudgement{ProofID: id, Condition: ProofValid, Failure: f}
	}
	if f := identityFailure(p, r); f != nil {
		return ProofJudgement{ProofID: id, Condition: IdentityBound, Failure: f}
	}
	opened := p.Opened
	request, known := corpus.Request(c.Resource)
	if !known {
		return failed(id, ResourceMatch, ReasonResourceUnknown, "a request of hash "+opened.Request.String(), "a resource of the corpus")
	}
	if opened.Request != request {
		return failed(id, ResourceMatch, ReasonResourceDiffers, opened.Request.String(), request.String())
	}
	if name, ok := corpus.System(opened.Response); ok {
		return failed(id, SystemBody, ReasonSystemBody, name, "the answer of the resource")
	}
	if f := valueFailure(c, opened.Response, corpus); f != nil {
		return ProofJudgement{ProofID: id, Condition: ValueMatch, Failure: f}
	}
	return ProofJudgement{ProofID: id}
}

// proofFailure is condition 1: the outcome was decided by the proof's checks, the first that failed says why.
func proofFailure(p *proof.Result) *verify.Failure {
	if p.Outcome == proof.Valid && !p.Null {
		if p.Opened == nil {
			return &verify.Failure{Reason: ReasonPairsNotOpened, Wanted: "the opened request_hash and response_hash"}
		}
		return nil
	}
	for _, c := range p.Checks {
		if c.Status != verify.Failed || c.Name == proof.CheckIdentity {
			continue
		}
		if c.Detail != nil {
			return c.Detail
		}
		return &verify.Failure{Reason: c.Reason, Wanted: "the check " + c.Name + " to hold"}
	}
	if p.Null {
		return &verify.Failure{Reason: proof.ReasonNull, Found: "null", Wanted: "the proof"}
	}
	return &verify.Failure{Reason: ReasonProofNotJudged, Found: "no failed check", Wanted: "a proof that was verified"}
}

// identityFailure is condition 2. What the identity block says of itself was judged with the proof; here it must be the participant's.
func identityFailure(p *proof.Result, r Rules) *verify.Failure {
	i := &p.Identity
	switch {
	case i.Failure != nil:
		return i.Failure
	case !proof.AtLeast31(p.SpecVersion):
		return &verify.Failure{Reason: proof.ReasonIdentityNotCommitted, Found: "version " + p.SpecVersion, Wanted: "3.1 or later"}
	case !i.Opened:
		return &verify.Failure{Reason: proof.ReasonIdentityNotOpened, Wanted: "an identity block that disclosed opens"}
	case i.DID != r.AgentDID:
		return &verify.Failure{Reason: ReasonDIDDiffers, Found: orNone(i.DID), Wanted: r.AgentDID}
	case r.DID != "" && i.DID != r.DID:
		return &verify.Failure{Reason: ReasonDIDDiffers, Found: orNone(i.DID), Wanted: r.DID}
	case !i.Verified:
		return &verify.Failure{Reason: proof.ReasonIdentityNotVerified, Found: "another value of agent_identity_verified", Wanted: "true"}
	case !i.Bound:
		return &verify.Failure{Reason: proof.ReasonIdentityNotBound, Found: "another value of did_resolution_status", Wanted: `"bound"`}
	}
	return nil
}

func orNone(did string) string {
	if did == "" {
		return "no DID"
	}
	return did
}

// valueFailure is condition 4: the response is the frozen one, and the frozen value at the field is the claimed one, type included.
func valueFailure(c season.Claim, response canon.Digest, corpus Corpus) *verify.Failure {
	want, known := corpus.Response(c.Resource)
	body, there := corpus.Body(c.Resource)
	if !known || !there {
		return &verify.Failure{Reason: ReasonBodyDiffers, Found: response.String(), Wanted: "a frozen answer of " + c.Resource}
	}
	if response != want {
		return &verify.Failure{Reason: ReasonBodyDiffers, Found: response.String(), Wanted: want.String()}
	}
	frozen, f := lookup(c, body)
	if f != nil {
		return f
	}
	if frozen.Kind() != c.Value.Kind() {
		return valueFault(ReasonTypeDiffers, c, frozen)
	}
	if !canon.Equal(frozen, c.Value) {
		return valueFault(ReasonValueDiffers, c, frozen)
	}
	return nil
}

func lookup(c season.Claim, body canon.Value) (canon.Value, *verify.Failure) {
	fault := &verify.Failure{Reason: ReasonPointerNotFound, Wanted: "a value at the field", Pointer: strings.Clone(c.Field)}
	p, err := canon.ParsePointer(c.Field)
	if err == nil {
		var v canon.Value
		if v, err = p.Lookup(body); err == nil {
			return v, nil
		}
	}
	var at *canon.PointerError
	if errors.As(err, &at) {
		fault.Found, fault.Wanted = at.Found, at.Want
	}
	return canon.Value{}, fault
}

// valueFault gives the claimed value as found and the frozen one as wanted, at the claim's field.
func valueFault(reason verify.Reason, c season.Claim, frozen canon.Value) *verify.Failure {
	return &verify.Failure{Reason: reason, Found: named(c.Value), Wanted: named(frozen), Pointer: strings.Clone(c.Field)}
}

// maxNamed is how many bytes of a value are repeated in a message.
const maxNamed = 200

func named(v canon.Value) string {
	text := string(canon.AppendCanonical(nil, v)) // ASCII, so that it may be cut anywhere
	if len(text) > maxNamed {
		text = text[:maxNamed] + "..."
	}
	return v.Kind().String() + " " + text
}
