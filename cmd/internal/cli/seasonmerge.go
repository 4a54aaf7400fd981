package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
)

// parseShard reads "I/N": the I-th of N parts, counted from 1.
func parseShard(s string) (replay.Shard, error) {
	if s == "" {
		return replay.Shard{}, nil
	}
	index, of, ok := strings.Cut(s, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if !ok || err1 != nil || err2 != nil || i < 1 || i > n {
		return replay.Shard{}, fmt.Errorf("--shard: found %q, want I/N with I from 1 to N", s)
	}
	return replay.Shard{Index: i, Of: n}, nil
}

// scorePart writes one part of a season to a file, which appears whole or not at all.
func (a *app) scorePart(ctx context.Context, path, target string, o seasonFlags, shard replay.Shard) (verify.Outcome, error) {
	b, options, err := a.openSeason(path, o)
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	options.Shard = shard
	var doc *report.Replay
	err = writeAtomically(target, func(w io.Writer) error {
		doc, err = replay.RunPart(ctx, b, options, w)
		return err
	})
	if err != nil {
		return verify.Unusable, err
	}
	return a.replayOutcome(doc, o.failOn), a.printScore(doc)
}

// writeAtomically writes a file beside its target and renames it: the target is the old file or the whole new one.
func writeAtomically(target string, content func(io.Writer) error) error {
	if info, err := os.Lstat(target); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: found a %s, want a file or nothing", target, kindOf(info.Mode()))
	}
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".tmp-")
	if err != nil {
		return readError(target, err)
	}
	defer os.Remove(f.Name())
	if err := content(f); err != nil {
		f.Close()
		return atTarget(target, f.Name(), err)
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return readError(target, err)
	}
	if err := f.Close(); err != nil {
		return readError(target, err)
	}
	if err := os.Rename(f.Name(), target); err != nil {
		return readError(target, err)
	}
	return nil
}

// atTarget names the target in an error about the temporary file, whose name would tell nobody anything.
func atTarget(target, temp string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) && path.Path == temp {
		return readError(target, err)
	}
	return err
}

// newSeasonMerge is "proveit season merge".
func newSeasonMerge(a *app) *cobra.Command {
	var out string
	var failOn []string
	c := &cobra.Command{
		Use:   "merge PART… --out DIR",
		Short: "Join the parts that season score --shard wrote into the folder that a single run writes",
		Args:  cobra.MinimumNArgs(1),
		RunE: a.run(func(ctx context.Context, args []string) (verify.Outcome, error) {
			return a.seasonMerge(ctx, args, out, failOn)
		}),
	}
	c.Flags().StringVar(&out, "out", "", "folder to write")
	c.Flags().StringSliceVar(&failOn, "fail-on", nil, "exit 1 where there is any of: unsupported, rejected, incident")
	cobra.CheckErr(c.MarkFlagRequired("out"))
	return c
}

func (a *app) seasonMerge(ctx context.Context, names []string, target string, failOn []string) (verify.Outcome, error) {
	if err := checkFailOn(failOn); err != nil {
		return verify.Unusable, err
	}
	var parts []replay.Part
	for _, name := range names {
		f, err := openRegular(name)
		if err != nil {
			return verify.Unusable, err
		}
		defer f.Close()
		parts = append(parts, replay.Part{Name: name, R: f})
	}
	dir, err := newOutDir(target, mark)
	if err != nil {
		return verify.Unusable, err
	}
	defer dir.discard()
	folder := report.NewFolder(func(name string) (io.WriteCloser, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return dir.create(name)
	}, a.lang)
	doc, err := replay.Merge(parts, folder)
	if err != nil {
		return verify.Unusable, err
	}
	outcome := a.replayOutcome(doc, failOn)
	if err := folder.End(doc); err != nil {
		return verify.Unusable, err
	}
	if err := dir.commit(); err != nil {
		return verify.Unusable, err
	}
	return outcome, a.printScore(doc)
}
