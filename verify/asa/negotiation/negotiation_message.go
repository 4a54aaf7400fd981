package negotiation

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// The grammars of the strings in a message: none admits white space, so none can carry a sentence.
var (
	messageID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)
	codeForm  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,127}$`)
)

// messageMembers is the closed set of members of a message, with the grammar of those that are strings.
var messageMembers = map[string]func(string) bool{
	"negotiation_id": messageID.MatchString, "agreement_id": messageID.MatchString, "action": codeForm.MatchString, "sender": codeForm.MatchString,
	"at": isInstant, "rationale_code": codeForm.MatchString, "document_sha256": document.Hash64.MatchString,
	"round": nil, "proposed_changes": nil, "market_reference": nil,
}

var referenceMembers = map[string]func(string) bool{"median_price_for_service_type": document.AmountForm.MatchString, "source": messageID.MatchString}

var (
	actions = []string{"propose", "counter", "accept", "reject"}
	sides   = []string{"client", "provider"}
)

// checkMessages records R042 to R044 of every message.
func (s *session) checkMessages() {
	for i, m := range s.messages {
		if m.Root.Kind() != canon.Object {
			s.log.Gap(finding.Error, "R042", "type", m.At(), document.Shown(m.Root), "an object")
			s.attributable = false
			continue
		}
		s.checkShape(m)
		s.checkAttribution(m)
		s.checkStrings(m)
		s.checkCode(m)
		first := s.messages[0]
		s.log.Check(document.Text(m.Get("negotiation_id")) == document.Text(first.Get("negotiation_id")), finding.Error, "R042", "other-negotiation", m.At("negotiation_id"), document.Shown(m.Get("negotiation_id")), document.Shown(first.Get("negotiation_id")))
		if i >= document.MaxItems {
			return
		}
	}
}

// checkShape records the members that a message must have.
func (s *session) checkShape(m *Message) {
	need := func(ok bool, name, want string) {
		s.log.Check(ok, finding.Error, "R042", "schema", m.At(name), document.Shown(m.Get(name)), want)
	}
	need(document.Text(m.Get("negotiation_id")) != "", "negotiation_id", "an identifier")
	need(m.Round >= 1, "round", "an integer >= 1")
	need(slices.Contains(actions, m.Action), "action", strings.Join(actions, " | "))
	if m.Action == "counter" {
		changes := m.Get("proposed_changes")
		need(changes.Kind() == canon.Object && changes.Len() > 0, "proposed_changes", "an object with at least one change")
		need(m.Code != "", "rationale_code", "a code")
	} else if m.Get("proposed_changes").Exists() {
		need(false, "proposed_changes", "changes in a counter only")
	}
	if v := m.Get("sender"); v.Exists() {
		need(slices.Contains(sides, m.Sender), "sender", strings.Join(sides, " | "))
	}
	if v := m.Get("at"); v.Exists() {
		need(m.Instant != nil, "at", "an RFC 3339 date-time")
	}
	if v := m.Get("market_reference"); v.Exists() {
		need(m.Median != nil && m.Median.Rat.Sign() > 0, "market_reference", "median_price_for_service_type, a decimal string over 0")
	}
}

// checkAttribution records what ties a message to an agreement, an author and a time. The paper's own sample has none of the three.
func (s *session) checkAttribution(m *Message) {
	for _, name := range []string{"agreement_id", "sender", "at"} {
		if !m.Get(name).Exists() {
			s.attributable = false
			s.log.Missing("R042", "not-attributable", m.At(name), name)
		}
	}
	id := document.Text(m.Get("agreement_id"))
	for _, g := range []*document.Agreement{s.Proposal, s.Agreement} {
		if g != nil && id != "" {
			s.log.Check(id == g.ID, finding.Error, "R042", "other-agreement", m.At("agreement_id"), document.Clip(id), document.Clip(g.ID))
		}
	}
}

// checkStrings records R043: no member that is not foreseen and no string outside its grammar. Nothing is guessed from content.
func (s *session) checkStrings(m *Message) {
	s.checkMembers(m, m.Root, messageMembers)
	if v := m.Get("market_reference"); v.Kind() == canon.Object {
		s.checkMembers(m, v, referenceMembers)
	}
	n := 0
	for _, v := range m.Get("proposed_changes").Members() {
		if n++; n > document.MaxItems {
			break
		}
		if t, ok := v.Text(); ok {
			s.log.Check(isTerm(t), finding.Error, "R043", "free-text", m.Place(v), document.Clip(t), "a string without white space, at most 128 characters")
		}
	}
}

func (s *session) checkMembers(m *Message, v canon.Value, members map[string]func(string) bool) {
	n := 0
	for name, value := range v.Members() {
		if n++; n > document.MaxItems {
			return
		}
		grammar, known := members[name]
		t, isText := value.Text()
		switch {
		case !known:
			s.log.Gap(finding.Error, "R043", "free-text", m.Place(v)+"/"+canon.EscapeToken(document.Clip(name)), document.Clip(name), "a member that the message schema names")
		case grammar != nil && isText:
			s.log.Check(len(t) <= 128 && grammar(t), finding.Error, "R043", "free-text", m.Place(value), document.Clip(t), "a value of its grammar")
		case grammar != nil:
			s.log.Gap(finding.Error, "R042", "type", m.Place(value), document.Shown(value), "a string")
		}
	}
}

// checkCode records R044.
func (s *session) checkCode(m *Message) {
	if !m.Get("rationale_code").Exists() {
		return
	}
	_, ok := rationales[m.Code]
	s.log.Check(ok, finding.Error, "R044", "unknown-code", m.At("rationale_code"), document.Shown(m.Get("rationale_code")), "a code of "+RationaleList)
}

func isInstant(s string) bool {
	_, err := exact.Instant(s)
	return err == nil
}

// maxTerm is how many characters a string of a message may have (R043).
const maxTerm = 128

// isTerm reports whether a string of a message holds 1 to maxTerm characters, none of them white space or a control or format character.
// A regular expression with that count would take 8 ms of every start of the program to compile.
func isTerm(s string) bool {
	if s == "" || utf8.RuneCountInString(s) > maxTerm {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n\f\r", r) || unicode.Is(unicode.C, r) })
}
