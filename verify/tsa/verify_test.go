package tsa

import (
	"crypto"
	"crypto/ed25519"
	_ "crypto/md5" // one of the weak imprints
	"crypto/x509"
	"encoding/asn1"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/digitorus/pkcs7"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// extension is an Extension of RFC 5280 §4.1 whose value is NULL.
func extension(critical bool) []byte {
	if critical {
		return seq(oid("1.2.3.4.5.6"), []byte{1, 1, 0xff}, octets(null()))
	}
	return seq(oid("1.2.3.4.5.6"), octets(null()))
}

// variants are the legitimate ways in which tokens differ; each is accepted.
var variants = []struct {
	name   string
	change func(*forge)
}{
	{"as FreeTSA sends it", func(f *forge) {}},
	{"granted with modifications", func(f *forge) { f.status = 1 }},
	{"status text", func(f *forge) { f.statusMore = seq(el(0x0c, []byte("Operation Okay"))) }},
	{"certificate embedded only", func(f *forge) {
		f.embed, f.trust.Certificates = []*x509.Certificate{stamper.Certificate}, nil
	}},
	{"certificate embedded and configured", func(f *forge) { f.embed = []*x509.Certificate{stamper.Certificate} }},
	{"certificates embedded in any order", func(f *forge) {
		f.embed = []*x509.Certificate{stamper.Certificate, root.Certificate, otherRoot.Certificate, intermediate.Certificate}
	}},
	{"intermediate configured, signer embedded", func(f *forge) {
		f.by(deepStamper)
		f.embed, f.trust.Certificates = []*x509.Certificate{deepStamper.Certificate}, []*x509.Certificate{intermediate.Certificate}
	}},
	{"intermediate embedded, signer configured", func(f *forge) {
		f.by(deepStamper)
		f.embed = []*x509.Certificate{intermediate.Certificate}
	}},
	{"both embedded", func(f *forge) {
		f.by(deepStamper)
		f.embed, f.trust.Certificates = []*x509.Certificate{intermediate.Certificate, deepStamper.Certificate}, nil
	}},
	{"both configured", func(f *forge) {
		f.by(deepStamper)
		f.trust.Certificates = append(f.trust.Certificates, intermediate.Certificate)
	}},
	{"ESSCertID", func(f *forge) { f.attributes["ess"] = essV1(stamper.Certificate) }},
	{"ESSCertID with issuer and serial", func(f *forge) {
		f.attributes["ess"] = essV1(stamper.Certificate, essIssuer(stamper.RawIssuer, stamper.SerialNumber))
	}},
	{"ESSCertIDv2 with issuer and serial", func(f *forge) {
		f.attributes["ess"] = essV2(stamper.Certificate, crypto.SHA256, "", essIssuer(stamper.RawIssuer, stamper.SerialNumber))
	}},
	{"ESSCertIDv2, SHA-256 written out", func(f *forge) { f.attributes["ess"] = essV2(stamper.Certificate, crypto.SHA256, sha256OID) }},
	{"ESSCertIDv2, SHA-512", func(f *forge) { f.attributes["ess"] = essV2(stamper.Certificate, crypto.SHA512, sha512OID) }},
	{"ESSCertIDv2, SHA-224", func(f *forge) { f.attributes["ess"] = essV2(stamper.Certificate, crypto.SHA224, sha224OID) }},
	{"ESSCertID of both versions", func(f *forge) { f.attributes["ess1"] = essV1(stamper.Certificate) }},
	{"no signing time", func(f *forge) { delete(f.attributes, "signing-time") }},
	{shortVariant, func(f *forge) { f.digest = sha224OID }},
	{shortVariant + ", RSA", func(f *forge) { f.by(rsaStamper()); f.digest = sha224OID }},
	{shortVariant + ", sha224WithRSAEncryption", func(f *forge) {
		f.by(rsaStamper())
		f.digest, f.signatureAlgorithm = sha224OID, seq(oid("1.2.840.113549.1.1.14"), null())
	}},
	{"SHA-384 signature", func(f *forge) { f.digest = sha384OID }},
	{"SHA-512 signature", func(f *forge) { f.digest = sha512OID }},
	{"SHA-384 imprint", func(f *forge) { f.info[2] = imprintOf(sha384OID, crypto.SHA384) }},
	{"SHA-512 imprint", func(f *forge) { f.info[2] = imprintOf(sha512OID, crypto.SHA512) }},
	{"imprint algorithm without NULL", func(f *forge) { f.info[2] = seq(seq(oid(sha256OID)), octets(sum(crypto.SHA256, anchored))) }},
	{"RSA, rsaEncryption", func(f *forge) { f.by(rsaStamper()) }},
	{"RSA, sha512WithRSAEncryption", func(f *forge) {
		f.by(rsaStamper())
		f.digest, f.signatureAlgorithm = sha512OID, seq(oid("1.2.840.113549.1.1.13"), null())
	}},
	{edVariant, func(f *forge) { f.by(edStamper()); f.digest = sha512OID }},
	{"certificate expired since", func(f *forge) {
		f.by(issue(root, ecKey(20), 102, "Old", usage(true, timeStampingOID), window("2020-01-01", "2026-09-22")))
	}},
	{"certificate expired since, no signing time", func(f *forge) {
		f.by(issue(root, ecKey(20), 102, "Old", usage(true, timeStampingOID), window("2020-01-01", "2026-09-22")))
		delete(f.attributes, "signing-time")
	}},
	{"root expired since", func(f *forge) {
		old := issue(nil, ecKey(21), 3, "Old Root", authority, window("2020-01-01", "2026-09-22"))
		f.by(issue(old, ecKey(22), 103, "Old", usage(true, timeStampingOID)))
		f.trust.Roots = []*x509.Certificate{old.Certificate}
	}},
	{"several roots", func(f *forge) { f.trust.Roots = []*x509.Certificate{otherRoot.Certificate, root.Certificate} }},
	{"any policy", func(f *forge) { f.trust.Policies = nil; f.info[1] = oid("1.3.6.1.4.1.99999.1") }},
	{"one of several policies", func(f *forge) { f.trust.Policies = []string{"1.2.3", "1.2.3.4.1"} }},
	{"fraction", func(f *forge) { f.info[4] = gtime("20260921120000.5Z") }},
	{"nine decimals", func(f *forge) { f.info[4] = gtime("20260921120000.123456789Z") }},
	{"accuracy, ordering, nonce, tsa name", func(f *forge) {
		f.infoMore = slices.Concat(seq(num(0), el(0x80, []byte{5}), el(0x81, []byte{9})), []byte{1, 1, 0xff}, num(0),
			ctx(0, ctx(4, stamper.RawSubject)))
	}},
	{"empty accuracy", func(f *forge) { f.infoMore = seq() }},
	{"extension that is not critical", func(f *forge) { f.infoMore = ctx(1, extension(false)) }},
	{"unknown signed attribute", func(f *forge) { f.extraAttribute = attr("1.2.3.4.5.6", null()) }},
	{"unsigned attribute", func(f *forge) { f.unsigned = ctx(1, attr("1.2.3.4.5.6", null())) }},
}

// shortVariant begins the names of those that crypto/x509, and so both libraries, know nothing of; openssl does.
const shortVariant = "SHA-224 signature"

// edVariant is the one that openssl ts knows nothing of: it signs and verifies PKCS #7 by RSA and ECDSA alone.
const edVariant = "Ed25519"

func edStamper() *identity {
	return issue(root, ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), 106, "Forge Ed25519 Stamper", usage(true, timeStampingOID))
}

