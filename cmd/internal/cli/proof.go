package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/report"
)

// newProof is "proveit proof".
func newProof(a *app) *cobra.Command {
	c := &cobra.Command{Use: "proof", Short: "Receipts: proof views and their witnesses"}
	c.AddCommand(newProofVerify(a))
	return c
}

func newProofVerify(a *app) *cobra.Command {
	var o evidenceFlags
	var trace bool
	c := &cobra.Command{
		Use:   "verify FILE… [--rekor DIR|FILE] [--disclosures FILE]",
		Short: "Verify every witness of every proof in the files (public views, full views, batch answers; folders expand)",
		Args:  cobra.MinimumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.proofVerify(args, o, trace)
		}),
	}
	c.Flags().StringVar(&o.rekor, "rekor", "", "log entries: a file, or a folder of files")
	c.Flags().StringVar(&o.disclosures, "disclosures", "", "a submission, a disclosures block, or the pairs of one proof")
	c.Flags().BoolVar(&trace, "trace", false, "print every hash of the Merkle walks")
	return c
}

// judgedProof is one view as printed.
type judgedProof struct {
	ProofID     string          `json:"proof_id"`
	SpecVersion string          `json:"spec_version"`
	Result      string          `json:"result"`     // valid, invalid, pending or incomplete
	Failure     *report.Notice  `json:"failure"`    // where there is no view to judge: null in a batch answer, or of another proof
	TokenTime   *string         `json:"token_time"` // RFC 3339, fractions kept; null unless the token held
	Checks      []report.Check  `json:"checks"`
	Missing     []missingNote   `json:"missing"`
	Incidents   []report.Notice `json:"incidents"`
	Opened      *openedHashes   `json:"opened"` // null unless disclosures opened
	File        string          `json:"file"`
	Pointer     string          `json:"pointer"`
	Trace       []tracedWalk    `json:"trace,omitempty"`

	outcome verify.Outcome
	checks  verify.Checks
	failure *verify.Failure
}

// openedHashes are the values that a proof's disclosures opened to.
type openedHashes struct {
	RequestHash  string `json:"request_hash"`
	ResponseHash string `json:"response_hash"`
}

type proofDoc struct {
	Format   string          `json:"format"`
	Result   string          `json:"result"`
	ExitCode int             `json:"exit_code"`
	Proofs   []judgedProof   `json:"proofs"`
	Unread   []report.Notice `json:"unread"`
}

// proofRun is one run of "proof verify".
type proofRun struct {
	a        *app
	m        material
	verifier *proof.Verifier
	trace    bool
	doc      proofDoc
	outcome  verify.Outcome
	used     bool // the disclosures that were handed in are those of one of the proofs
}

func (a *app) proofVerify(args []string, o evidenceFlags, trace bool) (verify.Outcome, error) {
	store, err := a.optionalTrust()
	if err != nil {
		return verify.Unusable, err
	}
	m, err := a.material(o)
	if err != nil {
		return verify.Unusable, err
	}
	r := proofRun{a: a, m: m, verifier: proof.NewVerifier(store), trace: trace, outcome: verify.Holds}
	r.doc = proofDoc{Format: "proveit.proof/v1", Proofs: []judgedProof{}, Unread: append([]report.Notice{}, m.unread...)}
	for _, arg := range args {
		r.argument(arg)
	}
	if len(r.doc.Proofs) == 0 && len(r.doc.Unread) == 0 {
		return verify.Unusable, errors.New("found no proof, want at least one: nothing was examined")
	}
	if len(r.doc.Proofs) == 0 {
		r.outcome = verify.Unusable
	}
	a.warnUnused(o, r.used)
	r.doc.Result, r.doc.ExitCode = r.outcome.String(), r.outcome.ExitCode()
	if a.json() {
		return r.outcome, writeJSON(a.Out, r.doc)
	}
	a.result(report.Label(r.outcome.String(), a.lang))
	return r.outcome, nil
}

// argument examines one argument, a file or a folder. A bad one does not stop the others.
func (r *proofRun) argument(arg string) {
	files, err := expand([]string{arg})
	if err != nil {
		r.unread(arg, err)
		return
	}
	for _, name := range files {
		b, err := r.a.read(name)
		if err != nil {
			r.unread(name, err)
			continue
		}
		views, err := proof.Views(name, b)
		if err == nil && len(views) == 0 {
			err = fmt.Errorf("%s: found no proof, want at least one: nothing was examined", name)
		}
		if err != nil {
			r.unread(name, err)
			continue
		}
		for _, v := range views {
			r.view(v)
		}
	}
}

func (r *proofRun) unread(name string, err error) {
	r.doc.Unread = append(r.doc.Unread, r.a.unreadable(name, err))
	r.outcome = verify.Worse(r.outcome, verify.Unusable)
}

