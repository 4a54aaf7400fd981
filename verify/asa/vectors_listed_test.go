package asa

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/finding"
)

// loadVectors reads every file of testdata/asa/vectors.
func loadVectors(t *testing.T) map[string]vectorFile {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(testdata, "vectors", "*.json"))
	if err != nil || len(paths) < minVectors {
		t.Fatalf("%d vector files, want at least %d: %v", len(paths), minVectors, err)
	}
	files := map[string]vectorFile{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var v vectorFile
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		files[strings.TrimSuffix(filepath.Base(path), ".json")] = v
	}
	return files
}

// The 25 vectors of the format's description each have a file, and each file holds at least one case that expects something.
func TestEveryVectorIsThere(t *testing.T) {
	files := loadVectors(t)
	for n := 1; n <= 25; n++ {
		v, ok := files[fmt.Sprintf("v%02d", n)]
		if !ok {
			t.Errorf("there is no vector %d", n)
			continue
		}
		for _, c := range v.Cases {
			if len(c.Want)+len(c.None)+len(c.Unestablished)+len(c.Dependent)+len(c.Answers) == 0 && c.Exit == nil {
				t.Errorf("vector %d, %s: nothing is expected", n, c.Name)
			}
		}
	}
}

// Every finding of every vector is of an id that "asa explain" lists, with a sentence in both languages.
func TestVectorsFindWhatIsListed(t *testing.T) {
	known := finding.Known()
	seen := map[string]bool{}
	for name, v := range loadVectors(t) {
		for _, c := range v.Cases {
			o := Options{JSONC: c.JSONC || c.Base == "paper", Strict: c.Strict, AsOf: c.AsOf, Threshold: c.Threshold, Type: c.Type, All: true}
			for _, f := range mustAudit(t, c.files(t), o).Log.Findings() {
				seen[f.ID] = true
				if !slices.Contains(known, f.ID) {
					t.Errorf("%s, %s: %s is not listed", name, c.Name, f.ID)
				}
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d ids seen, want at least 100", len(seen))
	}
}
