package asa

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/form"
	"github.com/ark-forge/proveit/verify/asa/negotiation"
)

// Set is the documents of one agreement, each in its role. What is nil or empty is missing.
type Set struct {
	Agreement, Proposal, Request, Market, Registry, Agents, Keys, Export *document.File
	Events, Messages, Canaries, History                                  *document.File // one JSON document per line
	Deliverable                                                          *document.File
	Results, Children                                                    []document.File
}

// Collect puts the files of a folder into their roles by their names, which the package comment lists; children/*.json are the agreements
// below this one. Other files are left alone. The error says that a file could not be read.
func Collect(fsys fs.FS) (Set, error) {
	var s Set
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && name != "." && name != "children" {
			return fs.SkipDir
		}
		if e.Type().IsRegular() {
			names = append(names, name)
		}
		if len(names) > document.MaxItems {
			return errors.New("more than 1000 files")
		}
		return nil
	})
	if err != nil {
		return Set{}, err
	}
	slices.Sort(names)
	for _, name := range names {
		keep := s.role(name)
		if keep == nil {
			continue
		}
		b, err := fs.ReadFile(fsys, name)
		if err != nil {
			return Set{}, err
		}
		keep(document.File{Name: name, Bytes: b})
	}
	return s, nil
}

// role is how a file of that name is kept, or nil.
func (s *Set) role(name string) func(document.File) {
	one := func(into **document.File) func(document.File) { return func(f document.File) { *into = &f } }
	single := map[string]**document.File{
		"agreement.json": &s.Agreement, "proposal.json": &s.Proposal, "request.json": &s.Request, "market.json": &s.Market, "evaluators.json": &s.Registry,
		"agents.json": &s.Agents, "keys.json": &s.Keys, "arp_report.json": &s.Export, "events.jsonl": &s.Events, "negotiation.jsonl": &s.Messages,
		"canaries.jsonl": &s.Canaries, "history.jsonl": &s.History,
	}
	switch {
	case single[name] != nil:
		return one(single[name])
	case strings.HasPrefix(name, "deliverable.") && s.Deliverable == nil:
		return one(&s.Deliverable)
	case name == "result.json", strings.HasPrefix(name, "result-") && strings.HasSuffix(name, ".json"):
		return func(f document.File) { s.Results = append(s.Results, f) }
	case path.Dir(name) == "children" && strings.HasSuffix(name, ".json"):
		return func(f document.File) { s.Children = append(s.Children, f) }
	}
	return nil
}

// open parses the documents of a set. Documents that are refused are findings; the error is an option that cannot be used.
func (s Set) open(o Options) (*audit, error) {
	a := &audit{opts: o, log: &finding.Log{}, unbound: map[*document.Result]bool{}}
	agreement := func(into **document.Agreement) func(*document.Document) {
		return func(d *document.Document) { *into = document.NewAgreement(d) }
	}
	plain := func(into **document.Document) func(*document.Document) {
		return func(d *document.Document) { *into = d }
	}
	formed := func(kind string, into **document.Document) func(*document.Document) {
		return func(d *document.Document) {
			form.Named(kind).Validate(d, a.log)
			*into = d
		}
	}
	a.document(s.Agreement, agreement(&a.agreement))
	for i := range s.Children {
		a.document(&s.Children[i], func(d *document.Document) { a.children = append(a.children, document.NewAgreement(d)) })
	}
	a.document(s.Proposal, agreement(&a.proposal))
	a.document(s.Request, plain(&a.request))
	for i := range s.Results {
		a.document(&s.Results[i], func(d *document.Document) { a.results = append(a.results, document.NewResult(d)) })
	}
	a.document(s.Market, formed("asa-market", &a.market))
	a.document(s.Registry, formed("asa-evaluators", &a.registry))
	a.document(s.Agents, formed("asa-agents", &a.agents))
	a.document(s.Keys, formed("asa-keys", &a.keys))
	a.document(s.Export, formed("asa-arp-report", &a.export))
	a.lines(s.Canaries, &a.canaries, document.ReadLines)
	a.lines(s.History, &a.history, document.ReadLines)
	a.lines(s.Messages, &a.messages, negotiation.ReadMessages) // their form is R042 and R043
	a.formOf("asa-canary", a.canaries)
	a.formOf("asa-attempt", a.history)
	if f := s.Events; f != nil {
		a.note(f)
		events, err := document.ReadEvents(f.Name, f.Bytes)
		if a.events = events; err != nil {
			document.Refuse(a.log, err)
		}
		for _, e := range events {
			form.Named("asa-event").Validate(e.Document, a.log)
		}
	}
	if f := s.Deliverable; f != nil {
		a.note(f)
		a.deliverable, a.deliverName = append([]byte{}, f.Bytes...), f.Name
	}
	if o.Policy != nil {
		a.read = append(a.read, o.Policy.Input)
	}
	slices.SortFunc(a.read, func(x, y finding.Input) int { return strings.Compare(x.Path, y.Path) })
	return a, a.setAsOf()
}

// formOf checks the form of every line of a log.
func (a *audit) formOf(kind string, lines []*document.Document) {
	for _, d := range lines {
		form.Named(kind).Validate(d, a.log)
	}
}

// note puts a file into the list of inputs.
func (a *audit) note(f *document.File) {
	a.read = append(a.read, finding.Input{Path: f.Name, SHA256: canon.Sum(f.Bytes)})
}

func (a *audit) document(f *document.File, keep func(*document.Document)) {
	if f == nil {
		return
	}
	a.note(f)
	d, err := document.Read(f.Name, f.Bytes, a.opts.JSONC)
	if err != nil {
		document.Refuse(a.log, err)
		return
	}
	a.noteComments(f.Name, f.Bytes)
	a.log.OK("R001")
	keep(d)
}

func (a *audit) lines(f *document.File, into *[]*document.Document, read func(string, []byte, bool) ([]*document.Document, error)) {
	if f == nil {
		return
	}
	a.note(f)
	a.noteComments(f.Name, f.Bytes)
	docs, err := read(f.Name, f.Bytes, a.opts.JSONC)
	if *into = docs; err != nil {
		document.Refuse(a.log, err)
	}
}

// Takes reports whether an audit reads a file of that name in the folder of an agreement.
func Takes(name string) bool { return new(Set).role(name) != nil }
