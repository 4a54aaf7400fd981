package mint

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // ESSCertID v1 and the SHA-1 imprint fault are made on purpose
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"
	"strings"
	"time"
)

var (
	oidSignedData    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidData          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidTSTInfo       = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
	oidContentType   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidMessageDigest = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidSigningTime   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 5}
	oidESSv1         = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 12}
	oidESSv2         = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
	oidRSA           = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
	oidSHA1          = asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}
)

// digests gives, for each digest used here, its identifier and that of ECDSA with it.
var digests = map[crypto.Hash]struct{ plain, ecdsa asn1.ObjectIdentifier }{
	crypto.SHA256: {asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}, asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}},
	crypto.SHA384: {asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 2}, asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 3}},
	crypto.SHA512: {asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}, asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 4}},
}

// asn1Null is the parameter of digest and RSA algorithm identifiers.
var asn1Null = asn1.RawValue{Tag: asn1.TagNull}

type messageImprint struct {
	Algorithm pkix.AlgorithmIdentifier
	Hashed    []byte
}

// tstInfo is TSTInfo of RFC 3161 §2.4.2, without accuracy and nonce.
type tstInfo struct {
	Version  int
	Policy   asn1.ObjectIdentifier
	Imprint  messageImprint
	Serial   *big.Int
	GenTime  asn1.RawValue
	Ordering bool            `asn1:"optional"`
	TSA      asn1.RawValue   `asn1:"optional"`
	Ext      []extensionText `asn1:"optional,tag:1"`
}

type extensionText struct {
	ID       asn1.ObjectIdentifier
	Critical bool `asn1:"optional"`
	Value    []byte
}

type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

type issuerAndSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

type signerInfo struct {
	Version   int
	SID       issuerAndSerial
	Digest    pkix.AlgorithmIdentifier
	Signed    asn1.RawValue `asn1:"optional"`
	Algorithm pkix.AlgorithmIdentifier
	Signature []byte
}

type encapsulated struct {
	Type    asn1.ObjectIdentifier
	Content []byte `asn1:"explicit,tag:0"`
}

type signedData struct {
	Version      int
	Digests      []pkix.AlgorithmIdentifier `asn1:"set"`
	Content      encapsulated
	Certificates asn1.RawValue `asn1:"optional"`
	Signers      []signerInfo  `asn1:"set"`
}

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content signedData `asn1:"explicit,tag:0"`
}

type statusInfo struct {
	Status int
	Text   []asn1.RawValue `asn1:"optional"`
}

type timeStampResponse struct {
	Status statusInfo
	Token  asn1.RawValue `asn1:"optional"`
}

// generalizedTime writes genTime with the fraction that at has, without trailing zeros (RFC 3161 §2.4.2).
func generalizedTime(at time.Time) asn1.RawValue {
	text := at.UTC().Format("20060102150405.000000000")
	text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	return asn1.RawValue{Tag: asn1.TagGeneralizedTime, Bytes: []byte(text + "Z")}
}

// Stamp makes the response of the authority over an artifact, at the given time, with one fault.
func (a *Authority) Stamp(artifact []byte, at time.Time, fault TokenFault) ([]byte, error) {
	content, err := asn1.Marshal(a.info(artifact, at, fault))
	if err != nil {
		return nil, err
	}
	token, err := a.sign(content, at, fault)
	if err != nil {
		return nil, err
	}
	if fault == TokenEditedTime {
		token = bytes.Replace(token, generalizedTime(at).Bytes, generalizedTime(at.Add(-10*time.Minute)).Bytes, 1)
	}
	response := timeStampResponse{Token: asn1.RawValue{FullBytes: token}}
	switch fault {
	case TokenBare:
		return token, nil
	case TokenGrantedMods:
		response.Status.Status = 1
	case TokenRejection:
		response.Status.Status = 2
	case TokenRefused:
		response = timeStampResponse{Status: statusInfo{Status: 2, Text: []asn1.RawValue{{Tag: asn1.TagUTF8String, Bytes: []byte("demande refusée")}}}}
	case TokenEmpty:
		response.Token = asn1.RawValue{}
	}
	der, err := asn1.Marshal(response)
	if err != nil {
		return nil, err
	}
	switch fault {
	case TokenTrailing:
		der = append(der, 0x05, 0x00)
	case TokenTruncated:
		der = der[:len(der)-1]
	}
	return der, nil
}