func (r *proofRun) view(v proof.View) {
	one := judgedProof{ProofID: v.ID, File: v.File, Pointer: v.Pointer, Result: proof.Invalid.String(), Missing: []missingNote{}, Incidents: []report.Notice{}, outcome: verify.Differs}
	switch {
	case v.Misfiled != nil:
		one.failure = v.Misfiled
	case v.Null:
		result := proof.NullResult(v)
		one.checks, one.failure = result.Checks, result.Identity.Failure
	default:
		r.judge(&one, v.Proof)
	}
	if one.failure != nil {
		notice := report.NoticeOf(one.failure)
		one.Failure = &notice
	}
	one.Checks = report.ChecksOf(one.checks)
	r.outcome = verify.Worse(r.outcome, one.outcome)
	if !r.a.json() {
		r.a.printProof(&one)
		one.Checks, one.checks, one.Trace = nil, nil, nil
	}
	r.doc.Proofs = append(r.doc.Proofs, one)
}

func (r *proofRun) judge(one *judgedProof, p *proof.Proof) {
	entries := r.m.entries.Named(p.EntryUUID())
	disclosures := r.m.disclosures.For(p.ID)
	r.used = r.used || disclosures != nil
	if disclosures == nil {
		disclosures = p.Own()
	}
	result := r.verifier.Verify(p, proof.Evidence{Entries: entries, Disclosures: disclosures})
	whole := result.Whole()
	one.SpecVersion, one.Result, one.outcome, one.checks = result.SpecVersion, whole.String(), whole.Answer(), result.Checks
	if !result.TokenTime.IsZero() {
		at := result.TokenTime.UTC().Format(time.RFC3339Nano)
		one.TokenTime = &at
	}
	if o := result.Opened; o != nil {
		one.Opened = &openedHashes{o.Request.String(), o.Response.String()}
	}
	one.Missing = r.a.missingNotes(result.Missing)
	for _, i := range result.Incidents {
		one.Incidents = append(one.Incidents, report.Notice{Code: i.Code, Detail: &report.Detail{Found: i.Found, Expected: i.Wanted, File: i.File, Pointer: i.Pointer}})
	}
	if r.trace {
		one.Trace = traced(p.Walks(entries))
	}
}

func (a *app) printProof(p *judgedProof) {
	version := p.SpecVersion
	if version != "" {
		version = ", spec " + version
	}
	a.printf("%s (%s%s)\n", p.ProofID, p.File, version)
	if p.failure != nil {
		a.failure(p.failure)
	} else {
		a.checks(p.checks)
	}
	if p.TokenTime != nil {
		a.printf("         token_time: %s\n", *p.TokenTime)
	}
	if p.Opened != nil {
		a.printf("         request_hash: %s\n         response_hash: %s\n", p.Opened.RequestHash, p.Opened.ResponseHash)
	}
	for _, i := range p.Incidents {
		a.printf("%s %s: %s, %s %s (%s)\n", a.status("incident"), i.Code, report.Phrase(i.Detail.Found, a.lang), report.Label("expected", a.lang), report.Phrase(i.Detail.Expected, a.lang), placeOf(i.Detail.File, i.Detail.Pointer))
	}
	a.printMissing(p.Missing)
	a.printTrace(p.Trace)
	a.printf("%s%s%s\n\n", p.ProofID, report.Colon(a.lang), report.Label(p.Result, a.lang))
}

// tracedWalk is one Merkle walk, every hash of it.
type tracedWalk struct {
	Check  string       `json:"check"`
	Leaves []tracedLeaf `json:"leaves"`
	Nodes  []tracedNode `json:"nodes"`
	Root   string       `json:"root"`
}

type tracedLeaf struct {
	Name string `json:"name"`
	Data string `json:"data"`
	Hash string `json:"hash"` // SHA-256(0x00 ‖ data)
}

type tracedNode struct {
	Left  string `json:"left"`
	Right string `json:"right"`
	Hash  string `json:"hash"` // SHA-256(0x01 ‖ left ‖ right)
}

func traced(walks []merkle.Walk) []tracedWalk {
	out := []tracedWalk{}
	for _, w := range walks {
		one := tracedWalk{Check: w.Check, Leaves: []tracedLeaf{}, Nodes: []tracedNode{}, Root: w.Root.String()}
		for _, l := range w.Leaves {
			one.Leaves = append(one.Leaves, tracedLeaf{l.Name, l.Data, l.Hash.String()})
		}
		for _, s := range w.Steps {
			one.Nodes = append(one.Nodes, tracedNode{s.Left.String(), s.Right.String(), s.Node.String()})
		}
		out = append(out, one)
	}
	return out
}

func (a *app) printTrace(walks []tracedWalk) {
	for _, w := range walks {
		a.printf("trace    %s\n", w.Check)
		for _, l := range w.Leaves {
			a.printf("         leaf %s = SHA-256(00 %s)  %s\n", l.Hash, l.Data, l.Name)
		}
		for _, n := range w.Nodes {
			a.printf("         node %s = SHA-256(01 %s %s)\n", n.Hash, n.Left, n.Right)
		}
		a.printf("         root %s\n", w.Root)
	}
}
