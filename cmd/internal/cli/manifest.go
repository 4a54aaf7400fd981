package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
)

const manifestName = "manifest.json"

// systemBodies is how many bodies stand for a failure of the corpus: 403, 503 and 400.
const systemBodies = 3

// newManifest is "proveit manifest".
func newManifest(a *app) *cobra.Command {
	c := &cobra.Command{Use: "manifest", Short: "The frozen corpus: its pages, and the hashes of every request and response"}
	var base, out string
	build := &cobra.Command{
		Use:   "build DIR [--base-url URL] [--out FILE|-]",
		Short: "Write DIR/manifest.json: every page of the folder, every hash recomputed; what a manifest there already says of methods and collections stays",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.manifestBuild(args[0], base, out)
		}),
	}
	build.Flags().StringVar(&base, "base-url", "", "what stands before every resource, for example https://corpus.example")
	build.Flags().StringVar(&out, "out", "", "another file to write, or - for standard output")
	c.AddCommand(build, &cobra.Command{
		Use:   "verify DIR",
		Short: "Recompute every hash of a corpus, and check what is promised about its pages",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.manifestVerify(args[0])
		}),
	}, &cobra.Command{
		Use:   "show DIR RESOURCE",
		Short: "What is asked for a resource, what it answers, and both hashes",
		Args:  cobra.ExactArgs(2),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.manifestShow(args[0], args[1])
		}),
	}, &cobra.Command{
		Use:   "diff A B",
		Short: "What differs between two corpora",
		Args:  cobra.ExactArgs(2),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.manifestDiff(args[0], args[1])
		}),
	})
	return c
}

// openCorpus reads a corpus: a folder with manifest.json, or a season's bundle.
func openCorpus(path string) (*manifest.Corpus, error) {
	b, err := openFiles(path, bundle.Limits{})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return corpusIn(b, path)
}

