package paper

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"regexp"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/reference"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// Gaps is how many gaps the audit of the paper itself must find, P01 to P29; each may have several findings.
const Gaps = 29

// paperAudit audits the paper's own samples and sentences. Its findings are "asa/P01/…" to "asa/P29/…"; its controls count as ok.
type paperAudit struct {
	log       *finding.Log
	agreement *document.Agreement
	result    *document.Result
	request   *document.Document
	message   *document.Document // the negotiation sample
	gates     *document.Document
	claims    *document.Document
	audited   *finding.Report // the audit of agreement, request and result
	strict    map[string]error
}

// Audit recomputes the paper's own numbers: the samples through the same code as any audit, the tables and sentences from their stated
// assumptions. The report holds exactly the gaps P01 to P29; the controls that must stay silent count as ok. The error says that the
// embedded samples cannot be read.
func Audit() (*finding.Report, error) {
	p := &paperAudit{log: &finding.Log{}, strict: map[string]error{}}
	if err := p.load(); err != nil {
		return nil, err
	}
	for _, step := range []func(){
		p.composite, p.release, p.robustPass, p.booleanType, p.shadows, p.twoTimeouts, p.timers, p.negotiation, p.notJSON, p.deadline, p.speed,
		p.independence, p.disputeEvidence, p.cost, p.evidence, p.serviceType, p.placeholders,
		p.states, p.incentive, p.proseTiers, p.gateAndTier, p.cloudCredit, p.sources, p.scaling, p.canaryTarget, p.notGiven, p.templates, p.weakGuarantees, p.features,
		p.controls,
	} {
		step()
	}
	report := &finding.Report{Log: *p.log, AsOf: document.Text(p.result.Get("timestamp"))}
	for _, d := range []*document.Document{p.agreement.Document, p.claims, p.gates, p.message, p.request, p.result.Document} {
		report.Inputs = append(report.Inputs, finding.Input{Path: d.Name, SHA256: canon.Sum(d.Bytes)})
	}
	return report, nil
}

func (p *paperAudit) load() error {
	docs := map[string]*document.Document{}
	for _, name := range []string{"agreement.json", "request.json", "result.json", "negotiation.json", "gates.json", "claims.json"} {
		b, err := fs.ReadFile(Samples(), name)
		if err != nil {
			return err
		}
		_, p.strict[name] = document.Read(name, b, false)
		if docs[name], err = document.Read(name, b, true); err != nil {
			return err
		}
	}
	p.agreement, p.result = document.NewAgreement(docs["agreement.json"]), document.NewResult(docs["result.json"])
	p.request, p.message, p.gates, p.claims = docs["request.json"], docs["negotiation.json"], docs["gates.json"], docs["claims.json"]
	var err error
	p.audited, err = asa.Audit(only{Samples(), []string{"agreement.json", "request.json", "result.json"}}, asa.Options{JSONC: true})
	return err
}

// gap records a gap of the paper.
func (p *paperAudit) gap(s finding.Severity, id, slug, at, declared, recomputed string, steps ...string) {
	p.log.Add(finding.Finding{ID: finding.ID(id, slug), Severity: s, Outcome: finding.Gap, At: at, Declared: declared, Recomputed: recomputed, Derivation: steps})
}

// taken copies a finding of the audit of the samples under the id of the paper's gap.
func (p *paperAudit) taken(from, id, slug string) {
	for _, f := range p.audited.Log.Findings() {
		if f.ID == from {
			f.ID = finding.ID(id, slug)
			p.log.Add(f)
		}
	}
}

func (p *paperAudit) composite() { p.taken("asa/R076/composite-mismatch", "P01", "composite") }

