package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

func newScore(a *app) *cobra.Command {
	var o seasonFlags
	var bundlePath string
	c := &cobra.Command{
		Use:   "score SUBMISSION --season BUNDLE",
		Short: "Score one submission, as a replay of the whole season would",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(ctx context.Context, args []string) (verify.Outcome, error) {
			return a.score(ctx, args[0], bundlePath, o)
		}),
	}
	c.Flags().StringVar(&bundlePath, "season", "", "the season's bundle: a folder or a .zip")
	if err := c.MarkFlagRequired("season"); err != nil {
		panic(err) // the flag is defined above
	}
	o.add(c)
	return c
}

// oneCounts are the counts of one task. They enter a rate only where the task is rendered.
type oneCounts struct {
	Asserted          int `json:"asserted"`
	Unsupported       int `json:"unsupported"`
	InstrumentDefects int `json:"instrument_defects"`
}

type oneDoc struct {
	Format      string            `json:"format"`
	Result      string            `json:"result"`
	ExitCode    int               `json:"exit_code"`
	Season      int64             `json:"season"`
	Unfit       []string          `json:"unfit"`
	Freeze      report.Freeze     `json:"freeze"`
	Participant string            `json:"participant"`
	DID         string            `json:"did"`
	Track       string            `json:"track"`
	Task        *report.Task      `json:"task"` // null where nothing is scored
	Counts      oneCounts         `json:"counts"`
	Incidents   []report.Incident `json:"incidents"`
	Missing     []report.Missing  `json:"missing"`
	Unread      []report.Notice   `json:"unread"`
	Trust       []report.TrustKey `json:"trust"`
	Warnings    []report.Notice   `json:"warnings"`
}

func (a *app) score(ctx context.Context, name, bundlePath string, o seasonFlags) (verify.Outcome, error) {
	options, err := a.replayOptions(o)
	if err != nil {
		return verify.Unusable, err
	}
	text, err := a.read(name)
	if err != nil {
		return verify.Unusable, err
	}
	b, err := openBundle(bundlePath, o)
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	one, err := replay.RunOne(ctx, b, filepath.ToSlash(name), text, options)
	if err != nil {
		return verify.Unusable, err
	}
	outcome := one.Outcome
	for _, word := range o.failOn {
		if oneHas(one, word) {
			a.warn("--fail-on: at least one case of %s", word)
			outcome = verify.Worse(outcome, verify.Differs)
		}
	}
	d := one.Document
	doc := oneDoc{Format: "proveit.score/v1", Result: outcome.String(), ExitCode: outcome.ExitCode(), Season: d.Season, Unfit: d.Unfit, Freeze: d.Freeze,
		Participant: one.Participant.ID, DID: one.Participant.DID, Track: one.Track, Counts: oneCounts{one.Asserted, one.Unsupported, one.InstrumentDefects},
		Incidents: one.Incidents, Missing: one.Missing, Unread: d.Unread, Trust: d.Trust, Warnings: d.Warnings}
	if one.Scored {
		doc.Task = &one.Task
	}
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	a.printOne(&doc)
	a.result(report.Label(outcome.String(), a.lang))
	return outcome, nil
}

// oneHas reports whether a word of --fail-on applies to the submission.
func oneHas(one *replay.One, word string) bool {
	switch word {
	case "unsupported":
		return one.Unsupported > 0
	case "rejected":
		return one.Task.Status == verify.RejeteeEntree || one.Task.Status == verify.RejeteeCloture
	}
	return len(one.Incidents) > 0
}

func (a *app) yesNo(yes bool) string {
	if yes {
		return report.Label("yes", a.lang)
	}
	return report.Label("no", a.lang)
}

func (a *app) printOne(d *oneDoc) {
	if len(d.Unfit) > 0 {
		a.printf("%s%v\n", report.Named("unfit", a.lang), d.Unfit)
	}
	a.printFreezeLine(d.Freeze)
	if d.Task == nil {
		return
	}
	if d.Participant != "" {
		a.printf("%s %s (%s), %s %s\n", report.Label("agent", a.lang), d.Participant, d.DID, report.Label("track", a.lang), d.Track)
	}
	a.printf("%s%s%s\n", strings.TrimSuffix(report.Label("task", a.lang)+" "+d.Task.TaskID, " "), report.Colon(a.lang), d.Task.Status)
	for _, r := range d.Task.Refusals {
		a.notice(r)
	}
	for _, as := range d.Task.Assertions {
		a.printAssertion(as)
	}
	if d.Task.VerdictExact != nil {
		a.printf("%s%s, %s%s\n", report.Named("verdict_exact", a.lang), a.yesNo(*d.Task.VerdictExact), report.Named("grounded", a.lang), a.yesNo(*d.Task.Grounded))
	}
	for _, f := range d.Task.MissingFacts {
		a.part("missing_facts", f)
	}
	if d.Task.Status == verify.Rendue {
		a.printf("%s%d / %d\n", report.Named("overclaim", a.lang), d.Counts.Unsupported, d.Counts.Asserted)
	}
	for _, i := range d.Incidents {
		a.printf("%s %s %s %s\n", a.status("incident"), i.Code, i.Assertion, i.ProofID)
	}
	for _, m := range d.Missing {
		a.part("missing", report.Fetch(m.Kind, m.ID, a.lang))
	}
}

// printFreezeLine says whether the freeze holds, and every check that does not.
func (a *app) printFreezeLine(f report.Freeze) {
	fmt.Fprintln(a.Out, report.FreezeText(f, a.lang))
	for _, c := range f.Checks {
		if c.Status != verify.OK.String() {
			a.printf("%s %s: %s\n", a.status(c.Status), c.Name, c.Reason)
			a.detail(c.Reason, failureOf(c.Reason, c.Detail))
		}
	}
}

func (a *app) printAssertion(as report.Assertion) {
	if as.Supported {
		a.printf("%s %s\n", a.status("ok"), as.ID)
		return
	}
	cause := "-"
	if as.Cause != nil {
		cause = string(*as.Cause)
	}
	a.printf("%s %s: %s: %s\n", a.status("failed"), as.ID, cause, as.Reason)
	if as.Resource != "" {
		a.printf("         %s %s = %s (%s)\n", as.Resource, as.Field, as.Value, as.ProofID)
	}
	a.detail(as.Reason, failureOf(as.Reason, as.Detail))
}

// notice prints one refusal that is kept as data.
func (a *app) notice(n report.Notice) {
	a.printf("%s %s\n", a.status("refused"), n.Code)
	a.detail(n.Code, failureOf(n.Code, n.Detail))
}

// failureOf is the failure that a detail was made of, or nil.
func failureOf(code verify.Reason, d *report.Detail) *verify.Failure {
	if d == nil {
		return nil
	}
	return &verify.Failure{Reason: code, Found: d.Found, Wanted: d.Expected, File: d.File, Pointer: d.Pointer}
}
