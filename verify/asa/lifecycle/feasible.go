package lifecycle

import (
	"math/big"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/timenet"
)

// instants are the points of an agreement's time network, in the order of the main line.
var instants = []string{"created_at", "activated", "escrow_funded", "delivered", "evaluation_started", "result", "released", "closed", "expires_at"}

// clock builds the time network of one agreement.
type clock struct {
	timenet.Network
	points map[string]timenet.Point
	stated map[string]bool
}

func newClock() *clock {
	c := &clock{points: map[string]timenet.Point{}, stated: map[string]bool{}}
	for _, name := range instants {
		c.points[name] = c.Add(name)
	}
	return c
}

func (c *clock) state(name string, at *big.Rat) {
	if at != nil {
		c.Exactly(c.points[name], 0, at, name+" = "+exact.InstantText(at))
		c.stated[name] = true
	}
}

// within says that x is at most so many seconds after y.
func (c *clock) within(x, y string, seconds *big.Rat, why string) {
	if seconds != nil {
		c.AtMost(c.points[x], c.points[y], seconds, x+" - "+y+" <= "+exact.Text(seconds)+" s ("+why+")")
	}
}

func (c *clock) after(x, y string) {
	c.NotBefore(c.points[x], c.points[y], x+" >= "+y)
}

// clockFacts puts in what is stated or cannot be otherwise: instants, their order, and durations that somebody measured.
func (r *Run) clockFacts(rd finding.Readings) *clock {
	c := newClock()
	c.state("created_at", r.Agreement.Created)
	c.state("expires_at", r.Agreement.Expires)
	c.state("activated", r.facts.activated.Time())
	c.state("escrow_funded", r.facts.funded.Time())
	c.state("delivered", r.facts.delivered.Time())
	c.state("result", r.resultTime())
	c.state("released", r.facts.released.Time())
	c.state("closed", r.facts.closed.Time())
	for _, pair := range [][2]string{{"activated", "created_at"}, {"delivered", "activated"}, {"evaluation_started", "delivered"}, {"result", "delivered"}, {"released", "result"}, {"closed", "released"}} {
		c.after(pair[0], pair[1])
	}
	if r.Agreement.Payment.Enabled {
		c.after("delivered", "escrow_funded")
	}
	if ms := r.evaluationTime(); ms != nil {
		took := exact.Quo(ms, exact.Int(1000))
		c.AtMost(c.points["evaluation_started"], c.points["result"], new(big.Rat).Neg(took), "result - evaluation_started >= "+exact.Text(took)+" s (evaluation_duration_ms)")
	}
	if r.Margin != nil {
		base, seconds := r.deadlineOffset(rd)
		if seconds != nil {
			c.Exactly(c.points["delivered"], c.points[base], exact.Sub(seconds, r.Margin), "delivered = "+deadlineText(base, seconds)+" - "+exact.Text(r.Margin)+" s")
		}
	}
	return c
}

func deadlineText(base string, seconds *big.Rat) string {
	if seconds.Sign() == 0 {
		return base
	}
	return base + " + " + exact.Text(seconds) + " s"
}

// deadlineOffset is from where the delivery deadline counts, and how many seconds.
func (r *Run) deadlineOffset(rd finding.Readings) (string, *big.Rat) {
	limit := r.seconds("service", "constraints", "max_duration_seconds")
	switch rd.Value(finding.DeadlineBase) {
	case "created_at":
		return "created_at", limit
	case "expires_at":
		if r.Agreement.Expires == nil {
			return "expires_at", nil
		}
		return "expires_at", new(big.Rat)
	}
	return "activated", limit
}

func (r *Run) evaluationTime() *big.Rat {
	if len(r.Results) != 1 {
		return nil
	}
	return document.Number(r.Results[0].Get("evidence_trail", "evaluation_duration_ms"))
}

