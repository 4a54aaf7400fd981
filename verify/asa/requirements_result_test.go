package asa

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

func TestR024_WhoSigns(t *testing.T) {
	examine(t, "R024",
		rcase{one(agreementFile, `"client": {"scheme": "ed25519"`, `"client": {"scheme": "secp256k1"`), finding.Error, "scheme", "secp256k1", "ed25519"},
		rcase{one(agreementFile, `"status": "closed"`, `"status": "proposed"`), finding.Warn, "signed-proposal", "", ""},
		rcase{},
	)
	r := mustAudit(t, altered(t, change{agreementFile, "", demoAgreement("active", "6.00", 4500, true)}), Options{})
	wantFinding(t, r, finding.Error, "asa/R024/signature-missing", "", "an ed25519 signature in status active")
}

// resigned replaces the client's signature of the example.
func resigned(t *testing.T, sig []byte) map[string]string {
	t.Helper()
	files := demoBundle(t)
	old := mustAgreement(t, files[agreementFile]).Get("signatures", "client", "value")
	return altered(t, change{agreementFile, document.Text(old), canon.EncodeBase64URL(sig)})
}

func TestR025_WhatWouldVerify(t *testing.T) {
	a := mustAgreement(t, demoBundle(t)[agreementFile])
	payload, err := a.Payload()
	if err != nil {
		t.Fatal(err)
	}
	full, err := exact.JCS(a.Root, "/signatures", "/status")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		key, party string
		text       []byte
		want       string
	}{
		"other party's key":  {"provider", "client", payload, "verifies: key=provider, name=client, form=jcs"},
		"other party's name": {"client", "provider", payload, "verifies: key=client, name=provider, form=jcs"},
		"evaluator inside":   {"client", "client", full, "verifies: key=client, name=client, form=jcs, evaluator the other way"},
		"nothing":            {"eval-a", "client", payload, ""},
	} {
		r := mustAudit(t, resigned(t, ed25519.Sign(seedKey(c.key), document.Message(c.party, canon.Sum(c.text)))), Options{})
		f := wantFinding(t, r, finding.Error, "asa/R025/signature", "", "")
		if c.want == "" && len(f.Derivation) > 0 || c.want != "" && !slices.Contains(f.Derivation, c.want) {
			t.Errorf("%s: %v, want %q", name, f.Derivation, c.want)
		}
	}
	// 128 hex digits are the other spelling of the same signature.
	files := demoBundle(t)
	sig, _ := canon.DecodeBase64URL(document.Text(mustAgreement(t, files[agreementFile]).Get("signatures", "client", "value")))
	files = altered(t, change{agreementFile, canon.EncodeBase64URL(sig), fmt.Sprintf("%x", sig)})
	wantNone(t, mustAudit(t, files, Options{}), "asa/R025/")
}

// The Python form differs from JCS as soon as there is a letter outside ASCII.
func TestR025_PythonForm(t *testing.T) {
	unsigned := strings.Replace(demoAgreement("closed", "6.00", 4500, true), "Agent North", "Agent Nørth", 1)
	a := mustAgreement(t, unsigned)
	python := document.PythonForm(a.Root, a.Dropped())
	if !bytes.Contains(python, []byte(`"Agent N\u00f8rth"`)) {
		t.Fatalf("not the Python form: %s", python)
	}
	value := canon.EncodeBase64URL(ed25519.Sign(seedKey("client"), document.Message("client", canon.Sum(python))))
	text := signed(t, unsigned)
	old := mustAgreement(t, text).Get("signatures", "client", "value")
	oldText, _ := old.Text()
	r := mustAudit(t, altered(t, change{agreementFile, "", strings.Replace(text, oldText, value, 1)}), Options{})
	f := wantFinding(t, r, finding.Error, "asa/R025/signature", "", "")
	if want := "verifies: key=client, name=client, form=py"; !slices.Contains(f.Derivation, want) {
		t.Errorf("%v, want %q", f.Derivation, want)
	}
}

