package cli

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/asa"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/paper"
	"github.com/ark-forge/proveit/verify/asa/reference"
)

// newASAPaper is "proveit asa paper".
func newASAPaper(a *app) *cobra.Command {
	var trace bool
	c := &cobra.Command{
		Use:   "paper",
		Short: "Audit the samples, tables and sentences of the paper itself",
		Args:  cobra.NoArgs,
		RunE: a.run(func(context.Context, []string) (verify.Outcome, error) {
			r, err := paper.Audit()
			if err != nil {
				return verify.Unusable, err
			}
			return a.asaReport(r, trace)
		}),
	}
	c.Flags().BoolVar(&trace, "trace", false, "print how each value was computed, repairs, other formulas, the rule and what to do next")
	return c
}

// asaRow is one line of reference data.
type asaRow struct {
	Name       string           `json:"name"`
	Dimensions []string         `json:"dimensions,omitempty"`
	Weights    map[string]int64 `json:"weights_percent,omitempty"`
	Typical    map[string]int64 `json:"typical_at_least,omitempty"`
	Needs      *asaNeeds        `json:"needs,omitempty"`
}

// asaNeeds are decimals as text.
type asaNeeds struct {
	StorageGB    string    `json:"storage_gb_per_year"`
	Evaluators   [2]string `json:"evaluators"`
	WithCanaries [2]string `json:"evaluators_with_canaries"`
	CanaryUSD    string    `json:"canary_usd_per_day"`
}

// asaTable is what defaults, templates and scale print as JSON.
type asaTable struct {
	Format   string   `json:"format"`
	ExitCode int      `json:"exit_code"`
	Rows     []asaRow `json:"rows"`
}

// newASADefaults is "proveit asa defaults".
func newASADefaults(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "defaults [TYPE]",
		Short: "Dimensions and weights of a verification without agreement, by deliverable type (paper §5.4)",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			var rows []asaRow
			for _, d := range reference.DefaultDimensions() {
				row := asaRow{Name: d.Type, Dimensions: d.Dimensions, Weights: map[string]int64{}}
				for i, name := range d.Dimensions {
					row.Weights[name] = d.Weights[i]
				}
				rows = append(rows, row)
			}
			return a.asaRows("defaults", rows, args, func(r asaRow) string {
				var parts []string
				for _, name := range r.Dimensions {
					parts = append(parts, name+" "+strconv.FormatInt(r.Weights[name], 10)+" %")
				}
				return strings.Join(parts, ", ")
			})
		}),
	}
}

// newASATemplates is "proveit asa templates".
func newASATemplates(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "templates [NAME]",
		Short: "Dimensions and typical limits of the six templates (paper §4.4)",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			var rows []asaRow
			for _, name := range reference.Templates() {
				t, _ := reference.TemplateOf(name)
				rows = append(rows, asaRow{Name: name, Dimensions: t.Dimensions, Typical: t.Typical})
			}
			return a.asaRows("templates", rows, args, func(r asaRow) string {
				var parts []string
				for _, name := range r.Dimensions {
					if least, ok := r.Typical[name]; ok {
						name += " >= " + strconv.FormatInt(least, 10)
					}
					parts = append(parts, name)
				}
				return strings.Join(parts, ", ")
			})
		}),
	}
}

// asaRows prints a table, or its one row of a name.
func (a *app) asaRows(what string, rows []asaRow, args []string, text func(asaRow) string) (verify.Outcome, error) {
	if len(args) == 1 {
		at := slices.IndexFunc(rows, func(r asaRow) bool { return r.Name == args[0] })
		if at < 0 {
			return verify.Unusable, fmt.Errorf("found %q, want one of the names that proveit asa %s lists", args[0], what)
		}
		rows = rows[at : at+1]
	}
	if a.json() {
		return verify.Holds, writeJSON(a.Out, asaTable{Format: "proveit.asa-" + what + "/v1", Rows: rows})
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(a.Out, "%s: %s\n", r.Name, text(r)); err != nil {
			return verify.Unusable, err
		}
	}
	return verify.Holds, nil
}

