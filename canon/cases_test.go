package canon

import (
	"bufio"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// casesDir holds documents whose canonical text CPython 3.11 wrote; they stay outside the repository.
const casesDir = "../../shared/cases/canon"

// TestCases compares with the answers that CPython 3.11.7 gave for each document of the cases.
func TestCases(t *testing.T) {
	if _, err := os.Stat(casesDir); err != nil {
		t.Skip("no ../shared/cases/canon on this machine")
	}
	for _, name := range []string{"canon.jsonl", "fuzz_seed1.jsonl"} {
		n := 0
		for row := range rows(t, filepath.Join(casesDir, name)) {
			n++
			checkRow(t, row)
		}
		if n < 40 {
			t.Errorf("%s: read %d rows, want at least 40", name, n)
		}
	}
}

// checkRow holds one row: input_hex, output or none where Python refuses, sha256.
func checkRow(t *testing.T, row Value) {
	t.Helper()
	text, _ := row.Get("input_hex").Text()
	input, err := hex.DecodeString(text)
	if err != nil {
		t.Fatalf("input_hex: %v", err)
	}
	label, _ := row.Get("label").Text()
	expect, _ := row.Get("expect").Text()
	v, err := Parse(input)
	if expect == "refuse" || expect == "error" {
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: got %v, want a *SyntaxError", label, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", label, err)
		return
	}
	want, _ := row.Get("output").Text()
	if got := string(AppendCanonical(nil, v)); got != want {
		t.Errorf("%s: got %s, want %s", label, got, want)
	}
	if want, _ := row.Get("sha256").Text(); Hash(v).String() != want {
		t.Errorf("%s: hash %s, want %s", label, Hash(v), want)
	}
}

// rows reads a file with one JSON document a line.
func rows(t *testing.T, path string) func(func(Value) bool) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return func(yield func(Value) bool) {
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 1<<26)
		for sc.Scan() {
			v, err := Parse(sc.Bytes())
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if !yield(v) {
				return
			}
		}
		if err := sc.Err(); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
}
