package proof

import (
	"crypto/ed25519"
	"io/fs"
	"testing"

	"github.com/ark-forge/proveit/canon"
)

// BenchmarkBatchFile judges proofs the way a replay does: a batch answer is read, then each of its views is verified with its log entries.
// ns/proof is to be compared with BenchmarkFloor, which does only what cannot be left out: one strict parse and one Ed25519 verification.
func BenchmarkBatchFile(b *testing.B) {
	s, data, n := batchFile(b)
	disclosed := s.disclosures(b, "agent-01")
	b.ReportAllocs()
	for b.Loop() {
		views, err := Views("lot.json", data)
		if err != nil {
			b.Fatal(err)
		}
		for _, v := range views {
			d := disclosed[v.ID]
			uuid := v.Proof.EntryUUID()
			r := s.verifier.Verify(v.Proof, Evidence{Entries: s.entries[uuid[max(0, len(uuid)-64):]], Window: &s.window, Disclosures: &d})
			if r.Outcome != Valid || r.Opened == nil {
				b.Fatal(v.ID, r.Outcome, r.Checks)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/proof")
}

func BenchmarkFloor(b *testing.B) {
	s, data, n := batchFile(b)
	key := s.verifier.store.IssuerKeys()[0].Public
	message, sig := make([]byte, 64), make([]byte, ed25519.SignatureSize)
	views, _ := Views("lot.json", data)
	sig, _ = edBytes(views[0].Proof.m.signature, len(sig))
	for b.Loop() {
		if _, err := canon.ParseStrict("lot.json", data); err != nil {
			b.Fatal(err)
		}
		for range n {
			ed25519.Verify(key, message, sig)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/proof")
}

func batchFile(b *testing.B) (*minted, []byte, int) {
	b.Helper()
	s := openMinted(b, shared+"/seasons/closed-season.zip")
	data, err := fs.ReadFile(s.files, "proofs/agent-01/lot-1.json")
	if err != nil {
		b.Fatal(err)
	}
	views, err := Views("lot.json", data)
	if err != nil {
		b.Fatal(err)
	}
	return s, data, len(views)
}

// disclosures are all that a participant discloses, by proof id.
func (s *minted) disclosures(b *testing.B, participant string) map[string]Disclosures {
	b.Helper()
	all := map[string]Disclosures{}
	s.eachJSON(b, "submissions/"+participant, func(name string, _ []byte) {
		for id, v := range s.read(b, name).Get("disclosures").Members() {
			d, err := ParseDisclosures(name, v)
			if err != nil {
				b.Fatal(err)
			}
			all[id] = d
		}
	})
	return all
}
