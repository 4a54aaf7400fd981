package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestUnreadableFile runs as somebody who may not read the log entries: they are named, and count as missing.
func TestUnreadableFile(t *testing.T) {
	if os.Geteuid() != 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("not root: nobody else to run as")
		}
		t.Skip("not root: nobody else to run as")
	}
	dir := laidOut(t)
	name := program(t)
	for _, open := range []string{filepath.Dir(dir), dir, filepath.Dir(name)} {
		if err := os.Chmod(open, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "rekor/entries.json"), 0); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, "season", "replay", dir, "-o", "json", "--quiet")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, _ := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(string(out), "rekor/entries.json") {
		t.Errorf("exit code %d, want 3 and the file named: %.500s", code, out)
	}
}

// TestFileThatChanges: while a file is replaced again and again, every answer is that of one of its two texts, and the digest in the document says which.
func TestFileThatChanges(t *testing.T) {
	dir := laidOut(t)
	path := filepath.Join(dir, proofsFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{whole, []byte(`{"proofs": {}}` + "\n")}
	codes := map[string]int{}
	for i, b := range texts {
		sum := sha256.Sum256(b)
		codes[hex.EncodeToString(sum[:])] = []int{0, 3}[i]
	}
	stop := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			next := filepath.Join(dir, "next")
			if os.WriteFile(next, texts[n%2], 0o600) != nil || os.Rename(next, path) != nil {
				return
			}
		}
	})
	seen := map[int]int{}
	for range 30 {
		r := start(t, nil, "", program(t), "season", "replay", dir, "-o", "json", "--quiet")
		var doc struct {
			Inputs []struct{ Name, SHA256 string }
		}
		if r.code == 2 { // it saw the change, or the file that is about to take the place
			if !strings.Contains(string(r.complaints), proofsFile) && !strings.Contains(string(r.complaints), "next") {
				t.Errorf("exit code 2 and no file named: %s", r.complaints)
			}
			continue
		}
		if err := json.Unmarshal(r.out, &doc); err != nil {
			t.Fatal(err)
		}
		for _, in := range doc.Inputs {
			if in.Name != proofsFile {
				continue
			}
			if want, known := codes[in.SHA256]; !known || r.code != want {
				t.Errorf("exit code %d for the digest %s (known: %t), want %d", r.code, in.SHA256, known, want)
			}
		}
		seen[r.code]++
	}
	close(stop)
	writing.Wait()
	if seen[0] == 0 || seen[3] == 0 {
		t.Logf("only one of the two texts was met: %v", seen)
	}
}
