package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The same bundle gives the same bytes whatever the machine says: its network, clock, certificate store, environment, language and time zone.
// For each of these a planted fault shows that the test would notice.

// judgements are questions whose answers must not depend on anything but the files.
func judgements(t *testing.T) [][]string {
	suite := absolute(t, "testdata/conformance")
	at := func(name string) string { return filepath.Join(suite, name) }
	return [][]string{
		{"season", "replay", absolute(t, "testdata/season"), "-o", "json"},
		{"season", "replay", absolute(t, "testdata/season-open"), "--lang", "fr"},
		{"proof", "verify", at("proof-good-sectigo/proof.json"), "--rekor", at("proof-good-sectigo/entry.json"), "--trust", at("_trust"), "-o", "json"},
		{"tsa", "verify", at("token-good/token.tsr"), "--data", at("token-good/anchored.bin"), "--trust", at("_trust"), "--lang", "en"},
		{"submission", "check", at("submission-good/submission.json"), "--season", at("_season"), "-o", "json"},
	}
}

// answers runs every judgement through a program that is given in front of the arguments.
func answers(t *testing.T, env []string, dir string, front ...string) []ran {
	t.Helper()
	var all []ran
	for _, args := range judgements(t) {
		command := append(append([]string{}, front...), args...)
		all = append(all, start(t, env, dir, command[0], command[1:]...))
	}
	return all
}

// differing lists the judgements whose output or exit code is another one.
func differing(t *testing.T, got, want []ran) (out []string) {
	t.Helper()
	for i, args := range judgements(t) {
		if got[i].code != want[i].code || !bytes.Equal(got[i].out, want[i].out) {
			out = append(out, fmt.Sprintf("%v: exit %d, want %d; %d bytes, want %d; %s", args[:2], got[i].code, want[i].code, len(got[i].out), len(want[i].out), got[i].complaints))
		}
	}
	return out
}

func sameAnswers(t *testing.T, what string, got, want []ran) {
	t.Helper()
	for _, d := range differing(t, got, want) {
		t.Errorf("%s: %s", what, d)
	}
}

// unshared is the command that gives a process namespaces of its own.
func unshared(t *testing.T, flags ...string) []string {
	t.Helper()
	tools(t, "unshare")
	command := append([]string{"unshare"}, flags...)
	if os.Geteuid() != 0 {
		command = append(command, "-r")
	}
	if r := start(t, nil, "", command[0], append(command[1:], "true")...); r.code != 0 {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v: %s", command, r.complaints)
		}
		t.Skipf("%v is not allowed here: %s", command, r.complaints)
	}
	return command
}

func TestEnvironmentDoesNotCount(t *testing.T) {
	want := answers(t, nil, "", program(t))
	for i, code := range []int{0, 3, 0, 0, 0} {
		if want[i].code != code {
			t.Fatalf("%v: exit code %d, want %d: %s", judgements(t)[i], want[i].code, code, want[i].complaints)
		}
	}
	for name, env := range map[string][]string{
		"no environment":           {},
		"Turkish":                  {"LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"},
		"another time zone":        {"TZ=Pacific/Kiritimati", "LANG=C"},
		"certificates elsewhere":   {"SSL_CERT_FILE=/nonexistent", "SSL_CERT_DIR=/nonexistent"},
		"one processor":            {"GOMAXPROCS=1", "GOGC=20"},
		"a proxy and a home":       {"HTTPS_PROXY=http://127.0.0.1:9", "HOME=/nonexistent", "USER=nobody", "TMPDIR=/nonexistent"},
		"the runtime's old habits": {"GODEBUG=x509sha1=1,x509negativeserial=1,x509usepolicies=0"},
	} {
		sameAnswers(t, name, answers(t, env, t.TempDir(), program(t)), want)
	}
	// That the environment reaches the program at all is seen from the one thing that it may change: the language of text.
	french := start(t, []string{"LANG=fr_FR.UTF-8"}, "", program(t), "explain", "chain_hash_differs")
	english := start(t, []string{}, "", program(t), "explain", "chain_hash_differs")
	if bytes.Equal(french.out, english.out) {
		t.Error("LANG=fr_FR.UTF-8 changes nothing: the environment does not reach the program, and this test shows nothing")
	}
}

