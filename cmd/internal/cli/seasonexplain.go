package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// newSeasonExplain is "proveit season explain".
func newSeasonExplain(a *app) *cobra.Command {
	var o seasonFlags
	var q replay.Question
	c := &cobra.Command{
		Use:   "explain BUNDLE --participant P --task T --assertion A",
		Short: "How one assertion was judged: every value compared, where it comes from, and the command that gives it again",
		Long: "Prints, condition by condition, the values that were compared, the file and pointer of each, and how to recompute it with standard tools:\n" +
			"sha256sum, openssl, jq, xxd, python3, unzip. The commands are for bash, in the folder of the bundle.",
		Args: cobra.ExactArgs(1),
		RunE: a.run(func(ctx context.Context, args []string) (verify.Outcome, error) {
			return a.seasonExplain(ctx, args[0], o, q)
		}),
	}
	o.add(c)
	f := c.Flags()
	f.StringVar(&q.Participant, "participant", "", "id or DID of the participant")
	f.StringVar(&q.Track, "track", "", "track; may be left out where one alone has the task")
	f.StringVar(&q.Task, "task", "", "task id")
	f.StringVar(&q.Assertion, "assertion", "", "assertion id")
	for _, name := range []string{"participant", "task", "assertion"} {
		cobra.CheckErr(c.MarkFlagRequired(name))
	}
	return c
}

func (a *app) seasonExplain(ctx context.Context, path string, o seasonFlags, q replay.Question) (verify.Outcome, error) {
	options, err := a.replayOptions(o)
	if err != nil {
		return verify.Unusable, err
	}
	options.Progress = nil
	if a.trust != "" {
		trust, err := openFiles(a.trust, bundle.Limits{})
		if err != nil {
			return verify.Unusable, err
		}
		defer trust.Close()
		q.Trust = trust
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		q.Archive = filepath.Base(path)
	}
	b, err := openBundle(path, o)
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	doc, err := replay.Explain(ctx, b, options, q)
	if err != nil {
		return verify.Unusable, err
	}
	outcome := map[int]verify.Outcome{0: verify.Holds, 1: verify.Differs, 3: verify.Incomplete}[doc.ExitCode]
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	a.printExplanation(doc)
	return outcome, nil
}

func (a *app) printExplanation(d *replay.Explanation) {
	a.printf("%s %s (%s), %s %s, %s %s, %s %s\n", report.Label("participant", a.lang), d.Participant, d.Name, report.Label("track", a.lang), d.Track,
		report.Label("task", a.lang), d.TaskID, report.Label("assertion", a.lang), d.Assertion)
	if d.Resource != "" {
		a.printf("%s%s %s %s\n", report.Named("claim", a.lang), d.Resource, d.Field, d.Value)
		a.printf("%s%s#%s\n", report.Named("explain_declared", a.lang), d.File, d.Pointer)
	}
	for _, n := range d.Refusals {
		a.notice(n)
	}
	if len(d.Proofs) > 0 {
		a.printf("\n%s\n", report.Label("explain_setup", a.lang))
		for _, line := range d.Setup {
			a.printf("  %s\n", line)
		}
	}
	for _, p := range d.Proofs {
		a.printExplainedProof(p)
	}
	fmt.Fprintln(a.Out)
	for _, m := range d.Missing {
		a.printf("%s%s\n", report.Named("missing", a.lang), report.Fetch(m.Kind, m.ID, a.lang))
	}
	a.result(a.explained(d))
}

// explained is the last line: what became of the assertion, and its cause.
func (a *app) explained(d *replay.Explanation) string {
	label := func(key string) string { return report.Label(key, a.lang) }
	switch {
	case d.Status == "":
		return label("explain_unscored")
	case d.Status == verify.RejeteeEntree:
		return label("explain_refused")
	case d.Supported:
		return label("explain_supported")
	case d.Cause == nil:
		return label("explain_open")
	case *d.Cause == verify.DefautInstrument:
		return fmt.Sprintf("%s, %s, %s", label("explain_instrument"), *d.Cause, d.Reason)
	}
	return fmt.Sprintf("%s, %s, %s", label("explain_unsupported"), *d.Cause, d.Reason)
}

func (a *app) printExplainedProof(p replay.ExplainedProof) {
	a.printf("\n%s %s%s%s\n", report.Label("proof", a.lang), p.ProofID, report.Colon(a.lang), report.Label(p.Outcome, a.lang))
	if p.File != "" {
		a.printf("%s%s\n", report.Named("explain_view", a.lang), placeOf(p.File, p.Pointer))
	}
	if len(p.Setup) > 0 {
		a.printf("%s\n", report.Label("explain_proof_setup", a.lang))
		for _, line := range p.Setup {
			a.printf("  %s\n", line)
		}
	}
	for _, c := range p.Conditions {
		a.printf("\n%s %s\n", a.status(c.Status), report.Label("condition_"+c.Condition, a.lang))
		if c.Reason != "" {
			a.printf("         %s\n", c.Reason)
			a.detail(c.Reason, failureOf(c.Reason, c.Detail))
		}
		for _, comparison := range c.Comparisons {
			a.printComparison(comparison)
		}
	}
}

// printComparison prints the values that were held against each other, each with its place and its command.
func (a *app) printComparison(c replay.Comparison) {
	status := c.Status
	if status == "shown" {
		status = report.Label("explain_shown", a.lang)
	}
	a.printf("  %s %s\n", a.status(status), report.Label("compare_"+c.Name, a.lang))
	if c.Wanted != "" {
		a.printf("    %s%s\n", report.Named("explain_wanted", a.lang), c.Wanted)
	}
	for _, v := range c.Values {
		what := report.Label("value_"+v.What, a.lang)
		if v.Of != "" {
			what += " " + v.Of
		}
		value := v.Value
		if value == "" {
			value = report.Label("absent", a.lang)
		}
		a.printf("    %s%s%s\n", what, report.Colon(a.lang), value)
		if v.File != "" {
			a.printf("      %s%s\n", report.Named("where", a.lang), placeOf(v.File, v.Pointer))
		}
		if v.Command != "" {
			a.printf("      $ %s\n", v.Command)
		}
	}
}

func placeOf(file, pointer string) string {
	return (&verify.Failure{File: file, Pointer: pointer}).Place()
}
