package binding

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// CheckChain records R069: the result belongs to the request and to the agreement, and speaks of exactly the agreement's dimensions.
func (a Input) CheckChain(r *document.Result) {
	g := a.Agreement
	same := func(slug string, declared, wanted canon.Value, at string) {
		if wanted.Exists() {
			a.Log.Check(document.SameTyped(declared, wanted) || sameType(slug, declared, wanted), finding.Error, "R069", slug, at, document.Shown(declared), document.Shown(wanted))
		}
	}
	switch {
	case a.Request == nil:
		a.Log.Missing("R069", "input-missing", "request.json", "a verification request")
	case a.several():
		same("agreement-id", r.Get("agreement_id"), a.Request.Get("agreement_id"), r.At("agreement_id"))
	default:
		same("verification-id", r.Get("verification_id"), a.Request.Get("verification_id"), r.At("verification_id"))
		same("agreement-id", r.Get("agreement_id"), a.Request.Get("agreement_id"), r.At("agreement_id"))
		if a.backup().Exists() {
			break // type and model were asked of the evaluator that did not answer
		}
		same("evaluator-type", r.Get("evaluator", "type"), a.Request.Get("verification_config", "evaluator_type"), r.At("evaluator", "type"))
		same("evaluator-model", r.Get("evaluator", "model"), a.Request.Get("verification_config", "evaluator_config", "model"), r.At("evaluator", "model"))
	}
	if g == nil {
		return
	}
	same("agreement-id", r.Get("agreement_id"), g.Get("agreement_id"), r.At("agreement_id"))
	a.checkEvaluator(r)
	a.checkDimensionNames(g.Criteria, r)
	if m := r.Get("composite", "method"); g.Get("quality_criteria", "composite_method").Exists() {
		same("method", m, g.Get("quality_criteria", "composite_method"), r.At("composite", "method"))
	} else if m.Exists() { // the default of R012
		a.Log.Check(document.Text(m) == g.Criteria.Method, finding.Error, "R069", "method", r.At("composite", "method"), document.Shown(m), g.Criteria.Method)
	}
	same("threshold", r.Get("composite", "threshold"), g.Get("quality_criteria", "composite_threshold"), r.At("composite", "threshold"))
	delivered, ok := a.Event("delivered")
	switch {
	case ok && delivered.Instant != nil && r.Timestamp != nil:
		a.Log.Check(r.Timestamp.Cmp(delivered.Instant) >= 0, finding.Error, "R069", "before-delivery", r.At("timestamp"), document.Text(r.Get("timestamp")), document.Text(delivered.Get("at")))
	case a.Events == nil:
		a.Log.Missing("R069", "delivery-unknown", r.At("timestamp"), "a delivered event")
	}
}

// several reports whether there may be several results: of a panel, or of a verification and a later one. Each then has a verification id and
// an evaluator of its own, and the one request at hand names at most one of them.
func (a Input) several() bool {
	_, again := a.Event("reverified")
	return len(a.Results) > 1 && (again || a.panel())
}

// backup is the last assignment after an evaluator's timer fired: who judges then is not whom the agreement names.
func (a Input) backup() (last document.Event) {
	held := false
	for _, e := range a.Events {
		switch {
		case e.Type == "timeout" && document.Text(e.Data("party")) == "evaluator":
			held = true
		case e.Type == "evaluator_assigned" && held:
			last = e
		}
	}
	return last
}

// panel reports whether the agreement asks for several evaluators.
func (a Input) panel() bool {
	return a.Agreement != nil && a.Agreement.Get("verification", "consensus").Exists()
}

// checkEvaluator compares the evaluator of a result with the agreement's. With several results each has its own (R065).
func (a Input) checkEvaluator(r *document.Result) {
	party := a.Agreement.Get("parties", "evaluator")
	if !party.Exists() || len(a.Results) > 1 {
		return
	}
	got, want := document.ReadIdentity(r.Get("evaluator", "identity")), a.Agreement.Party("evaluator")
	if e := a.backup(); e.Exists() {
		named := e.Data("evaluator")
		ok := document.ReadIdentity(named).Normal() == got.Normal() || document.Text(named) == got.Value || document.Text(named) == got.String()
		a.Log.Check(ok, finding.Error, "R069", "evaluator", r.At("evaluator", "identity"), document.Clip(got.String()), document.Shown(named))
		return
	}
	a.Log.Check(got.Normal() == want.Normal(), finding.Error, "R069", "evaluator", r.At("evaluator", "identity"), document.Clip(got.String()), document.Clip(want.String()))
	for _, m := range []struct{ slug, name string }{{"evaluator-type", "type"}, {"evaluator-model", "model"}} {
		wanted := party.Get(m.name)
		if m.name == "model" {
			wanted = document.Get(party, "config", "model")
		}
		if wanted.Exists() {
			got := r.Get("evaluator", m.name)
			a.Log.Check(document.SameTyped(got, wanted) || sameType(m.slug, got, wanted), finding.Error, "R069", m.slug, r.At("evaluator", m.name), document.Shown(got), document.Shown(wanted))
		}
	}
}

// sameType reports whether two types of evaluator are the same but for the alias of one (R005).
func sameType(slug string, declared, wanted canon.Value) bool {
	return slug == "evaluator-type" && document.EvaluatorType(declared) == document.EvaluatorType(wanted)
}

