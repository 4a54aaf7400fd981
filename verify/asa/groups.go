package asa

import (
	"slices"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// processAnswers are the recomputed facts of a consensus and of the lifecycle: the state that the events lead to, whether the delivery was on time and by how
// much, what comes next, and the interval of every instant that nothing states.
func (a *audit) processAnswers() []finding.Answer {
	if a.agreement == nil || a.log.Rejected() {
		return nil
	}
	out := Lifecycle(a.lifecycleInput(), &finding.Log{})
	list := a.consensusAnswers()
	add := func(name, value string) {
		if value != "" {
			list = append(list, finding.Answer{Name: name, Value: value, Robust: true})
		}
	}
	add("state", out.State)
	for _, d := range out.Deadlines {
		add("next_"+d.Name, exact.InstantText(d.At))
	}
	for _, i := range out.Intervals {
		add("feasible_"+i.Name, i.String())
	}
	first := len(list)
	add("on_time", out.OnTime)
	add("delivery_margin_seconds", exact.Text(out.Margin))
	for rd := range a.opts.Readings.Lattice(finding.DeadlineBase) {
		in := a.lifecycleInput()
		in.Readings = rd
		other := Lifecycle(in, &finding.Log{})
		values := []string{other.OnTime, exact.Text(other.Margin)}
		for i := range list[first:] {
			if f := &list[first+i]; f.Value != values[i] {
				f.Robust = false
				f.Readings = append(f.Readings, changed(a.opts.Readings, rd)+" -> "+orDash(values[i]))
				slices.Sort(f.Readings)
			}
		}
	}
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
