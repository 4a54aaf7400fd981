package lifecycle

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// transition is one arrow of the state machine. Where to is "" the state stays.
type transition struct {
	from, event string
	to          string
	by          string // who must act, or ""
	basis       basis
}

// basis says where an arrow comes from.
type basis uint8

const (
	stated basis = iota // drawn in the paper's diagram or stated in its prose
	ours                // neither drawn nor stated: followed, with a note
	drawn               // drawn, but no timeout of the paper leads there: followed, with a warning
)

// transitionTable is R030. Events that are not in it for a state are illegal there.
var transitionTable = []transition{
	{"", "proposed", "proposed", "client", stated},
	{"proposed", "countered", "negotiating", "provider", stated},
	{"negotiating", "countered", "", "", stated},
	{"proposed", "accepted", "", "", stated},
	{"negotiating", "accepted", "", "", stated},
	{"proposed", "signed", "", "", stated},
	{"negotiating", "signed", "", "", stated},
	{"proposed", "activated", "active", "", ours},
	{"negotiating", "activated", "active", "", stated},
	{"proposed", "rejected", "rejected", "", ours},
	{"negotiating", "rejected", "rejected", "", stated},
	{"proposed", "expired", "expired", "", ours},
	{"negotiating", "expired", "expired", "", ours},
	{"proposed", "escrow_funded", "", "", stated},
	{"negotiating", "escrow_funded", "", "", stated},
	{"active", "escrow_funded", "", "", stated},
	{"active", "evaluator_assigned", "", "", stated},
	{"active", "delivered", "delivered", "", stated},
	{"delivered", "evaluator_assigned", "", "", stated},
	{"delivered", "verified", "verified", "", stated},
	{"verified", "challenged", "disputed", "", stated},
	{"verified", "dispute_filed", "disputed", "", stated},
	{"verified", "released", "", "", stated},
	{"verified", "refunded", "", "", stated},
	{"verified", "reverified", "", "", stated},
	{"verified", "closed", "closed", "", stated},
	{"verified", "expired", "expired", "", drawn},
	{"disputed", "dispute_resolved", "", "", ours},
	{"disputed", "reverified", "", "", ours},
	{"disputed", "released", "", "", ours},
	{"disputed", "refunded", "", "", ours},
	{"disputed", "closed", "closed", "", ours},
	{"expired", "released", "", "", stated},
	{"expired", "refunded", "", "", stated},
}

// eventTypes are all types that the table names, and timeout, which is judged by its party.
var eventTypes = func() map[string]bool {
	all := map[string]bool{"timeout": true}
	for _, t := range transitionTable {
		all[t.event] = true
	}
	return all
}()

// targets is the state that an event leads to wherever it is legal, to go on after an illegal one without a cascade.
var targets = map[string]string{
	"proposed": "proposed", "countered": "negotiating", "activated": "active", "rejected": "rejected", "delivered": "delivered", "verified": "verified",
	"challenged": "disputed", "dispute_filed": "disputed", "closed": "closed", "expired": "expired",
}

var terminal = map[string]bool{"closed": true, "rejected": true, "expired": true}

var contentHex = regexp.MustCompile(`^(sha256:)?[0-9a-f]{64}$`)

// replay records R030 and R031 and leaves the state after the last event.
func (r *Run) replay() {
	for _, e := range r.Events {
		switch {
		case !eventTypes[e.Type]:
			r.log.Gap(finding.Warn, "R030", "unknown-event", e.At("type"), document.Clip(e.Type), "an event that the state machine knows")
			continue
		case e.Type == "timeout":
			r.timeout(e)
		default:
			r.step(e)
		}
		r.remember(e)
	}
}

func (r *Run) step(e document.Event) {
	for _, t := range transitionTable {
		if t.from != r.state || t.event != e.Type {
			continue
		}
		r.log.OK("R030")
		if t.by != "" {
			r.log.Check(e.By == t.by, finding.Error, "R030", "actor", e.At("by"), document.Clip(e.By), t.by)
		}
		switch {
		case t.basis == ours && t.to != "":
			r.log.Gap(finding.Note, "R030", "not-in-the-diagram", e.At("type"), arrow(r.state, t.to), "an arrow that the paper states")
		case t.basis == drawn:
			r.log.Gap(finding.Warn, "R030", "drawn-only", e.At("type"), arrow(r.state, t.to), "closed: the timeout in verified finalises")
		}
		r.guard(e)
		if t.to != "" {
			r.state = t.to
		}
		return
	}
	r.illegal(e, targets[e.Type])
}

// illegal records a transition outside the table. A terminal state is not left; otherwise the replay goes on from where the event leads.
func (r *Run) illegal(e document.Event, to string) {
	shownTo := to
	if shownTo == "" {
		shownTo = e.Type
	}
	r.log.Gap(finding.Error, "R030", "illegal-transition", e.At("type"), arrow(r.state, shownTo), "one of: "+strings.Join(legal(r.state), ", "))
	if e.Type == "delivered" && r.facts.activated.Document == nil {
		r.log.Gap(finding.Error, "R031", "work-before-activation", e.At("at"), document.Shown(e.Get("at")), "an activated event before")
	}
	if to != "" && !terminal[r.state] {
		r.state = to
	}
}

