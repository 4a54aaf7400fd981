package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Expected values are by hand, or by Python's fractions and math.comb where a comment says so.

func read(t *testing.T, name, text string) *document.Document {
	t.Helper()
	d, err := document.Read(name, []byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const tiers = `[{"composite_score_gte":90,"release_percent":100},{"composite_score_gte":75,"release_percent":85},{"composite_score_gte":60,"release_percent":50},{"composite_score_lt":60,"release_percent":0}]`

// agreement is one of two dimensions with a text put in place of another.
func agreement(t *testing.T, old, with string) *document.Agreement {
	t.Helper()
	text := `{"agreement_id":"asa-1","created_at":"2026-04-01T00:00:00Z","expires_at":"2026-04-02T00:00:00Z","parties":{"provider":{"identity":{"scheme":"did","value":"did:x:p"}}},
		"service":{"type":"research","constraints":{"max_duration_seconds":3600}},"quality_criteria":{"dimensions":[
			{"name":"accuracy","weight":0.5,"metric":"percentage","slo":{"operator":"gte","value":85},"shadow_metric":"s","shadow_slo":{"operator":"lte","value":1}},
			{"name":"timeliness","weight":0.5,"metric":"boolean","slo":{"operator":"eq","value":true}}],"quality_gates":[]},
		"verification":{"challenge_window_seconds":7200},"dispute":{"threshold":60},"metadata":{"nonstandard_terms":[]},
		"escrow":{"enabled":true,"payment":{"amount":"5.00","currency":"USDC","graduated_release":{"enabled":true,"mode":"tiered","tiers":` + tiers + `}},
			"dead_mans_switch":{"client_timeout_seconds":3600,"provider_timeout_seconds":3600,"evaluator_timeout_seconds":3600}}}`
	if old != "" && !strings.Contains(text, old) {
		t.Fatalf("no %s", old)
	}
	return document.NewAgreement(read(t, "agreement.json", strings.Replace(text, old, with, 1)))
}

func gaps(l *finding.Log, id string) []finding.Finding {
	return slices.DeleteFunc(l.Findings(), func(f finding.Finding) bool { return f.ID != "asa/"+id || f.Outcome != finding.Gap })
}

func input(g *document.Agreement, history ...*document.Document) (Input, *finding.Log) {
	l := &finding.Log{}
	return Input{Run: finding.Run{Log: l}, Agreement: g, History: history}, l
}

// A life of 86400 s: a timer of as much never fires before it. The four timers here last 18000 s.
func TestTimers(t *testing.T) {
	for provider, want := range map[string]string{"3600": "", "68399": "", "86399": "over", "86400": "cannot over", "86401": "cannot over"} {
		in, l := input(agreement(t, `"provider_timeout_seconds":3600`, `"provider_timeout_seconds":`+provider))
		in.CheckTimers()
		if cannot, over := len(gaps(l, "R041/timer-cannot-fire")) > 0, len(gaps(l, "R041/timers-over-life")) > 0; cannot != strings.Contains(want, "cannot") || over != strings.Contains(want, "over") {
			t.Errorf("provider's timer of %s: cannot fire %v, over %v; want %q", provider, cannot, over, want)
		}
	}
	// 3600 + 72000 + 3600 + 7200 = 86400 is exactly the life, one more is over it
	for provider, over := range map[string]bool{"72000": false, "72001": true} {
		in, l := input(agreement(t, `"provider_timeout_seconds":3600`, `"provider_timeout_seconds":`+provider))
		if in.CheckTimers(); len(gaps(l, "R041/timers-over-life")) > 0 != over {
			t.Errorf("provider's timer of %s: over %v, want %v", provider, !over, over)
		}
	}
}

// On 5.00: 15, 35 and 50 points at 90, 75 and 60 are 0.75, 1.75 and 2.50. The most above the score is 10, just under 60 it is -60.
func TestCliffs(t *testing.T) {
	in, l := input(agreement(t, "", ""))
	in.CheckPayoff()
	money := map[string]string{}
	for _, f := range gaps(l, "R096/cliff") {
		money[f.Recomputed] = f.AmountsRecomputed
	}
	if money["90"] != "0.75" || money["75"] != "1.75" || money["60"] != "2.5" || len(money) != 3 {
		t.Errorf("cliffs %v", money)
	}
	if above, below := gaps(l, "R096/pays-above-score"), gaps(l, "R096/pays-below-score"); len(above) != 1 || above[0].Recomputed != "+10" || len(below) != 1 || below[0].Recomputed != "> -60" {
		t.Errorf("above %+v, below %+v", above, below)
	}
}

// Gates leave composites from 0.5 times the bound of accuracy on; timeliness may be 0 or 100.
func TestUnreachableTiers(t *testing.T) {
	for gate, want := range map[string]int{"composite_gte_75": 1, "composite_gte_60": 0, "composite_gte_60.01": 0, "accuracy_gte_80": 0, "composite_lte_74.99": 2, "composite_gte_90": 2} {
		in, l := input(agreement(t, `"quality_gates":[]`, `"quality_gates":[{"condition":"`+gate+`","type":"threshold"}]`))
		in.CheckPayoff()
		found := gaps(l, "R096/unreachable-tier")
		if len(found) != want || want > 0 && found[0].Robust {
			t.Errorf("%s: %d tiers, want %d, which a reading decides: %+v", gate, len(found), want, found)
		}
	}
}

func TestStaticGaps(t *testing.T) {
	for _, c := range []struct{ old, with, id string }{
		{`"threshold":60`, `"threshold":59.99`, "R096/dispute-threshold"},
		{`"threshold":60`, `"threshold":6e1`, ""},
		{`"tiers":` + tiers, `"noise":{"mode":"signed"},"tiers":` + strings.Replace(tiers, "90", "93.01", 1), "R090/noise-over-three"},
		{`"tiers":` + tiers, `"noise":{"mode":"signed"},"tiers":` + strings.Replace(tiers, "90", "93", 1), ""},
		{`"mode":"tiered","tiers":` + tiers, `"mode":"continuous"`, "R089/no-floor"},
	} {
		in, l := input(agreement(t, c.old, c.with))
		in.CheckPayoff()
		for _, id := range []string{"R096/dispute-threshold", "R090/noise-over-three", "R089/no-floor"} {
			if found := len(gaps(l, id)) > 0; found != (id == c.id) {
				t.Errorf("%s: %s found %v", c.with, id, found)
			}
		}
	}
}

// 25 % above or below the market's 3600 s is 4500 and 2700; further needs to be disclosed.
func TestDisclosure(t *testing.T) {
	market := read(t, "market.json", `{"service_types":{"research":{"defaults":{"service.constraints.max_duration_seconds":3600}}}}`)
	for seconds, want := range map[string]int{"4500": 0, "2700": 0, "4501": 1, "2699": 1} {
		for _, disclosed := range []bool{false, true} {
			g := agreement(t, `"max_duration_seconds":3600`, `"max_duration_seconds":`+seconds)
			if disclosed {
				g = document.NewAgreement(read(t, "agreement.json", strings.Replace(g.Root.Raw(), `"nonstandard_terms":[]`, `"nonstandard_terms":["service.constraints.max_duration_seconds"]`, 1)))
			}
			in, l := input(g)
			in.Market = market
			in.CheckCoverage()
			n := want
			if disclosed {
				n = 0
			}
			if found := len(gaps(l, "R083/not-disclosed")); found != n {
				t.Errorf("%s, disclosed %v: %d, want %d", seconds, disclosed, found, n)
			}
			if shadow := gaps(l, "R075/no-shadow"); len(shadow) != 1 || shadow[0].Declared != "1/2" || shadow[0].Derivation[0] != "weight=0.5" {
				t.Errorf("shadow coverage %+v", shadow)
			}
		}
	}
}

// pass@5 on ten attempts by Python: three successes give 11/12, four 41/42.
func TestPassAtK(t *testing.T) {
	attempts := func(n, passed int, more string) []*document.Document {
		var list []*document.Document
		for i := range n {
			list = append(list, read(t, "history.jsonl", fmt.Sprintf(`{"task":"t","attempt":%d,"passed":%v%s}`, i+1, i < passed, more)))
		}
		return list
	}
	for _, c := range []struct {
		name    string
		history []*document.Document
		gap     string
		open    bool
	}{
		{"three of ten", attempts(10, 3, ""), "~91.666666666667", false},
		{"four of ten", attempts(10, 4, ""), "", false},
		{"four attempts", attempts(4, 4, ""), "", true},
		{"none", nil, "", true},
		{"the provider by value", attempts(10, 4, `,"provider":"did:x:p"`), "", false},
		{"the provider by scheme and value", attempts(10, 3, `,"provider":"did:did:x:p"`), "~91.666666666667", false},
		{"another provider's", attempts(10, 0, `,"provider":"did:x:q"`), "", true},
		{"its own beside another's", append(attempts(10, 4, `,"provider":"did:x:p"`), attempts(10, 0, `,"provider":"did:x:q"`)...), "", false},
		{"an attempt without outcome", append(attempts(9, 4, ""), read(t, "history.jsonl", `{"task":"t","attempt":10}`)), "", true},
	} {
		in, l := input(agreement(t, `"quality_gates":[]`, `"guarantees":[{"expr":"pass@5","operator":"gte","value":95}]`), c.history...)
		if c.history == nil {
			in.History = []*document.Document{}
		}
		in.CheckGuarantees()
		found := gaps(l, "R084/guarantee-not-met")
		if (len(found) > 0) != (c.gap != "") || c.gap != "" && found[0].Recomputed != c.gap || (l.Count(finding.Unestablished) > 0) != c.open {
			t.Errorf("%s: %+v, %d open; want %q, %v", c.name, found, l.Count(finding.Unestablished), c.gap, c.open)
		}
	}
}

// Of 8 scores of 10 and 2 of 90 the 90th percentile is the 9th, 90; the 10th is the first, 10; 20 % reach 85.
func TestPercentile(t *testing.T) {
	var history []*document.Document
	for i := range 10 {
		history = append(history, read(t, "history.jsonl", fmt.Sprintf(`{"task":"t%d","attempt":1,"dimension":"accuracy","score":%d}`, i, map[bool]int{true: 10, false: 90}[i < 8])))
	}
	in, l := input(agreement(t, `"quality_gates":[]`, `"guarantees":[{"expr":"p90:accuracy","operator":"gte","value":85}]`), history...)
	in.CheckGuarantees()
	weak := gaps(l, "R085/weak-direction")
	if len(gaps(l, "R085/guarantee-not-met")) != 0 || len(weak) != 1 || weak[0].Declared != "p90=90" || weak[0].Recomputed != "p10=10" || !strings.Contains(weak[0].Derivation[0], "= 20 %") {
		t.Errorf("%+v", l.Findings())
	}
	for p, want := range map[int64]string{1: "10", 80: "10", 81: "90", 99: "90"} { // ranks 1, 8, 9 and 10
		if got := exact.Text(NearestRank(scoresOf(history, "accuracy"), p)); got != want {
			t.Errorf("p%d = %s, want %s", p, got, want)
		}
	}
	in, l = input(agreement(t, `"quality_gates":[]`, `"guarantees":[{"expr":"p100:accuracy","operator":"gte","value":85}]`), history...)
	if in.CheckGuarantees(); len(gaps(l, "R013/guarantee-syntax")) != 1 {
		t.Error("p100 is taken for a percentile")
	}
}

// By Python: 100 * (1 - 0.05**(1/5)) = 45.07; 1.25**5 = 3.0518 and 0.75**5 = 0.2373.
func TestWeakness(t *testing.T) {
	if got := exact.Rounded(PerAttempt(exact.Int(95), 5), 2); got != "45.07" {
		t.Errorf("per attempt %s, want 45.07", got)
	}
	for _, edge := range []int64{0, 100} {
		if PerAttempt(exact.Int(edge), 5) != nil {
			t.Errorf("%d %% has a rate per attempt", edge)
		}
	}
	in, l := input(agreement(t, "", ""))
	in.Check()
	if f := gaps(l, "R049/envelope"); len(f) != 1 || f[0].Recomputed != "x0.2373 .. x3.0518" {
		t.Errorf("envelope %+v", f)
	}
}
