package tsa

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/asn1"
	"encoding/hex"

	"github.com/ark-forge/proveit/verify"
)

// certID is one ESSCertID or ESSCertIDv2.
type certID struct {
	hash   crypto.Hash
	digest []byte
	issuer issuerSerial // Serial is nil where there is none
}

// certIDs reads the signing-certificate attributes: one of version 1 or 2, or one of each. The first identifier of each names the
// signer (RFC 5035 §5); those after it may name the rest of the chain and are not used.
func certIDs(attributes []attribute) ([]certID, *verify.Failure) {
	var ids []certID
	for _, version := range []struct {
		oid  asn1.ObjectIdentifier
		read func([]byte) (certID, *verify.Failure)
	}{{oidSigningCertificate, readCertID}, {oidSigningCertificateV2, readCertIDv2}} {
		if !has(attributes, version.oid) {
			continue
		}
		raw, f := single(attributes, version.oid)
		if f != nil {
			return nil, f
		}
		id, f := version.read(raw)
		if f != nil {
			return nil, f
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil, &verify.Failure{Reason: ReasonSigningCertificate, Found: "no signing-certificate attribute", Wanted: "one, signed"}
	}
	return ids, nil
}

func readCertID(raw []byte) (certID, *verify.Failure) {
	sc, f := decode[signingCertificate[essCertID]](raw, "SigningCertificate")
	if f != nil {
		return certID{}, f
	}
	if len(sc.Certs) == 0 {
		return certID{}, noCertID()
	}
	return certID{crypto.SHA1, sc.Certs[0].Hash, sc.Certs[0].IssuerSerial}, nil
}

func readCertIDv2(raw []byte) (certID, *verify.Failure) {
	sc, f := decode[signingCertificate[essCertIDv2]](raw, "SigningCertificateV2")
	if f != nil {
		return certID{}, f
	}
	if len(sc.Certs) == 0 {
		return certID{}, noCertID()
	}
	id := sc.Certs[0]
	hash := crypto.SHA256
	if id.Algorithm.Algorithm != nil {
		if hash, f = digestOrSHA224(id.Algorithm); f != nil {
			return certID{}, f
		}
	}
	return certID{hash, id.Hash, id.IssuerSerial}, nil
}

func noCertID() *verify.Failure {
	return &verify.Failure{Reason: ReasonSigningCertificate, Found: "an attribute that names no certificate", Wanted: "the signer's certificate first"}
}

// namesAll holds if every identifier names the certificate: by its hash and, where it gives them, by issuer and serial number.
func namesAll(ids []certID, c *x509.Certificate) *verify.Failure {
	for _, id := range ids {
		if want := sum(id.hash, c.Raw); !bytes.Equal(id.digest, want) {
			return &verify.Failure{Reason: ReasonSigningCertificate, Found: id.hash.String() + " " + hex.EncodeToString(id.digest),
				Wanted: hex.EncodeToString(want) + " of " + named(c.RawIssuer, c.SerialNumber)}
		}
		if id.issuer.Serial == nil {
			continue
		}
		names := id.issuer.Issuer
		directory := len(names) == 1 && names[0].Class == asn1.ClassContextSpecific && names[0].Tag == 4 // directoryName, RFC 5280 §4.2.1.6
		if !directory || !bytes.Equal(names[0].Bytes, c.RawIssuer) || id.issuer.Serial.Cmp(c.SerialNumber) != 0 {
			return &verify.Failure{Reason: ReasonSigningCertificate, Found: "another issuer or serial number (" + id.issuer.Serial.String() + ")",
				Wanted: named(c.RawIssuer, c.SerialNumber)}
		}
	}
	return nil
}
