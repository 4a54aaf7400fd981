package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ark-forge/proveit/cmd/internal/cli"
)

// TestMain lets the scripts run the real command as "proveit", in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(tidy{m}, map[string]func(){
		"proveit": func() {
			os.Exit(cli.Main(context.Background(), os.Args[1:],
				cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}))
		},
		"measure": measure,
	})
}

// tidy removes, after the tests, the program that some of them built.
type tidy struct{ *testing.M }

func (m tidy) Run() int {
	code := m.M.Run()
	if !wasBuilt.Load() {
		return code
	}
	if name, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(name))
	}
	return code
}

// minimumScripts guards against a folder that moved: a test that found no scripts must fail.
const minimumScripts = 3

// TestScripts runs every script of testdata. They pin stdout, stderr and exit codes: the scripts are the command line's specification.
func TestScripts(t *testing.T) {
	found, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(found) < minimumScripts {
		t.Fatalf("found %d scripts (%v), want at least %d", len(found), err, minimumScripts)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("REPO", root)
			e.Setenv("LANG", "C")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "edits": edits},
	})
}
