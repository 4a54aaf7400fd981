package asa

import (
	"slices"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// processAnswers are the recomputed facts of a consensus and of the lifecycle: the state that the events lead to, what comes next, the
// interval of every instant that nothing states, whether the delivery was on time, and by how much.
func (a *audit) processAnswers() []finding.Answer {
	if a.agreement == nil || a.log.Rejected() {
		return nil
	}
	run := replayed(a.lifecycleInput())
	list := run.answers()
	for rd := range a.opts.Readings.Lattice(finding.DeadlineBase, finding.ProviderBase) {
		run.Readings = rd
		other := map[string]string{}
		for _, o := range run.answers() {
			other[o.Name] = o.Value
		}
		for i := range list {
			if f := &list[i]; f.Value != other[f.Name] {
				f.Robust = false
				f.Readings = append(f.Readings, changed(a.opts.Readings, rd)+" -> "+orDash(other[f.Name]))
				slices.Sort(f.Readings)
			}
		}
	}
	return append(a.consensusAnswers(), list...)
}

// answers are those of a replayed lifecycle under its readings.
func (r *lifecycleRun) answers() []finding.Answer {
	var list []finding.Answer
	add := func(name, value string) {
		if value != "" {
			list = append(list, finding.Answer{Name: name, Value: value, Robust: true})
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

// consensusAnswers are what several results on one deliverable come to together, and whether it is the same under every reading.
func (a *audit) consensusAnswers() []finding.Answer {
	if a.agreement == nil || a.log.Rejected() || len(a.results) < 2 || len(a.results) > maxPanel || !a.agreement.Get("verification", "consensus").Exists() {
		return nil
	}
	in := a.consensusInput()
	in.Method = text(a.agreement.Get("verification", "consensus", "method"))
	names := []string{"composite", "determination", "release_percent", "to_provider", "to_client"}
	base := in.values(a.opts.Readings)
	list := make([]finding.Answer, len(names))
	for i, name := range names {
		list[i] = finding.Answer{Name: name, Value: base[i], Robust: true}
	}
	for rd := range a.opts.Readings.Lattice(consensusSwitches...) {
		for i, value := range in.values(rd) {
			if value != base[i] {
				list[i].Robust = false
				list[i].Readings = append(list[i].Readings, changed(a.opts.Readings, rd)+" -> "+orDash(value))
			}
		}
	}
	for i := range list {
		slices.Sort(list[i].Readings)
	}
	return list
}

// values are the answers of a consensus under some readings.
func (in ConsensusInput) values(rd finding.Readings) []string {
	got, p := in.agree(rd), in.Agreement.Payment
	out := []string{"", got.Verdict, "", "", ""}
	if got.Composite != nil {
		out[0] = shortText(got.Composite)
	}
	if got.Percent != nil {
		out[2] = shortText(got.Percent)
		if p.Amount != nil {
			provider, client := p.split(got.Percent)
			out[3], out[4] = p.money(provider), p.money(client)
		}
	}
	return out
}

// Draw repeats the draw of an evaluator from the registry with a beacon given as "sha256:" and 64 hex digits (R059).
func (s Set) Draw(o Options, beacon string) (*finding.Report, Drawn, error) {
	var drawn Drawn
	r, err := s.part(o, func(a *audit) {
		in := a.evaluatorsInput()
		in.Beacon = beacon
		drawn = Evaluators(in, a.log)
	})
	return r, drawn, err
}

// Consensus combines the results by a method, "majority_vote" or "median_score", or by the agreement's where it is "" (R065).
func (s Set) Consensus(o Options, method string) (*finding.Report, Agreed, error) {
	var got Agreed
	r, err := s.part(o, func(a *audit) {
		in := a.consensusInput()
		in.Method = method
		got = Consensus(in, a.log)
	})
	return r, got, err
}
