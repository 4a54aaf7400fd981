package asa

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
)

var update = flag.Bool("update", false, "write testdata/asa again")

const testdata = "../../testdata/asa"

// seedKey is the key of a name of the example: its Ed25519 seed is sha256("proveit-asa-example:" + name).
func seedKey(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("proveit-asa-example:" + name))
	return ed25519.NewKeyFromSeed(seed[:])
}

func publicKey(name string) string {
	return "ed25519:" + canon.EncodeBase64URL(seedKey(name).Public().(ed25519.PublicKey))
}

const demoID = "asa-2026-04-01-demo0001"

// demoAgreement is the agreement of the example, unsigned; the parameters are what proposal and agreement differ in.
func demoAgreement(status, amount string, seconds int, evaluator bool) string {
	judge := ""
	if evaluator {
		judge = `,
    "evaluator": {
      "identity": {"scheme": "public_key", "value": "` + publicKey("eval-a") + `"},
      "type": "agent_as_judge",
      "config": {"model": "model-x", "rubric_id": "research-v2"}
    }`
	}
	return `{
  "asa_version": "1.0.0",
  "agreement_id": "` + demoID + `",
  "created_at": "2026-04-01T09:00:00Z",
  "expires_at": "2026-04-03T09:00:00Z",
  "status": "` + status + `",
  "parties": {
    "client": {"identity": {"scheme": "public_key", "value": "` + publicKey("client") + `"}, "display_name": "Agent North"},
    "provider": {"identity": {"scheme": "public_key", "value": "` + publicKey("provider") + `"}, "display_name": "Agent South"}` + judge + `
  },
  "service": {
    "type": "research",
    "description": "Summarize twelve sources",
    "deliverable_format": "markdown",
    "constraints": {"max_tokens": 2000, "max_duration_seconds": ` + fmt.Sprint(seconds) + `, "max_cost_usd": 6.5}
  },
  "quality_criteria": {
    "dimensions": [
      {
        "name": "accuracy", "weight": 0.5, "metric": "percentage", "slo": {"operator": "gte", "value": 85},
        "shadow_metric": "hallucination_rate", "shadow_slo": {"operator": "lte", "value": 5}
      },
      {
        "name": "completeness", "weight": 0.3, "metric": "percentage", "slo": {"operator": "gte", "value": 80},
        "shadow_metric": "word_count", "shadow_slo": {"operator": "lte", "value": 1500}
      },
      {"name": "timeliness", "weight": 0.2, "metric": "boolean", "slo": {"operator": "eq", "value": true}}
    ],
    "composite_threshold": 75,
    "composite_method": "weighted_average",
    "guarantee_type": "deterministic",
    "quality_gates": [{"condition": "accuracy_gte_80", "type": "threshold"}],
    "gate_logic": "all_must_pass"
  },
  "verification": {
    "strategy": "optimistic",
    "challenge_window_seconds": 7200,
    "evaluator_timeout_seconds": 600,
    "max_cost_usd": 0.5,
    "evaluator_selection": {"mode": "random_from_pool"},
    "canary_tasks": {"enabled": true, "frequency": "1_per_5_deliveries", "failure_action": "flag_and_continue"},
    "result_visibility": "parties_only"
  },
  "negotiation": {"max_rounds": 5, "max_change_percent": 25, "price_band": {"low": "0.5", "high": "3.0"}},
  "escrow": {
    "enabled": true,
    "binding": {"type": "custom_http"},
    "payment": {
      "amount": "` + amount + `",
      "currency": "USDC",
      "graduated_release": {
        "enabled": true,
        "mode": "tiered",
        "tiers": [
          {"composite_score_gte": 90, "release_percent": 100},
          {"composite_score_gte": 75, "release_percent": 85},
          {"composite_score_gte": 60, "release_percent": 50},
          {"composite_score_lt": 60, "release_percent": 0}
        ]
      }
    },
    "dead_mans_switch": {
      "client_timeout_seconds": 3600,
      "provider_timeout_seconds": 86400,
      "evaluator_timeout_seconds": 3600,
      "timeout_action": "hold_for_backup_evaluator"
    }
  },
  "dispute": {
    "protocol": "ajp",
    "auto_file_on": "verification_failure_below_threshold",
    "threshold": 60,
    "evidence_includes": ["agreement", "deliverable_hash", "verification_result"]
  },
  "metadata": {"flags": []}
}
`
}