func TestNetworkDoesNotCount(t *testing.T) {
	front := unshared(t, "-n")
	sameAnswers(t, "without a network", answers(t, nil, "", append(front, program(t))...), answers(t, nil, "", program(t)))
}

func TestCertificateStoreDoesNotCount(t *testing.T) {
	front := unshared(t, "-m")
	hide := `for d in /etc/ssl /etc/pki /usr/share/ca-certificates /usr/local/share/ca-certificates; do if [ -d $d ]; then mount -t tmpfs none $d || exit 99; fi; done; ` +
		`[ -z "$(ls /etc/ssl)" ] || exit 98; exec "$0" "$@"`
	sameAnswers(t, "without a certificate store", answers(t, nil, "", append(front, "sh", "-c", hide, program(t))...), answers(t, nil, "", program(t)))
}

// Paths that the runtime of Go itself reads, whatever the program does.
var runtimeFiles = regexp.MustCompile(`^/(sys/kernel/mm/transparent_hugepage/|sys/fs/cgroup/|proc/self/(cgroup|mountinfo|auxv|maps)|sys/devices/system/cpu/|sys/devices/virtual/dmi/id$)`)

var opened = regexp.MustCompile(`\b(?:open|openat|openat2)\((?:[A-Z_]+|\d+), "([^"]*)"`)

// beyond lists what a trace shows beyond the reading of files below the given folders: sockets, other programs, other files. Relative names are opened
// below a folder that is open already.
func beyond(trace string, folders ...string) (out []string) {
	execs := 0
	for _, line := range strings.Split(trace, "\n") {
		switch {
		case strings.Contains(line, "socket(") || strings.Contains(line, "connect(") || strings.Contains(line, "sendto("):
			out = append(out, line)
		case strings.Contains(line, "execve("):
			if execs++; execs > 1 {
				out = append(out, line)
			}
		}
		m := opened.FindStringSubmatch(line)
		if m == nil || !strings.HasPrefix(m[1], "/") || runtimeFiles.MatchString(m[1]) {
			continue
		}
		inside := false
		for _, f := range folders {
			inside = inside || m[1] == f || strings.HasPrefix(m[1], f+"/")
		}
		if !inside {
			out = append(out, line)
		}
	}
	return out
}

func traced(t *testing.T, program string, args ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace")
	front := []string{"-f", "-o", name, "-s", "300", "-e", "trace=network,execve,open,openat", program}
	if r := start(t, nil, "", "strace", append(front, args...)...); r.code > 3 || r.code < 0 {
		if os.Getenv("CI") != "true" && strings.Contains(string(r.complaints), "ptrace") {
			t.Skipf("strace is not allowed here: %s", r.complaints)
		}
		t.Fatalf("strace: exit %d: %s", r.code, r.complaints)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), "execve(") || !strings.Contains(string(b), "openat(") {
		t.Fatal("the trace shows nothing")
	}
	return string(b)
}

