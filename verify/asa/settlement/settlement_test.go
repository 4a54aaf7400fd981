package settlement

import (
	"fmt"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Expected values are by hand, or by Python's fractions where a comment says so.

func read(t *testing.T, name, text string) *document.Document {
	t.Helper()
	d, err := document.Read(name, []byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const tiers = `{"enabled":true,"tiers":[{"composite_score_gte":90,"release_percent":100},{"composite_score_gte":75,"release_percent":85},{"composite_score_gte":60,"release_percent":50},{"composite_score_lt":60,"release_percent":0}]}`

// agreement has two dimensions of equal weight, a threshold of 75, the gates and the release given, and 5.01 in escrow.
func agreement(t *testing.T, method, gates, release string) *document.Agreement {
	t.Helper()
	return document.NewAgreement(read(t, "agreement.json", `{"quality_criteria":{"dimensions":[
		{"name":"a","weight":0.5,"metric":"percentage","slo":{"operator":"gte","value":70}},{"name":"b","weight":0.5,"metric":"percentage","slo":{"operator":"gte","value":70}}],
		"composite_threshold":75,"composite_method":"`+method+`","quality_gates":[`+gates+`]},
		"escrow":{"enabled":true,"payment":{"amount":"5.01","currency":"USDC","graduated_release":`+release+`}}}`))
}

func result(t *testing.T, a, b, composite, passed, verdict, percent string) *document.Result {
	t.Helper()
	return document.NewResult(read(t, "result.json", fmt.Sprintf(`{"dimensions":[{"name":"a","score":%s},{"name":"b","score":%s}],
		"composite":{"score":%s,"passed":%s},"determination":{"result":"%s","payment_release_percent":%s}}`, a, b, composite, passed, verdict, percent)))
}

// gap finds a gap by its id.
func gap(l *finding.Log, id string) (finding.Finding, bool) {
	for _, f := range l.Findings() {
		if f.ID == id && f.Outcome == finding.Gap {
			return f, true
		}
	}
	return finding.Finding{}, false
}

func judge(g *document.Agreement, r *document.Result) *finding.Log {
	l := &finding.Log{}
	run := finding.Run{Log: l}
	CheckComposite(run, g.Criteria, g.Payment, r)
	CheckGates(run, g.Criteria, r)
	CheckDetermination(run, g.Criteria, r)
	CheckRelease(run, g.Criteria, g.Payment, r, true)
	return l
}

func TestRefusals(t *testing.T) {
	gate := `{"condition":"a_gte_80","type":"threshold"}`
	for _, c := range []struct {
		name, gates                               string
		a, b, composite, passed, verdict, percent string
		id, recomputed                            string
	}{
		{"composite off by more than half a unit", "", "80", "80.2", "80", "true", "PASS", "85", "", ""}, // 80.1: 0.1 <= 0.5
		{"composite off by just more", "", "80", "80.2", "80.0", "true", "PASS", "85", "asa/R076/composite-mismatch", "80.1"},
		{"half a unit itself is rounding", "", "80", "80.1", "80.1", "true", "PASS", "85", "", ""}, // 80.05: off by exactly 0.05
		{"rounding decides the threshold", "", "74.9", "75", "75", "true", "PASS", "85", "asa/R077/rounding-decides", "74.95 / 75"},
		{"passed at the threshold is passed", "", "75", "75", "75", "false", "PASS", "85", "asa/R078/passed-mismatch", "true"},
		{"determination", "", "75", "75", "75", "true", "FAIL", "85", "asa/R080/determination-mismatch", "PASS"},
		{"word", "", "75", "75", "75", "true", "pass", "85", "asa/R080/determination-word", "PASS | FAIL"},
		{"release at a bound", "", "90", "90", "90", "true", "PASS", "85", "asa/R088/release-mismatch", "100"},
		{"release below a bound", "", "89.99", "90", "89.995", "true", "PASS", "100", "asa/R088/release-mismatch", "85"},
		{"release of a failed gate", gate, "79.9", "98", "88.95", "true", "FAIL", "85", "asa/R088/release-mismatch", "0"},
		{"failed gate fails", gate, "79.9", "98", "88.95", "true", "PASS", "0", "asa/R080/determination-mismatch", "FAIL"},
		{"gate at its bound passes", gate, "80", "98", "89", "true", "FAIL", "85", "asa/R080/determination-mismatch", "PASS"},
		{"a fail is paid by its tier", "", "74", "74", "74", "false", "FAIL", "0", "asa/R088/release-mismatch", "50"},
	} {
		l := judge(agreement(t, "weighted_average", c.gates, tiers), result(t, c.a, c.b, c.composite, c.passed, c.verdict, c.percent))
		if c.id == "" {
			for _, f := range l.Findings() {
				if f.Outcome == finding.Gap && f.Severity <= finding.Error {
					t.Errorf("%s: unwanted %s, %s against %s", c.name, f.ID, f.Declared, f.Recomputed)
				}
			}
			continue
		}
		if f, ok := gap(l, c.id); !ok || f.Recomputed != c.recomputed {
			t.Errorf("%s: %s gives %q, want %q", c.name, c.id, f.Recomputed, c.recomputed)
		}
	}
}

// What cannot be computed is open, and never right.
func TestOpen(t *testing.T) {
	boolean := `{"condition":"tests_pass","type":"boolean"}`
	for _, c := range []struct{ name, method, gates, a, id string }{
		{"score out of range", "weighted_average", "", "100.0001", "asa/R076/composite-unknown"},
		{"score is text", "weighted_average", "", `"80"`, "asa/R076/composite-unknown"},
		{"unknown method", "median", "", "80", "asa/R076/composite-unknown"},
		{"boolean gate without its outcome", "weighted_average", boolean, "80", "asa/R080/determination-unknown"},
		{"its release", "weighted_average", boolean, "80", "asa/R088/release-unknown"},
		{"gate of an unknown dimension", "weighted_average", `{"condition":"c_gte_80","type":"threshold"}`, "80", "asa/R079/gate-unknown"},
	} {
		open := false
		for _, f := range judge(agreement(t, c.method, c.gates, tiers), result(t, c.a, "80", "80", "true", "PASS", "85")).Findings() {
			open = open || f.ID == c.id && f.Outcome == finding.Unestablished
		}
		if !open {
			t.Errorf("%s: %s is not open", c.name, c.id)
		}
	}
	l := &finding.Log{}
	g := agreement(t, "weighted_average", "", tiers)
	if CheckRelease(finding.Run{Log: l}, g.Criteria, g.Payment, result(t, "80", "80", "80", "true", "PASS", "100"), false); l.Count(finding.Gap) != 0 || l.Count(finding.Unestablished) != 2 {
		t.Errorf("a deliverable that is not the delivered one: %d gaps, %d open; want none, 2", l.Count(finding.Gap), l.Count(finding.Unestablished))
	}
}

// The means of 80 and 20 with equal weights: harmonic 1/(0.5/80+0.5/20) = 32, geometric sqrt(1600) = 40, average 50.
func TestMethods(t *testing.T) {
	for method, want := range map[string]string{"weighted_average": "50", "harmonic_mean": "32", "geometric_mean": "40"} {
		g := agreement(t, method, "", tiers)
		got, steps := Composite(g.Criteria, result(t, "80", "20", "50", "false", "FAIL", "0"), finding.Readings{})
		if exact.Text(got) != want || len(steps) == 0 {
			t.Errorf("%s: %s in %d steps, want %s", method, exact.Text(got), len(steps), want)
		}
		if zero, _ := Composite(g.Criteria, result(t, "80", "0", "50", "false", "FAIL", "0"), finding.Readings{}); method != "weighted_average" && zero.Sign() != 0 {
			t.Errorf("%s with a score of 0: %s, want 0", method, exact.Text(zero))
		}
	}
}

// 5.01 to the cent: 85 % is 4.2585, cut to 4.25, and 0.76 goes back; a continuous 88.6 % is 4.43886, cut to 4.43.
func TestAmounts(t *testing.T) {
	g := agreement(t, "weighted_average", "", tiers)
	for _, c := range []struct{ percent, provider, client, id string }{
		{"85", "4.25", "0.76", ""}, {"88.6", "4.43", "0.58", ""}, {"100", "5.01", "0", ""}, {"0", "0.00", "5.01", ""},
		{"85", "4.26", "0.75", "asa/R093/amount-mismatch"}, {"85", "4.2585", "0.7515", "asa/R093/amount-mismatch"}, {"85", "4.25", "0.75", "asa/R093/not-conserved"},
	} {
		l := &finding.Log{}
		JudgeAmounts(g.Payment, released(t, c.provider, c.client, "USDC"), exact.Must(c.percent), "", l)
		if _, ok := gap(l, c.id); ok != (c.id != "") || c.id == "" && l.Count(finding.Gap) > 0 {
			t.Errorf("%s %% as %s and %s: %d gaps, want %q", c.percent, c.provider, c.client, l.Count(finding.Gap), c.id)
		}
	}
	l := &finding.Log{}
	if JudgeAmounts(g.Payment, released(t, "4.25", "0.76", "EURC"), exact.Int(85), "", l); l.Count(finding.Gap) != 1 {
		t.Error("another currency passes")
	}
}

// 4.25 to the provider and 0.76 to the client in two events are the same as in one; the same event twice is 10.02 of 5.01.
func TestPaymentsAddUp(t *testing.T) {
	g := agreement(t, "weighted_average", "", tiers)
	one, whole := released(t, "4.25", "0", "USDC").Events[0], released(t, "4.25", "0.76", "USDC").Events[0]
	two := released(t, "0", "0.76", "USDC").Events[0]
	two.Type = "refunded"
	open := released(t, "x", "0.76", "USDC").Events[0]
	for _, c := range []struct {
		name      string
		events    []document.Event
		gaps, not int
	}{{"two parts", []document.Event{one, two}, 0, 0}, {"twice", []document.Event{whole, whole}, 3, 0}, {"one part", []document.Event{one}, 2, 0}, {"an amount is no number", []document.Event{one, open}, 0, 1}} {
		l := &finding.Log{}
		if JudgeAmounts(g.Payment, PaidBy(c.events), exact.Int(85), "", l); l.Count(finding.Gap) != c.gaps || l.Count(finding.Unestablished) != c.not {
			t.Errorf("%s: %d gaps, %d open; want %d, %d", c.name, l.Count(finding.Gap), l.Count(finding.Unestablished), c.gaps, c.not)
		}
	}
}

// After a ruling 3.00 and 2.01 are as good as any two amounts that sum to 5.01, but nothing may get lost.
func TestRuledAmounts(t *testing.T) {
	g := agreement(t, "weighted_average", "", tiers)
	for sum, gaps := range map[string]int{"2.01": 0, "2.00": 1, "2.02": 1} {
		l := &finding.Log{}
		if JudgeRuled(g.Payment, released(t, "3.00", sum, "USDC"), l); l.Count(finding.Gap) != gaps || l.Count(finding.Unestablished) != 1 {
			t.Errorf("3.00 and %s: %d gaps, %d open; want %d, 1", sum, l.Count(finding.Gap), l.Count(finding.Unestablished), gaps)
		}
	}
}

func released(t *testing.T, provider, client, currency string) Paid {
	t.Helper()
	d := read(t, "events.jsonl:1", `{"type":"released","data":{"to_provider":"`+provider+`","to_client":"`+client+`","currency":"`+currency+`"}}`)
	return PaidBy([]document.Event{{Document: d, Type: "released"}})
}

// A slow, literal tier table against the real one, for every composite from 0 to 100 in steps of 0.5.
func TestTiersEverywhere(t *testing.T) {
	g := agreement(t, "weighted_average", "", tiers)
	for n := range int64(201) {
		want := int64(0)
		switch {
		case n >= 180:
			want = 100
		case n >= 150:
			want = 85
		case n >= 120:
			want = 50
		}
		value := exact.Quo(exact.Int(n), exact.Int(2))
		got, _ := Release(g.Payment, Determination{Composite: value, Verdict: document.Judged(n >= 150)}, finding.Readings{})
		if got.Cmp(exact.Int(want)) != 0 {
			t.Errorf("composite %s releases %s, want %d", exact.Text(value), exact.Text(got), want)
		}
	}
}

func TestRepairsNameWhatKeepsEveryLimit(t *testing.T) {
	// declared 80 for 70 and 80: 75. One score would have to be 10 higher: a 80, or b 90.
	l := judge(agreement(t, "weighted_average", "", tiers), result(t, "70", "80", "80", "true", "PASS", "85"))
	f, ok := gap(l, "asa/R076/composite-mismatch")
	if !ok || len(f.Repairs) != 2 || f.Repairs[0] != (finding.Repair{Field: "a", Value: "80"}) || f.Repairs[1] != (finding.Repair{Field: "b", Value: "90"}) || len(f.Keeping) != 2 {
		t.Errorf("%+v", f.Repairs)
	}
}
