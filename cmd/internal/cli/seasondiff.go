package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// shownDifferences is how many differences of one kind are printed as text; -o json has them all.
const shownDifferences = 20

// maxReplay is the largest replay that is compared, in bytes: one of a thousand participants takes about 17 MiB.
const maxReplay = 32 << 20

// newSeasonDiff is "proveit season diff".
func newSeasonDiff(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "diff REPLAY_A REPLAY_B",
		Short: "Compare two results of season replay -o json: the first assertion judged otherwise, then everything else",
		Args:  cobra.ExactArgs(2),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.seasonDiff(args[0], args[1])
		}),
	}
}

func (a *app) seasonDiff(nameA, nameB string) (verify.Outcome, error) {
	var docs [2]canon.Value
	for i, name := range []string{nameA, nameB} {
		b, err := a.readUpTo(name, maxReplay)
		if err != nil {
			return verify.Unusable, err
		}
		if docs[i], err = replay.ReadReplay(name, b); err != nil {
			return verify.Unusable, err
		}
	}
	d := replay.Compare(docs[0], docs[1])
	outcome := verify.Holds
	if !d.Identical {
		outcome = verify.Differs
	}
	if a.json() {
		return outcome, writeJSON(a.Out, d)
	}
	a.printDiff(d)
	return outcome, nil
}

func (a *app) printDiff(d *replay.Diff) {
	if d.First != nil {
		f := d.First
		a.printf("%s\n", report.Heading("diff_first", a.lang))
		a.part("track", f.Track)
		a.part("participant", f.Participant)
		a.part("task", f.TaskID)
		a.part("assertion", f.Assertion)
		a.part("members", strings.Join(f.Members, " "))
		a.sides(f.A, f.B)
	}
	if n := len(d.Assertions); n > 0 {
		a.printf("%s%d\n", report.Named("diff_assertions", a.lang), n)
	}
	a.valueDiffs("diff_rates", d.Rates)
	a.valueDiffs("diff_others", d.Others)
	word := "diff_none"
	if !d.Identical {
		word = d.Result
	}
	a.result(report.Label(word, a.lang))
}

func (a *app) valueDiffs(label string, list []replay.ValueDiff) {
	if len(list) == 0 {
		return
	}
	a.printf("%s%d\n", report.Named(label, a.lang), len(list))
	for _, d := range list[:min(len(list), shownDifferences)] {
		a.printf("  %s\n", d.Place)
		a.sides(d.A, d.B)
	}
	if more := len(list) - shownDifferences; more > 0 {
		a.printf("  "+report.Label("diff_more", a.lang)+"\n", more)
	}
}

// sides prints the value of either replay.
func (a *app) sides(valueA, valueB string) {
	for _, side := range []struct{ name, value string }{{"A", valueA}, {"B", valueB}} {
		if side.value == "" {
			side.value = report.Label("absent", a.lang)
		}
		a.printf("         %s: %s\n", side.name, side.value)
	}
}
