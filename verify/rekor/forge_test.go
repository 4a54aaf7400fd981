package rekor

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/merkle"
)

// The forge makes log entries that hold, or that differ from one that holds in a single thing. Keys have fixed scalars and signatures are
// deterministic (RFC 6979), so that every run sees the same bytes.

const (
	forgeLogName  = "log.example"
	forgeTree     = uint64(1193050959916656506)
	forgeOffset   = uint64(5000)
	forgeIndex    = 3
	forgeSize     = 11
	forgeTime     = int64(1790000000)
	forgeTreeText = "1193050959916656506"
)

// forgeArtifact is SHA-256 of "artifact 3", as sha256sum gives it.
var forgeArtifact = []byte("3a8c8a9a51a19a6cf7566628936a686a3ef514c68f28684a329b64acb1c20c5a")

func fixedKey(t testing.TB, curve elliptic.Curve, scalar byte) *ecdsa.PrivateKey {
	t.Helper()
	raw := make([]byte, (curve.Params().BitSize+7)/8)
	raw[len(raw)-1] = scalar
	k, err := ecdsa.ParseRawPrivateKey(curve, raw)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func fixedSignature(t testing.TB, k crypto.Signer, message []byte) []byte {
	t.Helper()
	digest, opts := sha256.Sum256(message), crypto.SignerOpts(crypto.SHA256)
	signed := digest[:]
	if _, ok := k.(ed25519.PrivateKey); ok {
		signed, opts = message, crypto.Hash(0)
	}
	sig, err := k.Sign(nil, signed, opts)
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

func spkiOf(t testing.TB, k crypto.Signer) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(k.Public())
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func pemOf(t testing.TB, k crypto.Signer) []byte {
	t.Helper()
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: spkiOf(t, k)})
}

// forge has one hook for each stage at which an entry can be made to differ; a nil hook changes nothing. Later stages sign what earlier
// ones changed.
type forge struct {
	t testing.TB

	logKey, submitter, otherKey crypto.Signer

	artifact  []byte                                 // what the submitter signed
	body      func(body map[string]any)              // before the body becomes a leaf
	leaf      func(body []byte) []byte               // the bytes of the leaf
	size      int                                    // leaves of the tree
	head      func(text string) string               // the checkpoint's text, before it is signed
	name      string                                 // on the signature line of the checkpoint
	note      func(note string) string               // the checkpoint, once signed
	before    func(uuid *string, e map[string]any)   // before the signed entry timestamp
	after     func(uuid *string, e map[string]any)   // at the end
	setKey    crypto.Signer                          // signs the timestamp
	checkKey  crypto.Signer                          // signs the checkpoint
	proofHook func(p map[string]any)                 // the inclusion proof, at the end
	file      func(uuid string, entry []byte) string // the file
}

func newForge(t testing.TB) *forge {
	f := &forge{
		t:      t,
		logKey: fixedKey(t, elliptic.P256(), 2), submitter: fixedKey(t, elliptic.P256(), 3), otherKey: fixedKey(t, elliptic.P256(), 5),
		artifact: forgeArtifact, size: forgeSize, name: forgeLogName,
	}
	f.setKey, f.checkKey = f.logKey, f.logKey
	return f
}

func (f *forge) log() Log {
	return Log{Name: forgeLogName, Key: f.logKey.Public(), Offsets: map[string]uint64{forgeTreeText: forgeOffset}}
}

