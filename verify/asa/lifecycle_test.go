package asa

import (
	"testing"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/lifecycle"
)

// paperLifecycle is the paper's agreement and result, with the 847 seconds before the deadline of which its result speaks.
func paperLifecycle(t *testing.T, readings ...string) lifecycle.Input {
	t.Helper()
	files := paperFiles(t, "agreement.json", "result.json")
	d, err := document.Read("result.json", []byte(files["result.json"]), false)
	if err != nil {
		t.Fatal(err)
	}
	in := lifecycle.Input{Agreement: mustAgreement(t, files["agreement.json"]), Results: []*document.Result{document.NewResult(d)}, Margin: exact.Int(847)}
	for _, r := range readings {
		if err := in.Readings.Set(r); err != nil {
			t.Fatal(err)
		}
	}
	return in
}

// Gap P11: if the deadline runs from activation, activation lies in [14:49:07, 14:58:21.770]. By hand: the result of 15:45:00
// minus 600 s and minus 45.23 s, each minus 3600 - 847 s.
func TestR041_PaperActivationInterval(t *testing.T) {
	var l finding.Log
	out := lifecycle.Judge(paperLifecycle(t), &l)
	want := map[string]string{
		"activated": "[2026-03-26T14:49:07Z, 2026-03-26T14:58:21.77Z]",
		"delivered": "[2026-03-26T15:35:00Z, 2026-03-26T15:44:14.77Z]",
		"released":  "[2026-03-26T17:45:00Z, ..]", // the window closes 17:45:00
	}
	for _, i := range out.Intervals {
		if w, ok := want[i.Name]; ok && i.String() != w {
			t.Errorf("%s: %s, want %s", i.Name, i, w)
		}
		delete(want, i.Name)
	}
	if len(want) > 0 {
		t.Errorf("no interval for %v", want)
	}
	for _, f := range l.Findings() {
		if finding.Requirement(f.ID) == "R041" && f.Outcome == finding.Gap {
			t.Errorf("unwanted %s: %s", f.ID, f.Declared)
		}
	}
}

// P10: if the deadline were expires_at, the delivery would come 81 053 s after its verification. From 15:45:00 to the next day's
// 14:30:00 minus 847 s, by hand.
func TestR041_PaperDeadlineIsNotExpiry(t *testing.T) {
	var l finding.Log
	lifecycle.Judge(paperLifecycle(t, "deadline.base=expires_at"), &l)
	for _, f := range l.Findings() {
		if f.ID != "asa/R041/contradiction" {
			continue
		}
		if f.Severity != finding.Error || f.Difference != "81053" || len(f.Derivation) != 4 {
			t.Errorf("%s by %s over %v; want an error by 81053 over 4 constraints", f.Severity, f.Difference, f.Derivation)
		}
		if f.Robust {
			t.Error("the contradiction exists under one reading of the deadline only")
		}
		return
	}
	t.Errorf("no contradiction among %d findings", len(l.Findings()))
}

// P11, first half: from created_at, the result would come 1 747 s after the delivery, over the limit of 600 s.
func TestR041_PaperActivationAtCreation(t *testing.T) {
	var l finding.Log
	lifecycle.Judge(paperLifecycle(t, "deadline.base=created_at"), &l)
	for _, f := range l.Findings() {
		if f.ID == "asa/R041/limits-not-kept" {
			if f.Difference != "1147" { // 1747 - 600
				t.Errorf("misses by %s, want 1147", f.Difference)
			}
			return
		}
	}
	t.Error("want a limit that cannot have been kept")
}

// The example: delivered 10:10:00, due 09:00:12 + 4500 s = 10:15:12.
func TestLifecycleOfTheExample(t *testing.T) {
	files := demoBundle(t)
	events, err := document.ReadEvents("events.jsonl", []byte(files["events.jsonl"]))
	if err != nil {
		t.Fatal(err)
	}
	var l finding.Log
	g := mustAgreement(t, files["agreement.json"])
	out := lifecycle.Judge(lifecycle.Input{Agreement: g, Events: events}, &l)
	if out.State != "closed" || out.OnTime != "true" || exact.Text(out.Margin) != "312" || len(out.Deadlines) != 0 {
		t.Errorf("%+v; want closed, on time with 312 s to spare, nothing due", out)
	}
	for n, want := range map[int]string{1: "expires_at", 6: "client_timeout", 8: "delivery", 9: "evaluator_service_level", 10: "challenge_window"} {
		out := lifecycle.Judge(lifecycle.Input{Agreement: g, Events: events[:n]}, &finding.Log{})
		if len(out.Deadlines) == 0 || out.Deadlines[0].Name != want {
			t.Errorf("after %d events: %+v, want %s next", n, out.Deadlines, want)
		}
	}
}

// Whatever the log holds, the replay ends in a known state and nothing panics.
func FuzzLifecycle(f *testing.F) {
	agreement, err := document.Read("agreement.json", []byte(signedSeed), false)
	if err != nil {
		f.Fatal(err)
	}
	g := document.NewAgreement(agreement)
	f.Add([]byte(`{"at":"2026-04-01T09:00:00Z","by":"client","data":{},"seq":1,"type":"proposed"}` + "\n" + `{"at":"2026-04-01T09:00:00Z","by":"provider","data":{"content_hash":""},"seq":2,"type":"delivered"}`))
	f.Add([]byte(`{"type":"timeout","data":{"party":"evaluator"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		events, err := document.ReadEvents("events.jsonl", b)
		if err != nil {
			return
		}
		var l finding.Log
		out := lifecycle.Judge(lifecycle.Input{Agreement: g, Events: events, AsOf: exact.Int(1_000_000_000)}, &l)
		known := out.State == ""
		for _, s := range document.States {
			known = known || s == out.State
		}
		if !known {
			t.Errorf("state %q", out.State)
		}
	})
}

var signedSeed = demoAgreement("active", "5.01", 60, true)