// The encodings themselves are tested where keys are read.
func TestR028_SmallOrder(t *testing.T) {
	low := "ed25519:" + canon.EncodeBase64URL(append([]byte{1}, make([]byte, 31)...))
	examine(t, "R028", rcase{one(agreementFile, publicKey("client"), low), finding.Error, "small-order", "", ""})
}

func TestR027_UnchangedAfterSigning(t *testing.T) {
	examine(t, "R027", rcase{one(agreementFile, "7200", "7201"), finding.Error, "payload-changed", "", ""}, rcase{one(agreementFile, `"status": "closed"`, `"status": "verified"`), 0, "", "", ""})
}

func TestR069_Chain(t *testing.T) {
	examine(t, "R069",
		rcase{one(resultFile, "ver-demo0001", "ver-demo0002"), finding.Error, "verification-id", "ver-demo0002", "ver-demo0001"},
		rcase{one(resultFile, demoID, demoID+"x"), finding.Error, "agreement-id", demoID + "x", demoID},
		rcase{one(resultFile, publicKey("eval-a"), publicKey("eval-b")), finding.Error, "evaluator", "", ""},
		rcase{one(resultFile, `"model": "model-x"`, `"model": "model-y"`), finding.Error, "evaluator-model", "model-y", "model-x"},
		rcase{one(resultFile, `"type": "agent_as_judge"`, `"type": "deterministic"`), finding.Error, "evaluator-type", "deterministic", "agent_as_judge"},
		rcase{one(resultFile, `"name": "completeness"`, `"name": "depth"`), finding.Error, "unknown-dimension", "depth", ""},
		rcase{one(resultFile, `"name": "completeness"`, `"name": "depth"`), finding.Error, "dimension-missing", "", "completeness"},
		rcase{one(resultFile, `"name": "completeness"`, `"name": "accuracy"`), finding.Error, "repeated-dimension", "accuracy", ""},
		rcase{one(resultFile, `"slo_target": 80`, `"slo_target": 75`), finding.Error, "target", "75", "80"},
		rcase{one(resultFile, `"slo_target": true`, `"slo_target": 100`), finding.Error, "target-type", "100", "true"},
		rcase{one(resultFile, `"method": "weighted_average"`, `"method": "mean"`), finding.Error, "method", "mean", "weighted_average"},
		rcase{one(resultFile, `"threshold": 75`, `"threshold": 70`), finding.Error, "threshold", "70", "75"},
		rcase{one(resultFile, "T10:12:30Z", "T10:09:59Z"), finding.Error, "before-delivery", "", ""},
	)
}

func TestR070_R071_Request(t *testing.T) {
	examine(t, "R070",
		rcase{one("request.json", `"quality_criteria": {}`, `"quality_criteria": {"composite_threshold": 70}`), finding.Error, "criteria-differ", "", ""},
		rcase{[]change{{"request.json", `"quality_criteria": {}`, `"quality_criteria": ` + mustAgreement(t, demoBundle(t)[agreementFile]).Criteria.Value.Raw()}}, 0, "", "", ""},
	)
	table := func(first, second string) []change {
		return one(agreementFile, `"max_cost_usd": 0.5`, `"depth_by_reputation": [{"reputation_gte": 0, "depth": "`+first+`"}, {"reputation_gte": 80, "depth": "`+second+`"}], "max_cost_usd": 0.5`)
	}
	examine(t, "R071",
		rcase{one("request.json", `"semantic"`, `"deep"`), finding.Error, "depth", "deep", ""},
		rcase{table("semantic", "composite"), finding.Error, "depth-rises", "composite", ""},
		rcase{table("composite", "structural"), 0, "", "", ""},
	)
}

