package mint

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ark-forge/proveit/canon"
)

func testCall(spec string) Call {
	return Call{
		ID: "prf_20260922_101112_0a1b2c", Spec: spec, At: time.Date(2026, 9, 22, 10, 11, 12, 0, time.UTC), Request: canon.Sum([]byte("q")),
		Response: canon.Sum([]byte("r")), Seller: "corpus.example", Buyer: "b", Transaction: "t", Identity: Bound("did:key:z6Mk"),
		Key: IssuerKey{KID: "key-1", Private: Ed25519Key(NewSeed("issuer"))},
	}
}

// Worked out again with python3 and hashlib: the commitment of a field with an all-zero nonce.
//
//	sha256(b"seller\0" + bytes(32) + b'"corpus.example"')
func TestCommitment(t *testing.T) {
	got, err := commitment("seller", Opening{Value: "corpus.example"})
	want := sha256.Sum256([]byte("seller\x00" + strings.Repeat("\x00", 32) + `"corpus.example"`))
	if err != nil || got != canon.Digest(want) {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestFieldsByVersion(t *testing.T) {
	for _, c := range []struct {
		spec string
		n    int // committed fields: 7 with the upstream's time, 4 more for the identity from 3.1 on, none before 3.0
	}{{"3.1", 11}, {"3.2", 11}, {"3.10", 11}, {"3.0", 7}, {"2.1", 0}, {"2.0", 0}, {"1.2", 0}, {"1.1", 0}, {"", 0}} {
		p, err := NewProof(NewSeed("x"), testCall(c.spec))
		if err != nil {
			t.Fatal(err)
		}
		if len(p.names) != c.n {
			t.Errorf("spec %q commits to %d fields, want %d", c.spec, len(p.names), c.n)
		}
		public, _ := p.Key.Private.Public().(ed25519.PublicKey)
		if !ed25519.Verify(public, []byte(p.Chain.String()), p.sig) {
			t.Errorf("spec %q: the signature is not over the chain hash in hex", c.spec)
		}
	}
}

func TestDIDKeyHasTheRegisteredPrefix(t *testing.T) {
	// The did:key of the all-zero public key's neighbours all begin with z6Mk: base58btc of 0xed01 and 32 bytes (did:key registry).
	for i := range 50 {
		did := DIDKey(Ed25519Key(NewSeed("did").Child("n", uint64(i))))
		if !strings.HasPrefix(did, "did:key:z6Mk") || len(did) != 56 {
			t.Errorf("got %s", did)
		}
	}
}

// TestSignaturesHoldForOpenssl has openssl judge the other four forms of signature: the issuer's, the submitter's, the SET, the checkpoint.
func TestSignaturesHoldForOpenssl(t *testing.T) {
	needOpenssl(t)
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	check := func(what string, args ...string) {
		t.Helper()
		if out, err := exec.Command("openssl", args...).CombinedOutput(); err != nil {
			t.Errorf("%s: openssl refuses: %s", what, out)
		}
	}
	p, err := NewProof(NewSeed("x"), testCall("3.1"))
	if err != nil {
		t.Fatal(err)
	}
	issuer, err := PublicPEM(p.Key.Private.Public())
	if err != nil {
		t.Fatal(err)
	}
	check("issuer", "pkeyutl", "-verify", "-pubin", "-inkey", write("issuer.pem", []byte(issuer)), "-rawin",
		"-in", write("chain", []byte(p.Chain.String())), "-sigfile", write("sig", p.sig))

	log := NewLog(NewSeed("x"), "journal.example")
	submitter := ECDSAKey(NewSeed("submitter"), log.Key.Curve)
	e, err := log.Append(p.Chain.String(), submitter, p.At, EntryGood)
	if err != nil {
		t.Fatal(err)
	}
	logKey, err := PublicPEM(&log.Key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	key := write("log.pem", []byte(logKey))
	v, _ := e.Body.Get("verification").(Object)
	set, err := canon.DecodeBase64(v.Get("signedEntryTimestamp").(string))
	if err != nil {
		t.Fatal(err)
	}
	message := `{"body":"` + e.Body.Get("body").(string) + `","integratedTime":` + itoa(e.IntegratedTime) + `,"logID":"` + log.ID() + `","logIndex":` + itoa(int64(e.LogIndex)) + `}`
	check("SET", "dgst", "-sha256", "-verify", key, "-signature", write("set", set), write("promise", []byte(message)))

	ip, _ := v.Get("inclusionProof").(Object)
	text, lines, _ := strings.Cut(ip.Get("checkpoint").(string), "\n\n")
	signature, err := canon.DecodeBase64(strings.TrimSuffix(strings.Split(lines, " ")[2], "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if hint := hex.EncodeToString(signature[:4]); hint != log.ID()[:8] {
		t.Errorf("key hint %s, want the first four bytes of the log id %s", hint, log.ID())
	}
	check("checkpoint", "dgst", "-sha256", "-verify", key, "-signature", write("note.sig", signature[4:]), write("note", []byte(text+"\n")))
}

func TestEveryEntryVariantIsMade(t *testing.T) {
	log := NewLog(NewSeed("x"), "journal.example")
	submitter := ECDSAKey(NewSeed("submitter"), log.Key.Curve)
	artifact := canon.Sum([]byte("root")).String()
	for _, fault := range append(append([]EntryFault{}, HoldingEntries...), FaultyEntries...) {
		e, err := log.Append(artifact, submitter, time.Unix(1790000000, 0), fault)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := canon.ParseStrict(string(fault), Indented(e.Document())); err != nil {
			t.Errorf("%s: %v", fault, err)
		}
	}
}
