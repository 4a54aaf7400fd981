package form

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Hexadecimal of an identity may be in either case, and means the same (R057).
var (
	anyHash  = regexp.MustCompile(`^sha256:[0-9A-Fa-f]{64}$`)
	erc8004  = regexp.MustCompile(`^0x[0-9A-Fa-f]{40}$`)
	didForm  = regexp.MustCompile(`^did:[a-z0-9]+:[A-Za-z0-9._:%-]+(#[A-Za-z0-9._:%-]*)?$`)
	uriForm  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$`)
	publicKF = regexp.MustCompile(`^ed25519:[A-Za-z0-9_-]{43}$`)
)

// wellFormed reports whether a value has the form of its scheme, and whether the scheme is known.
func wellFormed(i document.Identity) (ok, known bool) {
	switch i.Scheme {
	case "coc":
		return anyHash.MatchString(i.Value), true
	case "erc8004":
		return erc8004.MatchString(i.Value), true
	case "did":
		return didForm.MatchString(i.Value), true
	case "w3c_vc":
		return uriForm.MatchString(i.Value), true
	case "a2a":
		u, err := url.Parse(i.Value)
		return err == nil && u.Scheme == "https" && u.Host != "", true
	case "api_key":
		return i.Value != "", true
	case "public_key":
		_, err := canon.DecodeBase64URL(strings.TrimPrefix(i.Value, "ed25519:"))
		return publicKF.MatchString(i.Value) && err == nil, true
	}
	return true, false
}

// checkIdentity records R006 and, for a value that was never filled in, R020.
func checkIdentity(d *document.Document, v canon.Value, l *finding.Log) {
	if v.Kind() != canon.Object {
		return
	}
	i := document.ReadIdentity(v)
	at := d.Place(v) + "/value"
	ok, known := wellFormed(i)
	switch {
	case placeholder(i.Value):
		l.Gap(finding.Error, "R020", "placeholder", at, document.Clip(i.Value), "a "+document.Clip(i.Scheme)+" identity")
	case !known:
		l.Gap(finding.Warn, "R006", "unknown-scheme", d.Place(v)+"/scheme", document.Clip(i.Scheme), "coc | erc8004 | did | w3c_vc | a2a | api_key | public_key")
	case !ok:
		l.Gap(finding.Error, "R006", "malformed-identity", at, document.Clip(i.Value), "a "+i.Scheme+" identity")
	case i.Scheme == "api_key" && !anyHash.MatchString(i.Value):
		l.Gap(finding.Warn, "R006", "secret-in-document", at, "an API key in clear", "sha256: and 64 hex digits")
	default:
		l.OK("R006")
	}
}

// placeholder reports whether a value is an ellipsis that somebody meant to fill in.
func placeholder(s string) bool { return strings.Contains(s, "...") || strings.Contains(s, "…") }

// checkFormat records R020: a hash, address or signature must have its own form.
func checkFormat(d *document.Document, v canon.Value, form *regexp.Regexp, want string, l *finding.Log) bool {
	if !v.Exists() {
		return true
	}
	s := document.Text(v)
	return l.Check(form.MatchString(s) && !placeholder(s), finding.Error, "R020", "placeholder", d.Place(v), document.Shown(v), want)
}