// info is the content that the authority signs.
func (a *Authority) info(artifact []byte, at time.Time, fault TokenFault) tstInfo {
	serial := a.seed.Child("serial\x00"+string(artifact), uint64(at.UnixNano()))
	info := tstInfo{
		Version: 1,
		Policy:  a.Policy,
		Imprint: imprint(artifact, fault),
		Serial:  new(big.Int).SetUint64(binary.BigEndian.Uint64(serial[:8]) >> 1),
		GenTime: generalizedTime(at),
	}
	if a.Named {
		info.Ordering = true
		directoryName := asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 4, IsCompound: true, Bytes: a.Signer.RawSubject}
		inner, err := asn1.Marshal(directoryName)
		if err == nil {
			info.TSA = asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: inner}
		}
	}
	switch fault {
	case TokenOtherPolicy:
		info.Policy = asn1.ObjectIdentifier{1, 2, 3, 4, 99}
	case TokenVersion2:
		info.Version = 2
	case TokenCritical:
		info.Ext = []extensionText{{ID: asn1.ObjectIdentifier{1, 2, 3, 4, 5}, Critical: true, Value: []byte{5, 0}}}
	}
	return info
}

// imprint is the message imprint over the artifact, or over what the fault puts in its place.
func imprint(artifact []byte, fault TokenFault) messageImprint {
	hash := crypto.SHA256
	switch fault {
	case TokenOtherImprint:
		artifact = append([]byte("autre "), artifact...)
	case TokenHexImprint:
		artifact = []byte(hex.EncodeToString(artifact))
	case TokenSHA1Imprint:
		sum := sha1.Sum(artifact) //nolint:gosec // the fault itself
		return messageImprint{pkix.AlgorithmIdentifier{Algorithm: oidSHA1, Parameters: asn1Null}, sum[:]}
	case TokenFineImprint:
		hash = crypto.SHA512
	}
	sum := digest(hash, artifact)
	if fault == TokenShortImprint {
		sum = sum[:len(sum)-1]
	}
	return messageImprint{pkix.AlgorithmIdentifier{Algorithm: digests[hash].plain, Parameters: asn1Null}, sum}
}

func digest(hash crypto.Hash, b []byte) []byte {
	h := hash.New()
	h.Write(b)
	return h.Sum(nil)
}

// sign wraps the content in SignedData, inside ContentInfo.
func (a *Authority) sign(content []byte, at time.Time, fault TokenFault) ([]byte, error) {
	signer := a.Signer
	if other, ok := a.faulty[fault]; ok {
		signer = other
	}
	info, err := a.signerInfo(signer, content, at, fault)
	if err != nil {
		return nil, err
	}
	data := signedData{
		Version: 3,
		Digests: []pkix.AlgorithmIdentifier{info.Digest},
		Content: encapsulated{oidTSTInfo, content},
		Signers: []signerInfo{info},
	}
	switch fault {
	case TokenTwoSigners:
		second, err := a.signerInfo(a.faulty[TokenOtherSigner], content, at, TokenGood)
		if err != nil {
			return nil, err
		}
		data.Signers = append(data.Signers, second)
	case TokenNoSigner:
		data.Signers = nil
	}
	if a.Embed || fault == TokenEmbedded || signer != a.Signer {
		data.Certificates = embedded(append([]*Certificate{signer}, a.Chain()[1:]...))
	}
	return asn1.Marshal(contentInfo{oidSignedData, data})
}

