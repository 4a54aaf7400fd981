package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/conformance"
)

// Every line of the parts of both seasons is valid under the schema of parts. A line with one member more is refused by the schema, and a
// part with such a line by the merge; one with a member less by the schema.
func TestSchemaOverParts(t *testing.T) {
	schema := compiled(t, "part")
	for _, season := range []string{"season", "season-open"} {
		var parts []string
		for i := 1; i <= 2; i++ {
			part := filepath.Join(t.TempDir(), fmt.Sprint("part-", i))
			var errs bytes.Buffer
			if code := Main(t.Context(), []string{"season", "score", "../../../testdata/" + season, "--shard", fmt.Sprint(i, "/2"), "--out", part, "--quiet"}, Streams{Out: io.Discard, Err: &errs}); code == 2 {
				t.Fatal(errs.String())
			}
			parts = append(parts, part)
		}
		b, err := os.ReadFile(parts[0])
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(strings.TrimSuffix(string(b), "\n"), "\n")
		if len(lines) < 3 {
			t.Fatalf("%s: %d lines, want a first, a last, and participants", season, len(lines))
		}
		for i, line := range lines {
			if err := bySchema(t, schema, []byte(line)); err != nil {
				t.Errorf("%s, line %d: %v", season, i+1, err)
			}
		}
		for _, i := range []int{0, 1, len(lines) - 1} {
			more := strings.Replace(lines[i], "{", `{"else":1,`, 1)
			if bySchema(t, schema, []byte(more)) == nil {
				t.Errorf("%s, line %d: the schema accepts a member more", season, i+1)
			}
			changed := strings.Join(lines[:i], "") + more + strings.Join(lines[i+1:], "") + "\n"
			if err := os.WriteFile(parts[0], []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			if code := Main(t.Context(), append([]string{"season", "merge", "--out", filepath.Join(t.TempDir(), "x"), "--quiet"}, parts...), Streams{Out: io.Discard, Err: io.Discard}); code != 2 {
				t.Errorf("%s, line %d with a member more: the merge gives exit code %d, want 2", season, i+1, code)
			}
			var members map[string]json.RawMessage
			if err := json.Unmarshal([]byte(lines[i]), &members); err != nil {
				t.Fatal(err)
			}
			for name, value := range members {
				delete(members, name)
				less, err := json.Marshal(members)
				if err != nil {
					t.Fatal(err)
				}
				if members[name] = value; bySchema(t, schema, less) == nil {
					t.Errorf("%s, line %d: the schema accepts a line without %s", season, i+1, name)
				}
			}
		}
	}
}

// What another verifier is asked is valid under its schema, for every case of the suite.
func TestSchemaOverQuestions(t *testing.T) {
	const suite = "../../../testdata/conformance"
	root, err := filepath.Abs(suite)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := conformance.Load(os.DirFS(suite))
	if err != nil || len(cases) < 150 {
		t.Fatalf("%d cases, want at least 150: %v", len(cases), err)
	}
	schema := compiled(t, "conformance.request")
	for _, c := range cases {
		b, err := json.Marshal(questionOf(root, c))
		if err != nil {
			t.Fatal(err)
		}
		if err := bySchema(t, schema, b); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	for _, bad := range []string{
		`{}`, `{"format":"proveit.conformance.request/v1","case":"c","question":"canon","folder":"/c"}`,
		`{"format":"proveit.conformance.request/v2","case":"c","question":"canon","folder":"/c","input":{}}`,
		`{"format":"proveit.conformance.request/v1","case":"c","question":"canon","folder":"/c","input":{"file":1}}`,
		`{"format":"proveit.conformance.request/v1","case":"c","question":"canon","folder":"/c","input":{},"else":1}`,
	} {
		if bySchema(t, schema, []byte(bad)) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
}
