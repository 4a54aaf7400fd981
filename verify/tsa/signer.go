package tsa

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	_ "crypto/sha1" // ESSCertID is defined over SHA-1
	_ "crypto/sha256"
	_ "crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify"
)

// serialBits is the longest serial number that a message repeats: 20 bytes, the limit of RFC 5280 §4.1.2.2.
const serialBits = 160

// listLimit bounds how many certificates a message lists.
const listLimit = 8

// hashes are the digests accepted everywhere (RFC 5754 §2). SHA-1 and MD5 are not, and SHA-224 is shorter than the hashes we anchor.
var hashes = map[string]crypto.Hash{
	"2.16.840.1.101.3.4.2.1": crypto.SHA256,
	"2.16.840.1.101.3.4.2.2": crypto.SHA384,
	"2.16.840.1.101.3.4.2.3": crypto.SHA512,
}

// sha224 is stronger than SHA-1, so it may sign and name a certificate in an ESSCertIDv2, but not make the imprint.
const sha224 = "2.16.840.1.101.3.4.2.4"

// sha224Signatures are its signature algorithms and the kind of key that each goes with. crypto/x509 has no names for them.
var sha224Signatures = map[string]x509.PublicKeyAlgorithm{
	"1.2.840.113549.1.1.1": x509.RSA, "1.2.840.113549.1.1.14": x509.RSA, "1.2.840.10045.4.3.1": x509.ECDSA,
}

// signatures are the signature algorithms accepted with each digest (RFC 5754 §3, RFC 3370 §3.2, RFC 8419 §3.1).
var signatures = map[string]map[crypto.Hash]x509.SignatureAlgorithm{
	"1.2.840.113549.1.1.1": {crypto.SHA256: x509.SHA256WithRSA, crypto.SHA384: x509.SHA384WithRSA,
		crypto.SHA512: x509.SHA512WithRSA}, // rsaEncryption: the digest is the SignerInfo's
	"1.2.840.113549.1.1.11": {crypto.SHA256: x509.SHA256WithRSA},
	"1.2.840.113549.1.1.12": {crypto.SHA384: x509.SHA384WithRSA},
	"1.2.840.113549.1.1.13": {crypto.SHA512: x509.SHA512WithRSA},
	"1.2.840.10045.4.3.2":   {crypto.SHA256: x509.ECDSAWithSHA256},
	"1.2.840.10045.4.3.3":   {crypto.SHA384: x509.ECDSAWithSHA384},
	"1.2.840.10045.4.3.4":   {crypto.SHA512: x509.ECDSAWithSHA512},
	"1.3.101.112":           {crypto.SHA512: x509.PureEd25519},
}

// checkSignature finds the signer's certificate and checks the signature over the signed attributes, and these against the content.
func checkSignature(d document, a Authority) (*x509.Certificate, *verify.Failure) {
	si := d.signer
	hash, f := digestOrSHA224(si.Digest)
	if f != nil {
		return nil, f
	}
	if !slices.Contains(d.digests, si.Digest.Algorithm.String()) {
		return nil, &verify.Failure{Reason: ReasonDigestAlgorithm, Found: "digests " + strings.Join(d.digests, " "),
			Wanted: "the signer's, " + si.Digest.Algorithm.String()}
	}
	if f := checkSignedContent(si.Signed, hash, d.content); f != nil {
		return nil, f
	}
	cert, f := findSigner(d, a)
	if f != nil {
		return nil, f
	}
	name := si.SignatureAlgorithm.Algorithm.String()
	algorithm, ok := signatures[name][hash]
	kind := x509.UnknownPublicKeyAlgorithm
	if hash == crypto.SHA224 {
		kind, ok = sha224Signatures[name]
	}
	if !ok || !bare(si.SignatureAlgorithm) {
		return nil, &verify.Failure{Reason: ReasonSignatureAlgorithm, Found: si.SignatureAlgorithm.Algorithm.String(),
			Wanted: "RSA (PKCS #1 v1.5) or ECDSA with " + hash.String() + ", or Ed25519 with SHA-512"}
	}
	// What is signed is the attributes as a SET OF, not under the tag they have in the SignerInfo (RFC 5652 §5.4).
	signed, err := asn1.MarshalWithParams(si.Signed, "set")
	if err != nil {
		return nil, encoding(err.Error(), "set of signed attributes")
	}
	if hash == crypto.SHA224 {
		return cert, checkSHA224(cert, kind, signed, si.Signature)
	}
	if err := cert.CheckSignature(algorithm, signed, si.Signature); err != nil {
		return nil, &verify.Failure{Reason: ReasonSignature, Found: err.Error(), Wanted: "a signature by " + cert.Subject.String()}
	}
	return cert, nil
}

// checkSHA224 checks a signature over a SHA-224 digest by a key of that kind.
func checkSHA224(c *x509.Certificate, kind x509.PublicKeyAlgorithm, signed, signature []byte) *verify.Failure {
	holds, d := false, sum(crypto.SHA224, signed)
	switch k := c.PublicKey.(type) {
	case *rsa.PublicKey:
		holds = kind == x509.RSA && rsa.VerifyPKCS1v15(k, crypto.SHA224, d, signature) == nil
	case *ecdsa.PublicKey:
		holds = kind == x509.ECDSA && ecdsa.VerifyASN1(k, d, signature)
	}
	if !holds {
		return &verify.Failure{Reason: ReasonSignature, Found: "a signature over SHA-224 that does not hold", Wanted: "a signature by " + c.Subject.String()}
	}
	return nil
}

