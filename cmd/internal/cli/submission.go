package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/trust"
)

// newSubmission is "proveit submission".
func newSubmission(a *app) *cobra.Command {
	c := &cobra.Command{Use: "submission", Short: "What a participant hands in: check it, make it"}
	c.AddCommand(newSubmissionCheck(a), newSubmissionDisclose(a), newSubmissionNew(a))
	return c
}

// checkFlags are the options of "submission check".
type checkFlags struct{ season, proofs, rekor, responses string }

func newSubmissionCheck(a *app) *cobra.Command {
	var o checkFlags
	c := &cobra.Command{
		Use:   "check FILE… [--season BUNDLE] [--proofs DIR] [--rekor DIR] [--responses DIR]",
		Short: "What the entry would refuse, and whether the receipts open; without a season, the schema and its rules alone",
		Args:  cobra.MinimumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.submissionCheck(args, o)
		}),
	}
	f := c.Flags()
	f.StringVar(&o.season, "season", "", "the season's bundle, as far as it is public")
	f.StringVar(&o.proofs, "proofs", "", "views of the cited proofs: a file, or a folder of files")
	f.StringVar(&o.rekor, "rekor", "", "log entries: a file, or a folder of files")
	f.StringVar(&o.responses, "responses", "", "saved responses of the corpus: a folder of JSON files, found by their content")
	return c
}

func (a *app) submissionCheck(args []string, o checkFlags) (verify.Outcome, error) {
	hand, unread, err := a.atHand(o)
	if err != nil {
		return verify.Unusable, err
	}
	if hand.Season != nil {
		defer hand.Season.Close()
	}
	desk, err := replay.NewDesk(hand)
	if errors.Is(err, fs.ErrNotExist) {
		a.complain(fmt.Errorf("--season %s: %w", o.season, err))
		return verify.Incomplete, nil
	}
	if err != nil {
		return verify.Unusable, err
	}
	doc := submissionDoc{Format: "proveit.submission/v1", Submissions: []checkedSubmission{}, Unread: append([]report.Notice{}, unread...)}
	outcome := verify.Holds
	for _, arg := range args {
		files, err := expand([]string{arg})
		if err != nil {
			a.unread(&doc.Unread, &outcome, arg, err)
			continue
		}
		for _, name := range files {
			text, err := a.read(name)
			if err != nil {
				a.unread(&doc.Unread, &outcome, name, err)
				continue
			}
			found := desk.Check(filepath.ToSlash(name), text)
			outcome = verify.Worse(outcome, found.Outcome)
			one := a.checkedSubmission(&found)
			if !a.json() {
				a.printSubmission(&found, &one)
			}
			doc.Submissions = append(doc.Submissions, one)
		}
	}
	doc.Result, doc.ExitCode = outcome.String(), outcome.ExitCode()
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	a.result(report.Label(outcome.String(), a.lang))
	return outcome, nil
}

// unread names a file that cannot be read and makes the answer that of a question that could not be put.
func (a *app) unread(list *[]report.Notice, outcome *verify.Outcome, name string, err error) {
	*list = append(*list, a.unreadable(name, err))
	*outcome = verify.Worse(*outcome, verify.Unusable)
}

// atHand reads what the participant has. Receipts are judged where any of them was given.
func (a *app) atHand(o checkFlags) (replay.AtHand, []report.Notice, error) {
	hand := replay.AtHand{Judge: o.proofs != "" || o.rekor != "" || o.responses != ""}
	var unread []report.Notice
	var err error
	if o.season != "" {
		if hand.Season, err = openBundle(o.season, seasonFlags{}); err != nil {
			return hand, nil, err
		}
	}
	if !hand.Judge {
		return hand, nil, nil
	}
	if hand.Trust, err = a.trustFor(hand.Season); err != nil {
		return hand, nil, err
	}
	if hand.Views, unread, err = a.viewsFor(o.proofs, hand.Season); err != nil {
		return hand, nil, err
	}
	entries, more, err := a.entriesFor(o.rekor, hand.Season)
	if err != nil {
		return hand, nil, err
	}
	hand.Entries, unread = entries, append(unread, more...)
	if o.responses != "" {
		hand.Responses, hand.Saved, more, err = a.responses(o.responses)
		unread = append(unread, more...)
	}
	return hand, unread, err
}

// trustFor is the trust folder of the user's, else that of the season's bundle.
func (a *app) trustFor(b *bundle.Bundle) (*trust.Store, error) {
	if a.trust != "" || b == nil {
		return a.optionalTrust()
	}
	if err := wholeTrust(b, trustFolder); err != nil {
		return nil, err
	}
	if len(b.Under("trust/")) == 0 {
		return a.optionalTrust()
	}
	sub, err := fs.Sub(b, "trust")
	if err != nil {
		return nil, err
	}
	a.warn("trust material comes from the season's bundle; give your own with --trust")
	return trust.Load(sub, "trust")
}

// viewsFor are the proof views of a path, else those of the season's bundle.
func (a *app) viewsFor(path string, b *bundle.Bundle) ([]proof.View, []report.Notice, error) {
	var all []proof.View
	unread, err := a.eachEvidence(path, "proofs/", b, func(name string, bytes []byte) error {
		views, err := proof.Views(name, bytes)
		for _, v := range views {
			if v.Misfiled != nil {
				a.warn("%v", v.Misfiled)
			}
		}
		all = append(all, views...)
		return err
	})
	return all, unread, err
}

func (a *app) entriesFor(path string, b *bundle.Bundle) (rekor.Index, []report.Notice, error) {
	var all []rekor.Entry
	unread, err := a.eachEvidence(path, "rekor/", b, func(name string, bytes []byte) error {
		entries, err := rekor.ParseEntries(name, bytes)
		all = append(all, entries...)
		return err
	})
	return rekor.NewIndex(all), unread, err
}

// eachEvidence hands every file of a path to take, else every file of a folder of the bundle. One that cannot be read is named, and its
// contents count as missing.
func (a *app) eachEvidence(path, folder string, b *bundle.Bundle, take func(name string, bytes []byte) error) ([]report.Notice, error) {
	read, names := a.read, []string(nil)
	switch {
	case path != "":
		var err error
		if names, err = expand([]string{path}); err != nil {
			return nil, err
		}
	case b != nil:
		read, names = b.Read, b.Under(folder)
	}
	var unread []report.Notice
	for _, name := range names {
		bytes, err := read(name)
		if err == nil {
			err = take(name, bytes)
		}
		if err != nil {
			unread = append(unread, a.unreadable(name, err))
		}
	}
	return unread, nil
}

// responses reads saved responses as the proxy read them, and keeps them, and the file of each, by the hash that the proxy commits to.
func (a *app) responses(path string) (map[canon.Digest]canon.Value, map[canon.Digest]string, []report.Notice, error) {
	all, names := map[canon.Digest]canon.Value{}, map[canon.Digest]string{}
	unread, err := a.eachEvidence(path, "", nil, func(name string, bytes []byte) error {
		v, err := canon.Parse(bytes)
		if err != nil {
			return fmt.Errorf("%s:%w", name, err)
		}
		h := canon.Hash(v)
		if all[h] = v; names[h] == "" {
			names[h] = filepath.ToSlash(name)
		}
		return nil
	})
	return all, names, unread, err
}
