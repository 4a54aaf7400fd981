package lint

import (
	"fmt"
	"math/big"
	"strconv"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Input is what the static rules read. What is nil is missing.
type Input struct {
	finding.Run
	Agreement *document.Agreement
	Market    *document.Document   // market.json
	History   []*document.Document // history.jsonl
	Released  document.Event       // the last released event; the zero Event where there is none
}

// Check runs the static rules on a valid agreement.
func (in Input) Check() {
	in.CheckCoverage()
	in.CheckTemplate()
	in.CheckPayoff()
	in.CheckTimers()
	in.weakGuarantees()
	in.envelope()
}

// CheckTimers compares the timers of the dead man's switch with the life of the agreement. Expiry comes at most (expires_at - created_at)
// after activation, so a longer or equal provider timeout never fires before it.
func (in Input) CheckTimers() {
	g := in.Agreement
	if g.Created == nil || g.Expires == nil || !g.Payment.Enabled {
		in.Log.NA("R041")
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
			in.Log.Check(s.Cmp(life) < 0, finding.Warn, "R041", "timer-cannot-fire", g.At(t.path...), exact.Text(s), "< "+exact.Text(life))
		}
	}
	if sum.Cmp(life) <= 0 {
		in.Log.OK("R041")
		return
	}
	in.Log.Add(finding.Finding{
		ID: finding.ID("R041", "timers-over-life"), Severity: finding.Warn, Outcome: finding.Gap, At: g.At("escrow", "dead_mans_switch"),
		Declared: exact.Text(sum), Recomputed: exact.Text(life), Derivation: steps,
	})
}

// weakGuarantees notes what a guarantee leaves open: pass@k holds with a far lower rate per attempt, a high percentile asks only the best
// deliveries for something.
func (in Input) weakGuarantees() {
	for i, g := range in.Agreement.Criteria.Value.Get("guarantees").Elements() {
		if i >= 64 {
			break
		}
		m := guaranteeForm.FindStringSubmatch(document.Text(g.Get("expr")))
		value := document.Number(g.Get("value"))
		op := document.Text(g.Get("operator"))
		if m == nil || value == nil || op != "gte" && op != "gt" {
			continue
		}
		at := in.Agreement.Place(g)
		if m[1] != "" {
			k, _ := strconv.ParseInt(m[1], 10, 64)
			if rate := PerAttempt(value, k); rate != nil {
				in.Log.Gap(finding.Note, "R084", "weak-guarantee", at, document.Text(g.Get("expr"))+" >= "+exact.Text(value), exact.Rounded(rate, 2))
			}
			continue
		}
		if p, _ := strconv.ParseInt(m[3], 10, 64); p > 50 {
			in.Log.Gap(finding.Note, "R085", "asks-the-best", at, document.Text(g.Get("expr"))+" >= "+exact.Text(value), fmt.Sprintf("%d %%", 100-p))
		}
	}
}

// PerAttempt is the success rate of one attempt, in percent, that makes k independent attempts succeed at least once as often as promised.
func PerAttempt(percent *big.Rat, k int64) *big.Rat {
	if percent.Sign() <= 0 || percent.Cmp(exact.Int(100)) >= 0 {
		return nil
	}
	miss := exact.Sub(exact.Int(1), exact.Quo(percent, exact.Int(100)))
	root := exact.Product([]exact.Power{{Base: miss, Exponent: big.NewRat(1, k)}})
	return exact.Mul(exact.Sub(exact.Int(1), root), exact.Int(100))
}

// envelope notes how far terms can drift over the rounds that the agreement allows, each within its limit of change.
func (in Input) envelope() {
	limit, rounds := document.Number(in.Agreement.Get("negotiation", "max_change_percent")), document.Number(in.Agreement.Get("negotiation", "max_rounds"))
	if limit == nil {
		limit = exact.Int(25)
	}
	if rounds == nil {
		rounds = exact.Int(5)
	}
	if rounds.Cmp(exact.Int(50)) > 0 || limit.Cmp(exact.Int(1000)) > 0 {
		in.Log.NA("R049") // beyond any use
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
	in.Log.Gap(finding.Note, "R049", "envelope", in.Agreement.At("negotiation"), exact.Text(rounds)+" x "+exact.Text(limit)+" %", "x"+exact.Rounded(down, 4)+" .. x"+exact.Rounded(up, 4))
}