func TestSystemCalls(t *testing.T) {
	tools(t, "strace")
	for _, args := range judgements(t) {
		for _, line := range beyond(traced(t, program(t), args...), absolute(t, "testdata")) {
			t.Errorf("%v: %s", args[:2], line)
		}
	}
	const begin = "func main() {\n"
	main := `cmd/proveit/main.go`
	for what, plant := range map[string]string{
		"socket(":     "\tnet.Dial(\"tcp\", \"127.0.0.1:9\")\n",
		"/etc/ssl":    "\tx509.SystemCertPool()\n",
		"zoneinfo":    "\ttime.LoadLocation(\"Asia/Tokyo\")\n",
		"/etc/passwd": "\tos.ReadFile(\"/etc/passwd\")\n",
	} {
		overlay := planted(t, main, begin, begin+plant)
		for name, text := range overlay {
			overlay[name] = strings.Replace(text, "\"os\"\n", "\"os\"\n\t\"net\"\n\t\"time\"\n\t\"crypto/x509\"\n", 1) + "\nvar _, _, _ = net.Dial, time.LoadLocation, x509.SystemCertPool\n"
		}
		name := filepath.Join(t.TempDir(), "planted")
		if err := build(name, "", overlay); err != nil {
			t.Fatal(err)
		}
		found := strings.Join(beyond(traced(t, name, "version"), absolute(t, "testdata")), "\n")
		if !strings.Contains(found, what) {
			t.Errorf("a planted %q is not noticed; found only %q", plant, found)
		}
	}
}

// buildClock is where a program that was built with the tag faketime begins: the runtime's variable, in nanoseconds since 1970. Nothing else in
// the program is this number, so that it can be found and replaced.
const buildClock = 1257894000000000000

// clocked is a copy of a program built with the tag faketime, whose clock begins at another time.
func clocked(t *testing.T, name string, at time.Time) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	old, with := binary.LittleEndian.AppendUint64(nil, buildClock), binary.LittleEndian.AppendUint64(nil, uint64(at.UnixNano()))
	if n := bytes.Count(b, old); n != 1 {
		t.Fatalf("the runtime's clock is found %d times in the program, want once", n)
	}
	out := filepath.Join(t.TempDir(), fmt.Sprint("proveit-", at.Year()))
	if err := os.WriteFile(out, bytes.Replace(b, old, with, 1), 0o700); err != nil {
		t.Fatal(err)
	}
	return out
}

// played takes the frames off that such a program puts around what it writes: 0 0 P B, eight bytes of time, four of length.
func played(t *testing.T, list []ran) []ran {
	t.Helper()
	for i := range list {
		var plain []byte
		for b := list[i].out; len(b) > 0; {
			if len(b) < 16 || string(b[:4]) != "\x00\x00PB" {
				t.Fatalf("output without the frames of a set clock: %.40q", b)
			}
			n := 16 + int(binary.BigEndian.Uint32(b[12:16]))
			plain, b = append(plain, b[16:n]...), b[n:]
		}
		list[i].out = plain
	}
	return list
}

// TestClockDoesNotCount sets the clock to 2016, before every certificate, and to 2046, after every one. A build whose chains are judged at the machine's time
// shows that the clock is really moved and that this would be noticed.
func TestClockDoesNotCount(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the whole program for another clock")
	}
	want := answers(t, nil, "", program(t))
	dir := t.TempDir()
	sound, timed := filepath.Join(dir, "sound"), filepath.Join(dir, "timed")
	if err := build(sound, "faketime", nil); err != nil {
		t.Fatal(err)
	}
	overlay := planted(t, "verify/tsa/certificate.go", "CurrentTime: d.time,", "CurrentTime: time.Now(),")
	for name, text := range overlay {
		if !strings.Contains(text, "\"time\"\n") {
			overlay[name] = strings.Replace(text, "import (\n", "import (\n\t\"time\"\n", 1)
		}
	}
	if err := build(timed, "faketime", overlay); err != nil {
		t.Fatal(err)
	}
	for _, year := range []int{2016, 2046} {
		at := time.Date(year, 2, 29, 12, 0, 0, 0, time.UTC)
		sameAnswers(t, fmt.Sprint("in ", year), played(t, answers(t, nil, "", clocked(t, sound, at))), want)
		if len(differing(t, played(t, answers(t, nil, "", clocked(t, timed, at))), want)) == 0 {
			t.Errorf("in %d a program that judges certificates at the machine's time answers the same: this test shows nothing", year)
		}
	}
}
