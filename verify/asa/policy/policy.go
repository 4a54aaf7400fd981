// Package policy reads what whoever audits decides for every audit: how the paper is read, and what qualifies an evaluator for the pool.
package policy

import (
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/form"
)

// Policy is what whoever audits decides for every audit. It wins over the documents. On disk it is
//
//	{"readings": {"gate.pay": "tier"}, "evaluators": {"min_evaluations": 100, "canary_rate_gt": "0.95", "max_calibration_deviation": "5"}}
//
// with every member optional and no other.
type Policy struct {
	Readings   finding.Readings
	evaluators canon.Value
	Input      finding.Input
}

// Read reads a policy, whose form is that of the schema asa-policy. The error is a *document.Refusal or a *document.OptionError that names
// the first place that has another form.
func Read(f document.File, jsonc bool) (*Policy, error) {
	d, err := document.Read(f.Name, f.Bytes, jsonc)
	if err != nil {
		return nil, err
	}
	log := &finding.Log{}
	form.Named("asa-policy").Validate(d, log)
	if log.Rejected() {
		wrong := log.Refusals()[0]
		found := wrong.At
		if wrong.Declared != "" && finding.Requirement(wrong.ID) != "R019" {
			found += " " + wrong.Declared
		}
		return nil, &document.OptionError{Name: "policy", Found: found, Want: wrong.Recomputed}
	}
	p := &Policy{evaluators: d.Get("evaluators"), Input: finding.Input{Path: f.Name, SHA256: canon.Sum(f.Bytes)}}
	for name, v := range d.Get("readings").Members() {
		if err := p.Readings.Set(name + "=" + document.Text(v)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Value is a number of the policy, or nil; it may be called on nil.
func (p *Policy) Value(name string) *big.Rat {
	if p == nil {
		return nil
	}
	return document.AnyNumber(p.evaluators.Get(name))
}
