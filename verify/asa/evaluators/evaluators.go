package evaluators

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/policy"
)

// Input is what the rules on evaluators read. What is nil is missing.
type Input struct {
	Agreement *document.Agreement
	Registry  *document.Document // evaluators.json
	Agents    *document.Document // agents.json
	Canaries  []*document.Document
	Events    []document.Event
	Results   []*document.Result
	Policy    *policy.Policy   // wins over the agreement and the registry; nil for none
	Beacon    string           // "sha256:…" of the draw; "" to take it from the evaluator_assigned event
	Readings  finding.Readings // the readings under which findings are made
	All       bool             // also record gaps that exist only under other readings
}

// panel is one agreement's evaluators while they are judged.
type panel struct {
	Input
	log              *finding.Log
	registry, agents []Agent
	client, provider Agent
	mode             string // "fixed", "random_from_pool", "mutual_agreement" or "marketplace"
	policy           qualification
	names            map[string]Agent // by "scheme:value" and by value
}

// qualification is what qualifies for the pool.
type qualification struct {
	evaluations *big.Rat
	rate        *big.Rat // share of canaries passed, to be exceeded
	deviation   *big.Rat // nil where undeclared
}

// Judge records R057 to R064 and R066 to R068 of one agreement and gives the draw, where there is one to make.
func Judge(in Input, l *finding.Log) Drawn {
	if in.Agreement == nil {
		return Drawn{}
	}
	p := &panel{Input: in, log: l, registry: agentsOf(in.Registry, "evaluators"), agents: agentsOf(in.Agents, "agents")}
	p.client, _ = lookUp(in.Agreement.Party("client"), in.Agreement.At("parties", "client"), p.agents)
	p.provider, _ = lookUp(in.Agreement.Party("provider"), in.Agreement.At("parties", "provider"), p.agents)
	p.mode = document.Text(in.Agreement.Get("verification", "evaluator_selection", "mode"))
	if p.mode == "" {
		p.mode = "fixed"
	}
	p.policy = p.readPolicy()
	p.checkParties()
	judges := p.assigned()
	if len(judges) == 0 && document.SignedStates[in.Agreement.Status] && in.Agreement.Status != "active" {
		l.Missing("R057", "no-evaluator", in.Agreement.At("parties", "evaluator"), "an evaluator")
	}
	for _, e := range judges {
		p.checkIndependence(e)
		p.checkModel(e)
		p.checkQualified("R058", e)
	}
	drawn := p.checkDraw()
	p.checkMutual()
	p.checkMarketplace()
	p.checkBackup()
	p.checkRotation()
	p.checkCanaries()
	p.checkCalibration()
	return drawn
}

// readPolicy takes the auditor's policy before the agreement's criteria, those before the registry's policy, and the paper's defaults
// (§3.6) where none says anything.
func (p *panel) readPolicy() qualification {
	value := func(name string) *big.Rat {
		if r := p.Policy.Value(name); r != nil {
			return r
		}
		if r := document.AnyNumber(p.Agreement.Get("verification", "evaluator_selection", "criteria", name)); r != nil {
			return r
		}
		if p.Registry != nil {
			return document.AnyNumber(p.Registry.Get("policy", name))
		}
		return nil
	}
	out := qualification{value("min_evaluations"), value("canary_rate_gt"), value("max_calibration_deviation")}
	if out.evaluations == nil {
		out.evaluations = exact.Int(50)
	}
	if out.rate == nil {
		out.rate = exact.Must("0.90")
	}
	return out
}

// assigned are the evaluators that the agreement and its results name, each once.
func (p *panel) assigned() []Agent {
	var found []Agent
	add := func(v canon.Value, place, model string) {
		i := document.ReadIdentity(v)
		if !i.Exists() || slices.ContainsFunc(found, func(a Agent) bool { return a.Identity.Normal() == i.Normal() }) {
			return
		}
		a, _ := lookUp(i, place, p.registry, p.agents)
		a.Place = place
		if a.Model == "" {
			a.Model = model
		}
		found = append(found, a)
	}
	add(p.Agreement.Get("parties", "evaluator", "identity"), p.Agreement.At("parties", "evaluator"), document.Text(p.Agreement.Get("parties", "evaluator", "config", "model")))
	for i, r := range p.Results {
		if i < 100 {
			add(r.Get("evaluator", "identity"), r.At("evaluator"), document.Text(r.Get("evaluator", "model")))
		}
	}
	return found
}

// checkParties records that client and provider are two.
func (p *panel) checkParties() {
	c, s := p.client.Identity, p.provider.Identity
	if c.Exists() && s.Exists() && c.Scheme == s.Scheme {
		p.log.Check(c.Normal() != s.Normal(), finding.Error, "R057", "client-is-provider", p.Agreement.At("parties", "provider", "identity"), document.Clip(s.String()), "not the client")
	}
}

