package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
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
	options, err := a.replayOptions(o)
	if err != nil {
		return verify.Unusable, err
	}
	b, err := openBundle(path, o)
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
		fmt.Fprintf(a.Out, "%s %s %s\n", f.ProofID, f.Status, f.TokenTime)
		a.part("reason", f.Reason)
	}
	for _, c := range d.Freeze.Checks {
		fmt.Fprintf(a.Out, "%s %s", a.status(c.Status), c.Name)
		if c.Note != "" {
			fmt.Fprintf(a.Out, ": %s", c.Note)
		}
		if c.Reason != "" {
			fmt.Fprintf(a.Out, ": %s", c.Reason)
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
	var salts []string
	var target string
	c := &cobra.Command{
		Use:   "commit BUNDLE [--salt HEX…] [--target URL]",
		Short: "Compute what a season has to anchor before it opens: the salted commitment of each key, the hashes of everything else",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.freezeCommit(args[0], salts, target)
		}),
	}
	c.Flags().StringArrayVar(&salts, "salt", nil, "64 hex digits, for every key; or one for each track in the order of season.json (default: drawn, and printed)")
	c.Flags().StringVar(&target, "target", "", "URL that the payload will be sent to; gives the request of freeze.json")
	return c
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

func (a *app) freezeCommit(path string, salts []string, target string) (verify.Outcome, error) {
	files, err := frozenFiles(path, salts)
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
	a.warn("the salts are secret until the close: whoever has one can try answer keys against the commitment")
	if a.json() {
		return verify.Holds, writeJSON(a.Out, doc)
	}
	for _, f := range doc.Files {
		fmt.Fprintf(a.Out, "%s  %s\n", f.Hash, f.File)
		a.part("salt", f.Salt)
	}
	fmt.Fprintf(a.Out, "payload: %s\n", c.Payload)
	if doc.Request != nil {
		fmt.Fprintf(a.Out, "request: %s\n", *doc.Request)
	}
	return verify.Holds, nil
}

// frozenFiles are the files that season.json names, the keys with their salts.
func frozenFiles(path string, salts []string) ([]freeze.Material, error) {
	b, err := openBundle(path, seasonFlags{})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	raw, err := b.Read(replay.SeasonFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s, err := season.ParseSeason(replay.SeasonFile, raw)
	if err != nil {
		return nil, err
	}
	if len(salts) > 1 && len(salts) != len(s.Tracks) {
		return nil, fmt.Errorf("--salt: found %d, want one, or one for each of the %d tracks", len(salts), len(s.Tracks))
	}
	names, keys := []string{replay.SeasonFile, s.ManifestFile}, map[string]*[freeze.SaltSize]byte{}
	if b.Has(s.EnrolmentFile) {
		names = append(names, s.EnrolmentFile)
	}
	for i, t := range s.Tracks {
		if keys[t.KeyFile], err = salt(salts, i); err != nil {
			return nil, err
		}
		names = append(names, t.ScaleFile, t.TextFile, t.KeyFile)
	}
	var files []freeze.Material
	for _, name := range names {
		bytes, err := b.Read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		files = append(files, freeze.Material{Name: name, Bytes: bytes, Salt: keys[name]})
	}
	return files, nil
}

// salt is the given one, or 32 random bytes.
func salt(given []string, i int) (*[freeze.SaltSize]byte, error) {
	var s [freeze.SaltSize]byte
	if len(given) == 0 {
		_, err := rand.Read(s[:])
		return &s, err
	}
	d, err := canon.ParseHex(given[min(i, len(given)-1)])
	if err != nil {
		return nil, fmt.Errorf("--salt: %w", err)
	}
	s = d
	return &s, nil
}
