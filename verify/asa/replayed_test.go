package asa

import (
	"strings"
	"testing"
)

// Two results in one folder (R098): the same bytes under two names are one result, results that name no deliverable are not of the same one,
// and each other pair is a gap of its own kind.
func TestR098_TwoResults(t *testing.T) {
	result := demoResult(t)
	hash := "sha256:ba3c3eba33f1e8cf76973e8a4c92ea57d81177fe938980e1300dc0df2622ce94" // sha256sum of deliverable.md
	replaced := func(text string, pairs ...string) string {
		out := strings.NewReplacer(pairs...).Replace(text)
		if out == text {
			t.Fatalf("nothing of %q in the result", pairs)
		}
		return out
	}
	second := func(pairs ...string) string { return replaced(result, append(pairs, "ver-demo0001", "ver-2")...) }
	none := replaced(result, hash, "")
	for _, c := range []struct{ name, first, second, want string }{
		{"the same bytes", result, result, ""},
		{"the same id", result, replaced(result, "10:12:30", "10:12:31"), "asa/R098/id-reused"},
		{"the same deliverable", result, second(), "asa/R098/second-result"},
		{"the same scores for another deliverable", result, second(hash, "sha256:"+strings.Repeat("b", 64)), "asa/R098/same-evaluation"},
		{"other scores for another deliverable", result, second(hash, "sha256:"+strings.Repeat("b", 64), `"score": 82`, `"score": 83`), ""},
		{"no deliverable named", none, replaced(none, "ver-demo0001", "ver-2"), ""},
	} {
		r := mustAudit(t, altered(t, change{"result.json", "", c.first}, change{"result-2.json", "", c.second}), Options{})
		for _, id := range []string{"asa/R098/id-reused", "asa/R098/second-result", "asa/R098/same-evaluation"} {
			// A result that reuses an id reuses the deliverable too.
			if _, found := find(r, id); found != (id == c.want) && !(c.want == "asa/R098/id-reused" && id == "asa/R098/second-result") {
				t.Errorf("%s: %s found %v:\n%s", c.name, id, found, show(r))
			}
		}
	}
}
