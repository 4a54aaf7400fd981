package replay_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/replay"
)

// TestPublishedRowOfWithheld: where the bundle lacks the evidence of a row, the rates that were published for it are an open question. Who the
// row is about, and that there is one, does not depend on evidence and is compared all the same.
func TestPublishedRowOfWithheld(t *testing.T) {
	for _, c := range []struct {
		name   string
		edit   func(rows []any) []any
		exit   int
		suffix string // of the one pointer that differs
	}{
		{"untouched", func(rows []any) []any { return rows }, 3, ""},
		{"other rates", func(rows []any) []any {
			row(rows[0])["success"] = map[string]any{"exact": 0, "tasks": 10, "percent": "0.00"}
			row(rows[0])["rendered"] = 7
			return rows
		}, 3, ""},
		{"another DID", func(rows []any) []any { row(rows[0])["did"] = "did:web:autre.example"; return rows }, 1, "/tables/community/0/did"},
		{"another stack", func(rows []any) []any { row(rows[1])["stack"] = "autre"; return rows }, 1, "/tables/community/1/stack"},
		{"fewer proofs", func(rows []any) []any { row(rows[0])["proofs"] = []any{}; return rows }, 1, "/tables/community/0/proofs/0"},
		{"a member more", func(rows []any) []any { row(rows[0])["note"] = "1"; return rows }, 1, "/tables/community/0/note"},
		{"twice", func(rows []any) []any { return append(rows, rows[0]) }, 1, "/tables/community/22"},
		{"left out", func(rows []any) []any { return rows[1:] }, 1, "/tables/community/21"},
	} {
		dir := copied(t)
		if err := os.RemoveAll(filepath.Join(dir, "rekor")); err != nil {
			t.Fatal(err)
		}
		change(t, filepath.Join(dir, "published", "index-conformite.json"), func(b []byte) []byte {
			var index map[string]any
			if err := json.Unmarshal(b, &index); err != nil {
				t.Fatal(err)
			}
			tables := row(index["tables"])
			tables["community"] = c.edit(tables["community"].([]any))
			out, err := json.Marshal(index)
			if err != nil {
				t.Fatal(err)
			}
			return append(out, '\n')
		})
		doc := run(t, dir, replay.Options{WithoutFreeze: true})
		d := doc.Published.Differences
		same(t, c.name+": exit code", doc.ExitCode, c.exit)
		switch {
		case c.suffix == "" && len(d) != 0:
			t.Errorf("%s: differences %v, want none", c.name, d)
		case c.suffix != "" && (len(d) == 0 || !strings.HasSuffix(d[0].Pointer, c.suffix)):
			t.Errorf("%s: differences %v, want the first at %s", c.name, d, c.suffix)
		}
	}
}

func row(v any) map[string]any { return v.(map[string]any) }

// TestPublishedOfAnotherFormat: an index of a format that this program does not know is not compared by guess.
func TestPublishedOfAnotherFormat(t *testing.T) {
	for _, format := range []string{`"proveit.index/v2"`, `null`} {
		dir := copied(t)
		change(t, filepath.Join(dir, "published", "index-conformite.json"), func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"proveit.index/v1"`, format, 1))
		})
		b, err := bundle.Open(dir, bundle.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		_, err = replay.Run(context.Background(), b, replay.Options{})
		var syntax *canon.SyntaxError
		if !errors.As(err, &syntax) || syntax.File != "published/index-conformite.json" || syntax.Pointer != "/format" {
			t.Errorf("format %s: %v, want an error at the member format", format, err)
		}
	}
}
