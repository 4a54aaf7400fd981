// Package policy reads what whoever audits decides for every audit: how the paper is read, and what qualifies an evaluator for the pool.
package policy

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Policy is what whoever audits decides for every audit: how the paper is read, and what qualifies an evaluator for the pool. It wins over
// the documents. On disk it is
//
//	{"readings": {"gate.pay": "tier"}, "evaluators": {"min_evaluations": 100, "canary_rate_gt": "0.95", "max_calibration_deviation": "5"}}
//
// with every member optional.
type Policy struct {
	Readings   finding.Readings
	evaluators canon.Value
	Input      finding.Input
}

// Read reads a policy. The error is a *Refusal, an *OptionError or a *finding.ReadingError; a policy with a member that it may not
// have is none.
func Read(f document.File, jsonc bool) (*Policy, error) {
	d, err := document.Read(f.Name, f.Bytes, jsonc)
	if err != nil {
		return nil, err
	}
	p := &Policy{evaluators: d.Get("evaluators"), Input: finding.Input{Path: f.Name, SHA256: canon.Sum(f.Bytes)}}
	if err := onlyMembers(d, d.Root, "readings", "evaluators"); err != nil {
		return nil, err
	}
	if p.evaluators.Exists() {
		if err := onlyMembers(d, p.evaluators, policyNames...); err != nil {
			return nil, err
		}
		for _, v := range p.evaluators.Members() {
			if r := document.AnyNumber(v); r == nil || r.Sign() < 0 {
				return nil, &document.OptionError{Name: "policy", Found: d.Place(v) + " " + document.Shown(v), Want: "a number >= 0"}
			}
		}
	}
	if !d.Get("readings").Exists() {
		return p, nil
	}
	if err := onlyMembers(d, d.Get("readings"), switchNames()...); err != nil {
		return nil, err
	}
	for name, v := range d.Get("readings").Members() {
		if err := p.Readings.Set(name + "=" + document.Text(v)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

var policyNames = []string{"min_evaluations", "canary_rate_gt", "max_calibration_deviation"}

func switchNames() []string {
	var names []string
	for _, s := range finding.Switches() {
		names = append(names, s.String())
	}
	return names
}

func onlyMembers(d *document.Document, v canon.Value, names ...string) error {
	if v.Kind() != canon.Object {
		return &document.OptionError{Name: "policy", Found: d.Place(v) + " " + document.Shown(v), Want: "an object"}
	}
	for name, member := range v.Members() {
		if !slices.Contains(names, name) {
			return &document.OptionError{Name: "policy", Found: d.Place(member), Want: "one of the members " + strings.Join(names, ", ")}
		}
	}
	return nil
}

// Value is a number of the policy, or nil; it may be called on nil.
func (p *Policy) Value(name string) *big.Rat {
	if p == nil {
		return nil
	}
	return document.AnyNumber(p.evaluators.Get(name))
}
