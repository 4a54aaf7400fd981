package proof

import (
	"crypto/ed25519"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/trust"
)

const edPrefix = "ed25519:"

// signature judges the issuer's signature over the chain hash as 64 hex characters, under a published key in its window at the token time.
// Without a token time (the batch is open, or the token could not be judged) the window is not looked at.
func (j *judgement) signature(tokenTime time.Time) {
	c := verify.Check{Name: CheckSignature}
	switch {
	case !j.hasChain:
		c.Status, c.Reason = verify.Skipped, ReasonChainMalformed
	default:
		f := j.checkSignature(tokenTime, &c)
		if f != nil {
			c = verify.Failing(c.Name, false, f)
		}
	}
	j.set(checkSignature, c)
}

func (j *judgement) checkSignature(tokenTime time.Time, c *verify.Check) *verify.Failure {
	sig, ok := edBytes(j.p.m.signature, ed25519.SignatureSize)
	if !ok {
		return j.p.fail(ReasonSignatureMalformed, "/arkforge_signature", shown(j.p.m.signature), `"ed25519:" and 64 bytes in base64url without padding`)
	}
	if len(j.v.store.IssuerKeys()) == 0 {
		return j.unpublished(sig, c)
	}
	key, f := j.publishedKey()
	if f != nil {
		return f
	}
	if !ed25519.Verify(key.Public, []byte(j.chainHex), sig) {
		return j.p.fail(ReasonSignatureDiffers, "/arkforge_signature", "a signature that does not hold",
			"a signature over "+j.chainHex+" by "+named(key))
	}
	if !tokenTime.IsZero() && !key.Contains(tokenTime) {
		return j.p.fail(ReasonKeyWindow, "/arkforge_pubkey", "a token of "+stamp(tokenTime),
			"a token time in the window of "+named(key)+": "+key.Window.String()+", and 15 minutes after")
	}
	c.Status, c.Note = verify.OK, key.KID
	return nil
}

// unpublished is for a trust folder without issuer keys: a signature that does not even hold under the proof's own key fails all the same.
func (j *judgement) unpublished(sig []byte, c *verify.Check) *verify.Failure {
	key, ok := edBytes(j.p.m.publicKey, ed25519.PublicKeySize)
	if !ok {
		return j.malformedKey()
	}
	if !ed25519.Verify(key, []byte(j.chainHex), sig) {
		return j.p.fail(ReasonSignatureDiffers, "/arkforge_signature", "a signature that does not hold", "a signature over "+j.chainHex+" by arkforge_pubkey")
	}
	c.Status, c.Reason = verify.Skipped, ReasonIssuerKeysMissing
	j.missing(MissingIssuerKeys, "")
	return nil
}

// publishedKey finds the key that the proof names: the one of its arkforge_kid, which arkforge_pubkey must then be, else the one that
// equals arkforge_pubkey. A published key without a key id is found by what it is. Keys have one spelling, so texts are compared.
func (j *judgement) publishedKey() (*trust.IssuerKey, *verify.Failure) {
	keys := j.v.store.IssuerKeys()
	text, _ := j.p.m.publicKey.Text()
	var same *trust.IssuerKey
	for i := range keys {
		if keys[i].Text == text {
			same = &keys[i]
		}
	}
	if kid := j.p.m.kid; kid.Exists() && kid.Kind() != canon.Null {
		if f := j.checkKID(same); f != nil {
			return nil, f
		}
	}
	if same != nil {
		return same, nil
	}
	if _, ok := edBytes(j.p.m.publicKey, ed25519.PublicKeySize); !ok {
		return nil, j.malformedKey()
	}
	return nil, j.p.fail(ReasonKeyNotPublished, "/arkforge_pubkey", text, "one of the published keys "+j.publishedNames())
}

// checkKID judges that arkforge_kid names the key that arkforge_pubkey is. A key from a form without key ids bears any id that no other has.
func (j *judgement) checkKID(key *trust.IssuerKey) *verify.Failure {
	kid, isText := j.p.m.kid.Text()
	if isText && key != nil && key.KID == kid {
		return nil
	}
	for i := range j.v.store.IssuerKeys() {
		if k := &j.v.store.IssuerKeys()[i]; isText && k.KID == kid {
			return j.p.fail(ReasonKIDDiffers, "/arkforge_pubkey", shown(j.p.m.publicKey), k.Text+", the key "+kid)
		}
	}
	if isText && key != nil && key.KID == "" {
		return nil
	}
	return j.p.fail(ReasonKIDNotPublished, "/arkforge_kid", shown(j.p.m.kid), "one of the published keys "+j.publishedNames())
}

func (j *judgement) malformedKey() *verify.Failure {
	return j.p.fail(ReasonKeyMalformed, "/arkforge_pubkey", shown(j.p.m.publicKey), `"ed25519:" and 32 bytes in base64url without padding`)
}

func (j *judgement) publishedNames() string {
	var names []string
	for i := range j.v.store.IssuerKeys() {
		names = append(names, named(&j.v.store.IssuerKeys()[i]))
	}
	return strings.Join(names, ", ")
}

func named(k *trust.IssuerKey) string {
	if k.KID != "" {
		return k.KID
	}
	return k.Text
}

// edBytes reads "ed25519:" and exactly n bytes in base64url without padding, in its only spelling.
func edBytes(v canon.Value, n int) ([]byte, bool) {
	s, _ := v.Text()
	digits, ok := strings.CutPrefix(s, edPrefix)
	if !ok || len(digits) != (8*n+5)/6 {
		return nil, false
	}
	b, err := canon.DecodeBase64URL(digits)
	return b, err == nil && len(b) == n
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