// signed adds both signatures to an agreement.
func signed(t *testing.T, agreement string) string {
	t.Helper()
	a := mustAgreement(t, agreement)
	var lines []string
	for _, party := range []string{"client", "provider"} {
		value := canon.EncodeBase64URL(ed25519.Sign(seedKey(party), a.SignMessage(party)))
		lines = append(lines, `    "`+party+`": {"scheme": "ed25519", "value": "`+value+`"}`)
	}
	return strings.TrimSuffix(agreement, "\n}\n") + ",\n  \"signatures\": {\n" + strings.Join(lines, ",\n") + "\n  }\n}\n"
}

func mustAgreement(t *testing.T, text string) *document.Agreement {
	t.Helper()
	d, err := document.Read("agreement.json", []byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	return document.NewAgreement(d)
}

func payloadOf(t *testing.T, agreement string) string {
	t.Helper()
	b, err := mustAgreement(t, agreement).Payload()
	if err != nil {
		t.Fatal(err)
	}
	return canon.Sum(b).Prefixed()
}

const demoDeliverable = "# Summary\n\nTwelve sources were reviewed.\n"

func demoRequest() string {
	return `{
  "verification_id": "ver-demo0001",
  "agreement_id": "` + demoID + `",
  "deliverable": {
    "content_hash": "` + canon.Sum([]byte(demoDeliverable)).Prefixed() + `",
    "content_url": "https://provider.example/d/1",
    "format": "markdown",
    "size_bytes": 41
  },
  "original_request": {"description": "Summarize twelve sources", "constraints": {"max_tokens": 2000}},
  "quality_criteria": {},
  "verification_config": {"depth": "semantic", "evaluator_type": "agent_as_judge", "evaluator_config": {"model": "model-x", "rubric_id": "research-v2"}}
}
`
}

// demoResult is the result of the example; its evaluation_hash is that of itself without the hash.
func demoResult(t *testing.T) string {
	t.Helper()
	text := `{
  "verification_id": "ver-demo0001",
  "agreement_id": "` + demoID + `",
  "timestamp": "2026-04-01T10:12:30Z",
  "evaluator": {"identity": {"scheme": "public_key", "value": "` + publicKey("eval-a") + `"}, "type": "agent_as_judge", "model": "model-x"},
  "dimensions": [
    {
      "name": "accuracy", "score": 88, "slo_target": 85, "slo_met": true, "evidence": "3 claims checked, 3 supported.",
      "shadow_metric": {"name": "hallucination_rate", "value": 3.2, "slo_target": 5, "slo_met": true}
    },
    {
      "name": "completeness", "score": 82, "slo_target": 80, "slo_met": true, "evidence": "10 of 12 sources covered.",
      "shadow_metric": {"name": "word_count", "value": 1210, "slo_target": 1500, "slo_met": true}
    },
    {"name": "timeliness", "score": 100, "slo_target": true, "slo_met": true, "evidence": "Delivered before the deadline."}
  ],
  "gate_results": [{"condition": "accuracy_gte_80", "passed": true}],
  "composite": {"score": 88.6, "method": "weighted_average", "threshold": 75, "passed": true},
  "determination": {"result": "PASS", "payment_release_percent": 85, "confidence": 0.9, "notes": ""},
  "evidence_trail": {
    "deliverable_hash": "` + canon.Sum([]byte(demoDeliverable)).Prefixed() + `",
    "evaluation_hash": "",
    "evaluation_duration_ms": 41000,
    "evaluation_cost_usd": 0.12
  }
}
`
	return withEvaluationHash(t, text)
}

// withEvaluationHash fills an empty evaluation_hash.
func withEvaluationHash(t *testing.T, text string) string {
	t.Helper()
	d, err := document.Read("result.json", []byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	h, err := exact.Hash(d.Root, "/evidence_trail/evaluation_hash")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(text, `"evaluation_hash": ""`, `"evaluation_hash": "`+h.Prefixed()+`"`, 1)
}

// chain writes events as canonical lines, each with its number and the hash of the line before.
func chain(t *testing.T, events ...string) string {
	t.Helper()
	prev := canon.Digest{}
	var out bytes.Buffer
	for i, e := range events {
		text := strings.TrimSuffix(e, "}") + `,"agreement_id":"` + demoID + `","prev":"` + prev.Prefixed() + `","seq":` + fmt.Sprint(i+1) + `}`
		d, err := document.Read("event", []byte(text), false)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		line, err := exact.JCS(d.Root)
		if err != nil {
			t.Fatal(err)
		}
		prev = canon.Sum(line)
		out.Write(append(line, '\n'))
	}
	return out.String()
}

func demoEvents(t *testing.T, proposal, agreement string) []string {
	t.Helper()
	beacon := canon.Sum([]byte("beacon for " + demoID)).Prefixed()
	return []string{
		`{"at":"2026-04-01T09:00:00Z","by":"client","type":"proposed","data":{"document_sha256":"` + payloadOf(t, proposal) + `"}}`,
		`{"at":"2026-04-01T09:00:05Z","by":"provider","type":"countered","data":{"round":2}}`,
		`{"at":"2026-04-01T09:00:09Z","by":"client","type":"accepted","data":{"round":3}}`,
		`{"at":"2026-04-01T09:00:10Z","by":"client","type":"signed","data":{"payload_sha256":"` + payloadOf(t, agreement) + `"}}`,
		`{"at":"2026-04-01T09:00:12Z","by":"provider","type":"signed","data":{"payload_sha256":"` + payloadOf(t, agreement) + `"}}`,
		`{"at":"2026-04-01T09:00:12Z","by":"system","type":"activated","data":{}}`,
		`{"at":"2026-04-01T09:01:00Z","by":"client","type":"escrow_funded","data":{"amount":"6.00","currency":"USDC"}}`,
		`{"at":"2026-04-01T09:01:01Z","by":"system","type":"evaluator_assigned","data":{"beacon":"` + beacon + `","evaluator":"` + publicKey("eval-a") + `","mode":"random_from_pool"}}`,
		`{"at":"2026-04-01T10:10:00Z","by":"provider","type":"delivered","data":{"content_hash":"` + canon.Sum([]byte(demoDeliverable)).Prefixed() + `"}}`,
		`{"at":"2026-04-01T10:12:30Z","by":"evaluator","type":"verified","data":{"verification_id":"ver-demo0001"}}`,
		`{"at":"2026-04-01T12:12:31Z","by":"system","type":"released","data":{"currency":"USDC","to_client":"0.90","to_provider":"5.10"}}`,
		`{"at":"2026-04-01T12:12:32Z","by":"system","type":"closed","data":{}}`,
	}
}

func demoNegotiation(t *testing.T, proposal string) string {
	head := `{"negotiation_id":"neg-demo0001","agreement_id":"` + demoID + `",`
	return head + `"round":1,"action":"propose","sender":"client","at":"2026-04-01T09:00:00Z","document_sha256":"` + payloadOf(t, proposal) + "\"}\n" +
		head + `"round":2,"action":"counter","sender":"provider","at":"2026-04-01T09:00:05Z","proposed_changes":{"service.constraints.max_duration_seconds":4500,"escrow.payment.amount":"6.00"},"rationale_code":"extended_timeline","market_reference":{"median_price_for_service_type":"5.50","source":"arp_market_data"}}` + "\n" +
		head + `"round":3,"action":"accept","sender":"client","at":"2026-04-01T09:00:09Z"}` + "\n"
}

func demoEvaluator(name, org, model, canary, deviation, cost string, evaluations int) string {
	return `    {
      "identity": {"scheme": "public_key", "value": "` + publicKey(name) + `"},
      "org": "` + org + `", "model": "` + model + `", "domains": ["research"], "evaluations": ` + fmt.Sprint(evaluations) + `,
      "canary": ` + canary + `, "calibration_deviation": "` + deviation + `", "cost_usd": "` + cost + `", "available": true, "coc_root": null
    }`
}

// demoBundle is the whole example by file name.
func demoBundle(t *testing.T) map[string]string {
	t.Helper()
	proposal := demoAgreement("proposed", "5.00", 3600, false)
	agreement := signed(t, demoAgreement("closed", "6.00", 4500, true))
	agent := func(name, org, model string, length int) string {
		return `    {"identity": {"scheme": "public_key", "value": "` + publicKey(name) + `"}, "org": "` + org + `", "model": ` + model + `, "coc_root": null, "chain_length": ` + fmt.Sprint(length) + `}`
	}
	return map[string]string{
		"agreement.json": agreement, "proposal.json": proposal, "request.json": demoRequest(), "result.json": demoResult(t),
		"deliverable.md": demoDeliverable, "events.jsonl": chain(t, demoEvents(t, proposal, agreement)...), "negotiation.jsonl": demoNegotiation(t, proposal),
		"market.json": `{
  "as_of": "2026-04-01T00:00:00Z",
  "currency": "USDC",
  "service_types": {"research": {"prices": ["4.00", "5.00", "6.00", "7.50"], "median": "5.50", "source": "arp_market_data"}}
}
`,
		"evaluators.json": "{\n  \"policy\": {\"min_evaluations\": 50, \"canary_rate_gt\": \"0.90\", \"max_calibration_deviation\": \"8\"},\n  \"evaluators\": [\n" + strings.Join([]string{
			demoEvaluator("eval-a", "org-west", "model-x", `{"passed": 46, "total": 50}`, "4.5", "0.12", 120),
			demoEvaluator("eval-b", "org-south", "model-y", `{"passed": 97, "total": 100}`, "2.0", "0.30", 300),
			demoEvaluator("eval-c", "org-east", "model-z", `{"passed": 45, "total": 50}`, "3.0", "0.10", 80),
		}, ",\n") + "\n  ]\n}\n",
		"agents.json": "{\n  \"agents\": [\n" + agent("client", "org-north", "null", 412) + ",\n" + agent("provider", "org-south", `"model-p"`, 900) + "\n  ]\n}\n",
	}
}

// The hashes, signatures and the head of the chain were computed with Python and again with Node.
func TestExampleBundle(t *testing.T) {
	files := demoBundle(t)
	for what, pair := range map[string][2]string{
		"payload":     {payloadOf(t, files["agreement.json"]), "sha256:ec4da9d078fae8c0f6ebfb19b4f07f9b3b284c56e69162c58cde055708972b81"},
		"proposal":    {payloadOf(t, files["proposal.json"]), "sha256:72b56a75d8090861b9b2988e455f8671b49af76fcf587e13683a730de52a6a60"},
		"deliverable": {canon.Sum([]byte(files["deliverable.md"])).Prefixed(), "sha256:ba3c3eba33f1e8cf76973e8a4c92ea57d81177fe938980e1300dc0df2622ce94"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: got %s, want %s", what, pair[0], pair[1])
		}
	}
	for name, want := range map[string]string{
		"agreement.json": "22p-eF82jIIym4a0oufQqlJPnrXkHwIsa52aDuP9uO2c8gZ76CSsrBZ74yNlzTXOurPFfoXDnLIAafRK6fOZAA",
		"result.json":    "sha256:7689c134f715d2b50d9ddce8ba901af7f6070fd9235833a7d32a4542cc80fcaa",
		"events.jsonl":   `"prev":"sha256:1c50cf9e7723d173c09d6772103abda53749f2c8bcc9492aa351de4f659c7496","seq":12`,
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s does not hold %s", name, want)
		}
	}
	lines := strings.Split(strings.TrimSpace(files["events.jsonl"]), "\n")
	if head := canon.Sum([]byte(lines[len(lines)-1])).String(); head != "1d1139d2af812971958ff9c721eb0a100875f2e0efd0c899faa47cc1573f4c72" {
		t.Errorf("head of the chain: %s", head)
	}
	for name, text := range files {
		path := filepath.Join(testdata, "bundle", name)
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s differs from what this test makes (run with -update): %v", path, err)
		}
	}
}
