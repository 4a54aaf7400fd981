package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// changing are the system calls by which a program changes a file system.
var changing = []string{"mkdirat", "write", "fchmod", "fchmodat", "fsync", "renameat", "renameat2", "linkat", "unlinkat"}

// signalledAt runs a command and sends it a signal as one of its threads enters a system call for the n-th time, if it does.
func signalledAt(t *testing.T, signal, call string, n int, args ...string) ran {
	t.Helper()
	front := []string{"-f", "--seccomp-bpf", "-qq", "-o", os.DevNull, "-e", "trace=" + call, "-e", "inject=" + call + ":signal=" + signal + ":when=" + strconv.Itoa(n), program(t)}
	r := start(t, nil, "", "strace", append(front, args...)...)
	if strings.Contains(string(r.complaints), "strace:") {
		if os.Getenv("CI") != "true" && strings.Contains(string(r.complaints), "ptrace") {
			t.Skipf("strace is not allowed here: %s", r.complaints)
		}
		t.Fatalf("strace: exit %d: %s", r.code, r.complaints)
	}
	return r
}

// killedAt ends a command with SIGKILL. whole says that it came to its end before.
func killedAt(t *testing.T, call string, n int, args ...string) (whole bool) {
	t.Helper()
	r := signalledAt(t, "SIGKILL", call, n, args...)
	if r.code != -1 && r.code != 0 {
		t.Fatalf("exit %d: %s", r.code, r.complaints)
	}
	return r.code == 0
}

// between demands that a folder holds the earlier state or the next one; where it gains files, every one of the earlier and none that is not of the next.
func between(t *testing.T, w writer, earlier, now, next string) {
	t.Helper()
	if now == earlier || now == next {
		return
	}
	if w.kind != growing {
		t.Errorf("found neither the earlier nor the next state:\n%s", now)
		return
	}
	for line := range strings.Lines(earlier) {
		if !strings.Contains(now, line) {
			t.Errorf("lost: %s", line)
		}
	}
	for line := range strings.Lines(now) {
		if !strings.Contains(next, line) {
			t.Errorf("neither of the earlier nor of the next state: %s", line)
		}
	}
}

// TestKilledInTheMiddle ends every command that writes at each of its first calls of every kind that changes something, and at a few of the many that follow.
// What was there before is intact, nothing is half written, what is left behind is hidden and disturbs nobody: the same command then does its work.
func TestKilledInTheMiddle(t *testing.T) {
	tools(t, "strace")
	all := writers()
	var killed, kept atomic.Int64
	t.Run("each", func(t *testing.T) {
		for _, w := range all {
			t.Run(w.name, func(t *testing.T) {
				t.Parallel()
				if k := killedEverywhere(t, w, &kept); k == 0 {
					t.Error("never killed: this test shows nothing")
				} else {
					killed.Add(k)
				}
			})
		}
	})
	// How often a command meets a call depends on its threads, since strace counts for each of them.
	if least := 2 * int64(len(all)); killed.Load() < least || kept.Load() < 1 {
		t.Errorf("killed %d times, %d of them before anything was seen, want at least %d and 1", killed.Load(), kept.Load(), least)
	}
}

// killedEverywhere kills a command at each kind of call until it comes to its end, and gives how often that was; kept counts the times when nothing had changed.
func killedEverywhere(t *testing.T, w writer, kept *atomic.Int64) (killed int64) {
	t.Helper()
	clean := t.TempDir()
	w.before(t, clean)
	succeeds(t, w.args(t, clean)...)
	next, _ := state(t, clean)
	for _, call := range changing {
		for n := 1; ; n += 1 + n/2 {
			whole, earlier := killedOnce(t, w, next, call, n)
			if t.Failed() {
				t.Fatalf("killed at %s number %d", call, n)
			}
			if whole {
				break
			}
			killed++
			if earlier {
				kept.Add(1)
			}
		}
	}
	return killed
}

// killedOnce kills a command and looks at what is there then. earlier says that it is what was there before.
func killedOnce(t *testing.T, w writer, next, call string, n int) (whole, earlier bool) {
	t.Helper()
	dir := t.TempDir()
	w.before(t, dir)
	before, _ := state(t, dir)
	args := w.args(t, dir)
	if killedAt(t, call, n, args...) {
		return true, false
	}
	now, leftovers := state(t, dir)
	between(t, w, before, now, next)
	for _, name := range leftovers {
		if base := filepath.Base(name); !strings.HasPrefix(base, "."+filepath.Base(w.target)+".tmp-") && base != ".import.tmp" {
			t.Errorf("left behind: %s", name)
		}
	}
	if now == next && w.name == "season simulate" {
		return false, false // it was killed as it printed its answer, and would not replace its own work
	}
	succeeds(t, args...)
	if after, _ := state(t, dir); after != next {
		t.Errorf("the same command again does not come to the end of an undisturbed one:\n%s", after)
	}
	return false, now == before
}

// TestKilledImportLeavesNoEvidence: what a killed import leaves is no view and no log entry, so that a replay reads none of it.
func TestKilledImportLeavesNoEvidence(t *testing.T) {
	tools(t, "strace")
	w := importers()[0]
	found := 0
	for _, call := range []string{"write", "linkat", "unlinkat"} {
		for n := 1; ; n++ {
			dir := t.TempDir()
			w.before(t, dir)
			copied(t, absolute(t, "testdata/conformance/_season/submissions"), filepath.Join(dir, "bundle", "submissions"))
			if killedAt(t, call, n, w.args(t, dir)...) {
				break
			}
			if _, leftovers := state(t, dir); len(leftovers) == 0 {
				continue
			}
			found++
			r := start(t, nil, "", program(t), "season", "replay", filepath.Join(dir, "bundle"), "--trust", absolute(t, "testdata/conformance/_trust"), "-o", "json")
			if !strings.Contains(string(r.out), `"unread": []`) || strings.Contains(string(r.out), "/.import.tmp") {
				t.Errorf("killed at %s number %d: want nothing unread: exit %d, %s", call, n, r.code, r.complaints)
			}
		}
	}
	if found == 0 {
		t.Error("no run left anything: this test shows nothing")
	}
}

// TestInterruptedInTheMiddle presses Ctrl-C as each command begins to change something: exit code 2, the earlier state and nothing left behind, or, where the
// command was quicker, its whole work.
func TestInterruptedInTheMiddle(t *testing.T) {
	tools(t, "strace")
	stopped := map[kind]int{}
	for _, w := range writers() {
		clean := t.TempDir()
		w.before(t, clean)
		succeeds(t, w.args(t, clean)...)
		next, _ := state(t, clean)
		for _, call := range []string{"mkdirat", "write", "linkat", "renameat"} {
			dir := t.TempDir()
			w.before(t, dir)
			before, _ := state(t, dir)
			r := signalledAt(t, "SIGINT", call, 1, w.args(t, dir)...)
			if after, leftovers := state(t, dir); r.code == 0 && after == next && len(leftovers) == 0 {
				continue
			}
			refusedWhole(t, r, dir, before, "canceled")
			if t.Failed() {
				t.Fatalf("%s, interrupted at the first %s", w.name, call)
			}
			stopped[w.kind]++
		}
	}
	if stopped[wholeFolder] == 0 || stopped[growing] == 0 {
		t.Errorf("stopped %v, want some of every kind of folder: this test shows nothing", stopped)
	}
}