// release is P2: even the noise of +-3 points cannot move the bound of 90 down to the declared composite.
func (p *paperAudit) release() {
	p.taken("asa/R088/release-mismatch", "P02", "release")
	declared, amount := p.result.Composite.Rat, p.agreement.Payment.Amount.Rat
	lowest := exact.Sub(exact.Int(90), exact.Int(3))
	exactly, _ := settlement.Composite(p.agreement.Criteria, p.result, finding.Readings{})
	continuous := func(c *big.Rat) string { return exact.Text(exact.Quo(exact.Mul(amount, c), exact.Int(100))) }
	p.gap(finding.Note, "P02", "other-modes", p.result.At("determination", "payment_release_percent"), "continuous "+continuous(declared), "continuous "+continuous(exactly),
		"lowest bound under noise = "+exact.Text(lowest), fmt.Sprintf("%s >= %s: %v", exact.Text(declared), exact.Text(lowest), declared.Cmp(lowest) >= 0),
		"noise needed by "+exact.Text(exactly)+" = "+exact.Text(exact.Sub(exactly, exact.Int(90))))
}

func (p *paperAudit) robustPass() {
	var margins []string
	for _, d := range p.agreement.Criteria.Dimensions {
		s, _ := p.result.Score(d.Name)
		if met, margin := d.SLO.Holds(s.Score, d.Metric == "boolean"); met == document.True && margin != nil {
			margins = append(margins, d.Name+" +"+exact.Text(margin))
		}
	}
	declared, exactly := p.result.Composite, settlement.Decide(p.agreement.Criteria, p.result, finding.Readings{})
	threshold := p.agreement.Criteria.Threshold
	if declared.Rat.Cmp(threshold) >= 0 && exactly.Verdict == document.True {
		p.gap(finding.Note, "P03", "pass-survives", p.result.At("determination", "result"), "PASS", "PASS", margins...)
	}
}

func (p *paperAudit) booleanType() { p.taken("asa/R073/boolean-as-number", "P04", "boolean-type") }
func (p *paperAudit) shadows() {
	p.taken("asa/R075/no-shadow", "P05", "shadow-coverage")
	if d, _ := p.agreement.Criteria.Dimension("completeness"); d.Shadow == "" {
		p.gap(finding.Note, "P05", "no-word-count", p.agreement.Place(d.Value), "", "word_count")
	}
}

func (p *paperAudit) twoTimeouts() {
	service, fires := p.agreement.Seconds("verification", "evaluator_timeout_seconds"), p.agreement.Seconds("escrow", "dead_mans_switch", "evaluator_timeout_seconds")
	if service.Cmp(fires) != 0 {
		p.gap(finding.Warn, "P06", "two-timeouts", p.agreement.At("verification", "evaluator_timeout_seconds"), exact.Text(service), exact.Text(fires))
	}
}

func (p *paperAudit) timers() {
	p.taken("asa/R041/timer-cannot-fire", "P07", "timer-cannot-fire")
	p.taken("asa/R041/timers-over-life", "P07", "timers-over-life")
}

// negotiation is P8: each change of the sample message against the old and against the new value.
func (p *paperAudit) negotiation() {
	for path, v := range p.message.Get("proposed_changes").Members() {
		steps, _ := document.ParsePath(path)
		old, proposed := document.AnyNumber(steps.Resolve(p.agreement.Root)), document.AnyNumber(v)
		if old == nil || proposed == nil {
			continue
		}
		diff := exact.Sub(proposed, old)
		versusOld, versusNew := exact.Percent(diff, old), exact.Percent(diff, proposed)
		if new(big.Rat).Abs(versusOld).Cmp(exact.Int(25)) > 0 {
			p.gap(finding.Error, "P08", "change-over-limit", p.message.At("proposed_changes", path), "+"+exact.Rounded(versusOld, 4)+" %", "25 %",
				exact.Text(old)+" -> "+exact.Text(proposed), "against the new value +"+exact.Rounded(versusNew, 4)+" %")
			continue
		}
		p.gap(finding.Note, "P08", "change-inside-limit", p.message.At("proposed_changes", path), exact.Rounded(versusOld, 4)+" %", "25 %",
			exact.Text(old)+" -> "+exact.Text(proposed), "against the new value "+exact.Rounded(versusNew, 4)+" %")
	}
	accuracy := document.Number(p.message.Get("proposed_changes").Get("quality_criteria.dimensions[0].slo.value"))
	if accuracy.Cmp(document.Number(p.agreement.Criteria.Dimensions[0].SLO.Value)) < 0 {
		p.gap(finding.Warn, "P08", "rationale-direction", p.message.At("rationale_code"), document.Text(p.message.Get("rationale_code")), exact.Text(exact.Sub(accuracy, exact.Int(85))))
	}
	amount := document.DecimalText(p.message.Get("proposed_changes").Get("escrow.payment.amount"))
	if limit := document.Number(p.agreement.Get("service", "constraints", "max_cost_usd")); amount.Rat.Cmp(limit) > 0 {
		p.gap(finding.Warn, "P08", "amount-over-cap", p.message.At("proposed_changes", "escrow.payment.amount"), exact.Text(amount.Rat), exact.Text(limit))
	}
	var absent []string
	for _, name := range []string{"agreement_id", "sender", "at"} {
		if !p.message.Get(name).Exists() {
			absent = append(absent, name)
		}
	}
	p.gap(finding.Warn, "P08", "not-attributable", p.message.At(), "", strings.Join(absent, ", "))
	median := document.DecimalText(p.message.Get("market_reference", "median_price_for_service_type")).Rat
	low, high := exact.Quo(median, exact.Int(2)), exact.Mul(median, exact.Int(3))
	p.control(amount.Rat.Cmp(low) >= 0 && amount.Rat.Cmp(high) <= 0, "P08", "price outside "+exact.Text(low)+" to "+exact.Text(high))
}