// asaScaleRows are the agreements a day of the paper's table (§14).
var asaScaleRows = []string{"1000", "100000", "10000000"}

// newASAScale is "proveit asa scale".
func newASAScale(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "scale [AGREEMENTS-PER-DAY]…",
		Short: "Storage, evaluators and canary costs of so many agreements a day, from the paper's assumptions (§14)",
		Args:  cobra.ArbitraryArgs,
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			if len(args) == 0 {
				args = asaScaleRows
			}
			var rows []asaRow
			for _, arg := range args {
				d, err := exact.Parse(arg)
				if err != nil || d.Rat.Sign() < 0 {
					return verify.Unusable, fmt.Errorf("found %q, want a number of agreements a day", arg)
				}
				rows = append(rows, asaRow{Name: arg, Needs: asaNeedsOf(d.Rat)})
			}
			return a.asaRows("scale", rows, nil, func(r asaRow) string {
				n := r.Needs
				return fmt.Sprintf("storage %s GB/year, evaluators %s to %s (with canaries %s to %s), canaries %s USD/day",
					n.StorageGB, n.Evaluators[0], n.Evaluators[1], n.WithCanaries[0], n.WithCanaries[1], n.CanaryUSD)
			})
		}),
	}
}

// asaPlaces is how many decimal places are shown of a number that need not be a decimal.
const asaPlaces = 4

func asaNeedsOf(perDay *big.Rat) *asaNeeds {
	s := paper.Scale(perDay)
	text := func(r *big.Rat) string { return exact.Rounded(r, asaPlaces) }
	return &asaNeeds{text(s.StorageGB), [2]string{text(s.EvaluatorsLow), text(s.EvaluatorsHigh)}, [2]string{text(s.WithCanariesLow), text(s.WithCanariesHigh)}, text(s.CanaryUSD)}
}

// asaExplained is what "asa explain -o json" prints.
type asaExplained struct {
	Format   string            `json:"format"`
	ExitCode int               `json:"exit_code"`
	ID       string            `json:"id"`
	Says     map[string]string `json:"says,omitempty"`
	Rule     string            `json:"rule"`
	IDs      []string          `json:"ids,omitempty"`
}

// newASAExplain is "proveit asa explain".
func newASAExplain(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "What a finding id or a requirement (R076) says and where it stands in the paper; without one, the list of ids",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			if len(args) == 0 {
				return verify.Holds, a.asaListIDs()
			}
			e, ok := asa.Explain(args[0], a.lang.String())
			if !ok {
				return verify.Unusable, fmt.Errorf("found %q, want a requirement R001 to R%03d or an id that proveit asa explain lists", args[0], finding.Requirements)
			}
			if a.json() {
				doc := asaExplained{Format: "proveit.asa-explain/v1", ID: e.ID, Rule: e.Rule, IDs: e.IDs, Says: map[string]string{}}
				for _, lang := range finding.Languages {
					if other, _ := asa.Explain(args[0], lang); other.Says != "" {
						doc.Says[lang] = other.Says
					}
				}
				return verify.Holds, writeJSON(a.Out, doc)
			}
			return verify.Holds, a.asaPrintExplanation(e)
		}),
	}
}

func (a *app) asaPrintExplanation(e asa.Explanation) error {
	lines := []string{e.ID}
	if e.Says != "" {
		lines = append(lines, "    "+e.Says)
	}
	lines = append(lines, "    "+e.Rule)
	for _, id := range e.IDs {
		says, _ := finding.Text(id, a.lang.String())
		lines = append(lines, id, "    "+says)
	}
	_, err := fmt.Fprintln(a.Out, strings.Join(lines, "\n"))
	return err
}

func (a *app) asaListIDs() error {
	if a.json() {
		return writeJSON(a.Out, asaExplained{Format: "proveit.asa-explain/v1", IDs: finding.Known()})
	}
	_, err := fmt.Fprintln(a.Out, strings.Join(finding.Known(), "\n"))
	return err
}
