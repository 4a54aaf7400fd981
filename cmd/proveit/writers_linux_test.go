package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kind is what a command that writes leaves where it was told to write.
type kind int

const (
	wholeFolder kind = iota // a folder that appears whole, in the place of an earlier output
	oneFile                 // a file that appears whole
	growing                 // a folder that gains files, each whole
)

// writer is a command that writes, and what stood at its target before.
type writer struct {
	name   string
	kind   kind
	target string                                  // below the folder that is written to
	before func(t *testing.T, dir string)          // makes the earlier state
	args   func(t *testing.T, dir string) []string // what is run then
}

// smallSeason is a season of a few kilobytes with its trust folder.
func smallSeason(t *testing.T) []string {
	return []string{absolute(t, "testdata/conformance/_season"), "--trust", absolute(t, "testdata/conformance/_trust"), "--quiet"}
}

func succeeds(t *testing.T, args ...string) {
	t.Helper()
	if r := start(t, nil, "", program(t), args...); r.code != 0 {
		t.Fatalf("%v: exit code %d: %s", args, r.code, r.complaints)
	}
}

// writers are all commands that write. The earlier output is in French, the next one is in English.
func writers() []writer {
	return append(folderWriters(), append(fileWriters(), importers()...)...)
}

func nothing(*testing.T, string) {}

func folderWriters() []writer {
	score := func(t *testing.T, dir, lang string) []string {
		return append(append([]string{"season", "score"}, smallSeason(t)...), "--lang", lang, "--out", filepath.Join(dir, "out"))
	}
	return []writer{
		{"season score", wholeFolder, "out", func(t *testing.T, dir string) { succeeds(t, score(t, dir, "fr")...) },
			func(t *testing.T, dir string) []string { return score(t, dir, "en") }},
		{"season merge", wholeFolder, "out", func(t *testing.T, dir string) { succeeds(t, score(t, dir, "fr")...) },
			func(t *testing.T, dir string) []string {
				part := filepath.Join(t.TempDir(), "part")
				succeeds(t, append(append([]string{"season", "score"}, smallSeason(t)...), "--shard", "1/1", "--out", part)...)
				return []string{"season", "merge", part, "--lang", "en", "--quiet", "--out", filepath.Join(dir, "out")}
			}},
		{"season simulate", wholeFolder, "season", nothing,
			func(t *testing.T, dir string) []string {
				return []string{"season", "simulate", "--participants", "1", "--small", "--seed", "s", "--out", filepath.Join(dir, "season")}
			}},
	}
}

func fileWriters() []writer {
	manifest := func(t *testing.T, dir string) []string {
		return []string{"manifest", "build", absolute(t, "testdata/season/corpus"), "--out", filepath.Join(dir, "manifest.json")}
	}
	return []writer{
		{"season score --shard", oneFile, "part", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "part"), []byte("an earlier part\n")) },
			func(t *testing.T, dir string) []string {
				return append(append([]string{"season", "score"}, smallSeason(t)...), "--shard", "1/1", "--out", filepath.Join(dir, "part"))
			}},
		{"submission disclose --into", oneFile, "submission.json", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "submission.json"), withoutDisclosures()) },
			func(t *testing.T, dir string) []string {
				return []string{"submission", "disclose", absolute(t, "testdata/conformance/view-full/proof.json"), "--into", filepath.Join(dir, "submission.json")}
			}},
		{"manifest build, earlier one", oneFile, "manifest.json", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "manifest.json"), []byte("{}\n")) }, manifest},
		{"manifest build, first one", oneFile, "manifest.json", nothing, manifest},
		{"manifest build, in its folder", oneFile, "corpus/manifest.json", func(t *testing.T, dir string) {
			copied(t, absolute(t, "testdata/season/corpus"), filepath.Join(dir, "corpus"))
		}, func(t *testing.T, dir string) []string {
			return []string{"manifest", "build", filepath.Join(dir, "corpus"), "--base-url", "https://other.example"}
		}},
	}
}

// importers put three files into a bundle that has none of them, and two into a new one.
func importers() []writer {
	season := func(t *testing.T, name string) string { return absolute(t, "testdata/conformance/_season/"+name) }
	return []writer{
		{"season import", growing, "bundle", func(t *testing.T, dir string) {
			for _, name := range []string{"season.json", "enrolments.json", "freeze", "corpus"} {
				copied(t, season(t, name), filepath.Join(dir, "bundle", name))
			}
		}, func(t *testing.T, dir string) []string {
			return []string{"season", "import", filepath.Join(dir, "bundle"), season(t, "rekor"), season(t, "submissions"), season(t, "proofs")}
		}},
		{"season import, new bundle", growing, "new/bundle", nothing, func(t *testing.T, dir string) []string {
			return []string{"season", "import", filepath.Join(dir, "new", "bundle"), season(t, "rekor"), season(t, "proofs")}
		}},
	}
}

// copied copies a file or a folder.
func copied(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	if info.IsDir() {
		err = os.CopyFS(to, os.DirFS(from))
	} else if err = os.MkdirAll(filepath.Dir(to), 0o700); err == nil {
		var b []byte
		if b, err = os.ReadFile(from); err == nil {
			err = os.WriteFile(to, b, 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// withoutDisclosures is a submission that cites the proof whose full view is in the suite. Its text makes it larger than what room a full disk has left.
func withoutDisclosures() []byte {
	return []byte(`{"season": 1, "track": "conformite", "task_id": "conf-01", "agent_did": "did:web:agent.example", "verdict": "conforme", "assertions": [{"id": "a1", "claim": ` +
		`{"resource": "/entites/ENT-1", "field": "/statut", "value": "active"}, "proof_ids": ["prf_20260923_072144_0a1b2c"]}], "narrative": "` + strings.Repeat("texte ", 3000) + "\"}\n")
}
