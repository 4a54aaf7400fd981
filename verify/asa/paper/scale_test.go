package paper

import (
	"testing"

	"github.com/ark-forge/proveit/verify/asa/exact"
)

// Numbers of P24, computed with Python from the paper's assumptions.
func TestR107_R108_Scale(t *testing.T) {
	s := Scale(exact.Int(1000))
	for what, pair := range map[string][2]string{
		"storage": {exact.Text(s.StorageGB), "1.095"}, "low": {exact.Rounded(s.EvaluatorsLow, 2), "0.12"}, "high": {exact.Rounded(s.EvaluatorsHigh, 2), "1.39"},
		"with canaries": {exact.Rounded(s.WithCanariesHigh, 2), "1.67"}, "canaries": {exact.Text(s.CanaryUSD), "60"},
		"reduction": {exact.Text(CanaryReduction(exact.Must("0.2"), exact.Must("0.05"))), "75"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", what, pair[0], pair[1])
		}
	}
}
