package asa

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/exact"
)

// process records the rules on evaluators that span agreements: rotation (R062), the frequency of canaries (R063) and their records (R064).
// Where the agreements of one provider declare different rotations the strictest holds.
func (l *ledger) process() {
	most := map[Identity]*big.Rat{}
	byProvider, byFrequency := map[Identity][]Delivery{}, map[string][]Delivery{}
	var providers []Identity
	var frequencies []string
	for _, d := range l.deliveries {
		one := Delivery{Provider: d.provider, Evaluator: d.evaluator, At: d.at, Place: d.result.Name}
		if byProvider[d.provider] == nil {
			providers = append(providers, d.provider)
		}
		byProvider[d.provider] = append(byProvider[d.provider], one)
		if n := number(d.agreement.Get("verification", "rotation", "max_consecutive")); n != nil && (most[d.provider] == nil || n.Cmp(most[d.provider]) < 0) {
			most[d.provider] = n
		}
		if tasks := d.agreement.Get("verification", "canary_tasks"); declaredBool(tasks.Get("enabled")) == yea {
			f := text(tasks.Get("frequency"))
			if byFrequency[f] == nil {
				frequencies = append(frequencies, f)
			}
			byFrequency[f] = append(byFrequency[f], one)
		}
	}
	for _, p := range providers {
		if most[p] != nil {
			Rotation(byProvider[p], most[p], l.log)
		}
	}
	var canaries []Canary
	for _, d := range l.canaries {
		canaries = append(canaries, NewCanary(d))
	}
	canaryRecords(canaries, nil, l.log)
	for _, f := range frequencies {
		if m := canaryForm.FindStringSubmatch(f); m != nil {
			CanaryFrequency(byFrequency[f], canaries, l.canaries != nil, exact.Must(m[1]), exact.Must(m[2]), l.log)
		}
	}
}
