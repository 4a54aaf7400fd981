package cli

import (
	"fmt"
	"path"

	"github.com/spf13/pflag"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/receipts"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/trust"
)

// receiptFlags say where the receipts are that results cite as evidence.
type receiptFlags struct {
	evidenceFlags
	proofs, corpus, responses string
}

func (o *receiptFlags) add(f *pflag.FlagSet) {
	f.StringVar(&o.proofs, "proofs", "", "proof views that results cite (evidence_refs): a file, or a folder of files")
	f.StringVar(&o.rekor, "rekor", "", "their log entries: a file, or a folder of files")
	f.StringVar(&o.disclosures, "disclosures", "", "what opens them: a disclosures block, a submission, or the pairs of one proof")
	f.StringVar(&o.corpus, "corpus", "", "a manifest with its corpus: the resource of each request, the body of each response")
	f.StringVar(&o.responses, "responses", "", "saved responses: a folder of JSON files, found by their content")
}

// receiptFiles is what was read to judge receipts: every file with its digest, those that could not be read, and the receipts.
type receiptFiles struct {
	find   receipts.Find // nil where no proofs are given
	inputs []finding.Input
	unread []finding.Unread
}

func (f *receiptFiles) note(name string, b []byte) {
	f.inputs = append(f.inputs, finding.Input{Path: name, SHA256: canon.Sum(b)})
}

// noteAll takes the files of a folder that were read.
func (f *receiptFiles) noteAll(folder string, b *bundle.Bundle) {
	for _, d := range b.Digests() {
		f.inputs = append(f.inputs, finding.Input{Path: path.Join(folder, d.Name), SHA256: d.SHA256})
	}
}

// each hands every file of a path, a file or a folder, to take. One that cannot be read is named for the report.
func (f *receiptFiles) each(a *app, path string, take func(name string, b []byte) error) error {
	if path == "" {
		return nil
	}
	unread, err := a.eachEvidence(path, "", nil, func(name string, b []byte) error {
		if err := take(name, b); err != nil {
			return err
		}
		f.note(name, b)
		return nil
	})
	for _, n := range unread {
		if n.Detail != nil {
			f.unread = append(f.unread, finding.Unread{Path: n.Detail.File, Why: n.Detail.Found})
		}
	}
	return err
}

// asaReceipts reads what is needed to judge receipts. What was judged, the report lists with its digest.
func (a *app) asaReceipts(o receiptFlags) (*receiptFiles, error) {
	f := &receiptFiles{}
	if o.proofs == "" {
		return f, nil
	}
	cited := receipts.Cited{Resources: map[canon.Digest]string{}, Bodies: map[canon.Digest]canon.Value{}}
	store, err := f.trust(a)
	if err != nil {
		return f, err
	}
	cited.Verifier = proof.NewVerifier(store)
	if cited.Views, err = f.views(a, o.proofs); err != nil {
		return f, err
	}
	if cited.Evidence, err = f.evidence(a, o.evidenceFlags); err != nil {
		return f, err
	}
	err = f.each(a, o.responses, func(name string, b []byte) error {
		v, err := canon.Parse(b)
		if err != nil {
			return fmt.Errorf("%s:%w", name, err)
		}
		cited.Bodies[canon.Hash(v)] = v
		return nil
	})
	if err == nil && o.corpus != "" {
		err = f.corpus(cited, o.corpus)
	}
	f.find = cited.Find()
	return f, err
}

// trust reads the trust folder where one was given. Without one, every witness is missing its key, which is an answer.
func (f *receiptFiles) trust(a *app) (*trust.Store, error) {
	if a.trust == "" {
		return a.optionalTrust()
	}
	b, err := openFiles(a.trust, bundle.Limits{})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	store, err := trust.Load(b, "--trust")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.trust, err)
	}
	f.noteAll(a.trust, b)
	return store, nil
}

func (f *receiptFiles) views(a *app, path string) ([]proof.View, error) {
	var all []proof.View
	err := f.each(a, path, func(name string, b []byte) error {
		views, err := proof.Views(name, b)
		for _, v := range views {
			if v.Misfiled != nil {
				a.warn("%v", v.Misfiled)
			}
		}
		all = append(all, views...)
		return err
	})
	return all, err
}

// evidence reads log entries and disclosures.
func (f *receiptFiles) evidence(a *app, o evidenceFlags) (func(*proof.Proof) proof.Evidence, error) {
	var all []rekor.Entry
	err := f.each(a, o.rekor, func(name string, b []byte) error {
		entries, err := rekor.ParseEntries(name, b)
		all = append(all, entries...)
		return err
	})
	if err != nil {
		return nil, err
	}
	var disclosures proof.DisclosureSet
	if o.disclosures != "" {
		b, err := a.read(o.disclosures)
		if err != nil {
			return nil, err
		}
		if disclosures, err = proof.ReadDisclosures(o.disclosures, b); err != nil {
			return nil, err
		}
		f.note(o.disclosures, b)
	}
	index := rekor.NewIndex(all)
	return func(p *proof.Proof) proof.Evidence {
		e := proof.Evidence{Entries: index.Named(p.EntryUUID()), Disclosures: disclosures.For(p.ID)}
		if e.Disclosures == nil {
			e.Disclosures = p.Own()
		}
		return e
	}, nil
}

// corpus takes the requests and responses of a frozen corpus.
func (f *receiptFiles) corpus(c receipts.Cited, path string) error {
	b, err := openFiles(path, bundle.Limits{})
	if err != nil {
		return err
	}
	defer b.Close()
	corpus, err := corpusIn(b, path)
	if err != nil {
		return err
	}
	for _, page := range corpus.Resources() {
		c.Resources[page.Request] = page.Resource
		if page.Body.Exists() {
			c.Bodies[page.Response] = page.Body
		}
	}
	f.noteAll(path, b)
	return nil
}
