package folder

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/document"
)

// ErrNothing says that there is no document that an audit could start from.
var ErrNothing = errors.New("no agreement.json, request.json or result.json found")

// Set is the documents of one agreement, each in its role. What is nil or empty is missing.
type Set struct {
	Agreement, Proposal, Request, Market, Registry, Agents, Keys, Aggregates *document.File
	Events, Messages, Canaries, History, Archive                             *document.File // one JSON document per line
	Deliverable                                                              *document.File
	Results, Children, Exports                                               []document.File
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
		"agents.json": &s.Agents, "keys.json": &s.Keys, "arp_report.json": &s.Aggregates, "events.jsonl": &s.Events, "negotiation.jsonl": &s.Messages,
		"canaries.jsonl": &s.Canaries, "history.jsonl": &s.History, "archive.jsonl": &s.Archive,
	}
	switch {
	case single[name] != nil:
		return one(single[name])
	case strings.HasPrefix(name, "deliverable.") && s.Deliverable == nil:
		return one(&s.Deliverable)
	case numbered(name, "result"):
		return func(f document.File) { s.Results = append(s.Results, f) }
	case numbered(name, "export"):
		return func(f document.File) { s.Exports = append(s.Exports, f) }
	case path.Dir(name) == "children" && strings.HasSuffix(name, ".json"):
		return func(f document.File) { s.Children = append(s.Children, f) }
	}
	return nil
}

// numbered reports whether a name is kind.json or kind-*.json.
func numbered(name, kind string) bool {
	return name == kind+".json" || strings.HasPrefix(name, kind+"-") && strings.HasSuffix(name, ".json") && !strings.Contains(name, "/")
}

// Takes reports whether an audit reads a file of that name in the folder of an agreement.
func Takes(name string) bool { return new(Set).role(name) != nil }

// Prefix puts a prefix before every name of the set.
func (s *Set) Prefix(prefix string) {
	for _, f := range []*document.File{s.Agreement, s.Proposal, s.Request, s.Market, s.Registry, s.Agents, s.Keys, s.Aggregates, s.Events, s.Messages, s.Canaries, s.History, s.Archive, s.Deliverable} {
		if f != nil {
			f.Name = prefix + f.Name
		}
	}
	for _, list := range [][]document.File{s.Results, s.Children, s.Exports} {
		for i := range list {
			list[i].Name = prefix + list[i].Name
		}
	}
}
