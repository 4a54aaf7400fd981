package document

import (
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/exact"
)

// The grammar is that of the requirement (R079), and the last operator wins.
func TestParseGate(t *testing.T) {
	c := Criteria{Dimensions: []Dimension{{Name: "accuracy"}, {Name: "source_quality"}, {Name: "x_gte_5"}}}
	for _, g := range []struct{ condition, subject, operator, bound string }{
		{"accuracy_gte_80", "accuracy", "gte", "80"},
		{"source_quality_gte_70", "source_quality", "gte", "70"},
		{"composite_lt_75.5", "composite", "lt", "75.5"},
		{"accuracy_gte_080", "accuracy", "gte", "80"},
		{"accuracy_gte_00", "accuracy", "gte", "0"},
		{"accuracy_gte_00.50", "accuracy", "gte", "0.5"},
		{"accuracy_gte_1234567890", "accuracy", "gte", "1234567890"},
		{"accuracy_gte_80.0000000000000000001", "accuracy", "gte", "80.0000000000000000001"},
		{"x_gte_5_lte_6", "x_gte_5", "lte", "6"},
	} {
		got, ok := ParseGate(g.condition, c)
		if !ok || got.Subject != g.subject || got.Operator != g.operator || got.Bound.Cmp(exact.Must(g.bound)) != 0 {
			t.Errorf("%s: read as %+v, %v", g.condition, got, ok)
		}
	}
	for _, bad := range []string{"", "accuracy", "accuracy_gte", "accuracy_gte_", "accuracy_gte_x", "accuracy_gte_-1", "accuracy_gte_80.", "accuracy_gte_.5", "accuracy_gte_8e1", "accuracy_ge_80",
		"Accuracy_gte_80", "nobody_gte_80", "_gte_80", "accuracy_gte_80 ", "accuracy_gte_80\n", "accuracy_gte_" + strings.Repeat("9", 101)} {
		if got, ok := ParseGate(bad, c); ok {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}
