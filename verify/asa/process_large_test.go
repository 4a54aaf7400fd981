package asa

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/evaluators"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/lifecycle"
	"github.com/ark-forge/proveit/verify/asa/negotiation"
)

// Logs and registries near the largest size, each built to strain one group. One second is the aim on an idle machine; the test allows
// for a busy one.
func TestLargeLogs(t *testing.T) {
	files := demoBundle(t)
	g, proposal := mustAgreement(t, files[agreementFile]), mustAgreement(t, files["proposal.json"])
	repeat := func(n int, line func(int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	digits := strings.Repeat("7", 90)
	changes := repeat(document.MaxItems, func(i int) string {
		return fmt.Sprintf(`{"negotiation_id":"n","agreement_id":"%s","round":%d,"action":"counter","sender":"client","at":"2026-04-01T09:00:00Z","proposed_changes":{"escrow.payment.amount":"5.%s%d","quality_criteria.dimensions[0].weight":0.%s%d},"rationale_code":"weight_rebalance"}`+"\n", demoID, i+1, digits, i, digits, i)
	})
	odd := `{"negotiation_id":"n","round":1,"action":"counter","proposed_changes":{` + strings.TrimSuffix(repeat(30000, func(i int) string { return fmt.Sprintf(`"quality_criteria.x%d":1,`, i) }), ",") + `},"rationale_code":"x"}`
	events := repeat(document.MaxItems, func(i int) string {
		return fmt.Sprintf(`{"seq":%d,"at":"2026-04-01T09:00:00.%s%dZ","by":"client","type":"%s","agreement_id":"x","data":{"party":"evaluator","n":[%s]},"prev":"x"}`+"\n", i, strings.Repeat("1", 20), i, []string{"countered", "timeout", "evaluator_assigned", "delivered"}[i%4], strings.TrimSuffix(strings.Repeat("0.1,", 200), ","))
	})
	registry := `{"evaluators":[` + strings.TrimSuffix(repeat(2000, func(i int) string {
		return fmt.Sprintf(`{"identity":{"scheme":"did","value":"did:web:%d"},"org":"o%d","coc_root":"r%d","domains":["research"],"evaluations":90,"canary":{"passed":9,"total":9},"calibration_deviation":"1","available":true},`, i, i, i)
	}), ",") + `]}`
	canaries := repeat(document.MaxItems, func(i int) string {
		return fmt.Sprintf(`{"canary_id":"c%d","subject":{"scheme":"did","value":"did:web:%d"},"delivery_seq":%d,"known":"bad","rated":"PASS"}`+"\n", i, i, i)
	})
	lines := func(name, text string) []*document.Document {
		docs, err := document.ReadLines(name, []byte(text), false)
		if err != nil {
			t.Fatal(err)
		}
		return docs
	}
	log, err := document.ReadEvents("events.jsonl", []byte(events))
	if err != nil {
		t.Fatal(err)
	}
	var results []*document.Result
	for i := range 100 {
		results = append(results, document.NewResult(mustDocument(t, "result.json", strings.ReplaceAll(files[resultFile], "did:", fmt.Sprint(i)))))
	}
	for name, run := range map[string]func(*finding.Log){
		"changes": func(l *finding.Log) {
			negotiation.Judge(negotiation.Input{Messages: lines("negotiation.jsonl", changes), Proposal: proposal, Agreement: g, All: true}, l)
		},
		"unresolved": func(l *finding.Log) {
			negotiation.Judge(negotiation.Input{Messages: lines("negotiation.jsonl", odd), Proposal: proposal, Agreement: g, All: true}, l)
		},
		"events": func(l *finding.Log) {
			lifecycle.Judge(lifecycle.Input{Agreement: g, Events: log, AsOf: exact.Int(0), All: true}, l)
		},
		"registry": func(l *finding.Log) {
			evaluators.Judge(evaluators.Input{Agreement: g, Registry: mustDocument(t, "evaluators.json", registry), Events: log, Canaries: lines("canaries.jsonl", canaries), Beacon: "sha256:" + strings.Repeat("0", 64), All: true}, l)
		},
		"panel": func(l *finding.Log) {
			evaluators.Consensus(evaluators.ConsensusInput{Agreement: g, Results: results, Method: "median_score", All: true}, l)
		},
	} {
		start := time.Now()
		run(&finding.Log{})
		if took := time.Since(start); took > 8*time.Second {
			t.Errorf("%s took %v", name, took)
		} else {
			t.Logf("%s: %v", name, took.Round(time.Millisecond))
		}
	}
}