// bodyOf is the leaf of the submitter's entry over an artifact.
func (f *forge) bodyOf(t testing.TB, artifact []byte) []byte {
	t.Helper()
	digest := sha256.Sum256(artifact)
	body := map[string]any{"apiVersion": "0.0.1", "kind": "hashedrekord", "spec": map[string]any{
		"data": map[string]any{"hash": map[string]any{"algorithm": "sha256", "value": hex.EncodeToString(digest[:])}},
		"signature": map[string]any{
			"content":   base64.StdEncoding.EncodeToString(fixedSignature(t, f.submitter, artifact)),
			"publicKey": map[string]any{"content": base64.StdEncoding.EncodeToString(pemOf(t, f.submitter))},
		},
	}}
	if f.body != nil {
		f.body(body)
	}
	b := mustJSON(t, body)
	if f.leaf != nil {
		b = f.leaf(b)
	}
	return b
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// make gives the file.
func (f *forge) make(t testing.TB) []byte {
	t.Helper()
	body := f.bodyOf(t, f.artifact)
	leaves := make([]canon.Digest, f.size)
	for i := range leaves {
		leaves[i] = merkle.LeafHash(fmt.Appendf(nil, "another entry %d", i))
	}
	index := min(forgeIndex, f.size-1)
	leaves[index] = merkle.LeafHash(body)
	root := merkle.Root(leaves)

	text := fmt.Sprintf("%s - %d\n%d\n%s\n", forgeLogName, forgeTree, f.size, base64.StdEncoding.EncodeToString(root[:]))
	if f.head != nil {
		text = f.head(text)
	}
	checkpoint := text + "\n" + signatureLine(f.name, spkiOf(t, f.checkKey), fixedSignature(t, f.checkKey, []byte(text)))
	if f.note != nil {
		checkpoint = f.note(checkpoint)
	}
	proof := map[string]any{"checkpoint": checkpoint, "hashes": []string{}, "logIndex": index, "rootHash": root.String(), "treeSize": f.size}
	hashes := []string{}
	for _, d := range forgePath(index, leaves) {
		hashes = append(hashes, d.String())
	}
	proof["hashes"] = hashes

	id := sha256.Sum256(spkiOf(t, f.logKey))
	uuid := fmt.Sprintf("%016x%s", forgeTree, leaves[index])
	e := map[string]any{
		"body": base64.StdEncoding.EncodeToString(body), "integratedTime": forgeTime, "logID": hex.EncodeToString(id[:]),
		"logIndex": forgeOffset + uint64(index), "verification": map[string]any{"inclusionProof": proof},
	}
	if f.before != nil {
		f.before(&uuid, e)
	}
	f.timestamp(t, e)
	if f.proofHook != nil {
		f.proofHook(proof)
	}
	if f.after != nil {
		f.after(&uuid, e)
	}
	if f.file != nil {
		return []byte(f.file(uuid, mustJSON(t, e)))
	}
	return mustJSON(t, map[string]any{uuid: e})
}

// timestamp signs what Rekor signs: JSON with sorted members and no spaces.
func (f *forge) timestamp(t testing.TB, e map[string]any) {
	t.Helper()
	signed := mustJSON(t, map[string]any{"body": e["body"], "integratedTime": e["integratedTime"], "logID": e["logID"], "logIndex": e["logIndex"]})
	verification := e["verification"].(map[string]any)
	verification["signedEntryTimestamp"] = base64.StdEncoding.EncodeToString(fixedSignature(t, f.setKey, signed))
}

// signatureLine is a line of a signed note with the hint that Rekor uses: the first four bytes of SHA-256 of the key in DER.
func signatureLine(name string, spki, sig []byte) string {
	id := sha256.Sum256(spki)
	return "\u2014 " + name + " " + base64.StdEncoding.EncodeToString(append(slices.Clone(id[:4]), sig...)) + "\n"
}

// forgePath is PATH(m, D[n]) of RFC 6962 §2.1.1.
func forgePath(m int, leaves []canon.Digest) []canon.Digest {
	n := len(leaves)
	if n == 1 {
		return nil
	}
	k := 1
	for k*2 < n {
		k *= 2
	}
	if m < k {
		return append(forgePath(m, leaves[:k]), merkle.Root(leaves[k:]))
	}
	return append(forgePath(m-k, leaves[k:]), merkle.Root(leaves[:k]))
}

// judge parses a file of one entry and verifies it as a proof's entry.
func (f *forge) judge(t testing.TB, b []byte) (Logged, error) {
	t.Helper()
	entries, err := ParseEntries("entry.json", b)
	if err != nil {
		return Logged{}, err
	}
	if len(entries) != 1 {
		t.Fatalf("found %d entries, want 1", len(entries))
	}
	return Verify(entries[0], f.artifact, []Log{f.log()})
}

func proofOf(e map[string]any) map[string]any {
	return e["verification"].(map[string]any)["inclusionProof"].(map[string]any)
}

func hashOf(body map[string]any) map[string]any {
	return body["spec"].(map[string]any)["data"].(map[string]any)["hash"].(map[string]any)
}

func signatureOf(body map[string]any) map[string]any {
	return body["spec"].(map[string]any)["signature"].(map[string]any)
}

// setKeyText replaces the key that the body carries.
func setKeyText(body map[string]any, text []byte) {
	signatureOf(body)["publicKey"] = map[string]any{"content": base64.StdEncoding.EncodeToString(text)}
}

func crlf(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), "\n", "\r\n")) }