func (a Input) checkDimensionNames(c document.Criteria, r *document.Result) {
	count := map[string]int{}
	for _, s := range r.Scores {
		count[s.Name]++
		d, ok := c.Dimension(s.Name)
		if !a.Log.Check(ok, finding.Error, "R069", "unknown-dimension", r.Place(s.Value)+"/name", document.Clip(s.Name), "a dimension of the agreement") {
			continue
		}
		a.Log.Check(count[s.Name] == 1, finding.Error, "R069", "repeated-dimension", r.Place(s.Value)+"/name", document.Clip(s.Name), "each dimension once")
		if !s.Target.Exists() {
			a.Log.Missing("R069", "target-missing", r.Place(s.Value)+"/slo_target", document.Shown(d.SLO.Value))
			continue
		}
		slug := "target"
		if s.Target.Kind() != d.SLO.Value.Kind() && (document.Number(s.Target) == nil || document.Number(d.SLO.Value) == nil) {
			slug = "target-type"
		}
		a.Log.Check(document.SameTyped(s.Target, d.SLO.Value), finding.Error, "R069", slug, r.Place(s.Value)+"/slo_target", document.ShownTyped(s.Target), document.ShownTyped(d.SLO.Value))
	}
	for _, d := range c.Dimensions {
		a.Log.Check(count[d.Name] > 0, finding.Error, "R069", "dimension-missing", r.At("dimensions"), "", document.Clip(d.Name))
	}
}

// CheckRequest records R070 and R071.
func (a Input) CheckRequest() {
	if a.Request == nil {
		return
	}
	inherited := a.Request.Get("quality_criteria")
	if a.Agreement != nil {
		equal := inherited.Len() == 0
		if !equal {
			got, errGot := exact.Hash(inherited)
			want, errWant := exact.Hash(a.Agreement.Criteria.Value)
			equal = errGot == nil && errWant == nil && got == want
		}
		a.Log.Check(equal, finding.Error, "R070", "criteria-differ", a.Request.At("quality_criteria"), document.Clip(inherited.Raw()), "{} or the agreement's criteria")
	}
	a.checkDepth()
}

// checkDepth records the second half of R071: where an agreement declares a table from reputation to depth, depth never rises with it.
func (a Input) checkDepth() {
	if a.Agreement == nil {
		return
	}
	table := a.Agreement.Get("verification", "depth_by_reputation")
	if table.Len() == 0 {
		a.Log.NA("R071")
		return
	}
	order := map[string]int{"structural": 1, "semantic": 2, "composite": 3}
	for i, row := range table.Elements() {
		for j, other := range table.Elements() {
			if i >= 100 || j >= i {
				break
			}
			x, y := document.Number(row.Get("reputation_gte")), document.Number(other.Get("reputation_gte"))
			dx, dy := order[document.Text(row.Get("depth"))], order[document.Text(other.Get("depth"))]
			ok := x != nil && y != nil && dx > 0 && dy > 0 && (x.Cmp(y) == 0 && dx == dy || x.Cmp(y) > 0 && dx <= dy || x.Cmp(y) < 0 && dx >= dy)
			a.Log.Check(ok, finding.Error, "R071", "depth-rises", a.Agreement.Place(row), document.Shown(row.Get("depth")), "no deeper than for a lower reputation")
		}
	}
}

// CheckTrail records R087 and R099 of one result, and R102 against the deliverable.
func (a Input) CheckTrail(r *document.Result) {
	trail := r.Get("evidence_trail")
	a.checkCost(r, trail.Get("evaluation_cost_usd"))
	declared := trail.Get("evaluation_hash")
	at := r.At("evidence_trail", "evaluation_hash")
	switch {
	case !document.Hash64.MatchString(document.Text(declared)):
		a.Log.Missing("R099", "no-hash", at, "sha256: and 64 hex digits")
	default:
		h, err := exact.Hash(r.Root, "/evidence_trail/evaluation_hash")
		if err != nil {
			a.Log.Gap(finding.Error, "R025", "number-not-canonical", r.At(), err.Error(), "numbers that survive IEEE doubles")
		}
		a.Log.Check(h.Prefixed() == document.Text(declared), finding.Error, "R099", "evaluation-hash", at, document.Text(declared), h.Prefixed())
	}
	a.checkIsolation(r)
}

func (a Input) checkCost(r *document.Result, v canon.Value) {
	cost := document.Number(v)
	if cost == nil || a.Agreement == nil {
		a.Log.NA("R087")
		return
	}
	at := r.At("evidence_trail", "evaluation_cost_usd")
	if limit := document.Number(a.Agreement.Get("verification", "max_cost_usd")); limit != nil {
		a.Log.Check(cost.Cmp(limit) <= 0, finding.Error, "R087", "cost-over-cap", at, exact.Text(cost), "at most "+exact.Text(limit))
	} else {
		a.Log.Missing("R087", "no-cap", a.Agreement.At("verification", "max_cost_usd"), "a cost cap")
	}
	p := a.Agreement.Payment
	if p.Enabled && p.Amount != nil {
		a.Log.Check(cost.Cmp(p.Amount.Rat) <= 0, finding.Warn, "R087", "cost-over-amount", at, exact.Text(cost), "at most "+exact.Text(p.Amount.Rat))
		ten := exact.Mul(cost, exact.Int(10))
		a.Log.Check(p.Amount.Rat.Cmp(ten) >= 0, finding.Note, "R109", "value-under-ten-times-cost", at, exact.Text(p.Amount.Rat), "at least "+exact.Text(ten))
	}
}