func TestR072_Structure(t *testing.T) {
	json := []change{{agreementFile, `"deliverable_format": "markdown"`, `"deliverable_format": "json"`}, {agreementFile, `"max_tokens": 2000`, `"max_bytes": 10, "required_pointers": ["/a/0"]`}}
	examine(t, "R072",
		rcase{one("deliverable.md", "", "\xff\xfe"), finding.Error, "format", "", "markdown"},
		rcase{one("request.json", `"size_bytes": 41`, `"size_bytes": 42`), finding.Error, "size", "42", "41"},
		rcase{append(json, change{"deliverable.md", "", `{"a":[]}`}), finding.Error, "pointer-missing", "/a/0", ""},
		rcase{append(json, change{"deliverable.md", "", `{"a":[1]}    `}), finding.Error, "too-long", "13", "at most 10"},
		rcase{append(json, change{"deliverable.md", "", `{"a":`}), finding.Error, "format", "", "json"},
		rcase{[]change{{agreementFile, `"deliverable_format": "markdown"`, `"deliverable_format": "csv"`}, {"deliverable.md", "", "a,b\n1\n"}}, finding.Error, "format", "", "csv"},
	)
	wantUnestablished(t, mustAudit(t, demoBundle(t), Options{}), "asa/R072/no-tokenizer")
}

func TestR076_Composite(t *testing.T) {
	examine(t, "R076",
		rcase{one(resultFile, `"score": 88.6`, `"score": 88.5`), finding.Error, "composite-mismatch", "88.5", "88.6"},
		rcase{one(resultFile, `"score": 88.6`, `"score": 88.65`), finding.Error, "composite-mismatch", "88.65", "88.6"},
		rcase{one(resultFile, `"score": 88.6`, `"score": 89`), 0, "", "", ""},
		rcase{one(resultFile, `"score": 88.6`, `"score": 88`), finding.Error, "composite-mismatch", "88", "88.6"},
		rcase{one(resultFile, `"score": 88.6`, `"score": 8.86e1`), 0, "", "", ""},
	)
}

func TestR080_EverySLO(t *testing.T) {
	files := altered(t, change{resultFile, `"score": 82, "slo_target": 80, "slo_met": true`, `"score": 79, "slo_target": 80, "slo_met": false`}, change{resultFile, `"score": 88.6`, `"score": 87.7`})
	r := mustAudit(t, files, Options{})
	f := wantFinding(t, r, finding.Warn, "asa/R080/slo-missed-while-pass", "PASS", "completeness")
	if f.Robust {
		t.Error("a missed SLO is said not to depend on readings")
	}
	wantNone(t, r, "asa/R080/determination")
	o := Options{}
	if err := o.Readings.Set("pass.rule=composite+gates+every-slo"); err != nil {
		t.Fatal(err)
	}
	wantFinding(t, mustAudit(t, files, o), finding.Error, "asa/R080/determination-mismatch", "PASS", "FAIL")
	all := mustAudit(t, files, Options{All: true})
	if f := wantFinding(t, all, finding.Note, "asa/R080/determination-mismatch", "PASS", "FAIL"); !slices.Equal(f.Readings, []string{"pass.rule=composite+gates+every-slo"}) {
		t.Errorf("readings %v", f.Readings)
	}
	examine(t, "R080", rcase{one(resultFile, `"PASS"`, `"pass"`), finding.Error, "determination-word", "pass", ""}, rcase{one(resultFile, `"confidence": 0.9`, `"confidence": 1.1`), finding.Error, "confidence", "1.1", ""})
}

func TestR083_Disclosure(t *testing.T) {
	market := one("market.json", `"median": "5.50"`, `"median": "5.50", "defaults": {"quality_criteria.composite_threshold": 100, "escrow.payment.amount": "5.00"}`)
	examine(t, "R083", rcase{market, 0, "", "", ""}, rcase{append(slices.Clone(market), change{"market.json", `"quality_criteria.composite_threshold": 100`, `"quality_criteria.composite_threshold": 59`}), finding.Warn, "not-disclosed", "75", "59"})
}

