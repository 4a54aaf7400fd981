package cli

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/trust"
)

// schemaFor is the schema of a file of a bundle by its name; empty where there is none.
func schemaFor(name string) string {
	base := path.Base(name)
	switch {
	case name == "season.json", name == "enrolments.json", name == "expected.json":
		return strings.TrimSuffix(name, ".json")
	case name == "corpus/manifest.json":
		return "manifest"
	case strings.HasPrefix(name, "freeze/bareme-") && strings.HasSuffix(name, ".json"):
		return "bareme"
	case strings.HasPrefix(name, "freeze/key-"):
		return "key"
	case name == "freeze/freeze.json":
		return "freeze"
	case strings.HasPrefix(name, "submissions/") && strings.HasSuffix(name, ".json"):
		return "submission"
	case strings.HasPrefix(name, "published/index-"), base == "index.json":
		return "index"
	case base == "report.json", base == "replay.json":
		return strings.TrimSuffix(base, ".json")
	}
	return ""
}

// bundles are the seasons of the repository and those beside it.
func bundles(t *testing.T) []string {
	t.Helper()
	out := []string{"../../../testdata/season", "../../../testdata/season-open"}
	beside, _ := filepath.Glob("../../../../shared/seasons/*.zip")
	return append(out, beside...)
}

// fraction finds a whole number that is written with a fraction.
var fraction = regexp.MustCompile(`:\s*-?[0-9]+\.0+\s*[,}\]]`)

// readHeld asks the Go validator of a format. A key of another season or track than that of the document above is read all the same.
func readHeld(name string, b []byte) []string {
	refused := held[name].read(b)
	if name == "key" && refused != nil && (refused[0] == "season 1" || strings.HasPrefix(refused[0], "track ")) {
		return nil // of another season or track than the test's document
	}
	return refused
}

// agree compares the verdicts on one vector. It reports whether the document could be compared: what is no strict JSON has no schema.
func agree(t *testing.T, schemas map[string]*jsonschema.Schema, name, file string, b []byte) bool {
	t.Helper()
	if schemas[name] == nil {
		schemas[name] = compiled(t, name)
	}
	if _, err := canon.ParseStrict(file, b); err != nil {
		return false
	}
	err := bySchema(t, schemas[name], b)
	if held[name].read == nil {
		if err != nil {
			t.Errorf("%s: the schema refuses it: %v", file, err)
		}
		return true
	}
	refused, what := readHeld(name, b), file
	if fraction.Match(b) {
		what += " = 1.0"
	}
	switch {
	case refused == nil && err != nil:
		t.Errorf("%s: the schema alone refuses it: %v", file, err)
	case refused != nil && err == nil && !beyondSchema(what, refused, held[name].beyond):
		t.Errorf("%s: the validator alone refuses it: wants %q", file, refused)
	}
	return true
}

// Over every file of every season, a schema says what the Go validator says.
func TestSchemasOverSeasons(t *testing.T) {
	schemas, compared := map[string]*jsonschema.Schema{}, map[string]int{}
	for _, at := range bundles(t) {
		b, err := bundle.Open(at, bundle.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range b.Names() {
			kind := schemaFor(name)
			if kind == "" {
				continue
			}
			content, err := b.Read(name)
			if err != nil || kind == "expected" && !bytes.Contains(content, []byte(`"proveit.expected/v1"`)) {
				continue // unreadable, or of another generator
			}
			if agree(t, schemas, kind, filepath.Base(at)+"/"+name, content) {
				compared[kind]++
			}
		}
		b.Close()
	}
	for kind, least := range map[string]int{"season": 2, "enrolments": 2, "manifest": 2, "bareme": 4, "key": 4, "freeze": 2, "submission": 50, "index": 4, "expected": 2} {
		if compared[kind] < least {
			t.Errorf("%s: %d files compared, want at least %d", kind, compared[kind], least)
		}
	}
}

// The submissions of the shared cases, each with one fault.
func TestSchemaOverSharedSubmissions(t *testing.T) {
	files, _ := filepath.Glob("../../../../shared/cases/score/*/*.json")
	if len(files) == 0 {
		t.Skip("the shared cases are not beside the repository")
	}
	schemas, compared := map[string]*jsonschema.Schema{}, 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if agree(t, schemas, "submission", filepath.Base(file), b) {
			compared++
		}
	}
	if compared < 20 {
		t.Errorf("%d submissions compared, want at least 20", compared)
	}
}

