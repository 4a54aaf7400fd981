package asa

import (
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/form"
	"github.com/ark-forge/proveit/verify/asa/lifecycle"
	"github.com/ark-forge/proveit/verify/asa/negotiation"
	"github.com/ark-forge/proveit/verify/asa/signing"
)

// AuditSet recomputes everything that the documents of a set allow (R001 to R109). The error is folder.ErrNothing or an *OptionError; documents
// that are refused are findings.
func AuditSet(s folder.Set, o Options) (*finding.Report, error) {
	if s.Agreement == nil && s.Request == nil && len(s.Results) == 0 {
		return nil, folder.ErrNothing
	}
	a, err := open(s, o)
	if err != nil {
		return nil, err
	}
	a.run()
	return a.report(), nil
}

// part opens a set, checks the form of what it holds, and runs some rules unless a document was refused. The answers that they give are
// those of the report.
func part(s folder.Set, o Options, rules func(*audit) []finding.Answer) (*finding.Report, error) {
	if s.Agreement == nil {
		return nil, folder.ErrNothing
	}
	a, err := open(s, o)
	if err != nil {
		return nil, err
	}
	return a.part(rules), nil
}

func (a *audit) part(rules func(*audit) []finding.Answer) *finding.Report {
	var answers []finding.Answer
	if a.Validate(a.Log); !a.Log.Rejected() {
		answers = rules(a)
	}
	r := a.report()
	r.Answers = answers
	return r
}

// silent are rules that give no answer beside their findings.
func silent(rules func(*audit)) func(*audit) []finding.Answer {
	return func(a *audit) []finding.Answer {
		rules(a)
		return nil
	}
}

// Signatures verifies the signatures of the agreement (R024 to R028), with Keys for identities that carry none.
func Signatures(s folder.Set, o Options) (*finding.Report, error) {
	return part(s, o, silent(func(a *audit) { signing.Check(a.Documents, a.Log) }))
}

// Lint says what can be said about the agreement before anybody signs it: its form, its shadow coverage, the shape of its payment, timers
// that cannot fire, guarantees that ask for little, and how far a negotiation can drift. No result is needed.
func Lint(s folder.Set, o Options) (*finding.Report, error) {
	return part(s, o, silent(func(a *audit) { a.static().Check() }))
}

// Recompute judges results against the agreement (R069 to R080, R086 to R102): scores, composite, gates, determination, payment, hashes.
// Without an agreement the request's criteria or the defaults of its type are used (R081).
func Recompute(s folder.Set, o Options) (*finding.Report, error) {
	if len(s.Results) == 0 {
		return nil, folder.ErrNothing
	}
	a, err := open(s, o)
	if err != nil {
		return nil, err
	}
	return a.part(func(a *audit) []finding.Answer {
		if a.Agreement == nil {
			a.standalone()
			return a.cites.Answers()
		}
		a.binding().CheckDeliverable()
		for _, r := range a.Results {
			a.checkResult(a.Agreement.Criteria, a.Agreement.Payment, r)
		}
		return append(a.answers(), a.cites.Answers()...)
	}), nil
}

// Guarantee judges History against the guarantees of the agreement (R084, R085).
func Guarantee(s folder.Set, o Options) (*finding.Report, error) {
	return part(s, o, silent(func(a *audit) { a.static().CheckGuarantees() }))
}

// Negotiation walks the messages of a negotiation (R042 to R056) and gives what it came to. It needs the agreement or the proposal.
func Negotiation(s folder.Set, o Options) (*finding.Report, negotiation.Negotiated, error) {
	if s.Agreement == nil && s.Proposal == nil {
		return nil, negotiation.Negotiated{}, folder.ErrNothing
	}
	a, err := open(s, o)
	if err != nil {
		return nil, negotiation.Negotiated{}, err
	}
	var came negotiation.Negotiated
	r := a.part(func(a *audit) []finding.Answer {
		came = a.negotiation()
		return came.Answers()
	})
	return r, came, nil
}

// Lifecycle replays the events (R029 to R041, R094, R104, R105) and says where the agreement stands.
func Lifecycle(s folder.Set, o Options) (*finding.Report, lifecycle.Standing, error) {
	var state lifecycle.Standing
	r, err := part(s, o, func(a *audit) []finding.Answer {
		state = lifecycle.Judge(a.lifecycleInput(), a.Log)
		a.followup().CheckTimeoutAmounts()
		a.followup().CheckAutoFile()
		a.followup().CheckDisputePackage()
		return a.lifecycleAnswers()
	})
	return r, state, err
}

