package asa

import (
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/ledger"
)

// Two folders with one agreement: the copies are the same, or one was changed and signed again, or is a draft.
func TestLedgerCopies(t *testing.T) {
	agreement := demoAgreement("closed", "6.00", 4500, true)
	for _, c := range []struct {
		name, copy string
		want       []string
	}{
		{"the same", signed(t, agreement), nil},
		{"another status", signed(t, strings.Replace(agreement, `"closed"`, `"disputed"`, 1)), nil},
		{"another version", signed(t, strings.Replace(agreement, `"1.0.0"`, `"1.1.0"`, 1)), []string{"asa/R022/version-changed", "asa/R027/copy-changed"}},
		{"another amount", signed(t, strings.Replace(agreement, `"6.00"`, `"6.01"`, 1)), []string{"asa/R027/copy-changed"}},
		{"a draft", strings.Replace(agreement, `"6.00"`, `"6.01"`, 1), nil},
		{"another agreement", strings.Replace(signed(t, agreement), demoID, "asa-other", 1), nil},
	} {
		r, err := ledger.Judge(fsOf(map[string]string{"a/agreement.json": signed(t, agreement), "b/agreement.json": c.copy}), ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"asa/R022/version-changed", "asa/R027/copy-changed"} {
			_, found := find(r, id)
			if want := strings.Contains(strings.Join(c.want, " "), id); found != want {
				t.Errorf("%s: %s found %v, want %v:\n%s", c.name, id, found, want, show(r))
			}
		}
	}
}

// A refused folder of a ledger says where and what is expected.
func TestLedgerRefusal(t *testing.T) {
	r, err := ledger.Judge(fsOf(map[string]string{"a/agreement.json": signed(t, demoAgreement("closed", "6.00", 4500, true)), "a/market.json": `{"currency": "usd", "service_types": {}}`}), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := wantFinding(t, r, finding.Reject, "asa/R002/value", "usd", "3 to 10 upper-case letters")
	if f.At != "a/market.json#/currency" {
		t.Errorf("at %s", f.At)
	}
	wantFinding(t, r, finding.Reject, "asa/R001/bundle-refused", "", "")
}

// Both parties must have signed an agreement that was active before it expired; only the events tell whether it was.
func TestR024_Expired(t *testing.T) {
	const agreementFile, unsigned = "agreement.json", "signature-missing"
	proposed := `{"at":"2026-04-01T09:00:00Z","by":"client","data":{},"type":"proposed"}`
	accepted := `{"at":"2026-04-01T09:00:09Z","by":"provider","data":{},"type":"accepted"}`
	activated := `{"at":"2026-04-01T09:00:12Z","by":"system","data":{},"type":"activated"}`
	expired := `{"at":"2026-04-05T09:00:12Z","by":"system","data":{},"type":"expired"}`
	draft := demoAgreement("expired", "6.00", 4500, true)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no events", map[string]string{agreementFile: draft}, "asa/R024/input-missing"},
		{"expired before it was active", map[string]string{agreementFile: draft, "events.jsonl": chain(t, proposed, expired)}, ""},
		{"expired after it was active", map[string]string{agreementFile: draft, "events.jsonl": chain(t, proposed, accepted, activated, expired)}, "asa/R024/" + unsigned},
		{"signed", map[string]string{agreementFile: signed(t, draft), "events.jsonl": chain(t, proposed, accepted, activated, expired)}, ""},
		{"rejected", map[string]string{agreementFile: demoAgreement("rejected", "6.00", 4500, true)}, ""},
	} {
		r := mustAudit(t, c.files, Options{})
		for _, id := range []string{"asa/R024/input-missing", "asa/R024/" + unsigned} {
			if _, found := find(r, id); found != (id == c.want) {
				t.Errorf("%s: %s found %v:\n%s", c.name, id, found, show(r))
			}
		}
	}
}
