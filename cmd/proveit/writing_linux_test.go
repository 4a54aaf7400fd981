package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever goes wrong while something is written, what was there before is intact, and the exit code says so.

func put(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// state is every folder and file below a folder, the files with their digests, hidden leftovers apart.
func state(t *testing.T, dir string) (files string, leftovers []string) {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != dir && strings.HasPrefix(d.Name(), ".") {
			leftovers = append(leftovers, name)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.Name() == "ballast" || name == dir {
			return nil
		}
		if !d.Type().IsRegular() {
			fmt.Fprintf(&b, "%s %v\n", strings.TrimPrefix(name, dir), d.Type())
			return nil
		}
		text, err := os.ReadFile(name)
		fmt.Fprintf(&b, "%s %x\n", strings.TrimPrefix(name, dir), sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), leftovers
}

// mounted gives a small file system of its own to a folder.
func mounted(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("proveit-test", dir, "tmpfs", 0, "size="+size); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("mount: %v (these tests need root under CI)", err)
		}
		t.Skipf("mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill leaves less than the given number of bytes on a file system.
func fill(t *testing.T, dir string, left int64) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for {
		var s syscall.Statfs_t
		if err := syscall.Statfs(dir, &s); err != nil {
			t.Fatal(err)
		}
		if int64(s.Bavail)*s.Bsize <= left {
			return
		}
		if _, err := f.Write(make([]byte, s.Bsize)); err != nil {
			t.Fatal(err)
		}
	}
}

// refusedWhole demands exit code 2, one complaint that names the reason, the earlier state, and nothing left behind.
func refusedWhole(t *testing.T, r ran, dir, before string, reasons ...string) {
	t.Helper()
	after, leftovers := state(t, dir)
	if r.code != 2 {
		t.Errorf("exit code %d, want 2: %s", r.code, r.complaints)
	}
	if after != before {
		t.Errorf("what was there is not intact:\n%s\nwas\n%s", after, before)
	}
	if len(leftovers) > 0 {
		t.Errorf("left behind: %v", leftovers)
	}
	named := false
	for _, reason := range reasons {
		named = named || strings.Contains(string(r.complaints), reason)
	}
	if !named || !strings.HasPrefix(string(r.complaints), "proveit: ") {
		t.Errorf("the complaint is %q, want one with %v", r.complaints, reasons)
	}
}

// TestFullDisk gives each command a little more room every time, so that each of its writings is the one that fails. With room enough the same command
// does its work, so it was the disk that stopped it.
func TestFullDisk(t *testing.T) {
	for _, w := range writers() {
		t.Run(w.name, func(t *testing.T) {
			page, stopped := int64(os.Getpagesize()), 0
			for pages := int64(0); ; pages += 1 + pages/2 {
				dir := mounted(t, "32m")
				w.before(t, dir)
				fill(t, dir, pages*page)
				before, _ := state(t, dir)
				r := start(t, nil, "", program(t), w.args(t, dir)...)
				if after, _ := state(t, dir); r.code == 0 && after != before {
					break
				}
				refusedWhole(t, r, dir, before, "no space left on device")
				if t.Failed() {
					t.Fatalf("with %d pages of room", pages)
				}
				stopped++
			}
			if stopped < 2 {
				t.Errorf("stopped by the disk %d times, want at least 2", stopped)
			}
		})
	}
}

func TestReadOnlyFolder(t *testing.T) {
	for _, w := range writers() {
		t.Run(w.name, func(t *testing.T) {
			dir := mounted(t, "8m")
			w.before(t, dir)
			before, _ := state(t, dir)
			if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
				t.Fatal(err)
			}
			refusedWhole(t, start(t, nil, "", program(t), w.args(t, dir)...), dir, before, "read-only file system")
		})
	}
}

// TestAnswerIsNotWritten: an answer that does not arrive is no answer, in either format.
func TestAnswerIsNotWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	questions := append(judgements(t), []string{"explain"}, []string{"help", "exit-codes"}, []string{"completion", "bash"}, []string{"version"},
		[]string{"trust", "show", absolute(t, "testdata/season/trust")}, []string{"canon", absolute(t, "testdata/season/season.json")},
		[]string{"open", absolute(t, "testdata/conformance/proof-good/proof.json")}, []string{"season", "needs", absolute(t, "testdata/season-open")})
	for _, args := range questions {
		reason := "no space left on device"
		if slices.Contains(args, "fr") { // some of the judgements are asked for in French
			reason = "plus de place sur le disque"
		}
		for _, format := range []string{"text", "json"} {
			cmd := exec.Command(program(t), append(slices.Clone(args), "-o", format)...)
			var complaints bytes.Buffer
			cmd.Stdout, cmd.Stderr = full, &complaints
			if err := cmd.Run(); cmd.ProcessState.ExitCode() != 2 || !strings.Contains(complaints.String(), reason) {
				t.Errorf("%v in %s: %v, %q; want exit 2 and the reason", args[:1], format, err, complaints.String())
			}
		}
	}
}

// cleared makes the earlier state without the target, and gives the target's name.
func cleared(t *testing.T, w writer, dir string) string {
	t.Helper()
	w.before(t, dir)
	target := filepath.Join(dir, w.target)
	if err := os.RemoveAll(target); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		t.Fatal(err)
	}
	return target
}

