package season

import (
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
)

func TestSeasonsOnDisk(t *testing.T) {
	for _, name := range []string{"closed-season", "open-season"} {
		b, err := bundle.Open("../../../shared/seasons/"+name+".zip", bundle.Limits{})
		if err != nil {
			t.Skip("no ../shared/seasons beside the repository")
		}
		s, err := Load(b, "season.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, track := range s.Tracks {
			for _, task := range track.Scale.Tasks {
				g, err := NewGraph(s.Corpus, track.Scale, task)
				if err != nil {
					t.Fatal(err)
				}
				t.Log(name, track.ID, task.ID, len(g.Resources()))
			}
		}
	}
}
