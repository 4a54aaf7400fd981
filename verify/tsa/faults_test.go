package tsa

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/ark-forge/proveit/verify"
)

// faults are single changes that must be refused, each for its own reason.
var faults = []struct {
	name   string
	reason verify.Reason
	change func(*forge)
}{
	{"nothing", ReasonSize, nil}, // handled in the test: the empty response
	{"bare token", ReasonBareToken, func(f *forge) { f.bareToken = true }},
	{"a byte after the response", ReasonEncoding, func(f *forge) { f.after = []byte{0} }},
	{"a second response", ReasonEncoding, func(f *forge) { f.after = newForge().make() }},
	{"a byte after the TSTInfo", ReasonEncoding, func(f *forge) { f.infoAfter = []byte{0} }},
	{"an element after the last of the TSTInfo", ReasonEncoding, func(f *forge) { f.infoMore = slices.Concat(num(5), num(5)) }},
	{"an element after the signers", ReasonEncoding, func(f *forge) { f.tokenAfter = num(1) }},
	{"ordering FALSE written out", ReasonEncoding, func(f *forge) { f.infoMore = []byte{1, 1, 0} }},
	{"ordering TRUE as 1", ReasonEncoding, func(f *forge) { f.infoMore = []byte{1, 1, 1} }},
	{"extension not critical written out", ReasonEncoding, func(f *forge) {
		f.infoMore = ctx(1, seq(oid("1.2.3.4.5.6"), []byte{1, 1, 0}, octets(null())))
	}},
	{"integer with a leading zero", ReasonEncoding, func(f *forge) { f.info[3] = []byte{2, 2, 0, 7} }},
	{"signed attributes out of order", ReasonEncoding, func(f *forge) { f.unsortedAttributes = true }},
	{"long length in the issuer", ReasonEncoding, func(f *forge) { f.issuer = longLength(stamper.RawIssuer) }},
	{"indefinite length", ReasonEncoding, func(f *forge) { f.unsigned = []byte{0xa1, 0x80, 0, 0} }},
	{"indefinite length in a CRL", ReasonEncoding, func(f *forge) { f.crls = ctx(1, []byte{0x30, 0x80, 0, 0}) }},
	{"nesting", ReasonEncoding, func(f *forge) { f.crls = ctx(1, nested(200)) }},
	{"embedded bytes that are no certificate", ReasonEncoding, func(f *forge) {
		f.embed = []*x509.Certificate{{Raw: seq(num(1))}}
	}},
	{"status rejection", ReasonStatus, func(f *forge) { f.status = 2 }},
	{"status waiting", ReasonStatus, func(f *forge) { f.status = 3 }},
	{"status revocation warning", ReasonStatus, func(f *forge) { f.status = 4 }},
	{"status revocation", ReasonStatus, func(f *forge) { f.status = 5 }},
	{"status 6", ReasonStatus, func(f *forge) { f.status = 6 }},
	{"status -1", ReasonStatus, func(f *forge) { f.status = -1 }},
	{"status rejection, no token", ReasonStatus, func(f *forge) { f.status, f.noToken = 2, true }},
	{"granted, no token", ReasonNoToken, func(f *forge) { f.noToken = true }},
	{"content is data", ReasonContentType, func(f *forge) { f.contentType = dataOID }},
	{"signed content-type is data", ReasonContentType, func(f *forge) {
		f.attributes["content-type"] = attr("1.2.840.113549.1.9.3", oid(dataOID))
	}},
	{"no signer", ReasonSignerCount, func(f *forge) { f.signers = 0 }},
	{"the signer twice", ReasonSignerCount, func(f *forge) { f.signers = 2 }},
	{"SignedData version 1", ReasonVersion, func(f *forge) { f.signedVersion = 1 }},
	{"SignerInfo version 3", ReasonVersion, func(f *forge) { f.signerVersion = 3 }},
	{"TSTInfo version 2", ReasonVersion, func(f *forge) { f.info[0] = num(2) }},
	{"no signed attributes", ReasonSignedAttributes, func(f *forge) { f.noAttributes = true }},
	{"no content-type", ReasonSignedAttributes, func(f *forge) { delete(f.attributes, "content-type") }},
	{"content-type twice", ReasonSignedAttributes, func(f *forge) { f.extraAttribute = attr("1.2.840.113549.1.9.3", oid(tstOID)) }},
	{"content-type with two values", ReasonSignedAttributes, func(f *forge) {
		f.attributes["content-type"] = attr("1.2.840.113549.1.9.3", oid(tstOID), oid(dataOID))
	}},
	{"no message-digest", ReasonSignedAttributes, func(f *forge) { f.attributes["message-digest"] = nil }},
	{"message-digest twice", ReasonSignedAttributes, func(f *forge) {
		f.extraAttribute = attr("1.2.840.113549.1.9.4", octets(make([]byte, 32)))
	}},
	{"message-digest of something else", ReasonMessageDigest, func(f *forge) {
		f.attributes["message-digest"] = attr("1.2.840.113549.1.9.4", octets(make([]byte, 32)))
	}},
	{"SHA-1 signature", ReasonDigestAlgorithm, func(f *forge) { f.digest = sha1OID; f.signatureAlgorithm = seq(oid("1.2.840.10045.4.1")) }},
	{"SHA-224, one bit of the signature", ReasonSignature, func(f *forge) {
		f.digest = sha224OID
		f.signature = func(s []byte) []byte { s[len(s)-1] ^= 1; return s }
	}},
	{"SHA-224 by RSA, ECDSA said", ReasonSignature, func(f *forge) {
		f.by(rsaStamper())
		f.digest, f.signatureAlgorithm = sha224OID, seq(oid(ecdsaOID+"1"))
	}},
	{"SHA-224 with the algorithm of SHA-256", ReasonSignatureAlgorithm, func(f *forge) {
		f.digest, f.signatureAlgorithm = sha224OID, seq(oid(ecdsaOID+"2"))
	}},
	{"SHA-256 with the algorithm of SHA-224", ReasonSignatureAlgorithm, func(f *forge) { f.signatureAlgorithm = seq(oid(ecdsaOID + "1")) }},
	{"digest not declared", ReasonDigestAlgorithm, func(f *forge) { f.digestSet = sha512OID }},
	{"SHA-1 imprint", ReasonDigestAlgorithm, func(f *forge) { f.info[2] = imprintOf(sha1OID, crypto.SHA1) }},
	{"MD5 imprint", ReasonDigestAlgorithm, func(f *forge) { f.info[2] = imprintOf(md5OID, crypto.MD5) }},
	{"SHA-224 imprint", ReasonDigestAlgorithm, func(f *forge) { f.info[2] = imprintOf(sha224OID, crypto.SHA224) }},
	{"imprint algorithm with parameters", ReasonDigestAlgorithm, func(f *forge) {
		f.info[2] = seq(seq(oid(sha256OID), num(1)), octets(sum(crypto.SHA256, anchored)))
	}},
	{"no signing-certificate", ReasonSigningCertificate, func(f *forge) { delete(f.attributes, "ess") }},
	{"signing-certificate unsigned", ReasonSigningCertificate, func(f *forge) {
		f.unsigned = ctx(1, f.attributes["ess"])
		delete(f.attributes, "ess")
	}},
	{"signing-certificate twice", ReasonSignedAttributes, func(f *forge) { f.extraAttribute = f.attributes["ess"] }},
	{"signing-certificate names nobody", ReasonSigningCertificate, func(f *forge) { f.attributes["ess"] = attr(essV2OID, seq(seq())) }},
	{"ESSCertID names nobody", ReasonSigningCertificate, func(f *forge) { f.attributes["ess"] = attr(essOID, seq(seq())) }},
	{"ESSCertIDv2 of another", ReasonSigningCertificate, func(f *forge) { f.attributes["ess"] = essV2(root.Certificate, crypto.SHA256, "") }},
	{"ESSCertID of another", ReasonSigningCertificate, func(f *forge) { f.attributes["ess"] = essV1(root.Certificate) }},
	{"ESSCertID of another beside a good one", ReasonSigningCertificate, func(f *forge) { f.attributes["ess1"] = essV1(root.Certificate) }},
	{"ESSCertIDv2 by SHA-1", ReasonDigestAlgorithm, func(f *forge) { f.attributes["ess"] = essV2(stamper.Certificate, crypto.SHA1, sha1OID) }},
	{"ESSCertIDv2 hash cut short", ReasonSigningCertificate, func(f *forge) {
		f.attributes["ess"] = attr(essV2OID, seq(seq(seq(octets(sum(crypto.SHA256, stamper.Raw)[:20])))))
	}},
	{"ESSCertIDv2 with another serial", ReasonSigningCertificate, func(f *forge) {
		f.attributes["ess"] = essV2(stamper.Certificate, crypto.SHA256, "", essIssuer(stamper.RawIssuer, big.NewInt(101)))
	}},
	{"ESSCertID with another issuer", ReasonSigningCertificate, func(f *forge) {
		f.attributes["ess"] = essV1(stamper.Certificate, essIssuer(otherRoot.RawSubject, stamper.SerialNumber))
	}},
	{"ESSCertID with two issuers", ReasonSigningCertificate, func(f *forge) {
		name := ctx(4, stamper.RawIssuer)
		f.attributes["ess"] = essV1(stamper.Certificate, seq(seq(name, name), bigNum(stamper.SerialNumber)))
	}},
	{"previous certificate configured", ReasonSignerUnknown, func(f *forge) {
		f.trust.Certificates = []*x509.Certificate{deepStamper.Certificate}
	}},
	{"no certificate anywhere", ReasonSignerUnknown, func(f *forge) { f.trust.Certificates = nil }},
	{"issuer written differently", ReasonSignerUnknown, func(f *forge) {
		f.issuer = bytes.Replace(stamper.RawIssuer, []byte{0x13, 10}, []byte{0x0c, 10}, 1) // UTF8String for PrintableString: equal for RFC 5280 §7.1
	}},
	{"signature by another key", ReasonSignature, func(f *forge) { f.key = ecKey(99) }},
	{"signature with a byte after it", ReasonSignature, func(f *forge) {
		f.signature = func(s []byte) []byte { return append(s, 0) }
	}},
	{"empty signature", ReasonSignature, func(f *forge) { f.signature = func([]byte) []byte { return nil } }},
	{"algorithm of another digest", ReasonSignatureAlgorithm, func(f *forge) { f.signatureAlgorithm = seq(oid(ecdsaOID + "3")) }},
	{"algorithm of another key", ReasonSignature, func(f *forge) { f.signatureAlgorithm = seq(oid(rsaOID), null()) }},
	{"algorithm with parameters", ReasonSignatureAlgorithm, func(f *forge) { f.signatureAlgorithm = seq(oid(ecdsaOID+"2"), num(1)) }},
	{"unknown algorithm", ReasonSignatureAlgorithm, func(f *forge) { f.signatureAlgorithm = seq(oid("1.3.101.113")) }},
	{"Ed25519 with SHA-256", ReasonSignatureAlgorithm, func(f *forge) { f.by(edStamper()) }},
	{"Ed25519 said, ECDSA signed", ReasonSignature, func(f *forge) { f.digest, f.signatureAlgorithm = sha512OID, seq(oid("1.3.101.112")) }},
	{"Ed25519, one bit of the signature", ReasonSignature, func(f *forge) {
		f.by(edStamper())
		f.digest = sha512OID
		f.signature = func(s []byte) []byte { s[0] ^= 1; return s }
	}},
	{"usage not critical", ReasonCertificateUsage, func(f *forge) { f.by(issue(root, ecKey(30), 110, "A", usage(false, timeStampingOID))) }},
	{"two purposes", ReasonCertificateUsage, func(f *forge) {
		f.by(issue(root, ecKey(30), 111, "B", usage(true, timeStampingOID, codeSigningOID)))
	}},
	{"an unknown purpose beside", ReasonCertificateUsage, func(f *forge) {
		f.by(issue(root, ecKey(30), 112, "C", usage(true, timeStampingOID, "1.2.3.4.5")))
	}},
	{"any purpose", ReasonCertificateUsage, func(f *forge) { f.by(issue(root, ecKey(30), 113, "D", usage(true, "2.5.29.37.0"))) }},
	{"no purpose", ReasonCertificateUsage, func(f *forge) { f.by(issue(root, ecKey(30), 114, "E")) }},
	{"key for encryption", ReasonCertificateUsage, func(f *forge) {
		f.by(issue(root, ecKey(30), 115, "F", usage(true, timeStampingOID),
			func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageKeyEncipherment }))
	}},
	{"code-signing certificate, the stamper's beside", ReasonCertificateUsage, func(f *forge) {
		id := issue(root, ecKey(30), 116, "G", usage(true, codeSigningOID))
		f.by(id)
		f.embed = []*x509.Certificate{stamper.Certificate, id.Certificate}
		f.trust.Certificates = []*x509.Certificate{stamper.Certificate}
	}},
	{"authority as stamper", ReasonCertificateCA, func(f *forge) {
		f.by(issue(root, ecKey(30), 117, "H", usage(true, timeStampingOID), func(c *x509.Certificate) { c.IsCA = true }))
	}},
	{"certificate ended before", ReasonCertificateWindow, func(f *forge) {
		f.by(issue(root, ecKey(30), 118, "I", usage(true, timeStampingOID), window("2020-01-01", "2026-09-21")))
	}},
	{"certificate begins after", ReasonCertificateWindow, func(f *forge) {
		f.by(issue(root, ecKey(30), 119, "J", usage(true, timeStampingOID), window("2026-09-22", "2030-01-01")))
	}},
	{"other root", ReasonChain, func(f *forge) { f.trust.Roots = []*x509.Certificate{otherRoot.Certificate} }},
	{"stranger who brings the chain", ReasonChain, func(f *forge) {
		id := issue(otherRoot, ecKey(31), 100, "Forge Stamper", usage(true, timeStampingOID))
		f.by(id)
		f.embed, f.trust.Certificates = []*x509.Certificate{id.Certificate, otherRoot.Certificate}, nil
	}},
	{"intermediate missing", ReasonChain, func(f *forge) { f.by(deepStamper) }},
	{"root ended before", ReasonChain, func(f *forge) {
		old := issue(nil, ecKey(32), 5, "Ended Root", authority, window("2020-01-01", "2026-09-01"))
		f.by(issue(old, ecKey(33), 121, "L", usage(true, timeStampingOID)))
		f.trust.Roots = []*x509.Certificate{old.Certificate}
	}},
	{"intermediate for something else", ReasonChain, func(f *forge) {
		mid := issue(root, ecKey(34), 6, "Code Intermediate", usage(false, codeSigningOID), authority)
		f.by(issue(mid, ecKey(35), 122, "M", usage(true, timeStampingOID)))
		f.trust.Certificates = append(f.trust.Certificates, mid.Certificate)
	}},
	{"a stamper that issues", ReasonChain, func(f *forge) {
		f.by(issue(stamper, ecKey(36), 123, "N", usage(true, timeStampingOID)))
		f.trust.Certificates = append(f.trust.Certificates, stamper.Certificate)
	}},
	{"unknown critical extension in the certificate", ReasonChain, func(f *forge) {
		f.by(issue(root, ecKey(37), 124, "O", usage(true, timeStampingOID), func(c *x509.Certificate) {
			e := c.ExtraExtensions[0]
			e.Id, e.Value = []int{1, 2, 3, 4, 5, 6}, null()
			c.ExtraExtensions = append(c.ExtraExtensions, e)
		}))
	}},
	{"critical extension", ReasonExtension, func(f *forge) { f.infoMore = ctx(1, extension(false), extension(true)) }},
	{"imprint of other bytes", ReasonImprint, func(f *forge) { f.info[2] = seq(seq(oid(sha256OID), null()), octets(make([]byte, 32))) }},
	{"imprint cut short", ReasonImprint, func(f *forge) {
		f.info[2] = seq(seq(oid(sha256OID), null()), octets(sum(crypto.SHA256, anchored)[:20]))
	}},
	{"imprint with more after it", ReasonImprint, func(f *forge) {
		f.info[2] = seq(seq(oid(sha256OID), null()), octets(append(sum(crypto.SHA256, anchored), 0)))
	}},
	{"imprint is the bytes themselves", ReasonImprint, func(f *forge) { f.info[2] = seq(seq(oid(sha256OID), null()), octets(anchored)) }},
	{"other policy", ReasonPolicy, func(f *forge) { f.info[1] = oid("1.2.3.4.11") }},
	{"shorter policy", ReasonPolicy, func(f *forge) { f.info[1] = oid("1.2.3.4") }},
	{"local time", ReasonEncoding, func(f *forge) { f.info[4] = gtime("20260921120000") }},
	{"time with a zone", ReasonEncoding, func(f *forge) { f.info[4] = gtime("20260921120000+0000") }},
	{"time without seconds", ReasonEncoding, func(f *forge) { f.info[4] = gtime("202609211200Z") }},
	{"fraction with a trailing zero", ReasonEncoding, func(f *forge) { f.info[4] = gtime("20260921120000.50Z") }},
	{"fraction of zero", ReasonEncoding, func(f *forge) { f.info[4] = gtime("20260921120000.0Z") }},
	{"fraction after a comma", ReasonEncoding, func(f *forge) { f.info[4] = gtime("20260921120000,5Z") }},
	{"ten decimals", ReasonEncoding, func(f *forge) { f.info[4] = gtime("20260921120000.0000000001Z") }},
	{"second 60", ReasonEncoding, func(f *forge) { f.info[4] = gtime("20260921235960Z") }},
	{"30 February", ReasonEncoding, func(f *forge) { f.info[4] = gtime("20260230120000Z") }},
	{"the zero time, which means now to crypto/x509", ReasonEncoding, func(f *forge) { f.info[4] = gtime("00010101000000Z") }},
	{"UTCTime", ReasonEncoding, func(f *forge) { f.info[4] = el(0x17, []byte("260921120000Z")) }},
}

// longLength writes an element's length in one byte more than it needs.
func longLength(b []byte) []byte { return slices.Concat(b[:1], []byte{0x81}, b[1:]) }

func nested(levels int) []byte {
	b := null()
	for range levels {
		b = seq(b)
	}
	return b
}

// TestTextForResponse: a token that is still base64, hexadecimal digits or inside JSON is said to be text, not described by its wrong tags.
func TestTextForResponse(t *testing.T) {
	for _, text := range []string{"MIIEszADAgEA\n", "308204b3\r\n", "{\"tsr_base64\": \"MIIE\"}"} {
		_, err := Parse([]byte(text))
		var f *verify.Failure
		if !errors.As(err, &f) || f.Reason != ReasonEncoding || f.Found != "text, where bytes are wanted" {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
