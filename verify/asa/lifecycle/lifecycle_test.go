package lifecycle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Expected values are by hand: activation at 09:00:00, 100 s to fund, 1000 s to deliver, 50 s to evaluate, 200 s to challenge.

const terms = `{"agreement_id":"asa-1","created_at":"2026-04-01T08:00:00Z","expires_at":"2026-04-01T09:30:00Z","status":"%s",
	"service":{"constraints":{"max_duration_seconds":600}},
	"quality_criteria":{"dimensions":[{"name":"timeliness","metric":"boolean","weight":1,"slo":{"operator":"eq","value":true}}]},
	"verification":{"strategy":"optimistic","challenge_window_seconds":200,"evaluator_timeout_seconds":20,"max_backup_evaluators":2},
	"escrow":{"enabled":true,"payment":{"amount":"5.01","currency":"USDC"},
		"dead_mans_switch":{"client_timeout_seconds":100,"provider_timeout_seconds":1000,"evaluator_timeout_seconds":50,"timeout_action":"%s"}}}`

// happened writes one event per text, "time type by data".
func happened(t *testing.T, list ...string) []document.Event {
	t.Helper()
	var events []document.Event
	for i, text := range list {
		part := strings.SplitN(text, " ", 4)
		data := "{}"
		if len(part) == 4 {
			data = part[3]
		}
		line := fmt.Sprintf(`{"agreement_id":"asa-1","at":"2026-04-01T%s","by":"%s","data":%s,"seq":%d,"type":"%s"}`, part[0], part[2], data, i+1, part[1])
		one, err := document.ReadEvents("events.jsonl", []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, one...)
	}
	return events
}

var active = []string{"08:00:00Z proposed client", "08:00:01Z countered provider", "08:00:02Z accepted client", "08:00:03Z signed client", "08:00:04Z signed provider", "09:00:00Z activated system"}

const (
	funded    = `09:00:10Z escrow_funded client {"amount":"5.01","currency":"USDC"}`
	delivered = `09:05:00Z delivered provider {"content_hash":"sha256:0000000000000000000000000000000000000000000000000000000000000000"}`
	verified  = `09:05:10Z verified evaluator {"verification_id":"v"}`
	released  = `%s released system {"to_provider":"5.01","to_client":"0","currency":"USDC"}`
)

func after(list ...string) []string { return append(active[:len(active):len(active)], list...) }

// judge judges events of an agreement in some status at an instant, "" for none.
func judge(t *testing.T, status, action, asOf string, events []string, readings ...string) (*finding.Log, Standing) {
	t.Helper()
	d, err := document.Read("agreement.json", []byte(fmt.Sprintf(terms, status, action)), false)
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Agreement: document.NewAgreement(d), Events: happened(t, events...)}
	if asOf != "" {
		if in.AsOf, err = exact.Instant("2026-04-01T" + asOf); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range readings {
		if err := in.Readings.Set(r); err != nil {
			t.Fatal(err)
		}
	}
	l := &finding.Log{}
	return l, Judge(in, l)
}

// noise are the gaps that every log here has: its lines are not chained and the agreement is not signed.
func noise(f finding.Finding) bool { return f.ID == "asa/R032/not-canonical" }

func gaps(l *finding.Log) []string {
	var ids []string
	for _, f := range l.Findings() {
		if f.Outcome == finding.Gap && f.Severity <= finding.Warn && !noise(f) {
			ids = append(ids, strings.TrimPrefix(f.ID, "asa/"))
		}
	}
	return ids
}

