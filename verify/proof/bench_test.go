package proof

import (
	"crypto/ed25519"
	"fmt"
	"testing"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// benchProofs is how many views a batch answer has at most: POST /v1/proofs gives 50.
const benchProofs = 50

// BenchmarkProofs judges proofs the way a replay does: a batch answer is read, then each of its views is verified with its log entry and
// its disclosures. ns/proof is to be compared with BenchmarkFloor.
func BenchmarkProofs(b *testing.B) {
	w := newWorld(b)
	v := NewVerifier(w.store())
	data, entries, disclosures := w.batchAnswer()
	b.ReportAllocs()
	for b.Loop() {
		views, err := Views("lot.json", data)
		if err != nil {
			b.Fatal(err)
		}
		for i, view := range views {
			if r := v.Verify(view.Proof, Evidence{Entries: entries, Disclosures: &disclosures[i]}); r.Outcome != Valid || r.Opened == nil {
				b.Fatal(view.ID, failures(r))
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchProofs), "ns/proof")
}

// BenchmarkFloor does only what cannot be left out: one strict parse of the same bytes and one Ed25519 verification for each proof.
func BenchmarkFloor(b *testing.B) {
	w := newWorld(b)
	data, _, _ := w.batchAnswer()
	views, err := Views("lot.json", data)
	if err != nil {
		b.Fatal(err)
	}
	key := w.store().IssuerKeys()[0].Public
	_, message, _ := views[0].Proof.readChain()
	sig, _ := edBytes(views[0].Proof.m.signature, ed25519.SignatureSize)
	for b.Loop() {
		if _, err := canon.ParseStrict("lot.json", data); err != nil {
			b.Fatal(err)
		}
		for range benchProofs {
			if !ed25519.Verify(key, []byte(message), sig) {
				b.Fatal("signature")
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchProofs), "ns/proof")
}

// batchAnswer is a full batch answer of proofs anchored in one batch of 100, with the log entry and the disclosures in the order of the views.
func (w *world) batchAnswer() ([]byte, []rekor.Entry, []Disclosures) {
	w.t.Helper()
	batch := &mint.Batch{ID: "batch_1"}
	var proofs []*mint.Proof
	for i := range 2 * benchProofs {
		c := w.call()
		c.ID = fmt.Sprintf("prf_20260923_072144_%06x", i)
		c.At = c.At.Add(time.Duration(i) * time.Second)
		p := w.proof(c)
		batch.Add(p.Chain)
		proofs = append(proofs, p)
	}
	a, err := w.witnesses(w.call()).Anchor(batch.Root(), batch)
	if err != nil {
		w.t.Fatal(err)
	}
	views := mint.Object{}
	var disclosures []Disclosures
	for i, p := range proofs[:benchProofs] {
		m := w.made(p, a, uint64(i))
		views = append(views, mint.Member{Name: p.ID, Value: m.view})
		disclosures = append(disclosures, m.disclosures)
	}
	entries, err := rekor.ParseEntries("entry.json", mint.Compact(a.Entry.Document()))
	if err != nil {
		w.t.Fatal(err)
	}
	return mint.Compact(mint.Obj("proofs", views)), entries, disclosures
}
