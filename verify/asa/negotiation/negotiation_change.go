package negotiation

import (
	"math/big"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// DefaultChange is by how many percent one round may change a term where the documents do not say (paper §7.4).
const DefaultChange = 25

func (s *session) changeLimit() *big.Rat {
	if r := document.Number(s.settings("max_change_percent")); r != nil && r.Sign() >= 0 {
		return r
	}
	return exact.Int(DefaultChange)
}

// checkChange records R049 for one change: by how much of its base a term moves. Exactly the limit is allowed.
func (s *session) checkChange(at string, p document.Path, c applied, from, to quantity) {
	if from.value == nil || to.value == nil {
		if !canon.Equal(c.before, c.after) {
			s.log.Gap(finding.Note, "R049", "not-bounded", at, document.Shown(c.before)+" -> "+document.Shown(c.after), "a change of quantity")
		}
		return
	}
	original := from.value
	if t, ok := s.terms[p.Pointer()]; ok {
		original = s.quantity(t.original).value
	}
	ch := changeOf{from.value, to.value, original}
	limit := s.changeLimit()
	s.log.Walk(s.Readings, s.All, func(rd finding.Readings, l *finding.Log) {
		if rd.Is(finding.ChangeScope, "quality-dimensions") && !strings.HasPrefix(c.path, "quality_criteria.dimensions[") {
			l.NA("R049")
			return
		}
		share, ok := ch.share(rd.Value(finding.ChangeBase))
		f := finding.Finding{
			ID: finding.ID("R049", "change-over-limit"), Severity: finding.Error, Outcome: finding.Gap, At: at,
			Declared: document.Shown(c.before) + " -> " + document.Shown(c.after), Recomputed: percentText(share), Tolerance: exact.Text(limit) + " %", Derivation: ch.steps(),
		}
		switch {
		case !ok:
			f.ID, f.Recomputed = finding.ID("R049", "zero-base"), "a change from 0"
			l.Add(f)
		case share.Cmp(limit) > 0:
			l.Add(f)
		default:
			l.OK("R049")
		}
	}, finding.ChangeBase, finding.ChangeScope)
}

// changeOf is a change of quantity with what it may be measured against.
type changeOf struct{ before, after, original *big.Rat }

// share is the change in percent of its base, and false where the base is zero and the change is not.
func (c changeOf) share(reading string) (*big.Rat, bool) {
	off := new(big.Rat).Abs(exact.Sub(c.after, c.before))
	base := new(big.Rat).Abs(c.before)
	switch reading {
	case "original":
		base.Abs(c.original)
	case "min":
		if other := new(big.Rat).Abs(c.after); other.Cmp(base) < 0 {
			base = other
		}
	}
	if base.Sign() == 0 {
		return new(big.Rat), off.Sign() == 0
	}
	return exact.Mul(exact.Quo(off, base), exact.Int(100)), true
}

// steps shows the change against every base, the sign included.
func (c changeOf) steps() []string {
	var steps []string
	off := exact.Sub(c.after, c.before)
	for _, b := range []struct {
		name string
		base *big.Rat
	}{{"vs in force", c.before}, {"vs original", c.original}, {"vs new", c.after}} {
		if b.base.Sign() != 0 {
			share := exact.Mul(exact.Quo(off, new(big.Rat).Abs(b.base)), exact.Int(100))
			steps = append(steps, b.name+": "+percentText(share))
		}
	}
	return steps
}

// percentText is a percentage with at most four decimals.
func percentText(r *big.Rat) string { return exact.Rounded(r, 4) + " %" }

// checkDrift notes how far a term has moved over several rounds, each of which may have kept to the limit.
func (s *session) checkDrift() {
	for _, key := range s.order {
		t := s.terms[key]
		first, last := s.quantity(t.original).value, s.quantity(t.current).value
		if t.times < 2 || first == nil || last == nil || first.Sign() == 0 {
			continue
		}
		s.log.Add(finding.Finding{
			ID: finding.ID("R049", "drift"), Severity: finding.Note, Outcome: finding.Gap, At: s.start.Name + "#" + key,
			Declared: document.Shown(t.original) + " -> " + document.Shown(t.current), Recomputed: "x" + exact.Rounded(exact.Quo(last, first), 4),
			Derivation: []string{exact.Text(exact.Int(int64(t.times))) + " rounds"},
		})
	}
}
