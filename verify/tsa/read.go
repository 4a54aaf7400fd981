package tsa

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ark-forge/proveit/verify"
)

// genTimeLayout is GeneralizedTime as RFC 3161 §2.4.2 restricts it: UTC, seconds, a fraction without trailing zeros if there is one.
const genTimeLayout = "20060102150405.999999999Z"

// document is a response that has been read and not yet judged.
type document struct {
	status       statusInfo
	content      []byte // the DER of the TSTInfo, which is what the signed message-digest covers
	info         tstInfo
	time         time.Time
	digests      []string // dotted identifiers that the SignedData declares
	signer       signerInfo
	certificates []*x509.Certificate // those inside the token
}

// read takes a response apart: status first, then the token, then the TSTInfo. On a failure the document holds what was read so far.
func read(response []byte) (document, *verify.Failure) {
	var d document
	if len(response) == 0 || len(response) > MaxResponse {
		return d, &verify.Failure{Reason: ReasonSize, Found: fmt.Sprintf("%d bytes", len(response)),
			Wanted: fmt.Sprintf("1 to %d bytes", MaxResponse)}
	}
	resp, f := decode[timeStampResp](response, "TimeStampResp")
	if f != nil {
		if isText(response) {
			f.Found = "text, where bytes are wanted"
		}
		if isToken(response) {
			f = &verify.Failure{Reason: ReasonBareToken, Found: "a TimeStampToken (CMS SignedData)",
				Wanted: "a TimeStampResp: the token with the status before it"}
		}
		return d, f
	}
	d.status = resp.Status
	if f := checkStatus(resp); f != nil {
		return d, f
	}
	if err := definite(response, 0); err != nil {
		return d, encoding(err.Error(), "TimeStampResp")
	}
	return d, d.readToken(resp.Token.FullBytes)
}

// isText reports whether b is printable ASCII and white space alone, such as base64, hexadecimal digits or JSON.
func isText(b []byte) bool {
	return len(b) > 0 && !bytes.ContainsFunc(b, func(r rune) bool { return r > '~' || r < ' ' && !strings.ContainsRune("\t\r\n", r) })
}

// isToken reports whether b is a ContentInfo that announces a SignedData: a token without the response around it.
func isToken(b []byte) bool {
	var head struct {
		Type asn1.ObjectIdentifier
		Rest asn1.RawValue
	}
	_, err := asn1.Unmarshal(b, &head)
	return err == nil && head.Type.Equal(oidSignedData)
}

// checkStatus holds for a response that was granted and carries a token (RFC 3161 §2.4.2).
func checkStatus(r timeStampResp) *verify.Failure {
	if s := r.Status.Status; s != 0 && s != 1 {
		return &verify.Failure{Reason: ReasonStatus, Found: "status " + strconv.Itoa(s), Wanted: "status 0 (granted) or 1 (grantedWithMods)"}
	}
	if len(r.Token.FullBytes) == 0 {
		return &verify.Failure{Reason: ReasonNoToken, Found: "a granted status alone", Wanted: "a token"}
	}
	return nil
}

// readToken takes the CMS structure and the TSTInfo in it apart.
func (d *document) readToken(token []byte) *verify.Failure {
	ci, f := decode[contentInfo](token, "TimeStampToken")
	if f != nil {
		return f
	}
	sd := ci.Content
	if !ci.Type.Equal(oidSignedData) {
		return contentType(ci.Type, oidSignedData)
	}
	if !sd.Encapsulated.Type.Equal(oidTSTInfo) {
		return contentType(sd.Encapsulated.Type, oidTSTInfo)
	}
	d.content = sd.Encapsulated.Content
	if d.info, f = decode[tstInfo](d.content, "TSTInfo"); f != nil {
		return f
	}
	if d.time, f = parseGenTime(d.info.GenTime); f != nil {
		return f
	}
	if f := d.readSets(sd); f != nil {
		return f
	}
	if n := len(sd.Signers); n != 1 {
		return &verify.Failure{Reason: ReasonSignerCount, Found: strconv.Itoa(n) + " SignerInfo", Wanted: "exactly one"}
	}
	d.signer = sd.Signers[0]
	return checkVersions(sd.Version, d.signer.Version, d.info.Version)
}

// readSets reads the two unsigned sets of a SignedData: certificates, all of which must be X.509, and digest algorithms.
func (d *document) readSets(sd signedData) *verify.Failure {
	for _, raw := range sd.Certificates {
		c, err := x509.ParseCertificate(raw.FullBytes)
		if err != nil {
			return encoding(err.Error(), "certificate")
		}
		d.certificates = append(d.certificates, c)
	}
	for _, a := range sd.Digests {
		if !bare(a) {
			return digestAlgorithm(a)
		}
		d.digests = append(d.digests, a.Algorithm.String())
	}
	return nil
}

// checkVersions compares with RFC 5652 §5.1 and §5.3 (a content that is not id-data, a signer named by issuer and serial) and RFC 3161.
func checkVersions(signed, signer, info int) *verify.Failure {
	for _, v := range []struct {
		name        string
		found, want int
	}{{"SignedData", signed, 3}, {"SignerInfo", signer, 1}, {"TSTInfo", info, 1}} {
		if v.found != v.want {
			return &verify.Failure{Reason: ReasonVersion, Found: fmt.Sprintf("%s version %d", v.name, v.found),
				Wanted: fmt.Sprintf("version %d", v.want)}
		}
	}
	return nil
}

func contentType(found, want asn1.ObjectIdentifier) *verify.Failure {
	return &verify.Failure{Reason: ReasonContentType, Found: found.String(), Wanted: want.String()}
}

// parseGenTime reads a GeneralizedTime in UTC and keeps its fraction, down to nanoseconds. It is written again and compared, because
// time.Parse takes a comma and more digits than it keeps.
func parseGenTime(v asn1.RawValue) (time.Time, *verify.Failure) {
	s := string(v.Bytes)
	t, err := time.Parse(genTimeLayout, s)
	// The zero Time would mean "now" to crypto/x509, and the clock is never asked.
	if v.Class != asn1.ClassUniversal || v.Tag != asn1.TagGeneralizedTime || err != nil || t.Format(genTimeLayout) != s || t.IsZero() {
		return time.Time{}, encoding(fmt.Sprintf("%.40q", s), "GeneralizedTime in UTC with at most nine decimals")
	}
	return t, nil
}
