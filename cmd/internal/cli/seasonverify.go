package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// newSeasonVerify is "proveit season verify".
func newSeasonVerify(a *app) *cobra.Command {
	var o seasonFlags
	var graph bool
	c := &cobra.Command{
		Use:   "verify BUNDLE",
		Short: "Check a season before it opens: layout, formats, corpus, scales, keys, graphs",
		Long: "Looks at the bundle alone and names every fault with its code, its place, what was found, what was expected and what to do next.\n" +
			"Beside it, what the best constant answer would score, and that answer filled with true facts. No proof and no freeze is judged: see freeze verify.",
		Args: cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.seasonVerify(args[0], o, graph)
		}),
	}
	c.Flags().BoolVar(&graph, "graph", false, "list the graph of every task")
	c.Flags().Int64Var(&o.maxFile, "max-file", bundle.DefaultFileSize, "largest file of a bundle that is read, in bytes")
	return c
}

func (a *app) seasonVerify(path string, o seasonFlags, graph bool) (verify.Outcome, error) {
	b, err := openBundle(path, o)
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	doc, err := replay.Inspect(b, graph)
	if err != nil {
		return verify.Unusable, err
	}
	outcome := map[int]verify.Outcome{0: verify.Holds, 1: verify.Differs, 3: verify.Incomplete}[doc.ExitCode]
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	a.printInspection(doc)
	return outcome, nil
}

func (a *app) printInspection(doc *replay.Inspection) {
	for _, f := range doc.Faults {
		a.failure(&verify.Failure{Reason: f.Code, Found: f.Detail.Found, Wanted: f.Detail.Expected, File: f.Detail.File, Pointer: f.Detail.Pointer})
	}
	tasks := 0
	for _, t := range doc.Tracks {
		tasks += len(t.Tasks)
		a.printInspectedTrack(t)
	}
	for _, name := range doc.Missing {
		a.printf("%s%s\n", report.Named("missing", a.lang), report.Fetch("file", name, a.lang))
	}
	for _, group := range []struct {
		label string
		names []string
	}{{"ignored", doc.Ignored}, {"strangers", doc.Strangers}} {
		if len(group.names) > 0 {
			a.list(group.label, a.some(indented(group.names)))
		}
	}
	a.printf(report.Label("inspect_looked", a.lang)+"\n", doc.Pages, tasks, doc.Facts)
	a.printf("%s%d\n", report.Named("inspect_faults", a.lang), len(doc.Faults))
	word := doc.Result
	switch doc.ExitCode {
	case 0:
		word = "inspect_none"
	case 2:
		word = "differs"
	}
	a.result(report.Label(word, a.lang))
}

func (a *app) printInspectedTrack(t replay.InspectedTrack) {
	a.printf("%s %s (%s)\n", report.Label("track", a.lang), t.Track, t.Bareme)
	for _, line := range []struct {
		label string
		best  *report.BestConstant
	}{{"inspect_constant", t.BestConstant}, {"inspect_filler", t.BestFiller}} {
		if line.best == nil {
			continue
		}
		verdict := line.best.Verdict
		if verdict == "" {
			verdict = report.Label("inspect_any", a.lang)
		}
		s := line.best.Success
		a.printf("  %s%s, %s (%d/%d)\n", report.Named(line.label, a.lang), verdict, report.Percent(s.Percent, a.lang), s.Exact, s.Tasks)
	}
	for _, task := range t.Tasks {
		if task.Graph == nil {
			continue
		}
		a.printf("  %s: "+report.Label("inspect_task", a.lang)+"\n", task.TaskID, task.Min, task.Max, task.Admissible, task.AdmissibleOwn, task.Own, task.Shared)
		for _, r := range task.Graph {
			a.printResource(r)
		}
	}
}

// printResource prints one resource of a graph: what it is, its name, and what leads to it.
func (a *app) printResource(r replay.InspectedResource) {
	kind := "inspect_other"
	switch {
	case r.Own:
		kind = "inspect_own"
	case r.Shared:
		kind = "inspect_shared"
	}
	line := fmt.Sprintf("    %-8s %s", report.Label(kind, a.lang), r.Resource)
	if r.Absent {
		line += ", " + report.Label("inspect_absent", a.lang)
	}
	if r.From == "" {
		line += ", " + report.Label("inspect_start", a.lang)
	} else {
		line += ", " + report.Label("inspect_from", a.lang) + " " + r.From
	}
	a.printf("%s\n", line)
}
