package lifecycle

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// checkLog records R032: numbers without a hole, times that do not go back, canonical lines, and the hash of the line before in each.
func (r *Run) checkLog() {
	prev := canon.Digest{}
	chained := true
	seq := int64(0)
	var before document.Event
	for _, e := range r.Events {
		r.log.Check(e.Seq == seq+1, finding.Error, "R032", "sequence", e.At("seq"), document.Shown(e.Get("seq")), exact.Text(exact.Int(seq+1)))
		seq = e.Seq
		if r.log.Check(e.Instant != nil, finding.Error, "R003", "timestamp", e.At("at"), document.Shown(e.Get("at")), "an RFC 3339 date-time") && before.Time() != nil {
			r.log.Check(e.Instant.Cmp(before.Instant) >= 0, finding.Error, "R032", "time-goes-back", e.At("at"), document.Shown(e.Get("at")), "not before "+document.Shown(before.Get("at")))
		}
		id := document.Text(e.Get("agreement_id"))
		r.log.Check(id == r.Agreement.ID, finding.Error, "R032", "other-agreement", e.At("agreement_id"), document.Clip(id), r.Agreement.ID)
		written, err := exact.JCS(e.Root)
		r.log.Check(err == nil && string(written) == string(e.Line), finding.Error, "R032", "not-canonical", e.At(), document.Clip(string(e.Line)), document.Clip(string(written)))
		switch v := e.Get("prev"); {
		case !v.Exists():
			chained = false
		default:
			r.log.Check(document.Text(v) == prev.Prefixed(), finding.Error, "R032", "chain", e.At("prev"), document.Shown(v), prev.Prefixed())
		}
		prev, before = canon.Sum(e.Line), e
	}
	if !chained {
		r.log.Missing("R032", "no-chain", "events.jsonl", "the hash of the line before in every event")
	}
}

// checkProposed compares the hash in the proposed event with the proposal.
func (r *Run) checkProposed() {
	for _, e := range r.Events {
		if e.Type != "proposed" || r.Proposal == nil || !e.Data("document_sha256").Exists() {
			continue
		}
		payload, _ := r.Proposal.Payload()
		want, got := canon.Sum(payload).Prefixed(), document.Text(e.Data("document_sha256"))
		r.log.Check(got == want, finding.Error, "R027", "proposal-changed", e.At("data", "document_sha256"), document.Clip(got), want)
	}
}

// checkStatus records R034.
func (r *Run) checkStatus() {
	g := r.Agreement
	r.log.Check(g.Status == r.state, finding.Error, "R034", "status-differs", g.At("status"), g.Status, orAbsentText(r.state))
}

func orAbsentText(s string) string {
	if s == "" {
		return "absent"
	}
	return s
}

// checkClosing records R033: what must be on record of a closed agreement.
func (r *Run) checkClosing() {
	if r.state != "closed" && !r.facts.closed.Exists() {
		r.log.NA("R033")
		return
	}
	need := func(ok bool, what string) {
		r.log.Check(ok, finding.Error, "R033", "closing-record", "events.jsonl", "absent", what)
	}
	id := len(r.Results) > 0 && r.Results[0].ID != ""
	if v := r.facts.verified; v.Exists() {
		id = id || document.Text(v.Data("verification_id")) != ""
	}
	need(id, "a verification id")
	if r.Agreement.Payment.Enabled {
		rel := r.facts.released
		paid := rel.Exists() && document.AnyNumber(rel.Data("to_provider")) != nil && document.AnyNumber(rel.Data("to_client")) != nil
		need(paid, "the amounts paid")
	}
	need(r.facts.closed.Time() != nil, "the time of closing")
	need(r.resultTime() != nil, "the time of the result")
}
