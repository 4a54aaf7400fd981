package signing

import (
	"crypto/ed25519"
	"fmt"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/folder"
)

// The did:key is the W3C test vector's form: "z", base58 of ed 01 and the key.
func TestR026_DidKey(t *testing.T) {
	const did = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp" // key 3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29 (RFC 8032 seed of zeros; multiformats examples)
	a := signatures{Documents: &folder.Documents{}}
	key := a.keyOf(document.Identity{Scheme: "did", Value: did})
	if got := fmt.Sprintf("%x", []byte(key)); got != "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29" {
		t.Errorf("key of %s: %s", did, got)
	}
	for _, bad := range []string{"did:key:z6Mk", "did:key:m6MkiTBz", "did:web:x.example", "did:key:z0OIl"} {
		if key := a.keyOf(document.Identity{Scheme: "did", Value: bad}); key != nil {
			t.Errorf("%s gives a key", bad)
		}
	}
}

// The encodings are the well-known small-order points of Curve25519 (also listed in libsodium's documentation).
func TestSmallOrder(t *testing.T) {
	for _, h := range []string{
		"0000000000000000000000000000000000000000000000000000000000000000", "0100000000000000000000000000000000000000000000000000000000000000",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "0100000000000000000000000000000000000000000000000000000000000080",
	} {
		b, err := canon.DecodeHex(h, 32)
		if err != nil {
			t.Fatal(err)
		}
		if !smallOrder(b) {
			t.Errorf("%s is not taken for a point of small order", h)
		}
	}
	key := ed25519.NewKeyFromSeed(make([]byte, 32)).Public().(ed25519.PublicKey)
	if smallOrder(key) {
		t.Error("a sound key is taken for a point of small order")
	}
}
