package manifest

import (
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
)

func TestSeasonsCorpora(t *testing.T) {
	for _, name := range []string{"closed-season", "open-season"} {
		b, err := bundle.Open("../../shared/seasons/"+name+".zip", bundle.Limits{})
		if err != nil {
			t.Skip("no ../shared/seasons beside the repository")
		}
		c, err := Load(b, "corpus/manifest.json")
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Differences())+len(c.Missing())+len(c.Problems()) != 0 || len(c.Resources()) < 100 {
			t.Errorf("%s: %d pages, %v %v %v", name, len(c.Resources()), c.Differences(), c.Missing(), c.Problems())
		}
	}
}
