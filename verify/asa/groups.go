package asa

import (
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// processAnswers are the recomputed facts of a consensus and of the lifecycle.
func (a *audit) processAnswers() []finding.Answer {
	if a.agreement == nil || a.log.Rejected() {
		return nil
	}
	return append(a.consensusAnswers(), a.lifecycleAnswers()...)
}

// lifecycleAnswers are the state that the events lead to, what comes next, the interval of every instant that nothing states, whether the
// delivery was on time, and by how much.
func (a *audit) lifecycleAnswers() []finding.Answer {
	run := replayed(a.lifecycleInput())
	return overReadings(a.opts.Readings, []finding.Switch{finding.DeadlineBase, finding.ProviderBase}, func(rd finding.Readings) []finding.Answer {
		run.Readings = rd
		return run.answers()
	})
}

// answers are those of a replayed lifecycle under its readings.
func (r *lifecycleRun) answers() []finding.Answer {
	var list []finding.Answer
	add := func(name, value string) {
		if value != "" {
			list = append(list, finding.Answer{Name: name, Value: value})
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
	return in.answers(a.opts.Readings)
}

// answers are what the panel comes to, and whether it is the same under every reading.
func (in ConsensusInput) answers(r finding.Readings) []finding.Answer {
	return overReadings(r, consensusSwitches, func(rd finding.Readings) []finding.Answer { return named(settlementNames, in.values(rd)) })
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

// Draw repeats the draw of an evaluator from the registry with a beacon given as "sha256:" and 64 hex digits (R059). Seed, ranking and winner
// are answers of the report.
func (s Set) Draw(o Options, beacon string) (*finding.Report, Drawn, error) {
	var drawn Drawn
	r, err := s.part(o, func(a *audit) []finding.Answer {
		in := a.evaluatorsInput()
		in.Beacon = beacon
		drawn = Evaluators(in, a.log)
		return overReadings(o.Readings, []finding.Switch{finding.CanaryCmp}, func(rd finding.Readings) []finding.Answer {
			in.Readings = rd
			return Evaluators(in, &finding.Log{}).answers()
		})
	})
	return r, drawn, err
}

// Consensus combines the results by a method, "majority_vote" or "median_score", or by the agreement's where it is "" (R065).
// What they come to together are the answers of the report.
func (s Set) Consensus(o Options, method string) (*finding.Report, Agreed, error) {
	var got Agreed
	r, err := s.part(o, func(a *audit) []finding.Answer {
		in := a.consensusInput()
		if in.Method = method; method == "" {
			in.Method = text(a.agreement.Get("verification", "consensus", "method"))
		}
		if got = Consensus(in, a.log); got.Method == "" {
			return nil
		}
		return append(in.answers(o.Readings), finding.Answer{Name: "consensus_method", Value: in.Method, Robust: true})
	})
	return r, got, err
}
