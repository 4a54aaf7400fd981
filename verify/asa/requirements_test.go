package asa

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// These tests go through the requirements in order, one test each. Every case is the example bundle with one change; the expected finding
// follows from the requirement's text by hand.

const (
	agreementFile = "agreement.json"
	resultFile    = "result.json"
)

// rcase is one change and the finding that it must give; with an empty id no finding of the requirement graver than a note.
type rcase struct {
	changes              []change
	severity             finding.Severity
	id                   string
	declared, recomputed string
}

func one(file, old, with string) []change { return []change{{file, old, with}} }

// examine runs the cases of one requirement.
func examine(t *testing.T, requirement string, cases ...rcase) {
	t.Helper()
	wantNone(t, mustAudit(t, demoBundle(t), Options{}), "asa/"+requirement+"/half") // the example is read at all
	for i, c := range cases {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			r := mustAudit(t, altered(t, c.changes...), Options{})
			if c.id == "" {
				wantNone(t, r, "asa/"+requirement+"/")
				return
			}
			wantFinding(t, r, c.severity, "asa/"+requirement+"/"+c.id, c.declared, c.recomputed)
		})
	}
}

func TestR001_StrictJSON(t *testing.T) {
	examine(t, "R001",
		rcase{one(agreementFile, `"status"`, `"status": "active", "status"`), finding.Reject, "not-json", "", ""},
		rcase{one(agreementFile, `"dispute": {`, "// why\n\"dispute\": {"), finding.Reject, "not-json", "", ""},
		rcase{one(agreementFile, "{", "\ufeff{"), finding.Reject, "not-json", "", ""},
		rcase{one(agreementFile, `"metadata": {`, `"metadata": {"x": `+strings.Repeat("[", 63)+strings.Repeat("]", 63)+`, `), finding.Reject, "too-deep", "65 levels", "at most 64"},
		rcase{one(agreementFile, `"Agent North"`, `"`+strings.Repeat("x", document.MaxBytes)+`"`), finding.Reject, "too-large", "", "at most 1048576"},
		rcase{one(agreementFile, `"max_cost_usd": 6.5`, `"max_cost_usd": `+strings.Repeat("9", 101)), finding.Reject, "number-limits", "", ""},
		rcase{one(agreementFile, `"max_cost_usd": 6.5`, `"max_cost_usd": 1e401`), finding.Reject, "not-json", "", ""},
	)
	files := altered(t, change{agreementFile, `"Agent North"`, `"https://agent.example//north" // a comment`})
	files[agreementFile] = strings.Replace(files[agreementFile], `// a comment}`, "}// a comment\n", 1)
	r := mustAudit(t, files, Options{JSONC: true})
	wantFinding(t, r, finding.Note, "asa/R001/comments", "1", "0")
	wantFinding(t, r, finding.Error, "asa/R025/signature", "", "")
}

func TestR002_Members(t *testing.T) {
	examine(t, "R002",
		rcase{one(agreementFile, `"agreement_id": "asa-`, `"agreement_id": "x-`), finding.Reject, "agreement-id", "", ""},
		rcase{one(agreementFile, `"status": "closed",`, ``), finding.Reject, "missing", "", "a string"},
		rcase{one(agreementFile, `"service": {`, `"service": null, "other": {`), finding.Reject, "type", "null", "an object"},
		rcase{one(agreementFile, `"max_tokens": 2000`, `"max_tokens": 0`), finding.Reject, "type", "0", "an integer > 0"},
		rcase{one(agreementFile, `"max_tokens": 2000`, `"max_tokens": 2000.0`), finding.Reject, "type", "2000.0", "an integer > 0"},
		rcase{one(agreementFile, `"max_cost_usd": 6.5`, `"max_cost_usd": -1`), finding.Reject, "type", "-1", "a number >= 0"},
		rcase{one(agreementFile, `"flags": []`, `"flags": [`+strings.TrimSuffix(strings.Repeat("1,", 1001), ",")+`]`), finding.Reject, "too-many", "1001 elements", "at most 1000"},
		rcase{one(resultFile, `"determination"`, `"determinatoin"`), finding.Reject, "missing", "", "an object"},
	)
}

func TestR003_Timestamps(t *testing.T) {
	examine(t, "R003",
		rcase{one(agreementFile, "2026-04-01T09:00:00Z", "2026-04-01T09:00:60Z"), finding.Reject, "timestamp", "2026-04-01T09:00:60Z", ""},
		rcase{one(agreementFile, "2026-04-01T09:00:00Z", "2026-04-01T09:00:00"), finding.Reject, "timestamp", "", ""},
		rcase{one(agreementFile, "2026-04-03T09:00:00Z", "2026-04-01T11:00:00+02:00"), finding.Error, "order", "", "after 2026-04-01T09:00:00Z"},
		rcase{one(agreementFile, "2026-04-03T09:00:00Z", "2026-04-03T11:00:00.000+02:00"), 0, "", "", ""},
	)
}

