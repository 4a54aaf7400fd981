package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// newSeasonNeeds is "proveit season needs".
func newSeasonNeeds(a *app) *cobra.Command {
	var beforeClose bool
	var o seasonFlags
	c := &cobra.Command{
		Use:   "needs BUNDLE",
		Short: "What must still be fetched, as request bodies that are ready to be sent",
		Long: "Lists the views and log entries of every proof that a freeze names or a submission cites, files, and trust material that the bundle lacks.\n" +
			"Each line of JSON is the body of one request. No answer key is read, so it works before the close.",
		Args: cobra.ExactArgs(1),
		RunE: a.run(func(ctx context.Context, args []string) (verify.Outcome, error) {
			return a.seasonNeeds(ctx, args[0], o, beforeClose)
		}),
	}
	c.Flags().BoolVar(&beforeClose, "before-close", false, "do not ask for what is revealed at the close: answer keys, corpus, freeze.json")
	c.Flags().Int64Var(&o.maxFile, "max-file", bundle.DefaultFileSize, "largest file of a bundle that is read, in bytes")
	return c
}

func (a *app) seasonNeeds(ctx context.Context, path string, o seasonFlags, beforeClose bool) (verify.Outcome, error) {
	b, options, err := a.openSeason(path, o)
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	doc, err := replay.FindNeeds(ctx, b, options, beforeClose)
	if err != nil {
		return verify.Unusable, err
	}
	outcome := verify.Holds
	if doc.ExitCode != 0 {
		outcome = verify.Incomplete
	}
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	return outcome, a.printNeeds(doc)
}

// printNeeds writes request bodies on lines of their own, so that a shell can take them.
func (a *app) printNeeds(doc *replay.Needs) error {
	var groups []needGroup
	var proofs, entries, trust []string
	for _, r := range doc.ProofRequests {
		proofs = append(proofs, oneLine(r))
	}
	for _, r := range doc.LogRequests {
		entries = append(entries, oneLine(r))
	}
	for _, t := range doc.Trust {
		trust = append(trust, "  "+report.Fetch(t.Kind, t.ID, a.lang))
	}
	groups = append(groups, needGroup{"needs_proofs", proofs}, needGroup{"needs_pending", indented(doc.Pending)}, needGroup{"needs_entries", entries},
		needGroup{"needs_files", indented(doc.Files)}, needGroup{"needs_trust", trust}, needGroup{"needs_refused", a.some(indented(doc.Refused))})
	for _, g := range groups {
		if len(g.lines) > 0 {
			a.list(g.label, g.lines)
		}
	}
	for _, n := range doc.Unread {
		a.printf("%s%s %s\n", report.Named("unread", a.lang), n.Code, n.Detail.File)
	}
	a.printf(report.Label("needs_looked", a.lang)+"\n", doc.Submissions, doc.Proofs)
	word := "needs_none"
	if doc.ExitCode != 0 {
		word = doc.Result
	}
	a.result(report.Label(word, a.lang))
	return nil
}

type needGroup struct {
	label string
	lines []string
}

// some is the beginning of a long list; -o json has all of it.
func (a *app) some(list []string) []string {
	if len(list) <= shownDifferences {
		return list
	}
	return append(list[:shownDifferences:shownDifferences], fmt.Sprintf("  "+report.Label("diff_more", a.lang), len(list)-shownDifferences))
}

func indented(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, "  "+s)
	}
	return out
}

// oneLine is a request body on one line.
func oneLine(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error() // strings and lists of strings always marshal
	}
	return string(b)
}