func TestR086_R087_EvidenceAndCost(t *testing.T) {
	examine(t, "R086", rcase{one(resultFile, `"10 of 12 sources covered."`, `""`), finding.Warn, "no-evidence", "", ""})
	examine(t, "R087",
		rcase{one(resultFile, `"evaluation_cost_usd": 0.12`, `"evaluation_cost_usd": 0.51`), finding.Error, "cost-over-cap", "0.51", "at most 0.5"},
		rcase{one(resultFile, `"evaluation_cost_usd": 0.12`, `"evaluation_cost_usd": 6.01`), finding.Warn, "cost-over-amount", "6.01", ""},
	)
	wantUnestablished(t, mustAudit(t, altered(t, change{agreementFile, `"max_cost_usd": 0.5,`, ``}), Options{}), "asa/R087/no-cap")
}

// 88.6 % of 6.00 is 5.316, rounded down to 5.31; the client has 0.69.
func TestR089_Continuous(t *testing.T) {
	text := demoAgreement("closed", "6.00", 4500, true)
	from, to := strings.Index(text, `"mode": "tiered"`), strings.Index(text, `"dead_mans_switch"`)
	continuous := text[:from] + `"mode": "continuous"}}, ` + text[to:]
	r := mustAudit(t, altered(t, change{agreementFile, "", continuous}, change{resultFile, `"payment_release_percent": 85`, `"payment_release_percent": 88.6`}), Options{})
	wantNone(t, r, "asa/R089/release")
	for name, want := range map[string]string{"to_provider": "5.31", "to_client": "0.69"} {
		if at := slices.IndexFunc(r.Answers, func(a finding.Answer) bool { return a.Name == name }); at < 0 || r.Answers[at].Value != want {
			t.Errorf("%s: %+v, want %s", name, r.Answers, want)
		}
	}
	wantFinding(t, r, finding.Error, "asa/R093/amount-mismatch", "", "")
	examine(t, "R089", rcase{one(agreementFile, `"mode": "tiered"`, `"mode": "continuous"`), finding.Error, "tiers-and-continuous", "", ""}, rcase{one(agreementFile, `"mode": "tiered"`, `"mode": "stepwise"`), finding.Error, "mode", "stepwise", ""})
}

// The shift was computed with Python: (int(sha256(b"asa-noise/1\n" + payload).hexdigest(), 16) % 601) / 100 - 3.
func TestR090_Noise(t *testing.T) {
	if got := exact.Text(document.DerivedNoise("sha256:ec4da9d078fae8c0f6ebfb19b4f07f9b3b284c56e69162c58cde055708972b81")); got != "-0.53" {
		t.Errorf("derived noise %s", got)
	}
	noise := func(mode string) change {
		return change{agreementFile, `"mode": "tiered",`, `"mode": "tiered", "noise": {"mode": "` + mode + `"},`}
	}
	examine(t, "R090",
		rcase{[]change{noise("signed"), {agreementFile, `"composite_score_gte": 90`, `"composite_score_gte": 93.01`}}, finding.Error, "noise-over-three", "93.01", "90 +- 3"},
		rcase{[]change{noise("signed"), {agreementFile, `"composite_score_gte": 90`, `"composite_score_gte": 93`}}, 0, "", "", ""},
	)
	wantUnestablished(t, mustAudit(t, altered(t, noise("secret")), Options{}), "asa/R090/noise-undisclosed")
}

func TestR092_NotGraduated(t *testing.T) {
	plain := change{agreementFile, `"enabled": true,
        "mode": "tiered"`, `"enabled": false,
        "mode": "tiered"`}
	examine(t, "R092",
		rcase{[]change{plain}, finding.Error, "release-mismatch", "85", "100"},
		rcase{[]change{plain, {resultFile, `"payment_release_percent": 85`, `"payment_release_percent": 100`}}, 0, "", "", ""},
	)
}

