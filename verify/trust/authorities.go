package trust

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/tsa"
)

// certificate is one certificate with where it stands.
type certificate struct {
	*x509.Certificate
	provider string
	root     bool
	source   string
	valid    Window // when it counts; without bounds for always
}

// authorityFiles reads tsa/<provider>/ and adds the authorities of the trusted root.
func (l *loader) authorityFiles(names []string, tr trustedRoot) error {
	var certs []certificate
	policies := map[string][]string{}
	for _, name := range names {
		provider := path.Base(path.Dir(name))
		b, err := l.read(name)
		if err != nil {
			return err
		}
		if path.Base(name) == "policy.txt" {
			if policies[provider], err = parsePolicies(name, b); err != nil {
				return err
			}
			continue
		}
		found, err := Certificates(name, b)
		if err != nil {
			return err
		}
		for _, c := range found {
			certs = append(certs, certificate{c, provider, strings.HasPrefix(path.Base(name), "root"), name, Window{}})
		}
	}
	certs = append(certs, tr.certificates...)
	l.addAuthorities(certs, policies)
	for _, provider := range sortedKeys(policies) {
		if _, p := l.store.Authority(provider); p != Present {
			return &FormatError{File: "tsa/" + provider + "/policy.txt", Found: "no certificate beside it", Want: "tsa/" + provider + "/root*.pem"}
		}
	}
	for _, a := range l.store.authorities {
		if len(a.Roots) == 0 {
			return &FormatError{File: "tsa/" + a.Provider, Found: fmt.Sprintf("%d certificates and no root", len(a.Certificates)),
				Want: "tsa/" + a.Provider + "/root*.pem"}
		}
	}
	return nil
}

// addAuthorities groups certificates by provider, each certificate once.
func (l *loader) addAuthorities(certs []certificate, policies map[string][]string) {
	byProvider := map[string]*tsa.Authority{}
	windows := map[string][]certWindow{}
	var keys [2][]Key // roots first
	for _, c := range certs {
		a := byProvider[c.provider]
		if a == nil {
			a = &tsa.Authority{Provider: c.provider, Policies: policies[c.provider]}
			byProvider[c.provider] = a
		}
		windows[c.provider] = append(windows[c.provider], certWindow{canon.Sum(c.Raw), c.valid})
		kind, list, group := KindCertificate, &a.Certificates, 1
		if c.root {
			kind, list, group = KindRoot, &a.Roots, 0
		}
		if slices.ContainsFunc(*list, func(o *x509.Certificate) bool { return bytes.Equal(o.Raw, c.Raw) }) {
			continue
		}
		*list = append(*list, c.Certificate)
		d := canon.Sum(c.Raw)
		keys[group] = append(keys[group], Key{Kind: kind, Name: c.provider + ": " + c.Subject.String(), Source: c.source,
			Window: Window{c.NotBefore, c.NotAfter}, SHA256: d, Pinned: pinned(kind, d)})
	}
	for _, provider := range sortedKeys(byProvider) {
		a := byProvider[provider]
		a.Counts = counts(windows[provider])
		l.store.authorities = append(l.store.authorities, *a)
	}
	l.store.keys = append(append(l.store.keys, keys[0]...), keys[1]...)
}

// certWindow is one time in which a certificate counts.
type certWindow struct {
	cert   canon.Digest // SHA-256
	window Window
}

// counts is nil where no window has a bound: then every certificate counts at any time. One that is listed counts in each of its windows,
// bounds included; one that is not, at any time, because it needs a listed root above it.
func counts(windows []certWindow) func(*x509.Certificate, time.Time) bool {
	if !slices.ContainsFunc(windows, func(w certWindow) bool { return w.window.Bounded() }) {
		return nil
	}
	return func(c *x509.Certificate, at time.Time) bool {
		id, listed := canon.Sum(c.Raw), false
		for _, w := range windows {
			if w.cert != id {
				continue
			}
			if w.window.Within(at) {
				return true
			}
			listed = true
		}
		return !listed
	}
}

// Certificates reads every certificate of a PEM file, at least one. The error is a *FormatError that names file.
func Certificates(file string, b []byte) ([]*x509.Certificate, error) {
	blocks, err := pemBlocks(file, b, "CERTIFICATE")
	if err != nil {
		return nil, err
	}
	certs := make([]*x509.Certificate, len(blocks))
	for i, der := range blocks {
		if certs[i], err = x509.ParseCertificate(der); err != nil {
			return nil, &FormatError{File: file, Found: fmt.Sprintf("block %d: %v", i+1, err), Want: "an X.509 certificate"}
		}
	}
	return certs, nil
}

// parsePolicies reads dotted object identifiers, one a line. Empty lines and those that begin with # are left out. A file that names none
// would accept any policy, which is what having no file means, so it is refused.
func parsePolicies(file string, b []byte) ([]string, error) {
	var policies []string
	for i, line := range strings.Split(string(b), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !isOID(line) {
			return nil, &FormatError{File: file, Found: fmt.Sprintf("line %d: %.100q", i+1, line), Want: "a dotted object identifier"}
		}
		policies = append(policies, line)
	}
	if len(policies) == 0 {
		return nil, &FormatError{File: file, Found: "no policy", Want: "at least one object identifier, or no file"}
	}
	return policies, nil
}

// isOID reads a dotted identifier, encodes it, and compares the text of what comes back.
func isOID(s string) bool {
	var id asn1.ObjectIdentifier
	for _, part := range strings.Split(s, ".") {
		n := 0
		if len(part) == 0 || len(part) > 9 {
			return false
		}
		for _, c := range []byte(part) {
			if c < '0' || c > '9' {
				return false
			}
			n = 10*n + int(c-'0')
		}
		id = append(id, n)
	}
	der, err := asn1.Marshal(id)
	if err != nil {
		return false
	}
	var again asn1.ObjectIdentifier
	_, err = asn1.Unmarshal(der, &again)
	return err == nil && again.String() == s
}
