package trust

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

const (
	edPrefix = "ed25519:"
	typeEd   = "Ed25519"
	typeP256 = "ECDSA-P256-SHA256"
)

// issuerFiles reads issuer/*.json. The key history comes first, whatever the names, because it has the windows.
func (l *loader) issuerFiles(names []string) error {
	var plain []func() error
	for _, name := range names {
		b, err := l.read(name)
		if err != nil {
			return err
		}
		doc, err := canon.ParseStrict(name, b)
		if err != nil {
			return err
		}
		history := doc.Get("keys").Exists() || doc.Get("rekor_keys").Exists()
		if history {
			if err := l.history(name, doc); err != nil {
				return err
			}
		}
		switch {
		case doc.Get("pubkey").Exists():
			plain = append(plain, func() error { return l.pubkey(name, doc) })
		case doc.Get("verificationMethod").Exists():
			plain = append(plain, func() error { return l.didDocument(name, doc) })
		case !history:
			return malformed(name, doc, "", "an object with keys, rekor_keys, pubkey or verificationMethod")
		}
	}
	for _, read := range plain {
		if err := read(); err != nil {
			return err
		}
	}
	for _, k := range l.store.issuer {
		d := canon.Sum(k.Public)
		l.store.keys = append(l.store.keys, Key{KindIssuer, k.KID, k.Source, k.Window, d, pinned(KindIssuer, d)})
	}
	for _, k := range l.store.submitters {
		d := canon.Sum(k.SPKI)
		l.store.keys = append(l.store.keys, Key{KindSubmitter, k.KID, k.Source, k.Window, d, pinned(KindSubmitter, d)})
	}
	return nil
}

