package paper

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/finding"
)

// find is the first finding with that id.
func find(r *finding.Report, id string) (finding.Finding, bool) {
	for _, f := range r.Log.Findings() {
		if f.ID == id {
			return f, true
		}
	}
	return finding.Finding{}, false
}

// Python fractions computed every number here from the paper's text.
func TestPaper(t *testing.T) {
	r, err := Audit()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range r.Log.Findings() {
		found[finding.Requirement(f.ID)] = true
		if strings.HasSuffix(f.ID, "/control") {
			t.Errorf("a control is not silent: %s %s", f.ID, f.Declared)
		}
		for _, lang := range finding.Languages {
			if s, ok := finding.Text(f.ID, lang); !ok || s == "" {
				t.Errorf("%s has no sentence in %s", f.ID, lang)
			}
		}
		if finding.RuleText(f.ID) == "" {
			t.Errorf("%s has no place in the paper", f.ID)
		}
	}
	for i := 1; i <= Gaps; i++ {
		if id := fmt.Sprintf("P%02d", i); !found[id] {
			t.Errorf("no finding of %s", id)
		}
	}
	if len(found) != Gaps {
		t.Errorf("%d gaps, want %d", len(found), Gaps)
	}
	for _, w := range [][3]string{
		{"asa/P01/composite", "86.1", "87"}, {"asa/P02/release", "100", "85"}, {"asa/P02/other-modes", "continuous 4.305", "continuous 4.35"}, {"asa/P06/two-timeouts", "600", "3600"},
		{"asa/P07/timers-over-life", "183600", "86400"}, {"asa/P08/change-over-limit", "+100 %", "25 %"}, {"asa/P10/deadline-word", "expires_at - 847 s = 2026-03-27T14:15:53Z", "2026-03-26T15:45:00Z"},
		{"asa/P11/evaluator-speed", "1747", "600"}, {"asa/P15/evidence-share", "82", "80"}, {"asa/P18/states", "6", "9"}, {"asa/P19/incentive", "88 > 76", "4.25 = 4.25"},
		{"asa/P20/prose-tiers", "(89, 90) (74, 75)", "2/100"}, {"asa/P22/cloud-credit", "0.03 %", "0.0000308 %"}, {"asa/P23/never-cited", "[52]-[64]", "13"},
		{"asa/P28/weak-guarantee", "pass@5 >= 95 %", "45.07 %"}, {"asa/P28/weak-direction", "p90 >= 85", "89 x 0, 11 x 85"},
		{"asa/P21/gate-weaker-than-slo", "accuracy_gte_80", "gte 85"},
	} {
		f, ok := find(r, w[0])
		if !ok || f.Declared != w[1] || f.Recomputed != w[2] {
			t.Errorf("%s: declared %q, recomputed %q; want %q, %q", w[0], f.Declared, f.Recomputed, w[1], w[2])
		}
	}
	for _, w := range [][2]string{
		{"asa/P10/deadline-word", "81053 s after the verification"}, {"asa/P11/evaluator-speed", "activation in [2026-03-26T14:49:07Z, 2026-03-26T14:58:21.77Z]"},
		{"asa/P11/evaluator-speed", "activation = created_at -> delivery 2026-03-26T15:15:53Z"}, {"asa/P11/evaluator-speed", "window closes 2026-03-26T17:45:00Z"},
		{"asa/P19/incentive", "continuous 4.40 > 3.80"}, {"asa/P22/cloud-credit", "factor 973"}, {"asa/P22/cloud-credit", "thousands dropped: 0.03 %"}, {"asa/P28/weak-direction", "mean 9.35"},
		{"asa/P14/no-cost-cap", "0.12/5 = 2.4 %"}, {"asa/P14/no-cost-cap", "x41.67"}, {"asa/P02/other-modes", "noise needed by 87 = -3"}, {"asa/P05/shadow-coverage", "weight=0.75"},
		{"asa/P24/storage", "factor 6.39"}, {"asa/P24/evaluators", "with canaries 0.14 - 1.67"},
	} {
		if !slices.ContainsFunc(r.Log.Findings(), func(f finding.Finding) bool { return f.ID == w[0] && slices.Contains(f.Derivation, w[1]) }) {
			t.Errorf("%s: no derivation holds %q", w[0], w[1])
		}
	}
	counts := map[string]int{}
	var recomputed []string
	for _, f := range r.Log.Findings() {
		counts[f.ID]++
		recomputed = append(recomputed, f.Recomputed)
	}
	for id, want := range map[string]int{"asa/P17/placeholder": 8, "asa/P24/storage": 3, "asa/P24/evaluators": 3, "asa/P29/no-key": 25, "asa/P09/not-json": 2, "asa/P26/not-given": 4, "asa/P21/gate-and-tier": 1} {
		if counts[id] != want {
			t.Errorf("%s: %d findings, want %d", id, counts[id], want)
		}
	}
	for _, want := range []string{"1.095 GB", "109.5 GB", "10950 GB", "0.12 - 1.39", "11.57 - 138.89", "1157.41 - 13888.89"} {
		if !slices.Contains(recomputed, want) {
			t.Errorf("nothing recomputed as %s", want)
		}
	}
	places := []string{}
	for _, f := range r.Log.Findings() {
		if f.ID == "asa/P09/not-json" {
			places = append(places, f.At)
		}
	}
	if !slices.Equal(places, []string{"L230", "L406"}) {
		t.Errorf("not JSON at %v, want L230 and L406", places)
	}
}
