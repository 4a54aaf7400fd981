package tsa

import (
	"crypto/x509"
	"fmt"
	"strings"
	"time"

	"github.com/ark-forge/proveit/verify"
)

// checkCertificate judges the signer's certificate: its purpose (RFC 3161 §2.3), its window and its chain, both at the token's time.
func checkCertificate(c *x509.Certificate, d document, a Authority) *verify.Failure {
	if f := checkUsage(c); f != nil {
		return f
	}
	if c.IsCA {
		return &verify.Failure{Reason: ReasonCertificateCA, Found: c.Subject.String(), Wanted: "a certificate that is no authority's"}
	}
	if d.time.Before(c.NotBefore) || d.time.After(c.NotAfter) {
		return &verify.Failure{Reason: ReasonCertificateWindow, Found: stamp(d.time),
			Wanted: "a time from " + stamp(c.NotBefore) + " to " + stamp(c.NotAfter)}
	}
	return checkChain(c, d, a)
}

// checkUsage wants exactly one extended key usage, timeStamping, marked critical. A key usage, if there is one, must allow signatures.
func checkUsage(c *x509.Certificate) *verify.Failure {
	var found []string
	critical := false
	for _, e := range c.Extensions {
		critical = critical || e.Id.Equal(oidExtKeyUsage) && e.Critical
	}
	if !critical {
		found = append(found, "no critical extended key usage")
	}
	if len(c.ExtKeyUsage) != 1 || len(c.UnknownExtKeyUsage) != 0 || c.ExtKeyUsage[0] != x509.ExtKeyUsageTimeStamping {
		found = append(found, fmt.Sprintf("%d purposes, timeStamping not alone", len(c.ExtKeyUsage)+len(c.UnknownExtKeyUsage)))
	}
	if c.KeyUsage != 0 && c.KeyUsage&(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) == 0 {
		found = append(found, "a key usage without signatures")
	}
	if len(found) == 0 {
		return nil
	}
	return &verify.Failure{Reason: ReasonCertificateUsage, Found: strings.Join(found, ", ") + " in " + c.Subject.String(),
		Wanted: "the one critical purpose timeStamping"}
}

// checkChain wants a path to a configured root, all of it valid at the token's time. Intermediates may come from the token: being there
// gives them no trust.
func checkChain(c *x509.Certificate, d document, a Authority) *verify.Failure {
	if !a.counts(c, d.time) {
		return &verify.Failure{Reason: ReasonChain, Found: stamp(d.time), Wanted: "a time when the trust material lets " + c.Subject.String() + " count"}
	}
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	for _, r := range a.Roots {
		if a.counts(r, d.time) {
			roots.AddCert(r)
		}
	}
	for _, set := range [][]*x509.Certificate{a.Certificates, d.certificates} {
		for _, i := range set {
			if a.counts(i, d.time) {
				between.AddCert(i)
			}
		}
	}
	_, err := c.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, CurrentTime: d.time,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
	if err != nil {
		return &verify.Failure{Reason: ReasonChain, Found: err.Error(),
			Wanted: fmt.Sprintf("a path from %s to one of %d roots at %s", c.Subject.String(), len(a.Roots), stamp(d.time))}
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
