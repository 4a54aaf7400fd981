package tsa

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The forge writes tokens element by element, without the structures of asn1.go, so that a fault in these is not repeated here. A token
// is described by a forge value; each test changes one thing in it.

// el is one DER element: tag, shortest length, content.
func el(tag byte, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	b, err := asn1.Marshal(asn1.RawValue{Class: int(tag >> 6), Tag: int(tag & 0x1f), IsCompound: tag&0x20 != 0, Bytes: content})
	if err != nil {
		panic(err)
	}
	return b
}

func seq(parts ...[]byte) []byte         { return el(0x30, parts...) }
func octets(b []byte) []byte             { return el(0x04, b) }
func num(n int64) []byte                 { return bigNum(big.NewInt(n)) }
func ctx(n byte, parts ...[]byte) []byte { return el(0xa0|n, parts...) }
func sorted(parts ...[]byte) [][]byte    { return slices.SortedFunc(slices.Values(parts), bytes.Compare) }
func set(parts ...[]byte) []byte         { return el(0x31, sorted(parts...)...) }
func attr(o string, v ...[]byte) []byte  { return seq(oid(o), set(v...)) }
func gtime(s string) []byte              { return el(0x18, []byte(s)) }
func null() []byte                       { return []byte{5, 0} }

func bigNum(n *big.Int) []byte {
	b, err := asn1.Marshal(n)
	if err != nil {
		panic(err)
	}
	return b
}

func oid(dotted string) []byte {
	var o asn1.ObjectIdentifier
	for arc := range strings.SplitSeq(dotted, ".") {
		n, err := strconv.Atoi(arc)
		if err != nil {
			panic(err)
		}
		o = append(o, n)
	}
	b, err := asn1.Marshal(o)
	if err != nil {
		panic(err)
	}
	return b
}

// Identifiers as RFC 3370, 5754, 3161, 5652 and 5035 print them.
const (
	md5OID, sha1OID      = "1.2.840.113549.2.5", "1.3.14.3.2.26"
	sha224OID, sha256OID = "2.16.840.1.101.3.4.2.4", "2.16.840.1.101.3.4.2.1"
	sha384OID, sha512OID = "2.16.840.1.101.3.4.2.2", "2.16.840.1.101.3.4.2.3"
	tstOID, dataOID      = "1.2.840.113549.1.9.16.1.4", "1.2.840.113549.1.7.1"
	essOID, essV2OID     = "1.2.840.113549.1.9.16.2.12", "1.2.840.113549.1.9.16.2.47"
	rsaOID, ecdsaOID     = "1.2.840.113549.1.1.1", "1.2.840.10045.4.3."
	timeStampingOID      = "1.3.6.1.5.5.7.3.8"
	codeSigningOID       = "1.3.6.1.5.5.7.3.3"
)

// identity is a certificate with its private key.
type identity struct {
	*x509.Certificate
	key crypto.Signer
}

// ecKey is the P-256 key of a small secret scalar: the same in every process, as fuzzing needs.
func ecKey(scalar int64) *ecdsa.PrivateKey {
	k, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), big.NewInt(scalar).FillBytes(make([]byte, 32)))
	if err != nil {
		panic(err)
	}
	return k
}

var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

func date(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// issue makes a certificate under parent, or one under itself. Signatures are deterministic (RFC 6979), so the bytes are too.
func issue(parent *identity, key crypto.Signer, serial int64, name string, change ...func(*x509.Certificate)) *identity {
	c := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name, Organization: []string{"Forge"}},
		NotBefore: date("2020-01-01"), NotAfter: date("2049-01-01"), BasicConstraintsValid: true}
	for _, f := range change {
		f(c)
	}
	signer, issuer := key, c
	if parent != nil {
		signer, issuer = parent.key, parent.Certificate
	}
	der, err := x509.CreateCertificate(nil, c, issuer, key.Public(), signer)
	if err != nil {
		panic(err)
	}
	if c, err = x509.ParseCertificate(der); err != nil {
		panic(err)
	}
	return &identity{c, key}
}

func authority(c *x509.Certificate) { c.IsCA, c.KeyUsage = true, x509.KeyUsageCertSign }

