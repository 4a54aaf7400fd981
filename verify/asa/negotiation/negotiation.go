package negotiation

import (
	"bytes"
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Input is what the rules of a negotiation read. What is nil is missing.
type Input struct {
	Messages  []*document.Document // negotiation.jsonl, one document per line
	Proposal  *document.Agreement  // the document of the first message
	Agreement *document.Agreement  // the signed document
	Market    *document.Document   // market.json
	AsOf      *big.Rat             // "now", for a negotiation that is still open
	Readings  finding.Readings     // the readings under which findings are made
	All       bool                 // also record gaps that exist only under other readings
}

// Negotiated is what a negotiation came to.
type Negotiated struct {
	Outcome string      // "accepted", "rejected", or "open" where the log ends before either
	Terms   canon.Value // the first document with every change of every counter; Missing where there is no first document
}

// Message is one line of a negotiation, read for computing. Whatever is absent or malformed is nil, zero or empty.
type Message struct {
	*document.Document
	Round   int64
	Action  string // "propose", "counter", "accept" or "reject"
	Sender  string // "client" or "provider"
	Instant *big.Rat
	Code    string         // rationale_code
	Median  *exact.Decimal // of market_reference
}

// NewMessage reads the model out of a document. It never fails.
func NewMessage(d *document.Document) *Message {
	round, _ := d.Get("round").Int64()
	return &Message{
		Document: d, Round: round, Action: document.Text(d.Get("action")), Sender: document.Text(d.Get("sender")), Instant: document.Instant(d.Get("at")),
		Code: document.Text(d.Get("rationale_code")), Median: document.DecimalText(d.Get("market_reference", "median_price_for_service_type")),
	}
}

// ReadMessages reads a negotiation: one document per line, or a single document over several lines as the paper prints it. The error is a
// *Refusal.
func ReadMessages(name string, b []byte, jsonc bool) ([]*document.Document, error) {
	first, _, _ := bytes.Cut(b, []byte("\n"))
	if _, err := document.Read(name, first, jsonc); err == nil {
		return document.ReadLines(name, b, jsonc)
	}
	d, err := document.Read(name, b, jsonc)
	if err != nil {
		return nil, err
	}
	return []*document.Document{d}, nil
}

// session is one negotiation while it is walked through.
type session struct {
	Input
	log          *finding.Log
	messages     []*Message
	base         *document.Agreement // whose settings hold: the proposal, or the agreement where there is none
	start        *document.Agreement // the terms that changes start from; nil where not known
	attributable bool                // every message says of whom, when and about what it is
	terms        map[string]*negotiated
	order        []string // the keys of terms, as they came
	changes      int      // over all messages
	weights      *big.Rat // sum of the weights in force; nil without dimensions
	outcome      string
}

// negotiated is one term that some message changed.
type negotiated struct {
	path     document.Path
	text     string // as messages write it
	original canon.Value
	current  canon.Value
	times    int
}

// Judge records R042 to R055 and folds the messages into the final terms.
func Judge(in Input, l *finding.Log) Negotiated {
	s := &session{Input: in, log: l, base: in.Proposal, terms: map[string]*negotiated{}, outcome: "open", attributable: true}
	if s.base == nil {
		s.base = in.Agreement
	}
	if len(in.Messages) == 0 {
		for _, r := range []string{"R042", "R043", "R044", "R045", "R046", "R047", "R048", "R049", "R052", "R053", "R054"} {
			l.Missing(r, "input-missing", "negotiation.jsonl", "a log of messages")
		}
	}
	for _, d := range in.Messages {
		s.messages = append(s.messages, NewMessage(d))
	}
	s.start = s.startingTerms()
	if s.start != nil {
		s.weights = sumOfWeights(s.start.Criteria)
	}
	s.checkMessages()
	s.checkTurns()
	for _, m := range s.messages {
		if m.Action == "accept" {
			break // what comes after the end changes nothing
		}
		s.apply(m)
		if m.Action == "reject" {
			break
		}
	}
	s.checkDrift()
	s.checkRounds()
	s.checkTimeout()
	terms := s.fold()
	if len(in.Messages) > 0 {
		s.checkProposal()
		s.checkFold(terms)
	}
	s.checkMarket(terms)
	s.checkCosts()
	return Negotiated{s.outcome, terms}
}

// settings is a member of the negotiation block, which is not itself negotiable: the proposal's and the agreement's are the same.
func (s *session) settings(names ...string) canon.Value {
	if s.base == nil {
		return canon.Value{}
	}
	return s.base.Get(append([]string{"negotiation"}, names...)...)
}

// startingTerms are those of the proposal. Where it is missing, a log that begins in the middle, as the paper's sample does, is read against
// the agreement at hand; one that begins with a proposal is not, because the agreement already holds what came of it.
func (s *session) startingTerms() *document.Agreement {
	if s.Proposal == nil && len(s.messages) > 0 && s.messages[0].Action == "propose" {
		return nil
	}
	return s.base
}

// inForce is the value of a term after the messages applied so far.
func (s *session) inForce(p document.Path) canon.Value {
	if t, ok := s.terms[p.Pointer()]; ok {
		return t.current
	}
	if s.start == nil {
		return canon.Value{}
	}
	return p.Resolve(s.start.Root)
}

func (s *session) inForceAt(path string) canon.Value {
	p, _ := document.ParsePath(path)
	return s.inForce(p)
}

func sumOfWeights(c document.Criteria) *big.Rat {
	if len(c.Dimensions) == 0 {
		return nil
	}
	sum := new(big.Rat)
	for _, d := range c.Dimensions {
		if d.Weight != nil {
			sum.Add(sum, d.Weight)
		}
	}
	return sum
}

// Answers are what a negotiation came to, as answers of a report: the outcome, and the folded document in canonical form with its hash,
// so that it can be compared with what was signed.
func (n Negotiated) Answers() []finding.Answer {
	list := []finding.Answer{{Name: "negotiation_outcome", Value: n.Outcome, Robust: true}}
	if !n.Terms.Exists() {
		return list
	}
	text, _ := exact.JCS(n.Terms)
	return append(list,
		finding.Answer{Name: "folded_document", Value: string(text), Robust: true},
		finding.Answer{Name: "folded_sha256", Value: canon.Sum(text).Prefixed(), Robust: true})
}
