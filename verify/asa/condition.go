package asa

import (
	"math/big"
	"regexp"

	"github.com/ark-forge/proveit/verify/asa/exact"
)

// gateForm: the first group is greedy, so that the last operator of "source_quality_gte_70" is the one that counts.
var gateForm = regexp.MustCompile(`^([a-z][a-z0-9_]*)_(gte|lte|gt|lt|eq)_([0-9]{1,9}(?:\.[0-9]{1,18})?)$`)

// condition is a threshold gate taken apart.
type condition struct {
	subject  string // a dimension, or "composite"
	operator string
	bound    *big.Rat
}

// parseGate reads a threshold gate; its subject must be a dimension or the composite.
func parseGate(s string, c Criteria) (condition, bool) {
	m := gateForm.FindStringSubmatch(s)
	if m == nil {
		return condition{}, false
	}
	bound, err := exact.Parse(m[3])
	if err != nil {
		return condition{}, false
	}
	if _, ok := c.Dimension(m[1]); !ok && m[1] != "composite" {
		return condition{}, false
	}
	return condition{m[1], m[2], bound.Rat}, true
}
