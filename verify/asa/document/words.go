package document

import (
	"regexp"

	"github.com/ark-forge/proveit/canon"
)

// CanaryForm is the frequency of canary tasks: "k_per_M_deliveries" (R063).
var CanaryForm = regexp.MustCompile(`^([1-9][0-9]{0,8})_per_([1-9][0-9]{0,8})_deliveries$`)

// States are the states of an agreement, the main line first.
var States = []string{"proposed", "negotiating", "active", "delivered", "verified", "closed", "rejected", "disputed", "expired"}

// AmountForm is a decimal amount as text: no sign, no leading zero, at most 80 digits before the point and 18 after it (R015). The paper
// has no bound before the point; ours is within what exact.Parse reads.
var AmountForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,79})(\.[0-9]{1,18})?$`)

// TimeoutActions are what an evaluator timeout can do.
var TimeoutActions = []string{"hold_for_backup_evaluator", "split_50_50", "return_to_client", "release_to_provider"}

// TimeoutAction is what happens when the evaluator does not answer: "hold_for_backup_evaluator" where the document does not say.
func (a *Agreement) TimeoutAction() string {
	if s := Text(a.Get("escrow", "dead_mans_switch", "timeout_action")); s != "" {
		return s
	}
	return TimeoutActions[0]
}

// EvaluatorType is a type of evaluator by its own name: "hybrid" is the public library's word for "composite" (R005).
func EvaluatorType(v canon.Value) string {
	if s := Text(v); s != "hybrid" {
		return s
	}
	return "composite"
}
