package mint

import (
	"crypto"
	"crypto/sha1" //nolint:gosec // RFC 5280 §4.2.1.2: the usual key identifier is SHA-1 of the public key
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"time"
)

// Certificate is a certificate with its private key.
type Certificate struct {
	*x509.Certificate
	Key crypto.Signer
}

// PEM is the certificate in PEM form.
func (c *Certificate) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}

var (
	oidEKU          = asn1.ObjectIdentifier{2, 5, 29, 37}
	oidTimeStamping = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 8}
	oidCodeSigning  = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 3}
)

// certificateSpec says what a certificate is to hold. The zero values give a signing certificate without extended key usage.
type certificateSpec struct {
	name        string
	org         string
	serial      int64
	from, until time.Time
	ca          bool
	usages      []asn1.ObjectIdentifier
	notCritical bool // the extended key usage is not marked critical
}

// issue makes a certificate for key, signed by parent, or by itself where parent is nil.
func (s certificateSpec) issue(key crypto.Signer, parent *Certificate) (*Certificate, error) {
	spki, err := SPKI(key.Public())
	if err != nil {
		return nil, err
	}
	id := sha1.Sum(spki) //nolint:gosec // an identifier, not a commitment
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(s.serial),
		Subject:               pkix.Name{Country: []string{"FR"}, Organization: []string{s.org}, CommonName: s.name},
		NotBefore:             s.from,
		NotAfter:              s.until,
		BasicConstraintsValid: true,
		IsCA:                  s.ca,
		KeyUsage:              x509.KeyUsageDigitalSignature,
		SubjectKeyId:          id[:],
	}
	if s.ca {
		template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	}
	if len(s.usages) > 0 {
		value, err := asn1.Marshal(s.usages)
		if err != nil {
			return nil, err
		}
		template.ExtraExtensions = []pkix.Extension{{Id: oidEKU, Critical: !s.notCritical, Value: value}}
	}
	signer, signerKey := template, key
	if parent != nil {
		signer, signerKey = parent.Certificate, parent.Key
	}
	der, err := x509.CreateCertificate(nil, template, signer, key.Public(), signerKey)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &Certificate{Certificate: parsed, Key: key}, nil
}
