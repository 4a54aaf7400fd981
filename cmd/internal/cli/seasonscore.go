package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// newSeasonScore is "proveit season score".
func newSeasonScore(a *app) *cobra.Command {
	var o seasonFlags
	var out, shard string
	c := &cobra.Command{
		Use:   "score BUNDLE --out DIR",
		Short: "Replay, and write the index and every report: JSON, Markdown and HTML",
		Long: "Writes a folder of static pages: index.html, replay.json, and for each track its index and a report for each participant.\n" +
			"The folder appears whole or not at all; an earlier output is replaced in one step.",
		Args: cobra.ExactArgs(1),
		RunE: a.run(func(ctx context.Context, args []string) (verify.Outcome, error) {
			part, err := parseShard(shard)
			if err != nil {
				return verify.Unusable, err
			}
			if part.Of > 0 {
				return a.scorePart(ctx, args[0], out, o, part)
			}
			return a.seasonScore(ctx, args[0], out, o)
		}),
	}
	o.add(c)
	c.Flags().StringVar(&out, "out", "", "folder to write; with --shard, the file of that part")
	c.Flags().StringVar(&shard, "shard", "", "judge part I of N only, as I/N, and write a file for season merge")
	cobra.CheckErr(c.MarkFlagRequired("out"))
	return c
}

func (a *app) seasonScore(ctx context.Context, path, target string, o seasonFlags) (verify.Outcome, error) {
	b, options, err := a.openSeason(path, o)
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	dir, err := newOutDir(target, mark)
	if err != nil {
		return verify.Unusable, err
	}
	defer dir.discard()
	folder := report.NewFolder(dir.create, a.lang)
	options.Sink = folder
	doc, err := replay.Run(ctx, b, options)
	if err != nil {
		return verify.Unusable, err
	}
	outcome := a.replayOutcome(doc, o.failOn)
	if err := folder.End(doc); err != nil {
		return verify.Unusable, err
	}
	if err := dir.commit(); err != nil {
		return verify.Unusable, err
	}
	return outcome, a.printScore(doc)
}

// scoreDoc is what "season score -o json" prints: the counts; the folder holds the rest.
type scoreDoc struct {
	Format   string           `json:"format"`
	Result   string           `json:"result"`
	ExitCode int              `json:"exit_code"`
	Indexes  []report.Index   `json:"indexes"`
	Missing  []report.Missing `json:"missing"`
	Checked  report.Checked   `json:"checked"`
}

func (a *app) printScore(doc *report.Replay) error {
	if !a.json() {
		return report.Text(a.Out, doc, a.lang)
	}
	out := scoreDoc{Format: "proveit.season-score/v1", Result: doc.Result, ExitCode: doc.ExitCode, Indexes: []report.Index{}, Missing: doc.Missing, Checked: doc.Checked}
	for _, t := range doc.Tracks {
		out.Indexes = append(out.Indexes, report.IndexOf(doc.Season, t))
	}
	if err := report.JSON(a.Out, out); err != nil {
		return fmt.Errorf("stdout: %w", err)
	}
	return nil
}
