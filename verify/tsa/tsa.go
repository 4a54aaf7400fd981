// Package tsa verifies an RFC 3161 timestamp response over known bytes, at the token's own time.
//
// A response is DER: TimeStampResp { status, token }, the token a CMS SignedData (RFC 5652) around a TSTInfo that says "these bytes,
// whose hash is so and so, existed at genTime". What must hold is written in Verify, in order.
//
// The checks are our own, over the standard library. The libraries that others use are asked in the tests: digitorus/pkcs7 must accept
// every token that is accepted here. They do not decide in the program because they look at less (a signing-certificate attribute that
// names somebody else passes), refuse status 1, and find no signer where a token embeds the rest of the chain only.
//
// Nothing here asks the clock: certificates are judged at genTime, so a token stays good after the certificate that signed it expired.
// The tsa name inside a TSTInfo is not compared with the certificate: FreeTSA's tokens give another e-mail address there.
package tsa

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// Authority is a timestamping authority that is trusted, and for what.
type Authority struct {
	Provider     string              // for example "freetsa.org"; shown in errors only
	Roots        []*x509.Certificate // at least one
	Certificates []*x509.Certificate // intermediates and signing certificates, in any order
	Policies     []string            // accepted policy identifiers, dotted; none means that any is accepted

	// Counts reports whether a certificate counts at a token's time beyond what its own dates say; nil for every one at any time. It is
	// asked for each certificate of a chain, those inside the token too.
	Counts func(c *x509.Certificate, at time.Time) bool
}

// Token is what a token says, all of it verified.
type Token struct {
	Time          time.Time // genTime in UTC with its fraction
	Policy        string    // dotted object identifier
	Serial        string    // the token's serial number, decimal
	Signer        string    // subject of the signer's certificate, RFC 2253
	SignerSHA256  string    // SHA-256 of that certificate, 64 lowercase hex digits
	HashAlgorithm string    // that of the imprint, for example "SHA-256"
}

// Verify judges a response over the preimage: the anchored bytes themselves, not their hash. A *verify.Failure says what does not hold;
// any other error says that the authority decides nothing, because it has no root.
func Verify(response, preimage []byte, a Authority) (Token, error) {
	return answer(response, a, func(h crypto.Hash) []byte { return sum(h, preimage) })
}

// VerifyDigest judges a response of whose anchored bytes only the SHA-256 is known. The imprint must then be SHA-256 too.
func VerifyDigest(response []byte, digest canon.Digest, a Authority) (Token, error) {
	return answer(response, a, func(h crypto.Hash) []byte {
		if h != crypto.SHA256 {
			return nil
		}
		return digest[:]
	})
}

// counts is Counts where it is set.
func (a Authority) counts(c *x509.Certificate, at time.Time) bool {
	return a.Counts == nil || a.Counts(c, at)
}

// answer turns the judgement into the exported form. imprint gives the hash that is wanted, nil where it is not known for that
// algorithm.
func answer(response []byte, a Authority, imprint func(crypto.Hash) []byte) (Token, error) {
	if len(a.Roots) == 0 || slices.Contains(a.Roots, nil) || slices.Contains(a.Certificates, nil) {
		return Token{}, fmt.Errorf("timestamping authority %q: found %d roots, want at least one and no nil certificate", a.Provider, len(a.Roots))
	}
	d, signer, f := judge(response, a, imprint)
	if f != nil {
		return Token{}, f
	}
	return Token{
		Time:          d.time,
		Policy:        d.info.Policy.String(),
		Serial:        d.info.Serial.String(),
		Signer:        signer.Subject.String(),
		SignerSHA256:  canon.Sum(signer.Raw).String(),
		HashAlgorithm: hashName(d.info.Imprint.Algorithm.Algorithm.String()),
	}, nil
}

// judge is the whole judgement: the encoding, the signature, the certificate, and then what the TSTInfo says.
func judge(response []byte, a Authority, imprint func(crypto.Hash) []byte) (document, *x509.Certificate, *verify.Failure) {
	d, f := read(response)
	if f != nil {
		return d, nil, f
	}
	signer, f := checkSignature(d, a)
	if f != nil {
		return d, nil, f
	}
	if f := checkCertificate(signer, d, a); f != nil {
		return d, nil, f
	}
	if f := checkContent(d.info, a, imprint); f != nil {
		return d, nil, f
	}
	return d, signer, nil
}

// checkContent judges what the TSTInfo says, its time apart: extensions, imprint, policy.
func checkContent(info tstInfo, a Authority, imprint func(crypto.Hash) []byte) *verify.Failure {
	for _, e := range info.Extensions {
		if e.Critical {
			return &verify.Failure{Reason: ReasonExtension, Found: "critical extension " + e.Id.String(), Wanted: "none that is critical"}
		}
	}
	hash, f := digest(info.Imprint.Algorithm)
	if f != nil {
		return f
	}
	want := imprint(hash)
	if want == nil {
		return &verify.Failure{Reason: ReasonImprint, Found: "an imprint by " + hash.String(), Wanted: "one by SHA-256"}
	}
	if !bytes.Equal(info.Imprint.Hash, want) {
		return &verify.Failure{Reason: ReasonImprint, Found: fmt.Sprintf("%.128s", hex.EncodeToString(info.Imprint.Hash)),
			Wanted: hex.EncodeToString(want)}
	}
	if policy := info.Policy.String(); len(a.Policies) != 0 && !slices.Contains(a.Policies, policy) {
		return &verify.Failure{Reason: ReasonPolicy, Found: policy, Wanted: strings.Join(a.Policies, " or ")}
	}
	return nil
}

// Info is what a response says of itself. Nothing in it has been verified.
type Info struct {
	Status          int       // PKIStatus: 0 granted, 1 grantedWithMods, 2 and above no token
	Time            time.Time // genTime in UTC; zero where it was not read
	Policy          string    // dotted object identifier
	Serial          string    // decimal
	HashAlgorithm   string    // that of the imprint: its name, or its dotted identifier
	Imprint         string    // hex
	SignerIssuer    string    // issuer and serial number of the certificate that the SignerInfo names
	SignerDigest    string    // digest algorithm of the signature
	SignatureMethod string    // dotted identifier of the signature algorithm
	Certificates    []string  // subjects of the certificates inside the token
}

// Parse reads a response without judging it, to show what it says. The error is a *verify.Failure where it cannot be read to the end;
// the Info then holds what was read before.
func Parse(response []byte) (Info, error) {
	d, f := read(response)
	info := Info{Status: d.status.Status, Time: d.time}
	if d.info.Serial != nil {
		info.Policy = d.info.Policy.String()
		info.Serial = d.info.Serial.String()
		info.HashAlgorithm = hashName(d.info.Imprint.Algorithm.Algorithm.String())
		info.Imprint = hex.EncodeToString(d.info.Imprint.Hash)
	}
	if d.signer.ID.Serial != nil {
		info.SignerIssuer = named(d.signer.ID.Issuer.FullBytes, d.signer.ID.Serial)
		info.SignerDigest = hashName(d.signer.Digest.Algorithm.String())
		info.SignatureMethod = d.signer.SignatureAlgorithm.Algorithm.String()
	}
	for _, c := range d.certificates {
		info.Certificates = append(info.Certificates, c.Subject.String())
	}
	if f != nil {
		return info, f
	}
	return info, nil
}

func hashName(oid string) string {
	if h, ok := hashes[oid]; ok {
		return h.String()
	}
	return oid
}
