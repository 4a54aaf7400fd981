package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/conformance"
	"github.com/ark-forge/proveit/verify/report"
)

func newConformance(a *app) *cobra.Command {
	var command string
	var strict bool
	var other func() bool
	c := &cobra.Command{
		Use:   "conformance DIR [--command 'PROGRAM ARG…']",
		Short: "Put every question of a conformance suite to this program, or to another verifier",
		Long: "Reads every case of DIR (such as testdata/conformance) and compares the answers with those expected.\n" +
			"With --command, each question goes to that program as one JSON document on standard input, and its answer is read from its standard\n" +
			"output; PROTOCOL.md in the suite describes both. The program is started without a shell: its arguments are separated by spaces.",
		Args: cobra.ExactArgs(1),
		RunE: a.run(func(ctx context.Context, args []string) (verify.Outcome, error) {
			if !other() { // an empty text, such as an unset variable of a shell, is no wish to ask this program
				return a.conformance(args[0], false, a.ownAnswer(ctx, args[0]))
			}
			words := strings.Fields(command)
			if _, err := lookUp(a.env("PATH"), words); err != nil {
				return verify.Unusable, err
			}
			return a.conformance(args[0], !strict, a.otherAnswer(args[0], words))
		}),
	}
	other = func() bool { return c.Flags().Changed("command") }
	c.Flags().StringVar(&command, "command", "", "another verifier, started once for each case")
	c.Flags().BoolVar(&strict, "strict", false, "with --command: compare check, reason and facts even where the other verifier leaves them empty")
	return c
}

// comparedCase is one case as printed.
type comparedCase struct {
	Case        string           `json:"case"`
	Question    string           `json:"question"`
	Agrees      bool             `json:"agrees"`
	Trouble     string           `json:"trouble"` // why there is no answer
	Differences []comparedMember `json:"differences"`
}

type comparedMember struct {
	Member string `json:"member"`
	Found  string `json:"found"`
	Wanted string `json:"expected"`
}

type conformanceDoc struct {
	Format   string         `json:"format"`
	Result   string         `json:"result"`
	ExitCode int            `json:"exit_code"`
	Cases    int            `json:"cases"`
	Refusals int            `json:"refusals"` // cases whose input must not be accepted
	Differ   int            `json:"differ"`
	Compared []comparedCase `json:"compared"`
}

// conformance runs a suite. A folder without a case examines nothing, which is never success.
func (a *app) conformance(dir string, lenient bool, ask func(conformance.Case) (conformance.Answer, error)) (verify.Outcome, error) {
	cases, err := conformance.Load(os.DirFS(dir))
	if err != nil {
		return verify.Unusable, readError(dir, err)
	}
	if len(cases) == 0 {
		return verify.Unusable, fmt.Errorf("%s: found no case, want folders with expected.json: nothing was examined", dir)
	}
	doc := conformanceDoc{Format: "proveit.conformance.result/v1", Compared: []comparedCase{}}
	for _, v := range conformance.Run(cases, lenient, ask) {
		doc.add(v)
	}
	outcome := verify.Holds
	if doc.Differ > 0 {
		outcome = verify.Differs
	}
	doc.Result, doc.ExitCode = outcome.String(), outcome.ExitCode()
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	a.printConformance(&doc)
	a.result(report.Label(outcome.String(), a.lang))
	return outcome, nil
}

func (d *conformanceDoc) add(v conformance.Verdict) {
	d.Cases++
	if v.Case.Refusal() {
		d.Refusals++
	}
	one := comparedCase{Case: v.Case.Name, Question: v.Case.Question, Agrees: v.Agrees(), Trouble: v.Trouble, Differences: []comparedMember{}}
	if !one.Agrees {
		d.Differ++
	}
	for _, m := range v.Differences {
		one.Differences = append(one.Differences, comparedMember{m.Member, m.Found, m.Wanted})
	}
	d.Compared = append(d.Compared, one)
}

func (a *app) printConformance(d *conformanceDoc) {
	for _, c := range d.Compared {
		if c.Agrees {
			continue
		}
		a.printf("%s %s (%s)\n", a.status("differs"), c.Case, c.Question)
		a.part("trouble", c.Trouble)
		for _, m := range c.Differences {
			a.printf("         %s: %s %q, %s %q\n", m.Member, report.Label("found", a.lang), m.Found, report.Label("expected", a.lang), m.Wanted)
		}
	}
	a.printf(report.Label("conformance_counts", a.lang)+"\n", d.Cases, d.Refusals, d.Differ)
}

// placed is the path of an input of a case. What is no path stays.
func placed(dir, name string, in conformance.Input) string {
	if conformance.IsPath(in.Name) {
		return filepath.Join(dir, name, filepath.FromSlash(in.Value))
	}
	return in.Value
}

// ownArguments are the arguments with which this program is asked.
func ownArguments(dir string, c conformance.Case) ([]string, error) {
	args := append(strings.Fields(c.Question), "-o", "json", "--jobs", "1", "--quiet")
	for _, in := range c.Input {
		value := placed(dir, c.Name, in)
		switch in.Name {
		case "file":
			args = append(args, value)
		case "strict":
			args = append(args, "--strict="+value)
		default:
			args = append(args, "--"+in.Name, value)
		}
	}
	if !conformance.Known(c.Question) {
		return nil, errors.New("found question " + c.Question + ", want one that PROTOCOL.md describes")
	}
	return args, nil
}