func rsaStamper() *identity {
	return issue(root, rsaKey(), 105, "Forge RSA Stamper", usage(true, timeStampingOID))
}

// TestVariants accepts every legitimate variant, in both forms, and so does openssl, an independent program.
func TestVariants(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Log("openssl is not installed: no cross-check")
	}
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			f := newForge()
			v.change(f)
			response := f.make()
			token, err := Verify(response, anchored, f.trust)
			if err != nil {
				t.Fatal(err)
			}
			if want := f.signer.Subject.String(); token.Signer != want || token.SignerSHA256 != canon.Sum(f.signer.Raw).String() {
				t.Errorf("found signer %s, want %s", token.Signer, want)
			}
			if got := token.Time.Format("20060102150405.999999999Z"); got != string(f.info[4][2:]) {
				t.Errorf("found time %s, want %s", got, f.info[4][2:])
			}
			byDigest, err := VerifyDigest(response, canon.Sum(anchored), f.trust)
			if token.HashAlgorithm != "SHA-256" {
				if reasonOf(err) != string(ReasonImprint) {
					t.Errorf("by digest: %v", err)
				}
			} else if err != nil || byDigest != token {
				t.Errorf("by digest: found %+v, %v", byDigest, err)
			}
			if err := pkcs7Verify(response, f, token); err != nil && !strings.HasPrefix(v.name, shortVariant) {
				t.Errorf("digitorus/pkcs7 refuses: %v", err)
			}
			if openssl != "" && v.name != edVariant {
				opensslVerify(t, openssl, response, f, token)
			}
		})
	}
}

