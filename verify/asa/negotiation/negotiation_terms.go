package negotiation

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/form"
)

// negotiableRoots are where the paper lets a message change something (§4.2 L197, §4.4 L223).
var negotiableRoots = []string{"quality_criteria", "escrow.payment", "escrow.dead_mans_switch", "service.constraints", "verification", "expires_at"}

var (
	weightPath = regexp.MustCompile(`^quality_criteria\.dimensions\[[0-9]+\]\.weight$`)
	sloPath    = regexp.MustCompile(`^(quality_criteria\.dimensions\[[0-9]+\]\.(?:shadow_)?slo)\.value$`)
)

// applied is one change of a message that could be applied.
type applied struct {
	path          string
	before, after canon.Value
	sign          int // of the change, 0 where it is not one of quantity
	slo           int // 1 where it tightens an SLO, -1 where it relaxes one
}

// quantity is a term as a number: a JSON number, a decimal string, or for a date the seconds since the agreement was created.
type quantity struct {
	value *big.Rat // nil where the term is no quantity
	date  bool
}

func (s *session) quantity(v canon.Value) quantity {
	if r := document.AnyNumber(v); r != nil {
		return quantity{value: r}
	}
	if t := document.Instant(v); t != nil && s.start != nil && s.start.Created != nil {
		return quantity{exact.Sub(t, s.start.Created), true}
	}
	return quantity{}
}

// apply checks the changes of one message against the terms in force (R045, R046, R049, R054) and applies those that can be.
func (s *session) apply(m *Message) {
	if m.Action != "counter" && m.Action != "reject" {
		return
	}
	var changes []applied
	for name, v := range m.Get("proposed_changes").Members() {
		if s.changes++; s.changes > document.MaxItems {
			s.log.Gap(finding.Error, "R042", "too-many-changes", m.At("proposed_changes"), "more", exact.Text(exact.Int(document.MaxItems)))
			break
		}
		if c, ok := s.change(m, name, v); ok {
			changes = append(changes, c)
		}
	}
	for _, c := range changes {
		s.put(c)
	}
	switch {
	case s.start == nil && m.Code != "":
		s.log.Missing("R054", "input-missing", m.At("rationale_code"), "proposal.json")
	case len(changes) < m.Get("proposed_changes").Len():
		s.log.NA("R054") // a change that is refused goes nowhere; the direction of the others alone says nothing
	default:
		s.checkRationale(m, changes)
	}
	s.checkWeights(m, changes)
	s.checkCostsInForce(m, changes)
}

// change judges one change without applying it: all changes of a message start from the same terms.
func (s *session) change(m *Message, name string, after canon.Value) (applied, bool) {
	at := m.At("proposed_changes", document.Clip(name))
	path, ok := document.ParsePath(name)
	if !s.log.Check(ok, finding.Error, "R045", "syntax", at, document.Clip(name), "names joined by points, indexes in brackets") {
		return applied{}, false
	}
	if s.start == nil {
		s.log.Missing("R045", "input-missing", at, "proposal.json")
		s.log.Missing("R049", "input-missing", at, "proposal.json")
		return applied{}, false
	}
	before := s.inForce(path)
	switch {
	case !before.Exists():
		s.log.Gap(finding.Error, "R045", "unresolved", at, document.Clip(name), "a term of the proposal")
		return applied{}, false
	case before.Kind() == canon.Object || before.Kind() == canon.Array:
		s.log.Gap(finding.Error, "R045", "container", at, document.Clip(name), "a single value")
		return applied{}, false
	}
	if !s.log.Check(negotiable(name), finding.Error, "R046", "not-negotiable", at, document.Clip(name), strings.Join(negotiableRoots, " | ")) {
		return applied{}, false
	}
	from, to := s.quantity(before), s.quantity(after)
	if !s.log.Check(sameType(before, after, from, to), finding.Error, "R046", "type-changed", at, document.ShownTyped(after), "the type of "+document.ShownTyped(before)) {
		return applied{}, false
	}
	c := applied{path: name, before: before, after: after, sign: signOf(from, to)}
	if g := sloPath.FindStringSubmatch(name); g != nil {
		c.slo = tightens(document.Text(s.inForceAt(g[1]+".operator")), c.sign)
	}
	s.checkChange(at, path, c, from, to)
	return c, true
}

// negotiable reports whether a path lies under one of the roots.
func negotiable(path string) bool {
	for _, root := range negotiableRoots {
		if rest, ok := strings.CutPrefix(path, root); ok && (rest == "" && root == "expires_at" || rest != "" && (rest[0] == '.' || rest[0] == '[')) {
			return true
		}
	}
	return false
}

// sameType holds two JSON types equal where an integer and a fraction differ; decimal strings and dates must stay what they are.
func sameType(before, after canon.Value, from, to quantity) bool {
	numeric := func(v canon.Value) bool { return document.Number(v) != nil }
	switch {
	case numeric(before) || numeric(after):
		return numeric(before) && numeric(after)
	case before.Kind() != after.Kind():
		return false
	}
	return from.date == to.date && (from.value == nil) == (to.value == nil)
}

func tightens(operator string, sign int) int {
	switch operator {
	case "gte", "gt":
		return sign
	case "lte", "lt":
		return -sign
	}
	return 0
}

func (s *session) put(c applied) {
	p, _ := document.ParsePath(c.path)
	key := p.Pointer()
	t, ok := s.terms[key]
	if !ok {
		t = &negotiated{path: p, text: c.path, original: c.before}
		s.terms[key] = t
		s.order = append(s.order, key)
	}
	t.current = c.after
	t.times++
}

// checkWeights records R011 again after a message that changes weights.
func (s *session) checkWeights(m *Message, changes []applied) {
	touched := false
	for _, c := range changes {
		if before, after := document.Number(c.before), document.Number(c.after); isWeight(c) && before != nil && after != nil && s.weights != nil {
			touched = true
			s.weights = exact.Add(s.weights, exact.Sub(after, before))
		}
	}
	if touched {
		severity, exactly := form.WeightSum(s.weights)
		s.log.Check(exactly, severity, "R011", "weight-sum", m.At("proposed_changes"), exact.Text(s.weights), "1")
	}
}
