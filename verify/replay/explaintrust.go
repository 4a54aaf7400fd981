package replay

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/trust"
)

// trustedRootFile is Sigstore's TrustedRoot inside a trust folder.
const trustedRootFile = "trusted_root.json"

// didKey shows the issuer's key of a DID document (RFC 8037 JWK), written as a proof writes it.
func didKey(file source, text string) (ShownValue, bool) {
	digits, _ := strings.CutPrefix(text, "ed25519:")
	for i, m := range file.root.Get("verificationMethod").Elements() {
		if x, _ := m.Get("publicKeyJwk").Get("x").Text(); x == digits && x != "" {
			key := file.text("published", "verificationMethod", strconv.Itoa(i), "publicKeyJwk", "x")
			key.Value, key.Command = text, key.Command+" | sed 's/^/ed25519:/'"
			return key, true
		}
	}
	return ShownValue{}, false
}

// logKeyCommand prints the key of a log as PEM: the file itself, or the key in a trusted root. It is empty where no file says the key.
func (x *explainer) logKeyCommand(k trust.LogKey) string {
	if path.Ext(k.Source) == ".pem" {
		return "t " + quoted(k.Source)
	}
	file := x.trusted(k.Source)
	for i, log := range file.root.Get("tlogs").Elements() {
		raw, _ := inside(log, "publicKey", "rawBytes").Text()
		if der, err := base64.StdEncoding.DecodeString(raw); err == nil && canon.Sum(der) == k.ID {
			return file.text("", "tlogs", strconv.Itoa(i), "publicKey", "rawBytes").Command + " | base64 -d | openssl pkey -pubin -inform DER"
		}
	}
	return ""
}

// certificates are commands that print the certificates of a provider as PEM: roots, then the others.
func (e *proofExplainer) certificates(provider string) (roots, others []string) {
	dir := "tsa/" + provider
	for _, name := range e.x.certificateFiles(dir) {
		switch base := path.Base(name); {
		case path.Dir(name) != dir || path.Ext(name) != ".pem":
		case strings.HasPrefix(base, "root"):
			roots = append(roots, "t "+quoted(name))
		default:
			others = append(others, "t "+quoted(name))
		}
	}
	file := e.x.trusted(trustedRootFile)
	for i, a := range file.root.Get("timestampAuthorities").Elements() {
		uri, _ := a.Get("uri").Text()
		u, err := url.Parse(uri)
		if err != nil || u.Hostname() != provider && !strings.HasSuffix(u.Hostname(), "."+provider) {
			continue
		}
		chain := inside(a, "certChain", "certificates").Len()
		for n := range chain {
			one := file.text("", "timestampAuthorities", strconv.Itoa(i), "certChain", "certificates", strconv.Itoa(n), "rawBytes").Command + " | base64 -d | openssl x509 -inform DER"
			if n == chain-1 { // a chain goes from the signing certificate to the root
				roots = append(roots, one)
			} else {
				others = append(others, one)
			}
		}
	}
	return roots, others
}

// certificateFiles are the PEM files of the trust folder, where it is at hand.
func (x *explainer) certificateFiles(dir string) []string {
	var names []string
	switch {
	case x.q.Trust != nil:
		names, _ = fs.Glob(x.q.Trust, "tsa/*/*.pem")
	case x.run.o.Trust == nil:
		for _, name := range x.run.bundle.Under(trustDir + dir + "/") {
			names = append(names, strings.TrimPrefix(name, trustDir))
		}
	}
	return names
}

// catAll runs commands one after the other.
func catAll(commands []string) string {
	out := "{ "
	for _, c := range commands {
		out += c + "; "
	}
	return out + "}"
}

// logKey is the log that the entry names, as the trust folder has it, and the command that prints its key.
func (e *proofExplainer) logKey(s source) (trust.LogKey, string, error) {
	id, _ := s.root.Get("logID").Text()
	keys := e.x.run.store.LogKeys()
	i := slices.IndexFunc(keys, func(k trust.LogKey) bool { return k.ID.String() == id })
	if i < 0 {
		return trust.LogKey{}, "", fmt.Errorf("found no key of log %.100s", id)
	}
	return keys[i], e.x.logKeyCommand(keys[i]), nil
}
