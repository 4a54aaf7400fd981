package trust

import (
	"crypto/ed25519"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/rekor"
)

// Kind is what a key of the trust folder is for.
type Kind string

// The kinds of keys, in the order in which they are listed.
const (
	KindIssuer      Kind = "issuer_key"      // Ed25519 key that signs proofs
	KindSubmitter   Kind = "rekor_key"       // ECDSA P-256 key with which the issuer signs its log entries
	KindLog         Kind = "log_key"         // key of a transparency log
	KindRoot        Kind = "tsa_root"        // root certificate of a timestamping authority
	KindCertificate Kind = "tsa_certificate" // intermediate or signing certificate of one
)

// Key is one key or certificate, as `trust show` lists it.
type Key struct {
	Kind   Kind
	Name   string // key id, log name, or "<provider>: <subject>"
	Source string // file in the trust folder
	Window Window // that in which the folder lets it count; a certificate's own dates for a certificate
	SHA256 canon.Digest
	Pinned bool // its fingerprint is built into the program
}

// IssuerKey is a published key of the issuer.
type IssuerKey struct {
	KID    string // empty where the form that lists the key has no key ids
	Public ed25519.PublicKey
	Text   string // "ed25519:" and base64url without padding, its only spelling
	Window
	Source string // file in the trust folder
}

// RekorKey is a published key under which the issuer submits log entries.
type RekorKey struct {
	KID  string
	SPKI []byte // SubjectPublicKeyInfo in DER
	Window
	Source string
}

// LogKey is a log with the window in which its key counts for an integrated time.
type LogKey struct {
	rekor.Log
	Window
	Source string
}

// Fingerprints of keys that are known to be the real ones, all SHA-256. What is hashed differs, because it is what each party publishes.
var pins = map[Kind]map[canon.Digest]bool{
	// the raw 32 bytes of key-1, ed25519:ZLlGE0eN0eTNUE9vaK1tStf6AuoFUWqJBvqx7QgxfEY
	KindIssuer: pin("174e20acd605f8ce6fca394246729bd7aad692cd98d89c69120285cac006f7f0"),
	// the SubjectPublicKeyInfo of rekor.sigstore.dev, which is its log id
	KindLog: pin("c0d23d6ad406973f9559f3ba2d1ca01f84147d8ffc5b8445c224f98b9591801d"),
	// the DER of FreeTSA's root certificate
	KindRoot: pin("a6379e7cecc05faa3cbf076013d745e327bbbaa38c0b9af22469d4701d18aabc"),
}

// pin panics on a literal that is no digest, which a test of this package would meet.
func pin(hex string) map[canon.Digest]bool {
	d, err := canon.ParseHex(hex)
	if err != nil {
		panic(err)
	}
	return map[canon.Digest]bool{d: true}
}

func pinned(k Kind, d canon.Digest) bool { return pins[k][d] }
