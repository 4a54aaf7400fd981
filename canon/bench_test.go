package canon

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// proofView is a document with the members and sizes of a public proof view (about 3 KB with a token of 600 bytes), every value made up.
func proofView() []byte {
	digest := func(n int) string { return Sum(fmt.Appendf(nil, "%d", n)).String() }
	var b strings.Builder
	fmt.Fprintf(&b, "{\n \"proof_id\": \"prf_20261013_193140_1bb0fb\",\n \"is_demo\": false,\n \"spec_version\": \"3.1\",\n \"hashes\": {")
	for i, name := range []string{"request", "response", "chain"} {
		fmt.Fprintf(&b, "%s\n  \"%s\": \"sha256:%s\"", comma(i), name, digest(i))
	}
	b.WriteString("\n },\n \"commitments\": {")
	for i, name := range []string{"request_hash", "response_hash", "transaction_id", "timestamp", "buyer_fingerprint", "seller", "upstream_timestamp", "agent_identity",
		"agent_identity_verified", "did_resolution_status", "identity_consistent"} {
		fmt.Fprintf(&b, "%s\n  \"%s\": \"sha256:%s\"", comma(i), name, digest(10+i))
	}
	b.WriteString("\n },\n \"batch_anchor\": {\n  \"status\": \"anchored\",\n  \"leaf_index\": 48,\n  \"tree_size\": 82,\n  \"audit_path\": [")
	for i := range 7 {
		fmt.Fprintf(&b, "%s\n   \"%s\"", comma(i), digest(30+i))
	}
	fmt.Fprintf(&b, "\n  ],\n  \"root\": \"sha256:%s\"\n },\n \"views_count\": 3,\n \"timestamp_authority\": {\n  \"status\": \"verified\",\n  \"tsr_base64\": \"%s\"\n }\n}\n",
		digest(40), EncodeBase64([]byte(strings.Repeat(digest(41), 10)[:600])))
	return []byte(b.String())
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// batchFile is a hundred views under their names, as a batch answer holds them.
func batchFile() []byte {
	var b strings.Builder
	b.WriteString(`{"proofs":{`)
	for i := range 100 {
		fmt.Fprintf(&b, "%s\"prf_20261013_193140_%06x\":%s", comma(i), i, proofView())
	}
	return []byte(b.String() + "}}")
}

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct {
		name string
		doc  []byte
	}{{"view", proofView()}, {"batch", batchFile()}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseStrict("", c.doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCanonical(b *testing.B) {
	doc := proofView()
	v, err := ParseStrict("", doc)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		var text []byte
		for b.Loop() {
			text = AppendCanonical(text[:0], v)
		}
	})
	b.Run("read+write", func(b *testing.B) { // what Python's json.dumps(json.loads(b), ...) does
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		for b.Loop() {
			v, err := Parse(doc)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := Marshal(v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read+hash", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			v, err := Parse(doc)
			if err != nil {
				b.Fatal(err)
			}
			Hash(v)
		}
	})
}

// BenchmarkAgainstPython measures reading and writing beside CPython on the same file, the best turn of both, and reports how many times faster we are.
func BenchmarkAgainstPython(b *testing.B) {
	for _, c := range []struct {
		name string
		doc  []byte
	}{{"view", proofView()}, {"batch", batchFile()}} {
		b.Run(c.name, func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "document.json")
			if err := os.WriteFile(file, c.doc, 0o600); err != nil {
				b.Fatal(err)
			}
			out, err := exec.Command("python3", "../testdata/python/speed.py", file).Output()
			if err != nil {
				b.Skipf("python3: %v", err)
			}
			var text, hash float64
			if _, err := fmt.Sscan(string(out), &text, &hash); err != nil {
				b.Fatal(err)
			}
			best := math.Inf(1)
			for b.Loop() {
				start := time.Now()
				v, err := Parse(c.doc)
				if err != nil {
					b.Fatal(err)
				}
				Hash(v)
				best = min(best, time.Since(start).Seconds())
			}
			b.SetBytes(int64(len(c.doc)))
			b.ReportMetric(hash*1e6, "python-µs/op")
			b.ReportMetric(best*1e6, "best-µs/op")
			b.ReportMetric(hash/best, "x-python")
		})
	}
}
