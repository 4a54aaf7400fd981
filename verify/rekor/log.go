package rekor

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// Log is a transparency log that is trusted: its name, which its checkpoints carry, and its key.
type Log struct {
	Name    string            // for example "rekor.sigstore.dev"
	Key     crypto.PublicKey  // *ecdsa.PublicKey on P-256, or ed25519.PublicKey
	ID      canon.Digest      // SHA-256 of the key's SubjectPublicKeyInfo in DER; may be left zero
	Offsets map[string]uint64 // tree id in decimal → global index of the tree's first leaf; a tree that is not listed has any offset
}

// KeyID is the id of a log with this key: SHA-256 of the key's SubjectPublicKeyInfo in DER. It is an error where the key is empty or of
// a type that has no such form.
func KeyID(key crypto.PublicKey) (canon.Digest, error) {
	//lint:ignore SA1019 a key without coordinates makes the standard library panic, and nothing but the fields tells
	if k, ok := key.(*ecdsa.PublicKey); ok && (k == nil || k.Curve == nil || k.X == nil || k.Y == nil) {
		return canon.Digest{}, errors.New("log key is empty")
	}
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return canon.Digest{}, fmt.Errorf("log key cannot be written as SubjectPublicKeyInfo: %w", err)
	}
	return canon.Sum(der), nil
}

// candidates are the logs with this id. The error says that the trust material decides nothing.
func candidates(logs []Log, id canon.Digest) ([]Log, error) {
	if len(logs) == 0 {
		return nil, errors.New("no log key to verify a log entry with")
	}
	var found []Log
	for _, l := range logs {
		own, err := KeyID(l.Key)
		if err != nil {
			return nil, fmt.Errorf("log %q: %w", l.Name, err)
		}
		if own != id || (l.ID != canon.Digest{} && l.ID != own) {
			continue
		}
		if !usable(l.Key) {
			return nil, fmt.Errorf("log %q: found a key of type %T, want ECDSA P-256 or Ed25519", l.Name, l.Key)
		}
		l.ID = own
		found = append(found, l)
	}
	return found, nil
}

func usable(key crypto.PublicKey) bool {
	switch k := key.(type) {
	case *ecdsa.PublicKey:
		return k.Curve == elliptic.P256()
	case ed25519.PublicKey:
		return len(k) == ed25519.PublicKeySize
	}
	return false
}

// holds reports whether sig is this log's signature over message.
func (l Log) holds(message, sig []byte) bool {
	switch k := l.Key.(type) {
	case *ecdsa.PublicKey:
		digest := sha256.Sum256(message)
		return ecdsa.VerifyASN1(k, digest[:], sig)
	case ed25519.PublicKey:
		return ed25519.Verify(k, message, sig)
	}
	return false
}

// signs reports whether the note carries this log's signature, by name and key hint, and every such line holds. Lines of others are
// ignored, in any order. Without any line of the log, found says whose lines there are.
func (l Log) signs(n note) (ok bool, found string) {
	var others []string
	lines := 0
	for _, s := range n.signatures {
		if s.name != l.Name || s.hint != [hintSize]byte(l.ID[:hintSize]) {
			others = append(others, fmt.Sprintf("%s %x", s.name, s.hint))
			continue
		}
		lines++
		if !l.holds([]byte(n.text), s.signature) {
			return false, "a signature of the log that does not hold"
		}
	}
	if lines == 0 {
		return false, "signatures by " + show(strings.Join(others, ", "))
	}
	return true, ""
}
