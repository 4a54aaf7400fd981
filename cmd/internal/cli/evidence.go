package cli

import (
	"errors"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/trust"
)

// evidenceFlags are the options by which evidence is handed in beside proofs.
type evidenceFlags struct{ rekor, disclosures string }

// material is what those options gave.
type material struct {
	entries     rekor.Index
	disclosures proof.DisclosureSet
	unread      []report.Notice // log files that cannot be read; their entries count as missing
}

// optionalTrust reads the trust folder where one was given. Without one, every witness is missing its key, which is an answer.
func (a *app) optionalTrust() (*trust.Store, error) {
	if a.trust == "" {
		a.warn("no --trust DIR: no witness can be verified without keys to trust")
		return nil, nil
	}
	return a.loadTrust()
}

func (a *app) material(o evidenceFlags) (material, error) {
	var m material
	var err error
	if m.entries, m.unread, err = a.entryIndex(o.rekor); err != nil {
		return m, err
	}
	if o.disclosures == "" {
		return m, nil
	}
	b, err := a.read(o.disclosures)
	if err != nil {
		return m, err
	}
	m.disclosures, err = proof.ReadDisclosures(o.disclosures, b)
	return m, err
}

// warnUnused says that the disclosures handed in are those of other proofs, which "nothing was handed in" would hide.
func (a *app) warnUnused(o evidenceFlags, used bool) {
	if o.disclosures != "" && !used {
		a.warn("--disclosures: %s: found disclosures of other proofs, want those of a proof given", o.disclosures)
	}
}

// entryIndex reads the log entries of a file or a folder. A file of a folder that cannot be read is named, and its entries are missing; a
// file that was named itself must be readable.
func (a *app) entryIndex(path string) (rekor.Index, []report.Notice, error) {
	if path == "" {
		return nil, nil, nil
	}
	files, err := expand([]string{path})
	if err != nil {
		return nil, nil, err
	}
	var all []rekor.Entry
	var unread []report.Notice
	for _, name := range files {
		found, err := a.entries(name)
		if err != nil && name == path {
			return nil, nil, err
		}
		if err != nil {
			unread = append(unread, a.unreadable(name, err))
			continue
		}
		all = append(all, found...)
	}
	return rekor.NewIndex(all), unread, nil
}

// unreadable names a file that cannot be read on stderr, and gives the notice for the document.
func (a *app) unreadable(name string, err error) report.Notice {
	a.complain(err)
	var f *verify.Failure
	if errors.As(err, &f) {
		return report.NoticeOf(f)
	}
	detail := report.Detail{Found: err.Error(), Expected: "a file that can be read", File: name}
	var syntax *canon.SyntaxError
	if errors.As(err, &syntax) {
		detail.Found, detail.Expected, detail.Pointer = syntax.Found, syntax.Want, syntax.Pointer
	}
	return report.Notice{Code: reasonUnreadable, Detail: &detail}
}

// reasonUnreadable is the code of a file that cannot be read, the same as in a replay.
const reasonUnreadable = verify.Reason("file_unreadable")

// missingNote is one missing thing with what to fetch.
type missingNote struct {
	Kind  string `json:"kind"`
	ID    string `json:"id"`
	Fetch string `json:"fetch"`
}

func (a *app) missingNotes(list []proof.Missing) []missingNote {
	out := []missingNote{}
	for _, m := range list {
		out = append(out, missingNote{string(m.Kind), m.ID, report.Fetch(string(m.Kind), m.ID, a.dataLang())})
	}
	return out
}

func (a *app) printMissing(list []missingNote) {
	for _, m := range list {
		a.printf("         %s%s\n", report.Named("missing", a.lang), m.Fetch)
	}
}
