package simulate

import "testing"

// BenchmarkVolume measures how fast a season for measuring is made: 60 participants, 1,800 proofs.
func BenchmarkVolume(b *testing.B) {
	var size int64
	for b.Loop() {
		size = 0
		err := Write(Options{Seed: "bench", Participants: 60, TasksPerParticipant: 6, ProofsPerTask: 5}, func(_ string, content []byte) error {
			size += int64(len(content))
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(size)
	b.ReportMetric(float64(1800*b.N)/b.Elapsed().Seconds(), "proofs/s")
}
