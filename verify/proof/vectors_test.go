package proof

import (
	"os"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
	"github.com/ark-forge/proveit/verify/trust"
)

// TestSharedSignatures runs the signature cases E01 to E05 of shared/cases, made with Python and openssl, through the real check.
func TestSharedSignatures(t *testing.T) {
	b, err := os.ReadFile(shared + "/cases/ed25519/vectors.json")
	if err != nil {
		t.Skip("no ../shared/cases beside the repository")
	}
	vectors, err := canon.ParseStrict("vectors.json", b)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, c := range vectors.Get("signatures").Elements() {
		tried++
		got := signatureVector(t, c)
		if want := str(c.Get("expect")) == "accept"; (got == "") != want {
			t.Errorf("%s %s: got %q, want %s", str(c.Get("case")), str(c.Get("label")), got, str(c.Get("expect")))
		}
	}
	if tried < 10 {
		t.Errorf("tried %d vectors, want at least 10", tried)
	}
}

// signatureVector judges a view that has a chain hash, a signature and a key, and nothing else. The vectors' control key is published.
func signatureVector(t *testing.T, c canon.Value) verify.Reason {
	t.Helper()
	view, err := canon.From(map[string]any{
		"proof_id": "prf_20260101_000000_000000", "spec_version": "2.0",
		"hashes":             map[string]any{"chain": "sha256:" + str(c.Get("message"))},
		"arkforge_signature": str(c.Get("signature")), "arkforge_pubkey": str(c.Get("pubkey")),
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse("vector", view)
	if err != nil {
		t.Fatal(err)
	}
	f := newWorld(t).folder()
	const control = "ed25519:K5XvErhVrUyvcS48u1iSOuWWoT7VSCYrUjEbwVUcJ6M"
	f["issuer/published_keys.json"].Data = []byte(`{"keys":[{"kid":"control","public":"` + control + `"}]}`)
	r := NewVerifier(load(t, f)).Verify(p, Evidence{})
	for _, name := range []string{CheckChainHash, CheckSignature} {
		if check, _ := r.Checks.Named(name); check.Status == verify.Failed {
			return check.Reason
		}
	}
	return ""
}

// TestSharedHistory runs the key history cases E09: windows at the token time. The vectors have no tokens, so the check is called with the
// time.
func TestSharedHistory(t *testing.T) {
	b, err := os.ReadFile(shared + "/cases/ed25519/vectors.json")
	if err != nil {
		t.Skip("no ../shared/cases beside the repository")
	}
	vectors, err := canon.ParseStrict("vectors.json", b)
	if err != nil {
		t.Fatal(err)
	}
	f := newWorld(t).folder()
	f["issuer/published_keys.json"].Data = []byte(vectors.Get("key_history").Raw())
	v := NewVerifier(load(t, f))
	tried := 0
	for _, c := range vectors.Get("history_cases").Elements() {
		tried++
		view, err := canon.From(map[string]any{"proof_id": "prf_20260101_000000_000000",
			"arkforge_signature": str(c.Get("signature")), "arkforge_pubkey": str(c.Get("pubkey"))})
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse("vector", view)
		if err != nil {
			t.Fatal(err)
		}
		j := judgement{v: v, p: p, chainHex: str(c.Get("message")), hasChain: true}
		j.r.Checks = make(verify.Checks, checkCount)
		j.signature(instant(t, c.Get("token_time")))
		got := j.r.Checks[checkSignature]
		if want := str(c.Get("expect")) == "accept"; (got.Status == verify.OK) != want {
			t.Errorf("%s: got %s %s, want %s", str(c.Get("label")), got.Status, got.Reason, str(c.Get("expect")))
		}
	}
	if tried < 5 {
		t.Errorf("tried %d vectors, want at least 5", tried)
	}
}

// TestTreeAgainstMerkle holds the tree hashing of this package equal to package merkle's, for every size up to 300 and every leaf.
func TestTreeAgainstMerkle(t *testing.T) {
	var leaves []canon.Digest
	var cs commitments
	for n := range 300 {
		d := canon.Sum([]byte{byte(n), byte(n >> 8)})
		cs = append(cs, commitment{digest: d})
		leaves = append(leaves, merkle.LeafHash(d[:]))
		if got, want := cs.root(), merkle.Root(leaves); got != want {
			t.Fatalf("%d leaves: got %s, want %s", n+1, got, want)
		}
	}
	for size := uint64(1); size <= 40; size++ {
		for index := range size + 1 {
			for length := range 8 {
				path := merkle.AuditPath(leaves[:length])
				got, gotErr := rootFromPath(leaves[9], index, size, path)
				want, wantErr := merkle.RootFromPath(leaves[9], index, size, path)
				if got != want || (gotErr == nil) != (wantErr == nil) {
					t.Fatalf("leaf %d of %d, %d siblings: got %s %v, want %s %v", index, size, length, got, gotErr, want, wantErr)
				}
			}
		}
	}
}

// TestKeyWithoutID: a key from a form without key ids is found by what it is, unless the id belongs to another.
func TestKeyWithoutID(t *testing.T) {
	w := newWorld(t)
	good := w.good()
	key := func(text string) *trust.Store {
		f := w.folder()
		f["issuer/published_keys.json"].Data = []byte(text)
		return load(t, f)
	}
	plain := `{"pubkey":"` + w.keys[0].Public() + `"}`
	v := NewVerifier(key(plain))
	r := v.Verify(parse(t, good.text()), good.evidence(t))
	expectation{Incomplete, CheckLog, ReasonRekorKeysMissing}.hold(t, r)
	if c, _ := r.Checks.Named(CheckSignature); c.Status != verify.OK {
		t.Errorf("signature: got %s %s, want ok", c.Status, c.Reason)
	}
	both := plain[:len(plain)-1] + `,"keys":[{"kid":"key-1","public":"` + w.keys[1].Public() + `"}]}`
	r = NewVerifier(key(both)).Verify(parse(t, good.text()), good.evidence(t))
	expectation{Invalid, CheckSignature, ReasonKIDDiffers}.hold(t, r)
}
