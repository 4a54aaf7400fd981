package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/cmd/internal/cli"
)

// The second opinion on whole seasons is testdata/python/rescore.py: Python's standard library and the openssl command, written from the description
// of the rules. It must agree with the program on every task and every assertion, or refuse the freeze where the program does.

// rescored is what rescore.py prints.
type rescored struct {
	Freeze *string                              `json:"freeze"` // why it does not hold
	Tracks map[string]map[string]rescoredPerson `json:"tracks"`
}

type rescoredPerson struct {
	Overclaim []int                   `json:"overclaim"` // unsupported, asserted
	Success   []int                   `json:"success"`   // exact, tasks
	Tasks     map[string]rescoredTask `json:"tasks"`
}

type rescoredTask struct {
	Status       string             `json:"status"`
	VerdictExact *bool              `json:"verdict_exact"`
	Grounded     *bool              `json:"grounded"`
	MissingFacts []string           `json:"missing_facts"`
	Assertions   map[string]*string `json:"assertions"` // id → cause
}

// replayed is the part of the program's document that has to agree.
type replayed struct {
	Freeze struct{ Holds bool }
	Tracks []struct {
		Track        string
		Participants []struct {
			Participant string
			Overclaim   *struct{ Unsupported, Asserted int }
			Success     *struct{ Exact, Tasks int }
			Tasks       []struct {
				TaskID       string   `json:"task_id"`
				VerdictExact *bool    `json:"verdict_exact"`
				MissingFacts []string `json:"missing_facts"`
				Status       string
				Grounded     *bool
				Assertions   []struct {
					ID    string
					Cause *string
				}
			}
		}
	}
}

// tools skips where a program is not installed, which the machine that runs the tests of a change may not do.
func tools(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is not installed: %v", name, err)
			}
			t.Skipf("%s is not installed", name)
		}
	}
}

// TestRescored compares the committed seasons, simulated ones, and one whose scale was changed after the freeze.
func TestRescored(t *testing.T) {
	tools(t, "python3", "openssl")
	seasons := map[string]int{"../../testdata/season": 180, "../../testdata/season-open": 100} // at least so many tasks
	for i, arguments := range [][]string{{"--participants", "7"}, {"--participants", "5", "--open", "--small"}} {
		dir := filepath.Join(t.TempDir(), "season")
		runCLI(t, 0, append([]string{"season", "simulate", "--quiet", "--out", dir, "--seed", fmt.Sprint("second opinion ", i)}, arguments...)...)
		seasons[dir] = 10
		if i == 0 {
			seasons[spoiled(t, dir)] = 0
		}
	}
	for dir, least := range seasons {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			compareRescored(t, dir, least)
		})
	}
}

// spoiled is a copy of a season in which the human text of a scale was changed.
func spoiled(t *testing.T, dir string) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "spoiled")
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(copied, "freeze", "bareme-conformite.md")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(b, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}

// runCLI runs the program in this process and gives what it prints. A negative code is any.
func runCLI(t *testing.T, code int, args ...string) []byte {
	t.Helper()
	var out, complaints bytes.Buffer
	got := cli.Main(context.Background(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &complaints})
	if code >= 0 && got != code {
		t.Fatalf("%v: exit code %d, want %d: %s", args, got, code, complaints.String())
	}
	return out.Bytes()
}

func compareRescored(t *testing.T, dir string, least int) {
	var want rescored
	cmd := exec.Command("python3", "../../testdata/python/rescore.py", dir)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("rescore.py: %v: %s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	var got replayed
	if err := json.Unmarshal(runCLI(t, -1, "season", "replay", dir, "-o", "json", "--quiet"), &got); err != nil {
		t.Fatal(err)
	}
	if got.Freeze.Holds != (want.Freeze == nil) {
		t.Fatalf("the freeze holds: %t, and Python says %v", got.Freeze.Holds, want.Freeze)
	}
	if tasks := agreeing(t, got, want); tasks < least {
		t.Errorf("%d tasks were compared, want at least %d", tasks, least)
	}
}

// agreeing compares task by task and gives their number.
func agreeing(t *testing.T, got replayed, want rescored) (tasks int) {
	for _, track := range got.Tracks {
		people := want.Tracks[track.Track]
		if len(people) != len(track.Participants) {
			t.Errorf("%s: %d participants, and Python has %d", track.Track, len(track.Participants), len(people))
		}
		for _, p := range track.Participants {
			w := people[p.Participant]
			var overclaim, success []int
			if p.Overclaim != nil {
				overclaim = []int{p.Overclaim.Unsupported, p.Overclaim.Asserted}
			}
			if p.Success != nil {
				success = []int{p.Success.Exact, p.Success.Tasks}
			}
			if !slices.Equal(overclaim, w.Overclaim) || !slices.Equal(success, w.Success) {
				t.Errorf("%s %s: %v and %v, and Python has %v and %v", track.Track, p.Participant, overclaim, success, w.Overclaim, w.Success)
			}
			for _, task := range p.Tasks {
				python, submitted := w.Tasks[task.TaskID]
				if !submitted && task.Status == "absente" {
					continue
				}
				tasks++
				one := rescoredTask{task.Status, task.VerdictExact, task.Grounded, task.MissingFacts, map[string]*string{}}
				for _, a := range task.Assertions {
					one.Assertions[a.ID] = a.Cause
				}
				if a, b := lined(one), lined(python); a != b {
					t.Errorf("%s %s %s: %s, and Python has %s", track.Track, p.Participant, task.TaskID, a, b)
				}
			}
		}
	}
	return tasks
}

// lined is a task in one line.
func lined(task rescoredTask) string {
	said := func(b *bool) string {
		if b == nil {
			return "-"
		}
		return fmt.Sprint(*b)
	}
	line := []string{task.Status, said(task.VerdictExact), said(task.Grounded), fmt.Sprint(append([]string{}, task.MissingFacts...))}
	for _, id := range slices.Sorted(maps.Keys(task.Assertions)) {
		cause := "ok"
		if c := task.Assertions[id]; c != nil {
			cause = *c
		}
		line = append(line, id+" "+cause)
	}
	return strings.Join(line, ", ")
}
