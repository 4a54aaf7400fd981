package cli

import (
	"github.com/spf13/pflag"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/report"
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

// asaReceipts reads what is needed to judge receipts; nil where no proofs are given. A file that cannot be read is named for the report.
func (a *app) asaReceipts(o receiptFlags) (asa.Receipts, []finding.Unread, error) {
	if o.proofs == "" {
		return nil, nil, nil
	}
	store, err := a.optionalTrust()
	if err != nil {
		return nil, nil, err
	}
	views, notices, err := a.viewsFor(o.proofs, nil)
	if err != nil {
		return nil, nil, err
	}
	m, err := a.material(o.evidenceFlags)
	if err != nil {
		return nil, nil, err
	}
	notices = append(notices, m.unread...)
	cited := asa.Cited{
		Verifier: proof.NewVerifier(store), Views: views, Resources: map[canon.Digest]string{}, Bodies: map[canon.Digest]canon.Value{},
		Evidence: func(p *proof.Proof) proof.Evidence {
			e := proof.Evidence{Entries: m.entries.Named(p.EntryUUID()), Disclosures: m.disclosures.For(p.ID)}
			if e.Disclosures == nil {
				e.Disclosures = p.Own()
			}
			return e
		},
	}
	if o.responses != "" {
		var more []report.Notice
		if cited.Bodies, more, err = a.responses(o.responses); err != nil {
			return nil, nil, err
		}
		notices = append(notices, more...)
	}
	if o.corpus != "" {
		if err := addCorpus(cited, o.corpus); err != nil {
			return nil, nil, err
		}
	}
	var unread []finding.Unread
	for _, n := range notices {
		if n.Detail != nil {
			unread = append(unread, finding.Unread{Path: n.Detail.File, Why: n.Detail.Found})
		}
	}
	return cited.Receipts(), unread, nil
}

// addCorpus takes the requests and responses of a frozen corpus.
func addCorpus(c asa.Cited, path string) error {
	corpus, err := openCorpus(path)
	if err != nil {
		return err
	}
	for _, page := range corpus.Resources() {
		c.Resources[page.Request] = page.Resource
		if page.Body.Exists() {
			c.Bodies[page.Response] = page.Body
		}
	}
	return nil
}