func TestTimers(t *testing.T) {
	late := func(at string) string { return strings.Replace(funded, "09:00:10Z", at, 1) }
	for _, c := range []struct {
		name, status, asOf string
		events             []string
		want               string
	}{
		{"funded at the end", "active", "", after(late("09:01:40Z")), ""},
		{"funded at the end, another zone", "active", "", after(late("11:01:40+02:00")), ""},
		{"funded a nanosecond late", "active", "", after(late("09:01:40.000000001Z")), "R035/funded-late"},
		{"not funded, now is the end", "active", "09:01:40Z", active, ""},
		{"not funded, now is later", "active", "09:01:41Z", active, "R035/must-be-expired"},
		{"client's timer at its end", "expired", "", after(`09:01:40Z timeout system {"party":"client"}`), "R035/timer-early"},
		{"client's timer after its end", "expired", "", after(`09:01:41Z timeout system {"party":"client"}`), ""},
		{"another timer where the client's was over", "expired", "", after(`10:00:00Z timeout system {"party":"provider"}`), "R035/must-be-expired"},
		{"delivered at the end", "delivered", "", after(funded, strings.Replace(delivered, "09:05:00Z", "09:16:50Z", 1)), "R040/late"},
		{"delivered after the end", "delivered", "", after(funded, strings.Replace(delivered, "09:05:00Z", "09:16:51Z", 1)), "R036/delivered-late R040/late"},
		{"delivered at expires_at", "delivered", "", after(funded, strings.Replace(delivered, "09:05:00Z", "09:30:00Z", 1)), "R036/delivered-late R040/late"},
		{"delivered after expires_at", "delivered", "", after(funded, strings.Replace(delivered, "09:05:00Z", "09:30:01Z", 1)), "R036/delivered-late R039/delivered-after-expiry R040/late"},
		{"delivered at the deadline", "delivered", "", after(funded, strings.Replace(delivered, "09:05:00Z", "09:10:00Z", 1)), ""},
		{"verified at the service level", "verified", "", after(funded, delivered, strings.Replace(verified, "09:05:10Z", "09:05:20Z", 1)), ""},
		{"verified over it", "verified", "", after(funded, delivered, strings.Replace(verified, "09:05:10Z", "09:05:21Z", 1)), "R037/service-level"},
		{"verified at the switch", "verified", "", after(funded, delivered, strings.Replace(verified, "09:05:10Z", "09:05:50Z", 1)), "R037/service-level"},
		{"verified after the switch", "verified", "", after(funded, delivered, strings.Replace(verified, "09:05:10Z", "09:05:51Z", 1)), "R037/switch-fires R037/service-level"},
		{"no result, now after the switch", "delivered", "09:05:51Z", after(funded, delivered), "R037/switch-fires"},
		{"no result, now is the switch", "delivered", "09:05:50Z", after(funded, delivered), ""},
		{"funded with another amount", "active", "", after(strings.Replace(funded, "5.01", "5.00", 1)), "R031/funding-differs"},
		{"funded in another currency", "active", "", after(strings.Replace(funded, "USDC", "EURC", 1)), "R031/funding-differs"},
		{"delivered without funds", "delivered", "09:05:50Z", after(delivered), "R031/not-funded R035/must-be-expired"},
		{"delivered without a hash", "delivered", "", after(funded, `09:05:00Z delivered provider {"content_hash":"x"}`), "R031/no-hash"},
	} {
		l, _ := judge(t, c.status, "split_50_50", c.asOf, c.events)
		got := gaps(l)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %q", c.name, got, c.want)
		}
	}
}

func without(list []string, id string) []string {
	var left []string
	for _, x := range list {
		if x != id {
			left = append(left, x)
		}
	}
	return left
}