func TestR004_Status(t *testing.T) {
	examine(t, "R004",
		rcase{one(agreementFile, `"closed"`, `"CLOSED"`), finding.Note, "upper-case", "CLOSED", "closed"},
		rcase{one(agreementFile, `"closed"`, `"done"`), finding.Reject, "unknown-status", "done", ""},
	)
}

func TestR005_EvaluatorType(t *testing.T) {
	examine(t, "R005",
		rcase{one(agreementFile, `"agent_as_judge"`, `"hybrid"`), finding.Note, "alias", "hybrid", "composite"},
		rcase{one(agreementFile, `"agent_as_judge"`, `"human"`), finding.Error, "evaluator-type", "human", ""},
	)
}

func TestR006_Identity(t *testing.T) {
	client := `"scheme": "public_key", "value": "` + publicKey("client") + `"`
	with := func(scheme, value string) []change {
		return one(agreementFile, client, `"scheme": "`+scheme+`", "value": "`+value+`"`)
	}
	examine(t, "R006",
		rcase{with("coc", "sha256:"+strings.Repeat("a", 64)), 0, "", "", ""},
		rcase{with("coc", "sha256:"+strings.Repeat("A", 64)), 0, "", "", ""}, // the case of hexadecimal means nothing (R057)
		rcase{with("coc", "sha256:"+strings.Repeat("a", 63)), finding.Error, "malformed-identity", "", ""},
		rcase{with("w3c_vc", "URN:uuid:1"), 0, "", "", ""}, // RFC 3986 §3.1: schemes are in any case
		rcase{with("w3c_vc", "uuid 1"), finding.Error, "malformed-identity", "", ""},
		rcase{with("erc8004", "0x"+strings.Repeat("a", 39)), finding.Error, "malformed-identity", "", ""},
		rcase{with("w3c_did", "did:web:agent.example"), 0, "", "", ""},
		rcase{with("did", "did:WEB:agent.example"), finding.Error, "malformed-identity", "", ""},
		rcase{with("a2a", "https://agent.example/card"), 0, "", "", ""},
		rcase{with("a2a", "http://agent.example/card"), finding.Error, "malformed-identity", "", ""},
		rcase{with("w3c_vc", "urn:uuid:1"), 0, "", "", ""},
		rcase{with("public_key", publicKey("client")[:49]), finding.Error, "malformed-identity", "", ""},
		rcase{with("api_key", "key-1"), finding.Warn, "secret-in-document", "", ""},
		rcase{with("api_key", "sha256:"+strings.Repeat("a", 64)), 0, "", "", ""},
		rcase{with("api_key", "sha256:"+strings.Repeat("A", 64)), 0, "", "", ""},
		rcase{with("ens", "agent.eth"), finding.Warn, "unknown-scheme", "ens", ""},
	)
}

func TestR007_ServiceType(t *testing.T) {
	examine(t, "R007", rcase{one(agreementFile, `"type": "research"`, `"type": "research_synthesis"`), finding.Note, "no-template", "research_synthesis", ""}, rcase{})
}

func TestR008_Dimensions(t *testing.T) {
	examine(t, "R008",
		rcase{one(agreementFile, `"name": "completeness"`, `"name": "accuracy"`), finding.Error, "repeated-name", "accuracy", ""},
		rcase{one(agreementFile, `"name": "completeness"`, `"name": "Completeness"`), finding.Error, "name", "Completeness", ""},
		rcase{one(agreementFile, `"shadow_metric": "word_count",`, ``), finding.Error, "half-shadow", "", ""},
		rcase{one(agreementFile, `"composite_threshold": 75`, `"composite_threshold": 101`), finding.Error, "threshold", "101", ""},
	)
}

func TestR009_Metrics(t *testing.T) {
	examine(t, "R009",
		rcase{one(agreementFile, `"metric": "percentage"`, `"metric": "score"`), finding.Note, "extension", "score", ""},
		rcase{one(agreementFile, `"metric": "percentage"`, `"metric": "stars"`), finding.Error, "metric", "stars", ""},
	)
	r := mustAudit(t, altered(t, change{agreementFile, `"metric": "percentage"`, `"metric": "count"`}), Options{})
	wantUnestablished(t, r, "asa/R009/no-normalize")
	wantUnestablished(t, r, "asa/R076/composite-unknown")
	// a count of 88 on a scale from 0 to 100 adds what the percentage added
	r = mustAudit(t, altered(t, change{agreementFile, `"metric": "percentage"`, `"metric": "count", "normalize": {"from": 0, "to": 100}`}), Options{})
	wantNone(t, r, "asa/R076/")
}

