package proof

import (
	"testing"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/rekor"
)

// BenchmarkSteps judges one good proof step by step, each on its own, anchors apart. A step that needs what an earlier one found is run
// after it, outside the timer.
func BenchmarkSteps(b *testing.B) {
	w := newWorld(b)
	v := NewVerifier(w.store())
	data, entries, disclosures := w.batchAnswer()
	views, err := Views("lot.json", data)
	if err != nil {
		b.Fatal(err)
	}
	p := views[0].Proof
	whole := v.Verify(p, Evidence{Entries: entries, Disclosures: &disclosures[0]})
	if whole.Outcome != Valid {
		b.Fatal(failures(whole))
	}
	ready := func() *judgement {
		version, f := parseVersion(p.m.specVersion)
		if f != nil {
			b.Fatal(f)
		}
		j := &judgement{v: v, p: p, version: version}
		j.r.Checks = make(verify.Checks, checkCount)
		j.chainHash(nil)
		return j
	}
	var room [usual]commitment
	steps := []struct {
		name string
		run  func(*judgement)
	}{
		{"chain_hash", func(j *judgement) { j.chainHash(room[:0]) }},
		{"openings", func(j *judgement) { j.openings(&disclosures[0]) }},
		{"identity", func(j *judgement) { j.identity() }},
		{"batch_path", func(j *judgement) { j.batchPath() }},
		{"signature", func(j *judgement) { j.signature(whole.TokenTime) }},
	}
	for _, s := range steps {
		b.Run(s.name, func(b *testing.B) {
			j := ready()
			for b.Loop() {
				s.run(j)
			}
		})
	}
	b.Run("log_entry", func(b *testing.B) {
		root, _ := p.m.batch.Get("root").Text()
		logs := w.store().Logs()
		for b.Loop() {
			if _, err := rekor.Verify(entries[0], []byte(root[len("sha256:"):]), logs); err != nil {
				b.Fatal(err)
			}
		}
	})
}
