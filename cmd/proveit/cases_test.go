package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entryCase is one line of score/expect.json.
type entryCase struct {
	Case    string `json:"case"`
	Entry   string `json:"entry"` // taken, refused, or taken-or-refused
	Message string `json:"message_must_name"`
}

// TestEntryCases: S01, S04 and S09. What is taken exits 0, what is refused exits 1 and names its place, and no message is a stack trace.
func TestEntryCases(t *testing.T) {
	dir := needShared(t, "cases/score/out")
	var cases map[string]entryCase
	if err := json.Unmarshal([]byte(readText(t, filepath.Join(shared, "cases/score/expect.json"))), &cases); err != nil {
		t.Fatal(err)
	}
	n := 0
	for name, want := range cases {
		path := filepath.Join(dir, name+".json")
		if _, err := os.Stat(path); err != nil {
			continue
		}
		n++
		got := run("", "submission", "check", path)
		switch {
		case strings.Contains(got.out+got.errors, "goroutine "):
			t.Errorf("%s: a stack trace", name)
		case want.Entry == "taken" && got.code != 0, want.Entry == "refused" && got.code != 1, got.code > 1:
			t.Errorf("%s: exit code %d, want the entry to say %s\n%s", name, got.code, want.Entry, got.out)
		}
		place, _, _ := strings.Cut(want.Message, " ")
		place = strings.TrimSuffix(place, ":")
		if want.Entry == "refused" && strings.HasPrefix(place, "/") && !strings.Contains(got.out, "#"+place) {
			t.Errorf("%s: %s is not named\n%s", name, place, got.out)
		}
		last := got.out[strings.LastIndex(strings.TrimSuffix(got.out, "\n"), "\n")+1:]
		if holds := last == "result: holds\n"; holds != (got.code == 0) {
			t.Errorf("%s: the last line is %q with exit code %d", name, last, got.code)
		}
	}
	if n < 20 {
		t.Fatalf("found %d cases, want at least 20", n)
	}
}

// TestOneBadFileAmongMany: S02. Two good files are answered, four refusals are named.
func TestOneBadFileAmongMany(t *testing.T) {
	dir := needShared(t, "cases/score/mixed")
	got := run("", "submission", "check", dir, "-o", "json")
	var doc struct {
		Submissions []struct {
			File     string            `json:"file"`
			Accepted bool              `json:"accepted"`
			Refusals []json.RawMessage `json:"refusals"`
		} `json:"submissions"`
	}
	if err := json.Unmarshal([]byte(got.out), &doc); err != nil {
		t.Fatal(err)
	}
	good := 0
	for _, s := range doc.Submissions {
		if s.Accepted {
			good++
		} else if len(s.Refusals) == 0 {
			t.Errorf("%s: refused without a reason", s.File)
		}
	}
	if got.code != 1 || len(doc.Submissions) != 6 || good != 2 {
		t.Errorf("exit code %d, %d files, %d taken; want 1, 6, 2", got.code, len(doc.Submissions), good)
	}
}

// TestNothingToCheck: S08. Nothing examined is never success, whatever is asked.
func TestNothingToCheck(t *testing.T) {
	needShared(t, "cases/score/nothing")
	for _, name := range []string{"empty_dir", "only_readme"} {
		dir := filepath.Join(shared, "cases/score/nothing", name)
		for _, args := range [][]string{{"submission", "check", dir}, {"proof", "verify", dir}, {"season", "replay", dir}, {"manifest", "verify", dir},
			{"freeze", "verify", dir}, {"submission", "disclose", dir}, {"trust", "show", dir}} {
			if got := run("", args...); got.code != 2 || got.errors == "" {
				t.Errorf("%v: exit code %d, want 2 and a message", args, got.code)
			}
		}
	}
}

// TestRuleSet: S06. A scale of another version, or of the other track, is not scored: the message names what was found and what is known.
func TestRuleSet(t *testing.T) {
	path := needShared(t, "cases/score/rule_set.json")
	var doc struct {
		Labels []struct{ Label, Expect string } `json:"labels"`
	}
	if err := json.Unmarshal([]byte(readText(t, path)), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Labels) < 5 {
		t.Fatalf("found %d labels, want at least 5", len(doc.Labels))
	}
	season := t.TempDir()
	if err := os.CopyFS(season, os.DirFS("../../testdata/season")); err != nil {
		t.Fatal(err)
	}
	scale := filepath.Join(season, "freeze", "bareme-conformite.json")
	original := readText(t, scale)
	submission := filepath.Join(season, "submissions", "agent-0001", "conformite", "conf-01.json")
	for _, l := range doc.Labels {
		label, _, _ := strings.Cut(l.Label, " ")
		if err := os.WriteFile(scale, []byte(strings.Replace(original, "conformite-bareme-v3", label, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		got := run("", "score", submission, "--season", season, "--insecure-without-freeze")
		if l.Expect == "scored" {
			if got.code != 0 {
				t.Errorf("%q: exit code %d, want 0\n%s", l.Label, got.code, got.errors)
			}
			continue
		}
		if known := strings.Contains(got.errors, "conformite-bareme-v3") || label == ""; got.code != 2 || !known || !strings.Contains(got.errors, label) {
			t.Errorf("%q: exit code %d, want 2 and what is known\n%s", l.Label, got.code, got.errors)
		}
	}
}
