package followup

import (
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// Check records what follows a verification, the money apart: R094, R100, R101, R103 to R106, R109.
func (a Input) Check() {
	a.CheckAggregates()
	a.CheckExports()
	a.CheckTimeoutAmounts()
	a.checkChainLength()
	a.CheckAutoFile()
	a.CheckDisputePackage()
	a.checkAdoption()
	a.checkArchive()
}

// CheckTimeoutAmounts records R094: what the money does when the evaluator did not answer.
func (a Input) CheckTimeoutAmounts() {
	p := a.Agreement.Payment
	e, ok := a.Event("timeout")
	if !ok || document.Text(e.Data("party")) != "evaluator" || !p.Enabled || p.Amount == nil {
		a.Log.NA("R094")
		return
	}
	if _, verified := a.Event("verified"); verified {
		a.Log.NA("R094")
		return
	}
	action := a.Agreement.TimeoutAction()
	provider, client := new(big.Rat), new(big.Rat)
	switch action {
	case "split_50_50":
		provider, client = p.Split(exact.Int(50))
	case "return_to_client":
		provider, client = p.Split(new(big.Rat))
	case "release_to_provider":
		provider, client = p.Split(exact.Int(100))
		a.Log.Gap(finding.Warn, "R094", "paid-on-timeout", e.At("data"), action, "hold_for_backup_evaluator")
	}
	paid := settlement.PaidBy(a.Events)
	switch {
	case action == "hold_for_backup_evaluator" && len(paid.Events) > 0:
		a.Log.Gap(finding.Error, "R094", "moved-while-held", paid.Events[0].Where(), paid.Events[0].Type, "0")
	case action == "hold_for_backup_evaluator":
		a.Log.OK("R094")
	case paid.Provider == nil:
		a.Log.Missing("R094", "not-released", e.At("data"), p.Money(provider)+" / "+p.Money(client))
	default:
		a.compareTimeout(paid, "to_provider", paid.Provider, provider)
		a.compareTimeout(paid, "to_client", paid.Client, client)
	}
}

func (a Input) compareTimeout(paid settlement.Paid, name string, got, want *big.Rat) {
	a.Log.Check(got.Cmp(want) == 0, finding.Error, "R094", "timeout-amount", paid.At(name), paid.Shown(name, got), a.Agreement.Payment.Money(want))
}

// checkChainLength records R103: agents.json gives the chain length of each party.
func (a Input) checkChainLength() {
	least := document.Number(a.Agreement.Get("eligibility", "min_chain_length"))
	if least == nil {
		a.Log.NA("R103")
		return
	}
	for _, party := range []string{"client", "provider"} {
		at := a.Agreement.At("parties", party)
		length := document.Number(a.agent(a.Agreement.Party(party)).Get("chain_length"))
		if length == nil {
			a.Log.Missing("R103", "no-chain-length", at, "chain_length in agents.json")
			continue
		}
		a.Log.Check(length.Cmp(least) >= 0, finding.Error, "R103", "chain-too-short", at, exact.Text(length), ">= "+exact.Text(least))
	}
}

// agent is the entry of an identity in agents.json, or Missing.
func (a Input) agent(i document.Identity) canon.Value {
	if a.Agents == nil {
		return canon.Value{}
	}
	for n, e := range a.Agents.Get("agents").Elements() {
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
func (a Input) windowEnd(r *document.Result) *big.Rat {
	window := a.Agreement.Seconds("verification", "challenge_window_seconds")
	start := r.Timestamp
	if e, ok := a.Event("verified"); ok && e.Instant != nil && start != nil && e.Instant.Cmp(start) > 0 {
		start = e.Instant
	}
	if window == nil || start == nil {
		return nil
	}
	return exact.Add(start, window)
}

// CheckAutoFile records R104: below the dispute threshold, once the window has passed without a challenge, a dispute is filed.
func (a Input) CheckAutoFile() {
	limit := document.Number(a.Agreement.Get("dispute", "threshold"))
	rule := document.Text(a.Agreement.Get("dispute", "auto_file_on"))
	if len(a.Results) != 1 || limit == nil || rule != "verification_failure_below_threshold" {
		a.Log.NA("R104")
		return
	}
	if a.Events == nil {
		a.Log.Missing("R104", "input-missing", "events.jsonl", "events after the verification")
		return
	}
	a.Walk(func(rd finding.Readings, l *finding.Log) { a.judgeAutoFile(limit, rd, l) }, finding.BoolMap)
}

func (a Input) judgeAutoFile(limit *big.Rat, rd finding.Readings, l *finding.Log) {
	r := a.Results[0]
	value, _ := settlement.Composite(a.Agreement.Criteria, r, rd)
	end := a.windowEnd(r)
	filed, automatic := a.Event("dispute_filed")
	if automatic {
		automatic, _ = filed.Data("auto").Bool()
	}
	stopped := a.stoppedBy(end)
	switch {
	case value == nil || end == nil || a.AsOf == nil:
		l.Missing("R104", "filing-unknown", r.At("composite", "score"), "a composite and a challenge window")
	case value.Cmp(limit) < 0 && a.AsOf.Cmp(end) > 0 && !stopped:
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
func (a Input) stoppedBy(end *big.Rat) bool {
	return end != nil && slices.ContainsFunc(a.Events, func(e document.Event) bool {
		automatic, _ := e.Data("auto").Bool()
		stops := e.Type == "challenged" || e.Type == "dispute_resolved" || e.Type == "dispute_filed" && !automatic
		return stops && e.Instant != nil && e.Instant.Cmp(end) <= 0
	})
}

// checkAdoption records R109: over 0.50 USD for structural and over 5 USD for semantic verification an agreement is worth its cost.
func (a Input) checkAdoption() {
	p := a.Agreement.Payment
	if a.Request == nil || !p.Enabled || p.Amount == nil {
		a.Log.NA("R109")
		return
	}
	least := map[string]string{"structural": "0.50", "semantic": "5"}[document.Text(a.Request.Get("verification_config", "depth"))]
	if least == "" {
		a.Log.NA("R109")
		return
	}
	a.Log.Check(p.Amount.Rat.Cmp(exact.Must(least)) > 0, finding.Note, "R109", "value-under-depth", a.Agreement.At("escrow", "payment", "amount"), exact.Text(p.Amount.Rat), "> "+least)
}

// CheckAmounts records R093: what the release and refund events paid against the recomputed percentage, to the last unit.
func (a Input) CheckAmounts(c document.Criteria, p document.Payment, r *document.Result) {
	if !p.Enabled {
		return
	}
	paid := settlement.PaidBy(a.Events)
	if len(paid.Events) == 0 {
		if a.Events == nil {
			a.Log.Missing("R093", "input-missing", "events.jsonl", "a released event")
		} else {
			a.Log.NA("R093")
		}
		return
	}
	if !a.Bound(r) {
		a.Log.Missing("R093", "deliverable-not-bound", paid.At(), "one content hash everywhere")
		return
	}
	if _, ruled := a.Event("dispute_resolved"); ruled {
		settlement.JudgeRuled(p, paid, a.Log)
		return
	}
	a.Walk(func(rd finding.Readings, l *finding.Log) {
		percent, step := settlement.Release(p, settlement.Decide(c, r, rd), rd)
		if percent == nil || p.Amount == nil {
			l.Missing("R093", "release-unknown", paid.At(), "a determination and a composite")
			return
		}
		settlement.JudgeAmounts(p, paid, percent, step, l)
	}, settlement.PaymentSwitches...)
}
