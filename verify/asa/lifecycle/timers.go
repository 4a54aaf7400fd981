package lifecycle

import (
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Every deadline is closed: what happens at exactly that instant is on time, and a timer fires only later.

// timer is one of the dead-man's timers: it starts at base, and by its end something must have happened.
type timer struct {
	requirement string
	party       string         // whose timer it is
	end         *big.Rat       // base + timeout
	done        document.Event // what stops it, where it happened
	slug        string         // of the gap where it was late
}

// judge records a timer: its event in time, or else an agreement that expired, and no firing before the end.
func (r *Run) judge(t timer, l *finding.Log) {
	end := exact.InstantText(t.end)
	fired := r.facts.expired
	own := fired.Exists() && fired.Type == "timeout" && document.Text(fired.Data("party")) == t.party
	switch {
	case t.done.Exists() && t.done.Instant == nil:
		l.Missing(t.requirement, "input-missing", t.done.At("at"), "the time of this event")
	case t.done.Exists() && t.done.Instant.Cmp(t.end) > 0:
		l.Check(own, finding.Error, t.requirement, t.slug, t.done.At("at"), document.Shown(t.done.Get("at")), "at most "+end+", or else expired")
	case t.done.Exists():
		l.OK(t.requirement)
	case fired.Exists() && !own && fired.Instant != nil && fired.Instant.Cmp(t.end) > 0:
		l.Gap(finding.Error, t.requirement, "must-be-expired", fired.At("at"), document.Shown(fired.Get("at")), "expired by the timer of the "+t.party+" after "+end)
	case fired.Exists() && !own:
		l.NA(t.requirement)
	case !own && r.past(t.end):
		l.Gap(finding.Error, t.requirement, "must-be-expired", r.Agreement.At("status"), orAbsentText(r.state), "expired after "+end)
	default:
		l.OK(t.requirement)
	}
	if own && fired.Time() != nil {
		l.Check(fired.Instant.Cmp(t.end) > 0, finding.Error, t.requirement, "timer-early", fired.At("at"), document.Shown(fired.Get("at")), "after "+end)
	}
}

// timed reports whether an event happened at a known instant. One that did not happen leaves the rule unengaged, one without a time leaves
// it open.
func (r *Run) timed(requirement string, e document.Event) bool {
	switch {
	case !e.Exists():
		r.log.NA(requirement)
	case e.Instant == nil:
		r.log.Missing(requirement, "input-missing", e.At("at"), "the time of this event")
	}
	return e.Time() != nil
}

// checkFunding records R035.
func (r *Run) checkFunding() {
	limit := r.seconds("escrow", "dead_mans_switch", "client_timeout_seconds")
	if !r.Agreement.Payment.Enabled || limit == nil {
		r.log.NA("R035")
		return
	}
	if !r.timed("R035", r.facts.activated) {
		return
	}
	r.judge(timer{"R035", "client", exact.Add(r.facts.activated.Instant, limit), r.facts.funded, "funded-late"}, r.log)
}

// checkProvider records R036.
func (r *Run) checkProvider() {
	limit := r.seconds("escrow", "dead_mans_switch", "provider_timeout_seconds")
	if !r.Agreement.Payment.Enabled || limit == nil {
		r.log.NA("R036")
		return
	}
	if !r.timed("R036", r.facts.activated) {
		return
	}
	r.log.Walk(r.Readings, r.All, func(rd finding.Readings, l *finding.Log) {
		base := r.facts.activated.Instant
		if funded := r.facts.funded.Time(); funded != nil && funded.Cmp(base) > 0 && rd.Is(finding.ProviderBase, "max(activated,funded)") {
			base = funded
		}
		if r.facts.funded.Time() == nil && r.facts.expired.Exists() {
			l.NA("R036")
			return
		}
		r.judge(timer{"R036", "provider", exact.Add(base, limit), r.facts.delivered, "delivered-late"}, l)
	}, finding.ProviderBase)
}

// checkEvaluatorTime records R037: the service level, and the switch that fires when the evaluator does not answer.
func (r *Run) checkEvaluatorTime() {
	base := r.evaluationBase()
	if base == nil {
		r.timed("R037", r.facts.delivered)
		return
	}
	level, limit := r.seconds("verification", "evaluator_timeout_seconds"), r.seconds("escrow", "dead_mans_switch", "evaluator_timeout_seconds")
	done := r.resultTime()
	if level != nil && done != nil {
		took := exact.Sub(done, base)
		r.log.Check(took.Cmp(level) <= 0, finding.Warn, "R037", "service-level", r.resultPlace(), exact.Text(took)+" s", "at most "+exact.Text(level)+" s")
	}
	r.checkHolds(limit)
	if !r.Agreement.Payment.Enabled || limit == nil {
		return
	}
	if len(r.facts.holds) > 0 && !r.facts.assigned.Exists() {
		r.log.Missing("R037", "no-backup", "events.jsonl", "an evaluator_assigned event after the hold")
		return
	}
	r.log.Walk(r.Readings, r.All, func(rd finding.Readings, l *finding.Log) {
		seconds := limit
		if rd.Is(finding.EvalTimeout, "smaller-fires") && level != nil && level.Cmp(limit) < 0 {
			seconds = level
		}
		r.judgeSwitch(exact.Add(base, seconds), done, l)
	}, finding.EvalTimeout)
}

func (r *Run) judgeSwitch(end, done *big.Rat, l *finding.Log) {
	fired := r.facts.expired
	own := fired.Exists() && fired.Type == "timeout" && document.Text(fired.Data("party")) == "evaluator"
	switch {
	case own && fired.Time() != nil:
		l.Check(fired.Instant.Cmp(end) > 0, finding.Error, "R037", "timer-early", fired.At("at"), document.Shown(fired.Get("at")), "after "+exact.InstantText(end))
	case done != nil:
		l.Check(done.Cmp(end) <= 0, finding.Error, "R037", "switch-fires", r.resultPlace(), exact.InstantText(done), "a timeout of the evaluator after "+exact.InstantText(end))
	case r.state == "delivered" && r.past(end):
		l.Gap(finding.Error, "R037", "switch-fires", r.Agreement.At("status"), r.state, "a timeout of the evaluator after "+exact.InstantText(end))
	default:
		l.OK("R037")
	}
}

// evaluationBase is from when the evaluator's time runs: the delivery, or after a hold the last assignment.
func (r *Run) evaluationBase() *big.Rat {
	if t := r.facts.assigned.Time(); t != nil {
		return t
	}
	return r.facts.delivered.Time()
}

// checkHolds records how many backups there were, and that each hold came after its timer.
func (r *Run) checkHolds(limit *big.Rat) {
	if most := r.seconds("verification", "max_backup_evaluators"); most != nil && len(r.facts.holds) > 0 {
		n := exact.Int(int64(len(r.facts.holds)))
		r.log.Check(n.Cmp(most) <= 0, finding.Error, "R037", "too-many-backups", r.facts.holds[len(r.facts.holds)-1].At("type"), exact.Text(n), "at most "+exact.Text(most))
	}
	for _, h := range r.facts.holds {
		if limit != nil && h.base != nil && h.Time() != nil {
			end := exact.Add(h.base, limit)
			r.log.Check(h.Instant.Cmp(end) > 0, finding.Error, "R037", "timer-early", h.At("at"), document.Shown(h.Get("at")), "after "+exact.InstantText(end))
		}
	}
}

func (r *Run) resultPlace() string {
	if len(r.Results) > 0 {
		return r.Results[0].At("timestamp")
	}
	return r.facts.verified.At("at")
}

// window is the challenge window of an optimistic agreement; nil where there is none or its start is not known.
func (r *Run) window() (start, end *big.Rat) {
	limit := r.seconds("verification", "challenge_window_seconds")
	start = r.resultTime()
	if limit == nil || start == nil || document.Text(r.Agreement.Get("verification", "strategy")) != "optimistic" {
		return nil, nil
	}
	if v := r.facts.verified.Time(); v != nil && v.Cmp(start) > 0 {
		start = v
	}
	return start, exact.Add(start, limit)
}

// windowUnknown records R038 where no window can be computed: there is none, nothing is verified yet, or its start is not known.
func (r *Run) windowUnknown() {
	v, limit := r.facts.verified, r.seconds("verification", "challenge_window_seconds")
	optimistic := document.Text(r.Agreement.Get("verification", "strategy")) == "optimistic"
	switch {
	case optimistic && v.Exists() && limit == nil:
		r.log.Missing("R038", "input-missing", r.Agreement.At("verification", "challenge_window_seconds"), "the length of the challenge window")
	case optimistic && v.Exists():
		r.log.Missing("R038", "input-missing", v.At("at"), "the time of the result")
	default:
		r.log.NA("R038")
	}
}

// checkWindow records R038.
func (r *Run) checkWindow() {
	_, end := r.window()
	if end == nil {
		r.windowUnknown()
		return
	}
	if v := r.facts.verified; v.Time() != nil && len(r.Results) > 0 {
		made := r.resultTime()
		r.log.Check(v.Instant.Cmp(made) == 0, finding.Warn, "R038", "two-starts", v.At("at"), document.Shown(v.Get("at")), exact.InstantText(made))
	}
	if c := r.facts.challenged; c.Time() != nil {
		r.log.Check(c.Instant.Cmp(end) <= 0, finding.Error, "R038", "challenge-late", c.At("at"), document.Shown(c.Get("at")), "at most "+exact.InstantText(end))
	}
	for _, e := range []document.Event{r.facts.released, r.facts.closed} {
		if e.Time() != nil && !r.facts.expired.Exists() && !r.disputedBy(e.Instant) {
			r.log.Check(e.Instant.Cmp(end) > 0, finding.Error, "R038", "released-inside-window", e.At("at"), document.Shown(e.Get("at")), "after "+exact.InstantText(end))
		}
	}
}

// disputedBy reports whether a challenge or a filed dispute had ended the wait by then: what follows is the dispute's.
func (r *Run) disputedBy(t *big.Rat) bool {
	for _, e := range []document.Event{r.facts.challenged, r.facts.filed} {
		if e.Time() != nil && e.Instant.Cmp(t) <= 0 {
			return true
		}
	}
	return false
}

// checkExpiry records R039. The paper shows expires_at without a meaning; we read it as the last instant of a delivery.
func (r *Run) checkExpiry() {
	d, last := r.facts.delivered, r.Agreement.Expires
	if last == nil {
		r.log.NA("R039")
		return
	}
	if !r.timed("R039", d) {
		return
	}
	r.log.Check(d.Instant.Cmp(last) <= 0, finding.Error, "R039", "delivered-after-expiry", d.At("at"), document.Shown(d.Get("at")), "at most "+exact.InstantText(last))
}

// deliveryDeadline is by when the delivery is due under a reading; nil where not established.
func (r *Run) deliveryDeadline(rd finding.Readings) *big.Rat {
	base := r.facts.activated.Time()
	switch rd.Value(finding.DeadlineBase) {
	case "created_at":
		base = r.Agreement.Created
	case "expires_at":
		return r.Agreement.Expires
	}
	limit := r.seconds("service", "constraints", "max_duration_seconds")
	if base == nil || limit == nil {
		return nil
	}
	return exact.Add(base, limit)
}

// onTime says whether the delivery met its deadline under the readings chosen, and by how many seconds.
func (r *Run) onTime() (string, *big.Rat) {
	end, d := r.deliveryDeadline(r.Readings), r.facts.delivered.Time()
	if end == nil || d == nil {
		return "", nil
	}
	margin := exact.Sub(end, d)
	return document.Judged(margin.Sign() >= 0).String(), margin
}

// checkDelivery records R040: a boolean dimension named timeliness is not a matter of judgement.
func (r *Run) checkDelivery() {
	d := r.facts.delivered
	if !r.timed("R040", d) {
		return
	}
	r.log.Walk(r.Readings, r.All, func(rd finding.Readings, l *finding.Log) {
		end := r.deliveryDeadline(rd)
		if end == nil {
			l.Missing("R040", "no-deadline", d.At("at"), "an activation and max_duration_seconds")
			return
		}
		margin := exact.Sub(end, d.Instant)
		want := document.Judged(margin.Sign() >= 0)
		compared := false
		for _, res := range r.Results {
			s, ok := res.Score("timeliness")
			dim, known := r.Agreement.Criteria.Dimension("timeliness")
			if !ok || !known || dim.Metric != "boolean" || document.Truth(s.Score) == document.Unknown {
				continue
			}
			compared = true
			if document.Truth(s.Score) == want {
				l.OK("R040")
				continue
			}
			l.Add(finding.Finding{
				ID: finding.ID("R040", "timeliness"), Severity: finding.Error, Outcome: finding.Gap, At: res.Place(s.Value) + "/score", Declared: document.Shown(s.Score), Recomputed: want.String(),
				Derivation: []string{"deadline=" + exact.InstantText(end), "delivered=" + exact.InstantText(d.Instant), "margin=" + exact.Text(margin) + " s"},
			})
		}
		if !compared {
			l.Check(want == document.True, finding.Warn, "R040", "late", d.At("at"), document.Shown(d.Get("at")), "at most "+exact.InstantText(end))
		}
	}, finding.DeadlineBase)
}

// deadlines are the instants still to come in the state that the events lead to.
func (r *Run) deadlines() []Deadline {
	var list []Deadline
	after := func(name string, base, seconds *big.Rat) {
		if base != nil && seconds != nil {
			list = append(list, Deadline{name, exact.Add(base, seconds)})
		}
	}
	f := r.facts
	switch r.state {
	case "proposed", "negotiating":
		after("expires_at", r.Agreement.Expires, new(big.Rat))
	case "active":
		if !f.funded.Exists() && r.Agreement.Payment.Enabled {
			after("client_timeout", f.activated.Time(), r.seconds("escrow", "dead_mans_switch", "client_timeout_seconds"))
			break
		}
		base := f.activated.Time()
		if t := f.funded.Time(); t != nil && base != nil && t.Cmp(base) > 0 && r.Readings.Is(finding.ProviderBase, "max(activated,funded)") {
			base = t
		}
		after("provider_timeout", base, r.seconds("escrow", "dead_mans_switch", "provider_timeout_seconds"))
		after("delivery", r.deliveryDeadline(r.Readings), new(big.Rat))
		after("expires_at", r.Agreement.Expires, new(big.Rat))
	case "delivered":
		base := r.evaluationBase()
		after("evaluator_service_level", base, r.seconds("verification", "evaluator_timeout_seconds"))
		after("evaluator_timeout", base, r.seconds("escrow", "dead_mans_switch", "evaluator_timeout_seconds"))
	case "verified":
		_, end := r.window()
		after("challenge_window", end, new(big.Rat))
	}
	slices.SortStableFunc(list, func(a, b Deadline) int { return a.At.Cmp(b.At) })
	return list
}
