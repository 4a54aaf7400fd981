package asa

import (
	"math/big"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
)

// Agreement is a service agreement, read for computing. Whatever is absent or malformed is nil or empty; what that means is for the rules.
type Agreement struct {
	*Document
	ID       string
	Version  string
	Status   string   // lower case
	Created  *big.Rat // seconds since 1970; nil where absent
	Expires  *big.Rat
	Criteria Criteria
	Payment  Payment

	payload    []byte // what Payload computed; an Agreement is not shared between goroutines
	payloadErr error
}

// Criteria is what quality means: an agreement's quality_criteria, or those of a standalone request.
type Criteria struct {
	Value      canon.Value
	Dimensions []Dimension
	Threshold  *big.Rat
	Method     string // "weighted_average" where absent
	Gates      []Gate
	GateLogic  string
}

// Dimension is one scored quality.
type Dimension struct {
	Value     canon.Value
	Name      string
	Weight    *big.Rat
	Metric    string
	SLO       SLO
	Shadow    string // name of the shadow metric, or ""
	ShadowSLO SLO
	From, To  *big.Rat // of normalize; nil where absent
}

// SLO is a limit with its operator.
type SLO struct {
	Operator string
	Value    canon.Value
}

// Gate is one pass-or-fail condition.
type Gate struct {
	Condition, Type string
	Value           canon.Value
}

// Payment is the money of an agreement.
type Payment struct {
	Enabled    bool // escrow is there and enabled
	Amount     *exact.Decimal
	Currency   string
	Graduated  bool
	Continuous bool
	Tiers      []Tier
	Fees       *big.Rat // sum of the declared fees; zero where none
}

// Tier pays a percentage to composites from a bound on (GTE), or below one (LT).
type Tier struct {
	Value   canon.Value
	GTE, LT *big.Rat
	Percent *big.Rat
}

// NewAgreement reads the model out of a document. It never fails: Validate says what is wrong with the document.
func NewAgreement(d *Document) *Agreement {
	a := &Agreement{
		Document: d, ID: text(d.Get("agreement_id")), Version: text(d.Get("asa_version")), Status: lower(text(d.Get("status"))),
		Created: instant(d.Get("created_at")), Expires: instant(d.Get("expires_at")),
		Criteria: readCriteria(d.Get("quality_criteria")), Payment: readPayment(d.Get("escrow")),
	}
	if text(d.Get("escrow", "payment", "graduated_release", "noise", "mode")) == "derived" {
		if payload, err := a.Payload(); err == nil {
			a.Payment.Tiers = shifted(a.Payment.tiersOrDefault(), derivedNoise(canon.Sum(payload).Prefixed()))
		}
	}
	return a
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func readCriteria(v canon.Value) Criteria {
	c := Criteria{Value: v, Threshold: number(v.Get("composite_threshold")), Method: text(v.Get("composite_method")), GateLogic: text(v.Get("gate_logic"))}
	if c.Method == "" {
		c.Method = "weighted_average"
	}
	for i, d := range v.Get("dimensions").Elements() {
		if i >= MaxItems {
			break
		}
		c.Dimensions = append(c.Dimensions, Dimension{
			Value: d, Name: text(d.Get("name")), Weight: number(d.Get("weight")), Metric: text(d.Get("metric")), SLO: readSLO(d.Get("slo")),
			Shadow: text(d.Get("shadow_metric")), ShadowSLO: readSLO(d.Get("shadow_slo")),
			From: number(get(d, "normalize", "from")), To: number(get(d, "normalize", "to")),
		})
	}
	for i, g := range v.Get("quality_gates").Elements() {
		if i >= MaxItems {
			break
		}
		c.Gates = append(c.Gates, Gate{Condition: text(g.Get("condition")), Type: text(g.Get("type")), Value: g})
	}
	return c
}

func readSLO(v canon.Value) SLO { return SLO{Operator: text(v.Get("operator")), Value: v.Get("value")} }

func readPayment(escrow canon.Value) Payment {
	payment := escrow.Get("payment")
	graduated := payment.Get("graduated_release")
	p := Payment{Amount: decimalText(payment.Get("amount")), Currency: text(payment.Get("currency")), Fees: new(big.Rat)}
	p.Enabled, _ = escrow.Get("enabled").Bool()
	p.Graduated, _ = graduated.Get("enabled").Bool()
	p.Continuous = text(graduated.Get("mode")) == "continuous"
	for i, t := range graduated.Get("tiers").Elements() {
		if i >= MaxItems {
			break
		}
		p.Tiers = append(p.Tiers, Tier{Value: t, GTE: number(t.Get("composite_score_gte")), LT: number(t.Get("composite_score_lt")), Percent: number(t.Get("release_percent"))})
	}
	for i, f := range payment.Get("fees").Elements() {
		if fee := decimalText(f.Get("amount")); fee != nil && i < MaxItems {
			p.Fees.Add(p.Fees, fee.Rat)
		}
	}
	return p
}

// Dimension is the dimension of that name and whether there is one.
func (c Criteria) Dimension(name string) (Dimension, bool) {
	for _, d := range c.Dimensions {
		if d.Name == name {
			return d, true
		}
	}
	return Dimension{}, false
}

// Party is the identity of "client", "provider" or "evaluator".
func (a *Agreement) Party(name string) Identity {
	return readIdentity(a.Get("parties", name, "identity"))
}

// Seconds is a whole number of seconds of the document, or nil.
func (a *Agreement) Seconds(names ...string) *big.Rat { return number(a.Get(names...)) }
