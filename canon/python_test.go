package canon

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const (
	samplePath = "../testdata/python/sample.tsv"
	answerPath = "../testdata/python/answer.py"
	sampleSeed = 20260924
	sampleSize = 600
)

var (
	update       = flag.Bool("update", false, "write testdata/python/sample.tsv again; needs python3 3.11")
	differential = flag.Int("differential", 0, "how many generated documents to compare with python3")
	seed         = flag.Uint64("seed", 1, "seed of the documents of -differential")
)

// TestPythonSample compares with the answers of CPython 3.11.7 in testdata/python, so that it needs no Python itself.
func TestPythonSample(t *testing.T) {
	if *update && pythonVersion(t) == "3.11" {
		if err := os.WriteFile(samplePath, askPython(t, sampleSeed, sampleSize, true), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(samplePath)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	count := compare(t, bufio.NewScanner(f), nil)
	if count != sampleSize {
		t.Errorf("%s: %d rows, want %d", samplePath, count, sampleSize)
	}
}

// TestSampleIsGenerated holds the committed documents equal to what the generator makes.
func TestSampleIsGenerated(t *testing.T) {
	data, err := os.ReadFile(samplePath)
	if err != nil {
		t.Fatal(err)
	}
	g := newGenerator(sampleSeed)
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		document, _, _ := strings.Cut(line, "\t")
		if want := hex.EncodeToString(g.document()); document != want {
			t.Fatalf("row %d: document %s, the generator makes %s: run with -update", i+1, document, want)
		}
	}
}

// TestDifferential compares with the python3 of this machine, in one process of it.
func TestDifferential(t *testing.T) {
	if *differential == 0 {
		t.Skip("run by make differential")
	}
	answers := askPython(t, *seed, *differential, false)
	g := newGenerator(*seed)
	count := compare(t, bufio.NewScanner(bytes.NewReader(answers)), g.document)
	if count != *differential {
		t.Errorf("compared %d documents, want %d", count, *differential)
	}
	t.Logf("compared %d documents", count)
}

// pythonVersion is that of the python3 of this machine. Only 3.11 writes the sample: others differ in how deep they read.
func pythonVersion(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").Output()
	if err != nil {
		t.Logf("no python3: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// askPython gives one line of answers a document, with the document in front where rows are wanted.
func askPython(t *testing.T, seed uint64, n int, withDocument bool) []byte {
	t.Helper()
	g := newGenerator(seed)
	var documents bytes.Buffer
	for range n {
		documents.WriteString(hex.EncodeToString(g.document()) + "\n")
	}
	cmd := exec.Command("python3", answerPath)
	cmd.Stdin = bytes.NewReader(documents.Bytes())
	cmd.Stderr = os.Stderr
	answers, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3 %s: %v", answerPath, err)
	}
	if !withDocument {
		return answers
	}
	var rows bytes.Buffer
	given := strings.Split(documents.String(), "\n")
	for i, answer := range strings.Split(strings.TrimSuffix(string(answers), "\n"), "\n") {
		rows.WriteString(given[i] + "\t" + answer + "\n")
	}
	return rows.Bytes()
}

// compare reads rows of answers; the documents stand in the rows, or next makes them.
func compare(t *testing.T, rows *bufio.Scanner, next func() []byte) (count int) {
	t.Helper()
	rows.Buffer(nil, 1<<26)
	accepted, strict := 0, 0
	for rows.Scan() {
		fields := strings.Split(rows.Text(), "\t")
		var document []byte
		if next != nil {
			document = next()
		} else {
			var err error
			if document, err = hex.DecodeString(fields[0]); err != nil {
				t.Fatal(err)
			}
			fields = fields[1:]
		}
		count++
		if len(fields) != 4 {
			t.Fatalf("row %d: %d fields, want 4", count, len(fields))
		}
		compareOne(t, document, fields)
		if fields[1] == "ok" {
			accepted++
		}
		if fields[2] == "ok" {
			strict++
		}
		if t.Failed() && count > 10000 {
			return count
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	// A generator whose documents are all good or all bad would show little.
	if accepted < count/3 || accepted == count || strict < count/4 || strict == accepted {
		t.Errorf("of %d documents Python accepts %d and finds %d strict: the generator is one-sided", count, accepted, strict)
	}
	return count
}

// compareOne holds both readers and the writer to Python's answer for one document.
func compareOne(t *testing.T, document []byte, fields []string) {
	t.Helper()
	encoding, answer, strict, text := fields[0], fields[1], fields[2], fields[3]
	v, err := Parse(document)
	_, strictErr := ParseStrict("f", document)
	var syntax *SyntaxError
	if err != nil && !errors.As(err, &syntax) || strictErr != nil && !errors.As(strictErr, &syntax) {
		t.Errorf("%q: errors %T and %T, want *SyntaxError", document, err, strictErr)
		return
	}
	if wide := strings.ToUpper(encoding[:min(6, len(encoding))]); wide == "UTF-16" || wide == "UTF-32" {
		errors.As(err, &syntax)
		if err == nil || syntax.Found != wide+" text" || strictErr == nil {
			t.Errorf("%q: %v and %v, want both refused as %s", document, err, strictErr, wide)
		}
		return
	}
	if err != nil && errors.As(err, &syntax) && syntax.Want == "at most 1000" {
		return // our limit; how deep Python reads depends on its version
	}
	if (err == nil) != (answer == "ok") {
		t.Errorf("%q: error %v, Python says %s", document, err, answer)
		return
	}
	if (strictErr == nil) != (strict == "ok") {
		t.Errorf("%q: strict error %v, Python says %s", document, strictErr, strict)
	}
	if err == nil {
		if got := string(AppendCanonical(nil, v)); got != text {
			t.Errorf("%q: text %s, Python writes %s", document, got, text)
		}
	}
}
