package replay_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ark-forge/proveit/verify/replay"
)

// TestNamesBesideTheFolders: whatever lies under submissions/ and is no submission is named, a file beside the folders as well, and what lies
// under published/ and is the index of no track: nobody shall take it for one that was compared.
func TestNamesBesideTheFolders(t *testing.T) {
	dir := copied(t)
	for _, name := range []string{"submissions/LISEZMOI.txt", "submissions/personne/conformite/conf-01.json", "LISEZMOI.txt", "published/index-Conformite.json"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before, doc := run(t, closed, replay.Options{Jobs: 2}), run(t, dir, replay.Options{Jobs: 2})
	for _, name := range []string{"submissions/LISEZMOI.txt", "LISEZMOI.txt", "published/index-Conformite.json"} {
		if !slices.Contains(doc.Ignored, name) {
			t.Errorf("ignored: got %q, want %q among them", doc.Ignored, name)
		}
	}
	if !slices.Contains(doc.Strangers, "personne") || len(doc.Strangers) != len(before.Strangers)+1 {
		t.Errorf("strangers: got %q, want those of before and personne: %q", doc.Strangers, before.Strangers)
	}
}
