package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/submission"
)

func newSubmissionDisclose(a *app) *cobra.Command {
	var into string
	c := &cobra.Command{
		Use:   "disclose FULL… [--into SUBMISSION]",
		Short: "The disclosures block, from the owner's full views; with --into, put into a submission in place",
		Args:  cobra.MinimumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.disclose(args, into)
		}),
	}
	c.Flags().StringVar(&into, "into", "", "submission to put the block into; everything else in it stays byte for byte")
	return c
}

// disclosedDoc is what "submission disclose -o json" prints.
type disclosedDoc struct {
	Format   string        `json:"format"`
	Result   string        `json:"result"`
	ExitCode int           `json:"exit_code"`
	Proofs   []string      `json:"proofs"`
	Into     string        `json:"into,omitempty"`
	Refusals []refusal     `json:"refusals"`
	Missing  []missingNote `json:"missing"`
}

func (a *app) disclose(args []string, into string) (verify.Outcome, error) {
	if into == "-" {
		return verify.Unusable, errors.New("--into: found -, want a file")
	}
	files, err := expand(args)
	if err != nil {
		return verify.Unusable, err
	}
	var views []proof.View
	for _, name := range files {
		b, err := a.read(name)
		if err != nil {
			return verify.Unusable, err
		}
		found, err := proof.Views(name, b)
		if err != nil {
			return verify.Unusable, err
		}
		views = append(views, found...)
	}
	if len(views) == 0 {
		return verify.Unusable, errors.New("found no view, want at least one: nothing was examined")
	}
	doc := disclosedDoc{Format: "proveit.disclosures/v1", Proofs: []string{}, Into: into, Refusals: []refusal{}, Missing: []missingNote{}}
	var target []byte
	if into != "" {
		if target, err = a.read(into); err != nil {
			return verify.Unusable, err
		}
		if views, doc.Missing, err = a.citedViews(into, target, views); err != nil {
			return verify.Unusable, err
		}
	}
	if len(doc.Missing) > 0 {
		return a.disclosed(doc, nil, nil, verify.Incomplete)
	}
	block, refusals := submission.Disclose(views)
	if len(refusals) > 0 {
		return a.disclosed(doc, nil, refusals, verify.Differs)
	}
	for _, v := range views {
		doc.Proofs = append(doc.Proofs, v.ID)
	}
	slices.Sort(doc.Proofs)
	doc.Proofs = slices.Compact(doc.Proofs)
	if into != "" {
		if target, err = submission.InsertDisclosures(into, target, block); err == nil {
			err = replaceFile(into, target)
		}
		if err != nil {
			return verify.Unusable, err
		}
	}
	return a.disclosed(doc, block, nil, verify.Holds)
}

// citedViews keeps the views of the proofs that the submission cites, since the entry refuses a block with any other, and says which are not
// there. A submission that cites nothing yet takes them all.
func (a *app) citedViews(into string, text []byte, views []proof.View) ([]proof.View, []missingNote, error) {
	cited, err := submission.CitedIn(into, text)
	if err != nil || len(cited) == 0 {
		return views, nil, err
	}
	var kept []proof.View
	missing := []missingNote{}
	for _, id := range cited {
		n := len(kept)
		for _, v := range views {
			if v.ID == id {
				kept = append(kept, v)
			}
		}
		if len(kept) == n {
			missing = append(missing, missingNote{"proof", id, report.Fetch("full_view", id, a.dataLang())})
		}
	}
	return kept, missing, nil
}

func (a *app) disclosed(doc disclosedDoc, block []byte, refusals submission.Refusals, outcome verify.Outcome) (verify.Outcome, error) {
	doc.Result, doc.ExitCode, doc.Refusals = outcome.String(), outcome.ExitCode(), a.refusals(refusals)
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	a.printRefusals(refusals)
	a.printMissing(doc.Missing)
	switch {
	case outcome != verify.Holds:
		a.result(report.Label(outcome.String(), a.lang))
	case doc.Into != "":
		fmt.Fprintf(a.Out, report.Label("disclosed_into", a.lang)+"\n", doc.Into, len(doc.Proofs))
	default:
		_, err := a.Out.Write(append(block, '\n'))
		return outcome, err
	}
	return outcome, nil
}

// replaceFile gives a file new bytes at once or not at all, keeping its permissions. Behind a link, the file itself is replaced.
func replaceFile(name string, b []byte) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	info, err := os.Stat(name)
	if err != nil {
		return readError(name, err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: found a %s, want a regular file, or nothing", name, kindOf(info.Mode()))
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".tmp-")
	if err != nil {
		return readError(name, err)
	}
	defer os.Remove(tmp.Name()) // nothing is left once the rename took it away
	_, err = tmp.Write(b)
	err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return readError(name, err)
	}
	return nil
}

// newFlags are the options of "submission new".
type newFlags struct{ season, track, task, did string }

func newSubmissionNew(a *app) *cobra.Command {
	var o newFlags
	c := &cobra.Command{
		Use:   "new --season BUNDLE --track T --task ID --did DID",
		Short: "An empty form for one task, with one assertion to copy",
		Args:  cobra.NoArgs,
		RunE: a.run(func(context.Context, []string) (verify.Outcome, error) {
			return a.submissionNew(o)
		}),
	}
	f := c.Flags()
	f.StringVar(&o.season, "season", "", "the season's bundle, as far as it is public")
	f.StringVar(&o.track, "track", "", "conformite or generique")
	f.StringVar(&o.task, "task", "", "task id")
	f.StringVar(&o.did, "did", "", "the agent's DID")
	for _, name := range []string{"season", "track", "task", "did"} {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is defined above
		}
	}
	return c
}

// ids are the ids of some things, in order.
func ids[T any](all []T, id func(T) string) []string {
	out := make([]string, 0, len(all))
	for _, one := range all {
		out = append(out, id(one))
	}
	return out
}

func (a *app) submissionNew(o newFlags) (verify.Outcome, error) {
	b, err := openBundle(o.season, seasonFlags{})
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	raw, err := b.Read(replay.SeasonFile)
	if err != nil {
		return verify.Unusable, fmt.Errorf("--season: %w", err)
	}
	s, err := season.ParseSeason(replay.SeasonFile, raw)
	if err != nil {
		return verify.Unusable, err
	}
	track, ok := s.Track(o.track)
	if !ok {
		return verify.Unusable, fmt.Errorf("--track: found %q, want %s", o.track, submission.OneOf(ids(s.Tracks, func(t season.Track) string { return t.ID })))
	}
	text, err := b.Read(track.ScaleFile)
	if err != nil {
		return verify.Unusable, fmt.Errorf("--season: %w", err)
	}
	scale, err := season.ParseScale(track.ScaleFile, text, track.ID)
	if err != nil {
		return verify.Unusable, err
	}
	if _, ok := scale.Task(o.task); !ok {
		return verify.Unusable, fmt.Errorf("--task: found %q, want %s", o.task, submission.OneOf(ids(scale.Tasks, func(t season.Task) string { return t.ID })))
	}
	form, err := submission.Form(s.Number, o.track, o.task, o.did)
	if err != nil {
		return verify.Unusable, fmt.Errorf("--did: %w", err)
	}
	_, err = a.Out.Write(form)
	return verify.Holds, err
}