// usage is an extended key usage extension.
func usage(critical bool, purposes ...string) func(*x509.Certificate) {
	var list [][]byte
	for _, p := range purposes {
		list = append(list, oid(p))
	}
	return func(c *x509.Certificate) {
		c.KeyUsage = x509.KeyUsageDigitalSignature
		c.ExtraExtensions = append(c.ExtraExtensions, pkix.Extension{Id: oidExtKeyUsage, Critical: critical, Value: seq(list...)})
	}
}

func window(from, to string) func(*x509.Certificate) {
	return func(c *x509.Certificate) { c.NotBefore, c.NotAfter = date(from), date(to) }
}

var (
	root         = issue(nil, ecKey(11), 1, "Forge Root", authority)
	otherRoot    = issue(nil, ecKey(12), 1, "Other Root", authority)
	intermediate = issue(root, ecKey(13), 2, "Forge Intermediate", authority)
	stamper      = issue(root, ecKey(14), 100, "Forge Stamper", usage(true, timeStampingOID))
	deepStamper  = issue(intermediate, ecKey(15), 101, "Forge Deep Stamper", usage(true, timeStampingOID))
)

// anchored is what the tokens are over.
var anchored = []byte("0123456789abcdef0123456789abcdef")

// forge describes a response. The zero values are replaced by good ones in newForge.
type forge struct {
	status                        int64
	statusMore, after, tokenAfter []byte // more elements of the PKIStatusInfo; bytes after the response's and the token's last element
	noToken, bareToken            bool

	info                             [5][]byte // version, policy, imprint, serial, genTime
	infoMore, infoAfter              []byte    // elements after genTime; bytes after the TSTInfo
	signedVersion, signerVersion     int64
	contentType, digest, digestSet   string
	signer                           *identity
	key                              crypto.Signer // signs; the signer's own where nil
	issuer                           []byte        // of the SignerInfo
	signatureAlgorithm               []byte
	attributes                       map[string][]byte
	extraAttribute, unsigned, crls   []byte
	noAttributes, unsortedAttributes bool
	signature                        func([]byte) []byte
	embed                            []*x509.Certificate
	signers                          int

	trust Authority
}

// newForge describes a granted response as FreeTSA sends it, apart from ESSCertIDv2: no certificate inside.
func newForge() *forge {
	f := &forge{signedVersion: 3, signerVersion: 1, contentType: tstOID, digest: sha256OID, signer: stamper, signers: 1,
		info: [5][]byte{num(1), oid("1.2.3.4.1"), imprintOf(sha256OID, crypto.SHA256), num(7), gtime("20260921120000Z")},
		trust: Authority{Provider: "forge", Roots: []*x509.Certificate{root.Certificate},
			Certificates: []*x509.Certificate{stamper.Certificate}, Policies: []string{"1.2.3.4.1"}}}
	f.attributes = map[string][]byte{
		"content-type": attr("1.2.840.113549.1.9.3", oid(tstOID)),
		"signing-time": attr("1.2.840.113549.1.9.5", el(0x17, []byte("260921120000Z"))),
		"ess":          essV2(stamper.Certificate, crypto.SHA256, ""),
	}
	return f
}

// by makes another identity sign, trusted as the first one was.
func (f *forge) by(id *identity) {
	f.signer = id
	f.attributes["ess"] = essV2(id.Certificate, crypto.SHA256, "")
	f.trust.Certificates = []*x509.Certificate{id.Certificate}
}

func imprintOf(algorithm string, h crypto.Hash) []byte {
	return seq(seq(oid(algorithm), null()), octets(sum(h, anchored)))
}

func essV1(c *x509.Certificate, more ...[]byte) []byte {
	return attr(essOID, seq(seq(seq(append([][]byte{octets(sum(crypto.SHA1, c.Raw))}, more...)...))))
}

// essV2 names c by hash; algorithm is left out where it is empty, as DER wants for SHA-256.
func essV2(c *x509.Certificate, h crypto.Hash, algorithm string, more ...[]byte) []byte {
	var parts [][]byte
	if algorithm != "" {
		parts = append(parts, seq(oid(algorithm)))
	}
	parts = append(append(parts, octets(sum(h, c.Raw))), more...)
	return attr(essV2OID, seq(seq(seq(parts...))))
}

// essIssuer is the IssuerSerial of an ESSCertID.
func essIssuer(issuer []byte, serial *big.Int) []byte {
	return seq(seq(ctx(4, issuer)), bigNum(serial))
}

