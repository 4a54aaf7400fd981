package season

import "testing"

func BenchmarkLoadAndGraphs(b *testing.B) {
	files := minted(b, "closed-season")
	for b.Loop() {
		s, err := Load(files, "season.json")
		if err != nil {
			b.Fatal(err)
		}
		for _, track := range s.Tracks {
			for _, task := range track.Scale.Tasks {
				if _, err := NewGraph(s.Corpus, track.Scale, task); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
