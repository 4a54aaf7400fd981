package asa

import (
	"fmt"
	"math/big"
	"strconv"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// lint runs the static rules on a valid agreement.
func (a *audit) lint() {
	a.checkCoverage()
	a.checkTemplate()
	a.checkPayoff()
	a.checkTimers()
	a.weakGuarantees()
	a.envelope()
}

// checkTimers compares the timers of the dead man's switch with the life of the agreement. Expiry comes at most (expires_at - created_at)
// after activation, so a longer or equal provider timeout never fires before it.
func (a *audit) checkTimers() {
	g := a.agreement
	if g.Created == nil || g.Expires == nil || !g.Payment.Enabled {
		a.log.NA("R041")
		return
	}
	life := exact.Sub(g.Expires, g.Created)
	sum := new(big.Rat)
	var steps []string
	for _, t := range []struct {
		path  []string
		timer bool
	}{
		{[]string{"escrow", "dead_mans_switch", "client_timeout_seconds"}, true}, {[]string{"escrow", "dead_mans_switch", "provider_timeout_seconds"}, true},
		{[]string{"escrow", "dead_mans_switch", "evaluator_timeout_seconds"}, false}, {[]string{"verification", "challenge_window_seconds"}, false},
	} {
		s := g.Seconds(t.path...)
		if s == nil {
			continue
		}
		sum.Add(sum, s)
		steps = append(steps, t.path[len(t.path)-1]+"="+exact.Text(s))
		if t.timer {
			a.log.Check(s.Cmp(life) < 0, finding.Warn, "R041", "timer-cannot-fire", g.At(t.path...), exact.Text(s), "< "+exact.Text(life))
		}
	}
	if sum.Cmp(life) <= 0 {
		a.log.OK("R041")
		return
	}
	a.log.Add(finding.Finding{
		ID: finding.ID("R041", "timers-over-life"), Severity: finding.Warn, Outcome: finding.Gap, At: g.At("escrow", "dead_mans_switch"),
		Declared: exact.Text(sum), Recomputed: exact.Text(life), Derivation: steps,
	})
}

// weakGuarantees notes what a guarantee leaves open: pass@k holds with a far lower rate per attempt, a high percentile asks only the best
// deliveries for something.
func (a *audit) weakGuarantees() {
	for i, g := range a.agreement.Criteria.Value.Get("guarantees").Elements() {
		if i >= 64 {
			break
		}
		m := guaranteeForm.FindStringSubmatch(text(g.Get("expr")))
		value := number(g.Get("value"))
		op := text(g.Get("operator"))
		if m == nil || value == nil || op != "gte" && op != "gt" {
			continue
		}
		at := a.agreement.Place(g)
		if m[1] != "" {
			k, _ := strconv.ParseInt(m[1], 10, 64)
			if rate := perAttempt(value, k); rate != nil {
				a.log.Gap(finding.Note, "R084", "weak-guarantee", at, text(g.Get("expr"))+" >= "+exact.Text(value), exact.Rounded(rate, 2))
			}
			continue
		}
		if p, _ := strconv.ParseInt(m[3], 10, 64); p > 50 {
			a.log.Gap(finding.Note, "R085", "asks-the-best", at, text(g.Get("expr"))+" >= "+exact.Text(value), fmt.Sprintf("%d %%", 100-p))
		}
	}
}

// perAttempt is the success rate of one attempt, in percent, that makes k independent attempts succeed at least once as often as promised.
func perAttempt(percent *big.Rat, k int64) *big.Rat {
	if percent.Sign() <= 0 || percent.Cmp(exact.Int(100)) >= 0 {
		return nil
	}
	miss := exact.Sub(exact.Int(1), exact.Quo(percent, exact.Int(100)))
	root := exact.Product([]exact.Power{{Base: miss, Exponent: big.NewRat(1, k)}})
	return exact.Mul(exact.Sub(exact.Int(1), root), exact.Int(100))
}

// envelope notes how far terms can drift over the rounds that the agreement allows, each within its limit of change.
func (a *audit) envelope() {
	limit, rounds := number(a.agreement.Get("negotiation", "max_change_percent")), number(a.agreement.Get("negotiation", "max_rounds"))
	if limit == nil {
		limit = exact.Int(25)
	}
	if rounds == nil {
		rounds = exact.Int(5)
	}
	if rounds.Cmp(exact.Int(50)) > 0 || limit.Cmp(exact.Int(1000)) > 0 {
		a.log.NA("R049") // beyond any use
		return
	}
	up, down := exact.Int(1), exact.Int(1)
	share := exact.Quo(limit, exact.Int(100))
	for range rounds.Num().Int64() {
		up = exact.Mul(up, exact.Add(exact.Int(1), share))
		down = exact.Mul(down, exact.Sub(exact.Int(1), share))
	}
	if down.Sign() < 0 {
		down = new(big.Rat)
	}
	a.log.Gap(finding.Note, "R049", "envelope", a.agreement.At("negotiation"), exact.Text(rounds)+" x "+exact.Text(limit)+" %", "x"+exact.Rounded(down, 4)+" .. x"+exact.Rounded(up, 4))
}