// clockLimits adds the deadlines that should have been kept.
func (r *Run) clockLimits(c *clock, rd finding.Readings) {
	if base, seconds := r.deadlineOffset(rd); seconds != nil {
		c.within("delivered", base, seconds, "delivery deadline")
	}
	c.after("expires_at", "delivered")
	if !r.facts.assigned.Exists() {
		c.within("result", "delivered", r.seconds("verification", "evaluator_timeout_seconds"), "evaluator_timeout_seconds")
	}
	if r.Agreement.Payment.Enabled {
		c.after("escrow_funded", "activated")
		c.within("escrow_funded", "activated", r.seconds("escrow", "dead_mans_switch", "client_timeout_seconds"), "client_timeout_seconds")
		base := "escrow_funded"
		if rd.Is(finding.ProviderBase, "activated") {
			base = "activated"
		}
		c.within("delivered", base, r.seconds("escrow", "dead_mans_switch", "provider_timeout_seconds"), "provider_timeout_seconds")
	}
	if limit := r.seconds("verification", "challenge_window_seconds"); limit != nil && document.Text(r.Agreement.Get("verification", "strategy")) == "optimistic" && !r.facts.challenged.Exists() {
		c.AtMost(c.points["result"], c.points["released"], new(big.Rat).Neg(limit), "released - result >= "+exact.Text(limit)+" s (challenge_window_seconds)")
	}
}

// checkFeasible records R041 and gives the interval of every instant that nothing states. What is stated must fit together. With the
// deadlines added, a contradiction says that some deadline cannot have been kept; it is recorded only where it rests on an instant
// that is missing, because the other rules judge those that are stated.
func (r *Run) checkFeasible() []Interval {
	if r.Agreement.Created == nil || r.facts.expired.Exists() {
		r.log.NA("R041")
		return nil
	}
	r.log.Walk(r.Readings, r.All, func(rd finding.Readings, l *finding.Log) {
		c := r.clockFacts(rd)
		if s := c.Solve(); !s.Consistent() {
			l.Add(contradiction("contradiction", finding.Error, r.Agreement.Name, s))
			return
		}
		l.OK("R041")
		r.clockLimits(c, rd)
		if s := c.Solve(); !s.Consistent() && c.missing(s.Cycle) {
			l.Add(contradiction("limits-not-kept", finding.Warn, r.Agreement.Name, s))
		}
	}, finding.DeadlineBase, finding.ProviderBase)
	return r.intervals()
}

// intervals are those of the readings chosen, deadlines kept where they can be.
func (r *Run) intervals() []Interval {
	c := r.clockFacts(r.Readings)
	facts := c.Solve()
	r.clockLimits(c, r.Readings)
	s := c.Solve()
	if !s.Consistent() {
		s = facts
	}
	var list []Interval
	for _, name := range instants {
		if name == "evaluation_started" || c.stated[name] || name == "escrow_funded" && !r.Agreement.Payment.Enabled {
			continue
		}
		if from, to := s.Interval(c.points[name]); s.Consistent() && (from != nil || to != nil) {
			list = append(list, Interval{name, from, to})
		}
	}
	return list
}

// missing reports whether a cycle passes through an instant that nothing states.
func (c *clock) missing(cycle []timenet.Constraint) bool {
	for _, k := range cycle {
		if name := c.Name(k.X); name != "" && name != "evaluation_started" && !c.stated[name] {
			return true
		}
	}
	return false
}

func contradiction(slug string, severity finding.Severity, place string, s timenet.Solution) finding.Finding {
	var steps []string
	for _, k := range s.Cycle {
		steps = append(steps, k.Why)
	}
	return finding.Finding{
		ID: finding.ID("R041", slug), Severity: severity, Outcome: finding.Gap, At: place,
		Declared: strings.Join(steps, "; "), Recomputed: "impossible by " + exact.Text(s.Excess) + " s", Difference: exact.Text(s.Excess), Derivation: steps,
	}
}

// String is "[from, to]" with ".." for an open end.
func (i Interval) String() string {
	end := func(r *big.Rat) string {
		if r == nil {
			return ".."
		}
		return exact.InstantText(r)
	}
	return "[" + end(i.From) + ", " + end(i.To) + "]"
}
