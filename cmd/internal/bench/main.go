// Command bench measures the program over minted seasons: the proof stage against its floor, whole processes, memory, and how time grows
// with the number of participants. It prints a table, lines that benchstat reads, and with -json a document.
//
// It is for developers; "make bench" builds and calls it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// figure is one measured quantity.
type figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Goal  string  `json:"goal,omitempty"`
}

func main() {
	log.SetFlags(0)
	bin := flag.String("bin", "bin/proveit", "the program to measure")
	sizes := flag.String("participants", "100,1000", "numbers of participants, ascending")
	out := flag.String("json", "", "write the figures to this file too")
	dir := flag.String("dir", "", "where to mint the seasons (default a temporary folder, removed at the end)")
	flag.Parse()
	if err := measure(*bin, *sizes, *out, *dir); err != nil {
		log.Fatal("bench: ", err)
	}
}

func measure(bin, sizes, out, dir string) error {
	if dir == "" {
		temp, err := os.MkdirTemp("", "proveit-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		dir = temp
	}
	var all []figure
	var runs []processRun
	var staged []int
	for _, word := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf("-participants: %w", err)
		}
		season := filepath.Join(dir, word)
		if err := mint(bin, season, n); err != nil {
			return err
		}
		staged = append(staged, n)
		r, err := wholeProcess(bin, season, n)
		if err != nil {
			return err
		}
		runs = append(runs, r)
		all = append(all, suffixed(r.figures(), n)...)
	}
	all = append(all, growth(runs)...)
	// Last, because the kernel counts the memory of this process into the peak of those that it starts.
	for _, n := range staged {
		if n > 1000 {
			continue // the evidence is held in memory
		}
		stage, err := proofStage(filepath.Join(dir, strconv.Itoa(n)))
		if err != nil {
			return err
		}
		all = append(all, suffixed(stage, n)...)
	}
	small, err := startUp(bin)
	if err != nil {
		return err
	}
	all = append(all, small...)
	print(all)
	if out == "" {
		return nil
	}
	b, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(b, '\n'), 0o644)
}

func suffixed(fs []figure, participants int) []figure {
	for i := range fs {
		fs[i].Name += "/participants=" + strconv.Itoa(participants)
	}
	return fs
}

// print writes the table for people, then one line for each figure in the format of Go benchmarks.
func print(all []figure) {
	width := 0
	for _, f := range all {
		width = max(width, len(f.Name))
	}
	for _, f := range all {
		fmt.Printf("%-*s  %14.3f %-12s %s\n", width, f.Name, f.Value, f.Unit, f.Goal)
	}
	fmt.Println()
	for _, f := range all {
		fmt.Printf("Benchmark%s 1 %.6f %s\n", f.Name, f.Value, f.Unit)
	}
}
