package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// newSeasonImport is "proveit season import".
func newSeasonImport(a *app) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:   "import BUNDLE FILE|DIR…",
		Short: "Sort raw answers of the services into a bundle: views of proofs, log entries, submissions",
		Long: "Takes batch reads, single and full views, log entries and exported submissions (a file, an array, or one a line) as they came, and puts each in its\n" +
			"place under proofs/, rekor/ and submissions/. Nothing that is there is overwritten, and what contradicts it is refused. BUNDLE is made where it is not there.",
		Args: cobra.MinimumNArgs(2),
		RunE: a.run(func(ctx context.Context, args []string) (verify.Outcome, error) {
			return a.seasonImport(ctx, args[0], args[1:], dry)
		}),
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would be done, and write nothing")
	return c
}

func (a *app) seasonImport(ctx context.Context, target string, sources []string, dry bool) (verify.Outcome, error) {
	names, err := answerFiles(sources)
	if err != nil {
		return verify.Unusable, err
	}
	var answers []replay.Answer
	for _, name := range names {
		b, err := a.read(name)
		if err != nil {
			return verify.Unusable, err
		}
		answers = append(answers, replay.Answer{Name: filepath.ToSlash(name), Bytes: b})
	}
	if info, err := os.Stat(target); err == nil && !info.IsDir() {
		return verify.Unusable, fmt.Errorf("%s: found a file, want a folder to put answers into", target)
	}
	w, err := bundle.NewWriter(target, dry)
	if err != nil {
		return verify.Unusable, readError(target, err)
	}
	defer w.Close() // takes away what was written, unless it is kept
	b, err := openFiles(target, bundle.Limits{})
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	put := func(name string, b []byte) (bool, error) {
		fresh, err := w.Put(name, b)
		var refusal *bundle.Refusal
		if err != nil && !errors.As(err, &refusal) {
			err = readError(filepath.Join(target, filepath.FromSlash(name)), err)
		}
		return fresh, err
	}
	doc, err := replay.Take(ctx, b, answers, put, dry)
	if err != nil {
		return verify.Unusable, err
	}
	w.Keep()
	outcome := verify.Holds
	if doc.ExitCode != 0 {
		outcome = verify.Differs
	}
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	a.printImport(doc)
	return outcome, nil
}

// answerFiles lists the files of arguments that may be folders: those whose names end in .json or .jsonl, sorted, links passed over.
func answerFiles(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, readError(arg, err)
		}
		if !info.IsDir() {
			out = append(out, arg)
			continue
		}
		err = filepath.WalkDir(arg, func(name string, d fs.DirEntry, err error) error {
			if ext := filepath.Ext(name); err == nil && d.Type().IsRegular() && (ext == ".json" || ext == ".jsonl") {
				out = append(out, name)
			}
			return err
		})
		if err != nil {
			return nil, readError(arg, err)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("found no .json and no .jsonl file, want at least one: nothing was examined")
	}
	return out, nil
}

func (a *app) printImport(doc *replay.Import) {
	word := "import_placed"
	if doc.DryRun {
		word = "import_would"
	}
	for _, p := range doc.Placed {
		a.printf("%s"+report.Label("import_of", a.lang)+"\n", report.Named(word, a.lang), p.Name, p.Count, p.From)
	}
	for _, r := range doc.Refused {
		a.printf("%s\n", strings.TrimRight(fmt.Sprintf("%s %s %s %s", a.status("refused"), r.Code, r.From, r.What), " "))
		a.detail(r.Code, failureOf(r.Code, r.Detail))
	}
	for _, id := range doc.Full {
		a.printf("%s%s %s\n", report.Named("warning", a.lang), report.Label("import_full", a.lang), id)
	}
	a.printf(report.Label("import_present", a.lang)+"\n", doc.Present)
	a.printf(report.Label("import_counts", a.lang)+"\n", len(doc.Placed), len(doc.Refused))
	last := "import_all"
	if doc.ExitCode != 0 {
		last = "import_some"
	}
	a.result(report.Label(last, a.lang))
}