// control records a control that must stay silent; where it does not, that is an error of its own.
func (p *paperAudit) control(holds bool, id, what string) {
	p.log.Check(holds, finding.Error, id, "control", "paper", what, "")
}

// seedLine says where the samples that are not JSON start in the customer's text.
var seedLine = map[string]int{"request.json": 228, "negotiation.json": 401}

func (p *paperAudit) notJSON() {
	for _, name := range []string{"negotiation.json", "request.json"} {
		var r *document.Refusal
		if !errors.As(p.strict[name], &r) {
			continue
		}
		var line, col int
		if _, err := fmt.Sscanf(strings.TrimPrefix(r.At, name+":"), "%d:%d", &line, &col); err == nil {
			p.gap(finding.Reject, "P09", "not-json", fmt.Sprintf("L%d", seedLine[name]+line-1), document.Clip(r.Found), "JSON")
		}
	}
	for _, name := range []string{"agreement.json", "result.json", "gates.json"} {
		p.control(p.strict[name] == nil, "P09", name)
	}
}

// early is how many seconds before "the deadline" the sample result says that the delivery came.
func (p *paperAudit) early() *big.Rat {
	s, _ := p.result.Score("timeliness")
	return exact.Must(regexp.MustCompile(`[0-9]+`).FindString(document.Text(s.Value.Get("evidence"))))
}

func (p *paperAudit) deadline() {
	delivered := exact.Sub(p.agreement.Expires, p.early())
	late := exact.Sub(delivered, p.result.Timestamp)
	p.gap(finding.Error, "P10", "deadline-word", p.result.At("dimensions", "5", "evidence"), "expires_at - "+exact.Text(p.early())+" s = "+exact.InstantText(delivered),
		exact.InstantText(p.result.Timestamp), exact.Text(late)+" s after the verification")
}

// speed is P11: with activation at created_at the evaluator would have been too slow; the interval of activations that fits.
func (p *paperAudit) speed() {
	duration := p.agreement.Seconds("service", "constraints", "max_duration_seconds")
	limit := p.agreement.Seconds("verification", "evaluator_timeout_seconds")
	took := exact.Quo(document.Number(p.result.Get("evidence_trail", "evaluation_duration_ms")), exact.Int(1000))
	offset := exact.Sub(duration, p.early())
	delivered := exact.Add(p.agreement.Created, offset)
	elapsed := exact.Sub(p.result.Timestamp, delivered)
	from := exact.Sub(exact.Sub(p.result.Timestamp, limit), offset)
	until := exact.Sub(exact.Sub(p.result.Timestamp, took), offset)
	window := exact.Add(p.result.Timestamp, p.agreement.Seconds("verification", "challenge_window_seconds"))
	p.gap(finding.Warn, "P11", "evaluator-speed", p.result.At("timestamp"), exact.Text(elapsed), exact.Text(limit),
		"activation = created_at -> delivery "+exact.InstantText(delivered), "activation in ["+exact.InstantText(from)+", "+exact.InstantText(until)+"]", "window closes "+exact.InstantText(window))
}

