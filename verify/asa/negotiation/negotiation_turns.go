package negotiation

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// DefaultRounds is how many counters a negotiation may have where the documents do not say (paper §7.4).
const DefaultRounds = 5

// checkTurns records R047 and finds the outcome: a proposal of the client, then turn by turn until somebody accepts the other's last
// offer or rejects.
func (s *session) checkTurns() {
	if len(s.messages) == 0 {
		return
	}
	if !s.attributable {
		s.log.Missing("R047", "not-attributable", s.messages[0].At("sender"), "agreement_id, sender and at of every message")
		s.outcome = s.lastAction()
		return
	}
	offer := ""
	for i, m := range s.messages {
		s.checkTurn(i, m, offer)
		if s.outcome != "open" {
			continue
		}
		switch m.Action {
		case "propose", "counter":
			offer = m.Sender
		case "accept":
			s.outcome = "accepted"
		case "reject":
			s.outcome = "rejected"
		}
	}
	if g := s.Agreement; g != nil && s.outcome == "open" && document.SignedStates[g.Status] {
		last := s.messages[len(s.messages)-1]
		s.log.Gap(finding.Error, "R047", "not-accepted", last.At("action"), document.Clip(last.Action), "accept: the agreement is "+g.Status)
	}
}

// checkTurn records at most one gap of order per message, the first that applies.
func (s *session) checkTurn(i int, m *Message, offer string) {
	gap := func(slug, name, want string) {
		s.log.Gap(finding.Error, "R047", slug, m.At(name), document.Shown(m.Get(name)), want)
	}
	var before *Message
	if i > 0 {
		before = s.messages[i-1]
		if m.Instant != nil && before.Instant != nil {
			s.log.Check(m.Instant.Cmp(before.Instant) >= 0, finding.Error, "R047", "time-goes-back", m.At("at"), document.Shown(m.Get("at")), "not before "+document.Shown(before.Get("at")))
		}
	}
	switch {
	case s.outcome != "open":
		gap("after-the-end", "action", "nothing after "+s.outcome)
	case i == 0 && (m.Action != "propose" || m.Sender != "client"):
		gap("first-message", "action", "propose by client")
	case i > 0 && m.Action == "propose":
		gap("second-proposal", "action", "counter | accept | reject")
	case m.Action == "accept" && m.Sender == offer:
		gap("accepts-own-offer", "sender", "the other side")
	case i > 0 && m.Sender == before.Sender:
		gap("turn", "sender", "the other side")
	default:
		s.log.OK("R047")
	}
	want := int64(i) + 1
	s.log.Check(m.Round == want, finding.Error, "R047", "round", m.At("round"), document.Shown(m.Get("round")), exact.Text(exact.Int(want)))
}

// lastAction is the outcome as far as actions alone tell.
func (s *session) lastAction() string {
	for _, m := range s.messages {
		switch m.Action {
		case "accept":
			return "accepted"
		case "reject":
			return "rejected"
		}
	}
	return "open"
}

// checkRounds records R048: without an acceptance within the limit the session and its agreement are rejected.
func (s *session) checkRounds() {
	if len(s.messages) == 0 {
		return
	}
	limit := exact.Int(DefaultRounds)
	if r := document.Number(s.settings("max_rounds")); r != nil {
		limit = r
	}
	s.log.Walk(s.Readings, s.All, func(rd finding.Readings, l *finding.Log) { s.judgeRounds(rd, limit, l) }, finding.RoundsCount)
	if g := s.Agreement; g != nil && s.outcome == "rejected" {
		s.log.Check(g.Status == "rejected", finding.Error, "R048", "rejected-session", g.At("status"), g.Status, "rejected")
	}
}

func (s *session) judgeRounds(rd finding.Readings, limit *big.Rat, l *finding.Log) {
	counters, field := int64(0), int64(0)
	var last *Message
	for _, m := range s.messages {
		if m.Action == "counter" {
			counters++
			field = max(field, m.Round)
			last = m
		}
	}
	used := exact.Int(counters)
	if rd.Is(finding.RoundsCount, "round-field") {
		used = exact.Int(field)
	}
	if used.Cmp(limit) <= 0 {
		l.OK("R048")
		return
	}
	rejected := s.outcome == "rejected" || s.Agreement != nil && s.Agreement.Status == "rejected" && s.outcome == "open"
	l.Check(rejected, finding.Error, "R048", "must-be-rejected", last.At("round"), exact.Text(used)+" rounds, "+s.outcome, "rejected after "+exact.Text(limit))
}

// checkTimeout records R053. The paper gives the delay neither a default nor an effect; we read its expiry as a rejection.
func (s *session) checkTimeout() {
	limit := document.Number(s.settings("timeout_seconds"))
	if limit == nil || len(s.messages) == 0 {
		if len(s.messages) > 0 {
			s.log.NA("R053")
		}
		return
	}
	first := s.messages[0].Instant
	if first == nil {
		s.log.Missing("R053", "input-missing", s.messages[0].At("at"), "the time of the first message")
		return
	}
	end := exact.Add(first, limit)
	for _, m := range s.messages {
		if m.Instant != nil && m.Action != "reject" {
			s.log.Check(m.Instant.Cmp(end) <= 0, finding.Error, "R053", "after-timeout", m.At("at"), document.Shown(m.Get("at")), "at most "+exact.InstantText(end))
		}
	}
	if s.outcome == "open" && s.AsOf != nil && s.AsOf.Cmp(end) > 0 && s.Agreement != nil {
		s.log.Check(s.Agreement.Status == "rejected", finding.Error, "R053", "must-be-rejected", s.Agreement.At("status"), s.Agreement.Status, "rejected after "+exact.InstantText(end))
	}
}