// history reads {"keys": […], "rekor_keys": […]}.
func (l *loader) history(file string, doc canon.Value) error {
	keys, err := array(file, doc, "keys")
	if err != nil {
		return err
	}
	for _, v := range keys.Elements() {
		if err := l.issuerKey(file, v); err != nil {
			return err
		}
	}
	keys, err = array(file, doc, "rekor_keys")
	if err != nil {
		return err
	}
	for _, v := range keys.Elements() {
		if err := l.rekorKey(file, v); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) issuerKey(file string, v canon.Value) error {
	kid, w, err := listed(file, v, typeEd)
	if err != nil {
		return err
	}
	key, written, err := edKey(file, v, "public")
	if err != nil {
		return err
	}
	return l.addIssuer(IssuerKey{KID: kid, Public: key, Text: written, Window: w, Source: file}, v)
}

func (l *loader) rekorKey(file string, v canon.Value) error {
	kid, w, err := listed(file, v, typeP256)
	if err != nil {
		return err
	}
	block, err := text(file, v, "public_pem")
	if err != nil {
		return err
	}
	place := v.Pointer() + "/public_pem"
	key, spki, err := publicKey(file, place, []byte(block))
	if err != nil {
		return err
	}
	if !isP256(key) {
		return &FormatError{File: file, Pointer: place, Found: fmt.Sprintf("a key of type %T", key), Want: "an ECDSA P-256 key"}
	}
	return l.addSubmitter(RekorKey{KID: kid, SPKI: spki, Window: w, Source: file}, v)
}

// listed reads what both kinds of the history share: key id, type and window.
func listed(file string, v canon.Value, keyType string) (kid string, w Window, err error) {
	if kid, err = text(file, v, "kid"); err != nil {
		return "", Window{}, err
	}
	if t := v.Get("type"); t.Exists() {
		if s, _ := t.Text(); s != keyType {
			return "", Window{}, malformed(file, v, "type", keyType)
		}
	}
	w, err = window(file, v, "valid_from", "retired_at")
	return kid, w, err
}

// edKey reads an Ed25519 key in the form "ed25519:" + base64url without padding.
func edKey(file string, parent canon.Value, name string) (ed25519.PublicKey, string, error) {
	s, _ := parent.Get(name).Text()
	digits, ok := strings.CutPrefix(s, edPrefix)
	key, err := canon.DecodeBase64URL(digits)
	if !ok || err != nil || len(key) != ed25519.PublicKeySize {
		return nil, "", malformed(file, parent, name, `"ed25519:" and 32 bytes in base64url without padding`)
	}
	return ed25519.PublicKey(key), strings.Clone(s), nil
}

// pubkey reads {"pubkey": "ed25519:…"}.
func (l *loader) pubkey(file string, doc canon.Value) error {
	key, written, err := edKey(file, doc, "pubkey")
	if err != nil {
		return err
	}
	return l.addPlain(IssuerKey{Public: key, Text: written, Source: file}, doc)
}

// didDocument reads the Ed25519 JWK verification methods of a DID document (RFC 8037 §2). The key id is the fragment of the method's id.
func (l *loader) didDocument(file string, doc canon.Value) error {
	methods, err := array(file, doc, "verificationMethod")
	if err != nil {
		return err
	}
	found := false
	for _, m := range methods.Elements() {
		jwk := m.Get("publicKeyJwk")
		kty, _ := jwk.Get("kty").Text()
		crv, _ := jwk.Get("crv").Text()
		if kty != "OKP" || crv != typeEd {
			continue
		}
		x, _ := jwk.Get("x").Text()
		key, err := canon.DecodeBase64URL(x)
		if err != nil || len(key) != ed25519.PublicKeySize {
			return malformed(file, jwk, "x", "32 bytes in base64url without padding")
		}
		id, err := text(file, m, "id")
		if err != nil {
			return err
		}
		_, kid, _ := strings.Cut(id, "#")
		found = true
		k := IssuerKey{KID: strings.Clone(kid), Public: key, Text: edPrefix + canon.EncodeBase64URL(key), Source: file}
		if err := l.addPlain(k, m); err != nil {
			return err
		}
	}
	if !found {
		return malformed(file, doc, "verificationMethod", "at least one with a publicKeyJwk of kty OKP and crv Ed25519")
	}
	return nil
}

// addIssuer adds a key of the history. One that is there already must be the same in everything.
func (l *loader) addIssuer(k IssuerKey, v canon.Value) error {
	for _, o := range l.store.issuer {
		sameKey, sameID := bytes.Equal(o.Public, k.Public), o.KID == k.KID
		if !sameKey && !sameID {
			continue
		}
		if sameKey && sameID && o.equal(k.Window) {
			return nil
		}
		return twice(k.Source, v, k.KID, k.Window, o.Source, o.KID, o.Window)
	}
	k.KID = strings.Clone(k.KID)
	l.store.issuer = append(l.store.issuer, k)
	return nil
}

// addPlain adds a key of a form without windows. One that the history lists keeps its window, but a key id may not name two keys.
func (l *loader) addPlain(k IssuerKey, v canon.Value) error {
	for _, o := range l.store.issuer {
		if bytes.Equal(o.Public, k.Public) {
			return nil
		}
		if o.KID == k.KID && k.KID != "" {
			return twice(k.Source, v, k.KID, k.Window, o.Source, o.KID, o.Window)
		}
	}
	l.store.issuer = append(l.store.issuer, k)
	return nil
}

func (l *loader) addSubmitter(k RekorKey, v canon.Value) error {
	for _, o := range l.store.submitters {
		sameKey, sameID := bytes.Equal(o.SPKI, k.SPKI), o.KID == k.KID
		if !sameKey && !sameID {
			continue
		}
		if sameKey && sameID && o.equal(k.Window) {
			return nil
		}
		return twice(k.Source, v, k.KID, k.Window, o.Source, o.KID, o.Window)
	}
	k.KID = strings.Clone(k.KID)
	l.store.submitters = append(l.store.submitters, k)
	return nil
}

// twice is the error for a key or key id that is listed two times in different ways: nothing says which listing counts.
func twice(file string, v canon.Value, kid string, w Window, otherFile, otherKID string, other Window) error {
	return &FormatError{File: file, Pointer: v.Pointer(),
		Found: fmt.Sprintf("key %.100q (%s), which %s lists as %.100q (%s)", kid, w, otherFile, otherKID, other),
		Want:  "each key and each key id once"}
}
