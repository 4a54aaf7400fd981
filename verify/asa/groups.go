package asa

import (
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/evaluators"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/lifecycle"
	"github.com/ark-forge/proveit/verify/asa/negotiation"
)

// processAnswers are the recomputed facts of a consensus and of the lifecycle.
func (a *audit) processAnswers() []finding.Answer {
	if a.Agreement == nil || a.Log.Rejected() {
		return nil
	}
	return append(a.consensusAnswers(), a.lifecycleAnswers()...)
}

// lifecycleAnswers are the state that the events lead to, what comes next, the interval of every instant that nothing states, whether the
// delivery was on time, and by how much.
func (a *audit) lifecycleAnswers() []finding.Answer {
	run := lifecycle.Replay(a.lifecycleInput())
	return overReadings(a.opts.Readings, []finding.Switch{finding.DeadlineBase, finding.ProviderBase}, func(rd finding.Readings) []finding.Answer {
		run.Readings = rd
		return run.Answers()
	})
}

// consensusAnswers are what several results on one deliverable come to together, and whether it is the same under every reading.
func (a *audit) consensusAnswers() []finding.Answer {
	if a.Agreement == nil || a.Log.Rejected() || len(a.Results) < 2 || len(a.Results) > evaluators.MaxPanel || !a.Agreement.Get("verification", "consensus").Exists() {
		return nil
	}
	in := a.consensusInput()
	in.Method = document.Text(a.Agreement.Get("verification", "consensus", "method"))
	return consensusAnswers(in, a.opts.Readings)
}

// answers are what the panel comes to, and whether it is the same under every reading.
func consensusAnswers(in evaluators.ConsensusInput, r finding.Readings) []finding.Answer {
	return overReadings(r, evaluators.ConsensusSwitches, func(rd finding.Readings) []finding.Answer { return named(settlementNames, in.Values(rd)) })
}

// Draw repeats the draw of an evaluator from the registry with a beacon given as "sha256:" and 64 hex digits (R059). Seed, ranking and winner
// are answers of the report.
func Draw(s folder.Set, o Options, beacon string) (*finding.Report, evaluators.Drawn, error) {
	var drawn evaluators.Drawn
	r, err := part(s, o, func(a *audit) []finding.Answer {
		in := a.evaluatorsInput()
		in.Beacon = beacon
		drawn = evaluators.Judge(in, a.Log)
		return overReadings(o.Readings, []finding.Switch{finding.CanaryCmp}, func(rd finding.Readings) []finding.Answer {
			in.Readings = rd
			return evaluators.Judge(in, &finding.Log{}).Answers()
		})
	})
	return r, drawn, err
}

// Consensus combines the results by a method, "majority_vote" or "median_score", or by the agreement's where it is "" (R065).
// What they come to together are the answers of the report.
func Consensus(s folder.Set, o Options, method string) (*finding.Report, evaluators.Agreed, error) {
	var got evaluators.Agreed
	r, err := part(s, o, func(a *audit) []finding.Answer {
		in := a.consensusInput()
		if in.Method = method; method == "" {
			in.Method = document.Text(a.Agreement.Get("verification", "consensus", "method"))
		}
		if got = evaluators.Consensus(in, a.Log); got.Method == "" {
			return nil
		}
		return append(consensusAnswers(in, o.Readings), finding.Answer{Name: "consensus_method", Value: in.Method, Robust: true})
	})
	return r, got, err
}

// negotiation records R042 to R056 of an audit.
func (a *audit) negotiation() negotiation.Negotiated {
	came := negotiation.Judge(negotiation.Input{
		Messages: a.Messages, Proposal: a.Proposal, Agreement: a.Agreement, Market: a.Market,
		AsOf: a.asOf, Readings: a.opts.Readings, All: a.opts.All,
	}, a.Log)
	negotiation.Budgets(a.Agreement, a.Children, a.Log)
	return came
}

// lifecycle records R029 to R041 of an audit.
func (a *audit) lifecycle() { lifecycle.Judge(a.lifecycleInput(), a.Log) }

func (a *audit) lifecycleInput() lifecycle.Input {
	return lifecycle.Input{
		Agreement: a.Agreement, Proposal: a.Proposal, Events: a.Events, Results: a.Results, AsOf: a.asOf, Readings: a.opts.Readings, All: a.opts.All,
	}
}

// evaluators records R057 to R068 of an audit.
func (a *audit) evaluators() {
	evaluators.Judge(a.evaluatorsInput(), a.Log)
	evaluators.Consensus(a.consensusInput(), a.Log)
}

func (a *audit) consensusInput() evaluators.ConsensusInput {
	return evaluators.ConsensusInput{
		Agreement: a.Agreement, Registry: a.Registry, Agents: a.Agents, Results: a.Results, Events: a.Events, Readings: a.opts.Readings, All: a.opts.All,
	}
}

func (a *audit) evaluatorsInput() evaluators.Input {
	return evaluators.Input{
		Agreement: a.Agreement, Registry: a.Registry, Agents: a.Agents, Canaries: a.Canaries, Events: a.Events, Results: a.Results,
		Policy: a.opts.Policy, Readings: a.opts.Readings, All: a.opts.All,
	}
}
