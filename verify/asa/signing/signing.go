// Package signing verifies the signatures of an agreement: who signs, what exactly is signed, with which key, and that nothing changed since
// (R024 to R028).
package signing

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"math/big"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
)

// fieldPrime and the small-order points: an Ed25519 public key whose y coordinate is one of five values lies in a subgroup in which
// signatures prove nothing.
var (
	fieldPrime, _ = new(big.Int).SetString("57896044618658097711785492504343953926634992332820282019728792003956564819949", 10)
	orderEight, _ = new(big.Int).SetString("2707385501144840649318225287225658788936804267575313519463743609750303402022", 10) // y of a point of order 8
)

// smallOrder reports whether a public key is a point of order 1, 2, 4 or 8, in any encoding.
func smallOrder(key ed25519.PublicKey) bool {
	reversed := make([]byte, len(key))
	for i, b := range key {
		reversed[len(key)-1-i] = b
	}
	reversed[0] &= 0x7f
	y := new(big.Int).SetBytes(reversed)
	y.Mod(y, fieldPrime)
	minus := func(n *big.Int) *big.Int { return new(big.Int).Sub(fieldPrime, n) }
	for _, bad := range []*big.Int{new(big.Int), big.NewInt(1), minus(big.NewInt(1)), orderEight, minus(orderEight)} {
		if y.Cmp(bad) == 0 {
			return true
		}
	}
	return false
}

// keyOf finds the Ed25519 key of an identity (R026): in the identity itself, in a did:key, or in keys.json; nil where there is none.
func (a signatures) keyOf(i document.Identity) ed25519.PublicKey {
	switch {
	case i.Scheme == "public_key":
		return rawKey(strings.TrimPrefix(i.Value, "ed25519:"))
	case i.Scheme == "did" && strings.HasPrefix(i.Value, "did:key:z"):
		value, _, _ := strings.Cut(strings.TrimPrefix(i.Value, "did:key:z"), "#")
		b, ok := base58(value)
		if ok && len(b) == 34 && b[0] == 0xed && b[1] == 0x01 {
			return b[2:]
		}
	}
	if a.Keys == nil {
		return nil
	}
	for n, k := range a.Keys.Get("keys").Elements() {
		if n < document.MaxItems && document.ReadIdentity(k.Get("identity")).Normal() == i.Normal() {
			return rawKey(document.Text(k.Get("ed25519")))
		}
	}
	return nil
}

func rawKey(s string) ed25519.PublicKey {
	b, err := canon.DecodeBase64URL(s)
	if err != nil || len(b) != ed25519.PublicKeySize {
		return nil
	}
	return b
}

// base58 decodes Bitcoin's alphabet, at most 64 characters.
func base58(s string) ([]byte, bool) {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	if s == "" || len(s) > 64 {
		return nil, false
	}
	n := new(big.Int)
	for _, c := range []byte(s) {
		at := strings.IndexByte(alphabet, c)
		if at < 0 {
			return nil, false
		}
		n.Add(n.Mul(n, big.NewInt(58)), big.NewInt(int64(at)))
	}
	zeros := len(s) - len(strings.TrimLeft(s, "1"))
	return append(make([]byte, zeros), n.Bytes()...), true
}

// signature decodes a signature value: 86 characters of base64url or 128 hex digits.
func signature(s string) ([]byte, bool) {
	if len(s) == 128 {
		b, err := hex.DecodeString(s)
		return b, err == nil
	}
	b, err := canon.DecodeBase64URL(s)
	return b, err == nil && len(b) == ed25519.SignatureSize
}

// signatures is one agreement and the keys that may be its parties'.
type signatures struct {
	*folder.Documents
	Log *finding.Log
}

// Check records R024 to R028.
func Check(d *folder.Documents, l *finding.Log) { signatures{d, l}.check() }

