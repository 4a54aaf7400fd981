package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

var update = flag.Bool("update", false, "write the schemas of what commands print again")

// outputs are the documents that commands print with -o json, by the short name of their format. Their schemas are made from the types; a
// list holds the documents of one format that differ in shape.
var outputs = map[string]struct {
	command string
	doc     any
}{
	"asa-bundle-manifest": {"asa bundle-manifest", asaPackageDoc{}},
	"asa-canon":           {"asa canon", asaCanonDoc{}},
	"asa-defaults":        {"asa defaults", asaTable{}},
	"asa-explain":         {"asa explain", asaExplained{}},
	"asa-scale":           {"asa scale", asaTable{}},
	"asa-sign-message":    {"asa sign-message", asaMessageDoc{}},
	"asa-templates":       {"asa templates", asaTable{}},
	"canon":               {"canon", canonDoc{}},
	"codes":               {"explain", codesDoc{}},
	"commitment":          {"freeze commit", commitDoc{}},
	"conformance.request": {"conformance --command", question{}},
	"conformance.result":  {"conformance", conformanceDoc{}},
	"diff":                {"season diff", replay.Diff{}},
	"disclosures":         {"submission disclose", disclosedDoc{}},
	"explain":             {"explain", explained{}},
	"explanation":         {"season explain", replay.Explanation{}},
	"freeze-check":        {"freeze verify", freezeDoc{}},
	"import":              {"season import", replay.Import{}},
	"inspection":          {"season verify", replay.Inspection{}},
	"manifest-build":      {"manifest build", builtDoc{}},
	"manifest-check":      {"manifest verify", corpusDoc{}},
	"manifest-diff":       {"manifest diff", corpusDiffDoc{}},
	"needs":               {"season needs", replay.Needs{}},
	"open":                {"open", openDoc{}},
	"page":                {"manifest show", []any{pageDoc{}, checked{}}},
	"part":                {"season score --shard", []any{replay.PartHead{}, replay.PartLine{}, replay.PartTail{}}},
	"proof":               {"proof verify", proofDoc{}},
	"rekor":               {"rekor verify", rekorDoc{}},
	"schemas":             {"schema", schemasDoc{}},
	"score":               {"score", oneDoc{}},
	"season-score":        {"season score", scoreDoc{}},
	"simulate":            {"season simulate", simulatedDoc{}},
	"submission-check":    {"submission check", submissionDoc{}},
	"trust":               {"trust show", trustDoc{}},
	"tsa":                 {"tsa verify", checked{}},
	"version": {"version", struct {
		Format   string `json:"format"`
		ExitCode int    `json:"exit_code"`
		Version  string `json:"version"`
	}{}},
}

// about are those schemas that are not of what a command prints: what they describe.
var about = map[string]string{
	"conformance.request": "The question that the program named with --command reads on standard input: one document for each case.",
	"part":                "One line of the file that a part of a season is written to. The first has everything that is known before anybody is judged, the last the files that were read and the anchors that were verified, and each line between one judged participant.",
}

// formats are those whose name is not that of the schema: the schema "submission" is that of a submission itself.
var formats = map[string]string{"submission-check": "submission"}

// shaper makes schemas of Go types as encoding/json writes them.
type shaper struct {
	defs  map[string]any
	types map[string]reflect.Type
}

