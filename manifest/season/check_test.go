package season

import "testing"

func TestSharedSeasonsCheck(t *testing.T) {
	for _, name := range []string{"closed-season", "open-season"} {
		b := shared(t, name)
		s, err := Load(b, "season.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range Check(s) {
			t.Errorf("%s: %v", name, p)
		}
		for i := range s.Tracks {
			c, _ := BestConstant(s.Tracks[i].Scale)
			f, err := BestFiller(&s.Tracks[i], s.Corpus)
			t.Log(name, s.Tracks[i].ID, c, f, err)
		}
	}
}
