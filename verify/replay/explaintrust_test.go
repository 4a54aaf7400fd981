package replay_test

import (
	"crypto/sha256"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/replay"
)

// TestExplainOtherTrust: the same keys in a trusted root and a DID document explain the same comparisons, and the commands for them run.
func TestExplainOtherTrust(t *testing.T) {
	tools(t)
	q := assertions(t)["supported"]
	want := statuses(explain(t, mintedSeason, replay.Options{}, q))
	dir := seasonCopy(t)
	rewriteTrust(t, filepath.Join(dir, "trust"))
	doc := explain(t, dir, replay.Options{}, q)
	got := statuses(doc)
	for name, status := range want {
		if name != "1 key_window" && got[name] != status { // a DID document gives no window
			t.Errorf("%s: %q, want %q", name, got[name], status)
		}
	}
	keys := 0
	ran := runCommands(t, dir, nil, doc, func(_ string, c replay.Comparison) bool {
		for _, v := range c.Values {
			if strings.Contains(v.Command, "t trusted_root.json") || strings.Contains(v.Command, "t issuer/did.json") {
				keys++
				return true
			}
		}
		return false
	})
	// The published key, the token, the signed entry timestamp and the checkpoint.
	if keys != 4 || ran < keys {
		t.Errorf("%d comparisons with such keys, %d commands run, want 4 and at least as many", keys, ran)
	}
}

// rewriteTrust writes what a trust folder of PEM files and a key history says as trusted_root.json and did.json.
func rewriteTrust(t *testing.T, dir string) {
	t.Helper()
	root := map[string]any{"mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1"}
	var logs, authorities []any
	logKeys, _ := filepath.Glob(filepath.Join(dir, "rekor", "*.pem"))
	for _, name := range logKeys {
		der := blocksOf(t, name)[0]
		id := sha256.Sum256(der)
		logs = append(logs, map[string]any{"baseUrl": "https://" + strings.TrimSuffix(filepath.Base(name), ".pem"), "logId": map[string]any{"keyId": id[:]},
			"publicKey": map[string]any{"rawBytes": der, "validFor": map[string]any{"start": "2026-01-01T00:00:00Z"}}})
		os.Remove(name)
	}
	providers, _ := filepath.Glob(filepath.Join(dir, "tsa", "*"))
	for _, provider := range providers {
		var chain, roots []any
		names, _ := filepath.Glob(filepath.Join(provider, "*.pem"))
		for _, name := range names {
			for _, der := range blocksOf(t, name) {
				if strings.HasPrefix(filepath.Base(name), "root") {
					roots = append(roots, map[string]any{"rawBytes": der})
				} else {
					chain = append(chain, map[string]any{"rawBytes": der})
				}
			}
		}
		authorities = append(authorities, map[string]any{"uri": "https://" + filepath.Base(provider) + "/tsr", "certChain": map[string]any{"certificates": append(chain, roots...)}})
		os.RemoveAll(provider)
	}
	if len(logs) == 0 || len(authorities) == 0 {
		t.Fatalf("found %d logs and %d authorities in %s, want some", len(logs), len(authorities), dir)
	}
	root["tlogs"], root["timestampAuthorities"] = logs, authorities
	writeJSONFile(t, filepath.Join(dir, "trusted_root.json"), root)
	history := filepath.Join(dir, "issuer", "published_keys.json")
	var published struct {
		Keys      []struct{ KID, Public string }
		RekorKeys json.RawMessage `json:"rekor_keys"`
	}
	b, err := os.ReadFile(history)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &published); err != nil {
		t.Fatal(err)
	}
	var methods []any
	for _, k := range published.Keys {
		methods = append(methods, map[string]any{"id": "did:web:emetteur.example#" + k.KID,
			"publicKeyJwk": map[string]any{"kty": "OKP", "crv": "Ed25519", "x": strings.TrimPrefix(k.Public, "ed25519:")}})
	}
	writeJSONFile(t, history, map[string]any{"rekor_keys": published.RekorKeys})
	writeJSONFile(t, filepath.Join(dir, "issuer", "did.json"), map[string]any{"id": "did:web:emetteur.example", "verificationMethod": methods})
}

func blocksOf(t *testing.T, name string) [][]byte {
	t.Helper()
	rest, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return out
		}
		out = append(out, block.Bytes)
	}
}

func writeJSONFile(t *testing.T, name string, v any) {
	t.Helper()
	b, err := json.Marshal(v) // bytes are written in padded base64, as a trusted root has them
	if err == nil {
		err = os.WriteFile(name, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
