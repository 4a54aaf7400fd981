package negotiation

import (
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Expected values are by hand.

func read(t *testing.T, name, text string) *document.Document {
	t.Helper()
	d, err := document.Read(name, []byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const (
	proposed = `{"agreement_id":"asa-1","created_at":"2026-04-01T09:00:00Z","expires_at":"2026-04-02T09:00:00Z","status":"proposed","service":{"type":"research","description":"x",
		"constraints":{"max_tokens":1,"max_duration_seconds":100,"max_cost_usd":9,"max_api_calls":0}},
		"quality_criteria":{"dimensions":[{"name":"a","weight":0.5,"slo":{"operator":"gte","value":80}},{"name":"b","weight":0.5,"slo":{"operator":"lte","value":10}}]},
		"verification":{"strategy":"optimistic"},"escrow":{"payment":{"amount":"4.00","currency":"USDC"}},"parties":{"provider":{"identity":{"scheme":"did","value":"did:x:y"}}}}`
	first = `{"negotiation_id":"n","agreement_id":"asa-1","round":1,"action":"propose","sender":"client","at":"2026-04-01T09:00:00Z"}`
)

// counter is the provider's second message with some changes.
func counter(changes, code string) string {
	return `{"negotiation_id":"n","agreement_id":"asa-1","round":2,"action":"counter","sender":"provider","at":"2026-04-01T09:00:01Z","proposed_changes":{` + changes + `},"rationale_code":"` + code + `"}`
}

func walk(t *testing.T, messages []string, readings ...string) (*finding.Log, Negotiated) {
	t.Helper()
	in := Input{Proposal: document.NewAgreement(read(t, "proposal.json", proposed))}
	for _, m := range messages {
		in.Messages = append(in.Messages, read(t, "negotiation.jsonl", m))
	}
	for _, r := range readings {
		if err := in.Readings.Set(r); err != nil {
			t.Fatal(err)
		}
	}
	l := &finding.Log{}
	return l, Judge(in, l)
}

func gap(l *finding.Log, id string) (finding.Finding, bool) {
	for _, f := range l.Findings() {
		if f.ID == "asa/"+id && f.Outcome == finding.Gap {
			return f, true
		}
	}
	return finding.Finding{}, false
}

func TestChangesRefused(t *testing.T) {
	for _, c := range []struct{ changes, id string }{
		{`"parties.provider.identity.value":"did:x:z"`, "R046/not-negotiable"}, {`"service.description":"y"`, "R046/not-negotiable"}, {`"agreement_id":"asa-2"`, "R046/not-negotiable"},
		{`"verification.strategy":1`, "R046/type-changed"}, {`"escrow.payment.amount":4.5`, "R046/type-changed"}, {`"expires_at":"4.00"`, "R046/type-changed"},
		{`"quality_criteria.dimensions[2].weight":0.1`, "R045/unresolved"}, {`"quality_criteria.nothing":1`, "R045/unresolved"},
		{`"quality_criteria.dimensions[0]":{}`, "R045/container"}, {`"verification":{}`, "R045/container"},
		{`"quality_criteria.dimensions[-1].weight":0.1`, "R045/syntax"}, {`"quality_criteria.dimensions[00].weight":0.1`, "R045/syntax"}, {`"/quality_criteria":1`, "R045/syntax"},
		{`"__proto__":1`, "R045/syntax"}, {`"verification.":1`, "R045/syntax"}, {`"":1`, "R045/syntax"},
		{`"verification.strategy":"free words"`, "R043/free-text"}, {`"verification.strategy":"` + strings.Repeat("x", 129) + `"`, "R043/free-text"},
	} {
		l, came := walk(t, []string{first, counter(c.changes, "counter_to_counter")})
		if _, ok := gap(l, c.id); !ok {
			t.Errorf("%s: no %s", c.changes, c.id)
		}
		if strings.HasPrefix(c.id, "R045") || strings.HasPrefix(c.id, "R046") {
			if !sameForm(came.Terms, read(t, "", proposed).Root) {
				t.Errorf("%s: the refused change was applied", c.changes)
			}
		}
	}
}

// Exactly 25 % is allowed, the smallest step above is not: 100 -> 125 and 126, 4.00 -> 5.00 and 5.000000001, 0.5 -> 0.625; of 86400 seconds
// of life 21600 more; 0 has no percentage.
func TestLimitOfChange(t *testing.T) {
	for _, c := range []struct{ changes, id, recomputed string }{
		{`"service.constraints.max_duration_seconds":125`, "", ""},
		{`"service.constraints.max_duration_seconds":75`, "", ""},
		{`"service.constraints.max_duration_seconds":126`, "R049/change-over-limit", "26 %"},
		{`"service.constraints.max_duration_seconds":74`, "R049/change-over-limit", "26 %"},
		{`"escrow.payment.amount":"5.00"`, "", ""},
		{`"escrow.payment.amount":"5.000000001"`, "R049/change-over-limit", "25 %"}, // shown to four places; the comparison is exact
		{`"quality_criteria.dimensions[0].weight":0.625`, "", ""},
		{`"quality_criteria.dimensions[0].weight":0.6250000001`, "R049/change-over-limit", "25 %"},
		{`"expires_at":"2026-04-02T15:00:00Z"`, "", ""},
		{`"expires_at":"2026-04-02T17:00:00+02:00"`, "", ""},
		{`"expires_at":"2026-04-02T15:00:00.001Z"`, "R049/change-over-limit", "25 %"},
		{`"service.constraints.max_api_calls":1`, "R049/zero-base", "a change from 0"},
		{`"service.constraints.max_api_calls":0`, "", ""},
		{`"verification.strategy":"immediate"`, "R049/not-bounded", "a change of quantity"},
	} {
		l, _ := walk(t, []string{first, counter(c.changes, "counter_to_counter")})
		f, ok := gap(l, c.id)
		if c.id == "" {
			if f, over := gap(l, "R049/change-over-limit"); over {
				t.Errorf("%s: unwanted %s", c.changes, f.Recomputed)
			}
		} else if !ok || f.Recomputed != c.recomputed {
			t.Errorf("%s: %s %q, want %q", c.changes, c.id, f.Recomputed, c.recomputed)
		}
	}
}

// 4.00 -> 5.00 -> 6.20: 24 % of what is in force, 30 % of the original. -25 % after +25 % leaves 0.9375.
func TestBasesAndDrift(t *testing.T) {
	two := []string{first, counter(`"escrow.payment.amount":"5.00"`, "higher_price_for_scope"),
		`{"negotiation_id":"n","agreement_id":"asa-1","round":3,"action":"counter","sender":"client","at":"2026-04-01T09:00:02Z","proposed_changes":{"escrow.payment.amount":"6.20"},"rationale_code":"counter_to_counter"}`}
	if l, _ := walk(t, two); func() bool { _, over := gap(l, "R049/change-over-limit"); return over }() {
		t.Error("24 % of the value in force is over the limit")
	}
	l, _ := walk(t, two, "change.base=original")
	if f, ok := gap(l, "R049/change-over-limit"); !ok || f.Recomputed != "30 %" || f.Robust {
		t.Errorf("against the original: %+v, want 30 %% under this reading alone", f)
	}
	two[2] = strings.Replace(two[2], "6.20", "3.75", 1)
	l, came := walk(t, two)
	if f, _ := gap(l, "R049/drift"); f.Recomputed != "x0.9375" {
		t.Errorf("drift %q, want x0.9375", f.Recomputed)
	}
	if got := document.Text(document.Get(came.Terms, "escrow", "payment", "amount")); got != "3.75" {
		t.Errorf("folded amount %q, want 3.75", got)
	}
}

func TestTurns(t *testing.T) {
	accept := `{"negotiation_id":"n","agreement_id":"asa-1","round":3,"action":"accept","sender":"client","at":"2026-04-01T09:00:02Z"}`
	second := counter(`"verification.strategy":"immediate"`, "verification_strategy_change")
	for _, c := range []struct {
		name     string
		messages []string
		id       string
		outcome  string
	}{
		{"in order", []string{first, second, accept}, "", "accepted"},
		{"equal instants", []string{first, strings.Replace(second, "09:00:01Z", "11:00:00+02:00", 1), accept}, "", "accepted"},
		{"back by a nanosecond", []string{first, strings.Replace(second, "09:00:01Z", "08:59:59.999999999Z", 1), accept}, "R047/time-goes-back", "accepted"},
		{"own offer", []string{first, second, strings.Replace(accept, `"client"`, `"provider"`, 1)}, "R047/accepts-own-offer", "accepted"},
		{"twice in a row", []string{first, second, strings.Replace(strings.Replace(second, `"round":2`, `"round":3`, 1), "01Z", "02Z", 1)}, "R047/turn", "open"},
		{"provider begins", []string{strings.Replace(first, `"client"`, `"provider"`, 1)}, "R047/first-message", "open"},
		{"after the end", []string{first, second, accept, strings.Replace(accept, `"round":3`, `"round":4`, 1)}, "R047/after-the-end", "accepted"},
		{"round skipped", []string{first, strings.Replace(second, `"round":2`, `"round":3`, 1)}, "R047/round", "open"},
		{"unknown code", []string{first, strings.Replace(second, "verification_strategy_change", "because", 1)}, "R044/unknown-code", "open"},
		{"another agreement", []string{first, strings.Replace(second, "asa-1", "asa-2", 1)}, "R042/other-agreement", "open"},
	} {
		l, came := walk(t, c.messages)
		for _, f := range l.Findings() {
			if f.Outcome == finding.Gap && f.Severity == finding.Error && f.ID != "asa/"+c.id {
				t.Errorf("%s: unwanted %s", c.name, f.ID)
			}
		}
		if _, ok := gap(l, c.id); ok != (c.id != "") || came.Outcome != c.outcome {
			t.Errorf("%s: %s is %v, outcome %s; want %s", c.name, c.id, ok, came.Outcome, c.outcome)
		}
	}
}

// What a code announces is judged on all changes or not at all: without the proposal nothing is known of their direction, and where one is
// refused the others alone say nothing.
func TestDirection(t *testing.T) {
	longer := `"service.constraints.max_duration_seconds":110`
	for _, c := range []struct {
		changes, code string
		gap           bool
	}{
		{longer, "extended_timeline", false}, {longer, "shorter_timeline", true}, {longer, "slo_relaxation", true}, {longer, "no_agreement_price", true}, {longer, "counter_to_counter", false},
		{longer + `,"quality_criteria.dimensions[0].slo.value":75`, "extended_timeline_for_higher_quality", true}, // 80 falls to 75 under gte
		{longer + `,"quality_criteria.dimensions[1].slo.value":9`, "extended_timeline_for_higher_quality", false}, // 10 falls to 9 under lte: stricter
		{longer + `,"quality_criteria.dimensions[1].slo.value":11`, "extended_timeline_for_higher_quality", true},
		{`"nothing":1`, "extended_timeline", false},
	} {
		l, _ := walk(t, []string{first, counter(c.changes, c.code)})
		if _, found := gap(l, "R054/direction"); found != c.gap {
			t.Errorf("%s as %s: gap %v, want %v", c.changes, c.code, found, c.gap)
		}
	}
	l := &finding.Log{}
	Judge(Input{Messages: []*document.Document{read(t, "n", first), read(t, "n", counter(longer, "extended_timeline"))}, Agreement: document.NewAgreement(read(t, "agreement.json", proposed))}, l)
	if _, found := gap(l, "R054/direction"); found {
		t.Error("a direction is judged without the terms that the changes start from")
	}
}

// Without a sender the order of turns is open, whatever the messages say.
func TestUnattributableMessages(t *testing.T) {
	l, _ := walk(t, []string{first, strings.Replace(counter(`"verification.strategy":"immediate"`, "slo_relaxation"), `"sender":"provider",`, "", 1)})
	open := map[string]bool{}
	for _, f := range l.Findings() {
		open[f.ID] = open[f.ID] || f.Outcome == finding.Unestablished
	}
	for _, id := range []string{"asa/R042/not-attributable", "asa/R047/not-attributable", "asa/R052/input-missing"} {
		if !open[id] {
			t.Errorf("%s is not open", id)
		}
	}
}

// Prices 4, 5, 6 and 7.50 have the median (5 + 6) / 2 = 5.5: the band is [2.75, 16.5].
func TestPriceBand(t *testing.T) {
	market := `{"currency":"USDC","service_types":{"research":{"prices":["4.00","5.00","6.00","7.50"],"median":"5.50"}}}`
	for _, c := range []struct{ amount, market, flags, gaps, open string }{
		{"2.75", market, "", "", ""}, {"16.50", market, "", "", ""},
		{"2.74", market, "", "R050/outside-band R050/flag-not-recorded", ""}, {"16.51", market, `"price_outside_band"`, "R050/outside-band", ""},
		{"5.00", market, `"price_outside_band"`, "R050/flag-without-cause", ""},
		{"5.00", strings.Replace(market, `"5.50"`, `"6"`, 1), "", "R051/median-differs", ""},
		{"99.00", strings.Replace(market, "USDC", "EURC", 1), "", "", "R050/currency"},
		{"99.00", `{"currency":"USDC","service_types":{}}`, "", "", "R051/no-prices R050/input-missing"},
	} {
		g := document.NewAgreement(read(t, "agreement.json", strings.Replace(strings.Replace(proposed, "4.00", c.amount, 1), `"status":"proposed"`, `"status":"proposed","metadata":{"flags":[`+c.flags+`]}`, 1)))
		l := &finding.Log{}
		Judge(Input{Agreement: g, Market: read(t, "market.json", c.market)}, l)
		var gaps, open []string
		for _, f := range l.Findings() {
			id := strings.TrimPrefix(f.ID, "asa/")
			if r := finding.Requirement(f.ID); r != "R050" && r != "R051" {
				continue
			}
			if f.Outcome == finding.Gap {
				gaps = append(gaps, id)
			} else {
				open = append(open, id)
			}
		}
		if !sameWords(gaps, c.gaps) || !sameWords(open, c.open) {
			t.Errorf("%s in %s: gaps %v, open %v; want %q, %q", c.amount, c.market, gaps, open, c.gaps, c.open)
		}
	}
}

// Without an escrow there is no price, and nothing is missing.
func TestNoPrice(t *testing.T) {
	g := document.NewAgreement(read(t, "agreement.json", strings.Replace(proposed, `"escrow":`, `"metadata":`, 1)))
	l := &finding.Log{}
	Judge(Input{Agreement: g}, l)
	for _, f := range l.Findings() {
		if finding.Requirement(f.ID) == "R050" {
			t.Errorf("unwanted %s", f.ID)
		}
	}
}

func sameWords(got []string, want string) bool {
	all := strings.Fields(want)
	for _, w := range all {
		if !strings.Contains(strings.Join(got, " "), w) {
			return false
		}
	}
	return len(got) == len(all)
}

// 30 000 + 25 000 of 50 000 tokens is 5 000 too many; a child without a limit, or without a parent, leaves the sum open.
func TestBudgets(t *testing.T) {
	of := func(id, parent, constraints string) *document.Agreement {
		up := ""
		if parent != "" {
			up = `"parent_agreement_id":"` + parent + `",`
		}
		return document.NewAgreement(read(t, id+".json", `{`+up+`"agreement_id":"`+id+`","service":{"constraints":{`+constraints+`}}}`))
	}
	parent := of("p", "", `"max_tokens":50000`)
	for _, c := range []struct {
		name     string
		children []*document.Agreement
		id       string
		ok, open int
	}{
		{"exactly the parent's", []*document.Agreement{of("x", "p", `"max_tokens":30000`), of("y", "p", `"max_tokens":20000`)}, "", 1, 0},
		{"more", []*document.Agreement{of("x", "p", `"max_tokens":30000`), of("y", "p", `"max_tokens":25000`)}, "R056/budget-exceeded", 0, 0},
		{"one without a limit", []*document.Agreement{of("x", "p", `"max_tokens":30000`), of("y", "p", ``)}, "", 0, 1},
		{"over the limit without it", []*document.Agreement{of("x", "p", `"max_tokens":50001`), of("y", "p", ``)}, "R056/budget-exceeded", 0, 1},
		{"without a parent", []*document.Agreement{of("x", "", `"max_tokens":1`)}, "", 0, 1},
		{"of another parent", []*document.Agreement{of("x", "q", `"max_tokens":1`)}, "", 0, 1},
		{"own ancestor", []*document.Agreement{of("x", "y", ``), of("y", "x", ``)}, "R056/cycle", 0, 0},
		{"same id", []*document.Agreement{of("p", "", ``)}, "R056/id-reused", 0, 0},
		{"grandchildren", []*document.Agreement{of("x", "p", `"max_tokens":50000`), of("z", "x", `"max_tokens":50001`)}, "R056/budget-exceeded", 1, 0},
	} {
		l := &finding.Log{}
		Budgets(parent, c.children, l)
		if _, ok := gap(l, c.id); ok != (c.id != "") || l.Count(finding.OK) != c.ok && c.ok > 0 || c.name == "one without a limit" && l.Count(finding.OK) > 0 || l.Count(finding.Unestablished) < c.open {
			t.Errorf("%s: %d ok, %d open, %+v; want %q, %d, %d", c.name, l.Count(finding.OK), l.Count(finding.Unestablished), l.Findings(), c.id, c.ok, c.open)
		}
	}
}

// The timeout of 10 s is inclusive.
func TestTimeout(t *testing.T) {
	for at, want := range map[string]bool{"2026-04-01T09:00:10Z": false, "2026-04-01T09:00:10.000000001Z": true} {
		in := Input{Proposal: document.NewAgreement(read(t, "proposal.json", strings.Replace(proposed, `"status"`, `"negotiation":{"timeout_seconds":10},"status"`, 1)))}
		for _, m := range []string{first, strings.Replace(counter(`"verification.strategy":"immediate"`, "verification_strategy_change"), "2026-04-01T09:00:01Z", at, 1)} {
			in.Messages = append(in.Messages, read(t, "negotiation.jsonl", m))
		}
		l := &finding.Log{}
		Judge(in, l)
		if _, late := gap(l, "R053/after-timeout"); late != want {
			t.Errorf("%s: late is %v, want %v", at, late, want)
		}
	}
}
