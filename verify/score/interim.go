package score

import (
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

type Outcome uint8

const (
	Invalid Outcome = iota
	Valid
	Pending
	Incomplete
)

type Opened struct{ Request, Response canon.Digest }
type Identity struct {
	DID                     string
	Verified, Bound, Opened bool
	Failure                 *verify.Failure
}
type MissingItem struct{ Kind, ID string }
type Result struct {
	ProofID, SpecVersion string
	Outcome              Outcome
	Checks               verify.Checks
	TokenTime            time.Time
	Opened               *Opened
	Identity             Identity
	Missing              []MissingItem
}

func (r Result) AtLeast31() bool { return r.SpecVersion >= "3.1" }

type Node struct{ Own, Shared bool }
