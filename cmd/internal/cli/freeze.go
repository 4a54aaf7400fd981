package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/freeze"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// newFreeze is "proveit freeze".
func newFreeze(a *app) *cobra.Command {
	c := &cobra.Command{Use: "freeze", Short: "What a season anchored before it opened"}
	c.AddCommand(newFreezeVerify(a), newFreezeCommit(a))
	return c
}

func newFreezeVerify(a *app) *cobra.Command {
	var o seasonFlags
	c := &cobra.Command{
		Use:   "verify BUNDLE",
		Short: "Check that scale, text, key and corpus are those anchored before the opening",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(ctx context.Context, args []string) (verify.Outcome, error) {
			return a.freezeVerify(ctx, args[0], o)
		}),
	}
	f := c.Flags()
	f.StringArrayVar(&o.freezeProofs, "freeze-proof", nil, "accept no freeze but that of this proof id (repeatable)")
	f.BoolVar(&o.requirePinned, "require-pinned", false, "refuse trust material from the bundle that matches no built-in fingerprint")
	return c
}

type freezeDoc struct {
	Format    string            `json:"format"`
	Result    string            `json:"result"`
	ExitCode  int               `json:"exit_code"`
	Season    int64             `json:"season"`
	Freeze    report.Freeze     `json:"freeze"`
	Missing   []report.Missing  `json:"missing"`
	Incidents []report.Incident `json:"incidents"`
	Trust     []report.TrustKey `json:"trust"`
	Warnings  []report.Notice   `json:"warnings"`
}

func (a *app) freezeVerify(ctx context.Context, path string, o seasonFlags) (verify.Outcome, error) {
	b, options, err := a.openSeason(path, o)
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	d, err := replay.RunFreeze(ctx, b, options)
	if err != nil {
		return verify.Unusable, err
	}
	outcome := outcomeOf(d, nil)
	if a.json() {
		return outcome, writeJSON(a.Out, freezeDoc{"proveit.freeze-check/v1", d.Result, d.ExitCode, d.Season, d.Freeze, d.Missing, d.Incidents, d.Trust, d.Warnings})
	}
	for _, f := range d.Freeze.Freezes {
		a.printf("%s\n", strings.TrimRight(f.ProofID+" "+f.Status+" "+f.TokenTime, " "))
		a.part("reason", f.Reason)
	}
	for _, c := range d.Freeze.Checks {
		a.printf("%s %s", a.status(c.Status), c.Name)
		if c.Note != "" {
			a.printf(": %s", c.Note)
		}
		if c.Reason != "" {
			a.printf(": %s", c.Reason)
		}
		fmt.Fprintln(a.Out)
		a.detail(c.Reason, failureOf(c.Reason, c.Detail))
	}
	for _, name := range d.Freeze.Unbound {
		a.part("not_anchored", name)
	}
	for _, m := range d.Missing {
		a.part("missing", report.Fetch(m.Kind, m.ID, a.lang))
	}
	a.result(report.Label(outcome.String(), a.lang))
	return outcome, nil
}

func newFreezeCommit(a *app) *cobra.Command {
	var o commitFlags
	c := &cobra.Command{
		Use:   "commit BUNDLE | commit FILE|DIR… [--key FILE…] [--salt HEX…] [--target URL]",
		Short: "Compute what a season has to anchor before it opens: the salted commitment of each key, the hashes of everything else",
		Long: "For a season's bundle, the files that season.json names. Else the files given, and all files of the folders given, as they are called from there:\n" +
			"the frozen text, the manifest, the key. An answer key is known by its format, or named with --key, and is the only kind of file that gets a salt.",
		Args: cobra.MinimumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.freezeCommit(args, o)
		}),
	}
	c.Flags().StringArrayVar(&o.salts, "salt", nil, "64 hex digits, for every key; or one for each key in order (default: drawn, and printed)")
	c.Flags().StringArrayVar(&o.keys, "key", nil, "name of a file that is an answer key, whatever its format (repeatable)")
	c.Flags().StringVar(&o.target, "target", "", "URL that the payload will be sent to; gives the request of freeze.json")
	return c
}

// commitFlags are the options of "freeze commit".
type commitFlags struct {
	salts, keys []string
	target      string
}

// committedFile is one frozen file.
type committedFile struct {
	File    string `json:"file"`
	Pointer string `json:"pointer"` // into the request
	Hash    string `json:"hash"`
	Salt    string `json:"salt,omitempty"` // secret until the close
}

type commitDoc struct {
	Format   string           `json:"format"`
	Result   string           `json:"result"`
	ExitCode int              `json:"exit_code"`
	Files    []committedFile  `json:"files"`
	Payload  *json.RawMessage `json:"payload"`
	Request  *json.RawMessage `json:"request"`  // null without --target
	Bindings *json.RawMessage `json:"bindings"` // for freeze.json, after the close
}

func (a *app) freezeCommit(args []string, o commitFlags) (verify.Outcome, error) {
	target := o.target
	if u, err := url.Parse(target); target != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		return verify.Unusable, fmt.Errorf("--target: found %q, want a URL with a host", target)
	}
	files, err := a.materials(args, o)
	if err != nil {
		return verify.Unusable, err
	}
	c, err := freeze.Commit(files)
	if err != nil {
		return verify.Unusable, err
	}
	doc := commitDoc{Format: "proveit.commitment/v1", Result: verify.Holds.String(), Files: []committedFile{}, Payload: (*json.RawMessage)(&c.Payload)}
	bindings, err := c.Bindings()
	if err != nil {
		return verify.Unusable, err
	}
	doc.Bindings = (*json.RawMessage)(&bindings)
	if target != "" {
		request, err := c.Request(target)
		if err != nil {
			return verify.Unusable, err
		}
		doc.Request = (*json.RawMessage)(&request)
	}
	for _, e := range c.Entries {
		one := committedFile{File: e.Name, Pointer: e.Pointer, Hash: e.Hash.String()}
		if e.Salt != nil {
			one.Salt = canon.Digest(*e.Salt).String()
		}
		doc.Files = append(doc.Files, one)
	}
	if slices.ContainsFunc(c.Entries, func(e freeze.Committed) bool { return e.Salt != nil }) {
		a.warn("%s", report.Label("salts_secret", a.lang))
	}
	if a.json() {
		return verify.Holds, writeJSON(a.Out, doc)
	}
	for _, f := range doc.Files {
		a.printf("%s  %s\n", f.Hash, f.File)
		a.part("salt", f.Salt)
	}
	a.printf("payload: %s\n", c.Payload)
	if doc.Request != nil {
		a.printf("request: %s\n", *doc.Request)
	}
	return verify.Holds, nil
}
