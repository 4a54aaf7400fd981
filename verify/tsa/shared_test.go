package tsa

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// shared lies beside the repository and is not part of it.
const shared = "../../../shared"

func readFile(t testing.TB, parts ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readCertificates(t testing.TB, parts ...string) []*x509.Certificate {
	t.Helper()
	var certs []*x509.Certificate
	for block, rest := pem.Decode(readFile(t, parts...)); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		certs = append(certs, c)
	}
	return certs
}

// reasonOf is the code of a failure, or a word for the two other answers.
func reasonOf(err error) string {
	var f *verify.Failure
	switch {
	case err == nil:
		return "accepted"
	case errors.As(err, &f):
		return string(f.Reason)
	}
	return "misuse"
}

// sharedReasons is what each refused case must be refused for: the fault that its "why" in expect.json describes.
var sharedReasons = map[string]verify.Reason{
	"t01_badsig_nocert":              ReasonSignature,
	"t01_gentime_edited_nocert":      ReasonMessageDigest,
	"t02_ess_absent":                 ReasonSigningCertificate,
	"t02_ess_v1_wrong":               ReasonSigningCertificate,
	"t02_ess_v2_wrong":               ReasonSigningCertificate,
	"t04_eku_absent":                 ReasonCertificateUsage,
	"t04_eku_not_critical":           ReasonCertificateUsage,
	"t04_eku_two_purposes":           ReasonCertificateUsage,
	"t05_tsa_is_ca":                  ReasonCertificateCA,
	"t08_injected_leaf":              ReasonCertificateUsage,
	"t09_bare_token":                 ReasonBareToken,
	"t09_granted_no_token":           ReasonNoToken,
	"t09_status_2_with_token":        ReasonStatus,
	"t09_status_3_with_token":        ReasonStatus,
	"t09_status_4_with_token":        ReasonStatus,
	"t09_status_5_with_token":        ReasonStatus,
	"t10_md5_imprint":                ReasonDigestAlgorithm,
	"t10_other_data":                 ReasonImprint,
	"t10_sha1_imprint":               ReasonDigestAlgorithm,
	"t10_sig_digest_sha1":            ReasonDigestAlgorithm,
	"t11_no_signer":                  ReasonSignerCount,
	"t11_no_signer_cert_embedded":    ReasonSignerCount,
	"t11_second_signer_rogue":        ReasonSignerCount,
	"t11_two_identical_signers":      ReasonSignerCount,
	"t12_other_policy":               ReasonPolicy,
	"t15_econtent_data":              ReasonContentType,
	"t15_signed_ct_mismatch":         ReasonContentType,
	"t17_critical_unknown_extension": ReasonExtension,
	"t17_version_2":                  ReasonVersion,
	"t18_wrong_generation_cert":      ReasonSignerUnknown,
	"t19_imprint_of_hex_text":        ReasonImprint,
	"t20_rogue_ca_embedded":          ReasonChain,
	"t20_rogue_key_same_name":        ReasonSignature,
	"t20_short_imprint":              ReasonImprint,
}

// TestSharedCases runs the independent cases (made with python and openssl) against their expectations.
func TestSharedCases(t *testing.T) {
	dir := filepath.Join(shared, "cases/tsa")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the shared cases are not beside this repository")
	}
	var expect map[string]struct{ Case, Expect string }
	if err := json.Unmarshal(readFile(t, dir, "expect.json"), &expect); err != nil {
		t.Fatal(err)
	}
	if len(expect) < 47 {
		t.Fatalf("found %d cases, want at least 47", len(expect))
	}
	for name, e := range expect {
		base := filepath.Join(dir, "out", name)
		a := Authority{Provider: "exam", Roots: readCertificates(t, base+".ca.pem"),
			Certificates: readCertificates(t, base+".tsa.pem"), Policies: []string{"1.2.3.4.1"}}
		response, preimage := readFile(t, base+".tsr"), readFile(t, base+".bin")
		_, err := Verify(response, preimage, a)
		_, errDigest := VerifyDigest(response, canon.Sum(preimage), a)
		if reasonOf(err) != reasonOf(errDigest) {
			t.Errorf("%s: Verify says %v, VerifyDigest %v", name, err, errDigest)
		}
		want := "accepted"
		if e.Expect == "refuse" {
			want = string(sharedReasons[name])
		} else if !strings.HasPrefix(e.Expect, "accept") {
			t.Fatalf("%s: unknown expectation %q", name, e.Expect)
		}
		if got := reasonOf(err); got != want {
			t.Errorf("%s: found %s (%v), want %s", name, got, err, want)
		}
	}
}

