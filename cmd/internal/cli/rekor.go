package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/report"
)

// newRekor is "proveit rekor".
func newRekor(a *app) *cobra.Command {
	c := &cobra.Command{Use: "rekor", Short: "Transparency log entries"}
	c.AddCommand(newRekorVerify(a))
	return c
}

func newRekorVerify(a *app) *cobra.Command {
	var artifact string
	var trace bool
	c := &cobra.Command{
		Use:   "verify ENTRY… [--artifact-hash HEX]",
		Short: "Verify what the log itself promises: shape, signed timestamp, leaf, inclusion, checkpoint, and the entry's own signature",
		Args:  cobra.MinimumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.rekorVerify(args, artifact, trace)
		}),
	}
	c.Flags().StringVar(&artifact, "artifact-hash", "", "the value that spec.data.hash must have, 64 lowercase hex digits")
	c.Flags().BoolVar(&trace, "trace", false, "print every hash of the inclusion path")
	return c
}

// loggedEntry is one entry as printed.
type loggedEntry struct {
	File   string            `json:"file"`
	UUID   string            `json:"uuid"`
	Result string            `json:"result"` // valid or invalid
	Reason verify.Reason     `json:"reason"`
	Detail *report.Detail    `json:"detail"`
	Facts  map[string]string `json:"facts"`
	Trace  []tracedWalk      `json:"trace,omitempty"`

	failure *verify.Failure
	facts   []fact
}

type rekorDoc struct {
	Format   string        `json:"format"`
	Result   string        `json:"result"`
	ExitCode int           `json:"exit_code"`
	Entries  []loggedEntry `json:"entries"`
}

func (a *app) rekorVerify(args []string, artifact string, trace bool) (verify.Outcome, error) {
	judge, err := a.entryJudge(artifact)
	if err != nil {
		return verify.Unusable, err
	}
	outcome := verify.Holds
	var files []string
	for _, arg := range args {
		found, err := expand([]string{arg})
		if err != nil { // a bad one does not stop the others
			a.complain(err)
			outcome = verify.Unusable
		}
		files = append(files, found...)
	}
	var entries []loggedEntry
	for _, name := range files {
		found, err := a.entries(name)
		if err != nil {
			a.complain(err)
			outcome = verify.Worse(outcome, verify.Unusable)
			continue
		}
		for _, e := range found {
			one, err := judgeEntry(e, judge)
			if err != nil {
				return verify.Unusable, err
			}
			if one.failure != nil {
				outcome = verify.Worse(outcome, verify.Differs)
			}
			if w, ok := e.Walk(); ok && trace {
				w.Check = "inclusion"
				one.Trace = traced([]merkle.Walk{w})
			}
			entries = append(entries, one)
		}
	}
	if len(entries) == 0 && outcome == verify.Unusable {
		return outcome, nil // each complaint was made
	}
	if len(entries) == 0 {
		return verify.Unusable, errors.New("found no log entry, want at least one: nothing was examined")
	}
	return outcome, a.printEntries(entries, outcome)
}

type entryJudge func(rekor.Entry) (rekor.Logged, error)

func (a *app) entryJudge(artifact string) (entryJudge, error) {
	store, err := a.loadTrust()
	if err != nil {
		return nil, err
	}
	logs := store.Logs()
	if artifact == "" {
		return func(e rekor.Entry) (rekor.Logged, error) { return rekor.VerifyPromises(e, logs) }, nil
	}
	hash, err := canon.ParseHex(artifact)
	if err != nil {
		return nil, fmt.Errorf("--artifact-hash: %w", err)
	}
	return func(e rekor.Entry) (rekor.Logged, error) { return rekor.VerifyHash(e, hash, logs) }, nil
}

func (a *app) entries(name string) ([]rekor.Entry, error) {
	b, err := a.read(name)
	if err != nil {
		return nil, err
	}
	return rekor.ParseEntries(name, b)
}

func judgeEntry(e rekor.Entry, judge entryJudge) (loggedEntry, error) {
	logged, err := judge(e)
	failure, _, err := verdict(err)
	if err != nil {
		return loggedEntry{}, err
	}
	out := loggedEntry{File: e.File, UUID: e.UUID, Result: "valid", Facts: map[string]string{}, failure: failure}
	if failure != nil {
		out.Result, out.Reason, out.Detail = "invalid", failure.Reason, report.DetailOf(failure)
		return out, nil
	}
	out.facts = loggedFacts(logged)
	for _, f := range out.facts {
		out.Facts[f.name] = f.value
	}
	return out, nil
}

// loggedFacts writes numbers as text: tree ids and indexes exceed 2^53.
func loggedFacts(l rekor.Logged) []fact {
	facts := []fact{
		{"log", l.LogName}, {"log_id", l.LogID.String()}, {"integrated_time", l.IntegratedTime.Format(time.RFC3339)},
		{"log_index", strconv.FormatUint(l.LogIndex, 10)}, {"tree_id", strconv.FormatUint(l.TreeID, 10)},
		{"tree_index", strconv.FormatUint(l.TreeIndex, 10)}, {"tree_size", strconv.FormatUint(l.TreeSize, 10)},
		{"kind", l.Kind + " " + l.Version},
	}
	if l.Hash != "" {
		facts = append(facts, fact{"artifact_hash", l.Hash}, fact{"submitter_key_sha256", l.Submitter.SHA256.String()},
			fact{"submitter_key_carried_as", l.Submitter.Carried})
	}
	return facts
}

func (a *app) printEntries(entries []loggedEntry, outcome verify.Outcome) error {
	if a.json() {
		return writeJSON(a.Out, rekorDoc{"proveit.rekor/v1", outcome.String(), outcome.ExitCode(), entries})
	}
	for _, e := range entries {
		a.printf("%s %s\n", e.UUID, report.Label(e.Result, a.lang))
		if e.failure != nil {
			a.failure(e.failure)
		}
		for _, f := range e.facts {
			a.printf("         %s: %s\n", f.name, f.value)
		}
		a.printTrace(e.Trace)
	}
	a.result(report.Label(outcome.String(), a.lang))
	return nil
}