func TestR010_Operators(t *testing.T) {
	examine(t, "R010",
		rcase{one(agreementFile, `"slo": {"operator": "gte", "value": 85}`, `"slo": {"operator": "gt", "value": 85}`), finding.Note, "extension", "gt", ""},
		rcase{one(agreementFile, `"slo": {"operator": "gte", "value": 85}`, `"slo": {"operator": "atleast", "value": 85}`), finding.Reject, "operator", "atleast", ""},
		rcase{one(agreementFile, `"slo": {"operator": "gte", "value": 85}`, `"slo": {"operator": "gte", "value": "85"}`), finding.Error, "value", "85", ""},
		rcase{one(agreementFile, `"slo": {"operator": "eq", "value": true}`, `"slo": {"operator": "gte", "value": true}`), finding.Error, "value", "true", ""},
		rcase{one(agreementFile, `"slo": {"operator": "gte", "value": 85}`, `"slo": {"operator": "between", "value": [90, 85]}`), finding.Error, "value", "", ""},
	)
}

func TestR011_Weights(t *testing.T) {
	examine(t, "R011",
		rcase{one(agreementFile, `"weight": 0.3`, `"weight": 0.26`), finding.Error, "weight-sum", "0.96", "1"},
		rcase{one(agreementFile, `"weight": 0.3`, `"weight": 0.299999`), finding.Warn, "weight-sum", "0.999999", "1"},
		rcase{one(agreementFile, `"weight": 0.3`, `"weight": 0.2999989`), finding.Error, "weight-sum", "0.9999989", "1"},
		rcase{one(agreementFile, `"weight": 0.3`, `"weight": 1.1`), finding.Error, "weight-range", "1.1", ""},
	)
}

// 88^0.5 * 82^0.3 * 100^0.2 and its harmonic fellow from Python's decimal with 50 digits.
func TestR012_Method(t *testing.T) {
	method := func(name, composite string) []change {
		return []change{{agreementFile, `"composite_method": "weighted_average"`, `"composite_method": "` + name + `"`}, {resultFile, `"method": "weighted_average"`, `"method": "` + name + `"`}, {resultFile, `"score": 88.6`, `"score": ` + composite}}
	}
	examine(t, "R012", rcase{method("geometric_mean", "88.39"), finding.Note, "extension", "geometric_mean", ""})
	examine(t, "R076",
		rcase{method("geometric_mean", "88.39"), 0, "", "", ""},
		rcase{method("geometric_mean", "88.38"), finding.Error, "composite-mismatch", "88.38", "~88.386409453967"},
		rcase{method("harmonic_mean", "88.18"), 0, "", "", ""},
		rcase{method("harmonic_mean", "88.17"), finding.Error, "composite-mismatch", "88.17", "~88.18066282139"},
	)
	r := mustAudit(t, altered(t, method("median_of_judges", "88")...), Options{})
	wantUnestablished(t, r, "asa/R012/unknown-method")
	wantUnestablished(t, r, "asa/R076/composite-unknown")
}

func TestR013_Guarantee(t *testing.T) {
	examine(t, "R013",
		rcase{one(agreementFile, `"guarantee_type": "deterministic"`, `"guarantee_type": "certain"`), finding.Error, "guarantee-type", "certain", ""},
		rcase{one(agreementFile, `"guarantee_type": "deterministic"`, `"guarantee_type": "probabilistic"`), finding.Error, "nothing-guaranteed", "probabilistic", ""},
		rcase{one(agreementFile, `"guarantee_type": "deterministic"`, `"guarantee_type": "probabilistic", "guarantees": [{"expr": "mostly", "operator": "gte", "value": 90}]`), finding.Error, "guarantee-syntax", "mostly", ""},
	)
}

func TestR014_Verification(t *testing.T) {
	examine(t, "R014",
		rcase{one(agreementFile, `"optimistic"`, `"pessimistic"`), finding.Error, "strategy", "pessimistic", ""},
		rcase{one(agreementFile, `"flag_and_continue"`, `"stop"`), finding.Warn, "failure-action", "stop", ""},
		rcase{one(agreementFile, `"random_from_pool"`, `"dice"`), finding.Error, "selection-mode", "dice", ""},
	)
	examine(t, "R063", rcase{one(agreementFile, "1_per_5", "6_per_5"), finding.Error, "frequency", "", ""}, rcase{one(agreementFile, "1_per_5", "0_per_5"), finding.Error, "frequency", "", ""})
	examine(t, "R065", rcase{one(agreementFile, `"max_cost_usd": 0.5`, `"consensus": {"method": "average"}, "max_cost_usd": 0.5`), finding.Error, "consensus-method", "average", ""})
}

