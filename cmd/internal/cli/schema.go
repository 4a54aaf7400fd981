package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/asa/form"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/submission"
)

// submissionSchema is the name of the schema of package submission. Those of package asa begin with "asa-"; all others are in package report.
const submissionSchema = "submission"

// newSchema is "proveit schema".
func newSchema(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "The JSON Schema (2020-12) of a format; without a name, the list of names",
		Long: "Prints the schema of a file that the program reads or writes, or of what a command prints with -o json.\n" +
			"A schema says what one member may be. Rules that compare members, such as ids that are unique, are in its description.",
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return schemaNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			if len(args) == 0 {
				return verify.Holds, a.listSchemas()
			}
			b, ok := schemaOf(args[0])
			if !ok {
				return verify.Unusable, fmt.Errorf("found schema %q, want one of the names that proveit schema lists", args[0])
			}
			_, err := a.Out.Write(b)
			return verify.Holds, err
		}),
	}
}

func schemaOf(name string) ([]byte, bool) {
	if name == submissionSchema {
		return submission.Schema(), true
	}
	if b, ok := form.Schema(name); ok {
		return b, true
	}
	return report.Schema(name)
}

func schemaNames() []string {
	names := append(report.SchemaNames(), submissionSchema)
	names = append(names, form.SchemaNames()...)
	slices.Sort(names)
	return names
}

func (a *app) listSchemas() error {
	if a.json() {
		return writeJSON(a.Out, schemasDoc{Format: "proveit.schemas/v1", Schemas: schemaNames()})
	}
	for _, name := range schemaNames() {
		if _, err := fmt.Fprintln(a.Out, name); err != nil {
			return err
		}
	}
	return nil
}

// schemasDoc is what "schema -o json" prints.
type schemasDoc struct {
	Format   string   `json:"format"`
	ExitCode int      `json:"exit_code"`
	Schemas  []string `json:"schemas"`
}
