package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
)

// newASALint is "proveit asa lint".
func newASALint(a *app) *cobra.Command {
	var s folder.Set
	return a.asaCobra(asaCommand{
		use: "lint AGREEMENT", short: "What can be said of an agreement before anybody signs it; no result is needed", args: cobra.ExactArgs(1),
		gather: func(args []string) (folder.Set, error) {
			return s, a.asaFiles(asaInput{args[0], &s.Agreement})
		},
		judge: func(set folder.Set, o asa.Options) (*finding.Report, error) { return asa.Lint(set, o) },
	})
}

// newASASignatures is "proveit asa verify-signatures".
func newASASignatures(a *app) *cobra.Command {
	var keys, events string
	return a.asaCobra(asaCommand{
		use: "verify-signatures AGREEMENT [--keys FILE] [--events FILE]", short: "The signatures of client and provider over the payload", args: cobra.ExactArgs(1),
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&keys, "keys", "", "keys.json, for identities that carry no key")
			f.StringVar(&events, "events", "", "events.jsonl, whose signed events name the payload")
		},
		gather: func(args []string) (s folder.Set, err error) {
			return s, a.asaFiles(asaInput{args[0], &s.Agreement}, asaInput{keys, &s.Keys}, asaInput{events, &s.Events})
		},
		judge: func(set folder.Set, o asa.Options) (*finding.Report, error) { return asa.Signatures(set, o) },
	})
}

// newASANegotiation is "proveit asa negotiation".
func newASANegotiation(a *app) *cobra.Command {
	var proposal, market, agreement string
	c := a.asaCobra(asaCommand{
		use: "negotiation LOG --proposal FILE [--market FILE] [--agreement FILE]", short: "Walk the messages of a negotiation and fold them into the final document", args: cobra.ExactArgs(1),
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&proposal, "proposal", "", "the document of the first message")
			f.StringVar(&market, "market", "", "market.json")
			f.StringVar(&agreement, "agreement", "", "the signed agreement, to compare the final terms with")
		},
		gather: func(args []string) (s folder.Set, err error) {
			return s, a.asaFiles(asaInput{args[0], &s.Messages}, asaInput{proposal, &s.Proposal}, asaInput{market, &s.Market}, asaInput{agreement, &s.Agreement})
		},
		judge: func(set folder.Set, o asa.Options) (*finding.Report, error) {
			r, _, err := asa.Negotiation(set, o)
			return r, err
		},
	})
	c.MarkFlagsOneRequired("proposal", "agreement")
	return c
}

// newASALifecycle is "proveit asa lifecycle".
func newASALifecycle(a *app) *cobra.Command {
	var agreement, proposal string
	var results []string
	return a.asaCobra(asaCommand{
		use: "lifecycle LOG --agreement FILE [--proposal FILE] [--result FILE]…", short: "Replay the events: the state that they lead to, deadlines, feasible times", args: cobra.ExactArgs(1),
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&agreement, "agreement", "", "the agreement")
			f.StringVar(&proposal, "proposal", "", "the document of the first message")
			f.StringArrayVar(&results, "result", nil, "a verification result; may be repeated")
		},
		required: []string{"agreement"},
		gather: func(args []string) (s folder.Set, err error) {
			if s.Results, err = a.asaResults(results); err != nil {
				return s, err
			}
			return s, a.asaFiles(asaInput{args[0], &s.Events}, asaInput{agreement, &s.Agreement}, asaInput{proposal, &s.Proposal})
		},
		judge: func(set folder.Set, o asa.Options) (*finding.Report, error) {
			r, _, err := asa.Lifecycle(set, o)
			return r, err
		},
	})
}

// newASARecompute is "proveit asa recompute".
func newASARecompute(a *app) *cobra.Command {
	var agreement, request, deliverable string
	var alone standaloneFlags
	return a.asaCobra(asaCommand{
		use: "recompute RESULT [--agreement FILE] [--request FILE] [--deliverable FILE]", short: "Recompute scores, composite, gates, determination and payment of one result", args: cobra.ExactArgs(1), receipts: true,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&agreement, "agreement", "", "the agreement; without it the request's criteria or the defaults of its type are used")
			f.StringVar(&request, "request", "", "the verification request")
			f.StringVar(&deliverable, "deliverable", "", "the deliverable, whose hash the result names")
			alone.add(f)
		},
		gather: func(args []string) (s folder.Set, err error) {
			if s.Results, err = a.asaResults(args); err != nil {
				return s, err
			}
			return s, a.asaFiles(asaInput{agreement, &s.Agreement}, asaInput{request, &s.Request}, asaInput{deliverable, &s.Deliverable})
		},
		judge: func(set folder.Set, o asa.Options) (*finding.Report, error) {
			if err := alone.take(&o); err != nil {
				return nil, err
			}
			return asa.Recompute(set, o)
		},
	})
}