// checkIndependence records R057 of one evaluator against both parties.
func (p *panel) checkIndependence(e Agent) {
	recordTies("R057", e.Place, e, p.client, "client", p.log)
	recordTies("R057", e.Place, e, p.provider, "provider", p.log)
}

// checkModel records R066: a model does not judge its own output, unless a fine-tuned judge is declared.
func (p *panel) checkModel(e Agent) {
	tuned := document.DeclaredBool(p.Agreement.Get("metadata", "fine_tuned_judge")) == document.True || document.DeclaredBool(e.Value.Get("fine_tuned_judge")) == document.True
	switch {
	case document.Text(p.Agreement.Get("parties", "evaluator", "type")) == "deterministic":
		p.log.NA("R066")
	case e.Model == "" || p.provider.Model == "":
		p.log.Missing("R066", "model-unknown", e.Place, "the model of evaluator and provider")
	case tuned:
		p.log.NA("R066")
	default:
		p.log.Check(e.Model != p.provider.Model, finding.Error, "R066", "same-model", e.Place, document.Clip(e.Model), "not the provider's model")
	}
}

// shortfall says why an evaluator does not qualify, or is "" and a verdict that may not be established.
func (p *panel) shortfall(e Agent, rd finding.Readings) (document.Verdict, string) {
	out := document.True
	rate := e.canaryRate()
	if e.Evaluations == nil || rate == nil || e.Deviation == nil && p.policy.deviation != nil {
		out = document.Unknown
	}
	if e.Evaluations != nil && e.Evaluations.Cmp(p.policy.evaluations) < 0 {
		return document.False, exact.Text(e.Evaluations) + " evaluations, want at least " + exact.Text(p.policy.evaluations)
	}
	if rate != nil {
		sign := rate.Cmp(p.policy.rate)
		if sign < 0 || sign == 0 && rd.Is(finding.CanaryCmp, "greater") {
			return document.False, exact.Text(e.Passed) + "/" + exact.Text(e.Total) + " canaries, want more than " + exact.Text(p.policy.rate)
		}
	}
	if e.Deviation != nil && p.policy.deviation != nil && e.Deviation.Cmp(p.policy.deviation) > 0 {
		return document.False, "calibration deviation " + exact.Text(e.Deviation) + ", want at most " + exact.Text(p.policy.deviation)
	}
	return out, ""
}

// checkQualified records R058 of an evaluator that was chosen from the pool.
func (p *panel) checkQualified(requirement string, e Agent) {
	if p.mode == "fixed" {
		p.log.NA(requirement)
		return
	}
	if p.Registry == nil {
		p.log.Missing(requirement, "input-missing", "evaluators.json", "a registry of evaluators")
		return
	}
	p.log.Walk(p.Readings, p.All, func(rd finding.Readings, l *finding.Log) {
		switch v, why := p.shortfall(e, rd); v {
		case document.True:
			l.OK(requirement)
		case document.False:
			l.Gap(finding.Error, requirement, "not-qualified", e.Place, why, "a qualified evaluator")
		default:
			l.Missing(requirement, "record-unknown", e.Place, "evaluations, canary results and calibration_deviation in evaluators.json")
		}
	}, finding.CanaryCmp)
	if p.policy.deviation == nil {
		p.log.Missing(requirement, "no-calibration-limit", p.Registry.At("policy", "max_calibration_deviation"), "a declared maximum")
	}
}

// assignments are the first evaluator_assigned event and those after a hold.
func (p *panel) assignments() (first document.Event, backups []document.Event) {
	holds := 0
	for _, e := range p.Events {
		switch {
		case e.Type == "timeout" && document.Text(e.Data("party")) == "evaluator":
			holds++
		case e.Type == "evaluator_assigned" && holds == 0 && !first.Exists():
			first = e
		case e.Type == "evaluator_assigned" && holds > 0:
			backups = append(backups, e)
		}
	}
	return first, backups
}

// named finds whom an event means: by "scheme:value", by the value alone, or by an identity object.
func (p *panel) named(v canon.Value, place string) Agent {
	if s := document.Text(v); s != "" {
		return p.namedText(s, place)
	}
	a, _ := lookUp(document.ReadIdentity(v), place, p.registry, p.agents)
	a.Place = place
	return a
}

func (p *panel) namedText(s, place string) Agent {
	if p.names == nil {
		p.names = map[string]Agent{}
		for _, list := range [][]Agent{p.assigned(), p.agents, p.registry} { // what the registry says comes last and stays
			for _, a := range list {
				p.names[a.String()], p.names[a.Identity.Value] = a, a
			}
		}
	}
	a, ok := p.names[s]
	if !ok {
		a.Scheme, a.Identity.Value, _ = strings.Cut(s, ":")
	}
	a.Place = place
	return a
}
