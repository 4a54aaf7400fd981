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
	"github.com/ark-forge/proveit/verify/simulate"
)

func newSeasonSimulate(a *app) *cobra.Command {
	var o simulate.Options
	var out, full string
	c := &cobra.Command{
		Use:   "simulate --out DIR [--participants N] [--seed S] [--open] [--full-views DIR]",
		Short: "Mint a rehearsal season whose results are known: expected.json says them",
		Args:  cobra.NoArgs,
		RunE: a.run(func(ctx context.Context, _ []string) (verify.Outcome, error) {
			return a.simulate(ctx, o, out, full)
		}),
	}
	f := c.Flags()
	f.StringVar(&out, "out", "", "folder to make; it must not be there, or be empty")
	f.StringVar(&full, "full-views", "", "folder to make beside the bundle, with the owner's full view of every proof: what submission disclose reads")
	f.StringVar(&o.Seed, "seed", "", "any text; the same seed gives the same bytes")
	f.IntVar(&o.Participants, "participants", 0, "how many participants; 0 for one of each profile")
	f.BoolVar(&o.Open, "open", false, "add profiles whose proofs are pending or missing: not answerable yet")
	f.BoolVar(&o.Small, "small", false, "leave out the profiles that parade kinds of proofs and rules of entry one by one")
	f.IntVar(&o.TasksPerParticipant, "tasks", 0, "for measuring: tasks that every participant submits")
	f.IntVar(&o.ProofsPerTask, "proofs", 0, "for measuring: proofs of every task, each of its own assertion")
	if err := c.MarkFlagRequired("out"); err != nil {
		panic(err) // the flag is defined above
	}
	return c
}

type simulatedDoc struct {
	Format   string `json:"format"`
	Result   string `json:"result"`
	ExitCode int    `json:"exit_code"`
	Seed     string `json:"seed"`
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
}

// simulate writes the season into a folder that appears whole or not at all, and the owners' full views into another.
func (a *app) simulate(ctx context.Context, o simulate.Options, out, full string) (verify.Outcome, error) {
	if o.Participants < 0 || o.TasksPerParticipant < 0 || o.ProofsPerTask < 0 {
		return verify.Unusable, errors.New("--participants, --tasks and --proofs: found a negative number, want 0 or more")
	}
	if full != "" && (within(full, out) || within(out, full)) {
		return verify.Unusable, fmt.Errorf("--full-views: found %s, want a folder apart from that of --out", full)
	}
	doc := simulatedDoc{Format: "proveit.simulate/v1", Result: verify.Holds.String(), Seed: o.Seed}
	dir, err := newFolder(out)
	if err != nil {
		return verify.Unusable, err
	}
	defer dir.discard()
	var owners *outDir
	if o.FullViews = full != ""; o.FullViews {
		if owners, err = newFolder(full); err != nil {
			return verify.Unusable, fmt.Errorf("--full-views: %w", err)
		}
		defer owners.discard()
	}
	err = simulate.Write(o, func(name string, b []byte) error {
		if own, ok := strings.CutPrefix(name, simulate.FullViewsDir); ok {
			return errors.Join(ctx.Err(), owners.put(own, b))
		}
		doc.Files++
		doc.Bytes += int64(len(b))
		return errors.Join(ctx.Err(), dir.put(name, b))
	})
	if err == nil && owners != nil {
		err = owners.commit()
	}
	if err == nil {
		err = dir.commit()
	}
	if err != nil {
		return verify.Unusable, err
	}
	if a.json() {
		return verify.Holds, writeJSON(a.Out, doc)
	}
	_, err = fmt.Fprintf(a.Out, "%s: %d files, %d bytes\n", out, doc.Files, doc.Bytes)
	return verify.Holds, err
}

// within reports whether a path is a folder or lies in it.
func within(path, folder string) bool {
	a, errA := filepath.Abs(path)
	b, errB := filepath.Abs(folder)
	rel, err := filepath.Rel(b, a)
	return errA != nil || errB != nil || err == nil && filepath.IsLocal(rel)
}

// newFolder prepares a folder that is not there yet, or is empty. Nothing is ever replaced: a season in its place may be somebody's only copy.
func newFolder(target string) (*outDir, error) {
	entries, err := os.ReadDir(target)
	if err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("--out: %s: found a folder that is not empty, want a new one", target)
	}
	return newOutDir(target, mark)
}

// put writes one file of the folder.
func (d *outDir) put(name string, b []byte) error {
	w, err := d.create(name)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return errors.Join(err, w.Close())
}