func arrow(from, to string) string { return orAbsentText(from) + " -> " + document.Clip(to) }

func legal(state string) []string {
	var events []string
	for _, t := range transitionTable {
		if t.from == state {
			events = append(events, t.event)
		}
	}
	if state == "active" || state == "delivered" {
		events = append(events, "timeout")
	}
	return events
}

// timeout judges a fired timer by the party that did not act.
func (r *Run) timeout(e document.Event) {
	party := document.Text(e.Data("party"))
	switch {
	case r.state == "active" && (party == "client" || party == "provider"):
		r.state, r.facts.expired = "expired", e
	case r.state == "delivered" && party == "evaluator" && r.Agreement.TimeoutAction() == "hold_for_backup_evaluator":
		r.facts.holds = append(r.facts.holds, hold{e, r.evaluationBase()})
		r.facts.assigned = document.Event{}
	case r.state == "delivered" && party == "evaluator":
		r.state, r.facts.expired = "expired", e
	default:
		r.log.Gap(finding.Error, "R030", "illegal-transition", e.At("data", "party"), arrow(r.state, "timeout of "+document.Clip(party)), "a timer of this state")
		return
	}
	r.log.OK("R030")
}

// remember keeps the events that later rules ask for.
func (r *Run) remember(e document.Event) {
	f := &r.facts
	first := map[string]*document.Event{
		"accepted": &f.accepted, "activated": &f.activated, "escrow_funded": &f.funded, "delivered": &f.delivered, "verified": &f.verified,
		"challenged": &f.challenged, "dispute_filed": &f.filed, "dispute_resolved": &f.resolved, "released": &f.released, "refunded": &f.released, "closed": &f.closed,
	}
	if p := first[e.Type]; p != nil && !p.Exists() {
		*p = e
	}
	switch e.Type {
	case "signed":
		if _, twice := f.signedBy[e.By]; !twice {
			f.signedBy[e.By] = e
		}
	case "evaluator_assigned":
		if len(f.holds) > 0 {
			f.assigned = e
		}
	case "expired":
		if !f.expired.Exists() {
			f.expired = e
		}
	}
}

// guard records R031 of an event that is legal where it stands.
func (r *Run) guard(e document.Event) {
	g, p := r.Agreement, r.Agreement.Payment
	switch e.Type {
	case "activated":
		r.log.Check(r.facts.accepted.Exists(), finding.Error, "R031", "not-accepted", e.At("type"), "activated", "an accepted event before")
		for _, party := range []string{"client", "provider"} {
			s := r.facts.signedBy[party]
			r.log.Check(s.Exists() && (s.Time() == nil || e.Time() == nil || s.Instant.Cmp(e.Instant) <= 0), finding.Error, "R031", "not-signed", e.At("type"), "activated", "a signed event by "+party+" before")
		}
	case "delivered":
		hash := document.Text(e.Data("content_hash"))
		r.log.Check(contentHex.MatchString(hash), finding.Error, "R031", "no-hash", e.At("data", "content_hash"), document.Clip(hash), "sha256: and 64 hex digits")
		if p.Enabled {
			r.log.Check(r.facts.funded.Exists(), finding.Error, "R031", "not-funded", e.At("type"), "delivered", "an escrow_funded event before")
		}
	case "escrow_funded":
		amount := document.AnyNumber(e.Data("amount"))
		same := amount != nil && p.Amount != nil && amount.Cmp(p.Amount.Rat) == 0 && document.Text(e.Data("currency")) == p.Currency
		r.log.Check(same, finding.Error, "R031", "funding-differs", e.At("data", "amount"), document.Shown(e.Data("amount"))+" "+document.Shown(e.Data("currency")), document.Shown(g.Get("escrow", "payment", "amount"))+" "+p.Currency)
	case "verified":
		id := document.Text(e.Data("verification_id"))
		if len(r.Results) > 0 && e.Data("verification_id").Exists() {
			r.log.Check(slices.ContainsFunc(r.Results, func(x *document.Result) bool { return x.ID == id }), finding.Error, "R031", "other-result", e.At("data", "verification_id"), document.Clip(id), document.Clip(r.Results[0].ID))
		}
	case "expired":
		if r.state == "proposed" || r.state == "negotiating" {
			r.log.Check(g.Expires != nil && e.Time() != nil && e.Instant.Cmp(g.Expires) > 0, finding.Error, "R031", "expired-early", e.At("at"), document.Shown(e.Get("at")), "after "+exact.InstantText(g.Expires))
		}
	case "closed":
		if r.state == "disputed" {
			r.log.Check(r.facts.resolved.Exists(), finding.Error, "R031", "not-resolved", e.At("type"), "closed", "a dispute_resolved event before")
		}
		if p.Enabled {
			r.log.Check(r.facts.released.Exists(), finding.Error, "R031", "not-settled", e.At("type"), "closed", "a released event before")
		}
	}
}
