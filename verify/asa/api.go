package asa

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Audit recomputes everything that the documents of a set allow (R001 to R109). The error is ErrNothing or an *OptionError; documents
// that are refused are findings.
func (s Set) Audit(o Options) (*finding.Report, error) {
	if s.Agreement == nil && s.Request == nil && len(s.Results) == 0 {
		return nil, ErrNothing
	}
	a, err := s.open(o)
	if err != nil {
		return nil, err
	}
	a.run()
	return a.report(), nil
}

// part opens a set, checks the form of what it holds, and runs some rules unless a document was refused. The answers that they give are
// those of the report.
func (s Set) part(o Options, rules func(*audit) []finding.Answer) (*finding.Report, error) {
	if s.Agreement == nil {
		return nil, ErrNothing
	}
	a, err := s.open(o)
	if err != nil {
		return nil, err
	}
	return a.part(rules), nil
}

func (a *audit) part(rules func(*audit) []finding.Answer) *finding.Report {
	var answers []finding.Answer
	if a.validate(); !a.log.Rejected() {
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
func (s Set) Signatures(o Options) (*finding.Report, error) {
	return s.part(o, silent((*audit).checkSignatures))
}

// Lint says what can be said about the agreement before anybody signs it: its form, its shadow coverage, the shape of its payment, timers
// that cannot fire, guarantees that ask for little, and how far a negotiation can drift. No result is needed.
func (s Set) Lint(o Options) (*finding.Report, error) { return s.part(o, silent((*audit).lint)) }

// Recompute judges results against the agreement (R069 to R080, R086 to R102): scores, composite, gates, determination, payment, hashes.
// Without an agreement the request's criteria or the defaults of its type are used (R081).
func (s Set) Recompute(o Options) (*finding.Report, error) {
	if len(s.Results) == 0 {
		return nil, ErrNothing
	}
	a, err := s.open(o)
	if err != nil {
		return nil, err
	}
	return a.part(func(a *audit) []finding.Answer {
		if a.agreement == nil {
			a.standalone()
			return a.cites.answer()
		}
		a.checkBinding()
		for _, r := range a.results {
			a.checkResult(a.agreement.Criteria, a.agreement.Payment, r)
		}
		return append(a.answers(), a.cites.answer()...)
	}), nil
}

// Guarantee judges History against the guarantees of the agreement (R084, R085).
func (s Set) Guarantee(o Options) (*finding.Report, error) {
	return s.part(o, silent((*audit).checkGuarantees))
}

// Negotiation walks the messages of a negotiation (R042 to R056) and gives what it came to. It needs the agreement or the proposal.
func (s Set) Negotiation(o Options) (*finding.Report, Negotiated, error) {
	if s.Agreement == nil && s.Proposal == nil {
		return nil, Negotiated{}, ErrNothing
	}
	a, err := s.open(o)
	if err != nil {
		return nil, Negotiated{}, err
	}
	var came Negotiated
	r := a.part(func(a *audit) []finding.Answer {
		came = a.negotiation()
		return came.answers()
	})
	return r, came, nil
}

// Lifecycle replays the events (R029 to R041, R094, R104, R105) and says where the agreement stands.
func (s Set) Lifecycle(o Options) (*finding.Report, Lifecycled, error) {
	var state Lifecycled
	r, err := s.part(o, func(a *audit) []finding.Answer {
		state = Lifecycle(a.lifecycleInput(), a.log)
		a.checkTimeoutAmounts()
		a.checkAutoFile()
		a.checkDisputePackage()
		return a.lifecycleAnswers()
	})
	return r, state, err
}

// Evaluators judges independence, qualification, draw, rotation, canaries and consensus (R057 to R068).
func (s Set) Evaluators(o Options) (*finding.Report, error) {
	return s.part(o, silent((*audit).evaluators))
}

// DisputePackage lists what a dispute needs (R105), and whether the set has it.
func (s Set) DisputePackage(o Options) ([]DisputeItem, error) {
	a, err := s.open(o)
	if err != nil {
		return nil, err
	}
	return a.disputeItems(), nil
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
func Canon(f File, form Form, jsonc bool) (Canonical, error) {
	d, err := Read(f.Name, f.Bytes, jsonc)
	if err != nil {
		return Canonical{}, err
	}
	var drop []string
	if !form.Full {
		drop = NewAgreement(d).dropped()
	}
	if form.Python {
		b := pythonForm(d.Root, drop)
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
func SignMessage(f File, party string, jsonc bool) ([]byte, error) {
	if party != "client" && party != "provider" {
		return nil, &OptionError{"party", party, "client or provider"}
	}
	d, err := Read(f.Name, f.Bytes, jsonc)
	if err != nil {
		return nil, err
	}
	return NewAgreement(d).SignMessage(party), nil
}

// Explanation is what there is to say about a finding id or a requirement.
type Explanation struct {
	ID   string
	Says string // the sentence; "" where a whole requirement was asked for
	Rule string // where it stands in the paper
	IDs  []string
}

// Explain explains a finding id ("asa/R076/composite-mismatch") or a requirement ("R076") in "en" or "fr"; false where it is unknown.
func Explain(id, lang string) (Explanation, bool) {
	if says, ok := finding.Text(id, lang); ok && finding.RuleText(id) != "" {
		return Explanation{ID: id, Says: says, Rule: finding.RuleText(id)}, true
	}
	rule := finding.RuleText(finding.ID(id, ""))
	if rule == "" {
		return Explanation{}, false
	}
	e := Explanation{ID: id, Rule: rule}
	for _, known := range finding.Known() {
		if finding.Requirement(known) == id {
			e.IDs = append(e.IDs, known)
		}
	}
	return e, true
}
