package replay

import (
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/report"
)

// noteUnread remembers who has a submission that cannot be read, in which track.
func (a *assembly) noteUnread(track string, p *report.Participant) {
	if len(p.Unread) == 0 {
		return
	}
	if a.unread == nil {
		a.unread = map[string]bool{}
	}
	a.unread[track+"/"+p.Participant] = true
	a.doc.Unread = append(a.doc.Unread, p.Unread...)
}

// proofsOpen reports whether a place in a published index is among the proofs of somebody with a submission that cannot be read. Which
// proofs that one cites is not known, so nothing is compared there.
func (a *assembly) proofsOpen(track string, published canon.Value, pointer string) bool {
	steps := strings.Split(pointer, "/") // "", tables, the table, the row, proofs, …
	if len(a.unread) == 0 || len(steps) < 5 || steps[1] != "tables" || steps[4] != "proofs" {
		return false
	}
	row, err := canon.ParsePointer(strings.Join(steps[:4], "/"))
	if err != nil {
		return false
	}
	v, err := row.Lookup(published)
	return err == nil && a.unread[track+"/"+participantOf(v)]
}