// Evaluators judges independence, qualification, draw, rotation, canaries and consensus (R057 to R068).
func Evaluators(s folder.Set, o Options) (*finding.Report, error) {
	return part(s, o, silent((*audit).evaluators))
}

// Form says which canonical text of an agreement is meant.
type Form struct {
	Full   bool // the whole document; otherwise the payload that signatures cover
	Python bool // as Python's json.dumps(sort_keys=True, separators=(",", ":")) writes it; otherwise RFC 8785
}

// Canonical is a canonical text, its hash, and the first number that changes its value in it, if any.
type Canonical struct {
	Text    []byte
	SHA256  canon.Digest
	Changed *exact.NumberError // nil where every number keeps its value
}

// Canon writes an agreement canonically. The error is a *Refusal.
func Canon(f document.File, form Form, jsonc bool) (Canonical, error) {
	d, err := document.Read(f.Name, f.Bytes, jsonc)
	if err != nil {
		return Canonical{}, err
	}
	var drop []string
	if !form.Full {
		drop = document.NewAgreement(d).Dropped()
	}
	if form.Python {
		b := document.PythonForm(d.Root, drop)
		return Canonical{Text: b, SHA256: canon.Sum(b)}, nil
	}
	b, err := exact.JCS(d.Root, drop...)
	c := Canonical{Text: b, SHA256: canon.Sum(b)}
	if n, ok := err.(*exact.NumberError); ok {
		c.Changed = n
	}
	return c, nil
}

// SignMessage is the exact text that a party, "client" or "provider", signs. It signs nothing. The error is a *Refusal or an *OptionError.
func SignMessage(f document.File, party string, jsonc bool) ([]byte, error) {
	if party != "client" && party != "provider" {
		return nil, &document.OptionError{Name: "party", Found: party, Want: "client or provider"}
	}
	d, err := document.Read(f.Name, f.Bytes, jsonc)
	if err != nil {
		return nil, err
	}
	return document.NewAgreement(d).SignMessage(party), nil
}

// Explanation is what there is to say about a finding id or a requirement.
type Explanation struct {
	ID   string
	Says string // the sentence; of a whole requirement what its file holds, or ""
	Rule string // where it stands in the paper
	IDs  []string
}

// Explain explains a finding id ("asa/R076/composite-mismatch") or a requirement ("R076") in "en" or "fr"; false where it is unknown.
func Explain(id, lang string) (Explanation, bool) {
	if says, ok := finding.Text(id, lang); ok && slices.Contains(finding.Known(), id) {
		return Explanation{ID: id, Says: says, Rule: finding.RuleText(id)}, true
	}
	rule := finding.RuleText(finding.ID(id, ""))
	if rule == "" {
		return Explanation{}, false
	}
	e := Explanation{ID: id, Rule: rule, Says: finding.Format(id, lang)}
	for _, known := range finding.Known() {
		if finding.Requirement(known) == id {
			e.IDs = append(e.IDs, known)
		}
	}
	return e, true
}

// Validate checks the form of one ASA document (R001 to R023), or of every line of a file whose name ends in ".jsonl". What it is, the
// members tell. The error is an *OptionError named "file" where it is none that this package knows.
func Validate(f document.File, o Options) (*finding.Report, error) {
	l := &finding.Log{}
	files := &folder.Reader{JSONC: o.JSONC, Log: l}
	var wrong error
	judge := func(d *document.Document) {
		if k := form.KindOf(d.Root); k != nil {
			k.Validate(d, l)
		} else if wrong == nil {
			wrong = &document.OptionError{Name: "file", Found: d.Name, Want: "the members of one of " + strings.Join(form.SchemaNames(), ", ")}
		}
	}
	if strings.HasSuffix(f.Name, ".jsonl") {
		docs := files.Lines(&f, negotiation.ReadMessages)
		for _, d := range docs {
			l.OK("R001")
			judge(d)
		}
		if len(docs) == 0 && !l.Rejected() {
			wrong = &document.OptionError{Name: "file", Found: f.Name, Want: "at least one line"}
		}
	} else {
		files.Document(&f, judge)
	}
	return &finding.Report{Inputs: files.Inputs, Log: *l, Strict: o.Strict}, wrong
}
