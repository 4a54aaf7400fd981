package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/followup"
)

// asaPackageDoc is what "asa bundle-manifest -o json" prints.
type asaPackageDoc struct {
	Format   string           `json:"format"`
	ExitCode int              `json:"exit_code"`
	Items    []asaPackageItem `json:"items"`
}

type asaPackageItem struct {
	Name    string `json:"name"`
	Place   string `json:"place"`
	Present bool   `json:"present"`
	SHA256  string `json:"sha256"` // of the file; "" where there is none
}

// newASAManifest is "proveit asa bundle-manifest".
func newASAManifest(a *app) *cobra.Command {
	var jsonc bool
	c := &cobra.Command{
		Use:   "bundle-manifest DIR",
		Short: "What a dispute needs (paper §9.3), whether the folder has it, and the SHA-256 of each file",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.asaManifest(args[0], jsonc)
		}),
	}
	c.Flags().BoolVar(&jsonc, "jsonc", false, "take comments (//) out before reading")
	return c
}

func (a *app) asaManifest(name string, jsonc bool) (verify.Outcome, error) {
	b, err := openFiles(name, bundle.Limits{})
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	set, err := folder.Collect(b)
	if err != nil {
		return verify.Unusable, fmt.Errorf("%s: %w", name, err)
	}
	if set.Agreement == nil && len(set.Results) == 0 {
		return verify.Unusable, fmt.Errorf("%s: %w", name, folder.ErrNothing)
	}
	read := &finding.Log{}
	items := followup.DisputeItems(set.Open(jsonc, read))
	doc, outcome := asaPackageDoc{Format: "proveit.asa-bundle-manifest/v1"}, verify.Holds
	for _, i := range items {
		file, _, _ := strings.Cut(i.Place, "#")
		item := asaPackageItem{Name: i.Name, Place: i.Place, Present: i.Present}
		if bytes, err := b.Read(file); err == nil {
			item.SHA256 = canon.Sum(bytes).Prefixed()
		}
		if !i.Present {
			outcome = verify.Differs
		}
		doc.Items = append(doc.Items, item)
	}
	doc.ExitCode = outcome.ExitCode()
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	for _, i := range doc.Items {
		word, sum := "ok", i.SHA256
		if !i.Present {
			word = "failed"
		}
		fmt.Fprintf(a.Out, "%s %s: %s %s\n", a.status(word), i.Name, i.Place, sum)
	}
	return outcome, nil
}
