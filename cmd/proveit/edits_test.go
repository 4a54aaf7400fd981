package main

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// edits is the script command "edits FILE OLD NEW": it replaces the only place where a text stands in a file, so that a script shows the one
// thing in which its input differs from a valid document.
func edits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edits FILE OLD NEW")
	}
	name := ts.MkAbs(args[0])
	b, err := os.ReadFile(name)
	ts.Check(err)
	if n := strings.Count(string(b), args[1]); n != 1 {
		ts.Fatalf("%s holds %q %d times, want once", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(name, []byte(strings.Replace(string(b), args[1], args[2], 1)), 0o644))
}