// checkSignedContent compares the signed content-type and message-digest with the content (RFC 5652 §11.1, §11.2).
func checkSignedContent(attributes []attribute, hash crypto.Hash, content []byte) *verify.Failure {
	raw, f := single(attributes, oidContentType)
	if f != nil {
		return f
	}
	ct, f := decode[asn1.ObjectIdentifier](raw, "content-type attribute")
	if f != nil {
		return f
	}
	if !ct.Equal(oidTSTInfo) {
		return contentType(ct, oidTSTInfo)
	}
	if raw, f = single(attributes, oidMessageDigest); f != nil {
		return f
	}
	md, f := decode[[]byte](raw, "message-digest attribute")
	if f != nil {
		return f
	}
	if want := sum(hash, content); !bytes.Equal(md, want) {
		return &verify.Failure{Reason: ReasonMessageDigest, Found: hex.EncodeToString(md), Wanted: hex.EncodeToString(want)}
	}
	return nil
}

// single is the value of the attribute of that type, which must be there once, with one value.
func single(attributes []attribute, oid asn1.ObjectIdentifier) ([]byte, *verify.Failure) {
	var value []byte
	attrs, values := 0, 0
	for _, a := range attributes {
		if a.Type.Equal(oid) {
			attrs++
			for _, v := range a.Values {
				value, values = v.FullBytes, values+1
			}
		}
	}
	if attrs != 1 || values != 1 {
		return nil, &verify.Failure{Reason: ReasonSignedAttributes, Wanted: "one signed attribute " + oid.String() + " with one value",
			Found: fmt.Sprintf("%d with %d values", attrs, values)}
	}
	return value, nil
}

// findSigner picks the certificate that the SignerInfo names by issuer and serial number, and the signing-certificate attribute by its
// hash. The trust set is searched before the token, so that a certificate we hold is the one that is used.
func findSigner(d document, a Authority) (*x509.Certificate, *verify.Failure) {
	ids, f := certIDs(d.signer.Signed)
	if f != nil {
		return nil, f
	}
	for _, set := range [][]*x509.Certificate{a.Certificates, d.certificates} {
		for _, c := range set {
			if !bytes.Equal(c.RawIssuer, d.signer.ID.Issuer.FullBytes) || c.SerialNumber.Cmp(d.signer.ID.Serial) != 0 {
				continue
			}
			if f = namesAll(ids, c); f == nil {
				return c, nil
			}
		}
	}
	if f != nil {
		return nil, f
	}
	return nil, &verify.Failure{Reason: ReasonSignerUnknown, Wanted: "the certificate that the SignerInfo names",
		Found: fmt.Sprintf("named: %s; in the trust set: %s; in the token: %s",
			named(d.signer.ID.Issuer.FullBytes, d.signer.ID.Serial), list(a.Certificates), list(d.certificates))}
}

// digestOrSHA224 is digest where SHA-224 will do.
func digestOrSHA224(a pkix.AlgorithmIdentifier) (crypto.Hash, *verify.Failure) {
	if a.Algorithm.String() == sha224 && bare(a) {
		return crypto.SHA224, nil
	}
	return digest(a)
}

// digest is the hash that an AlgorithmIdentifier names.
func digest(a pkix.AlgorithmIdentifier) (crypto.Hash, *verify.Failure) {
	h, ok := hashes[a.Algorithm.String()]
	if !ok || !bare(a) {
		return 0, digestAlgorithm(a)
	}
	return h, nil
}

func digestAlgorithm(a pkix.AlgorithmIdentifier) *verify.Failure {
	found := a.Algorithm.String()
	if !bare(a) {
		found += " with parameters"
	}
	return &verify.Failure{Reason: ReasonDigestAlgorithm, Found: found, Wanted: "SHA-256, SHA-384 or SHA-512"}
}

// bare holds for an algorithm without parameters: absent or NULL, both of which RFC 5754 §2 tells readers to take.
func bare(a pkix.AlgorithmIdentifier) bool {
	return len(a.Parameters.FullBytes) == 0 || bytes.Equal(a.Parameters.FullBytes, asn1.NullBytes)
}

func sum(h crypto.Hash, b []byte) []byte {
	w := h.New()
	w.Write(b)
	return w.Sum(nil)
}

func has(attributes []attribute, oid asn1.ObjectIdentifier) bool {
	for _, a := range attributes {
		if a.Type.Equal(oid) {
			return true
		}
	}
	return false
}

// named is a certificate as a SignerInfo names it, the serial number in decimal and in the hexadecimal that openssl shows.
func named(issuer []byte, serial *big.Int) string {
	var rdn pkix.RDNSequence
	name := "unreadable"
	if _, err := asn1.Unmarshal(issuer, &rdn); err == nil {
		name = rdn.String()
	}
	if serial.BitLen() > serialBits {
		return fmt.Sprintf("issuer %.200s, serial of %d bits", name, serial.BitLen())
	}
	return fmt.Sprintf("issuer %.200s, serial %s (0x%X)", name, serial, serial)
}

func list(certs []*x509.Certificate) string {
	if len(certs) == 0 {
		return "none"
	}
	var names []string
	for i, c := range certs {
		if i == listLimit {
			names = append(names, fmt.Sprintf("and %d more", len(certs)-i))
			break
		}
		names = append(names, named(c.RawIssuer, c.SerialNumber))
	}
	return strings.Join(names, " | ")
}
