package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/cmd/internal/cli"
)

// TestReadme runs every transcript of the README, from the root of the repository, and holds its lines against what is printed now. A line
// "…" stands for any number of lines.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	transcripts := 0
	for _, block := range strings.Split(string(readme), "```console\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		command, want, _ := strings.Cut(strings.TrimPrefix(block, "$ proveit "), "\n")
		var out, errs bytes.Buffer
		cli.Main(context.Background(), strings.Fields(command), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		follow(t, command, strings.Split(strings.TrimSuffix(want, "\n"), "\n"), strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"))
		transcripts++
	}
	if transcripts == 0 {
		t.Error("found no transcript, want at least one")
	}
}

// follow holds printed lines against wanted ones.
func follow(t *testing.T, command string, want, got []string) {
	t.Helper()
	skip := false
	for _, line := range want {
		if line == "…" {
			skip = true
			continue
		}
		for skip && len(got) > 0 && got[0] != line {
			got = got[1:]
		}
		if len(got) == 0 || got[0] != line {
			t.Errorf("proveit %s: the README has %q, which is not what is printed there", command, line)
			return
		}
		got, skip = got[1:], false
	}
	if len(got) > 0 && !skip {
		t.Errorf("proveit %s: %q is printed after the end of the transcript", command, got[0])
	}
}
