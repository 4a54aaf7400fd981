package proof

import (
	"crypto/x509"
	"encoding/pem"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
	"github.com/ark-forge/proveit/verify/tsa"
)

// TestExamTrustedRoot: logs and authorities that only trusted_root.json gives count within their validFor, both bounds included (Sigstore's
// TrustedRoot: a chain counts for what was signed in that time). The token is of 07:31:44, the entry of 07:31:47.
func TestExamTrustedRoot(t *testing.T) {
	e := exam{t: t, what: "the windows of a trusted root"}
	w := newWorld(t)
	good := w.good()
	der := func(text string) string {
		block, _ := pem.Decode([]byte(text))
		return canon.EncodeBase64(block.Bytes)
	}
	var leaf, root string
	for _, b := range w.authority.TrustFiles() {
		block, _ := pem.Decode(b)
		if block == nil {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if c.IsCA {
			root = canon.EncodeBase64(c.Raw)
		} else {
			leaf = canon.EncodeBase64(c.Raw)
		}
	}
	key, err := mint.PublicPEM(w.log.Key.Public())
	if err != nil {
		t.Fatal(err)
	}
	if leaf == "" || root == "" || w.authority.Provider != "freetsa.org" {
		t.Fatalf("want a signing certificate and a root of freetsa.org, got %q, %q of %s", leaf, root, w.authority.Provider)
	}
	otherKey, err := mint.PublicPEM(w.submitters[2].Private.Public())
	if err != nil {
		t.Fatal(err)
	}
	otherLog := `,{"baseUrl":"https://other.example","publicKey":{"rawBytes":"` + der(otherKey) + `"}}`
	authority := func(validFor string) string {
		return `{"uri":"https://freetsa.org/tsr","certChain":{"certificates":[{"rawBytes":"` + leaf + `"},{"rawBytes":"` + root + `"}]}` + validFor + `}`
	}
	rootAlone := func(validFor string) string {
		return `,{"uri":"https://freetsa.org/tsr","certChain":{"certificates":[{"rawBytes":"` + root + `"}]}` + validFor + `}`
	}
	tlog := func(validFor string) string {
		return `{"baseUrl":"https://log.example","publicKey":{"rawBytes":"` + der(key) + `"` + validFor + `}}`
	}
	valid := func(start, end string) string {
		return `,"validFor":{"start":"2026-09-` + start + `Z","end":"2026-09-` + end + `Z"}`
	}
	for _, c := range []struct {
		name              string
		tlog, authorities string
		want              expectation
	}{
		{"no bounds", tlog(""), authority(""), expectation{outcome: Valid}},
		{"bounds met", tlog(valid("23T07:31:47", "23T07:31:47")), authority(valid("23T07:31:44", "23T07:31:44")), expectation{outcome: Valid}},
		{"log too early", tlog(valid("01T00:00:00", "23T07:31:46")), authority(""), expectation{Invalid, CheckLog, ReasonLogKeyWindow}},
		{"log too late", tlog(valid("23T07:31:48", "30T00:00:00")), authority(""), expectation{Invalid, CheckLog, ReasonLogKeyWindow}},
		{"log too early, another log at any time", tlog(valid("01T00:00:00", "23T07:31:46")) + otherLog, authority(""), expectation{Invalid, CheckLog, ReasonLogKeyWindow}},
		{"log twice", tlog(valid("01T00:00:00", "02T00:00:00")) + "," + tlog(valid("23T00:00:00", "24T00:00:00")), authority(""), expectation{outcome: Valid}},
		{"authority too early", tlog(""), authority(valid("01T00:00:00", "23T07:31:43")), expectation{Invalid, CheckTimestamp, tsa.ReasonChain}},
		{"authority too late", tlog(""), authority(valid("23T07:31:45", "30T00:00:00")), expectation{Invalid, CheckTimestamp, tsa.ReasonChain}},
		{"authority too early, its root goes on", tlog(""), authority(valid("01T00:00:00", "23T07:31:43")) + rootAlone(""), expectation{Invalid, CheckTimestamp, tsa.ReasonChain}},
		{"authority in time, its root elsewhere not", tlog(""), authority(valid("23T07:31:44", "24T00:00:00")) + rootAlone(valid("01T00:00:00", "02T00:00:00")), expectation{outcome: Valid}},
		{"signer of the token alone", tlog(""), rootAlone(valid("23T00:00:00", "24T00:00:00"))[1:], expectation{Invalid, CheckTimestamp, tsa.ReasonSignerUnknown}},
		{"authority twice", tlog(""), authority(valid("01T00:00:00", "02T00:00:00")) + "," + authority(valid("23T00:00:00", "24T00:00:00")), expectation{outcome: Valid}},
	} {
		f := w.folder()
		for name := range f {
			if name != "issuer/published_keys.json" {
				delete(f, name)
			}
		}
		f["trusted_root.json"] = w.folder()["issuer/published_keys.json"]
		file := *f["trusted_root.json"]
		file.Data = []byte(`{"tlogs":[` + c.tlog + `],"timestampAuthorities":[` + c.authorities + `]}`)
		f["trusted_root.json"] = &file
		t.Run(c.name, func(t *testing.T) {
			r := NewVerifier(load(t, f)).Verify(parse(t, good.text()), good.evidence(t))
			c.want.hold(t, r)
			if c.want.outcome == Valid {
				return
			}
			if e.ran++; r.Outcome == Valid {
				e.accepted++
			}
		})
	}
	e.end(6)
}