// corpusIn reads the corpus of an open folder, which path names.
func corpusIn(b *bundle.Bundle, path string) (*manifest.Corpus, error) {
	name, dir := manifestName, "."
	if !b.Has(name) && b.Has(season.CorpusDir+"/"+manifestName) {
		name, dir = season.CorpusDir+"/"+manifestName, season.CorpusDir
	}
	c, err := manifest.LoadIn(b, name, dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

type builtDoc struct {
	Format    string `json:"format"`
	Result    string `json:"result"`
	ExitCode  int    `json:"exit_code"`
	File      string `json:"file"`
	SHA256    string `json:"sha256"`
	Resources int    `json:"resources"`
}

func (a *app) manifestBuild(dir, base, out string) (verify.Outcome, error) {
	b, err := openFiles(dir, bundle.Limits{})
	if err != nil {
		return verify.Unusable, err
	}
	defer b.Close()
	var previous *manifest.Manifest
	raw, err := b.Read(manifestName)
	if err == nil {
		previous, err = manifest.ParseDraft(manifestName, raw)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return verify.Unusable, fmt.Errorf("%s: %w", dir, err)
	}
	if base == "" && previous == nil {
		return verify.Unusable, errors.New("--base-url: found nothing, want it for a folder without a manifest")
	}
	draft := manifest.Draft(b.Names(), previous, base, ".", manifestName)
	if len(draft.Resources) == 0 {
		return verify.Unusable, fmt.Errorf("%s: found no page, want at least one .json file: nothing was examined", dir)
	}
	text, err := manifest.Build(b, draft, ".")
	if err != nil {
		return verify.Unusable, fmt.Errorf("%s: %w", dir, err)
	}
	if len(draft.System) < systemBodies {
		a.warn(report.Label("system_bodies", a.lang), len(draft.System), systemBodies)
	}
	switch out {
	case "-":
		_, err = a.Out.Write(text)
		return verify.Holds, err
	case "":
		out = filepath.Join(dir, manifestName)
	}
	if err := writeFile(out, text); err != nil {
		return verify.Unusable, err
	}
	doc := builtDoc{"proveit.manifest-build/v1", verify.Holds.String(), 0, out, canon.Sum(text).String(), len(draft.Resources)}
	if a.json() {
		return verify.Holds, writeJSON(a.Out, doc)
	}
	_, err = fmt.Fprintf(a.Out, "%s: %d resources, SHA-256 %s\n", out, doc.Resources, doc.SHA256)
	return verify.Holds, err
}

// writeFile makes or replaces a file at once or not at all.
func writeFile(name string, b []byte) error {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return writeAtomically(name, func(w io.Writer) error {
			_, err := w.Write(b)
			return err
		})
	}
	return replaceFile(name, b)
}

// corpusDoc is what "manifest verify -o json" prints: every problem with its five parts.
type corpusDoc struct {
	Format    string    `json:"format"`
	Result    string    `json:"result"`
	ExitCode  int       `json:"exit_code"`
	Resources int       `json:"resources"`
	Problems  []refusal `json:"problems"`
	Missing   []string  `json:"missing"` // files that the manifest names and that are not there
}

func (a *app) manifestVerify(path string) (verify.Outcome, error) {
	c, err := openCorpus(path)
	if err != nil {
		return verify.Unusable, err
	}
	if len(c.Resources()) == 0 {
		return verify.Unusable, fmt.Errorf("%s: found a manifest without resources, want at least one: nothing was examined", path)
	}
	doc := corpusDoc{Format: "proveit.manifest-check/v1", Resources: len(c.Resources()), Problems: []refusal{}, Missing: []string{}}
	outcome := verify.Holds
	var failures []*verify.Failure
	for _, p := range append(c.Differences(), c.Problems()...) {
		f := &verify.Failure{Reason: verify.Reason(p.Code), Found: p.Found, Wanted: p.Wanted, File: p.File, Pointer: p.Pointer}
		failures, doc.Problems = append(failures, f), append(doc.Problems, a.refusalOf(f))
		outcome = verify.Differs
	}
	for _, name := range c.MissingFiles() {
		doc.Missing = append(doc.Missing, name)
		outcome = verify.Worse(outcome, verify.Incomplete)
	}
	doc.Result, doc.ExitCode = outcome.String(), outcome.ExitCode()
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	for _, f := range failures {
		a.failure(f)
	}
	for _, name := range doc.Missing {
		a.part("missing", report.Fetch("file", name, a.lang))
	}
	fmt.Fprintf(a.Out, report.Label("corpus_resources", a.lang)+"\n", doc.Resources)
	a.result(report.Label(outcome.String(), a.lang))
	return outcome, nil
}

type pageDoc struct {
	Format       string           `json:"format"`
	Result       string           `json:"result"`
	ExitCode     int              `json:"exit_code"`
	Resource     string           `json:"resource"`
	URL          string           `json:"url"`
	Method       string           `json:"method"`
	Payload      *json.RawMessage `json:"payload"`
	File         string           `json:"file"` // empty for the body of an absent reference
	SHA256       string           `json:"sha256"`
	RequestHash  string           `json:"request_hash"`
	ResponseHash string           `json:"response_hash"`
	Absent       bool             `json:"absent"`
	Collection   string           `json:"collection"`
	Body         *json.RawMessage `json:"body"` // null where the page is not there
}

func (a *app) manifestShow(path, resource string) (verify.Outcome, error) {
	c, err := openCorpus(path)
	if err != nil {
		return verify.Unusable, err
	}
	p, ok := c.Page(resource)
	if !ok {
		failure := &verify.Failure{Reason: "resource_unknown", Found: resource, Wanted: "a resource of the corpus, or a reference below a collection"}
		return a.answer("proveit.page/v1", resource, nil, failure)
	}
	outcome := verify.Holds
	if !p.Body.Exists() {
		outcome = verify.Incomplete
	}
	doc := pageDoc{Format: "proveit.page/v1", Result: outcome.String(), ExitCode: outcome.ExitCode(), Resource: resource, URL: p.URL, Method: p.Method, Payload: rawJSON(p.Payload), File: p.File,
		RequestHash: p.Request.String(), Absent: p.Absent, Collection: p.Collection, Body: rawJSON(p.Body)}
	if p.Body.Exists() {
		doc.ResponseHash = p.Response.String()
	}
	if !p.Absent && p.Body.Exists() {
		doc.SHA256 = p.SHA256.String()
	}
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	a.printf("%s %s\n", doc.Method, doc.URL)
	for _, f := range []fact{{"file", doc.File}, {"sha256", doc.SHA256}, {"request_hash", doc.RequestHash}, {"response_hash", doc.ResponseHash}, {"collection", doc.Collection}} {
		a.part(f.name, f.value)
	}
	if doc.Body != nil {
		fmt.Fprintf(a.Out, "%s\n", *doc.Body)
	}
	return outcome, nil
}

// rawJSON is a value as it stands in a document: its canonical text, or null where there is none.
func rawJSON(v canon.Value) *json.RawMessage {
	if !v.Exists() {
		return nil
	}
	raw := json.RawMessage(canon.AppendCanonical(nil, v))
	return &raw
}

type corpusChange struct {
	Kind     string `json:"kind"`
	Resource string `json:"resource"`
	Member   string `json:"member"`
	Pointer  string `json:"pointer"`
	Before   string `json:"before"`
	After    string `json:"after"`
}

type corpusDiffDoc struct {
	Format   string         `json:"format"`
	Result   string         `json:"result"`
	ExitCode int            `json:"exit_code"`
	Changes  []corpusChange `json:"changes"`
}

func (a *app) manifestDiff(before, after string) (verify.Outcome, error) {
	first, err := openCorpus(before)
	if err != nil {
		return verify.Unusable, err
	}
	second, err := openCorpus(after)
	if err != nil {
		return verify.Unusable, err
	}
	changes := manifest.Diff(first, second)
	outcome := verify.Holds
	if len(changes) > 0 {
		outcome = verify.Differs
	}
	doc := corpusDiffDoc{Format: "proveit.manifest-diff/v1", Result: outcome.String(), ExitCode: outcome.ExitCode(), Changes: []corpusChange{}}
	for _, c := range changes {
		doc.Changes = append(doc.Changes, corpusChange{string(c.Kind), c.Resource, c.Member, c.Pointer, c.Before, c.After})
	}
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	for _, c := range changes {
		a.printChange(c)
	}
	a.result(report.Label(outcome.String(), a.lang))
	return outcome, nil
}

// printChange prints one difference between two corpora.
func (a *app) printChange(c manifest.Change) {
	values := []any{c.Place(), c.Before + c.After} // an addition has no value before, a removal none after
	if c.Kind == manifest.Changed {
		values = []any{c.Place(), c.Before, c.After}
	}
	a.printf("%s\n", strings.TrimRight(fmt.Sprintf(report.Label("change_"+string(c.Kind), a.lang), values...), " "))
}