// pkcs7Verify is the second opinion of digitorus/pkcs7 on signature and chain. It is given the signer's certificate and the time, as it
// would otherwise verify nothing, or at the time of the clock.
func pkcs7Verify(response []byte, f *forge, token Token) error {
	var r struct{ Status, Token asn1.RawValue }
	if _, err := asn1.Unmarshal(response, &r); err != nil {
		return err
	}
	p7, err := pkcs7.Parse(r.Token.FullBytes)
	if err != nil {
		return err
	}
	p7.Certificates = append(append(p7.Certificates, f.signer.Certificate), f.trust.Certificates...)
	roots := x509.NewCertPool()
	for _, c := range f.trust.Roots {
		roots.AddCert(c)
	}
	return p7.VerifyWithChainAtTime(roots, token.Time)
}

func opensslVerify(t *testing.T, openssl string, response []byte, f *forge, token Token) {
	t.Helper()
	dir, err := os.MkdirTemp("", "tsa") // t.TempDir has the test's name in it, and openssl takes a comma for a separator
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	args := []string{"ts", "-verify", "-data", write("data", anchored), "-in", write("tsr", response),
		"-CAfile", write("roots.pem", pemOf(f.trust.Roots)), "-attime", strconv.FormatInt(token.Time.Unix(), 10)}
	if len(f.trust.Certificates) > 0 {
		args = append(args, "-untrusted", write("certs.pem", pemOf(f.trust.Certificates)))
	}
	if out, err := exec.Command(openssl, args...).CombinedOutput(); err != nil {
		t.Errorf("openssl refuses: %v: %.300s", err, out)
	}
}

// TestExamFaults makes one thing at a time that a signer could have made otherwise, each refused for its own reason.
func TestExamFaults(t *testing.T) {
	e := exam{t: t, what: "tokens that were made with one fault", ran: len(faults)}
	defer e.end()
	covered := map[verify.Reason]bool{}
	for _, c := range faults {
		covered[c.reason] = true
		t.Run(c.name, func(t *testing.T) {
			f := newForge()
			response := []byte{}
			if c.change != nil {
				c.change(f)
				response = f.make()
			}
			token, err := Verify(response, anchored, f.trust)
			if err == nil {
				e.accepted++
			}
			if got := reasonOf(err); got != string(c.reason) {
				t.Errorf("found %s (%v), want %s", got, err, c.reason)
			}
			if token != (Token{}) {
				t.Errorf("a refusal with a token: %+v", token)
			}
			if _, again := VerifyDigest(response, canon.Sum(anchored), f.trust); reasonOf(again) != reasonOf(err) {
				t.Errorf("by digest: %v", again)
			}
		})
	}
	for _, r := range []verify.Reason{ReasonSize, ReasonBareToken, ReasonEncoding, ReasonStatus, ReasonNoToken, ReasonContentType,
		ReasonSignerCount, ReasonVersion, ReasonSignedAttributes, ReasonDigestAlgorithm, ReasonMessageDigest, ReasonSigningCertificate,
		ReasonSignerUnknown, ReasonSignatureAlgorithm, ReasonSignature, ReasonCertificateUsage, ReasonCertificateCA,
		ReasonCertificateWindow, ReasonChain, ReasonExtension, ReasonImprint, ReasonPolicy} {
		if !covered[r] {
			t.Errorf("no fault is refused for %s", r)
		}
	}
}

