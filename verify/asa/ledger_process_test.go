package asa

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/ledger"
)

// fiveBundles are five agreements of the example's parties, each judged by the same evaluator, with a rotation of at most four.
func fiveBundles(t *testing.T, canaries string) fstest.MapFS {
	t.Helper()
	root := fstest.MapFS{}
	for i := range 5 {
		files := altered(t, change{"agreement.json", `"max_cost_usd": 0.5`, `"max_cost_usd": 0.5, "rotation": {"max_consecutive": 4}`})
		for name, text := range files {
			text = strings.ReplaceAll(text, demoID, fmt.Sprintf("asa-2026-04-01-demo%04d", i))
			root[fmt.Sprintf("b%d/%s", i, name)] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(text, "ver-demo0001", fmt.Sprintf("ver-%d", i)))}
		}
	}
	if canaries != "" {
		root["canaries.jsonl"] = &fstest.MapFile{Data: []byte(canaries)}
	}
	return root
}

// Five deliveries of one provider to one evaluator: a run of 5 over 4 allowed, and one full block of "1_per_5_deliveries".
func TestLedgerRotationAndCanaries(t *testing.T) {
	canary := `{"canary_id":"c","subject":{"scheme":"public_key","value":"` + publicKey("eval-a") + `"},"delivery_seq":%d,"known":"bad","rated":"FAIL"}`
	for _, c := range []struct {
		name, canaries, want string
		outcome              finding.Outcome
	}{
		{"rotation", "", "asa/R062/run-too-long", finding.Gap},
		{"no file", "", "asa/R063/input-missing", finding.Unestablished},
		{"none in the block", fmt.Sprintf(canary, 6), "asa/R063/too-few-canaries", finding.Gap},
		{"one in the block", fmt.Sprintf(canary, 3), "", finding.OK},
	} {
		r, err := ledger.Judge(fiveBundles(t, c.canaries), ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" {
			wantNone(t, r, "asa/R063/")
			continue
		}
		if f, ok := find(r, c.want); !ok || f.Outcome != c.outcome {
			t.Errorf("%s: want %s %s; there are:\n%s", c.name, c.outcome, c.want, show(r))
		}
	}
}

// The draw and the consensus as commands use them.
func TestSetDrawAndConsensus(t *testing.T) {
	set, err := folder.Collect(fsOf(demoBundle(t)))
	if err != nil {
		t.Fatal(err)
	}
	beacon := "sha256:98c2a3d37ae56fa095ed2326d6a3175b71187d8f6d749f861f2633bc25f696a8"
	r, drawn, err := Draw(set, Options{}, beacon)
	if err != nil || drawn.Winner.Value != publicKey("eval-a") || r.Outcome().ExitCode() != 0 {
		t.Errorf("winner %s, exit code %d, %v; want the first evaluator and 0", drawn.Winner, r.Outcome().ExitCode(), err)
	}
	_, got, err := Consensus(set, Options{}, "median_score")
	if err != nil || got.Verdict != "" {
		t.Errorf("a single result without a consensus block agrees on %q, %v", got.Verdict, err)
	}
	set.Results = append(set.Results, set.Results[0])
	if _, got, err = Consensus(set, Options{}, "median_score"); err != nil || got.Verdict != "PASS" || got.Composite.RatString() != "443/5" { // 88.6
		t.Errorf("%+v, %v; want PASS at 88.6", got, err)
	}
}
