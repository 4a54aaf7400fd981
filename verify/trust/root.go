package trust

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"fmt"
	"net/url"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// trustedRoot is what Sigstore's trusted_root.json gives: logs with the windows of their keys, and certificates of authorities.
type trustedRoot struct {
	logs         []LogKey
	certificates []certificate
}

// trustedRoot reads tlogs and timestampAuthorities. certificateAuthorities and ctlogs are for another purpose and not read. A log whose
// key is of a kind that Rekor v1 does not use is left out, and so is an authority without a URI: no proof can name it.
func (l *loader) trustedRoot(file string) (trustedRoot, error) {
	var tr trustedRoot
	if file == "" {
		return tr, nil
	}
	b, err := l.read(file)
	if err != nil {
		return tr, err
	}
	doc, err := canon.ParseStrict(file, b)
	if err != nil {
		return tr, err
	}
	tlogs, err := array(file, doc, "tlogs")
	if err != nil {
		return tr, err
	}
	for _, v := range tlogs.Elements() {
		k, use, err := tlog(file, v)
		if err != nil {
			return tr, err
		}
		if use {
			tr.logs = append(tr.logs, k)
		}
	}
	authorities, err := array(file, doc, "timestampAuthorities")
	if err != nil {
		return tr, err
	}
	for _, v := range authorities.Elements() {
		if !v.Get("uri").Exists() {
			continue
		}
		certs, err := timestampAuthority(file, v)
		if err != nil {
			return tr, err
		}
		tr.certificates = append(tr.certificates, certs...)
	}
	return tr, nil
}

// tlog reads one TransparencyLogInstance. The log's name is the host of its base URL, and its id must be the SHA-256 of its key. A log
// whose id is that of a signed note is one of Rekor v2, whose entries have another form: it is left out.
func tlog(file string, v canon.Value) (LogKey, bool, error) {
	host, err := hostOf(file, v, "baseUrl")
	if err != nil {
		return LogKey{}, false, err
	}
	key := v.Get("publicKey")
	spki, err := raw(file, key)
	if err != nil {
		return LogKey{}, false, err
	}
	public, err := parseSPKI(spki)
	if err != nil || (!isP256(public) && !isEd25519(public)) {
		return LogKey{}, false, nil
	}
	k, err := logKey(file, host, public, spki)
	if err != nil {
		return LogKey{}, false, at(err, v.Pointer())
	}
	if id := v.Get("logId").Get("keyId"); id.Exists() {
		s, _ := id.Text()
		d, err := canon.DecodeBase64(s)
		if err == nil && bytes.Equal(d, noteID(host, public)) {
			return LogKey{}, false, nil
		}
		if err != nil || !bytes.Equal(d, k.ID[:]) {
			return LogKey{}, false, malformed(file, v.Get("logId"), "keyId", canon.EncodeBase64(k.ID[:])+", SHA-256 of the key")
		}
	}
	if k.Window, err = window(file, key.Get("validFor"), "start", "end"); err != nil {
		return LogKey{}, false, err
	}
	return k, true, nil
}

// noteID is the whole hash of which an Ed25519 key's id in a signed note is the head (C2SP signed-note); nil for another key.
func noteID(name string, key crypto.PublicKey) []byte {
	k, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil
	}
	id := canon.Sum(append([]byte(name+"\n\x01"), k...))
	return id[:]
}

// timestampAuthority reads one CertificateAuthority. Its chain goes from the signing certificate to the root. The provider is the one of
// KnownProviders that the host of the URI is or lies under, else that host. validFor is when the chain counts.
func timestampAuthority(file string, v canon.Value) ([]certificate, error) {
	provider, err := hostOf(file, v, "uri")
	if err != nil {
		return nil, err
	}
	for _, known := range KnownProviders {
		if strings.HasSuffix(provider, "."+known) {
			provider = known
		}
	}
	chain, err := array(file, v.Get("certChain"), "certificates")
	if err != nil {
		return nil, err
	}
	if chain.Len() == 0 {
		return nil, malformed(file, v, "certChain", "at least one certificate")
	}
	valid, err := window(file, v.Get("validFor"), "start", "end")
	if err != nil {
		return nil, err
	}
	var certs []certificate
	for i, el := range chain.Elements() {
		der, err := raw(file, el)
		if err != nil {
			return nil, err
		}
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, &FormatError{File: file, Pointer: el.Pointer() + "/rawBytes", Found: err.Error(), Want: "an X.509 certificate"}
		}
		certs = append(certs, certificate{c, provider, i == chain.Len()-1, file, valid})
	}
	return certs, nil
}

// raw reads the member rawBytes: DER in padded base64.
func raw(file string, v canon.Value) ([]byte, error) {
	s, _ := v.Get("rawBytes").Text()
	der, err := canon.DecodeBase64(s)
	if err != nil || len(der) == 0 {
		return nil, &FormatError{File: file, Pointer: v.Pointer() + "/rawBytes", Found: fmt.Sprintf("%.100q", s), Want: "DER in padded base64"}
	}
	return der, nil
}

// hostOf is the host of a URL, whose scheme may be left out.
func hostOf(file string, v canon.Value, name string) (string, error) {
	s, err := text(file, v, name)
	if err != nil {
		return "", err
	}
	whole := s
	if !strings.Contains(s, "://") {
		whole = "//" + s
	}
	u, err := url.Parse(whole)
	if err != nil || u.Hostname() == "" {
		return "", malformed(file, v, name, "a URL with a host")
	}
	return strings.Clone(u.Hostname()), nil
}
