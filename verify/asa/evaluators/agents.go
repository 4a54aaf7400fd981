package evaluators

import (
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Agent is one entry of agents.json or evaluators.json, read for computing. Whatever is absent or malformed is nil or empty.
type Agent struct {
	document.Identity
	Value   canon.Value
	Place   string // "evaluators.json#/evaluators/0", or where the agreement names somebody whom no file describes
	Org     string // "" where not given
	Model   string
	Lineage Lineage

	Domains       []string // what follows is of evaluators only
	Evaluations   *big.Rat
	Passed, Total *big.Rat // of canary tasks
	Deviation     *big.Rat // calibration_deviation, in points
	Cost          *big.Rat
	Available     document.Verdict
}

// Lineage is what is known of the chains of custody behind an agent: coc_root and coc_ancestors.
type Lineage struct {
	Stated bool     // a root is given, or null, which declares that there is no chain
	Roots  []string // root and ancestors, in lower case
}

func readAgent(d *document.Document, v canon.Value) Agent {
	a := Agent{
		Identity: document.ReadIdentity(v.Get("identity")), Value: v, Place: d.Place(v), Org: document.Text(v.Get("org")), Model: document.Text(v.Get("model")), Lineage: readLineage(v),
		Evaluations: document.Number(v.Get("evaluations")), Passed: document.Number(document.Get(v, "canary", "passed")), Total: document.Number(document.Get(v, "canary", "total")),
		Deviation: document.AnyNumber(v.Get("calibration_deviation")), Cost: document.AnyNumber(v.Get("cost_usd")), Available: document.DeclaredBool(v.Get("available")),
	}
	for i, e := range v.Get("domains").Elements() {
		if i < document.MaxItems {
			a.Domains = append(a.Domains, document.Text(e))
		}
	}
	return a
}

func readLineage(v canon.Value) Lineage {
	root := v.Get("coc_root")
	l := Lineage{Stated: root.Kind() == canon.Null || document.Text(root) != ""}
	if s := document.Text(root); s != "" {
		l.Roots = append(l.Roots, document.Lower(s))
	}
	for i, e := range v.Get("coc_ancestors").Elements() {
		if s := document.Text(e); s != "" && i < document.MaxItems {
			l.Roots = append(l.Roots, document.Lower(s))
		}
	}
	return l
}

// agentsOf reads the list of that name; beyond MaxItems the rest is left out.
func agentsOf(d *document.Document, list string) []Agent {
	if d == nil {
		return nil
	}
	var all []Agent
	for i, v := range d.Get(list).Elements() {
		if i >= document.MaxItems {
			break
		}
		all = append(all, readAgent(d, v))
	}
	return all
}

// lookUp finds an identity in some lists; the zero Agent with that identity where no list describes it.
func lookUp(i document.Identity, place string, lists ...[]Agent) (Agent, bool) {
	for _, list := range lists {
		for _, a := range list {
			if a.Identity.Normal() == i.Normal() {
				return a, true
			}
		}
	}
	return Agent{Identity: i, Place: place}, false
}

// tie is one thing that two agents share, or that cannot be told.
type tie struct {
	slug    string
	shared  bool // false: not established
	a, b    string
	missing string // what is missing
}

// ties lists what stands against the independence of two agents (R057): one identity, one organisation, one lineage.
func ties(a, b Agent) []tie {
	var found []tie
	switch {
	case !a.Identity.Exists() || !b.Identity.Exists():
		found = append(found, tie{slug: "no-identity", missing: "two identities"})
	case a.Scheme != b.Scheme:
		found = append(found, tie{slug: "schemes-differ", a: a.Scheme, b: b.Scheme, missing: "identities under one scheme"})
	case a.Identity.Normal() == b.Identity.Normal():
		found = append(found, tie{slug: "same-identity", shared: true, a: a.String(), b: b.String()})
	}
	switch {
	case a.Org == "" || b.Org == "":
		found = append(found, tie{slug: "no-org", missing: "the organisation of both"})
	case a.Org == b.Org:
		found = append(found, tie{slug: "same-org", shared: true, a: a.Org, b: b.Org})
	}
	if !a.Lineage.Stated || !b.Lineage.Stated {
		return append(found, tie{slug: "no-lineage", missing: "coc_root of both, null where there is no chain"})
	}
	roots := map[string]bool{}
	for _, r := range a.Lineage.Roots {
		roots[r] = true
	}
	for _, r := range b.Lineage.Roots {
		if roots[r] {
			return append(found, tie{slug: "same-lineage", shared: true, a: r, b: r})
		}
	}
	return found
}

// independent is ties as a verdict.
func independent(a Agent, others ...Agent) document.Verdict {
	all := document.True
	for _, o := range others {
		for _, t := range ties(a, o) {
			if t.shared {
				return document.False
			}
			all = document.Unknown
		}
	}
	return all
}

// recordTies records R057, or another requirement that rests on it, for two agents; place is where the first stands.
func recordTies(requirement, place string, a, b Agent, who string, l *finding.Log) {
	found := ties(a, b)
	for _, t := range found {
		if t.shared {
			l.Gap(finding.Error, requirement, t.slug, place, document.Clip(t.a), "not that of "+who)
		} else {
			l.Missing(requirement, t.slug, place, t.missing+" ("+who+")")
		}
	}
	if len(found) == 0 {
		l.OK(requirement)
	}
}

// canaryRate is passed/total, or nil where there were none or where the two cannot be: more passed than there were.
func (a Agent) canaryRate() *big.Rat {
	if a.Passed == nil || a.Total == nil || a.Total.Sign() <= 0 || a.Passed.Sign() < 0 || a.Passed.Cmp(a.Total) > 0 {
		return nil
	}
	return exact.Quo(a.Passed, a.Total)
}
