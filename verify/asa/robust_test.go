package asa

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ark-forge/proveit/verify/asa/document"
)

// Documents of the largest size that cost the most, each built to strain one rule. The limit of a second is for one document on an idle
// machine; the test allows for a busy one.
func TestLargeDocuments(t *testing.T) {
	many := func(n int, f func(int) string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(f(i))
		}
		return b.String()
	}
	digits := strings.Repeat("7", 90)
	dims := func(metric string) string {
		return many(document.MaxDimensions, func(i int) string {
			return fmt.Sprintf(`{"name": "d%d", "weight": 0.0%s%d, "metric": "%s", "slo": {"operator": "gte", "value": 1}}`, i, digits, i, metric)
		})
	}
	scores := many(document.MaxDimensions, func(i int) string {
		return fmt.Sprintf(`{"name": "d%d", "score": 9%d.%s%d, "slo_target": 1, "slo_met": true, "evidence": "x"}`, i, i%10, digits[:80], 2*i+1)
	})
	replace := func(file, from, to, with string) func(map[string]string) {
		return func(files map[string]string) {
			i := strings.Index(files[file], from)
			j := i + strings.Index(files[file][i:], to)
			files[file] = files[file][:i] + with + files[file][j:]
		}
	}
	method := func(name string) []func(map[string]string) {
		return []func(map[string]string){
			replace(agreementFile, `"dimensions"`, `"composite_threshold"`, `"dimensions": [`+dims("percentage")+`], `), replace(resultFile, `"dimensions"`, `"gate_results"`, `"dimensions": [`+scores+`], `),
			replace(agreementFile, `"weighted_average"`, `,`, `"`+name+`"`), replace(resultFile, `"weighted_average"`, `,`, `"`+name+`"`),
		}
	}
	long := strings.Repeat("deliverable ", document.MaxBytes/13)
	for name, changes := range map[string][]func(map[string]string){
		"unknown members": {replace(agreementFile, `"metadata"`, `"metadata"`, many(60000, func(i int) string { return fmt.Sprintf(`"x%d": %d`, i, i) })+`, `)},
		"numbers":         {replace(agreementFile, `"metadata"`, `"metadata"`, `"x": [`+many(70000, func(i int) string { return fmt.Sprintf("%d.5e-%d", i, i%300) })+`], `)},
		"deep":            {replace(agreementFile, `"metadata"`, `"metadata"`, `"x": [`+many(8000, func(i int) string { return strings.Repeat("[", 50) + strings.Repeat("]", 50) })+`], `)},
		"gates":           {replace(agreementFile, `{"condition": "accuracy_gte_80"`, `,`, many(999, func(i int) string { return fmt.Sprintf(`{"condition": "accuracy_gte_80.%d", "type": "threshold"}`, i) })+`, {"condition": "accuracy_gte_80"`)},
		"tiers": {replace(agreementFile, `{"composite_score_gte": 90`, `,`, many(900, func(i int) string {
			return fmt.Sprintf(`{"composite_score_gte": %d.%d, "release_percent": 100}`, 90+i/100, i%100)
		})+`, {"composite_score_gte": 90`)},
		"weighted_average": method("weighted_average"), "harmonic": method("harmonic_mean"), "geometric": method("geometric_mean"),
		"quotation": {func(files map[string]string) { files["deliverable.md"] = long }, replace(resultFile, "10 of 12", "sources", long[:900000])},
		"history": {func(files map[string]string) {
			files["history.jsonl"] = strings.Repeat(`{"task":"t","attempt":1,"dimension":"accuracy","score":1.5,"passed":false}`+"\n", 1000)
		}, replace(agreementFile, `"guarantee_type"`, `,`, `"guarantee_type": "probabilistic", "guarantees": [`+many(64, func(i int) string { return `{"expr": "pass@999", "operator": "gte", "value": 95}` })+`]`)},
	} {
		files := demoBundle(t)
		for _, c := range changes {
			c(files)
		}
		start := time.Now()
		mustAudit(t, files, Options{All: true})
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		} else {
			t.Logf("%s: %v", name, took.Round(time.Millisecond))
		}
	}
}

// Nothing that stands in a file makes a reader or a rule panic, and the report is a pure function of the files.
func FuzzAudit(f *testing.F) {
	for _, seed := range []string{"{}", "[]", `{"parties":{}}`, `{"asa_version":"1.0.0","parties":null}`} {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, agreement, result, events string) {
		files := map[string]string{"agreement.json": agreement, "result.json": result, "events.jsonl": events, "request.json": result, "negotiation.jsonl": events, "history.jsonl": events, "market.json": agreement}
		r, err := Audit(fsOf(files), Options{JSONC: true, All: true})
		if err != nil {
			t.Fatal(err)
		}
		again, _ := Audit(fsOf(files), Options{JSONC: true, All: true})
		if string(r.JSON()) != string(again.JSON()) {
			t.Error("two reports of the same files differ")
		}
	})
}

// One byte of one file of the example changed, anywhere: an answer, never a panic.
func FuzzAlteredExample(f *testing.F) {
	f.Add(uint16(0), uint16(0), byte('x'))
	names := []string{"agreement.json", "result.json", "request.json", "events.jsonl", "negotiation.jsonl", "market.json", "evaluators.json", "agents.json", "proposal.json"}
	f.Fuzz(func(t *testing.T, which, at uint16, with byte) {
		files := demoBundle(t)
		name := names[int(which)%len(names)]
		b := []byte(files[name])
		b[int(at)%len(b)] = with
		files[name] = string(b)
		if _, err := Audit(fsOf(files), Options{}); err != nil {
			t.Fatal(err)
		}
	})
}
