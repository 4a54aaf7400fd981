package asa

import (
	"testing"

	"github.com/ark-forge/proveit/verify/asa/finding"
)

// "hybrid" is an alias of "composite" (R005), so that the two do not differ (R069).
func TestR069_EvaluatorAlias(t *testing.T) {
	const declared = `"type": "agent_as_judge"`
	of := func(agreement, request, result string) []change {
		return []change{
			{"agreement.json", declared, `"type": "` + agreement + `"`}, {"request.json", `"agent_as_judge"`, `"` + request + `"`}, {"result.json", declared, `"type": "` + result + `"`},
		}
	}
	wantNone(t, mustAudit(t, altered(t, of("composite", "composite", "hybrid")...), Options{}), "asa/R069/")
	wantNone(t, mustAudit(t, altered(t, of("hybrid", "composite", "composite")...), Options{}), "asa/R069/")
	wantFinding(t, mustAudit(t, altered(t, of("hybrid", "hybrid", "deterministic")...), Options{}), finding.Error, "asa/R069/evaluator-type", "deterministic", "hybrid")
}

// An agreement without a composite method means the weighted average (R012); a result by another method is not of it.
func TestR069_DefaultMethod(t *testing.T) {
	absent := change{"agreement.json", "\n    \"composite_method\": \"weighted_average\",", ""}
	wantNone(t, mustAudit(t, altered(t, absent), Options{}), "asa/R069/")
	r := mustAudit(t, altered(t, absent, change{"result.json", `"method": "weighted_average"`, `"method": "harmonic_mean"`}), Options{})
	wantFinding(t, r, finding.Error, "asa/R069/method", "harmonic_mean", "weighted_average")
}
