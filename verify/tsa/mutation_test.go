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

// survivors are the single bits of a response that may change, by the byte that they are in, and why nothing depends on them.
var survivors = []struct {
	at, bit int
	why     string
}{
	{statusOffset, 0, "PKIStatus: granted (0) becomes grantedWithMods (1), which no signature covers and with which RFC 3161 §2.4.2 also sends a token"},
}

func survives(i, bit int) bool {
	for _, s := range survivors {
		if s.at == i && s.bit == bit {
			return true
		}
	}
	return false
}

// exam counts what became of the changes of tokens.
type exam struct {
	t                        *testing.T
	what                     string
	ran, accepted, survivors int
}

func (e *exam) end() {
	e.t.Helper()
	e.t.Logf("exam of %s: %d mutations, %d accepted, %d on the list of informational places", e.what, e.ran, e.accepted, e.survivors)
}

// bits changes each bit of a response that holds.
func (e *exam) bits(name string, response, preimage []byte, a Authority) {
	e.t.Helper()
	if response[statusOffset-2] != 2 || response[statusOffset] != 0 {
		e.t.Fatalf("%s: the status is not where it was", name)
	}
	for i := range response {
		for bit := range 8 {
			changed := bytes.Clone(response)
			changed[i] ^= 1 << bit
			e.ran++
			token, err := Verify(changed, preimage, a)
			switch listed := survives(i, bit); {
			case err != nil && listed:
				e.t.Errorf("%s: byte %d, bit %d is listed and refused: %v", name, i, bit, err)
			case err != nil && (reasonOf(err) == "misuse" || token != (Token{})):
				e.t.Errorf("%s: byte %d, bit %d: %+v and %v, want a failure and no token", name, i, bit, token, err)
			case err == nil && listed:
				e.survivors++
			case err == nil:
				e.accepted++
				e.t.Errorf("%s: byte %d of %d, bit %d: accepted", name, i, len(response), bit)
			}
		}
	}
}

// TestExamBits changes each bit of responses that hold: what passes is on the list of survivors.
func TestExamBits(t *testing.T) {
	e := exam{t: t, what: "tokens, one bit"}
	for name, f := range mutable() {
		e.bits(name, f.make(), anchored, f.trust)
	}
	e.end()
}

// TestExamLengths cuts a response at each length, drops each byte and doubles each byte.
func TestExamLengths(t *testing.T) {
	e := exam{t: t, what: "tokens, one byte more or less"}
	for name, f := range mutable() {
		response := f.make()
		for i := range response {
			for _, changed := range [][]byte{response[:i], slices.Delete(bytes.Clone(response), i, i+1),
				slices.Insert(bytes.Clone(response), i, response[i]), slices.Concat(response[:i], []byte{0}, response[i:])} {
				e.ran++
				if bytes.Equal(changed, response) {
					t.Fatalf("%s: byte %d: nothing changed", name, i)
				}
				if _, err := Verify(changed, anchored, f.trust); err == nil {
					e.accepted++
					t.Errorf("%s: byte %d of %d, %d bytes left: accepted", name, i, len(response), len(changed))
				}
			}
		}
	}
	e.end()
}

// FuzzVerify never panics, and accepts nothing but what the forge signed: a response that ends in its SignerInfo and contains its TSTInfo,
// byte for byte. (What no signature covers, such as the status or a certificate that is not needed, may differ: see TestExamBits.)
func FuzzVerify(f *testing.F) {
	var authorities []Authority
	for _, m := range mutable() {
		f.Add(m.make())
		authorities = append(authorities, m.trust)
	}
	for _, c := range faults {
		if made := newForge(); c.change != nil {
			c.change(made)
			f.Add(made.make())
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
