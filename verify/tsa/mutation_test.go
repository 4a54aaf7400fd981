package tsa

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"slices"
	"testing"
)

func pemOf(certs []*x509.Certificate) []byte {
	var b bytes.Buffer
	for _, c := range certs {
		b.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}))
	}
	return b.Bytes()
}

// statusOffset is where the value of the PKIStatus lies: SEQUENCE (two length bytes after 0x82), SEQUENCE, INTEGER.
const statusOffset = 4 + 2 + 2

// mutable are the tokens that are changed: without and with the signer's certificate inside. In the second the trust set does not hold
// that certificate, so that each of its bits counts.
func mutable() map[string]*forge {
	embedded := newForge()
	embedded.embed, embedded.trust.Certificates = []*x509.Certificate{stamper.Certificate}, nil
	return map[string]*forge{"bare": newForge(), "embedded": embedded}
}

// TestEveryBit changes each bit of a valid response. One change is accepted, and says what is true: status 0 (granted) into 1
// (grantedWithMods), which no signature covers and with which RFC 3161 §2.4.2 also sends a token.
func TestEveryBit(t *testing.T) {
	for name, f := range mutable() {
		response := f.make()
		if response[statusOffset-2] != 2 || response[statusOffset] != 0 {
			t.Fatalf("%s: the status is not where it was", name)
		}
		for i := range response {
			for bit := range 8 {
				changed := bytes.Clone(response)
				changed[i] ^= 1 << bit
				_, err := Verify(changed, anchored, f.trust)
				if allowed := i == statusOffset && bit == 0; (err == nil) != allowed {
					t.Errorf("%s: byte %d of %d, bit %d: %v", name, i, len(response), bit, err)
				}
			}
		}
	}
}

// TestEveryLength cuts the response at each length, drops each byte and doubles each byte.
func TestEveryLength(t *testing.T) {
	for name, f := range mutable() {
		response := f.make()
		for i := range response {
			for _, changed := range [][]byte{response[:i], slices.Delete(bytes.Clone(response), i, i+1),
				slices.Insert(bytes.Clone(response), i, response[i])} {
				if _, err := Verify(changed, anchored, f.trust); err == nil {
					t.Errorf("%s: byte %d of %d, %d bytes left: accepted", name, i, len(response), len(changed))
				}
			}
		}
	}
}

// FuzzVerify never panics, and accepts nothing but what the forge signed: a response that ends in its SignerInfo and contains its TSTInfo,
// byte for byte. (What no signature covers, such as the status or a certificate that is not needed, may differ: see TestEveryBit.)
func FuzzVerify(f *testing.F) {
	var authorities []Authority
	for _, m := range mutable() {
		f.Add(m.make())
		authorities = append(authorities, m.trust)
	}
	for _, c := range faults {
		if forged := newForge(); c.change != nil {
			c.change(forged)
			f.Add(forged.make())
		}
	}
	good := newForge()
	info := seq(good.info[:]...)
	signer := good.signerInfo(info, crypto.SHA256)
	f.Fuzz(func(t *testing.T, response []byte) {
		_, _ = Parse(response)
		for _, a := range authorities {
			token, err := Verify(response, anchored, a)
			if err == nil && !(bytes.HasSuffix(response, signer) && bytes.Contains(response, info)) {
				t.Errorf("accepted something else: %+v", token)
			}
			if err != nil && token != (Token{}) {
				t.Errorf("a refusal with a token: %+v", token)
			}
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	f := newForge()
	response := f.make()
	for b.Loop() {
		if _, err := Verify(response, anchored, f.trust); err != nil {
			b.Fatal(err)
		}
	}
}