// make writes the response.
func (f *forge) make() []byte {
	info := append(seq(append(f.info[:], f.infoMore)...), f.infoAfter...)
	hash, ok := map[string]crypto.Hash{md5OID: crypto.MD5, sha1OID: crypto.SHA1, sha224OID: crypto.SHA224, sha256OID: crypto.SHA256, sha384OID: crypto.SHA384, sha512OID: crypto.SHA512}[f.digest]
	if !ok {
		panic(f.digest)
	}
	var signers [][]byte
	for range f.signers {
		signers = append(signers, f.signerInfo(info, hash))
	}
	digestSet := f.digestSet
	if digestSet == "" {
		digestSet = f.digest
	}
	sd := [][]byte{num(f.signedVersion), set(seq(oid(digestSet), null())), seq(oid(f.contentType), ctx(0, octets(info)))}
	if len(f.embed) > 0 {
		var certs [][]byte
		for _, c := range f.embed {
			certs = append(certs, c.Raw)
		}
		sd = append(sd, ctx(0, certs...))
	}
	sd = append(sd, f.crls, set(signers...), f.tokenAfter)
	token := seq(oid("1.2.840.113549.1.7.2"), ctx(0, seq(sd...)))
	switch {
	case f.bareToken:
		return token
	case f.noToken:
		token = nil
	}
	return append(seq(seq(num(f.status), f.statusMore), token), f.after...)
}

func (f *forge) signerInfo(info []byte, hash crypto.Hash) []byte {
	id := f.signer
	issuer := f.issuer
	if issuer == nil {
		issuer = id.RawIssuer
	}
	attributes := [][]byte{f.extraAttribute}
	if _, ok := f.attributes["message-digest"]; !ok {
		attributes = append(attributes, attr("1.2.840.113549.1.9.4", octets(sum(hash, info))))
	}
	for _, a := range f.attributes {
		attributes = append(attributes, a)
	}
	attributes = sorted(attributes...)
	signed := info
	if !f.noAttributes {
		signed = set(attributes...)
	}
	if f.unsortedAttributes {
		slices.Reverse(attributes)
	}
	parts := [][]byte{num(f.signerVersion), seq(issuer, bigNum(id.SerialNumber)), seq(oid(f.digest), null())}
	if !f.noAttributes {
		parts = append(parts, ctx(0, attributes...))
	}
	return seq(append(parts, f.algorithm(hash), octets(f.sign(signed, hash)), f.unsigned)...)
}

func (f *forge) algorithm(hash crypto.Hash) []byte {
	switch {
	case f.signatureAlgorithm != nil:
		return f.signatureAlgorithm
	case f.signer.PublicKeyAlgorithm == x509.RSA:
		return seq(oid(rsaOID), null())
	case f.signer.PublicKeyAlgorithm == x509.Ed25519:
		return seq(oid("1.3.101.112"))
	}
	return seq(oid(ecdsaOID + map[crypto.Hash]string{crypto.SHA224: "1", crypto.SHA256: "2", crypto.SHA384: "3", crypto.SHA512: "4"}[hash]))
}

func (f *forge) sign(signed []byte, hash crypto.Hash) []byte {
	key := f.key
	if key == nil {
		key = f.signer.key
	}
	message, opts := sum(hash, signed), hash
	if _, ok := key.(ed25519.PrivateKey); ok {
		message, opts = signed, 0 // RFC 8419 §3.1: the signed attributes themselves
	}
	s, err := key.Sign(nil, message, opts)
	if err != nil {
		panic(err)
	}
	if f.signature != nil {
		s = f.signature(s)
	}
	return s
}

// TestForge pins that the same description gives the same bytes, and that they are good.
func TestForge(t *testing.T) {
	if !bytes.Equal(newForge().make(), newForge().make()) {
		t.Error("the forge is not deterministic")
	}
	f := newForge()
	token, err := Verify(f.make(), anchored, f.trust)
	if err != nil {
		t.Fatal(err)
	}
	want := Token{Time: time.Date(2026, 9, 21, 12, 0, 0, 0, time.UTC), Policy: "1.2.3.4.1", Serial: "7",
		Signer: "CN=Forge Stamper,O=Forge", SignerSHA256: token.SignerSHA256, HashAlgorithm: "SHA-256"}
	if token != want {
		t.Errorf("found %+v, want %+v", token, want)
	}
}
