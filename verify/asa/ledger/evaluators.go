package ledger

import (
	"math/big"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/evaluators"
	"github.com/ark-forge/proveit/verify/asa/exact"
)

// process records the rules on evaluators that span agreements: rotation (R062), the frequency of canaries (R063) and their records (R064).
// Where the agreements of one provider declare different rotations the strictest holds.
func (l *ledger) process() {
	most := map[document.Identity]*big.Rat{}
	byProvider, byFrequency := map[document.Identity][]evaluators.Delivery{}, map[string][]evaluators.Delivery{}
	var providers []document.Identity
	var frequencies []string
	for _, d := range l.deliveries {
		one := evaluators.Delivery{Provider: d.provider, Evaluator: d.evaluator, At: d.at, Place: d.result.Name}
		if byProvider[d.provider] == nil {
			providers = append(providers, d.provider)
		}
		byProvider[d.provider] = append(byProvider[d.provider], one)
		if n := document.Number(d.agreement.Get("verification", "rotation", "max_consecutive")); n != nil && (most[d.provider] == nil || n.Cmp(most[d.provider]) < 0) {
			most[d.provider] = n
		}
		if tasks := d.agreement.Get("verification", "canary_tasks"); document.DeclaredBool(tasks.Get("enabled")) == document.True {
			f := document.Text(tasks.Get("frequency"))
			if byFrequency[f] == nil {
				frequencies = append(frequencies, f)
			}
			byFrequency[f] = append(byFrequency[f], one)
		}
	}
	for _, p := range providers {
		if most[p] != nil {
			evaluators.Rotation(byProvider[p], most[p], l.log)
		}
	}
	var canaries []evaluators.Canary
	for _, d := range l.canaries {
		canaries = append(canaries, evaluators.NewCanary(d))
	}
	evaluators.CanaryRecords(canaries, nil, l.log)
	for _, f := range frequencies {
		if m := document.CanaryForm.FindStringSubmatch(f); m != nil {
			evaluators.CanaryFrequency(byFrequency[f], canaries, l.canaries != nil, exact.Must(m[1]), exact.Must(m[2]), l.log)
		}
	}
}
