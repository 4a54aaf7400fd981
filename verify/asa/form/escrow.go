package form

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

var contractForm = regexp.MustCompile(`^0x[0-9A-Fa-f]{40}$`)

// escrow records R015 to R017.
func (w *walker) escrow(a *document.Agreement) {
	v := a.Get("escrow")
	if !v.Exists() || !a.Payment.Enabled {
		w.log.NA("R015")
		w.log.NA("R016")
		w.log.NA("R017")
		return
	}
	binding := v.Get("binding")
	switch kind := binding.Get("type"); document.Text(kind) {
	case "http_callback", "manual":
		w.log.Gap(finding.Note, "R015", "binding-alias", w.doc.Place(kind), document.Text(kind), "erc8183 | x402 | custom_http")
	default:
		w.oneOf(finding.Error, "R015", "binding", kind, "erc8183", "x402", "custom_http")
	}
	checkFormat(w.doc, binding.Get("contract_address"), contractForm, "0x and 40 hex digits", w.log)
	w.payment(v.Get("payment"))
	w.release(a, document.Get(v, "payment", "graduated_release"))
	w.deadMan(v.Get("dead_mans_switch"))
}

const amountWant = "a decimal string, at most 80 digits before the point and 18 after it"

func (w *walker) payment(v canon.Value) {
	amount, code := v.Get("amount"), v.Get("currency")
	if !v.Exists() || !amount.Exists() {
		w.log.Gap(finding.Reject, "R002", "missing", w.doc.At("escrow", "payment", "amount"), "", "a decimal string")
		return
	}
	w.log.Check(document.AmountForm.MatchString(document.Text(amount)), finding.Reject, "R015", "amount", w.doc.Place(amount), document.Shown(amount), amountWant)
	w.log.Check(currency.MatchString(document.Text(code)), finding.Reject, "R015", "currency", w.doc.At("escrow", "payment", "currency"), document.Shown(code), "3 to 10 upper-case letters")
	for _, f := range v.Get("fees").Elements() {
		fee := f.Get("amount")
		w.log.Check(document.AmountForm.MatchString(document.Text(fee)), finding.Reject, "R015", "amount", w.doc.Place(f)+"/amount", document.Shown(fee), amountWant)
	}
}

func (w *walker) release(a *document.Agreement, v canon.Value) {
	if !a.Payment.Graduated {
		w.log.NA("R016")
		return
	}
	w.oneOf(finding.Error, "R089", "mode", v.Get("mode"), "tiered", "continuous")
	if a.Payment.Continuous {
		w.log.Check(!v.Get("tiers").Exists(), finding.Error, "R089", "tiers-and-continuous", w.doc.Place(v), "mode continuous with tiers", "one of the two")
		return
	}
	if !v.Get("tiers").Exists() {
		w.log.NA("R016") // the paper's own tiers hold (R088)
		return
	}
	checkTiers(w.doc, v.Get("tiers"), a.Payment.Tiers, w.log)
}

// checkTiers records R016. Tiers must cover 0 to 100 without a hole or an overlap and pay no more to a lower composite. Their order in
// the document is a matter of style for us, because the highest bound that is met decides; an implementation that takes the first match
// pays something else, hence a warning.
func checkTiers(d *document.Document, at canon.Value, tiers []document.Tier, l *finding.Log) {
	place := d.Place(at)
	var bounds, below []document.Tier
	for _, t := range tiers {
		here := d.Place(t.Value)
		if !l.Check((t.GTE == nil) != (t.LT == nil), finding.Error, "R016", "bounds", here, "", "one of composite_score_gte and composite_score_lt") {
			return
		}
		l.Check(document.IsPercent(t.Value.Get("release_percent")), finding.Error, "R016", "percent", here+"/release_percent", exact.Text(t.Percent), "0 to 100")
		if t.GTE != nil {
			bounds = append(bounds, t)
		} else {
			below = append(below, t)
		}
	}
	sorted := slices.Clone(bounds)
	slices.SortStableFunc(sorted, func(x, y document.Tier) int { return y.GTE.Cmp(x.GTE) })
	inOrder := slices.EqualFunc(sorted, bounds, func(x, y document.Tier) bool { return x.GTE.Cmp(y.GTE) == 0 }) && (len(below) == 0 || tiers[len(tiers)-1].LT != nil)
	switch {
	case len(bounds) > 0 && len(below) == 0 && sorted[len(sorted)-1].GTE.Sign() <= 0:
		checkBounds(place, sorted, l) // no composite is below 0: nothing is left for an lt bound
		l.OK("R016")
	case len(bounds) == 0 || len(below) == 0:
		l.Gap(finding.Error, "R016", "hole", place, fmt.Sprintf("%d gte and %d lt bounds", len(bounds), len(below)), "0 to 100 covered: gte bounds, and one lt for the rest")
		return
	default:
		checkBounds(place, sorted, l)
		checkRest(place, sorted, below, l)
	}
	checkFalling(place, append(sorted, below...), l)
	l.Check(inOrder, finding.Warn, "R016", "order", place, "", "highest bound first")
}

// checkBounds records that no gte bound stands twice.
func checkBounds(place string, bounds []document.Tier, l *finding.Log) {
	for i := 1; i < len(bounds); i++ {
		if bounds[i].GTE.Cmp(bounds[i-1].GTE) == 0 {
			l.Gap(finding.Error, "R016", "overlap", place, "gte "+exact.Text(bounds[i].GTE)+" twice", "each bound once")
		}
	}
}

// checkRest records that one lt bound takes up what the gte bounds leave.
func checkRest(place string, bounds, below []document.Tier, l *finding.Log) {
	if len(below) > 1 {
		l.Gap(finding.Error, "R016", "overlap", place, fmt.Sprint(len(below), " lt bounds"), "one")
		return
	}
	lowest, lt := bounds[len(bounds)-1].GTE, below[0].LT
	switch lt.Cmp(lowest) {
	case 0:
		l.OK("R016")
	case -1:
		l.Gap(finding.Error, "R016", "hole", place, "nothing for ["+exact.Text(lt)+", "+exact.Text(lowest)+")", "lt "+exact.Text(lowest))
	default:
		l.Gap(finding.Error, "R016", "overlap", place, "two tiers for ["+exact.Text(lowest)+", "+exact.Text(lt)+")", "lt "+exact.Text(lowest))
	}
}

func checkFalling(place string, tiers []document.Tier, l *finding.Log) {
	for i := 1; i < len(tiers); i++ {
		if tiers[i].Percent.Cmp(tiers[i-1].Percent) > 0 {
			l.Gap(finding.Error, "R016", "not-monotone", place, exact.Text(tiers[i].Percent)+" % below "+exact.Text(tiers[i-1].Percent)+" %", "no more for a lower composite")
			return
		}
	}
	l.OK("R016")
}

func (w *walker) deadMan(v canon.Value) {
	if !v.Exists() {
		w.log.NA("R017")
		return
	}
	for _, name := range []string{"client_timeout_seconds", "provider_timeout_seconds", "evaluator_timeout_seconds"} {
		w.log.Check(v.Get(name).Exists(), finding.Error, "R017", "timeout-missing", w.doc.Place(v)+"/"+name, "", "an integer > 0")
	}
	action := v.Get("timeout_action")
	if w.oneOf(finding.Error, "R017", "action", action, document.TimeoutActions...) && document.Text(action) == "release_to_provider" {
		w.log.Gap(finding.Warn, "R017", "release-to-provider", w.doc.Place(action), "release_to_provider", "hold_for_backup_evaluator")
	}
}