// TestTargetOfAnotherKind: a file where a folder is to appear, a folder where a file is, and a folder that holds somebody's other files.
func TestTargetOfAnotherKind(t *testing.T) {
	for _, w := range writers() {
		t.Run(w.name, func(t *testing.T) {
			dir := t.TempDir()
			target := cleared(t, w, dir)
			if w.kind == oneFile {
				if err := os.MkdirAll(filepath.Join(target, "below"), 0o700); err != nil {
					t.Fatal(err)
				}
			} else {
				put(t, target, []byte("somebody's file\n"))
			}
			before, _ := state(t, dir)
			refusedWhole(t, start(t, nil, "", program(t), w.args(t, dir)...), dir, before, "not a directory", "found a folder", "found a file")
		})
		if w.kind != wholeFolder {
			continue
		}
		t.Run(w.name+", other files", func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, w.target), 0o700); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, w.target, "thesis.txt"), []byte("the only copy\n"))
			before, _ := state(t, dir)
			refusedWhole(t, start(t, nil, "", program(t), w.args(t, dir)...), dir, before, "found a folder")
		})
	}
}

// TestTargetIsNoFile: a device and a pipe stay what they are. Renaming would put a file in their place, /dev/null included where the superuser asks for it.
func TestTargetIsNoFile(t *testing.T) {
	for _, w := range writers() {
		if w.kind != oneFile || w.name == "submission disclose --into" { // which reads the file first, and refuses it there
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mkfifo(cleared(t, w, dir), 0o600); err != nil {
				t.Fatal(err)
			}
			before, _ := state(t, dir)
			refusedWhole(t, start(t, nil, "", program(t), w.args(t, dir)...), dir, before, "found a named pipe", "found a FIFO")
		})
	}
}

// interrupted starts a command and sends it a signal after a while. done says that it had come to its end before.
func interrupted(t *testing.T, after time.Duration, signal os.Signal, args ...string) (code int, done bool) {
	t.Helper()
	cmd := exec.Command(program(t), args...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
		return cmd.ProcessState.ExitCode(), true
	case <-time.After(after):
	}
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
		return cmd.ProcessState.ExitCode(), false
	case <-time.After(patience):
		cmd.Process.Kill()
		t.Fatalf("%v does not end %v after signal %v", args, patience, signal)
	}
	return 0, false
}

// TestKilled ends season score at many moments. The folder holds the earlier output or the next one, whole, and whatever is left is hidden.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	season := absolute(t, "testdata/season")
	french := []string{"season", "score", season, "--lang", "fr", "--out", filepath.Join(dir, "out")}
	english := []string{"season", "score", season, "--lang", "en", "--out", filepath.Join(dir, "out")}
	succeeds(t, english...)
	next, _ := state(t, dir)
	succeeds(t, french...)
	earlier, _ := state(t, dir)
	if earlier == next {
		t.Fatal("the two outputs are one: this test shows nothing")
	}
	killed, kept := 0, 0
	for n := range 24 {
		_, done := interrupted(t, time.Duration(10+25*n)*time.Millisecond, syscall.SIGKILL, english...)
		now, leftovers := state(t, dir)
		if now != earlier && now != next {
			t.Fatalf("killed after %d ms: the output is neither the earlier nor the next one", 10+25*n)
		}
		for _, name := range leftovers {
			if !strings.HasPrefix(filepath.Base(name), ".out.tmp-") {
				t.Errorf("left behind: %s", name)
			}
		}
		if !done {
			killed++
		}
		if now == earlier {
			kept++
		} else {
			succeeds(t, french...)
		}
	}
	if killed < 3 || kept < 3 {
		t.Errorf("%d runs were killed and %d left the earlier output, want at least 3 of each", killed, kept)
	}
}

// TestInterrupted presses Ctrl-C: exit code 2, the earlier state, and nothing left behind.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	succeeds(t, "season", "score", absolute(t, "testdata/season"), "--lang", "fr", "--out", filepath.Join(dir, "out"))
	before, _ := state(t, dir)
	for name, args := range map[string][]string{
		"season simulate": {"season", "simulate", "--participants", "5000", "--out", large},
		"season score":    {"season", "score", absolute(t, "testdata/season"), "--jobs", "1", "--lang", "en", "--out", filepath.Join(dir, "out")},
	} {
		stopped := false
		for after := 400 * time.Millisecond; after > 5*time.Millisecond && !stopped; after = after * 2 / 3 {
			code, done := interrupted(t, after, syscall.SIGINT, args...)
			now, leftovers := state(t, dir)
			if done || code == 0 { // it was quicker
				succeeds(t, "season", "score", absolute(t, "testdata/season"), "--lang", "fr", "--out", filepath.Join(dir, "out"))
				continue
			}
			stopped = true
			if code != 2 && code != -1 {
				t.Errorf("%s: exit code %d after Ctrl-C, want 2", name, code)
			}
			if now != before {
				t.Errorf("%s: what was there is not intact after Ctrl-C", name)
			}
			if code == 2 && len(leftovers) > 0 {
				t.Errorf("%s: left behind after Ctrl-C: %v", name, leftovers)
			}
			if code == -1 {
				stopped = false // the signal came before the program listened; nothing can be said of it
			}
		}
		if !stopped {
			t.Errorf("%s could not be interrupted while it worked: this test shows nothing", name)
		}
	}
}