// TestLastSecond: a certificate is good up to and including its last second (RFC 5280 §4.1.2.5), where openssl 3.0 already calls it
// expired, and not half a second later.
func TestLastSecond(t *testing.T) {
	for when, want := range map[string]string{"20260921000000Z": "accepted", "20260921000000.5Z": string(ReasonCertificateWindow)} {
		f := newForge()
		f.by(issue(root, ecKey(20), 104, "Ending", usage(true, timeStampingOID), window("2020-01-01", "2026-09-21")))
		f.info[4] = gtime(when)
		if _, err := Verify(f.make(), anchored, f.trust); reasonOf(err) != want {
			t.Errorf("%s: %v, want %s", when, err, want)
		}
	}
}

// TestUnknownSigner shows what is asked for and what is there, so that a stale trust folder can be recognised.
func TestUnknownSigner(t *testing.T) {
	f := newForge()
	f.trust.Certificates = []*x509.Certificate{deepStamper.Certificate}
	_, err := Verify(f.make(), anchored, f.trust)
	for _, want := range []string{"named: issuer CN=Forge Root,O=Forge, serial 100 (0x64)",
		"in the trust set: issuer CN=Forge Intermediate,O=Forge, serial 101 (0x65)", "in the token: none"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("found %q, want %q in it", err, want)
		}
	}
}

// TestMisuse: an authority that decides nothing is an error, never a pass and never a failure of the token.
func TestMisuse(t *testing.T) {
	f := newForge()
	for name, a := range map[string]Authority{
		"empty":           {},
		"no root":         {Certificates: []*x509.Certificate{stamper.Certificate}},
		"nil root":        {Roots: []*x509.Certificate{nil}},
		"nil certificate": {Roots: f.trust.Roots, Certificates: []*x509.Certificate{nil}},
	} {
		if _, err := Verify(f.make(), anchored, a); reasonOf(err) != "misuse" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSize accepts a response at the limit and refuses one byte more, by an embedded CRL of the right length.
func TestSize(t *testing.T) {
	f := newForge()
	for _, c := range []struct {
		size int
		want string
	}{{MaxResponse, "accepted"}, {MaxResponse + 1, string(ReasonSize)}} {
		f.crls = ctx(1, octets(make([]byte, MaxResponse/2)))
		f.crls = ctx(1, octets(make([]byte, MaxResponse/2+c.size-len(f.make()))))
		response := f.make()
		if len(response) != c.size {
			t.Fatalf("made %d bytes, want %d", len(response), c.size)
		}
		if _, err := Verify(response, anchored, f.trust); reasonOf(err) != c.want {
			t.Errorf("%d bytes: %v, want %s", c.size, err, c.want)
		}
	}
}

// TestParse shows an unverified response, up to where it can be read.
func TestParse(t *testing.T) {
	f := newForge()
	f.key = ecKey(99) // the signature is wrong, and Parse does not care
	f.embed = []*x509.Certificate{stamper.Certificate}
	info, err := Parse(f.make())
	if err != nil {
		t.Fatal(err)
	}
	if info.Policy != "1.2.3.4.1" || info.Serial != "7" || info.HashAlgorithm != "SHA-256" || info.Imprint != canon.Sum(anchored).String() ||
		stamp(info.Time) != "2026-09-21T12:00:00Z" || info.SignerIssuer != "issuer CN=Forge Root,O=Forge, serial 100 (0x64)" ||
		info.SignerDigest != "SHA-256" || !slices.Equal(info.Certificates, []string{"CN=Forge Stamper,O=Forge"}) {
		t.Errorf("found %+v", info)
	}
	f.status = 2
	if info, err = Parse(f.make()); reasonOf(err) != string(ReasonStatus) || info.Status != 2 || info.Serial != "" {
		t.Errorf("refused response: %+v, %v", info, err)
	}
}
