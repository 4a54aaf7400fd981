package followup

import (
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// audiences are who may see a result (R100), the narrowest first.
var audiences = []string{"parties_only", "parties_and_arp", "public"}

// CheckExports records R100 of every export.json: nobody was handed a result whom the agreement does not let see it.
func (a Input) CheckExports() {
	if len(a.Exports) == 0 {
		a.Log.NA("R100")
		return
	}
	for _, e := range a.Exports {
		a.checkExport(e)
	}
}

func (a Input) checkExport(e *document.Document) {
	id := document.Text(e.Get("agreement_id"))
	a.Log.Check(id == a.Agreement.ID, finding.Error, "R100", "other-agreement", e.At("agreement_id"), document.Shown(e.Get("agreement_id")), a.Agreement.ID)
	if v := e.Get("verification_id"); v.Exists() && !slices.ContainsFunc(a.Results, func(r *document.Result) bool { return r.ID == document.Text(v) }) {
		a.Log.Missing("R100", "result-unknown", e.Place(v), document.Shown(v))
	}
	given := slices.Index(audiences, document.Text(e.Get("audience"))) // one of them: anything else is refused at entry
	v := a.Agreement.Get("verification", "result_visibility")
	allowed := slices.Index(audiences, document.Text(v))
	switch {
	case allowed >= 0:
		a.Log.Check(given <= allowed, finding.Error, "R100", "wider-audience", e.At("audience"), document.Shown(e.Get("audience")), audiences[allowed])
	case given == 0:
		a.Log.OK("R100") // nothing is narrower
	default:
		a.Log.Missing("R100", "visibility-unknown", a.Agreement.At("verification", "result_visibility"), strings.Join(audiences, " | "))
	}
}

// checkArchive records R106: a record that was deleted after its retention leaves its hash.
func (a Input) checkArchive() {
	if len(a.Archive) == 0 {
		a.Log.NA("R106")
		return
	}
	for _, d := range a.Archive {
		a.Log.Check(document.Hash64.MatchString(document.Text(d.Get("sha256"))), finding.Note, "R106", "no-hash", d.At("sha256"), document.Shown(d.Get("sha256")), "sha256: and 64 hex digits")
	}
}
