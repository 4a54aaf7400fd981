package asa

import (
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// checkAfter records what follows a verification: R094, R103 to R106, R109.
func (a *audit) checkAfter() {
	a.checkTimeoutAmounts()
	a.checkChainLength()
	a.checkAutoFile()
	a.checkDisputePackage()
	a.checkAdoption()
	a.log.NA("R106")
}

// checkTimeoutAmounts records R094: what the money does when the evaluator did not answer.
func (a *audit) checkTimeoutAmounts() {
	p := a.agreement.Payment
	e, ok := a.event("timeout")
	if !ok || document.Text(e.Data("party")) != "evaluator" || !p.Enabled || p.Amount == nil {
		a.log.NA("R094")
		return
	}
	if _, verified := a.event("verified"); verified {
		a.log.NA("R094")
		return
	}
	action := a.agreement.TimeoutAction()
	provider, client := new(big.Rat), new(big.Rat)
	switch action {
	case "split_50_50":
		provider, client = p.Split(exact.Int(50))
	case "return_to_client":
		provider, client = p.Split(new(big.Rat))
	case "release_to_provider":
		provider, client = p.Split(exact.Int(100))
		a.log.Gap(finding.Warn, "R094", "paid-on-timeout", e.At("data"), action, "hold_for_backup_evaluator")
	}
	paid, moved := a.event("released")
	if !moved {
		paid, moved = a.event("refunded")
	}
	switch {
	case action == "hold_for_backup_evaluator":
		a.log.Check(!moved, finding.Error, "R094", "moved-while-held", paid.Where(), paid.Type, "0")
	case !moved:
		a.log.Missing("R094", "not-released", e.At("data"), p.Money(provider)+" / "+p.Money(client))
	default:
		a.compareTimeout(paid, "to_provider", provider)
		a.compareTimeout(paid, "to_client", client)
	}
}

func (a *audit) compareTimeout(e document.Event, name string, want *big.Rat) {
	got := document.AnyNumber(e.Data(name))
	a.log.Check(got != nil && got.Cmp(want) == 0, finding.Error, "R094", "timeout-amount", e.At("data", name), document.Shown(e.Data(name)), a.agreement.Payment.Money(want))
}

// checkChainLength records R103: agents.json gives the chain length of each party.
func (a *audit) checkChainLength() {
	least := document.Number(a.agreement.Get("eligibility", "min_chain_length"))
	if least == nil {
		a.log.NA("R103")
		return
	}
	for _, party := range []string{"client", "provider"} {
		at := a.agreement.At("parties", party)
		length := document.Number(a.agent(a.agreement.Party(party)).Get("chain_length"))
		if length == nil {
			a.log.Missing("R103", "no-chain-length", at, "chain_length in agents.json")
			continue
		}
		a.log.Check(length.Cmp(least) >= 0, finding.Error, "R103", "chain-too-short", at, exact.Text(length), ">= "+exact.Text(least))
	}
}

// agent is the entry of an identity in agents.json, or Missing.
func (a *audit) agent(i document.Identity) canon.Value {
	if a.agents == nil {
		return canon.Value{}
	}
	for n, e := range a.agents.Get("agents").Elements() {
		if n >= document.MaxItems {
			break
		}
		if document.ReadIdentity(e.Get("identity")).Normal() == i.Normal() {
			return e
		}
	}
	return canon.Value{}
}

// windowEnd is the last instant at which a result may be challenged: the later of its timestamp and the verified event, plus the window.
func (a *audit) windowEnd(r *document.Result) *big.Rat {
	window := a.agreement.Seconds("verification", "challenge_window_seconds")
	start := r.Timestamp
	if e, ok := a.event("verified"); ok && e.Instant != nil && start != nil && e.Instant.Cmp(start) > 0 {
		start = e.Instant
	}
	if window == nil || start == nil {
		return nil
	}
	return exact.Add(start, window)
}

// checkAutoFile records R104: below the dispute threshold, once the window has passed without a challenge, a dispute is filed.
func (a *audit) checkAutoFile() {
	limit := document.Number(a.agreement.Get("dispute", "threshold"))
	rule := document.Text(a.agreement.Get("dispute", "auto_file_on"))
	if len(a.results) != 1 || limit == nil || rule != "verification_failure_below_threshold" {
		a.log.NA("R104")
		return
	}
	if a.events == nil {
		a.log.Missing("R104", "input-missing", "events.jsonl", "events after the verification")
		return
	}
	a.walk(func(rd finding.Readings, l *finding.Log) { a.judgeAutoFile(limit, rd, l) }, finding.BoolMap)
}

func (a *audit) judgeAutoFile(limit *big.Rat, rd finding.Readings, l *finding.Log) {
	r := a.results[0]
	value, _ := settlement.Composite(a.agreement.Criteria, r, rd)
	end := a.windowEnd(r)
	filed, automatic := a.event("dispute_filed")
	if automatic {
		automatic, _ = filed.Data("auto").Bool()
	}
	stopped := a.stoppedBy(end)
	switch {
	case value == nil || end == nil || a.asOf == nil:
		l.Missing("R104", "filing-unknown", r.At("composite", "score"), "a composite and a challenge window")
	case value.Cmp(limit) < 0 && a.asOf.Cmp(end) > 0 && !stopped:
		l.Check(automatic, finding.Error, "R104", "not-filed", r.At("composite", "score"), settlement.ShortText(value), "dispute_filed after "+exact.InstantText(end))
	case automatic:
		early := filed.Instant != nil && filed.Instant.Cmp(end) <= 0
		l.Check(value.Cmp(limit) < 0 && !early && !stopped, finding.Error, "R104", "filed-without-cause", filed.Where(), settlement.ShortText(value), "< "+exact.Text(limit)+", after "+exact.InstantText(end))
	default:
		l.NA("R104")
	}
}

// stoppedBy reports whether somebody challenged the result, filed a dispute or had one resolved before the window ended. What comes later
// does not stop the filing.
func (a *audit) stoppedBy(end *big.Rat) bool {
	return end != nil && slices.ContainsFunc(a.events, func(e document.Event) bool {
		automatic, _ := e.Data("auto").Bool()
		stops := e.Type == "challenged" || e.Type == "dispute_resolved" || e.Type == "dispute_filed" && !automatic
		return stops && e.Instant != nil && e.Instant.Cmp(end) <= 0
	})
}

// checkDisputePackage records R105: what a dispute needs, listed where a dispute exists.
func (a *audit) checkDisputePackage() {
	_, challenged := a.event("challenged")
	_, filed := a.event("dispute_filed")
	if !challenged && !filed && a.agreement.Status != "disputed" {
		a.log.NA("R105")
		return
	}
	for _, item := range a.disputeItems() {
		a.log.Check(item.Present, finding.Error, "R105", "item-missing", item.Place, "", item.Name)
	}
}

// DisputeItem is one thing that a dispute package holds.
type DisputeItem struct {
	Name    string // "agreement", "deliverable_hash", …
	Place   string
	Present bool
}

func (a *audit) disputeItems() []DisputeItem {
	items := []DisputeItem{{"agreement", "agreement.json", a.agreement != nil}}
	hash, trail := false, false
	for _, r := range a.results {
		hash = hash || document.Hash64.MatchString(document.Text(r.Get("evidence_trail", "deliverable_hash")))
		trail = trail || r.Get("evidence_trail").Exists()
	}
	items = append(items, DisputeItem{"deliverable_hash", "result.json#/evidence_trail/deliverable_hash", hash}, DisputeItem{"verification_result", "result.json#/evidence_trail", trail})
	for _, party := range []string{"client", "provider"} {
		ok := a.agreement != nil && a.agreement.Party(party).Exists()
		items = append(items, DisputeItem{"identity of " + party, "agreement.json#/parties/" + party + "/identity", ok})
	}
	return items
}

// checkAdoption records R109: over 0.50 USD for structural and over 5 USD for semantic verification an agreement is worth its cost.
func (a *audit) checkAdoption() {
	p := a.agreement.Payment
	if a.request == nil || !p.Enabled || p.Amount == nil {
		a.log.NA("R109")
		return
	}
	least := map[string]string{"structural": "0.50", "semantic": "5"}[document.Text(a.request.Get("verification_config", "depth"))]
	if least == "" {
		a.log.NA("R109")
		return
	}
	a.log.Check(p.Amount.Rat.Cmp(exact.Must(least)) > 0, finding.Note, "R109", "value-under-depth", a.agreement.At("escrow", "payment", "amount"), exact.Text(p.Amount.Rat), "> "+least)
}

// checkAmounts records R093: what the release event paid against the recomputed percentage, to the last unit.
func (a *audit) checkAmounts(c document.Criteria, p document.Payment, r *document.Result) {
	if !p.Enabled {
		return
	}
	e, ok := a.event("released")
	if !ok {
		if a.events == nil {
			a.log.Missing("R093", "input-missing", "events.jsonl", "a released event")
		} else {
			a.log.NA("R093")
		}
		return
	}
	if !a.bound(r) {
		a.log.Missing("R093", "deliverable-not-bound", e.Document.At("data"), "one content hash everywhere")
		return
	}
	if _, ruled := a.event("dispute_resolved"); ruled {
		settlement.JudgeRuled(p, e, a.log)
		return
	}
	a.walk(func(rd finding.Readings, l *finding.Log) {
		percent, step := settlement.Release(p, settlement.Decide(c, r, rd), rd)
		if percent == nil || p.Amount == nil {
			l.Missing("R093", "release-unknown", e.Document.At("data"), "a determination and a composite")
			return
		}
		settlement.JudgeAmounts(p, e, percent, step, l)
	}, settlement.PaymentSwitches...)
}
