package folder

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/form"
	"github.com/ark-forge/proveit/verify/asa/negotiation"
)

// Documents are the parsed documents of a set. What is nil is missing.
type Documents struct {
	Inputs []finding.Input // every file that was read, by name

	Agreement       *document.Agreement
	Proposal        *document.Agreement
	Children        []*document.Agreement
	Request         *document.Document
	Results         []*document.Result
	Events          []document.Event
	Messages        []*document.Document // lines of negotiation.jsonl
	Canaries        []*document.Document
	History         []*document.Document
	Archive         []*document.Document
	Market          *document.Document
	Registry        *document.Document // evaluators.json
	Agents          *document.Document
	Keys            *document.Document
	Aggregates      *document.Document   // arp_report.json
	Exports         []*document.Document // export.json, export-*.json
	Deliverable     []byte
	DeliverableName string
}

// Open parses the documents of a set and checks the form of those that no version of the agreement changes. Documents that are refused are
// findings of the log.
func (s Set) Open(jsonc bool, l *finding.Log) *Documents {
	r := &Reader{JSONC: jsonc, Log: l}
	d := &Documents{}
	r.Document(s.Agreement, func(x *document.Document) { d.Agreement = document.NewAgreement(x) })
	for i := range s.Children {
		r.Document(&s.Children[i], func(x *document.Document) { d.Children = append(d.Children, document.NewAgreement(x)) })
	}
	r.Document(s.Proposal, func(x *document.Document) { d.Proposal = document.NewAgreement(x) })
	r.Document(s.Request, func(x *document.Document) { d.Request = x })
	for i := range s.Results {
		r.Document(&s.Results[i], func(x *document.Document) { d.Results = append(d.Results, document.NewResult(x)) })
	}
	formed := func(f *document.File, kind string, into **document.Document) {
		r.Document(f, func(x *document.Document) {
			form.Named(kind).Validate(x, l)
			*into = x
		})
	}
	formed(s.Market, "asa-market", &d.Market)
	formed(s.Registry, "asa-evaluators", &d.Registry)
	formed(s.Agents, "asa-agents", &d.Agents)
	formed(s.Keys, "asa-keys", &d.Keys)
	formed(s.Aggregates, "asa-arp-report", &d.Aggregates)
	for i := range s.Exports {
		r.Document(&s.Exports[i], func(x *document.Document) {
			form.Named("asa-export").Validate(x, l)
			d.Exports = append(d.Exports, x)
		})
	}
	d.openLogs(s, r)
	if f := s.Deliverable; f != nil {
		r.note(f)
		d.Deliverable, d.DeliverableName = append([]byte{}, f.Bytes...), f.Name
	}
	d.Inputs = r.Inputs
	slices.SortStableFunc(d.Inputs, func(x, y finding.Input) int { return strings.Compare(x.Path, y.Path) })
	return d
}

func (d *Documents) openLogs(s Set, r *Reader) {
	formed := func(kind string, lines []*document.Document) []*document.Document {
		for _, x := range lines {
			form.Named(kind).Validate(x, r.Log)
		}
		return lines
	}
	d.Canaries = formed("asa-canary", r.Lines(s.Canaries, document.ReadLines))
	d.History = formed("asa-attempt", r.Lines(s.History, document.ReadLines))
	d.Archive = formed("asa-archive", r.Lines(s.Archive, document.ReadLines))
	d.Messages = r.Lines(s.Messages, negotiation.ReadMessages) // their form is R042 and R043
	d.Events = r.events(s.Events)
	for _, e := range d.Events {
		form.Named("asa-event").Validate(e.Document, r.Log)
	}
}

// Validate checks the form of the agreement, and of its request and results by its version; of a proposal and of the agreements below this one,
// what would have them refused. Of the latter only the numbers are read (R056), so that an excerpt will do.
func (d *Documents) Validate(l *finding.Log) {
	if d.Agreement != nil {
		form.ValidateAgreement(d.Agreement, l)
	}
	if d.Proposal != nil {
		refusals(d.Proposal, false, l)
	}
	for _, child := range d.Children {
		refusals(child, true, l)
	}
	under := form.VersionOf(d.Agreement)
	if d.Request != nil {
		form.ValidateRequest(d.Request, under, l)
	}
	for _, r := range d.Results {
		form.ValidateResult(r, under, l)
	}
}

// refusals records what has an agreement refused; of an excerpt, members may be missing.
func refusals(g *document.Agreement, excerpt bool, l *finding.Log) {
	own := &finding.Log{}
	form.ValidateAgreement(g, own)
	for _, f := range own.Refusals() {
		if !excerpt || f.ID != finding.ID("R002", "missing") {
			l.Add(f)
		}
	}
}

// Event is the last event of a type and whether there is one.
func (d *Documents) Event(kind string) (document.Event, bool) {
	for i := len(d.Events) - 1; i >= 0; i-- {
		if d.Events[i].Type == kind {
			return d.Events[i], true
		}
	}
	return document.Event{}, false
}

// Last is the last instant that the documents state: of the events, or else of the results and the agreement; nil where there is none.
func (d *Documents) Last() *big.Rat {
	var last *big.Rat
	later := func(t *big.Rat) {
		if t != nil && (last == nil || t.Cmp(last) > 0) {
			last = t
		}
	}
	for _, e := range d.Events {
		later(e.Instant)
	}
	if last != nil {
		return last
	}
	for _, r := range d.Results {
		later(r.Timestamp)
	}
	if d.Agreement != nil {
		later(d.Agreement.Created)
	}
	return last
}

// Now is the instant that an option names, or the last that the documents state where it is "". The error is a *document.OptionError.
func (d *Documents) Now(option string) (*big.Rat, error) {
	if option == "" {
		return d.Last(), nil
	}
	t, err := exact.Instant(option)
	if err != nil {
		return nil, &document.OptionError{Name: "as-of", Found: option, Want: "an RFC 3339 date-time"}
	}
	return t, nil
}
