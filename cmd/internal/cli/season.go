package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// newSeason is "proveit season".
func newSeason(a *app) *cobra.Command {
	c := &cobra.Command{Use: "season", Short: "A whole season: replay, score, explain, check, rehearse"}
	c.AddCommand(
		newSeasonReplay(a),
		newSeasonScore(a),
		newSeasonMerge(a),
		newSeasonNeeds(a),
		newSeasonDiff(a),
		newSeasonVerify(a),
		newSeasonExplain(a),
		newSeasonImport(a),
		newSeasonSimulate(a),
	)
	return c
}

// seasonFlags are the options that every command over a whole season shares.
type seasonFlags struct {
	freezeProofs  []string
	withoutFreeze bool
	requirePinned bool
	maxFile       int64
	failOn        []string
}

func (o *seasonFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&o.freezeProofs, "freeze-proof", nil, "accept no freeze but that of this proof id (repeatable)")
	f.BoolVar(&o.withoutFreeze, "insecure-without-freeze", false, "score although no freeze was checked: a rehearsal, unfit for publication")
	f.BoolVar(&o.requirePinned, "require-pinned", false, "refuse trust material from the bundle that matches no built-in fingerprint")
	f.Int64Var(&o.maxFile, "max-file", bundle.DefaultFileSize, "largest file of a bundle that is read, in bytes")
	f.StringSliceVar(&o.failOn, "fail-on", nil, "exit 1 where there is any of: unsupported, rejected, incident")
}

// options turns the flags into those of a replay. A trust folder of the user's wins over the bundle's.
func (a *app) replayOptions(o seasonFlags) (replay.Options, error) {
	if err := checkFailOn(o.failOn); err != nil {
		return replay.Options{}, err
	}
	for _, id := range o.freezeProofs {
		if !proof.IsID(id) {
			return replay.Options{}, fmt.Errorf("--freeze-proof: found %q, want prf_, 8 digits, _, 6 digits, _, 6 lowercase hex digits", id)
		}
	}
	out := replay.Options{Jobs: a.jobs, FreezeProofs: o.freezeProofs, WithoutFreeze: o.withoutFreeze, RequirePinned: o.requirePinned}
	if a.trust != "" {
		store, err := a.loadTrust()
		if err != nil {
			return out, err
		}
		out.Trust = store
	}
	if a.terminal(a.Err) && !a.quiet {
		out.Progress = func(done, all int) { fmt.Fprintf(a.Err, "\r%d/%d", done, all) }
	}
	return out, nil
}

func checkFailOn(words []string) error {
	for _, word := range words {
		if word != "unsupported" && word != "rejected" && word != "incident" {
			return fmt.Errorf("--fail-on: found %q, want unsupported, rejected or incident", word)
		}
	}
	return nil
}

// openFiles opens a folder or a .zip. The error names it once.
func openFiles(path string, l bundle.Limits) (*bundle.Bundle, error) {
	b, err := bundle.Open(path, l)
	var refused *bundle.Refusal
	if errors.As(err, &refused) && refused.Name == path {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// openSeason opens a season's bundle and reads the options under which it is judged.
func (a *app) openSeason(path string, o seasonFlags) (*bundle.Bundle, replay.Options, error) {
	options, err := a.replayOptions(o)
	if err != nil {
		return nil, options, err
	}
	b, err := openBundle(path, o)
	return b, options, err
}

// openBundle opens a season's bundle, which has season.json at its top.
func openBundle(path string, o seasonFlags) (*bundle.Bundle, error) {
	if o.maxFile < 0 {
		return nil, fmt.Errorf("--max-file: found %d, want at least 1", o.maxFile)
	}
	b, err := openFiles(path, bundle.Limits{FileSize: o.maxFile})
	if err != nil {
		return nil, err
	}
	if b.Has(replay.SeasonFile) || slices.ContainsFunc(b.Refused(), func(r bundle.Refusal) bool { return r.Name == replay.SeasonFile }) {
		return b, nil
	}
	defer b.Close()
	for _, name := range b.Names() {
		if dir, ok := strings.CutSuffix(name, "/"+replay.SeasonFile); ok {
			return nil, fmt.Errorf("%s: found %s in the folder %s, want it at the top of a season's bundle", path, replay.SeasonFile, dir)
		}
	}
	return nil, fmt.Errorf("%s: found no %s, want the folder or the .zip of a season's bundle", path, replay.SeasonFile)
}

func newSeasonReplay(a *app) *cobra.Command {
	var o seasonFlags
	c := &cobra.Command{
		Use:   "replay BUNDLE",
		Short: "Check the freeze, score everybody, and compare with what was published",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(ctx context.Context, args []string) (verify.Outcome, error) {
			return a.seasonReplay(ctx, args[0], o)
		}),
	}
	o.add(c)
	return c
}

// seasonReplay prints a replay. As JSON it is written while people are judged; as text the rates are all that is kept.
func (a *app) seasonReplay(ctx context.Context, path string, o seasonFlags) (verify.Outcome, error) {
	out := bufio.NewWriter(a.Out)
	sink := &replaySink{}
	if a.json() {
		sink.w = report.NewReplayWriter(out)
	}
	doc, err := a.replay(ctx, path, o, sink)
	if err != nil {
		return verify.Unusable, err
	}
	outcome := a.replayOutcome(doc, o.failOn)
	if a.json() {
		err = sink.w.End(doc)
	} else {
		err = report.Text(out, doc, a.lang)
	}
	if err != nil {
		return verify.Unusable, err
	}
	return outcome, out.Flush()
}

// replaySink writes participants where there is a writer, and drops them otherwise.
type replaySink struct{ w *report.ReplayWriter }

// Begin writes what is known before anybody is judged.
func (s *replaySink) Begin(doc *report.Replay) error {
	if s.w == nil {
		return nil
	}
	return s.w.Begin(doc)
}

// Render has nothing to write: there are no reports.
func (s *replaySink) Render(report.Header, report.Participant) error { return nil }

// Participant writes one participant.
func (s *replaySink) Participant(track int, p report.Participant) error {
	if s.w == nil {
		return nil
	}
	return s.w.Participant(track, p)
}

func (a *app) replay(ctx context.Context, path string, o seasonFlags, sink replay.Sink) (*report.Replay, error) {
	b, options, err := a.openSeason(path, o)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	options.Sink = sink
	doc, err := replay.Run(ctx, b, options)
	if options.Progress != nil {
		fmt.Fprint(a.Err, "\r\x1b[K")
	}
	return doc, err
}

// replayOutcome is outcomeOf, and names what --fail-on found: the result alone would not say why it does not hold.
func (a *app) replayOutcome(doc *report.Replay, failOn []string) verify.Outcome {
	for _, word := range failOn {
		if doc.Has(word) {
			a.warn("--fail-on: at least one case of %s", word)
		}
	}
	return outcomeOf(doc, failOn)
}

// outcomeOf is the outcome of a replay, made worse by --fail-on; the document then says the same.
func outcomeOf(doc *report.Replay, failOn []string) verify.Outcome {
	outcome := map[int]verify.Outcome{0: verify.Holds, 1: verify.Differs, 3: verify.Incomplete}[doc.ExitCode]
	for _, word := range failOn {
		if doc.Has(word) {
			outcome = verify.Worse(outcome, verify.Differs)
		}
	}
	doc.Result, doc.ExitCode = outcome.String(), outcome.ExitCode()
	return outcome
}
