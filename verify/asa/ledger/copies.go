package ledger

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// copies compares the signed documents that have one agreement id: an agreement stays under the version that it was signed with (R022), and
// its payload stays the same in every copy (R027). Documents that carry no two signatures are drafts and may differ.
func (l *ledger) copies() {
	first := map[string]*document.Agreement{}
	for _, g := range l.agreements {
		if !g.Get("signatures", "client").Exists() || !g.Get("signatures", "provider").Exists() {
			continue
		}
		before, again := first[g.ID]
		if !again {
			first[g.ID] = g
			continue
		}
		l.log.Check(g.Version == before.Version, finding.Error, "R022", "version-changed", g.At("asa_version"), document.Clip(g.Version), document.Clip(before.Version))
		here, _ := g.Payload()
		there, _ := before.Payload()
		got, want := canon.Sum(here).Prefixed(), canon.Sum(there).Prefixed()
		l.log.Check(got == want, finding.Error, "R027", "copy-changed", g.At(), got, want+" of "+before.Name)
	}
}
