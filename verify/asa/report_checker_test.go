package asa

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The checker in testdata/asa is written in another language and shares no code with this program: it must agree with every step of a
// report, and notice a report that was altered.
func TestReportChecker(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed; the second opinion on the report is left out")
	}
	files := altered(t, change{resultFile, `"score": 88.6`, `"score": 87.9`}, change{resultFile, `"payment_release_percent": 85`, `"payment_release_percent": 100`})
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	report := mustAudit(t, files, Options{}).JSON()
	run := func(b []byte) (string, bool) {
		path := filepath.Join(t.TempDir(), "report.json")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, filepath.Join(testdata, "check_report.py"), dir, path).CombinedOutput()
		return string(out), err == nil
	}
	if out, ok := run(report); !ok {
		t.Errorf("the checker disagrees:\n%s", out)
	}
	for _, c := range [][2]string{{`0.5*88=44`, `0.5*88=45`}, {`"gap":"-0.7"`, `"gap":"-0.8"`}, {`"sum=88.6"`, `"sum=88.5"`}} {
		changed := bytesReplace(report, c[0], c[1])
		if string(changed) == string(report) {
			t.Fatalf("the report does not hold %s:\n%s", c[0], report)
		}
		if out, ok := run(changed); ok {
			t.Errorf("the checker accepts %s:\n%s", c[1], out)
		}
	}
}

func bytesReplace(b []byte, old, with string) []byte {
	return []byte(strings.Replace(string(b), old, with, 1))
}
