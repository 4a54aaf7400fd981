package rekor

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

const (
	kindHashedrekord    = "hashedrekord"
	versionHashedrekord = "0.0.1"
)

// How an entry carries the submitter's key.
const (
	CarriedAsPublicKey   = "public_key"  // a bare public key
	CarriedAsCertificate = "certificate" // the first certificate's key; the certificate itself is not judged
)

// Submitter is the key that an entry carries for its own signature.
type Submitter struct {
	SPKI    []byte       // SubjectPublicKeyInfo in DER, written again from the key: equal keys have equal bytes however they were spelled
	SHA256  canon.Digest // of SPKI
	Carried string       // CarriedAsPublicKey or CarriedAsCertificate
}

// body is the entry that the log holds, its specification still closed.
type body struct {
	kind, version string
	spec          canon.Value
}

// hashedrekord is an entry over the hash of an artifact.
type hashedrekord struct {
	algorithm string
	value     []byte // the hash
	signature []byte
	key       crypto.PublicKey
	submitter Submitter
}

func (r hashedrekord) hash() string { return fmt.Sprintf("%s:%x", r.algorithm, r.value) }

// hashes are the algorithms of hashedrekord 0.0.1.
var hashes = map[string]crypto.Hash{"sha256": crypto.SHA256, "sha384": crypto.SHA384, "sha512": crypto.SHA512}

// readBody opens the body of an entry that the log vouched for. Its JSON is read as strictly as the rest.
func (e Entry) readBody() (body, *verify.Failure) {
	doc, err := canon.ParseStrict(e.File, e.body)
	if err != nil {
		return body{}, e.fail(ReasonBody, "/body", err.Error(), "the JSON of an entry")
	}
	s := shape{}
	s.object(doc, []string{"apiVersion", "kind", "spec"})
	b := body{kind: s.text(doc.Get("kind")), version: s.text(doc.Get("apiVersion")), spec: doc.Get("spec")}
	return b, e.inBody(s)
}

// readHashedrekord opens the specification of a hashedrekord 0.0.1.
func (e Entry) readHashedrekord(b body) (hashedrekord, *verify.Failure) {
	if b.kind != kindHashedrekord || b.version != versionHashedrekord {
		return hashedrekord{}, e.fail(ReasonKind, "/body", show(b.kind+" "+b.version), kindHashedrekord+" "+versionHashedrekord)
	}
	s := shape{}
	data, signature := b.spec.Get("data"), b.spec.Get("signature")
	hash, key := data.Get("hash"), signature.Get("publicKey")
	s.object(b.spec, []string{"data", "signature"})
	s.object(data, []string{"hash"})
	s.object(hash, []string{"algorithm", "value"})
	s.object(signature, []string{"content", "publicKey"})
	s.object(key, []string{"content"})
	r := hashedrekord{algorithm: s.text(hash.Get("algorithm")), signature: s.base64(signature, "content", ReasonBody)}
	r.value = s.hashValue(hash, r.algorithm)
	carried := s.base64(key, "content", ReasonBody)
	if f := e.inBody(s); f != nil {
		return hashedrekord{}, f
	}
	var ok bool
	if r.key, r.submitter, ok = readKey(carried); !ok {
		return hashedrekord{}, e.fail(ReasonSubmitterKey, "/body", show(string(carried)), "a public key or a certificate in PEM")
	}
	return r, nil
}

// hashValue reads the lowercase hex of a hash of that algorithm.
func (s *shape) hashValue(hash canon.Value, algorithm string) []byte {
	h, ok := hashes[algorithm]
	if !ok {
		s.refuse(ReasonBody, canon.Value{}, "", show(algorithm), "sha256, sha384 or sha512")
		return nil
	}
	text := s.text(hash.Get("value"))
	b, err := canon.DecodeHex(text, h.Size())
	if err != nil {
		s.refuse(ReasonBody, canon.Value{}, "", show(text), fmt.Sprintf("%d lowercase hex digits", 2*h.Size()))
	}
	return b
}

// inBody makes what is wrong inside the body a failure of the entry; the pointer inside the body goes into what was wanted.
func (e Entry) inBody(s shape) *verify.Failure {
	if s.failure == nil {
		return nil
	}
	wanted := s.failure.Wanted
	if s.failure.Pointer != "" {
		wanted += " at " + s.failure.Pointer + " of the body"
	}
	return e.fail(ReasonBody, "/body", s.failure.Found, wanted)
}

// readKey reads the key of a PEM text: one public key, or certificates, the first of which counts. Line ends and text before the first
// block are free, as they are for the log.
func readKey(text []byte) (crypto.PublicKey, Submitter, bool) {
	block, rest := pem.Decode(text)
	if block == nil {
		return nil, Submitter{}, false
	}
	var key crypto.PublicKey
	var carried string
	switch block.Type {
	case "PUBLIC KEY":
		k, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil || len(bytes.TrimSpace(rest)) > 0 {
			return nil, Submitter{}, false
		}
		key, carried = k, CarriedAsPublicKey
	case "CERTIFICATE":
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, Submitter{}, false
		}
		key, carried = c.PublicKey, CarriedAsCertificate
	}
	spki, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, Submitter{}, false
	}
	return key, Submitter{SPKI: spki, SHA256: canon.Sum(spki), Carried: carried}, true
}

// checkRecord demands what a proof's entry must be about, and be signed with.
func (e Entry) checkRecord(r hashedrekord, hash canon.Digest) *verify.Failure {
	if want := "sha256:" + hash.String(); r.hash() != want {
		return e.fail(ReasonArtifact, "/body", r.hash(), want)
	}
	if k, ok := r.key.(*ecdsa.PublicKey); !ok || k.Curve != elliptic.P256() {
		return e.fail(ReasonSubmitterKey, "/body", strings.TrimPrefix(fmt.Sprintf("%T", r.key), "*"), "an ECDSA key on P-256")
	}
	return nil
}

// ownSignature verifies the entry's signature over the artifact, of which the hash is known.
func (e Entry) ownSignature(r hashedrekord) *verify.Failure {
	h := hashes[r.algorithm]
	var ok bool
	switch k := r.key.(type) {
	case *ecdsa.PublicKey:
		ok = ecdsa.VerifyASN1(k, r.value, r.signature)
	case *rsa.PublicKey:
		ok = rsa.VerifyPKCS1v15(k, h, r.value, r.signature) == nil
	case ed25519.PublicKey:
		// An Ed25519 signature over a hash alone is Ed25519ph, which takes SHA-512 (RFC 8032 §5.1).
		ok = h == crypto.SHA512 && ed25519.VerifyWithOptions(k, r.value, r.signature, &ed25519.Options{Hash: h}) == nil
	}
	if !ok {
		return e.fail(ReasonSignature, "/body", "a signature that does not hold", "a signature over the artifact by the key that the entry carries")
	}
	return nil
}
