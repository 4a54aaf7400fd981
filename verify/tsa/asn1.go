package tsa

import (
	"bytes"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"math/big"

	"github.com/ark-forge/proveit/verify"
)

// MaxResponse is the largest response that is read, in bytes. Tokens with a whole chain in them take about 7,000.
const MaxResponse = 256 << 10

// maxDepth bounds the nesting of the encoding; a token with certificates reaches about 15 levels.
const maxDepth = 64

// Object identifiers of RFC 5652 §11 and §12.1, RFC 3161 §2.4.2, RFC 5035 §5 and RFC 5280 §4.2.1.12.
var (
	oidSignedData           = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidTSTInfo              = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
	oidContentType          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidMessageDigest        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidSigningCertificate   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 12}
	oidSigningCertificateV2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
	oidExtKeyUsage          = asn1.ObjectIdentifier{2, 5, 29, 37}
)

// timeStampResp is TimeStampResp of RFC 3161 §2.4.2; the token is kept as it is until the status has been read.
type timeStampResp struct {
	Status statusInfo
	Token  asn1.RawValue `asn1:"optional"`
}

// statusInfo is PKIStatusInfo of RFC 3161 §2.4.2.
type statusInfo struct {
	Status int
	Text   []asn1.RawValue `asn1:"optional"`
	Fail   asn1.BitString  `asn1:"optional"`
}

// contentInfo is ContentInfo of RFC 5652 §3 around a SignedData.
type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content signedData `asn1:"explicit,tag:0"`
}

// signedData is SignedData of RFC 5652 §5.1. The certificates are a SET that authorities in use write in any order (RFC 5652 asks for
// DER in the signed attributes only), so it is read as a list.
type signedData struct {
	Version      int
	Digests      []pkix.AlgorithmIdentifier `asn1:"set"`
	Encapsulated encapsulated
	Certificates []asn1.RawValue `asn1:"optional,tag:0"`
	CRLs         asn1.RawValue   `asn1:"optional,tag:1"`
	Signers      []signerInfo    `asn1:"set"`
}

// encapsulated is EncapsulatedContentInfo of RFC 5652 §5.2, with its content.
type encapsulated struct {
	Type    asn1.ObjectIdentifier
	Content []byte `asn1:"explicit,tag:0"`
}

// signerInfo is SignerInfo of RFC 5652 §5.3, the signer named by issuer and serial number.
type signerInfo struct {
	Version            int
	ID                 issuerAndSerial
	Digest             pkix.AlgorithmIdentifier
	Signed             []attribute `asn1:"set,optional,tag:0"`
	SignatureAlgorithm pkix.AlgorithmIdentifier
	Signature          []byte
	Unsigned           []attribute `asn1:"set,optional,tag:1"`
}

// issuerAndSerial is IssuerAndSerialNumber of RFC 5652 §10.2.4.
type issuerAndSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

// attribute is Attribute of RFC 5652 §5.3.
type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

// tstInfo is TSTInfo of RFC 3161 §2.4.2. GenTime is kept as it is, because encoding/asn1 would write it without its fraction; so is
// Accuracy, whose explicit zeros it would leave out.
type tstInfo struct {
	Version    int
	Policy     asn1.ObjectIdentifier
	Imprint    messageImprint
	Serial     *big.Int
	GenTime    asn1.RawValue
	Accuracy   []asn1.RawValue  `asn1:"optional"`
	Ordering   bool             `asn1:"optional"`
	Nonce      *big.Int         `asn1:"optional"`
	TSA        asn1.RawValue    `asn1:"optional,tag:0"`
	Extensions []pkix.Extension `asn1:"optional,tag:1"`
}

// messageImprint is MessageImprint of RFC 3161 §2.4.1.
type messageImprint struct {
	Algorithm pkix.AlgorithmIdentifier
	Hash      []byte
}

// signingCertificate is SigningCertificate or SigningCertificateV2 of RFC 5035 §5.
type signingCertificate[ID any] struct {
	Certs    []ID
	Policies []asn1.RawValue `asn1:"optional"`
}

// essCertID is ESSCertID of RFC 5035 §6, whose hash is SHA-1.
type essCertID struct {
	Hash         []byte
	IssuerSerial issuerSerial `asn1:"optional"`
}

// essCertIDv2 is ESSCertIDv2 of RFC 5035 §4. Without an algorithm the hash is SHA-256.
type essCertIDv2 struct {
	Algorithm    pkix.AlgorithmIdentifier `asn1:"optional"`
	Hash         []byte
	IssuerSerial issuerSerial `asn1:"optional"`
}

// issuerSerial is IssuerSerial of RFC 5035 §6; Issuer is a list of GeneralName.
type issuerSerial struct {
	Issuer []asn1.RawValue
	Serial *big.Int
}

// decode reads b as exactly one T and writes it again: the bytes must be equal. This closes BER, elements after the last one of a
// sequence, sets out of order and default values written out.
func decode[T any](b []byte, what string) (T, *verify.Failure) {
	var v, none T
	rest, err := asn1.Unmarshal(b, &v)
	if err != nil {
		return none, encoding(err.Error(), what)
	}
	if len(rest) != 0 {
		return none, encoding(fmt.Sprintf("%d bytes after it", len(rest)), what)
	}
	again, err := asn1.Marshal(v)
	if err != nil {
		return none, encoding(err.Error(), what)
	}
	if !bytes.Equal(again, b) {
		return none, encoding("another encoding", what)
	}
	return v, nil
}

func encoding(found, what string) *verify.Failure {
	return &verify.Failure{Reason: ReasonEncoding, Found: found, Wanted: "the DER encoding of one " + what}
}

// definite checks that every element of b, at every level, has a definite length in its shortest form. It looks into the parts that
// decode keeps as they are: names, certificates, attribute values.
func definite(b []byte, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("more than %d levels", maxDepth)
	}
	for len(b) > 0 {
		var v asn1.RawValue
		rest, err := asn1.Unmarshal(b, &v)
		if err != nil {
			return err
		}
		if v.IsCompound {
			if err := definite(v.Bytes, depth+1); err != nil {
				return err
			}
		}
		b = rest
	}
	return nil
}
