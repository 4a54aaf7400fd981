package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Tests that need the program as a process of its own build it once.

// wasBuilt says that one of them did.
var wasBuilt atomic.Bool

var built = sync.OnceValues(func() (string, error) {
	wasBuilt.Store(true)
	dir, err := os.MkdirTemp("", "proveit-test-")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "proveit")
	return name, build(name, "", nil)
})

// program is the path of the program. It is removed after the tests.
func program(t testing.TB) string {
	t.Helper()
	name, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// build builds the program, with other texts in the place of files of the repository.
func build(name, tags string, overlay map[string]string) error {
	args := []string{"build", "-o", name}
	if tags != "" {
		args = append(args, "-tags", tags)
	}
	if len(overlay) > 0 {
		dir, err := os.MkdirTemp("", "proveit-overlay-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		replace := map[string]string{}
		for file, text := range overlay {
			replace[file] = filepath.Join(dir, filepath.Base(file))
			if err := os.WriteFile(replace[file], []byte(text), 0o600); err != nil {
				return err
			}
		}
		list, err := json.Marshal(map[string]any{"Replace": replace})
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o600); err != nil {
			return err
		}
		args = append(args, "-overlay", filepath.Join(dir, "overlay.json"))
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.New(string(out))
	}
	return nil
}

// planted is the text of a file of the repository with one change, which must apply exactly once.
func planted(t *testing.T, file, old, with string) map[string]string {
	t.Helper()
	name, err := filepath.Abs(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(b), old) != 1 {
		t.Fatalf("%s holds %q %d times, want once", file, old, strings.Count(string(b), old))
	}
	return map[string]string{name: strings.Replace(string(b), old, with, 1)}
}

// ran is what a process did.
type ran struct {
	out, complaints []byte
	code            int
	peak            int64 // bytes of memory at most
}

// patience is how long a process may take before it counts as hanging.
const patience = 2 * time.Minute

// start runs a command to its end. env nil is the environment of the tests.
func start(t testing.TB, env []string, dir, name string, args ...string) ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = env, dir, &out, &complaints
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("%s %v: not at its end after %v", name, args, patience)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return ran{out.Bytes(), complaints.Bytes(), cmd.ProcessState.ExitCode(), 0}
}

// measured is start, with the peak of memory. A process inherits the peak of the one that started it, so that the command is started by a small process of the
// test's own (see measure), which prints the peak as the last line of standard error.
func measured(t testing.TB, name string, args ...string) ran {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = append([]string{"measure", name}, args...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	runErr := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("%v: not at its end after %v", args, patience)
	}
	text := complaints.Bytes()
	last := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1
	r := ran{out: out.Bytes(), complaints: text[:last], code: cmd.ProcessState.ExitCode()}
	if _, err := fmt.Sscanf(string(text[last:]), "peak %d", &r.peak); err != nil {
		t.Fatalf("%v: no measurement: %v, %s", args, runErr, text)
	}
	return r
}

// measure runs its arguments, passes on their exit code, and prints the peak.
func measure() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(125)
	}
	hang := time.AfterFunc(patience-10*time.Second, func() { cmd.Process.Kill() })
	err = cmd.Wait()
	if !hang.Stop() {
		fmt.Fprintln(os.Stderr, "not at its end in time:", err)
	}
	fmt.Fprintf(os.Stderr, "\npeak %d\n", peak(cmd.ProcessState))
	if cmd.ProcessState.ExitCode() < 0 {
		os.Exit(124) // killed
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// absolute is a path of the repository as every process sees it.
func absolute(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