func (a signatures) check() {
	g := a.Agreement
	any := false
	for _, party := range []string{"client", "provider"} {
		v := g.Get("signatures", party)
		at := g.At("signatures", party)
		switch {
		case v.Exists():
			any = true
			a.checkSignature(party, v)
		case a.wasActive() == document.True:
			a.Log.Gap(finding.Error, "R024", "signature-missing", at, "", "an ed25519 signature in status "+g.Status)
		case a.wasActive() == document.Unknown:
			a.Log.Missing("R024", "input-missing", at, "events that say whether the agreement was active before it expired")
		}
	}
	if g.Status == "proposed" {
		a.Log.Check(!any, finding.Warn, "R024", "signed-proposal", g.At("signatures"), "", "no signature in status proposed")
	}
	if _, err := g.Payload(); err != nil {
		var n *exact.NumberError
		if errors.As(err, &n) {
			a.Log.Gap(finding.Error, "R025", "number-not-canonical", g.Name+"#"+n.Pointer, document.Clip(n.Literal), n.Written)
		}
	}
	a.checkUnchanged()
}

// wasActive reports whether both parties must have signed: the agreement is active, or has been. Of an expired one only the events tell.
func (a signatures) wasActive() document.Verdict {
	switch _, activated := a.Event("activated"); {
	case document.SignedStates[a.Agreement.Status] || activated:
		return document.True
	case a.Agreement.Status == "expired" && a.Events == nil:
		return document.Unknown
	}
	return document.False
}

func (a signatures) checkSignature(party string, v canon.Value) {
	g := a.Agreement
	at := g.Place(v)
	if document.Text(v.Get("scheme")) != "ed25519" {
		a.Log.Gap(finding.Error, "R024", "scheme", at+"/scheme", document.Shown(v.Get("scheme")), "ed25519")
		return
	}
	a.Log.OK("R024")
	key := a.keyOf(g.Party(party))
	if key == nil {
		a.Log.Missing("R026", "no-key", g.At("parties", party, "identity"), "an ed25519 key of this identity")
		return
	}
	a.Log.OK("R026")
	if !a.Log.Check(!smallOrder(key), finding.Error, "R028", "small-order", g.At("parties", party, "identity"), "a point of small order", "a key of full order") {
		return
	}
	payload, _ := g.Payload()
	sig, ok := signature(document.Text(v.Get("value")))
	if ok && ed25519.Verify(key, document.Message(party, canon.Sum(payload)), sig) {
		a.Log.OK("R025")
		return
	}
	var would []string
	if ok {
		would = a.diagnose(party, sig)
	}
	a.Log.Add(finding.Finding{ // a text that is no signature verifies nothing
		ID: finding.ID("R025", "signature"), Severity: finding.Error, Outcome: finding.Gap, At: at + "/value", Declared: document.Clip(document.Text(v.Get("value"))),
		Recomputed: canon.Sum(payload).Prefixed(), Derivation: would,
	})
}

// diagnose says what a signature that does not verify would verify: another payload, another canonical form, another party's key.
func (a signatures) diagnose(party string, sig []byte) []string {
	g := a.Agreement
	bases := g.Dropped()
	other := []string{"/signatures", "/status"}
	if len(bases) == 2 {
		other = append(other, "/parties/evaluator")
	}
	forms := map[string][]byte{}
	forms["jcs"], _ = g.Payload()
	forms["jcs, evaluator the other way"], _ = exact.JCS(g.Root, other...)
	forms["py"] = document.PythonForm(g.Root, bases)
	forms["py, evaluator the other way"] = document.PythonForm(g.Root, other)
	var found []string
	for _, form := range []string{"jcs", "jcs, evaluator the other way", "py", "py, evaluator the other way"} {
		for _, holder := range []string{"client", "provider"} {
			key := a.keyOf(g.Party(holder))
			for _, name := range []string{"client", "provider"} {
				if key != nil && ed25519.Verify(key, document.Message(name, canon.Sum(forms[form])), sig) {
					found = append(found, "verifies: key="+holder+", name="+name+", form="+form)
				}
			}
		}
	}
	return found
}

// checkUnchanged records R027: signed events and the document hash the same payload.
func (a signatures) checkUnchanged() {
	payload, _ := a.Agreement.Payload()
	want := canon.Sum(payload).Prefixed()
	n := 0
	for _, e := range a.Events {
		if e.Type != "signed" {
			continue
		}
		n++
		got := document.Text(e.Get("data", "payload_sha256"))
		a.Log.Check(got == want, finding.Error, "R027", "payload-changed", e.At("data", "payload_sha256"), document.Clip(got), want)
	}
	if n == 0 && document.SignedStates[a.Agreement.Status] {
		a.Log.Missing("R027", "input-missing", "events.jsonl", "signed events")
	}
}
