package followup

import (
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
)

// CheckDisputePackage records R105: what a dispute needs, listed where a dispute exists.
func (a Input) CheckDisputePackage() {
	_, challenged := a.Event("challenged")
	_, filed := a.Event("dispute_filed")
	if !challenged && !filed && a.Agreement.Status != "disputed" {
		a.Log.NA("R105")
		return
	}
	for _, item := range DisputeItems(a.Documents) {
		a.Log.Check(item.Present, finding.Error, "R105", "item-missing", item.Place, "", item.Name)
	}
}

// DisputeItem is one thing that a dispute package holds.
type DisputeItem struct {
	Name    string // "agreement", "deliverable_hash", …
	Place   string // the file, and where in it
	Present bool
}

// DisputeItems are what a dispute needs (paper §9.3): the agreement, of every result the deliverable's hash and the trail, and the identity of
// both parties; also whatever else the agreement's dispute.evidence_includes names, and the deliverable itself and the log of events where
// they are at hand, because the hash and the times in them are what a result is compared with.
func DisputeItems(d *folder.Documents) []DisputeItem {
	name := "agreement.json"
	if d.Agreement != nil {
		name = d.Agreement.Name
	}
	items := []DisputeItem{{"agreement", name, d.Agreement != nil}}
	if len(d.Results) == 0 {
		items = append(items, DisputeItem{"deliverable_hash", "result.json#/evidence_trail/deliverable_hash", false}, DisputeItem{"verification_result", "result.json#/evidence_trail", false})
	}
	for _, r := range d.Results {
		items = append(items, DisputeItem{"deliverable_hash", r.At("evidence_trail", "deliverable_hash"), hashed(d, r)}, DisputeItem{"verification_result", r.At("evidence_trail"), r.Get("evidence_trail").Kind() == canon.Object})
	}
	for _, party := range []string{"client", "provider"} {
		items = append(items, DisputeItem{"identity of " + party, name + "#/parties/" + party + "/identity", d.Agreement != nil && d.Agreement.Party(party).Exists()})
	}
	if includes(d, "canary_results") {
		items = append(items, DisputeItem{"canary_results", "canaries.jsonl", d.Canaries != nil})
	}
	return append(items, atHand(d)...)
}

// hashed reports whether a result states a hash that is the deliverable's, where that is at hand.
func hashed(d *folder.Documents, r *document.Result) bool {
	hash := document.Text(r.Get("evidence_trail", "deliverable_hash"))
	return document.Hash64.MatchString(hash) && (d.Deliverable == nil || hash == canon.Sum(d.Deliverable).Prefixed())
}

func includes(d *folder.Documents, what string) bool {
	if d.Agreement == nil {
		return false
	}
	for i, e := range d.Agreement.Get("dispute", "evidence_includes").Elements() {
		if i < document.MaxItems && document.Text(e) == what {
			return true
		}
	}
	return false
}

// atHand are the other files that bear on a dispute, as far as there are any.
func atHand(d *folder.Documents) []DisputeItem {
	var items []DisputeItem
	for _, i := range d.Inputs {
		switch {
		case i.Path == d.DeliverableName:
			items = append(items, DisputeItem{"deliverable", i.Path, true})
		case slices.Contains([]string{"events.jsonl", "request.json", "proposal.json", "negotiation.jsonl"}, i.Path), i.Path == "canaries.jsonl" && !includes(d, "canary_results"):
			items = append(items, DisputeItem{"record", i.Path, true})
		}
	}
	return items
}
