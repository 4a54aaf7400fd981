package document

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/exact"
)

// gateForm: the first group is greedy, so that the last operator of "source_quality_gte_70" is the one that counts.
var gateForm = regexp.MustCompile(`^([a-z][a-z0-9_]*)_(gte|lte|gt|lt|eq)_([0-9]+(?:\.[0-9]+)?)$`)

// Condition is a threshold gate taken apart.
type Condition struct {
	Subject  string // a dimension, or "composite"
	Operator string
	Bound    *big.Rat
}

// ParseGate reads a threshold gate; its subject must be a dimension or the composite, its number one that exact.Parse reads.
func ParseGate(s string, c Criteria) (Condition, bool) {
	m := gateForm.FindStringSubmatch(s)
	if m == nil {
		return Condition{}, false
	}
	number := strings.TrimLeft(m[3], "0") // the paper's conditions are names: 080 is 80
	if number == "" || number[0] == '.' {
		number = "0" + number
	}
	bound, err := exact.Parse(number)
	if err != nil {
		return Condition{}, false
	}
	if _, ok := c.Dimension(m[1]); !ok && m[1] != "composite" {
		return Condition{}, false
	}
	return Condition{m[1], m[2], bound.Rat}, true
}