// The window runs from 09:05:10 to 09:08:30, both included.
func TestChallengeWindow(t *testing.T) {
	for _, c := range []struct {
		name, status string
		then         []string
		want         string
	}{
		{"challenge at the end", "disputed", []string{"09:08:30Z challenged client"}, ""},
		{"challenge later", "disputed", []string{"09:08:30.001Z challenged client"}, "R038/challenge-late"},
		{"release at the end", "closed", []string{fmt.Sprintf(released, "09:08:30Z"), "09:08:31Z closed system"}, "R038/released-inside-window"},
		{"release after the end", "closed", []string{fmt.Sprintf(released, "09:08:30.001Z"), "09:08:31Z closed system"}, ""},
		{"release before a challenge", "disputed", []string{fmt.Sprintf(released, "09:06:00Z"), "09:06:01Z challenged client"}, "R038/released-inside-window"},
		{"release of a dispute resolved in the window", "closed", []string{"09:06:00Z challenged client", "09:07:00Z dispute_resolved system", fmt.Sprintf(released, "09:07:01Z"), "09:07:02Z closed system"}, ""},
		{"closed without a ruling", "closed", []string{"09:06:00Z challenged client", fmt.Sprintf(released, "09:07:01Z"), "09:07:02Z closed system"}, "R031/not-resolved"},
		{"closed without a release", "closed", []string{"09:09:00Z closed system"}, "R031/not-settled R033/closing-record"},
	} {
		l, _ := judge(t, c.status, "split_50_50", "10:00:00Z", after(append([]string{funded, delivered, verified}, c.then...)...))
		if got := strings.Join(gaps(l), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTransitionsRefused(t *testing.T) {
	for _, c := range []struct {
		name, state string
		events      []string
		want        string
	}{
		{"proposed -> delivered", "delivered", []string{active[0], delivered}, "R030/illegal-transition R031/work-before-activation"},
		{"closed -> expired", "closed", after(funded, delivered, verified, fmt.Sprintf(released, "09:09:00Z"), "09:09:01Z closed system", "09:09:02Z expired system"), "R030/illegal-transition"},
		{"activated unsigned", "active", append(active[:3:3], active[5]), "R031/not-signed R031/not-signed"},
		{"activated without acceptance", "active", append(active[:2:2], active[3:]...), "R031/not-accepted"},
		{"proposed by the provider", "proposed", []string{"08:00:00Z proposed provider"}, "R030/actor"},
		{"verified -> expired", "expired", after(funded, delivered, verified, "09:09:00Z expired system"), "R030/drawn-only"},
		{"expired early", "expired", []string{active[0], "09:30:00Z expired system"}, "R031/expired-early"},
		{"expired", "expired", []string{active[0], "09:30:01Z expired system"}, ""},
		{"evaluator's timer in active", "active", after(funded, `09:05:00Z timeout system {"party":"evaluator"}`), "R030/illegal-transition"},
		{"unknown event", "proposed", []string{active[0], "08:00:01Z waved client"}, "R030/unknown-event"},
		{"time goes back", "negotiating", []string{active[0], "07:59:59Z countered provider"}, "R032/time-goes-back"},
		{"no event", "", nil, ""},
	} {
		status := c.state
		if status == "" {
			status = "proposed"
		}
		l, out := judge(t, status, "split_50_50", "", c.events)
		got := without(without(gaps(l), "R035/must-be-expired"), "R034/status-differs")
		if strings.Join(got, " ") != c.want || out.State != c.state {
			t.Errorf("%s: %v in %q, want %q in %q", c.name, got, out.State, c.want, c.state)
		}
	}
	l, _ := judge(t, "active", "split_50_50", "", []string{active[0]})
	if got := strings.Join(gaps(l), " "); got != "R034/status-differs" {
		t.Errorf("declared active, replayed proposed: %q", got)
	}
}

// After a hold the time of the backup runs from its assignment: a result 50 s after that is in time, one a second later is not.
func TestHold(t *testing.T) {
	hold, assigned := `09:05:51Z timeout system {"party":"evaluator"}`, "09:10:00Z evaluator_assigned system"
	for at, want := range map[string]string{"09:10:50Z": "R037/service-level", "09:10:51Z": "R037/switch-fires R037/service-level"} {
		l, _ := judge(t, "verified", "hold_for_backup_evaluator", "10:00:00Z", after(funded, delivered, hold, assigned, strings.Replace(verified, "09:05:10Z", at, 1)))
		if got := strings.Join(gaps(l), " "); got != want {
			t.Errorf("verified %s: %q, want %q", at, got, want)
		}
	}
	l, out := judge(t, "delivered", "hold_for_backup_evaluator", "10:00:00Z", after(funded, delivered, hold))
	if open := l.Count(finding.Unestablished); len(gaps(l)) != 0 || open == 0 || out.State != "delivered" {
		t.Errorf("held: %v, %d open, %s", gaps(l), open, out.State)
	}
	l, out = judge(t, "expired", "return_to_client", "10:00:00Z", after(funded, delivered, strings.Replace(hold, "51Z", "50Z", 1)))
	if got := strings.Join(gaps(l), " "); got != "R037/timer-early" || out.State != "expired" {
		t.Errorf("switch at its end: %q, %s", got, out.State)
	}
}

// 5.01 goes back whole.
func TestRefund(t *testing.T) {
	fired := `09:16:51Z timeout system {"party":"provider"}`
	for paid, want := range map[string]string{
		`{"to_provider":"0","to_client":"5.01"}`: "", `{"to_provider":"0.01","to_client":"5.00"}`: "R036/refund-differs R036/refund-differs", `{"to_client":"5.01"}`: "R036/refund-differs",
	} {
		l, _ := judge(t, "expired", "split_50_50", "10:00:00Z", after(funded, fired, "09:17:00Z refunded system "+paid))
		if got := strings.Join(gaps(l), " "); got != want {
			t.Errorf("%s: %q, want %q", paid, got, want)
		}
	}
}

// The verified event names the result's verification, or none.
func TestVerifiedNamesTheResult(t *testing.T) {
	d, err := document.Read("result.json", []byte(`{"verification_id":"v","timestamp":"2026-04-01T09:05:10Z"}`), false)
	if err != nil {
		t.Fatal(err)
	}
	for data, want := range map[string]string{`{"verification_id":"v"}`: "", `{}`: "", `{"verification_id":"w"}`: "R031/other-result"} {
		agreement, err := document.Read("agreement.json", []byte(fmt.Sprintf(terms, "verified", "split_50_50")), false)
		if err != nil {
			t.Fatal(err)
		}
		l := &finding.Log{}
		Judge(Input{Agreement: document.NewAgreement(agreement), Results: []*document.Result{document.NewResult(d)}, Events: happened(t, after(funded, delivered, "09:05:10Z verified evaluator "+data)...)}, l)
		if got := strings.Join(gaps(l), " "); got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}

// An event without a time leaves the rules that need it open; nothing of them is right or wrong.
func TestMissingInstants(t *testing.T) {
	l, _ := judge(t, "delivered", "split_50_50", "10:00:00Z", after(funded, strings.Replace(delivered, "09:05:00Z", "9h05", 1)))
	open := map[string]bool{}
	for _, f := range l.Findings() {
		if f.Outcome == finding.Unestablished {
			open[finding.Requirement(f.ID)] = true
		}
	}
	for _, r := range []string{"R036", "R037", "R039", "R040"} {
		if !open[r] {
			t.Errorf("%s is not open", r)
		}
	}
}
