package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/report"
)

func newOpen(a *app) *cobra.Command {
	var o evidenceFlags
	c := &cobra.Command{
		Use:   "open PROOF [--disclosures FILE]",
		Short: "Open the commitments of a proof: the identity block, the request and response hash; no witness is asked",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.open(args[0], o)
		}),
	}
	c.Flags().StringVar(&o.disclosures, "disclosures", "", "a submission, a disclosures block, or the pairs of one proof")
	return c
}

// openedProof is what opened of one proof.
type openedProof struct {
	ProofID     string         `json:"proof_id"`
	SpecVersion string         `json:"spec_version"`
	Checks      []report.Check `json:"checks"`
	Identity    []openedField  `json:"identity"` // empty unless the whole block opened
	Opened      *openedHashes  `json:"opened"`   // null unless disclosures opened

	checks verify.Checks
}

// openedField is one field of the identity block.
type openedField struct {
	Field string          `json:"field"`
	Value json.RawMessage `json:"value"`
}

type openDoc struct {
	Format   string        `json:"format"`
	Result   string        `json:"result"`
	ExitCode int           `json:"exit_code"`
	Proofs   []openedProof `json:"proofs"`
}

func (a *app) open(name string, o evidenceFlags) (verify.Outcome, error) {
	b, err := a.read(name)
	if err != nil {
		return verify.Unusable, err
	}
	views, err := proof.Views(name, b)
	if err != nil {
		return verify.Unusable, err
	}
	m, err := a.material(o)
	if err != nil {
		return verify.Unusable, err
	}
	doc := openDoc{Format: "proveit.open/v1", Proofs: []openedProof{}}
	outcome := verify.Holds
	used := false
	for _, v := range views {
		if v.Proof == nil {
			a.warn("%s: %s gives no view to open", name, v.ID)
			continue
		}
		used = used || m.disclosures.For(v.Proof.ID) != nil
		one := openProof(v.Proof, m.disclosures)
		for _, c := range one.checks {
			if c.Status == verify.Failed {
				outcome = verify.Worse(outcome, verify.Differs)
			}
		}
		if len(one.Identity) == 0 && one.Opened == nil && outcome == verify.Holds {
			return verify.Unusable, fmt.Errorf("%s: found nothing to open in %s, want a proof of version 3.1, or --disclosures FILE for one of 3.0: nothing was examined", name, v.ID)
		}
		doc.Proofs = append(doc.Proofs, one)
	}
	if len(doc.Proofs) == 0 {
		return verify.Unusable, errors.New("found no proof, want at least one: nothing was examined")
	}
	a.warnUnused(o, used)
	doc.Result, doc.ExitCode = outcome.String(), outcome.ExitCode()
	if a.json() {
		return outcome, writeJSON(a.Out, doc)
	}
	a.printOpened(doc.Proofs)
	a.result(report.Label(outcome.String(), a.lang))
	return outcome, nil
}

// openedChecks are the checks that need no witness and no key.
var openedChecks = []string{proof.CheckChainHash, proof.CheckIdentity, proof.CheckDisclosure}

func openProof(p *proof.Proof, set proof.DisclosureSet) openedProof {
	disclosures := set.For(p.ID)
	if disclosures == nil {
		disclosures = p.Own()
	}
	result := proof.NewVerifier(nil).Verify(p, proof.Evidence{Disclosures: disclosures})
	one := openedProof{ProofID: p.ID, SpecVersion: result.SpecVersion, Identity: []openedField{}}
	for _, name := range openedChecks {
		c, _ := result.Checks.Named(name)
		one.checks = append(one.checks, c)
	}
	one.Checks = report.ChecksOf(one.checks)
	for _, f := range result.IdentityFields() {
		one.Identity = append(one.Identity, openedField{f.Name, canon.AppendCanonical(nil, f.Value)})
	}
	if o := result.Opened; o != nil {
		one.Opened = &openedHashes{o.Request.String(), o.Response.String()}
	}
	return one
}

func (a *app) printOpened(list []openedProof) {
	for _, p := range list {
		a.printf("%s (spec %s)\n", p.ProofID, p.SpecVersion)
		a.checks(p.checks)
		for _, f := range p.Identity {
			a.printf("         %s: %s\n", f.Field, f.Value)
		}
		if p.Opened != nil {
			a.printf("         request_hash: %s\n         response_hash: %s\n", p.Opened.RequestHash, p.Opened.ResponseHash)
		}
	}
}
