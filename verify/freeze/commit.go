package freeze

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// Material is one file to be frozen.
type Material struct {
	Name  string // relative to the bundle's root
	Bytes []byte
	Salt  *[SaltSize]byte // random, drawn by the caller and kept secret until the close; nil for a file that is public
}

// Commitment is what a season anchors before it opens.
type Commitment struct {
	Payload []byte      // canonical JSON of what is to be anchored: {"files": {name: hash}}
	Entries []Committed // in the order of the payload
}

// Committed is one frozen file and where its hash stands in a request that carries the payload.
type Committed struct {
	Name    string
	Pointer string // into the request
	Hash    canon.Digest
	Salt    *[SaltSize]byte
}

// Commit computes the hash of every file: SHA-256 of its bytes or, with a salt, SHA-256(salt ‖ bytes). It refuses what Parse would refuse
// later: a name outside the bundle, one name twice, nothing at all.
func Commit(files []Material) (Commitment, error) {
	if len(files) == 0 || len(files) > MaxBindings {
		return Commitment{}, fmt.Errorf("found %d files, want 1 to %d", len(files), MaxBindings)
	}
	sorted := slices.Clone(files)
	slices.SortStableFunc(sorted, func(a, b Material) int { return strings.Compare(a.Name, b.Name) })
	hashes := make(map[string]any, len(sorted))
	var out Commitment
	for _, m := range sorted {
		if !cleanPath(m.Name) {
			return Commitment{}, fmt.Errorf("found the name %.100q, want a path relative to the bundle's root, without .. and backslashes", m.Name)
		}
		if _, again := hashes[m.Name]; again {
			return Commitment{}, fmt.Errorf("found %.100q twice, want each file once", m.Name)
		}
		b := Binding{Salt: m.Salt}
		sum := b.hash(m.Bytes)
		hashes[m.Name] = sum
		out.Entries = append(out.Entries, Committed{Name: m.Name, Pointer: "/payload/files/" + canon.EscapeToken(m.Name), Hash: sum, Salt: m.Salt})
	}
	payload, err := canon.Marshal(map[string]any{"files": hashes})
	if err != nil {
		return Commitment{}, err
	}
	out.Payload = payload
	return out, nil
}

// Request is the request_data that the proxy hashes when the payload is sent to target with POST (seed 000 §2.4), as canonical JSON. It
// becomes the request of freeze.json.
func (c *Commitment) Request(target string) ([]byte, error) {
	payload, err := canon.Parse(c.Payload)
	if err != nil {
		return nil, err
	}
	return canon.Marshal(map[string]any{"target": target, "method": "POST", "payload": payload, "amount": 0.0, "currency": "eur"})
}

// Bindings is the bindings array of freeze.json as canonical JSON. With the salts it belongs into the bundle after the close, not before.
func (c *Commitment) Bindings() ([]byte, error) {
	list := make([]any, 0, len(c.Entries))
	for _, e := range c.Entries {
		b := map[string]any{"pointer": e.Pointer, "file": e.Name}
		if e.Salt != nil {
			b["salt"] = canon.Digest(*e.Salt) // 32 bytes, written as bare hex
		}
		list = append(list, b)
	}
	return canon.Marshal(list)
}
