package mint

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"time"

	"github.com/ark-forge/proveit/canon"
)

// Ed25519Key derives an Ed25519 key.
func Ed25519Key(s Seed) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(s[:]) }

// ECDSAKey derives a key on the curve: the first candidate scalar, of the order's length, that lies between 1 and the order.
func ECDSAKey(s Seed, curve elliptic.Curve) *ecdsa.PrivateKey {
	st := s.Stream()
	for {
		if k, err := ecdsa.ParseRawPrivateKey(curve, st.Bytes((curve.Params().N.BitLen()+7)/8)); err == nil {
			return k
		}
	}
}

// rsaBits is the length of the RSA modulus, as time-stamping authorities commonly have it.
const rsaBits = 2048

// RSAKey derives a 2048-bit RSA key with exponent 65537. It takes a noticeable fraction of a second.
func RSAKey(s Seed) (*rsa.PrivateKey, error) {
	e := big.NewInt(65537)
	for try := uint64(0); ; try++ {
		p, q := prime(s.Child("p", try), e), prime(s.Child("q", try), e)
		one := big.NewInt(1)
		phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
		n := new(big.Int).Mul(p, q)
		d := new(big.Int).ModInverse(e, phi)
		if d == nil || n.BitLen() != rsaBits || p.Cmp(q) == 0 {
			continue
		}
		k := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: n, E: 65537}, D: d, Primes: []*big.Int{p, q}}
		k.Precompute()
		return k, k.Validate()
	}
}

// prime draws numbers of half the modulus's length, with the two highest bits set, until one is prime and coprime to e once lowered by one.
func prime(s Seed, e *big.Int) *big.Int {
	st := s.Stream()
	one := big.NewInt(1)
	p := new(big.Int).SetBytes(st.Bytes(rsaBits / 16))
	p.SetBit(p, rsaBits/2-1, 1).SetBit(p, rsaBits/2-2, 1).SetBit(p, 0, 1)
	for ; ; p.Add(p, big.NewInt(2)) {
		if !p.ProbablyPrime(8) {
			continue
		}
		if new(big.Int).GCD(nil, nil, new(big.Int).Sub(p, one), e).Cmp(one) == 0 {
			return p
		}
	}
}

// SPKI is the DER form (SubjectPublicKeyInfo) of a public key.
func SPKI(public any) ([]byte, error) { return x509.MarshalPKIXPublicKey(public) }

// PublicPEM is the PEM form of a public key, lines ended by LF.
func PublicPEM(public any) (string, error) {
	der, err := SPKI(public)
	if err != nil {
		return "", err
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), nil
}

// IssuerKey is one key of the issuer's published history.
type IssuerKey struct {
	KID     string
	Private ed25519.PrivateKey
	From    time.Time
	Retired time.Time // zero while in use
}

// Public is the key as proofs and the published history spell it.
func (k IssuerKey) Public() string {
	public, _ := k.Private.Public().(ed25519.PublicKey)
	return "ed25519:" + canon.EncodeBase64URL(public)
}

// SubmitterKey is one of the keys under which the issuer submits log entries.
type SubmitterKey struct {
	KID     string
	Private *ecdsa.PrivateKey
	From    time.Time
	Retired time.Time // zero while in use
}

// base58Alphabet is the Bitcoin alphabet, which did:key's base58btc uses.
const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// DIDKey is the did:key form of the key's public half: multibase base58btc of the ed25519-pub multicodec prefix (0xed 0x01) and the key.
func DIDKey(key ed25519.PrivateKey) string {
	public, _ := key.Public().(ed25519.PublicKey)
	n := new(big.Int).SetBytes(append([]byte{0xed, 0x01}, public...))
	var digits []byte
	base, rest := big.NewInt(58), new(big.Int)
	for n.Sign() > 0 {
		n.DivMod(n, base, rest)
		digits = append(digits, base58Alphabet[rest.Int64()])
	}
	for i, j := 0, len(digits)-1; i < j; i, j = i+1, j-1 {
		digits[i], digits[j] = digits[j], digits[i]
	}
	return "did:key:z" + string(digits)
}
