// Package followup judges what follows a verification (R093, R094, R100, R101, R103 to R106, R109): the money, disputes and what they need,
// whom results were handed to, what is told to reputation services, and what is left of deleted records.
package followup

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
)

// Input is what the rules read and where they record.
type Input struct {
	finding.Run
	*folder.Documents
	AsOf  *big.Rat                      // "now"; nil where no document gives a time
	Bound func(r *document.Result) bool // whether the judged deliverable is the delivered one, as far as anything says
}
