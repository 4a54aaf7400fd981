package asa

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/evaluators"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/negotiation"
)

func mustDocument(t testing.TB, name, text string) *document.Document {
	t.Helper()
	d, err := document.Read(name, []byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Whatever the vectors bring forth has a sentence in both languages and a place in the paper.
func TestEveryFindingOfTheVectorsHasASentence(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(testdata, "vectors", "*.json"))
	seen := 0
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var v vectorFile
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatal(err)
		}
		for _, c := range v.Cases {
			r, err := Audit(fsOf(c.files(t)), Options{JSONC: true, All: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Log.Findings() {
				seen++
				for _, lang := range finding.Languages {
					if s, ok := finding.Text(f.ID, lang); !ok || s == "" || finding.RuleText(f.ID) == "" {
						t.Errorf("%s: no sentence in %s", f.ID, lang)
					}
				}
			}
		}
	}
	if seen < 500 {
		t.Errorf("%d findings, want at least 500", seen)
	}
}

// A known answer, computed with Python: seed and first digits of the ranking.
func TestR059_KnownDraw(t *testing.T) {
	files := demoBundle(t)
	in := evaluators.Input{
		Agreement: mustAgreement(t, files["agreement.json"]), Registry: mustDocument(t, "evaluators.json", files["evaluators.json"]), Agents: mustDocument(t, "agents.json", files["agents.json"]),
		Beacon: "sha256:98c2a3d37ae56fa095ed2326d6a3175b71187d8f6d749f861f2633bc25f696a8",
	}
	d := evaluators.Judge(in, &finding.Log{})
	if got, want := d.Seed.String(), "14ac4392baaf2efd7c756cfd49823b18811168eb70ad7452a68feaa4df86688b"; got != want {
		t.Errorf("seed %s, want %s", got, want)
	}
	var got []string
	for _, r := range d.Ranking {
		got = append(got, r.Digest.String()[:16]+" "+r.Eligible)
	}
	if want := []string{"3b5eba057f862272 false", "eaa58ab811b391cc true", "f307af1295047256 false"}; !slices.Equal(got, want) {
		t.Errorf("ranking %v, want %v", got, want)
	}
	if d.Winner.Value != publicKey("eval-a") {
		t.Errorf("winner %s, want the evaluator of org-west", d.Winner)
	}
}

// The folded document of the example has exactly the signed terms; its canonical payload differs from the agreement's in what is not
// negotiable only.
func TestR052_FoldOfTheExample(t *testing.T) {
	files := demoBundle(t)
	messages, err := negotiation.ReadMessages("negotiation.jsonl", []byte(files["negotiation.jsonl"]), false)
	if err != nil {
		t.Fatal(err)
	}
	proposal := mustAgreement(t, files["proposal.json"])
	var l finding.Log
	out := negotiation.Judge(negotiation.Input{Messages: messages, Proposal: proposal}, &l)
	if out.Outcome != "accepted" {
		t.Errorf("outcome %s, want accepted", out.Outcome)
	}
	if amount, seconds := document.Text(document.Get(out.Terms, "escrow", "payment", "amount")), document.Get(out.Terms, "service", "constraints", "max_duration_seconds").Number(); amount != "6.00" || seconds != "4500" {
		t.Errorf("folded to %s and %s, want 6.00 and 4500", amount, seconds)
	}
	got, _ := exact.Hash(out.Terms)
	want, _ := exact.Hash(mustAgreement(t, demoAgreement("proposed", "6.00", 4500, false)).Root)
	if got != want {
		t.Errorf("the folded document is %s, want %s", got, want)
	}
}

func TestR044_RationaleCodes(t *testing.T) {
	if codes := negotiation.RationaleCodes(); len(codes) != 17 || !slices.Contains(codes, "extended_timeline_for_higher_quality") { // counted in R044
		t.Errorf("%d codes: %v, want 17", len(codes), codes)
	}
}

// R054: what each code demands, against changes that meet it and that do not.
func TestR054_Directions(t *testing.T) {
	const slo, shadow, price, duration = "quality_criteria.dimensions[0].slo.value", "quality_criteria.dimensions[0].shadow_slo.value", "escrow.payment.amount", "service.constraints.max_duration_seconds"
	for _, c := range []struct {
		code, changes string
		holds         bool
	}{
		{"extended_timeline_for_higher_quality", `"` + duration + `": 4000`, true},
		{"extended_timeline_for_higher_quality", `"` + duration + `": 4000, "` + slo + `": 90`, true},
		{"extended_timeline_for_higher_quality", `"` + duration + `": 4000, "` + slo + `": 80`, false},
		{"extended_timeline_for_higher_quality", `"` + duration + `": 4000, "` + shadow + `": 6`, false}, // an lte limit that rises is relaxed
		{"extended_timeline_for_higher_quality", `"` + slo + `": 90`, false},
		{"shorter_timeline", `"` + duration + `": 3000`, true},
		{"shorter_timeline", `"` + duration + `": 3601`, false},
		{"higher_price_for_scope", `"` + price + `": "5.01"`, true},
		{"lower_price_for_scope", `"` + price + `": "5.01"`, false},
		{"slo_relaxation", `"` + slo + `": 84`, true},
		{"slo_relaxation", `"` + slo + `": 86`, false},
		{"slo_tightening", `"` + shadow + `": 4`, true},
		{"weight_rebalance", `"quality_criteria.dimensions[0].weight": 0.45, "quality_criteria.dimensions[1].weight": 0.35`, true},
		{"weight_rebalance", `"` + price + `": "5.01"`, false},
		{"verification_strategy_change", `"verification.strategy": "immediate"`, true},
		{"payment_terms_change", `"escrow.dead_mans_switch.client_timeout_seconds": 3000`, true},
		{"constraint_change", `"service.constraints.max_tokens": 2100`, true},
		{"counter_to_counter", `"` + price + `": "5.01"`, true},
		{"no_agreement_price", `"` + price + `": "5.01"`, false},
	} {
		m := mustDocument(t, "negotiation.jsonl:1", `{"negotiation_id":"n","round":1,"action":"counter","proposed_changes":{`+c.changes+`},"rationale_code":"`+c.code+`"}`)
		var l finding.Log
		negotiation.Judge(negotiation.Input{Messages: []*document.Document{m}, Proposal: mustAgreement(t, demoAgreement("proposed", "5.00", 3600, false))}, &l)
		warned := slices.ContainsFunc(l.Findings(), func(f finding.Finding) bool { return f.ID == "asa/R054/direction" })
		if warned == c.holds {
			t.Errorf("%s with %s: holds %v, want %v", c.code, c.changes, !warned, c.holds)
		}
	}
}

// R062: two providers interleaved; the runs by hand are 3 and 2.
func TestR062_LongestRuns(t *testing.T) {
	id := func(s string) document.Identity { return document.Identity{Scheme: "did", Value: "did:web:" + s} }
	var list []evaluators.Delivery
	for i, pair := range []string{"p a", "q a", "p a", "p a", "q b", "p b", "q b", "p a"} {
		list = append(list, evaluators.Delivery{Provider: id(pair[:1]), Evaluator: id(pair[2:]), At: exact.Int(int64(i)), Place: pair})
	}
	slices.Reverse(list) // the order of time counts, not that of the files
	got := map[string]int{}
	for _, r := range evaluators.LongestRuns(list) {
		got[r.Provider.Value+" "+r.Evaluator.Value] = r.Length
	}
	if len(got) != 2 || got["did:web:p did:web:a"] != 3 || got["did:web:q did:web:b"] != 2 {
		t.Errorf("runs %v, want 3 of a for p and 2 of b for q", got)
	}
}

// A negotiation never makes anything panic, and what it folds is again a document.
func FuzzNegotiation(f *testing.F) {
	d, err := document.Read("proposal.json", []byte(demoAgreement("proposed", "5.00", 3600, false)), false)
	if err != nil {
		f.Fatal(err)
	}
	g := document.NewAgreement(d)
	f.Add([]byte(`{"negotiation_id":"n","round":1,"action":"counter","proposed_changes":{"escrow.payment.amount":"6.00","quality_criteria.dimensions[1].slo.value":1e2},"rationale_code":"extended_timeline"}`))
	f.Add([]byte("{}\n{\"action\":\"accept\"}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		messages, err := negotiation.ReadMessages("negotiation.jsonl", b, true)
		if err != nil {
			return
		}
		var l finding.Log
		out := negotiation.Judge(negotiation.Input{Messages: messages, Proposal: g, Agreement: g, AsOf: exact.Int(0), All: true}, &l)
		if out.Terms.Kind() != canon.Object {
			t.Errorf("folded to %s", out.Terms.Kind())
		}
	})
}

// Registries, agents, canaries and markets of any content are read without a panic.
func FuzzRegistry(f *testing.F) {
	d, err := document.Read("agreement.json", []byte(demoAgreement("closed", "6.00", 4500, true)), false)
	if err != nil {
		f.Fatal(err)
	}
	g := document.NewAgreement(d)
	f.Add([]byte(`{"policy":{"min_evaluations":1},"evaluators":[{"identity":{"scheme":"did","value":"x"},"canary":{"passed":1,"total":2},"coc_root":null}],"agents":[{"coc_root":"a"}],"currency":"USDC","service_types":{"research":{"prices":["1",2],"median":"1.5"}},"canary_id":"c","known":"bad","rated":"PASS"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := document.Read("any.json", b, false)
		if err != nil {
			return
		}
		var l finding.Log
		r := document.NewResult(d)
		evaluators.Judge(evaluators.Input{Agreement: g, Registry: d, Agents: d, Canaries: []*document.Document{d, d}, Results: []*document.Result{r, r}, Events: []document.Event{{Document: d, Type: "evaluator_assigned"}}, Beacon: canon.Sum(b).Prefixed(), All: true}, &l)
		evaluators.Consensus(evaluators.ConsensusInput{Agreement: g, Registry: d, Agents: d, Results: []*document.Result{r, r}, Method: "median_score"}, &l)
		negotiation.Judge(negotiation.Input{Proposal: g, Agreement: g, Market: d}, &l)
	})
}
