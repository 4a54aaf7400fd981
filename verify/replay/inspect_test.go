package replay_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/replay"
)

func inspect(t *testing.T, dir string) *replay.Inspection {
	t.Helper()
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	doc, err := replay.Inspect(b, true)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// preparation copies what a season under preparation has: no proof, no submission.
func preparation(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"corpus", "freeze"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(mintedSeason, name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"season.json", "enrolments.json"} {
		b, err := os.ReadFile(filepath.Join(mintedSeason, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, b)
	}
	return dir
}

func write(t *testing.T, dir, name string, b []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// edit changes one JSON file of a season.
func edit(t *testing.T, dir, name string, f func(root map[string]any)) {
	t.Helper()
	var root map[string]any
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	f(root)
	if b, err = json.Marshal(root); err != nil {
		t.Fatal(err)
	}
	write(t, dir, name, b)
}

// page changes a page of the corpus and writes the manifest again, so that the page is the fault and not its hash.
func page(t *testing.T, dir, name string, f func(root map[string]any)) {
	t.Helper()
	edit(t, dir, "corpus/pages/"+name, f)
	rebuild(t, dir)
}

func rebuild(t *testing.T, dir string) {
	t.Helper()
	b, err := bundle.Open(dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	raw, err := b.Read("corpus/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse("corpus/manifest.json", raw)
	if err != nil {
		t.Fatal(err)
	}
	text, err := manifest.Build(b, m, "corpus")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "corpus/manifest.json", text)
}

// firstClaim is the first claim of the first task's first fact: /agrements/AGR-6812, /statut, "valide".
func firstClaim(key map[string]any) map[string]any {
	fact := key["tasks"].([]any)[0].(map[string]any)["facts"].([]any)[0].(map[string]any)
	return fact["forms"].([]any)[0].([]any)[0].(map[string]any)
}

func task(scale map[string]any, i int) map[string]any {
	return scale["tasks"].([]any)[i].(map[string]any)
}

func entry(m map[string]any, i int) map[string]any { return m["resources"].([]any)[i].(map[string]any) }

const (
	keyFile   = "freeze/key-conformite.json"
	scaleFile = "freeze/bareme-conformite.json"
)

// seeded are the faults that season verify must find, each put into a copy of a good season, with the code and the place that name it.
// also are codes that the same fault brings with it.
var seeded = []struct {
	name, code, place string
	also              []string
	seed              func(t *testing.T, dir string)
}{
	{"a fact on a field that is not admissible", "fact_inadmissible", keyFile + "#/tasks/0/facts/0/forms/0/0/field", nil, func(t *testing.T, dir string) {
		edit(t, dir, keyFile, func(key map[string]any) {
			claim := firstClaim(key)
			claim["resource"], claim["field"], claim["value"] = "/entites/ENT-3963", "/denomination", "Courtage Féraud d’Aÿ"
		})
	}},
	{"a minimum that own resources cannot reach", "minimum_unreachable", scaleFile + "#/tasks/0/min_assertions", nil, func(t *testing.T, dir string) {
		edit(t, dir, scaleFile, func(scale map[string]any) {
			task(scale, 0)["min_assertions"], task(scale, 0)["max_assertions"] = 80, 160
		})
	}},
	{"two resources with one hash", "request_hash_repeated", "corpus/manifest.json#/resources/1", []string{"url_differs"}, func(t *testing.T, dir string) {
		edit(t, dir, "corpus/manifest.json", func(m map[string]any) { entry(m, 1)["url"] = entry(m, 0)["url"] })
		rebuild(t, dir)
	}},
	{"a number in the corpus", "number_in_page", "corpus/pages/entites__ENT-3963.json#/effectif", nil, func(t *testing.T, dir string) {
		page(t, dir, "entites__ENT-3963.json", func(p map[string]any) { p["effectif"] = 12 })
	}},
	{"an empty body", "falsy_body", "corpus/pages/annexes__ANX-8921.json", nil, func(t *testing.T, dir string) {
		page(t, dir, "annexes__ANX-8921.json", func(p map[string]any) { clear(p) })
	}},
	{"a URL that is not base_url + resource", "url_differs", "corpus/manifest.json#/resources/0/url", nil, func(t *testing.T, dir string) {
		edit(t, dir, "corpus/manifest.json", func(m map[string]any) { entry(m, 0)["url"] = entry(m, 0)["url"].(string) + "/" })
		rebuild(t, dir)
	}},
	{"a fact that is false on the corpus", "fact_false", keyFile + "#/tasks/0/facts/0/forms/0/0/value", nil, func(t *testing.T, dir string) {
		edit(t, dir, keyFile, func(key map[string]any) { firstClaim(key)["value"] = "suspendu" })
	}},
	{"a link to nowhere", "link_to_nowhere", scaleFile + "#/graph", nil, func(t *testing.T, dir string) {
		page(t, dir, "beneficiaires__ENT-1634__1.json", func(p map[string]any) { p["page_suivante"] = "/ailleurs/2" })
	}},
	{"a key with a verdict outside the set", "verdict_unknown", keyFile + "#/tasks/0/verdict", []string{"distribution_differs"}, func(t *testing.T, dir string) {
		edit(t, dir, keyFile, func(key map[string]any) { task(key, 0)["verdict"] = "presque_conforme" })
	}},
	{"a distribution that does not match the key", "distribution_differs", scaleFile + "#/published_distribution/conforme", nil, func(t *testing.T, dir string) {
		edit(t, dir, scaleFile, func(scale map[string]any) { scale["published_distribution"].(map[string]any)["conforme"] = 5 })
	}},
	{"a task missing from the key", "key_task_missing", keyFile + "#/tasks", []string{"distribution_differs", "control_count"}, func(t *testing.T, dir string) {
		edit(t, dir, keyFile, func(key map[string]any) { key["tasks"] = key["tasks"].([]any)[1:] })
	}},
	{"a season that closes before it opens", "closes_before_opens", "season.json#/closes_at", nil, func(t *testing.T, dir string) {
		edit(t, dir, "season.json", func(s map[string]any) { s["closes_at"] = "2026-09-20T00:00:00Z" })
	}},
}

func TestInspectFindsSeededFaults(t *testing.T) {
	if len(seeded) < 12 {
		t.Fatalf("%d faults, want twelve", len(seeded))
	}
	for _, f := range seeded {
		t.Run(f.name, func(t *testing.T) {
			dir := preparation(t)
			f.seed(t, dir)
			doc := inspect(t, dir)
			if doc.ExitCode != 1 {
				t.Errorf("exit code %d, want 1", doc.ExitCode)
			}
			found := false
			for _, notice := range doc.Faults {
				at := strings.TrimSuffix(notice.Detail.File+"#"+notice.Detail.Pointer, "#")
				switch {
				case string(notice.Code) == f.code && at == f.place:
					found = true
					if notice.Detail.Found == "" || notice.Detail.Expected == "" {
						t.Errorf("%s says %+v, want what was found and expected", f.code, notice.Detail)
					}
				case !slices.Contains(f.also, string(notice.Code)):
					t.Errorf("also found %s at %s", notice.Code, at)
				}
			}
			if !found {
				t.Errorf("found %+v, want %s at %s", doc.Faults, f.code, f.place)
			}
		})
	}
}

func TestInspectAGoodSeason(t *testing.T) {
	doc := inspect(t, preparation(t))
	if doc.ExitCode != 0 || len(doc.Faults) != 0 || doc.Pages < 100 || len(doc.Tracks) != 2 {
		t.Fatalf("exit %d, faults %+v, %d pages, %d tracks", doc.ExitCode, doc.Faults, doc.Pages, len(doc.Tracks))
	}
	// By hand from bareme-conformite.json: non_conforme is the most frequent verdict, 4 of 10.
	if best := doc.Tracks[0].BestConstant; best.Verdict != "non_conforme" || best.Success.Exact != 4 || best.Success.Percent != "40.00" {
		t.Errorf("best constant %+v", best)
	}
	if filler := doc.Tracks[0].BestFiller; filler == nil || filler.Success.Tasks != 10 || filler.Success.Exact > 4 {
		t.Errorf("best filler %+v, want at most the best constant", filler)
	}
	// By hand from the rules of the scale and the pages of ENT-3963, in order: the entity, then the first page of its beneficiaries.
	graph := doc.Tracks[0].Tasks[0].Graph
	if len(graph) < 8 || graph[0].Resource != "/entites/ENT-3963" || !graph[0].Own || graph[0].From != "" {
		t.Errorf("graph %+v", graph)
	}
	if i := slices.IndexFunc(graph, func(r replay.InspectedResource) bool { return r.Resource == "/agrements/AGR-6812" }); i < 0 || graph[i].From != "/entites/ENT-3963" {
		t.Errorf("graph %+v, want /agrements/AGR-6812 from the entity", graph)
	}
}

// TestInspectGoesOn: a malformed file, a missing one and a fault elsewhere are all named.
func TestInspectGoesOn(t *testing.T) {
	dir := preparation(t)
	edit(t, dir, "freeze/bareme-generique.json", func(scale map[string]any) { scale["extra"] = true })
	edit(t, dir, keyFile, func(key map[string]any) { firstClaim(key)["value"] = "suspendu" })
	write(t, dir, "enrolments.json", []byte("{"))
	remove(t, dir, "freeze/bareme-conformite.md", "freeze/key-generique.json")
	doc := inspect(t, dir)
	var got []string
	for _, f := range doc.Faults {
		got = append(got, fmt.Sprintf("%s %s", f.Code, f.Detail.File))
	}
	want := []string{"file_malformed enrolments.json", "file_malformed freeze/bareme-generique.json", "fact_false " + keyFile}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if missing := []string{"freeze/bareme-conformite.md", "freeze/key-generique.json"}; !slices.Equal(doc.Missing, missing) {
		t.Errorf("missing %v, want %v", doc.Missing, missing)
	}
	if doc.ExitCode != 2 {
		t.Errorf("exit code %d, want 2", doc.ExitCode)
	}
}

// TestInspectMissingOnly: files that are not there, and nothing else, leave the question open; they bring no fault of their own.
func TestInspectMissingOnly(t *testing.T) {
	for _, name := range []string{"corpus/pages/entites__ENT-3963.json", "corpus/manifest.json", keyFile, scaleFile, "freeze/freeze.json"} {
		dir := preparation(t)
		remove(t, dir, name)
		if doc := inspect(t, dir); doc.ExitCode != 3 || !slices.Equal(doc.Missing, []string{name}) || len(doc.Faults) != 0 {
			t.Errorf("without %s: exit %d, missing %v, faults %+v", name, doc.ExitCode, doc.Missing, doc.Faults)
		}
	}
}

func TestInspectNames(t *testing.T) {
	dir := preparation(t)
	write(t, dir, "freeze/KEY-conformite.json", []byte("{}"))
	write(t, dir, "notes.txt", []byte("outside"))
	if err := os.Symlink("season.json", filepath.Join(dir, "corpus/link.json")); err != nil {
		t.Skip("no symbolic links on this system")
	}
	doc := inspect(t, dir)
	codes := map[string]bool{}
	for _, f := range doc.Faults {
		codes[string(f.Code)] = true
	}
	if !codes["case_twin"] || !codes["symbolic_link"] || len(codes) != 2 || !slices.Equal(doc.Ignored, []string{"notes.txt"}) {
		t.Errorf("faults %+v, ignored %v", doc.Faults, doc.Ignored)
	}
}

func TestInspectUnknownVersion(t *testing.T) {
	dir := preparation(t)
	edit(t, dir, scaleFile, func(scale map[string]any) { scale["version"] = "Conformite-bareme-v3" })
	doc := inspect(t, dir)
	if len(doc.Faults) != 1 || doc.Faults[0].Code != replay.ReasonScaleVersion || doc.ExitCode != 2 {
		t.Errorf("faults %+v, exit %d", doc.Faults, doc.ExitCode)
	}
}
