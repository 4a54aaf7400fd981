package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/asa"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/policy"
	"github.com/ark-forge/proveit/verify/asa/reference"
)

// newASA is "proveit asa": service agreements between agents.
func newASA(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "asa",
		Short: "Service agreements between agents: recompute what their documents declare",
		Long: "Audits service agreements (ASA 1.0.0) from documents on disk: terms, negotiation, lifecycle, scores, payment, evaluators.\n" +
			"Each gap between declared and recomputed is one line: severity, id, place, declared, recomputed.\n" +
			"An error or a refused document is exit 1; what is not established, and warnings, are exit 3 with --strict only.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a.outcome = verify.Holds
			return c.Help()
		},
	}
	c.AddCommand(newASAAudit(a), newASAValidate(a), newASALint(a), newASACanon(a), newASASignMessage(a), newASASignatures(a), newASANegotiation(a), newASALifecycle(a),
		newASARecompute(a), newASAConsensus(a), newASAGuarantee(a), newASAEvaluators(a), newASALedger(a), newASAManifest(a), newASADefaults(a), newASATemplates(a), newASAScale(a), newASAExplain(a), newASAPaper(a))
	return c
}

// asaFlags are the options of every "proveit asa" command that judges.
type asaFlags struct {
	jsonc, strict, trace bool
	readings             []string
	asOf, policy         string
	receipts             receiptFlags
	unread               []finding.Unread // files of receipts that could not be read
}

// add registers the flags.
func (o *asaFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&o.jsonc, "jsonc", false, "take comments (//) out of the documents before reading; each file that has some gets a note")
	f.BoolVar(&o.strict, "strict", false, "exit 3 where something is not established or flagged")
	f.BoolVar(&o.trace, "trace", false, "print how each value was computed, repairs, other formulas, the rule and what to do next")
	f.StringArrayVar(&o.readings, "readings", nil, "default, all (gaps of every reading, as notes), or name=value; may be repeated")
	f.StringVar(&o.asOf, "as-of", "", "now, as an RFC 3339 date-time (default: the last instant that the documents state)")
	f.StringVar(&o.policy, "policy", "", `JSON file with your own choices: {"readings": {name: value}, "evaluators": {"min_evaluations", "canary_rate_gt", "max_calibration_deviation"}}`)
}

// asaOptions are the flags as the audit takes them. A reading on the command line wins over the policy's.
func (a *app) asaOptions(o *asaFlags) (asa.Options, error) {
	out := asa.Options{JSONC: o.jsonc, AsOf: o.asOf, Strict: o.strict}
	if o.policy != "" {
		f, err := a.asaFile(o.policy)
		if err != nil {
			return out, err
		}
		if out.Policy, err = policy.Read(*f, o.jsonc); err != nil {
			return out, fmt.Errorf("--policy: %w", err)
		}
		out.Readings = out.Policy.Readings
	}
	for _, r := range o.readings {
		switch r {
		case "default":
		case "all":
			out.All = true
		default:
			if err := out.Readings.Set(r); err != nil {
				return out, fmt.Errorf("--readings: %w", err)
			}
		}
	}
	f, err := a.asaReceipts(o.receipts)
	out.Receipts, out.Inputs, o.unread = f.find, f.inputs, f.unread
	return out, err
}

// standaloneFlags say how a verification without agreement is judged.
type standaloneFlags struct{ kind, threshold string }

func (o *standaloneFlags) add(f *pflag.FlagSet) {
	f.StringVar(&o.kind, "type", "", "deliverable type of a verification without agreement (see proveit asa defaults)")
	f.StringVar(&o.threshold, "threshold", "", "composite threshold of a verification without agreement, 0 to 100")
}

// take puts the flags into the options, unless they name what does not exist.
func (o standaloneFlags) take(options *asa.Options) error {
	if _, ok := reference.Defaults(o.kind); o.kind != "" && !ok {
		return &document.OptionError{Name: "type", Found: o.kind, Want: "one of the types that proveit asa defaults lists"}
	}
	if o.threshold != "" {
		d, err := exact.Parse(o.threshold)
		if err != nil || d.Rat.Sign() < 0 || d.Rat.Cmp(exact.Int(100)) > 0 {
			return &document.OptionError{Name: "threshold", Found: o.threshold, Want: "0 to 100"}
		}
	}
	options.Type, options.Threshold = o.kind, o.threshold
	return nil
}

// asaFile reads one document; nil where no name is given.
func (a *app) asaFile(name string) (*document.File, error) {
	if name == "" {
		return nil, nil
	}
	b, err := a.read(name)
	if err != nil {
		return nil, err
	}
	return &document.File{Name: name, Bytes: b}, nil
}

// asaInput is one file named on the command line and the role that it has.
type asaInput struct {
	name string
	into **document.File
}

// asaFiles reads documents into their roles.
func (a *app) asaFiles(list ...asaInput) error {
	for _, in := range list {
		f, err := a.asaFile(in.name)
		if err != nil {
			return err
		}
		*in.into = f
	}
	return nil
}

// asaResults reads verification results.
func (a *app) asaResults(names []string) ([]document.File, error) {
	var out []document.File
	for _, name := range names {
		f, err := a.asaFile(name)
		if err != nil {
			return nil, err
		}
		out = append(out, *f)
	}
	return out, nil
}

// asaJudgement judges a set of documents.
type asaJudgement func(folder.Set, asa.Options) (*finding.Report, error)

// asaJudge runs a judgement and prints its report.
func (a *app) asaJudge(o asaFlags, set folder.Set, judge asaJudgement) (verify.Outcome, error) {
	options, err := a.asaOptions(&o)
	if err != nil {
		return verify.Unusable, err
	}
	r, err := judge(set, options)
	if err != nil {
		return verify.Unusable, err
	}
	r.Unread = append(r.Unread, o.unread...)
	return a.asaReport(r, o.trace)
}

// asaReport prints a report. Its last line, its JSON and the exit code come from one value.
func (a *app) asaReport(r *finding.Report, trace bool) (verify.Outcome, error) {
	if a.json() {
		_, err := a.Out.Write(r.JSON())
		return r.Outcome(), err
	}
	_, err := io.WriteString(a.Out, r.Text(a.lang.String(), trace))
	return r.Outcome(), err
}

// asaCommand is a command that judges the documents that its arguments and flags name.
type asaCommand struct {
	use, short string
	receipts   bool // receipts that results cite are judged
	args       cobra.PositionalArgs
	flags      func(*pflag.FlagSet)
	required   []string // flags
	gather     func(args []string) (folder.Set, error)
	judge      asaJudgement
}

func (a *app) asaCobra(d asaCommand) *cobra.Command {
	var o asaFlags
	c := &cobra.Command{
		Use: d.use, Short: d.short, Args: d.args,
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			set, err := d.gather(args)
			if err != nil {
				return verify.Unusable, err
			}
			return a.asaJudge(o, set, d.judge)
		}),
	}
	if d.flags != nil {
		d.flags(c.Flags())
	}
	for _, name := range d.required {
		if err := c.MarkFlagRequired(name); err != nil {
			c.RunE = func(*cobra.Command, []string) error { return errors.New("unknown flag " + name) } // the names are constants: this cannot happen
		}
	}
	if d.receipts {
		o.receipts.add(c.Flags())
	}
	o.add(c.Flags())
	return c
}
