package trust

import (
	"os"
	"slices"
	"testing"
)

// shared lies beside the repository and is not part of it.
const shared = "../../../shared"

// TestRealFolder reads the issuer's real material. Fingerprints are those of shared/real/README.md; that of key-1 was computed with
// python3 -c "hashlib.sha256(base64.urlsafe_b64decode('ZLlGE0eN…fEY='))".
func TestRealFolder(t *testing.T) {
	if _, err := os.Stat(shared + "/real/trust"); err != nil {
		t.Skip("no ../shared beside the repository")
	}
	s, err := Load(os.DirFS(shared+"/real/trust"), "real")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range s.Keys() {
		line := string(k.Kind) + " " + k.Name + " " + k.SHA256.String()[:8] + " " + k.Window.String()
		if k.Pinned {
			line += " pinned"
		}
		got = append(got, line)
	}
	want := []string{
		"issuer_key key-1 174e20ac from 2026-02-26T00:00:00Z pinned",
		"issuer_key key-2",
		"issuer_key key-3",
		"rekor_key rekor-1",
		"rekor_key rekor-2",
		"rekor_key rekor-3",
		"log_key rekor.sigstore.dev c0d23d6a always pinned",
		"tsa_root freetsa.org: ",
		"tsa_certificate freetsa.org: ",
	}
	if len(got) != len(want) {
		t.Fatalf("got %d keys, want %d:\n%q", len(got), len(want), got)
	}
	for i := range want {
		if len(got[i]) < len(want[i]) || got[i][:len(want[i])] != want[i] {
			t.Errorf("key %d: got %q, want %q", i, got[i], want[i])
		}
	}
	root := s.Keys()[7]
	if !root.Pinned || root.SHA256.String() != "a6379e7cecc05faa3cbf076013d745e327bbbaa38c0b9af22469d4701d18aabc" {
		t.Errorf("root: got %s, pinned %v", root.SHA256, root.Pinned)
	}
	a, p := s.Authority("freetsa.org")
	if p != Present || !slices.Equal(a.Policies, []string{"1.2.3.4.1"}) {
		t.Errorf("freetsa.org: got presence %d, policies %q", p, a.Policies)
	}
	if len(s.Ignored()) != 0 {
		t.Errorf("ignored: %q", s.Ignored())
	}
}
