package lifecycle

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Input is what the rules of states and times read. What is nil is missing.
type Input struct {
	Agreement *document.Agreement
	Proposal  *document.Agreement
	Events    []document.Event // nil where there is no log
	Results   []*document.Result
	AsOf      *big.Rat         // "now"
	Margin    *big.Rat         // seconds before its deadline at which the delivery is said to have happened
	Readings  finding.Readings // the readings under which findings are made
	All       bool             // also record gaps that exist only under other readings
}

// Standing is where an agreement stands.
type Standing struct {
	State     string     // the replayed state; "" without events
	Deadlines []Deadline // that are still to come in this state, in order of time
	OnTime    string     // "true" or "false"; "" where not established
	Margin    *big.Rat   // seconds from the delivery to its deadline; nil where not established
	Intervals []Interval // of each missing instant
}

// Deadline is an instant after which something else happens.
type Deadline struct {
	Name string
	At   *big.Rat
}

// Interval is from when to when a missing instant can lie; nil for an open end.
type Interval struct {
	Name     string
	From, To *big.Rat
}

// Run is one lifecycle while it is judged.
type Run struct {
	Input
	log   *finding.Log
	state string
	facts facts
}

// facts are what the events tell, each at its first occurrence unless said otherwise.
type facts struct {
	accepted, activated, funded, delivered, verified, challenged, filed, resolved, released, closed document.Event
	signedBy                                                                                        map[string]document.Event
	expired                                                                                         document.Event // the timeout or expired event that ended it
	holds                                                                                           []hold
	assigned                                                                                        document.Event // the last evaluator_assigned after a hold
}

// hold is a fired evaluator timer whose action is to wait for a backup.
type hold struct {
	document.Event
	base *big.Rat // from where the timer ran
}

// Judge records R029 to R041 of one agreement.
func Judge(in Input, l *finding.Log) Standing {
	run := &Run{Input: in, log: l, facts: facts{signedBy: map[string]document.Event{}}}
	if in.Agreement == nil {
		return Standing{}
	}
	run.checkStatic()
	if in.Events == nil {
		for _, r := range []string{"R027", "R030", "R031", "R032", "R033", "R034", "R035", "R036", "R037", "R038", "R039", "R040"} {
			if r != "R027" || !document.SignedStates[in.Agreement.Status] { // R027 says so itself where signatures must be there
				l.Missing(r, "input-missing", "events.jsonl", "a log of events")
			}
		}
	} else {
		run.checkLog()
		run.replay()
		run.checkStatus()
		run.checkClosing()
		run.checkProposed()
		run.checkFunding()
		run.checkProvider()
		run.checkEvaluatorTime()
		run.checkWindow()
		run.checkExpiry()
		run.checkDelivery()
		run.checkRefund()
	}
	out := Standing{State: run.state, Deadlines: run.deadlines()}
	out.OnTime, out.Margin = run.onTime()
	out.Intervals = run.checkFeasible()
	return out
}

// Replay is a lifecycle after its last event, nothing recorded.
func Replay(in Input) *Run {
	run := &Run{Input: in, log: &finding.Log{}, facts: facts{signedBy: map[string]document.Event{}}}
	run.replay()
	return run
}

// seconds is a positive whole number of the agreement, or nil.
func (r *Run) seconds(names ...string) *big.Rat {
	if n := document.Number(r.Agreement.Get(names...)); n != nil && n.Sign() > 0 {
		return n
	}
	return nil
}

// resultTime is when the result was made: its timestamp, of several the last; without results the verified event.
func (r *Run) resultTime() *big.Rat {
	var last *big.Rat
	for _, res := range r.Results {
		if res.Timestamp != nil && (last == nil || res.Timestamp.Cmp(last) > 0) {
			last = res.Timestamp
		}
	}
	if last == nil {
		last = r.facts.verified.Time()
	}
	return last
}

// past reports whether now lies after an instant.
func (r *Run) past(t *big.Rat) bool { return r.AsOf != nil && t != nil && r.AsOf.Cmp(t) > 0 }

// checkStatic records what the agreement alone shows about its timers (R037).
func (r *Run) checkStatic() {
	g := r.Agreement
	if !g.Payment.Enabled {
		return
	}
	if r.Agreement.TimeoutAction() == "hold_for_backup_evaluator" && r.seconds("verification", "max_backup_evaluators") == nil {
		r.log.Gap(finding.Warn, "R037", "unbounded-backups", g.At("verification", "max_backup_evaluators"), "", "a bound on backup evaluators: funds can stay locked for ever")
	} else {
		r.log.OK("R037")
	}
}

// Answers are those of a replayed lifecycle under its readings.
func (r *Run) Answers() []finding.Answer {
	var list []finding.Answer
	add := func(name, value string) {
		if value != "" {
			list = append(list, finding.Answer{Name: name, Value: value})
		}
	}
	add("state", r.state)
	for _, d := range r.deadlines() {
		add("next_"+d.Name, exact.InstantText(d.At))
	}
	for _, i := range r.intervals() {
		add("feasible_"+i.Name, i.String())
	}
	onTime, margin := r.onTime()
	add("on_time", onTime)
	add("delivery_margin_seconds", exact.Text(margin))
	return list
}
