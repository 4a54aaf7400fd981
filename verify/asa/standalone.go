package asa

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/reference"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// standalone audits a request and its result without an agreement (R081): by the criteria of the request, or by the defaults of the
// deliverable's type. The paper gives no limit and no threshold for standalone verification; without criteria or the threshold option
// the determination is not established.
func (a *audit) standalone() {
	a.binding().CheckRequest()
	c, ok := a.standaloneCriteria()
	if !ok {
		return
	}
	for _, r := range a.Results {
		a.binding().CheckChain(r)
		settlement.CheckComposite(a.Run, c, document.Payment{}, r)
		if c.Value.Exists() {
			settlement.CheckScores(c, r, a.Log)
			settlement.CheckGates(a.Run, c, r)
		}
		settlement.CheckDetermination(a.Run, c, r)
		a.binding().CheckTrail(r)
	}
	a.binding().CheckDeliverable()
}

// standaloneCriteria are the criteria of the request, or the defaults of the deliverable's type as if they had been written there.
func (a *audit) standaloneCriteria() (document.Criteria, bool) {
	threshold, err := a.threshold()
	if err != nil {
		a.Log.Gap(finding.Reject, "R081", "threshold-option", "--threshold", document.Clip(a.opts.Threshold), "0 to 100")
		return document.Criteria{}, false
	}
	if a.Request != nil && a.Request.Get("quality_criteria").Len() > 0 {
		c := document.ReadCriteria(a.Request.Get("quality_criteria"))
		if threshold != nil {
			c.Threshold = threshold
		}
		return c, true
	}
	set, ok := a.defaultSet()
	if !ok {
		return document.Criteria{}, false
	}
	c := document.Criteria{Method: "weighted_average", Threshold: threshold}
	for i, name := range set.Dimensions {
		for _, r := range a.Results {
			if _, ok := r.Score(name); !ok && reference.LongName[name] != "" {
				name = reference.LongName[name]
			}
		}
		c.Dimensions = append(c.Dimensions, document.Dimension{Name: name, Weight: big.NewRat(set.Weights[i], 100), Metric: "percentage"})
	}
	return c, true
}

func (a *audit) threshold() (*big.Rat, error) {
	if a.opts.Threshold == "" {
		return nil, nil
	}
	d, err := exact.Parse(a.opts.Threshold)
	if err == nil && (d.Rat.Sign() < 0 || d.Rat.Cmp(exact.Int(100)) > 0) {
		err = exact.ErrNumber
	}
	return d.Rat, err
}

// defaultSet takes the deliverable type from the options or the request; without one it is general, and a note says so.
func (a *audit) defaultSet() (reference.DefaultSet, bool) {
	kind := a.opts.Type
	at := "--type"
	if kind == "" && a.Request != nil {
		kind, at = document.Text(a.Request.Get("deliverable", "type")), a.Request.At("deliverable", "type")
	}
	if kind == "" {
		a.Log.Gap(finding.Note, "R081", "general-by-default", at, "", "general")
		kind = "general"
	}
	set, ok := reference.Defaults(kind)
	a.Log.Check(ok, finding.Error, "R081", "unknown-type", at, document.Clip(kind), "text/research | text/analysis | code | data | translation | general")
	return set, ok
}
