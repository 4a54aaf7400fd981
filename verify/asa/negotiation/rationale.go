package negotiation

import (
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// RationaleList names the enumeration of rationale codes. The paper requires a fixed one (§11.1) and shows a single value; this is ours.
const RationaleList = "asa-rationale-codes/1"

// rationales says, for every code, which directions the changes of its message must have.
var rationales = map[string][]demand{
	"extended_timeline_for_higher_quality": {durationRises, noSLOWeaker},
	"extended_timeline":                    {timelineRises},
	"shorter_timeline":                     {timelineFalls},
	"higher_price_for_scope":               {priceRises},
	"lower_price_for_scope":                {priceFalls},
	"market_rate_alignment":                {priceChanges},
	"slo_relaxation":                       {someSLOWeaker, noSLOTighter},
	"slo_tightening":                       {someSLOTighter, noSLOWeaker},
	"weight_rebalance":                     {weightChanges},
	"verification_strategy_change":         {verificationChanges},
	"payment_terms_change":                 {paymentChanges},
	"constraint_change":                    {constraintChanges},
	"counter_to_counter":                   nil,
	"no_agreement_price":                   {rejects},
	"no_agreement_quality":                 {rejects},
	"no_agreement_timeline":                {rejects},
	"round_limit_reached":                  {rejects},
}

// RationaleCodes are the codes of RationaleList, sorted.
func RationaleCodes() []string {
	var codes []string
	for code := range rationales {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

// demand is one thing that a code says about its message; what it wants is shown where it does not hold.
type demand struct {
	want  string
	holds func(*Message, []applied) bool
}

func anyOf(test func(applied) bool) func(*Message, []applied) bool {
	return func(_ *Message, changes []applied) bool { return slices.ContainsFunc(changes, test) }
}

func noneOf(test func(applied) bool) func(*Message, []applied) bool {
	return func(_ *Message, changes []applied) bool { return !slices.ContainsFunc(changes, test) }
}

const (
	durationPath = "service.constraints.max_duration_seconds"
	pricePath    = "escrow.payment.amount"
)

func moves(sign int, paths ...string) func(applied) bool {
	return func(c applied) bool { return c.sign == sign && slices.Contains(paths, c.path) }
}

func under(prefix string) func(applied) bool {
	return func(c applied) bool { return strings.HasPrefix(c.path, prefix) }
}

func isPrice(c applied) bool { return c.path == pricePath }

func isWeight(c applied) bool { return weightPath.MatchString(c.path) }

func isPayment(c applied) bool { return under("escrow.")(c) }

var (
	durationRises       = demand{"max_duration_seconds rises", anyOf(moves(1, durationPath))}
	timelineRises       = demand{"max_duration_seconds or expires_at rises", anyOf(moves(1, durationPath, "expires_at"))}
	timelineFalls       = demand{"max_duration_seconds or expires_at falls", anyOf(moves(-1, durationPath, "expires_at"))}
	priceRises          = demand{"the amount rises", anyOf(moves(1, pricePath))}
	priceFalls          = demand{"the amount falls", anyOf(moves(-1, pricePath))}
	priceChanges        = demand{"the amount changes", anyOf(isPrice)}
	someSLOWeaker       = demand{"some SLO is relaxed", anyOf(func(c applied) bool { return c.slo < 0 })}
	someSLOTighter      = demand{"some SLO is tightened", anyOf(func(c applied) bool { return c.slo > 0 })}
	noSLOWeaker         = demand{"no SLO is relaxed", noneOf(func(c applied) bool { return c.slo < 0 })}
	noSLOTighter        = demand{"no SLO is tightened", noneOf(func(c applied) bool { return c.slo > 0 })}
	weightChanges       = demand{"some weight changes", anyOf(isWeight)}
	verificationChanges = demand{"verification changes", anyOf(under("verification."))}
	paymentChanges      = demand{"escrow terms change", anyOf(isPayment)}
	constraintChanges   = demand{"some constraint changes", anyOf(under("service.constraints."))}
	rejects             = demand{"the action is reject", func(m *Message, _ []applied) bool { return m.Action == "reject" }}
)

// checkRationale records R054: what a code announces against the direction of the changes.
func (s *session) checkRationale(m *Message, changes []applied) {
	demands, known := rationales[m.Code]
	if !known {
		return
	}
	var steps []string
	for _, c := range changes {
		if c.sign != 0 {
			steps = append(steps, c.path+": "+document.Shown(c.before)+" -> "+document.Shown(c.after))
		}
	}
	for _, d := range demands {
		if d.holds(m, changes) {
			s.log.OK("R054")
			continue
		}
		s.log.Add(finding.Finding{
			ID: finding.ID("R054", "direction"), Severity: finding.Warn, Outcome: finding.Gap, At: m.At("rationale_code"),
			Declared: m.Code, Recomputed: d.want, Derivation: steps[:min(len(steps), 20)],
		})
	}
}

// signOf compares two quantities; 0 where one is missing.
func signOf(before, after quantity) int {
	if before.value == nil || after.value == nil {
		return 0
	}
	return exact.Sub(after.value, before.value).Sign()
}
