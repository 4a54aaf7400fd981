package simulate

import (
	"crypto/elliptic"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// makeKeys derives the issuer's history: one key retired before the season, one until the rotation, one from then on.
func (b *builder) makeKeys() {
	first, second := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	issuer := func(kid string, from, retired time.Time) mint.IssuerKey {
		return mint.IssuerKey{KID: kid, Private: mint.Ed25519Key(b.seed.Child("issuer " + kid)), From: from, Retired: retired}
	}
	b.issuers = []mint.IssuerKey{issuer("key-0", first, second), issuer("key-1", second, b.rotation), issuer("key-2", b.rotation, time.Time{})}
	b.unpublished = issuer("key-2", b.rotation, time.Time{})
	b.unpublished.Private = mint.Ed25519Key(b.seed.Child("unpublished"))
	submitter := func(kid string, from, retired time.Time) mint.SubmitterKey {
		return mint.SubmitterKey{KID: kid, Private: mint.ECDSAKey(b.seed.Child("submitter "+kid), elliptic.P256()), From: from, Retired: retired}
	}
	b.submitters = []mint.SubmitterKey{submitter("rekor-1", first, b.rotation), submitter("rekor-2", b.rotation, time.Time{})}
	b.stranger = b.did("stranger")
}

// did derives a did:key.
func (b *builder) did(label string) string {
	return mint.DIDKey(mint.Ed25519Key(b.seed.Child("did " + label)))
}

// issuerAt is the signing key in use at a time.
func (b *builder) issuerAt(at time.Time) mint.IssuerKey {
	if at.Before(b.rotation) {
		return b.issuers[1]
	}
	return b.issuers[2]
}

// submitterAt is the submitter's key of that kid, or the one in use at the time where kid is empty.
func (b *builder) submitterAt(at time.Time, kid string) mint.SubmitterKey {
	if kid == "rekor-1" || kid == "" && at.Before(b.rotation) {
		return b.submitters[0]
	}
	return b.submitters[1]
}

func moment(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Format("2006-01-02T15:04:05Z")
}

// writeTrust writes the trust folder.
func (b *builder) writeTrust() error {
	for _, style := range mint.Styles {
		if err := b.writeAll("trust/tsa/"+style.Provider+"/", b.authorities[style.Provider].TrustFiles()); err != nil {
			return err
		}
	}
	text, err := mint.PublicPEM(&b.log.Key.PublicKey)
	if err != nil {
		return err
	}
	if err := b.write("trust/rekor/"+logName+".pem", []byte(text)); err != nil {
		return err
	}
	shard := mint.Obj("tree_id", decimal(b.log.TreeID), "offset", decimal(b.log.Offset))
	if err := b.write("trust/rekor/"+logName+".json", mint.Indented(mint.Obj("shards", []any{shard}))); err != nil {
		return err
	}
	keys, submitters := []any{}, []any{}
	for _, k := range b.issuers {
		keys = append(keys, mint.Obj("kid", k.KID, "type", "Ed25519", "public", k.Public(), "valid_from", moment(k.From), "retired_at", moment(k.Retired)))
	}
	for _, k := range b.submitters {
		text, err := mint.PublicPEM(&k.Private.PublicKey)
		if err != nil {
			return err
		}
		submitters = append(submitters, mint.Obj("kid", k.KID, "type", "ECDSA-P256-SHA256", "public_pem", text,
			"valid_from", moment(k.From), "retired_at", moment(k.Retired)))
	}
	return b.write("trust/issuer/published_keys.json", mint.Indented(mint.Obj("_doc", "Historique publié des clés de la répétition.", "keys", keys, "rekor_keys", submitters)))
}

func decimal(n uint64) string { return string(mint.AppendCompact(nil, n)) }

// digestFile is the SHA-256 of a file's bytes, in hex.
func digestFile(b []byte) string { return canon.Sum(b).String() }
