package asa

import (
	"crypto/ed25519"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// The exam changes one thing of the example, in which nothing is wrong, and wants the finding that is meant for it. It stands for every kind of declared
// value: what is signed, hashed, scored, paid, and the order of events.

const lettersFile = "negotiation.jsonl"

// mutation is one change of the example. The id is that of the finding without "asa/".
type mutation struct {
	what    string
	changes []change
	events  func(events []string) []string // edits the log before its lines are chained
	id      string
}

// swapped replaces a text in one event.
func swapped(n int, old, with string) func([]string) []string {
	return func(events []string) []string {
		events[n] = strings.Replace(events[n], old, with, 1)
		return events
	}
}

// without leaves out the event with that index.
func without(n int) func([]string) []string {
	return func(events []string) []string { return slices.Delete(events, n, n+1) }
}

func signatureMutations(t *testing.T) []mutation {
	files := demoBundle(t)
	client := mustAgreement(t, files[agreementFile]).Get("signatures", "client", "value")
	payload, err := mustAgreement(t, files[agreementFile]).Payload()
	if err != nil {
		t.Fatal(err)
	}
	signedBy := func(key, party string) []change {
		value := canon.EncodeBase64URL(ed25519.Sign(seedKey(key), document.Message(party, canon.Sum(payload))))
		return one(agreementFile, document.Text(client), value)
	}
	low := "ed25519:" + canon.EncodeBase64URL(append([]byte{1}, make([]byte, 31)...))
	return []mutation{
		{"client's signature by the provider", signedBy("provider", "client"), nil, "R025/signature"},
		{"client's signature in the provider's name", signedBy("client", "provider"), nil, "R025/signature"},
		{"client's signature by a stranger", signedBy("eval-b", "client"), nil, "R025/signature"},
		{"amount after signing", one(agreementFile, `"amount": "6.00"`, `"amount": "6.01"`), nil, "R025/signature"},
		{"challenge window after signing", one(agreementFile, "7200", "7201"), nil, "R027/payload-changed"},
		{"another signature scheme", one(agreementFile, `"client": {"scheme": "ed25519"`, `"client": {"scheme": "none"`), nil, "R024/scheme"},
		{"no signature", []change{{agreementFile, "", demoAgreement("closed", "6.00", 4500, true)}}, nil, "R024/signature-missing"},
		{"a key of small order", one(agreementFile, publicKey("client"), low), nil, "R028/small-order"},
		{"the client is the provider", one(agreementFile, publicKey("provider"), publicKey("client")), nil, "R057/client-is-provider"},
	}
}

func resultMutations() []mutation {
	result := func(what, old, with, id string) mutation { return mutation{what, one(resultFile, old, with), nil, id} }
	return []mutation{
		result("another verification", "ver-demo0001", "ver-demo0002", "R069/verification-id"),
		result("another agreement", demoID, demoID+"x", "R069/agreement-id"),
		result("another evaluator", publicKey("eval-a"), publicKey("eval-b"), "R069/evaluator"),
		result("another model", `"model": "model-x"`, `"model": "model-y"`, "R069/evaluator-model"),
		result("a dimension of nobody", `"name": "completeness"`, `"name": "depth"`, "R069/unknown-dimension"),
		result("a dimension left out", `"name": "completeness"`, `"name": "depth"`, "R069/dimension-missing"),
		result("a dimension twice", `"name": "completeness"`, `"name": "accuracy"`, "R069/repeated-dimension"),
		result("a lower target", `"slo_target": 80`, `"slo_target": 75`, "R069/target"),
		result("a lower threshold", `"threshold": 75`, `"threshold": 70`, "R069/threshold"),
		result("judged before the delivery", "T10:12:30Z", "T10:09:59Z", "R069/before-delivery"),
		result("another evaluation", `"notes": ""`, `"notes": "x"`, "R099/evaluation-hash"),
		result("another deliverable", canon.Sum([]byte(demoDeliverable)).Prefixed(), canon.Sum(nil).Prefixed(), "R097/content-hash"),
		result("an evaluation over its cap", `"evaluation_cost_usd": 0.12`, `"evaluation_cost_usd": 0.51`, "R087/cost-over-cap"),
		result("a better composite", `"score": 88.6`, `"score": 92.6`, "R076/composite-mismatch"),
		result("a better score", `"score": 88,`, `"score": 98,`, "R076/composite-mismatch"),
		result("passed, the other way", `"threshold": 75, "passed": true`, `"threshold": 75, "passed": false`, "R078/passed-mismatch"),
		result("determination, the other way", `"PASS"`, `"FAIL"`, "R080/determination-mismatch"),
		result("gate, the other way", `"condition": "accuracy_gte_80", "passed": true`, `"condition": "accuracy_gte_80", "passed": false`, "R079/gate-mismatch"),
		result("a higher release", `"payment_release_percent": 85`, `"payment_release_percent": 100`, "R088/release-mismatch"),
		result("a lower release", `"payment_release_percent": 85`, `"payment_release_percent": 50`, "R088/release-mismatch"),
		result("an SLO said to be missed", `"score": 82, "slo_target": 80, "slo_met": true`, `"score": 82, "slo_target": 80, "slo_met": false`, "R073/slo-met-mismatch"),
		{"the delivered file", one("deliverable.md", "Twelve", "Eleven"), nil, "R097/content-hash"},
		{"the size of the delivered file", one("request.json", `"size_bytes": 41`, `"size_bytes": 42`), nil, "R072/size"},
		{"criteria of the request", one("request.json", `"quality_criteria": {}`, `"quality_criteria": {"composite_threshold": 70}`), nil, "R070/criteria-differ"},
	}
}

func eventMutations() []mutation {
	event := func(what string, edit func([]string) []string, id string) mutation {
		return mutation{what, nil, edit, id}
	}
	line := func(what, old, with, id string) mutation {
		return mutation{what, one("events.jsonl", old, with), nil, id}
	}
	return []mutation{
		event("activated and not accepted", without(2), "R031/not-accepted"),
		event("activated and not signed by the client", without(3), "R031/not-signed"),
		event("activated and not signed by the provider", without(4), "R031/not-signed"),
		event("delivered before the activation", without(5), "R030/illegal-transition"),
		event("delivered and not funded", without(6), "R031/not-funded"),
		event("closed and not settled", without(10), "R031/not-settled"),
		event("verified and not delivered", without(8), "R030/illegal-transition"),
		event("not closed", without(11), "R034/status-differs"),
		event("countered by the client", swapped(1, `"by":"provider"`, `"by":"client"`), "R030/actor"),
		event("another amount in escrow", swapped(6, "6.00", "5.00"), "R031/funding-differs"),
		event("another proposal", swapped(0, "sha256:7", "sha256:8"), "R027/proposal-changed"),
		event("another payload was signed", swapped(3, "sha256:e", "sha256:f"), "R027/payload-changed"),
		event("another deliverable", swapped(8, "sha256:b", "sha256:c"), "R097/content-hash"),
		event("released inside the window", swapped(10, "12:12:31", "12:12:29"), "R038/released-inside-window"),
		event("too much for the provider", swapped(10, "5.10", "5.20"), "R093/amount-mismatch"),
		event("something is lost", swapped(10, "0.90", "0.80"), "R093/not-conserved"),
		event("another currency", swapped(10, "USDC", "EURC"), "R093/currency"),
		event("delivered too late", swapped(8, "10:10:00", "10:15:13"), "R040/timeliness"),
		event("time goes back", swapped(7, "09:01:01", "09:00:59"), "R032/time-goes-back"),
		event("another evaluator was assigned", swapped(7, publicKey("eval-a"), publicKey("eval-b")), "R059/assigned-differs"),
		line("a line that is changed", `"to_client":"0.90"`, `"to_client":"0.91"`, "R032/chain"),
		line("a number left out", `"seq":4`, `"seq":5`, "R032/sequence"),
		line("an event of another agreement", `"agreement_id":"`+demoID+`"`, `"agreement_id":"`+demoID+`x"`, "R032/other-agreement"),
		line("a line with white space", `{"agreement_id"`, `{ "agreement_id"`, "R032/not-canonical"),
	}
}

func processMutations() []mutation {
	return []mutation{
		{"the first message binds another proposal", one(lettersFile, `"document_sha256":"sha256:7`, `"document_sha256":"sha256:8`), nil, "R052/proposal-hash"},
		{"the agreement has other terms", one(lettersFile, `"escrow.payment.amount":"6.00"`, `"escrow.payment.amount":"5.90"`), nil, "R052/folded-differs"},
		{"a larger change", one(lettersFile, `"escrow.payment.amount":"6.00"`, `"escrow.payment.amount":"6.26"`), nil, "R049/change-over-limit"},
		{"a term that is not negotiable", one(lettersFile, `"escrow.payment.amount":"6.00"`, `"agreement_id":"x"`), nil, "R046/not-negotiable"},
		{"a round left out", one(lettersFile, `"round":3`, `"round":4`), nil, "R047/round"},
		{"a median that is not the market's", one(lettersFile, `"median_price_for_service_type":"5.50"`, `"median_price_for_service_type":"6.50"`), nil, "R051/reference-differs"},
		{"the evaluator is of the provider's house", one("evaluators.json", `"org": "org-west"`, `"org": "org-south"`), nil, "R057/same-org"},
		{"the evaluator's model is the provider's", []change{{"agents.json", `"model-p"`, `"model-x"`}}, nil, "R066/same-model"},
		{"an evaluator without experience", one("evaluators.json", `"evaluations": 120`, `"evaluations": 49`), nil, "R058/not-qualified"},
		{"an evaluator that fails its canaries", one("evaluators.json", `{"passed": 46, "total": 50}`, `{"passed": 44, "total": 50}`), nil, "R058/not-qualified"},
	}
}

func TestExamAgreement(t *testing.T) {
	if gaps := gravest(mustAudit(t, demoBundle(t), Options{})); slices.ContainsFunc(gaps, func(s string) bool { return !strings.HasPrefix(s, finding.Warn.String()) }) {
		t.Fatalf("the example has faults of its own: %v", gaps)
	}
	mutations := slices.Concat(signatureMutations(t), resultMutations(), eventMutations(), processMutations())
	accepted := 0
	for _, m := range mutations {
		before := mustAudit(t, demoBundle(t), Options{})
		if f, ok := find(before, "asa/"+m.id); ok && f.Outcome == finding.Gap {
			t.Errorf("%s: %s is found in the example itself", m.what, m.id)
		}
		files := altered(t, m.changes...)
		if m.events != nil {
			edited := m.events(demoEvents(t, files["proposal.json"], files[agreementFile]))
			files["events.jsonl"] = chain(t, edited...)
			if files["events.jsonl"] == demoBundle(t)["events.jsonl"] {
				t.Errorf("%s: nothing was changed", m.what)
			}
		}
		r := mustAudit(t, files, Options{})
		if f, ok := find(r, "asa/"+m.id); !ok || f.Outcome != finding.Gap {
			accepted++
			t.Errorf("%s: no %s; there are:\n%s", m.what, m.id, show(r))
		}
	}
	t.Logf("exam of a service agreement: %d mutations, %d accepted, 0 on the list of informational places", len(mutations), accepted)
	if len(mutations) < 60 {
		t.Errorf("%d mutations, want at least 60", len(mutations))
	}
}
