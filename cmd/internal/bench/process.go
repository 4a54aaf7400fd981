package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tasksEach and proofsEach make the season of the goals: six submissions a participant, five proofs each, batches filled to 100.
const (
	tasksEach  = 6
	proofsEach = 5
	rounds     = 3    // each whole process is run so often; the fastest counts
	manyPeople = 2000 // participants from which it is run once: a minute is steady enough
)

// mint makes a season with the program's own generator, unless it is there already.
func mint(bin, dir string, participants int) error {
	if _, err := os.Stat(filepath.Join(dir, "season.json")); err == nil {
		return nil
	}
	out, err := exec.Command(bin, "season", "simulate", "--participants", strconv.Itoa(participants), "--tasks", strconv.Itoa(tasksEach),
		"--proofs", strconv.Itoa(proofsEach), "--seed", "mesure", "--out", dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("season simulate: %w: %s", err, out)
	}
	return nil
}

// ran is what one process took.
type ran struct {
	wall, cpu time.Duration
	rss       int64 // bytes
	out       []byte
}

func run(bin string, args ...string) (ran, error) {
	c := exec.Command(bin, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	start := time.Now()
	err := c.Run()
	r := ran{wall: time.Since(start), out: out.Bytes()}
	if err != nil {
		return r, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, errs.String())
	}
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	r.rss = usage.Maxrss << 10
	r.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	return r, nil
}

// fastest runs a process several times and gives the run with the least wall time.
func fastest(times int, bin string, args ...string) (ran, error) {
	var best ran
	for range times {
		r, err := run(bin, args...)
		if err != nil {
			return r, err
		}
		if best.wall == 0 || r.wall < best.wall {
			best = r
		}
	}
	return best, nil
}

// processRun is a season judged by whole processes.
type processRun struct {
	participants     int
	proofs           int
	tokens, entries  int
	one, two, report ran // replay with one and two workers, score to a folder
}

func wholeProcess(bin, season string, participants int) (processRun, error) {
	r := processRun{participants: participants}
	times := rounds
	if participants >= manyPeople {
		times = 1
	}
	var err error
	if r.two, err = fastest(times, bin, "season", "replay", season, "--lang", "en", "--jobs", "2"); err != nil {
		return r, err
	}
	if err := r.count(r.two.out); err != nil {
		return r, err
	}
	r.two.out = nil
	if r.one, err = fastest(times, bin, "season", "replay", season, "--lang", "en", "--jobs", "1"); err != nil {
		return r, err
	}
	r.one.out = nil
	r.report, err = fastest(times, bin, "season", "score", season, "--out", season+".reports", "--jobs", "2")
	return r, err
}

// count reads what was checked from the text of a replay. Its JSON document would make this process grow, and the kernel counts the memory of a
// process into that of the ones that it starts.
func (r *processRun) count(text []byte) error {
	checked := regexp.MustCompile(`(?m)^checked: \d+ submissions, (\d+) proofs, (\d+) timestamp tokens and (\d+) log entries`).FindSubmatch(text)
	if checked == nil {
		return errors.New("the replay does not say what it checked")
	}
	for i, n := range []*int{&r.proofs, &r.tokens, &r.entries} {
		var err error
		if *n, err = strconv.Atoi(string(checked[i+1])); err != nil {
			return err
		}
	}
	return nil
}

func (r processRun) figures() []figure {
	perSecond := func(x ran) float64 { return float64(r.proofs) / x.wall.Seconds() }
	return []figure{
		{Name: "Proofs", Value: float64(r.proofs), Unit: "proofs"},
		{Name: "AnchorsVerified", Value: float64(r.tokens + r.entries), Unit: "anchors", Goal: "the number of distinct anchors"},
		{Name: "ReplayRate", Value: perSecond(r.two), Unit: "proofs/s"},
		{Name: "EndToEndRate", Value: perSecond(r.report), Unit: "proofs/s", Goal: "at least 12000, files to reports"},
		{Name: "ReplayTime", Value: r.two.wall.Seconds(), Unit: "s"},
		{Name: "ReplayCPU", Value: r.two.cpu.Seconds(), Unit: "cpu-s"},
		{Name: "ScoreTime", Value: r.report.wall.Seconds(), Unit: "s"},
		{Name: "TwoWorkersGain", Value: r.one.wall.Seconds() / r.two.wall.Seconds(), Unit: "x", Goal: "at least 1.7"},
		{Name: "PeakMemory", Value: float64(r.report.rss) / (1 << 20), Unit: "MiB", Goal: "at most 300 for 1000 participants"},
	}
}

// growth compares neighbouring sizes: time by ten, memory by participant.
func growth(runs []processRun) []figure {
	var out []figure
	for i := 1; i < len(runs); i++ {
		a, b := runs[i-1], runs[i]
		name := fmt.Sprintf("/participants=%d-%d", a.participants, b.participants)
		factor := float64(b.participants) / float64(a.participants)
		out = append(out,
			figure{Name: "TimeGrowth" + name, Value: b.two.wall.Seconds() / a.two.wall.Seconds(), Unit: "x", Goal: fmt.Sprintf("at most %.0f", 1.1*factor)},
			figure{Name: "MemoryGrowth" + name, Value: float64(b.report.rss-a.report.rss) / float64(b.participants-a.participants) / 1024, Unit: "KiB/participant", Goal: "less than 20"})
	}
	return out
}

// startUp measures small commands as whole processes, and canonical JSON beside Python's json on the same file.
func startUp(bin string) ([]figure, error) {
	small := filepath.Join(os.TempDir(), "proveit-bench-small.json")
	large := filepath.Join(os.TempDir(), "proveit-bench-large.json")
	defer os.Remove(small)
	defer os.Remove(large)
	if err := os.WriteFile(small, []byte(`{"b": 1.0, "a": ["é", null]}`), 0o644); err != nil {
		return nil, err
	}
	element := `{"identifiant": "AGR-4417", "libellé": "Agrément n° 4417", "montant": 1234.50, "actif": true, "pages": [1, 2, 3], "suite": null}`
	doc := "[" + strings.TrimSuffix(strings.Repeat(element+",", 60000), ",") + "]"
	if err := os.WriteFile(large, []byte(doc), 0o644); err != nil {
		return nil, err
	}
	var out []figure
	for _, c := range []struct {
		name string
		args []string
	}{{"StartVersion", []string{"version"}}, {"StartCanon", []string{"canon", small}}} {
		var times []time.Duration
		for range 15 {
			r, err := run(bin, c.args...)
			if err != nil {
				return nil, err
			}
			times = append(times, r.wall)
		}
		slices.Sort(times)
		out = append(out, figure{Name: c.name, Value: float64(times[len(times)/2].Microseconds()) / 1000, Unit: "ms", Goal: "under 40"})
	}
	ours, err := fastest(rounds, bin, "canon", large)
	if err != nil {
		return nil, err
	}
	program := `import json,sys; sys.stdout.write(json.dumps(json.loads(open(sys.argv[1],"rb").read()),sort_keys=True,separators=(",",":"))+"\n")`
	python, err := fastest(rounds, "python3", "-c", program, large)
	if err != nil {
		return out, nil // no Python on this machine: no comparison
	}
	if !bytes.Equal(ours.out, python.out) {
		return nil, fmt.Errorf("canonical text differs from Python's on %s", large)
	}
	return append(out, figure{Name: "CanonAgainstPython", Value: python.wall.Seconds() / ours.wall.Seconds(), Unit: "x", Goal: "at least 3"},
		figure{Name: "Processors", Value: float64(runtime.NumCPU()), Unit: "cpus"}), nil
}