func (p *paperAudit) independence() {
	var schemes []string
	for _, party := range []string{"client", "provider", "evaluator"} {
		schemes = append(schemes, p.agreement.Party(party).Scheme)
	}
	p.log.Missing("P12", "independence", p.agreement.At("parties"), strings.Join(schemes, ", "))
	p.log.Missing("P12", "key-of-address", p.agreement.At("signatures", "provider"), "ed25519 <- "+p.agreement.Party("provider").Scheme)
}

func (p *paperAudit) disputeEvidence() {
	p.taken("asa/R018/evidence-missing", "P13", "dispute-evidence")
}

func (p *paperAudit) cost() {
	cost, amount := document.Number(p.result.Get("evidence_trail", "evaluation_cost_usd")), p.agreement.Payment.Amount.Rat
	p.gap(finding.Note, "P14", "no-cost-cap", p.agreement.At("verification", "max_cost_usd"), "", "max_cost_usd",
		exact.Text(cost)+"/"+exact.Text(amount)+" = "+exact.Rounded(exact.Percent(cost, amount), 4)+" %", "x"+exact.Rounded(exact.Quo(amount, cost), 2))
	seconds := exact.Quo(document.Number(p.result.Get("evidence_trail", "evaluation_duration_ms")), exact.Int(1000))
	p.control(seconds.Cmp(exact.Int(10)) >= 0 && seconds.Cmp(exact.Int(120)) <= 0, "P14", exact.Text(seconds)+" s")
	if amount.Cmp(exact.Int(5)) <= 0 {
		p.gap(finding.Note, "P14", "value-under-depth", p.agreement.At("escrow", "payment", "amount"), exact.Text(amount), "> 5")
	}
}

// evidence is P15: the numbers inside the evidence texts.
func (p *paperAudit) evidence() {
	numbers := func(name string) []*big.Rat {
		s, _ := p.result.Score(name)
		var all []*big.Rat
		for _, t := range regexp.MustCompile(`[0-9]+`).FindAllString(document.Text(s.Value.Get("evidence")), -1) {
			all = append(all, exact.Must(t))
		}
		return all
	}
	n := numbers("source_quality")
	p.control(len(n) == 4 && exact.Add(exact.Add(n[1], n[2]), n[3]).Cmp(n[0]) == 0, "P15", "count of sources")
	n = numbers("accuracy")
	p.control(len(n) == 5 && exact.Add(exact.Quo(n[1], n[2]), exact.Quo(n[3], n[4])).Cmp(exact.Int(1)) == 0, "P15", "shares of claims")
	n = numbers("completeness")
	s, _ := p.result.Score("completeness")
	share := exact.Percent(n[0], n[1])
	if share.Cmp(document.Number(s.Score)) != 0 {
		p.gap(finding.Note, "P15", "evidence-share", p.result.Place(s.Value)+"/score", document.Shown(s.Score), exact.Text(share))
	}
}

func (p *paperAudit) serviceType() {
	p.taken("asa/R007/no-template", "P16", "service-type")
	research, _ := reference.Defaults("text/research")
	d, _ := p.agreement.Criteria.Dimension("writing_quality")
	p.gap(finding.Note, "P16", "writing-weight", p.agreement.Place(d.Value)+"/weight", exact.Text(d.Weight), exact.Text(big.NewRat(research.Weights[4], 100)))
}

func (p *paperAudit) placeholders() { p.taken("asa/R020/placeholder", "P17", "placeholder") }

// only shows some files of a folder.
type only struct {
	fs.FS
	names []string
}

// ReadDir lists the chosen files of the root.
func (o only) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, name)
	var kept []fs.DirEntry
	for _, e := range entries {
		for _, n := range o.names {
			if e.Name() == n {
				kept = append(kept, e)
			}
		}
	}
	return kept, err
}
