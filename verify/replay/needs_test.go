package replay_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/replay"
)

const mintedSeason = "../../testdata/season"

// seasonCopy copies the minted season to a folder that a test may change.
func seasonCopy(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "season")
	if err := os.CopyFS(dir, os.DirFS(mintedSeason)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func remove(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func findNeeds(t *testing.T, dir string, beforeClose bool) *replay.Needs {
	t.Helper()
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	n, err := replay.FindNeeds(context.Background(), b, replay.Options{Jobs: 2}, beforeClose)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNeedsOfAWholeSeason(t *testing.T) {
	n := findNeeds(t, mintedSeason, false)
	if n.ExitCode != 0 || len(n.ProofRequests)+len(n.LogRequests)+len(n.Files)+len(n.Trust)+len(n.Pending) > 0 {
		t.Errorf("found %+v, want nothing to fetch", n)
	}
	if n.Submissions == 0 || n.Proofs == 0 {
		t.Errorf("looked at %d submissions and %d proofs, want some", n.Submissions, n.Proofs)
	}
}

// citedByHand lists, with nothing but encoding/json, every proof of the freezes and of the submissions that passed entry.
func citedByHand(t *testing.T, dir string, refused []string) []string {
	t.Helper()
	ids := map[string]bool{}
	var freezes struct{ Freezes []struct{ Proof_id string } }
	unmarshal(t, filepath.Join(dir, "freeze/freeze.json"), &freezes)
	for _, f := range freezes.Freezes {
		ids[f.Proof_id] = true
	}
	files, err := filepath.Glob(filepath.Join(dir, "submissions/agent-*/*/*.json"))
	if err != nil || len(files) < 50 {
		t.Fatalf("found %d submissions (%v), want at least 50", len(files), err)
	}
	for _, name := range files {
		rel, _ := filepath.Rel(dir, name)
		if slices.Contains(refused, filepath.ToSlash(rel)) {
			continue
		}
		var s struct{ Disclosures map[string]any }
		unmarshal(t, name, &s)
		for id := range s.Disclosures {
			ids[id] = true
		}
	}
	out := make([]string, 0, len(ids))
	for id := range ids {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

func unmarshal(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestNeedsWithoutProofs: with no proof at all, every cited one is asked for, in sorted groups of 50, and no log entry, whose UUIDs are
// then unknown.
func TestNeedsWithoutProofs(t *testing.T) {
	dir := seasonCopy(t)
	remove(t, dir, "proofs")
	n := findNeeds(t, dir, false)
	var asked []string
	for i, r := range n.ProofRequests {
		if i < len(n.ProofRequests)-1 && len(r.ProofIDs) != 50 || len(r.ProofIDs) > 50 || len(r.ProofIDs) == 0 {
			t.Errorf("request %d has %d ids, want groups of 50", i, len(r.ProofIDs))
		}
		asked = append(asked, r.ProofIDs...)
	}
	if want := citedByHand(t, dir, n.Refused); !slices.Equal(asked, want) {
		t.Errorf("asked for %d proofs, want %d", len(asked), len(want))
	}
	if len(n.LogRequests) != 0 || n.ExitCode != 3 {
		t.Errorf("%d log requests, exit %d, want 0 and 3", len(n.LogRequests), n.ExitCode)
	}
}

// TestNeedsWithoutLog: the UUIDs are those that the views name, in groups of 10; those of proofs that fail anyway are not asked for.
func TestNeedsWithoutLog(t *testing.T) {
	dir := seasonCopy(t)
	remove(t, dir, "rekor")
	n := findNeeds(t, dir, false)
	named := map[string]bool{}
	err := filepath.WalkDir(filepath.Join(dir, "proofs"), func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		for _, part := range strings.Split(string(b), `"uuid"`)[1:] {
			named[strings.SplitN(part, `"`, 3)[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for i, r := range n.LogRequests {
		if i < len(n.LogRequests)-1 && len(r.EntryUUIDs) != 10 {
			t.Errorf("request %d has %d UUIDs, want groups of 10", i, len(r.EntryUUIDs))
		}
		for _, uuid := range r.EntryUUIDs {
			asked++
			if !named[uuid] {
				t.Errorf("asked for %s, which no view names", uuid)
			}
		}
	}
	if asked < 20 || n.ExitCode != 3 || len(n.ProofRequests) != 0 {
		t.Errorf("asked for %d entries, %d proof requests, exit %d", asked, len(n.ProofRequests), n.ExitCode)
	}
}

func TestNeedsFilesAndTrust(t *testing.T) {
	dir, aside := seasonCopy(t), t.TempDir()
	for name, c := range map[string]struct {
		gone  []string
		files []string
		trust []string // kinds
	}{
		"key":        {gone: []string{"freeze/key-generique.json"}, files: []string{"freeze/key-generique.json"}},
		"page":       {gone: []string{"corpus/pages/besoins__BES-03.json"}, files: []string{"corpus/pages/besoins__BES-03.json"}},
		"superseded": {gone: []string{"freeze/superseded/manifest.json"}, files: []string{"freeze/superseded/manifest.json"}},
		"enrolments": {gone: []string{"enrolments.json"}, files: []string{"enrolments.json"}},
		"freeze":     {gone: []string{"freeze/freeze.json"}, files: []string{"freeze/freeze.json"}},
		"manifest":   {gone: []string{"corpus/manifest.json"}, files: []string{"corpus/manifest.json"}},
		"authority":  {gone: []string{"trust/tsa/freetsa.org"}, trust: []string{"tsa"}},
		"no trust":   {gone: []string{"trust"}, trust: []string{"tsa", "issuer_keys", "log_keys", "rekor_keys"}},
	} {
		t.Run(name, func(t *testing.T) {
			for i, name := range c.gone {
				there, away := filepath.Join(dir, name), filepath.Join(aside, strconv.Itoa(i))
				if err := os.Rename(there, away); err != nil {
					t.Fatal(err)
				}
				defer os.Rename(away, there)
			}
			n := findNeeds(t, dir, false)
			var kinds []string
			for _, m := range n.Trust {
				if !slices.Contains(kinds, m.Kind) {
					kinds = append(kinds, m.Kind)
				}
			}
			if !slices.Equal(n.Files, append([]string{}, c.files...)) || !slices.Equal(kinds, c.trust) || n.ExitCode != 3 {
				t.Errorf("files %v, trust %v, exit %d, want %v, %v, 3", n.Files, kinds, n.ExitCode, c.files, c.trust)
			}
		})
	}
}

// TestNeedsBeforeClose: nothing that is revealed at the close is asked for, and no key is read.
func TestNeedsBeforeClose(t *testing.T) {
	dir := seasonCopy(t)
	remove(t, dir, "corpus", "freeze/freeze.json", "freeze/key-generique.json", "freeze/superseded")
	if err := os.WriteFile(filepath.Join(dir, "freeze/key-conformite.json"), []byte("not JSON"), 0o644); err != nil {
		t.Fatal(err)
	}
	if n := findNeeds(t, dir, true); n.ExitCode != 0 || n.Submissions == 0 {
		t.Errorf("found %+v, want nothing to fetch", n)
	}
}

func TestNeedsOfPendingProofs(t *testing.T) {
	n := findNeeds(t, "../../testdata/season-open", false)
	if len(n.Pending) == 0 || n.ExitCode != 3 {
		t.Fatalf("pending %v, exit %d, want some and 3", n.Pending, n.ExitCode)
	}
	for _, id := range n.Pending {
		if !slices.Contains(n.ProofRequests[0].ProofIDs, id) {
			t.Errorf("pending %s is not asked for", id)
		}
	}
}

func TestNeedsOfNothing(t *testing.T) {
	dir := seasonCopy(t)
	remove(t, dir, "submissions", "freeze/freeze.json")
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if n, err := replay.FindNeeds(context.Background(), b, replay.Options{}, true); err == nil {
		t.Errorf("found %+v, want an error: nothing was examined", n)
	}
}