func embedded(chain []*Certificate) asn1.RawValue {
	var raw [][]byte
	for _, c := range chain {
		raw = append(raw, c.Raw)
	}
	slices.SortFunc(raw, bytes.Compare) // DER orders the members of a SET OF
	return asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: bytes.Join(raw, nil)}
}

// signerInfo signs the content with the given certificate's key.
func (a *Authority) signerInfo(signer *Certificate, content []byte, at time.Time, fault TokenFault) (signerInfo, error) {
	named := signer
	if fault == TokenOtherSigner {
		named = a.Signer
	}
	info := signerInfo{
		Version:   1,
		SID:       issuerAndSerial{asn1.RawValue{FullBytes: named.RawIssuer}, named.SerialNumber},
		Digest:    pkix.AlgorithmIdentifier{Algorithm: digests[a.Digest].plain, Parameters: asn1Null},
		Algorithm: pkix.AlgorithmIdentifier{Algorithm: digests[a.Digest].ecdsa},
	}
	if _, ok := signer.Key.(*rsa.PrivateKey); ok {
		info.Algorithm = pkix.AlgorithmIdentifier{Algorithm: oidRSA, Parameters: asn1Null}
	}
	message := content
	if fault != TokenNoAttributes {
		attributes, err := a.attributes(named, content, at, fault)
		if err != nil {
			return signerInfo{}, err
		}
		info.Signed = asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: attributes}
		// What is signed is the SET OF, not the implicitly tagged field (RFC 5652 §5.4).
		if message, err = asn1.Marshal(asn1.RawValue{Tag: asn1.TagSet, IsCompound: true, Bytes: attributes}); err != nil {
			return signerInfo{}, err
		}
	}
	var err error
	info.Signature, err = signer.Key.Sign(nil, digest(a.Digest, message), a.Digest)
	if err == nil && fault == TokenBroken {
		info.Signature[len(info.Signature)-1] ^= 1
	}
	return info, err
}

// attributes are the signed attributes, encoded, in the order of DER, without the SET around them.
func (a *Authority) attributes(signer *Certificate, content []byte, at time.Time, fault TokenFault) ([]byte, error) {
	contentType, sum := oidTSTInfo, digest(a.Digest, content)
	switch fault {
	case TokenOtherType:
		contentType = oidData
	case TokenOtherDigest:
		sum = digest(a.Digest, append([]byte{0}, content...))
	}
	values := []struct {
		id    asn1.ObjectIdentifier
		value any
	}{{oidContentType, contentType}, {oidMessageDigest, sum}}
	if !a.NoSignTime && fault != TokenNoSigningAt {
		values = append(values, struct {
			id    asn1.ObjectIdentifier
			value any
		}{oidSigningTime, at.UTC()})
	}
	if fault != TokenNoESS {
		id, value := a.signingCertificate(signer, fault)
		values = append(values, struct {
			id    asn1.ObjectIdentifier
			value any
		}{id, value})
	}
	var encoded [][]byte
	for _, v := range values {
		inner, err := asn1.Marshal(v.value)
		if err != nil {
			return nil, err
		}
		der, err := asn1.Marshal(attribute{v.id, []asn1.RawValue{{FullBytes: inner}}})
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, der)
	}
	slices.SortFunc(encoded, bytes.Compare)
	return bytes.Join(encoded, nil), nil
}

// signingCertificate is the ESS attribute: which certificate the signer means.
func (a *Authority) signingCertificate(signer *Certificate, fault TokenFault) (asn1.ObjectIdentifier, any) {
	type certID struct{ Hash []byte }
	type signingCertificate struct{ Certs []certID }
	raw := signer.Raw
	if fault == TokenOtherESS {
		raw = a.Root.Raw
	}
	if a.ESSv1 && fault != TokenESSv2 {
		sum := sha1.Sum(raw) //nolint:gosec // RFC 2634 §5.4 fixes SHA-1
		return oidESSv1, signingCertificate{[]certID{{sum[:]}}}
	}
	return oidESSv2, signingCertificate{[]certID{{digest(crypto.SHA256, raw)}}} // SHA-256 is the default, hence not written
}