func TestR093_Amounts(t *testing.T) {
	released := func(t *testing.T, provider, client string) map[string]string {
		files := demoBundle(t)
		events := demoEvents(t, files["proposal.json"], files[agreementFile])
		events[10] = strings.NewReplacer("5.10", provider, "0.90", client).Replace(events[10])
		files["events.jsonl"] = chain(t, events...)
		return files
	}
	f := wantFinding(t, mustAudit(t, released(t, "5.11", "0.89"), Options{}), finding.Error, "asa/R093/amount-mismatch", "", "")
	if f.Difference != "-0.01" && f.Difference != "0.01" {
		t.Errorf("difference %s", f.Difference)
	}
	wantFinding(t, mustAudit(t, released(t, "5.10", "0.80"), Options{}), finding.Error, "asa/R093/not-conserved", "5.9", "6")
}

func TestR096_Payoff(t *testing.T) {
	r := mustAudit(t, demoBundle(t), Options{})
	cliffs := map[string]string{}
	for _, f := range r.Log.Findings() {
		if f.ID == "asa/R096/cliff" {
			cliffs[f.Recomputed] = f.Difference + " " + f.AmountsRecomputed
		}
	}
	// 15, 35 and 50 points of 6.00
	for bound, want := range map[string]string{"90": "15 0.9", "75": "35 2.1", "60": "50 3"} {
		if cliffs[bound] != want {
			t.Errorf("cliff at %s: %q, want %q", bound, cliffs[bound], want)
		}
	}
	wantFinding(t, r, finding.Note, "asa/R096/pays-above-score", "composite = 90, 75", "+10")
	wantFinding(t, r, finding.Note, "asa/R096/pays-below-score", "", "> -60")
	// accuracy >= 98 and completeness >= 95 leave composites of at least 0.5*98 + 0.3*95 = 77.5
	gates := one(agreementFile, `[{"condition": "accuracy_gte_80", "type": "threshold"}]`, `[{"condition": "accuracy_gte_98", "type": "threshold"}, {"condition": "completeness_gte_95", "type": "threshold"}]`)
	examine(t, "R096",
		rcase{gates, finding.Warn, "unreachable-tier", "60 -> 50", "77.5 to 100"},
		rcase{one(agreementFile, "accuracy_gte_80", "composite_gte_75"), finding.Warn, "unreachable-tier", "60 -> 50", "75 to 100"},
		rcase{one(agreementFile, `"threshold": 60`, `"threshold": 65`), finding.Warn, "dispute-threshold", "65", "60"},
	)
}

func TestR101_Aggregates(t *testing.T) {
	examine(t, "R101",
		rcase{one("arp_report.json", "", `{"pass_rate": 100, "mean_composite": 88.6, "verifications": 1}`), 0, "", "", ""},
		rcase{one("arp_report.json", "", `{"pass_rate": 90}`), finding.Error, "aggregate-differs", "90", "100"},
		rcase{one("arp_report.json", "", `{"agents": [{"dimensions": []}]}`), finding.Error, "detail-exported", "dimensions", ""},
	)
}

func TestR103_ChainLength(t *testing.T) {
	least := func(n int) []change {
		return one(agreementFile, `"metadata"`, fmt.Sprintf(`"eligibility": {"min_chain_length": %d}, "metadata"`, n))
	}
	examine(t, "R103", rcase{least(413), finding.Error, "chain-too-short", "412", ">= 413"}, rcase{least(412), 0, "", "", ""})
	wantUnestablished(t, mustAudit(t, altered(t, append(least(1), change{"agents.json", `"chain_length": 412`, `"chain": 412`})...), Options{}), "asa/R103/no-chain-length")
}

func TestR100_R102_R109(t *testing.T) {
	examine(t, "R100",
		rcase{one(agreementFile, `"parties_only"`, `"everybody"`), finding.Error, "visibility", "everybody", ""},
		rcase{one(agreementFile, `,
    "result_visibility": "parties_only"`, ``), finding.Note, "no-visibility", "", ""},
	)
	examine(t, "R109",
		rcase{one(agreementFile, `"amount": "6.00"`, `"amount": "5.00"`), finding.Note, "value-under-depth", "5", "> 5"},
		rcase{one(resultFile, `"evaluation_cost_usd": 0.12`, `"evaluation_cost_usd": 0.61`), finding.Note, "value-under-ten-times-cost", "6", "at least 6.1"},
	)
}
