package proof

import (
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
)

// TestDocumentedExample recomputes the example of the package comment. Its hashes were made by ten lines of Python with hashlib and json.
func TestDocumentedExample(t *testing.T) {
	var cs commitments
	for i, f := range []struct{ name, value, want string }{
		{"buyer_fingerprint", "b", "2afd8754ff81ab4a1b7a2bdc7775507719ad976f7684e56aa3f2bded845293d4"},
		{"request_hash", strings.Repeat("1", 64), "bc353da9b96341cd05bb4400558f1620a7bdc7b414cb032a93d19a947d08a5ba"},
		{"response_hash", strings.Repeat("2", 64), "c754af4baac21edccde8735f8c702e930279dff89e4caa02174970105a2cacf5"},
		{"seller", "corpus.example", "a48f24be1dc7ec3e0c47cee90a82b7301b63ace4920d16da1c03c7bed28cc014"},
		{"timestamp", "2026-09-23T07:21:44Z", "58cabdf84a3fa960d369aac172cbd17e51984a6f30ffc7a3f5e7799904ca03dd"},
		{"transaction_id", "t", "b44cf19ff15e947b78b98347165772ac67ef53369af285a4a49b022bab3fed85"},
	} {
		var nonce [32]byte
		for b := range nonce {
			nonce[b] = byte(i + 1)
		}
		value, err := canon.From(f.value)
		if err != nil {
			t.Fatal(err)
		}
		got := Commit(f.name, nonce, value)
		if got.String() != f.want {
			t.Errorf("%s: got %s, want %s", f.name, got, f.want)
		}
		if d, err := canon.ParseHex(f.value); err == nil && CommitHash(f.name, nonce, d) != got {
			t.Errorf("%s: Commit and CommitHash differ", f.name)
		}
		cs = append(cs, commitment{f.name, got})
	}
	chain := cs.root()
	for _, c := range []struct{ what, got, want string }{
		{"first leaf", leafHash(&cs[0].digest).String(), "d0119929c3dc9f93b38ad1147d66dd65a184e8867ce047483223856a3ebf9776"},
		{"chain hash", chain.String(), "ae66a7fc725e6f3ce0c631af1c91a49ed678c952870a9d8b30d17d1dcb54c822"},
		{"leaf in its batch", leafHash(&chain).String(), "4d8d044cb1badaf5cc6f6b8460f20375ecd6726f441bbff4f2706f1dd1da10cd"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, c.got, c.want)
		}
	}
}