func TestR015_Escrow(t *testing.T) {
	examine(t, "R015",
		rcase{one(agreementFile, `"amount": "6.00"`, `"amount": 6.00`), finding.Reject, "amount", "6.00", ""},
		rcase{one(agreementFile, `"amount": "6.00"`, `"amount": "06.00"`), finding.Reject, "amount", "06.00", ""},
		rcase{one(agreementFile, `"amount": "6.00"`, `"amount": "6."`), finding.Reject, "amount", "6.", ""},
		rcase{one(agreementFile, `"amount": "6.00"`, `"amount": "6.`+strings.Repeat("0", 19)+`"`), finding.Reject, "amount", "", ""},
		rcase{one(agreementFile, `"USDC"`, `"usdc"`), finding.Reject, "currency", "usdc", ""},
		rcase{one(agreementFile, `"custom_http"`, `"manual"`), finding.Note, "binding-alias", "manual", ""},
		rcase{one(agreementFile, `"custom_http"`, `"cash"`), finding.Error, "binding", "cash", ""},
		rcase{one(agreementFile, `"escrow": {
    "enabled": true`, `"escrow": {
    "enabled": false`), finding.Warn, "release-without-escrow", "85", ""},
	)
}

func TestR017_DeadMan(t *testing.T) {
	examine(t, "R017",
		rcase{one(agreementFile, `"hold_for_backup_evaluator"`, `"release_to_provider"`), finding.Warn, "release-to-provider", "", ""},
		rcase{one(agreementFile, `"hold_for_backup_evaluator"`, `"burn"`), finding.Error, "action", "burn", ""},
		rcase{one(agreementFile, `"provider_timeout_seconds": 86400,`, ``), finding.Error, "timeout-missing", "", ""},
	)
}

func TestR018_Dispute(t *testing.T) {
	examine(t, "R018",
		rcase{nil, finding.Note, "evidence-missing", "", "identities"},
		rcase{one(agreementFile, `"verification_result"]`, `"verification_result", "screenshots"]`), finding.Error, "evidence", "screenshots", ""},
		rcase{one(agreementFile, `"threshold": 60`, `"threshold": -1`), finding.Error, "threshold", "-1", ""},
		rcase{one(agreementFile, `"verification_failure_below_threshold"`, `"always"`), finding.Warn, "auto-file", "always", ""},
	)
}

func TestR019_UnknownMembers(t *testing.T) {
	examine(t, "R019",
		rcase{one(agreementFile, `"metadata"`, `"surprise": 1, "metadata"`), finding.Warn, "unknown-field", "surprise", ""},
		rcase{one(agreementFile, `"composite_threshold": 75`, `"composite_threshold": 75, "composite_treshold": 60`), finding.Warn, "unknown-field-near", "composite_treshold", "composite_threshold"},
		rcase{one(resultFile, `"confidence"`, `"confidance": 1, "confidence"`), finding.Warn, "unknown-field-near", "confidance", "confidence"},
	)
	if got := finding.RuleText("asa/R019/unknown-field"); !strings.Contains(got, "not in the customer's seed text") {
		t.Errorf("the rule says %q", got)
	}
}

func TestR020_Placeholders(t *testing.T) {
	examine(t, "R020",
		rcase{one(resultFile, `"evaluation_hash": "sha256:7689c134f715d2b50d9ddce8ba901af7f6070fd9235833a7d32a4542cc80fcaa"`, `"evaluation_hash": "sha256:789xyz..."`), finding.Error, "placeholder", "sha256:789xyz...", ""},
		rcase{one(agreementFile, publicKey("client"), "ed25519:..."), finding.Error, "placeholder", "ed25519:...", ""},
		rcase{one(agreementFile, `"binding": {"type": "custom_http"}`, `"binding": {"type": "erc8183", "contract_address": "0xdef456..."}`), finding.Error, "placeholder", "0xdef456...", ""},
	)
}

func TestR021_R022_R023_Versions(t *testing.T) {
	// Cases in testdata/asa/vectors/v20.json; here only that a refusal ends the audit before anything is scored.
	r := mustAudit(t, altered(t, change{agreementFile, `"asa_version": "1.0.0"`, `"asa_version": "2.0.0"`}), Options{})
	wantFinding(t, r, finding.Reject, "asa/R022/major-version", "2.0.0", "")
	if _, ok := find(r, "asa/R025/signature"); ok || len(r.Answers) > 0 {
		t.Errorf("a refused agreement was judged:\n%s", show(r))
	}
}