// newASAConsensus is "proveit asa consensus".
func newASAConsensus(a *app) *cobra.Command {
	var agreement, method string
	return a.asaCobra(asaCommand{
		use: "consensus RESULT… --agreement FILE", short: "What several results on one deliverable come to together", args: cobra.MinimumNArgs(1),
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&agreement, "agreement", "", "the agreement")
			f.StringVar(&method, "method", "", "majority_vote or median_score (default: the agreement's)")
		},
		required: []string{"agreement"},
		gather: func(args []string) (s folder.Set, err error) {
			if s.Results, err = a.asaResults(args); err != nil {
				return s, err
			}
			return s, a.asaFiles(asaInput{agreement, &s.Agreement})
		},
		judge: func(set folder.Set, o asa.Options) (*finding.Report, error) {
			if method != "" && method != "majority_vote" && method != "median_score" {
				return nil, &document.OptionError{Name: "method", Found: method, Want: "majority_vote or median_score"}
			}
			r, _, err := asa.Consensus(set, o, method)
			return r, err
		},
	})
}

// newASAGuarantee is "proveit asa guarantee".
func newASAGuarantee(a *app) *cobra.Command {
	var agreement string
	return a.asaCobra(asaCommand{
		use: "guarantee HISTORY --agreement FILE", short: "Judge pass@k and percentile guarantees on a history of attempts", args: cobra.ExactArgs(1),
		flags:    func(f *pflag.FlagSet) { f.StringVar(&agreement, "agreement", "", "the agreement") },
		required: []string{"agreement"},
		gather: func(args []string) (s folder.Set, err error) {
			return s, a.asaFiles(asaInput{args[0], &s.History}, asaInput{agreement, &s.Agreement})
		},
		judge: func(set folder.Set, o asa.Options) (*finding.Report, error) { return asa.Guarantee(set, o) },
	})
}

// newASAEvaluators is "proveit asa evaluators".
func newASAEvaluators(a *app) *cobra.Command {
	var agreement, agents, canaries, events, draw string
	var results []string
	return a.asaCobra(asaCommand{
		use:   "evaluators REGISTRY --agreement FILE [--agents FILE] [--canaries FILE] [--events FILE] [--result FILE]… [--draw BEACON]",
		short: "Independence, qualification, rotation, canaries and draw of evaluators", args: cobra.ExactArgs(1),
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&agreement, "agreement", "", "the agreement")
			f.StringVar(&agents, "agents", "", "agents.json")
			f.StringVar(&canaries, "canaries", "", "canaries.jsonl")
			f.StringVar(&events, "events", "", "events.jsonl, whose assignment is compared with the draw")
			f.StringArrayVar(&results, "result", nil, "a verification result; may be repeated")
			f.StringVar(&draw, "draw", "", "repeat the draw with this beacon, 64 hex digits")
		},
		required: []string{"agreement"},
		gather: func(args []string) (s folder.Set, err error) {
			if s.Results, err = a.asaResults(results); err != nil {
				return s, err
			}
			return s, a.asaFiles(asaInput{args[0], &s.Registry}, asaInput{agreement, &s.Agreement}, asaInput{agents, &s.Agents}, asaInput{canaries, &s.Canaries}, asaInput{events, &s.Events})
		},
		judge: func(set folder.Set, o asa.Options) (*finding.Report, error) {
			if draw == "" {
				return asa.Evaluators(set, o)
			}
			beacon, err := asaBeacon(draw)
			if err != nil {
				return nil, err
			}
			r, _, err := asa.Draw(set, o, beacon)
			return r, err
		},
	})
}

// asaBeacon takes a beacon with or without "sha256:".
func asaBeacon(s string) (string, error) {
	d, err := canon.ParsePrefixed(s)
	if err != nil {
		d, err = canon.ParseHex(s)
	}
	if err != nil {
		return "", &document.OptionError{Name: "draw", Found: s, Want: "64 lowercase hex digits, with or without sha256:"}
	}
	return d.Prefixed(), nil
}
