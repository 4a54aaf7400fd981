// Package binding says whether request, result and deliverable belong to each other and to their agreement (R069 to R072, R087, R097 to R099,
// R102): one chain of identifiers, one content hash everywhere, a deliverable of the announced form, a result that is not another's.
package binding

import (
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
)

// Input is what the rules read and where they record.
type Input struct {
	*folder.Documents
	Log     *finding.Log
	Unbound map[*document.Result]bool // results whose content hash differs somewhere, put there by CheckDeliverable; not nil
}

// Bound reports whether the deliverable that the result judged is the one that was delivered, as far as anything says.
func (a Input) Bound(r *document.Result) bool { return !a.Unbound[r] }
