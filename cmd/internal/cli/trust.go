package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/trust"
)

// newTrust is "proveit trust".
func newTrust(a *app) *cobra.Command {
	c := &cobra.Command{Use: "trust", Short: "Trust material: which keys count, and where each comes from"}
	c.AddCommand(&cobra.Command{
		Use:   "show DIR|BUNDLE",
		Short: "List every key with its source, window, SHA-256, and what to compare it with",
		Long: "List every key of a trust folder, or of the one inside a season's bundle, with its source, window, SHA-256, and what to compare it with.\n" +
			"The folder can be given with --trust instead.",
		Args: cobra.MaximumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			if len(args) == 1 && a.trust != "" {
				return verify.Unusable, errors.New("found DIR and --trust, want one of the two")
			}
			if len(args) == 1 {
				return a.trustShow(a.trustOf(args[0]))
			}
			return a.trustShow(a.loadTrust())
		}),
	})
	return c
}

// shownKey is one key as printed.
type shownKey struct {
	report.TrustKey
	SHA256Of string `json:"sha256_of"` // which bytes are hashed
	Compare  string `json:"compare"`   // what to compare the fingerprint with
}

type trustDoc struct {
	Format   string     `json:"format"`
	Result   string     `json:"result"`
	ExitCode int        `json:"exit_code"`
	Keys     []shownKey `json:"keys"`
	Ignored  []string   `json:"ignored"` // files outside the layout, not read
}

func (a *app) trustShow(store *trust.Store, err error) (verify.Outcome, error) {
	if err != nil {
		return verify.Unusable, err
	}
	doc := trustDoc{Format: "proveit.trust/v1", Result: verify.Holds.String(), Keys: []shownKey{}, Ignored: append([]string{}, store.Ignored()...)}
	for _, k := range store.Keys() {
		hashed, compare := report.KeyAdvice(string(k.Kind), k.Pinned, a.dataLang())
		doc.Keys = append(doc.Keys, shownKey{SHA256Of: hashed, Compare: compare, TrustKey: report.TrustKey{Kind: string(k.Kind), Name: k.Name,
			Source: k.Source, SHA256: k.SHA256.String(), Window: k.Window.String(), Pinned: k.Pinned}})
	}
	if a.json() {
		return verify.Holds, writeJSON(a.Out, doc)
	}
	for _, k := range doc.Keys {
		a.printKey(k)
	}
	for _, name := range doc.Ignored {
		a.warn("%s: outside the layout of a trust folder, not read", name)
	}
	return verify.Holds, nil
}

func (a *app) printKey(k shownKey) {
	mark := report.Label("unpinned", a.lang)
	if k.Pinned {
		mark = report.Label("pinned", a.lang)
	}
	a.printf("%s %s: %s\n", k.Kind, k.Name, mark)
	a.part("source", k.Source)
	a.part("window", report.Phrase(k.Window, a.lang))
	a.printf("         sha256: %s (%s)\n", k.SHA256, k.SHA256Of)
	a.part("compare", k.Compare)
}
