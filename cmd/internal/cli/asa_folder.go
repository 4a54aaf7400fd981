package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/asa"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/ledger"
)

// newASAAudit is "proveit asa audit".
func newASAAudit(a *app) *cobra.Command {
	var o asaFlags
	var alone standaloneFlags
	c := &cobra.Command{
		Use:   "audit DIR",
		Short: "Everything that the files of one agreement allow: one report",
		Long: "Reads the documents of one agreement from a folder or a .zip of it, under fixed names: agreement.json, proposal.json, negotiation.jsonl,\n" +
			"events.jsonl, request.json, result.json (or result-*.json), deliverable.*, market.json, evaluators.json, agents.json, canaries.jsonl,\n" +
			"history.jsonl, keys.json, arp_report.json, export.json (or export-*.json), archive.jsonl, children/*.json. A missing file leaves the rules that need it unestablished, never ok.",
		Args: cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.asaFolder(args[0], o, folder.Takes, func(fsys fs.FS, options asa.Options) (*finding.Report, error) {
				if err := alone.take(&options); err != nil {
					return nil, err
				}
				return asa.Audit(fsys, options)
			})
		}),
	}
	alone.add(c.Flags())
	o.receipts.add(c.Flags())
	o.add(c.Flags())
	return c
}

// newASALedger is "proveit asa ledger".
func newASALedger(a *app) *cobra.Command {
	var o asaFlags
	c := &cobra.Command{
		Use:   "ledger DIR",
		Short: "Several agreements together: one subfolder each, and canaries.jsonl beside them",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			takes := func(name string) bool {
				_, below, ok := strings.Cut(name, "/")
				return name == "canaries.jsonl" || ok && folder.Takes(below)
			}
			return a.asaFolder(args[0], o, takes, func(fsys fs.FS, options asa.Options) (*finding.Report, error) {
				return ledger.Judge(fsys, ledger.Options{Readings: options.Readings, JSONC: options.JSONC, Strict: options.Strict})
			})
		}),
	}
	o.add(c.Flags())
	return c
}

// asaFolder judges a folder. A file that an audit would have read and could not makes the report unusable, and stands in it.
func (a *app) asaFolder(name string, o asaFlags, takes func(string) bool, judge func(fs.FS, asa.Options) (*finding.Report, error)) (verify.Outcome, error) {
	options, err := a.asaOptions(&o)
	if err != nil {
		return verify.Unusable, err
	}
	b, err := openFiles(name, bundle.Limits{})
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	r, err := judge(b, options)
	if err != nil {
		return verify.Unusable, fmt.Errorf("%s: %w", name, err)
	}
	r.Unread = append(r.Unread, o.unread...)
	for _, refused := range b.Refused() {
		if takes(refused.Name) {
			r.Unread = append(r.Unread, finding.Unread{Path: refused.Name, Why: string(refused.Why)})
		}
	}
	return a.asaReport(r, o.trace)
}

// newASAValidate is "proveit asa validate".
func newASAValidate(a *app) *cobra.Command {
	var o asaFlags
	c := &cobra.Command{
		Use:   "validate FILE…",
		Short: "The form of documents: members, types, ranges, grammars; one report over all of them",
		Args:  cobra.MinimumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			options, err := a.asaOptions(&o)
			if err != nil {
				return verify.Unusable, err
			}
			return a.asaReport(a.asaValidate(args, options), o.trace)
		}),
	}
	o.add(c.Flags())
	return c
}

// asaValidate checks every file. One that cannot be read or recognised does not stop the others.
func (a *app) asaValidate(names []string, o asa.Options) *finding.Report {
	all := &finding.Report{Strict: o.Strict}
	for _, name := range names {
		unread := func(err error) {
			why := strings.TrimPrefix(err.Error(), name+": ")
			all.Unread = append(all.Unread, finding.Unread{Path: name, Why: why})
		}
		b, err := a.read(name)
		if err != nil {
			unread(err)
			continue
		}
		r, err := asa.Validate(document.File{Name: name, Bytes: b}, o)
		var option *document.OptionError
		switch {
		case errors.As(err, &option) && option.Name == "file":
			unread(fmt.Errorf("not recognised by its members, want %s", option.Want))
			continue
		case err != nil:
			unread(err)
			continue
		}
		all.Log.Merge(&r.Log)
		all.Inputs = append(all.Inputs, r.Inputs...)
		all.AsOf = max(all.AsOf, r.AsOf)
	}
	slices.SortStableFunc(all.Inputs, func(x, y finding.Input) int { return strings.Compare(path.Clean(x.Path), path.Clean(y.Path)) })
	return all
}