// TestSharedTimes keeps fractions: the times are those that gen_tsa.py wrote into the tokens.
func TestSharedTimes(t *testing.T) {
	dir := filepath.Join(shared, "cases/tsa/out")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the shared cases are not beside this repository")
	}
	for name, want := range map[string]string{
		"t13_fraction":           "2026-09-21T12:00:00.5Z",
		"t13_just_after_close":   "2026-10-21T23:59:59.001Z",
		"t13_exactly_close":      "2026-10-21T23:59:59Z",
		"t13_just_before_open":   "2026-09-20T23:59:59.999Z",
		"t06_cert_expired_since": "2026-01-15T10:00:00Z",
	} {
		base := filepath.Join(dir, name)
		token, err := Verify(readFile(t, base+".tsr"), readFile(t, base+".bin"),
			Authority{Roots: readCertificates(t, base+".ca.pem"), Certificates: readCertificates(t, base+".tsa.pem")})
		if err != nil || stamp(token.Time) != want {
			t.Errorf("%s: found %s (%v), want %s", name, stamp(token.Time), err, want)
		}
	}
}

// realTokens are the public captures; times and results were established with openssl (shared/real/README.md).
var realTokens = map[string]string{
	"proof_3.1_freeze.json": "2026-09-23T07:31:48Z",
	"proof_2.0.json":        "2026-03-03T16:18:55Z",
	"proof_1.2.json":        "2026-07-23T05:57:36Z",
}

// realToken returns the response of a captured proof and the 32 bytes it is over: the batch root, or the chain hash.
func realToken(t testing.TB, name string) (response, anchored []byte) {
	t.Helper()
	var p struct {
		Hashes      struct{ Chain string }
		BatchAnchor struct{ Root string } `json:"batch_anchor"`
		TSA         struct {
			TSR string `json:"tsr_base64"`
		} `json:"timestamp_authority"`
	}
	if err := json.Unmarshal(readFile(t, shared, "real/proofs", name), &p); err != nil {
		t.Fatal(err)
	}
	hash := p.Hashes.Chain
	if p.BatchAnchor.Root != "" {
		hash = p.BatchAnchor.Root
	}
	anchored, err := hex.DecodeString(strings.TrimPrefix(hash, "sha256:"))
	if err != nil || len(anchored) != sha256.Size {
		t.Fatalf("%s: hash %q", name, hash)
	}
	if response, err = base64.StdEncoding.DecodeString(p.TSA.TSR); err != nil {
		t.Fatal(err)
	}
	return response, anchored
}

func realAuthority(t testing.TB) Authority {
	t.Helper()
	dir := filepath.Join(shared, "real/trust/tsa/freetsa.org")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the real artefacts are not beside this repository")
	}
	return Authority{Provider: "freetsa.org", Roots: readCertificates(t, dir, "root.pem"),
		Certificates: readCertificates(t, dir, "tsa-2026.pem"), Policies: []string{"1.2.3.4.1"}}
}

func TestRealTokens(t *testing.T) {
	a := realAuthority(t)
	for name, when := range realTokens {
		response, anchored := realToken(t, name)
		token, err := Verify(response, anchored, a)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := stamp(token.Time); got != when {
			t.Errorf("%s: found time %s, want %s", name, got, when)
		}
		if token.Policy != "1.2.3.4.1" || token.HashAlgorithm != "SHA-256" {
			t.Errorf("%s: found %+v", name, token)
		}
		// The 64 hexadecimal characters are what the log entry is over, never the token.
		if _, err := Verify(response, []byte(hex.EncodeToString(anchored)), a); reasonOf(err) != string(ReasonImprint) {
			t.Errorf("%s over the hex text: %v", name, err)
		}
	}
}

// TestExamRealBits changes each bit of a captured token, and of the others with PROVEIT_EXAM=long.
func TestExamRealBits(t *testing.T) {
	a := realAuthority(t)
	e := exam{t: t, what: "captured tokens, one bit"}
	names := []string{"proof_2.0.json", "proof_1.2.json", "proof_3.1_freeze.json"}
	if os.Getenv("PROVEIT_EXAM") != "long" {
		names = names[:1]
	}
	for _, name := range names {
		response, preimage := realToken(t, name)
		e.bits(name, response, preimage, a)
	}
	e.end()
}
