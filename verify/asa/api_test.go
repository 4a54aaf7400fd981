package asa

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/followup"
	"github.com/ark-forge/proveit/verify/asa/ledger"
)

func demoSet(t *testing.T, changes ...change) folder.Set {
	t.Helper()
	s, err := folder.Collect(fsOf(altered(t, changes...)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCollect(t *testing.T) {
	files := demoBundle(t)
	files["children/a.json"], files["result-2.json"], files["notes.txt"], files["other/agreement.json"] = "{}", "{}", "x", "{}"
	s, err := folder.Collect(fsOf(files))
	if err != nil || s.Agreement == nil || s.Agreement.Name != "agreement.json" || len(s.Results) != 2 || len(s.Children) != 1 || s.Deliverable.Name != "deliverable.md" || s.Canaries != nil {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Audit(fsOf(map[string]string{"notes.txt": "x"}), Options{}); !errors.Is(err, folder.ErrNothing) {
		t.Errorf("nothing to audit: %v, want %v", err, folder.ErrNothing)
	}
	if _, err := Audit(fsOf(demoBundle(t)), Options{AsOf: "yesterday"}); err == nil {
		t.Error("as-of yesterday was taken")
	}
}

// Every single-purpose question on the example gives no error, and each sees only its own rules.
func TestQuestions(t *testing.T) {
	s := demoSet(t)
	o := Options{}
	for name, c := range map[string]struct {
		run  func() (*finding.Report, error)
		seen []string
	}{
		"signatures":  {func() (*finding.Report, error) { return Signatures(s, o) }, []string{"R025", "R027"}},
		"lint":        {func() (*finding.Report, error) { return Lint(s, o) }, []string{"R075", "R096", "R041", "R049"}},
		"recompute":   {func() (*finding.Report, error) { return Recompute(s, o) }, []string{"R076", "R080", "R088", "R097", "R099"}},
		"guarantee":   {func() (*finding.Report, error) { return Guarantee(s, o) }, []string{"R084"}},
		"negotiation": {func() (*finding.Report, error) { r, _, err := Negotiation(s, o); return r, err }, []string{"R049", "R050"}},
		"lifecycle":   {func() (*finding.Report, error) { r, _, err := Lifecycle(s, o); return r, err }, []string{"R030", "R038", "R104"}},
		"evaluators":  {func() (*finding.Report, error) { return Evaluators(s, o) }, []string{"R057", "R059"}},
	} {
		r, err := c.run()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, requirement := range c.seen {
			if !r.Log.Seen(requirement) {
				t.Errorf("%s does not look at %s", name, requirement)
			}
		}
		if code := r.Outcome().ExitCode(); code != 0 {
			t.Errorf("%s: exit code %d\n%s", name, code, show(r))
		}
		for _, other := range []string{"R020"} {
			_ = other
		}
	}
	_, state, err := Lifecycle(s, o)
	if err != nil || state.State != "closed" || exact.Text(state.Margin) != "312" {
		t.Errorf("state %q, margin %s, %v; want closed, 312", state.State, exact.Text(state.Margin), err)
	}
	_, came, err := Negotiation(s, o)
	if err != nil || came.Outcome != "accepted" || document.Text(document.Get(came.Terms, "escrow", "payment", "amount")) != "6.00" {
		t.Errorf("negotiation %+v, %v", came, err)
	}
	if items := followup.DisputeItems(s.Open(false, &finding.Log{})); slices.ContainsFunc(items, func(i followup.DisputeItem) bool { return !i.Present }) {
		t.Errorf("dispute package %+v", items)
	}
	if _, err := Lint(folder.Set{}, o); !errors.Is(err, folder.ErrNothing) {
		t.Errorf("lint of nothing: %v", err)
	}
}

func TestValidate(t *testing.T) {
	files := demoBundle(t)
	for _, name := range []string{"agreement.json", "proposal.json", "request.json", "result.json"} {
		if r, err := Validate(document.File{Name: name, Bytes: []byte(files[name])}, Options{}); err != nil || r.Outcome().ExitCode() != 0 {
			t.Errorf("%s: %v\n%s", name, err, show(r))
		}
	}
	var option *document.OptionError
	if _, err := Validate(document.File{Name: "x.json", Bytes: []byte(`{"a":1}`)}, Options{}); !errors.As(err, &option) {
		t.Errorf("an unknown document: %v", err)
	}
	r, err := Validate(document.File{Name: "x.json", Bytes: []byte(`{"a":1`)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := wantFinding(t, r, finding.Reject, "asa/R001/not-json", "", "")
	if !strings.HasPrefix(f.At, "x.json:1:") {
		t.Errorf("at %s", f.At)
	}
}

// The hash was computed with Python; the Python form is compared with Python's own words by TestR025_PythonForm.
func TestCanonAndMessage(t *testing.T) {
	f := document.File{Name: "agreement.json", Bytes: []byte(demoBundle(t)["agreement.json"])}
	c, err := Canon(f, Form{}, false)
	if err != nil || c.SHA256.String() != "ec4da9d078fae8c0f6ebfb19b4f07f9b3b284c56e69162c58cde055708972b81" || c.Changed != nil {
		t.Errorf("%v %v %v", c.SHA256, c.Changed, err)
	}
	full, err := Canon(f, Form{Full: true}, false)
	if err != nil || !strings.Contains(string(full.Text), `"signatures":{`) || strings.Contains(string(c.Text), `"signatures":{`) {
		t.Errorf("full form: %v", err)
	}
	python, err := Canon(f, Form{Python: true}, false)
	if err != nil || python.SHA256 != canon.Sum(python.Text) || strings.Contains(string(python.Text), "closed") {
		t.Errorf("python form: %v", err)
	}
	m, err := SignMessage(f, "client", false)
	if want := "asa-agreement-signature/1\nclient\nsha256:ec4da9d078fae8c0f6ebfb19b4f07f9b3b284c56e69162c58cde055708972b81\n"; err != nil || string(m) != want {
		t.Errorf("%q, %v; want %q", m, err, want)
	}
	if _, err := SignMessage(f, "judge", false); err == nil {
		t.Error("a message for a judge")
	}
}

func TestExplain(t *testing.T) {
	e, ok := Explain("asa/R076/composite-mismatch", "fr")
	if !ok || !strings.Contains(e.Says, "composite") || e.Rule != "§5.2 L314; §4.1 L142" {
		t.Errorf("%+v %v", e, ok)
	}
	if e, ok := Explain("R016", "en"); !ok || !slices.Contains(e.IDs, "asa/R016/hole") {
		t.Errorf("%+v %v", e, ok)
	}
	for _, bad := range []string{"", "R110", "asa", "asa/R999/x", "asa/R076/nothing"} {
		if e, ok := Explain(bad, "en"); ok {
			t.Errorf("Explain(%q) = %+v", bad, e)
		}
	}
}

// The gaps P07 and P21, found before any result exists.
func TestLintOfThePaper(t *testing.T) {
	b, err := fs.ReadFile(os.DirFS("paper"), "agreement.json")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(b), `"guarantee_type": "deterministic"`, `"guarantee_type": "probabilistic", "guarantees": [{"expr": "pass@5", "operator": "gte", "value": 95}, {"expr": "p90:accuracy", "operator": "gte", "value": 85}],
    "quality_gates": [{"condition": "accuracy_gte_80", "type": "threshold"}, {"condition": "composite_gte_75", "type": "threshold"}], "gate_logic": "all_must_pass"`, 1)
	r, err := Lint(folder.Set{Agreement: &document.File{Name: "agreement.json", Bytes: []byte(text)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFinding(t, r, finding.Warn, "asa/R041/timers-over-life", "183600", "86400")
	wantFinding(t, r, finding.Warn, "asa/R041/timer-cannot-fire", "86400", "< 86400")
	f := wantFinding(t, r, finding.Warn, "asa/R096/unreachable-tier", "60 -> 50", "75 to 100")
	if f.Robust || !slices.Equal(f.Readings, []string{"gate.pay=tier"}) {
		t.Errorf("unreachable tier: robust %v, readings %v; want gate.pay=tier", f.Robust, f.Readings)
	}
	wantFinding(t, r, finding.Note, "asa/R084/weak-guarantee", "pass@5 >= 95", "45.07")
	wantFinding(t, r, finding.Note, "asa/R085/asks-the-best", "", "10 %")
	wantFinding(t, r, finding.Note, "asa/R049/envelope", "5 x 25 %", "x0.2373 .. x3.0518")
}

// Three bundles of one pair: the same evaluator throughout, two with the same block of scores.
func TestLedger(t *testing.T) {
	files := map[string]string{}
	for i, folderName := range []string{"a", "b", "c"} {
		for name, text := range demoBundle(t) {
			text = strings.ReplaceAll(text, "ver-demo0001", "ver-demo000"+string(rune('1'+i)))
			text = strings.ReplaceAll(text, demoID, demoID+string(rune('a'+i)))
			if folderName == "b" {
				text = strings.ReplaceAll(text, canon.Sum([]byte(demoDeliverable)).Prefixed(), "sha256:"+strings.Repeat("b", 64))
			}
			if folderName == "c" {
				text = strings.ReplaceAll(text, `"score": 88,`, `"score": 59,`)
			}
			files[folderName+"/"+name] = text
		}
	}
	r, err := ledger.Judge(fsOf(files), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFinding(t, r, finding.Warn, "asa/R098/same-evaluation", "", "a/result.json")
	wantFinding(t, r, finding.Note, "asa/R095/tiers-with-repeated-partner", "", "continuous")
	answers := map[string]string{}
	for _, a := range r.Answers {
		answers[a.Name] = a.Value
	}
	if got := answers["longest_run public_key:"+publicKey("provider")]; got != "3" {
		t.Errorf("longest run %q, want 3: %v", got, answers)
	}
	// composites 88.6 and 74.1 on deliverable a: median 81.35, offsets +7.25 and -7.25 of one evaluator; 74.1 is just below 75
	if got := answers["mean_offset public_key:"+publicKey("eval-a")]; got != "0 over 2" {
		t.Errorf("offset %q: %v", got, answers)
	}
	if got := answers["near 75"]; got != "0 above, 1 below, tail 1" {
		t.Errorf("near 75: %q", got)
	}
	if _, err := ledger.Judge(fsOf(map[string]string{"x": ""}), ledger.Options{}); !errors.Is(err, folder.ErrNothing) {
		t.Errorf("an empty ledger: %v", err)
	}
}

// The text report has one line per finding and ends with the counts, in both languages.
func TestText(t *testing.T) {
	r := mustAudit(t, paperFiles(t, "agreement.json", "request.json", "result.json"), Options{JSONC: true})
	for lang, want := range map[string][]string{
		"en": {"error asa/R076/composite-mismatch result.json#/composite/score 86.1 87\n", "    the composite declared is not the one that scores and weights give\n", "repairs that break no limit: source_quality\n", ": gaps\n"},
		"fr": {"error asa/R088/release-mismatch result.json#/determination/payment_release_percent 100 85\n", "montants: 5.00 / 4.25\n", "dépend de: - (sous toute lecture)\n", ": écarts\n"},
	} {
		out := r.Text(lang, true)
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: %q is not in\n%s", lang, w, out)
			}
		}
	}
}

// The report format: these members with these values.
func TestReportJSON(t *testing.T) {
	r := mustAudit(t, paperFiles(t, "agreement.json", "request.json", "result.json"), Options{JSONC: true})
	v, err := canon.ParseStrict("report", r.JSON())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := exact.JCS(v); err != nil || string(again)+"\n" != string(r.JSON()) {
		t.Errorf("the report is not in canonical form: %v", err)
	}
	if document.Text(v.Get("tool")) != "proveit" || document.Text(v.Get("schema")) != "asa-report/1" || document.Text(v.Get("as_of")) != "2026-03-26T15:45:00Z" || document.Text(document.Get(v, "summary", "verdict")) != "gaps" || v.Get("exit_code").Number() != "1" {
		t.Errorf("head of the report: %s", r.JSON()[:200])
	}
	for _, f := range v.Get("findings").Elements() {
		if document.Text(f.Get("id")) != "asa/R076/composite-mismatch" {
			continue
		}
		for name, want := range map[string]string{"severity": "error", "at": "result.json#/composite/score", "declared": "86.1", "recomputed": "87", "gap": "-0.9", "tolerance": "0.05", "rule": "§5.2 L314; §4.1 L142"} {
			if got := document.Text(f.Get(name)); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		if document.Text(document.Get(f, "repairs", "source_quality")) != "72" || document.Text(f.Get("repairs_keeping_all_slos").At(0)) != "source_quality" || f.Get("derivation").Len() != 7 {
			t.Errorf("repairs and derivation: %s", f.Raw())
		}
	}
}