// A view that verifies, or that only waits for its batch, is accepted by the schema of views; what the schema refuses is never valid.
func TestSchemaOverProofViews(t *testing.T) {
	schema := compiled(t, "proof-view")
	accepted, refused := 0, 0
	for _, at := range []string{"../../../testdata/season", "../../../testdata/season-open"} {
		b, err := bundle.Open(at, bundle.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		below, err := fs.Sub(b, "trust")
		if err != nil {
			t.Fatal(err)
		}
		store, err := trust.Load(below, "bundle")
		if err != nil {
			t.Fatal(err)
		}
		verifier, index := proof.NewVerifier(store), rekor.NewIndex(entriesOf(t, b))
		for _, name := range b.Under("proofs") {
			content, err := b.Read(name)
			if err != nil {
				continue
			}
			views, err := proof.Views(name, content)
			if err != nil {
				continue
			}
			for _, v := range views {
				if v.Proof == nil {
					continue
				}
				result := verifier.Verify(v.Proof, proof.Evidence{Entries: index.Named(v.Proof.EntryUUID())})
				err := bySchema(t, schema, []byte(v.Proof.Text()))
				if err == nil {
					accepted++
				} else if refused++; result.Outcome == proof.Valid || result.Outcome == proof.Pending {
					t.Errorf("%s: %s is %s, and the schema refuses it: %v", name, v.ID, result.Outcome, err)
				}
			}
		}
	}
	if accepted < 100 {
		t.Errorf("%d views accepted, want at least 100", accepted)
	}
	for _, bad := range []string{`{}`, `{"proof_id":"prf_20260901_000000_0000aa"}`, `{"proofs":[]}`, `{"proofs":{"prf_20260901_000000_0000aa":1}}`} {
		if bySchema(t, schema, []byte(bad)) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
	t.Logf("%d views accepted, %d refused", accepted, refused)
}

func entriesOf(t *testing.T, b *bundle.Bundle) []rekor.Entry {
	t.Helper()
	var out []rekor.Entry
	for _, name := range b.Under("rekor") {
		content, err := b.Read(name)
		if err != nil {
			continue
		}
		if entries, err := rekor.ParseEntries(name, content); err == nil {
			out = append(out, entries...)
		}
	}
	return out
}

// Every JSON document of a scored season is valid under its schema.
func TestScoredFolderIsValid(t *testing.T) {
	schemas, seen := map[string]*jsonschema.Schema{}, map[string]int{}
	for _, season := range []string{"season", "season-open"} {
		dir := filepath.Join(t.TempDir(), season)
		var errs bytes.Buffer
		Main(t.Context(), []string{"season", "score", "../../../testdata/" + season, "--out", dir, "--quiet"}, Streams{Out: io.Discard, Err: &errs})
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".json" {
				return err
			}
			kind := schemaFor(filepath.Base(name))
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if kind == "" || !agree(t, schemas, kind, name, b) {
				t.Errorf("%s has no schema, or is no strict JSON", name)
			}
			seen[kind]++
			return nil
		})
		if err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
	}
	if seen["replay"] != 2 || seen["index"] < 4 || seen["report"] < 20 {
		t.Errorf("looked at %v, want 2 replays, their indexes and every report", seen)
	}
}

// The cases of the conformance suite are valid under their schema.
func TestSchemaOverConformanceCases(t *testing.T) {
	files, _ := filepath.Glob("../../../testdata/conformance/*/expected.json")
	if len(files) < 150 {
		t.Fatalf("found %d cases, want at least 150", len(files))
	}
	schema := compiled(t, "conformance")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := bySchema(t, schema, b); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
