package asa

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/followup"
	"github.com/ark-forge/proveit/verify/asa/ledger"
)

// wants reports whether a case expects a finding of a requirement.
func (c vectorCase) wants(requirement string) bool {
	for _, w := range c.Want {
		if finding.Requirement(w.ID) == requirement {
			return true
		}
	}
	return slices.ContainsFunc(c.Unestablished, func(id string) bool { return finding.Requirement(id) == requirement })
}

// testsOf are the names of the test functions below this folder.
func testsOf(t *testing.T) []string {
	t.Helper()
	var names []string
	form := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range form.FindAllSubmatch(b, -1) {
			names = append(names, string(m[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Every requirement, R001 to R109, has a test of its name: a test function, or here the first vector that expects a finding of it.
func TestRequirements(t *testing.T) {
	tests, vectors := testsOf(t), loadVectors(t)
	var names []string
	for name := range vectors {
		names = append(names, name)
	}
	slices.Sort(names)
	for n := 1; n <= finding.Requirements; n++ {
		requirement := fmt.Sprintf("R%03d", n)
		t.Run(requirement, func(t *testing.T) {
			for _, name := range names {
				for _, c := range vectors[name].Cases {
					if c.wants(requirement) {
						t.Run(name+"_"+c.Name, c.run)
						return
					}
				}
			}
			if !slices.ContainsFunc(tests, func(name string) bool { return strings.Contains(name, requirement) }) {
				t.Errorf("no test is named after %s, and no vector expects a finding of it", requirement)
			}
		})
	}
}

// The paper speaks of six states and names nine (L192); closed, rejected and expired end an agreement: nothing may follow.
func TestR029_States(t *testing.T) {
	if len(document.States) != 9 {
		t.Errorf("%d states, want 9", len(document.States))
	}
	files := demoBundle(t)
	last := strings.TrimSuffix(files["events.jsonl"][strings.LastIndex(strings.TrimSuffix(files["events.jsonl"], "\n"), "\n")+1:], "\n")
	files["events.jsonl"] += `{"agreement_id":"` + demoID + `","at":"2026-04-01T13:00:00Z","by":"client","data":{},"prev":"` + canon.Sum([]byte(last)).Prefixed() + `","seq":13,"type":"challenged"}` + "\n"
	r := mustAudit(t, files, Options{})
	if f, ok := find(r, "asa/R030/illegal-transition"); !ok || f.At != "events.jsonl:13#/type" {
		t.Errorf("an event after the end: %+v\n%s", f, show(r))
	}
	wantNone(t, r, "asa/R032/")
}

// The rows of the paper's §5.4: the type is the option's, the request's, or general, which a note says; the name of a row or nothing.
func TestR081_Standalone(t *testing.T) {
	result := `{"verification_id":"v","timestamp":"2026-04-01T10:00:00Z","evaluator":{"identity":{"scheme":"did","value":"did:web:e.example"},"type":"agent_as_judge"},
  "dimensions":[{"name":"accuracy","score":80},{"name":"completeness","score":70},{"name":"relevance","score":60},{"name":"clarity","score":50},{"name":"timeliness","score":100}],
  "composite":{"score":71},"determination":{"result":"PASS"}}`
	// 0.25*80 + 0.20*70 + 0.20*60 + 0.20*50 + 0.15*100 = 71, by hand
	r := mustAudit(t, map[string]string{"result.json": result}, Options{Threshold: "71"})
	wantFinding(t, r, finding.Note, "asa/R081/general-by-default", "", "general")
	for _, prefix := range []string{"asa/R076/", "asa/R080/"} {
		wantNone(t, r, prefix)
	}
	wantFinding(t, mustAudit(t, map[string]string{"result.json": result}, Options{Threshold: "71.01"}), finding.Error, "asa/R080/determination-mismatch", "PASS", "FAIL")
	wantFinding(t, mustAudit(t, map[string]string{"result.json": result}, Options{Type: "poetry"}), finding.Error, "asa/R081/unknown-type", "poetry", "")
	wantFinding(t, mustAudit(t, map[string]string{"result.json": result}, Options{Threshold: "101"}), finding.Reject, "asa/R081/threshold-option", "101", "0 to 100")
}

// §4.4: the research template has relevance, sources and writing too, and asks accuracy for 85.
func TestR082_Template(t *testing.T) {
	r := mustAudit(t, demoBundle(t), Options{})
	missing := 0
	for _, f := range r.Log.Findings() {
		if f.ID == "asa/R082/dimension-missing" {
			missing++
		}
	}
	if missing != 3 {
		t.Errorf("%d dimensions missing, want 3: %s", missing, show(r))
	}
	wantFinding(t, mustAudit(t, altered(t, change{agreementFile, `"value": 85}`, `"value": 84}`}), Options{}), finding.Note, "asa/R082/below-typical", "84", "85")
	other := mustAudit(t, altered(t, change{agreementFile, `"type": "research"`, `"type": "poetry"`}), Options{})
	if _, ok := find(other, "asa/R082/dimension-missing"); ok || !other.Log.Seen("R082") {
		t.Errorf("a type without a template: %s", show(other))
	}
}

// Where the release says which tiers it used, they are those that were signed.
func TestR091_TiersUsed(t *testing.T) {
	tiers := `[{"composite_score_gte":90,"release_percent":100},{"composite_score_gte":75,"release_percent":85},{"composite_score_gte":60,"release_percent":50},{"composite_score_lt":60,"release_percent":0}]`
	released := func(used string) map[string]string {
		return altered(t, change{"events.jsonl", `"to_provider":"5.10"`, `"tiers":` + used + `,"to_provider":"5.10"`})
	}
	wantNone(t, mustAudit(t, released(tiers), Options{}), "asa/R091/")
	wantFinding(t, mustAudit(t, released(strings.Replace(tiers, `75,`, `74,`, 1)), Options{}), finding.Error, "asa/R091/other-tiers", "", "")
}

// Two agreements of one pair with tiers: the paper would have continuous release (L440). One of them without escrow: nothing to say.
func TestR095_RepeatedPartners(t *testing.T) {
	two := func(second map[string]string) map[string]string {
		files := map[string]string{}
		for name, text := range demoBundle(t) {
			files["a/"+name] = text
		}
		for name, text := range second {
			files["b/"+name] = text
		}
		return files
	}
	r, err := ledger.Judge(fsOf(two(demoBundle(t))), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFinding(t, r, finding.Note, "asa/R095/tiers-with-repeated-partner", demoID, "continuous")
	r, err = ledger.Judge(fsOf(two(altered(t, change{agreementFile, `"escrow": {
    "enabled": true`, `"escrow": {
    "enabled": false`}))), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := find(r, "asa/R095/tiers-with-repeated-partner"); ok {
		t.Errorf("an agreement without escrow counts: %s", show(r))
	}
}

// What a dispute needs (§9.3) is demanded where there is one, and only there.
func TestR105_DisputePackage(t *testing.T) {
	hash := change{resultFile, `"deliverable_hash": "sha256:`, `"deliverable_hash": "sha255:`}
	wantNone(t, mustAudit(t, altered(t, hash), Options{}), "asa/R105/")
	r := mustAudit(t, altered(t, hash, change{agreementFile, `"status": "closed"`, `"status": "disputed"`}), Options{})
	if f := wantFinding(t, r, finding.Error, "asa/R105/item-missing", "", "deliverable_hash"); f.At != "result.json#/evidence_trail/deliverable_hash" {
		t.Errorf("at %s", f.At)
	}
	set, err := folder.Collect(fsOf(demoBundle(t)))
	if err != nil {
		t.Fatal(err)
	}
	items := followup.DisputeItems(set.Open(false, &finding.Log{}))
	if len(items) != 10 {
		t.Fatalf("%v: want agreement, deliverable hash, result and two identities, and the files at hand: deliverable, events, messages, proposal, request", items)
	}
	for _, i := range items {
		if !i.Present {
			t.Errorf("the example lacks %s", i.Name)
		}
	}
}

// A panel of three on one request is in order whether its members answer under the request's id or under ids of their own, by models of their
// own; one member that answers twice under one id is not. Without consensus the same ids are a gap.
func TestR098_R069_PanelsMayShareTheRequest(t *testing.T) {
	consensus := change{agreementFile, `"verification": {`, `"verification": {
    "consensus": {"method": "majority_vote", "evaluators": 3},`}
	for _, c := range []struct {
		name    string
		changes []change
		id      string // of the second and third result, before their number
		judge   []string
		want    []string
	}{
		{"one id", []change{consensus}, "ver-demo0001", []string{"eval-a", "eval-b", "eval-c"}, nil},
		{"ids of their own", []change{consensus}, "ver-other", []string{"eval-a", "eval-b", "eval-c"}, nil},
		{"one of them twice", []change{consensus}, "ver-demo0001", []string{"eval-a", "eval-b", "eval-b"}, []string{"asa/R098/id-reused"}},
		{"no panel", nil, "ver-demo0001", []string{"eval-a", "eval-b", "eval-c"}, []string{"asa/R098/id-reused", "asa/R098/second-result"}},
	} {
		files := altered(t, c.changes...)
		for i, name := range c.judge[1:] {
			text := strings.Replace(strings.Replace(files[resultFile], publicKey("eval-a"), publicKey(name), 1), `"model": "model-x"`, fmt.Sprintf(`"model": "model-%d"`, i), 1)
			id := c.id
			if id != "ver-demo0001" {
				id = fmt.Sprint(id, i)
			}
			files[fmt.Sprint("result-", i, ".json")] = strings.Replace(text, "ver-demo0001", id, 1)
		}
		r := mustAudit(t, files, Options{})
		for _, id := range []string{"asa/R098/id-reused", "asa/R098/second-result", "asa/R069/verification-id"} {
			if _, found := find(r, id); found != slices.Contains(c.want, id) {
				t.Errorf("%s: %s found %v:\n%s", c.name, id, found, show(r))
			}
		}
		if _, found := find(r, "asa/R069/evaluator-model"); found && c.changes != nil {
			t.Errorf("%s: a member's own model is a gap", c.name)
		}
	}
}

// After the evaluator's timer has fired the result comes from the backup that was assigned then, not from whom the agreement names.
func TestR069_Backup(t *testing.T) {
	for judge, want := range map[string]bool{"eval-b": false, "eval-a": true} {
		for _, name := range []string{publicKey("eval-b"), "public_key:" + publicKey("eval-b")} {
			files := altered(t, change{resultFile, publicKey("eval-a"), publicKey(judge)}, change{resultFile, `"model": "model-x"`, `"model": "model-b"`})
			files["events.jsonl"] = chain(t,
				`{"at":"2026-04-01T10:10:00Z","by":"provider","data":{},"type":"delivered"}`, `{"at":"2026-04-01T11:10:01Z","by":"system","data":{"party":"evaluator"},"type":"timeout"}`,
				`{"at":"2026-04-01T11:11:00Z","by":"system","data":{"evaluator":"`+name+`"},"type":"evaluator_assigned"}`)
			r := mustAudit(t, files, Options{})
			for _, id := range []string{"asa/R069/evaluator", "asa/R069/evaluator-model"} {
				if _, found := find(r, id); found != (want && id == "asa/R069/evaluator") {
					t.Errorf("judged by %s, assigned %s: %s found %v", judge, name, id, found)
				}
			}
		}
	}
}

// A record that was deleted leaves its hash; one that does not is a note. Without an archive the rule is not engaged.
func TestR106_Retention(t *testing.T) {
	if r := mustAudit(t, demoBundle(t), Options{}); !r.Log.Seen("R106") {
		t.Error("R106 is not among the rules that were looked at")
	}
	files := demoBundle(t)
	files["archive.jsonl"] = `{"record":"result","id":"ver-old","purged_at":"2027-04-01T00:00:00Z","sha256":"sha256:` + strings.Repeat("a", 64) + `","composite":88.6}` + "\n"
	wantFindings(t, mustAudit(t, files, Options{}), "asa/R106/no-hash", 0)
	for _, lacking := range []string{`{"record":"result","id":"ver-old","purged_at":"2027-04-01T00:00:00Z"}`, `{"record":"result","id":"ver-old","purged_at":"2027-04-01T00:00:00Z","sha256":"sha256:abc"}`} {
		files["archive.jsonl"] = lacking
		f := wantFinding(t, mustAudit(t, files, Options{}), finding.Note, "asa/R106/no-hash", "", "sha256: and 64 hex digits")
		if f.At != "archive.jsonl:1#/sha256" {
			t.Errorf("at %s", f.At)
		}
	}
}

// R100: an export to the audience that the agreement allows or a narrower one is in order, a wider one is not.
func TestR100_Exports(t *testing.T) {
	export := func(audience string) string {
		return `{"agreement_id": "` + demoID + `", "verification_id": "ver-demo0001", "audience": "` + audience + `"}`
	}
	order := []string{"parties_only", "parties_and_arp", "public"}
	for i, allowed := range order {
		for j, given := range order {
			files := altered(t, change{agreementFile, `"result_visibility": "parties_only"`, `"result_visibility": "` + allowed + `"`})
			files["export-1.json"] = export(given)
			r := mustAudit(t, files, Options{})
			if j <= i {
				wantFindings(t, r, "asa/R100/wider-audience", 0)
			} else {
				wantFinding(t, r, finding.Error, "asa/R100/wider-audience", given, allowed)
			}
		}
	}
	files := altered(t, change{agreementFile, `,
    "result_visibility": "parties_only"`, ``})
	files["export.json"] = export("public")
	wantUnestablished(t, mustAudit(t, files, Options{}), "asa/R100/visibility-unknown")
	files["export.json"] = export("parties_only")
	wantFindings(t, mustAudit(t, files, Options{}), "asa/R100/visibility-unknown", 0)
	files = demoBundle(t)
	files["export.json"] = strings.Replace(export("parties_only"), demoID, "asa-other", 1)
	wantFinding(t, mustAudit(t, files, Options{}), finding.Error, "asa/R100/other-agreement", "asa-other", demoID)
	files["export.json"] = export("everybody")
	wantFinding(t, mustAudit(t, files, Options{}), finding.Reject, "asa/R002/value", "everybody", "")
	files["export.json"] = `{"agreement_id": "` + demoID + `"}`
	wantFinding(t, mustAudit(t, files, Options{}), finding.Reject, "asa/R002/missing", "", "")
	files["export.json"] = strings.Replace(export("parties_only"), "ver-demo0001", "ver-other", 1)
	wantUnestablished(t, mustAudit(t, files, Options{}), "asa/R100/result-unknown")
}

// wantFindings demands so many findings of an id.
func wantFindings(t *testing.T, r *finding.Report, id string, want int) {
	t.Helper()
	n := 0
	for _, f := range r.Log.Findings() {
		if f.ID == id {
			n++
		}
	}
	if n != want {
		t.Errorf("%s: %d, want %d:\n%s", id, n, want, show(r))
	}
}