func (s *shaper) shape(t reflect.Type) any {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) || t == reflect.TypeFor[json.RawMessage]() {
		return true
	}
	switch t.Kind() {
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Int32:
		return map[string]any{"type": "integer"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Array:
		return map[string]any{"type": "array", "items": s.shape(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.shape(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.shape(t.Elem())}
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{s.shape(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Struct:
		return s.named(t)
	}
	return true
}

// named keeps the shape of a struct under its name.
func (s *shaper) named(t reflect.Type) any {
	name := strings.ToLower(t.Name()[:1]) + t.Name()[1:]
	for i := 2; s.types[name] != nil && s.types[name] != t; i++ {
		name = fmt.Sprintf("%s%d", name, i)
	}
	if s.types[name] == nil {
		s.types[name] = t
		s.defs[name] = s.object(t)
	}
	return map[string]any{"$ref": "#/$defs/" + name}
}

func (s *shaper) object(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	s.members(t, properties, &required)
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func (s *shaper) members(t reflect.Type, properties map[string]any, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case name == "" && f.Anonymous:
			s.members(f.Type, properties, required)
			continue
		case name == "":
			name = f.Name
		}
		properties[name] = s.shape(f.Type)
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			*required = append(*required, name)
		}
	}
}

// document is the shape of a whole document: its format is fixed, and its exit code is one of those that come with a document.
func (s *shaper) document(name string, t reflect.Type) map[string]any {
	out := s.object(t)
	format := formats[name]
	if format == "" {
		format = name
	}
	properties := out["properties"].(map[string]any)
	if properties["format"] != nil {
		properties["format"] = map[string]any{"const": "proveit." + format + "/v1"}
	}
	if properties["exit_code"] != nil {
		properties["exit_code"] = map[string]any{"enum": []int{0, 1, 3}}
	}
	return out
}

// outputSchema is the schema of what a command prints.
func outputSchema(name, command string, doc any) ([]byte, error) {
	s := &shaper{defs: map[string]any{}, types: map[string]reflect.Type{}}
	shapes, several := doc.([]any)
	if !several {
		shapes = []any{doc}
	}
	var alternatives []any
	for _, shape := range shapes {
		alternatives = append(alternatives, s.document(name, reflect.TypeOf(shape)))
	}
	top := map[string]any{"anyOf": alternatives}
	if !several {
		top = alternatives[0].(map[string]any)
	}
	top["$schema"], top["$id"] = "https://json-schema.org/draft/2020-12/schema", "urn:proveit:schema:"+name
	top["title"], top["description"] = "proveit "+command+" -o json", "What the command prints, for every exit code but 2."
	if about[name] != "" {
		top["title"], top["description"] = "proveit "+command, about[name]
	}
	if len(s.defs) > 0 {
		top["$defs"] = s.defs
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(top)
	return b.Bytes(), err
}

// The schemas of what commands print are those of the types that they print. -update writes them again.
func TestOutputSchemas(t *testing.T) {
	for name, o := range outputs {
		want, err := outputSchema(name, o.command, o.doc)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(filepath.Join("../../../verify/report/schemas", name+".json"), want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, ok := report.Schema(name)
		if !ok || !bytes.Equal(got, want) {
			t.Errorf("the schema %s is not that of its type; write it again with go test ./cmd/internal/cli -run OutputSchemas -update", name)
		}
	}
}

// What commands print over the seasons of the repository is valid under the schema of its format, whatever the exit code.
func TestOutputsAreValid(t *testing.T) {
	const season, open, trust = "../../../testdata/season", "../../../testdata/season-open", "../../../testdata/season/trust"
	one := filepath.Join(season, "submissions/agent-0002/conformite/conf-01.json")
	views, err := filepath.Glob(filepath.Join(season, "proofs/agent-00*/*.json"))
	if err != nil || len(views) < 3 {
		t.Fatalf("found %d files of views, want some", len(views))
	}
	replayed, entry := filepath.Join(t.TempDir(), "replay.json"), ""
	if entries, _ := filepath.Glob(filepath.Join(season, "rekor/*.json")); len(entries) > 1 {
		entry = entries[1]
	}
	var doc bytes.Buffer
	Main(t.Context(), []string{"season", "replay", season, "-o", "json", "--quiet"}, Streams{Out: &doc, Err: &doc})
	if err := os.WriteFile(replayed, doc.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, args := range [][]string{
		{"canon", one}, {"explain", "did_differs"}, {"explain"}, {"schema"}, {"version"}, {"trust", "show", trust},
		{"proof", "verify", views[0], views[len(views)-1], "--rekor", filepath.Join(season, "rekor"), "--trust", trust}, {"proof", "verify", views[0]},
		{"open", views[0]}, {"open", views[0], "--disclosures", one},
		{"season", "needs", season}, {"season", "needs", open}, {"season", "verify", season}, {"season", "verify", season, "--graph"},
		{"season", "replay", season}, {"season", "replay", open}, {"season", "score", season, "--out", filepath.Join(t.TempDir(), "x")},
		{"freeze", "verify", season}, {"manifest", "verify", season}, {"manifest", "verify", filepath.Join(season, "corpus")}, {"manifest", "diff", filepath.Join(season, "corpus"), filepath.Join(open, "corpus")},
		{"manifest", "show", filepath.Join(season, "corpus"), "/nothing"}, {"score", one, "--season", season},
		{"season", "explain", season, "--participant", "agent-0009", "--track", "conformite", "--task", "conf-01", "--assertion", "a1"},
		{"season", "explain", season, "--participant", "agent-0004", "--task", "conf-01", "--assertion", "a1"},
		{"season", "import", season, views[0], "--dry-run"},
		{"season", "diff", replayed, replayed}, {"rekor", "verify", entry, "--trust", trust},
		{"asa", "audit", "../../../testdata/asa/bundle"}, {"asa", "defaults"}, {"asa", "templates"}, {"asa", "scale"}, {"asa", "explain"}, {"asa", "explain", "R076"},
		{"asa", "canon", "../../../testdata/asa/bundle/agreement.json"}, {"asa", "sign-message", "../../../testdata/asa/bundle/agreement.json", "--party", "client"},
		{"submission", "check", one}, {"submission", "check", one, "--season", season},
	} {
		var out, errs bytes.Buffer
		code := Main(t.Context(), append(args, "-o", "json", "--quiet"), Streams{Out: &out, Err: &errs})
		if code == 2 {
			t.Logf("%q: exit 2: %s", args, errs.String())
			continue
		}
		var head struct {
			Format string `json:"format"`
			Schema string `json:"schema"` // of a report on agreements
		}
		if err := json.Unmarshal(out.Bytes(), &head); err != nil {
			t.Errorf("%q: exit %d, %v: %.100s", args, code, err, out.String())
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(head.Format, "proveit."), "/v1")
		switch {
		case name == "submission":
			name = "submission-check"
		case head.Schema == "asa-report/1":
			name = "asa-report"
		}
		seen[name] = true
		if err := bySchema(t, compiled(t, name), out.Bytes()); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
	for _, name := range []string{"canon", "explain", "codes", "schemas", "version", "trust", "proof", "open", "needs", "inspection", "replay", "season-score", "freeze-check", "manifest-check", "manifest-diff", "page", "score", "submission-check",
		"explanation", "import", "diff", "rekor", "asa-report", "asa-canon", "asa-defaults", "asa-explain", "asa-scale", "asa-sign-message", "asa-templates"} {
		if !seen[name] {
			t.Errorf("no command printed a document of format %s", name)
		}
	}
}
