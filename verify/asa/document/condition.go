package document

import (
	"math/big"
	"regexp"

	"github.com/ark-forge/proveit/verify/asa/exact"
)

// gateForm: the first group is greedy, so that the last operator of "source_quality_gte_70" is the one that counts.
var gateForm = regexp.MustCompile(`^([a-z][a-z0-9_]*)_(gte|lte|gt|lt|eq)_([0-9]{1,9}(?:\.[0-9]{1,18})?)$`)

// Condition is a threshold gate taken apart.
type Condition struct {
	Subject  string // a dimension, or "composite"
	Operator string
	Bound    *big.Rat
}

// ParseGate reads a threshold gate; its subject must be a dimension or the composite.
func ParseGate(s string, c Criteria) (Condition, bool) {
	m := gateForm.FindStringSubmatch(s)
	if m == nil {
		return Condition{}, false
	}
	bound, err := exact.Parse(m[3])
	if err != nil {
		return Condition{}, false
	}
	if _, ok := c.Dimension(m[1]); !ok && m[1] != "composite" {
		return Condition{}, false
	}
	return Condition{m[1], m[2], bound.Rat}, true
}
