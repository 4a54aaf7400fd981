package ledger

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
)

// agreement is the least that an audit takes: two equal dimensions and no money.
func agreement(id string) string {
	return fmt.Sprintf(`{"asa_version":"1.0.0","agreement_id":"%s","created_at":"2026-04-01T09:00:00Z","status":"active","parties":{"client":{"identity":{"scheme":"did","value":"did:x:c"}},"provider":{"identity":{"scheme":"did","value":"did:x:p"}}},
		"service":{"type":"research","description":"x"},"quality_criteria":{"composite_threshold":75,"dimensions":[{"name":"a","weight":0.5,"metric":"percentage","slo":{"operator":"gte","value":1}},{"name":"b","weight":0.5,"metric":"percentage","slo":{"operator":"gte","value":1}}]},
		"verification":{"strategy":"optimistic"}}`, id)
}

// result is one of an evaluator on a deliverable, "" for one that does not say which.
func result(id, evaluator, deliverable string, a, b int) string {
	trail := `{"evaluation_hash":"x"}`
	if deliverable != "" {
		trail = `{"deliverable_hash":"sha256:` + strings.Repeat(deliverable, 64) + `"}`
	}
	return fmt.Sprintf(`{"verification_id":"%s","agreement_id":"asa-1","timestamp":"2026-04-01T10:00:00Z","evaluator":{"identity":{"scheme":"did","value":"did:x:%s"},"type":"deterministic"},
		"dimensions":[{"name":"a","score":%d},{"name":"b","score":%d}],"composite":{"score":1,"passed":true},"determination":{"result":"PASS"},"evidence_trail":%s}`, id, evaluator, a, b, trail)
}

func judge(t *testing.T, files map[string]string) *finding.Report {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	r, err := Judge(fsys, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReplays(t *testing.T) {
	for _, c := range []struct {
		name           string
		first, second  string
		agreement      string // of the second folder
		want, unwanted string
	}{
		{"one id, other bytes", result("v", "e", "0", 80, 80), result("v", "e", "1", 80, 90), "asa-2", "id-reused", "second-result"},
		{"one id, the same bytes", result("v", "e", "0", 80, 80), result("v", "e", "0", 80, 80), "asa-1", "", "id-reused"},
		{"one deliverable of one agreement", result("v", "e", "0", 80, 80), result("w", "e", "0", 70, 70), "asa-1", "second-result", "id-reused"},
		{"one deliverable of two agreements", result("v", "e", "0", 80, 80), result("w", "e", "0", 70, 70), "asa-2", "", "second-result"},
		{"the same scores of two deliverables", result("v", "e", "0", 80, 80), result("w", "e", "1", 80, 80), "asa-2", "same-evaluation", "second-result"},
		{"the same scores of one deliverable", result("v", "e", "0", 80, 80), result("w", "f", "0", 80, 80), "asa-2", "", "same-evaluation"},
		{"no deliverable named", result("v", "e", "", 80, 80), result("w", "e", "", 80, 80), "asa-1", "no-hash", "second-result"},
		{"no deliverable named, one named", result("v", "e", "", 80, 80), result("w", "e", "1", 80, 80), "asa-1", "no-hash", "same-evaluation"},
	} {
		r := judge(t, map[string]string{"a/agreement.json": agreement("asa-1"), "a/result.json": c.first, "b/agreement.json": agreement(c.agreement), "b/result.json": c.second})
		found := map[string]bool{}
		for _, f := range r.Log.Findings() {
			if finding.Requirement(f.ID) == "R098" {
				found[strings.TrimPrefix(f.ID, "asa/R098/")] = true
			}
		}
		if c.want == "" && len(found) > 0 || c.want != "" && !found[c.want] || found[c.unwanted] {
			t.Errorf("%s: %v, want %q and not %q", c.name, found, c.want, c.unwanted)
		}
	}
}

// Three evaluators on one deliverable with composites 70, 75 and 90: the median is 75, the offsets -5, 0 and 15.
func TestOffsets(t *testing.T) {
	r := judge(t, map[string]string{
		"a/agreement.json": agreement("asa-1"), "a/result.json": result("u", "x", "0", 70, 70),
		"b/agreement.json": agreement("asa-2"), "b/result.json": result("v", "y", "0", 80, 70),
		"c/agreement.json": agreement("asa-3"), "c/result.json": result("w", "z", "0", 90, 90),
	})
	want := map[string]string{"mean_offset did:did:x:x": "-5 over 1", "mean_offset did:did:x:y": "0 over 1", "mean_offset did:did:x:z": "15 over 1", "longest_run did:did:x:p": "1"}
	for _, a := range r.Answers {
		if w, ok := want[a.Name]; ok && a.Value == w {
			delete(want, a.Name)
		}
	}
	if len(want) > 0 {
		t.Errorf("%+v lacks %v", r.Answers, want)
	}
}

// Of 10 throws of a fair coin at least 8 are heads with (45 + 10 + 1) / 1024.
func TestBinomialTail(t *testing.T) {
	for k, want := range map[int64]string{0: "1", 8: "7/128", 10: "1/1024"} {
		if got := binomialTail(10, k).RatString(); got != want {
			t.Errorf("at least %d of 10: %s, want %s", k, got, want)
		}
	}
	if exact.Text(binomialTail(0, 0)) != "1" {
		t.Error("no throws")
	}
}

func TestNothing(t *testing.T) {
	_, err := Judge(fstest.MapFS{"agreement.json": {Data: []byte(agreement("asa-1"))}, "a/notes.txt": {Data: []byte("x")}}, Options{})
	if !errors.Is(err, folder.ErrNothing) {
		t.Errorf("%v, want %v", err, folder.ErrNothing)
	}
}
