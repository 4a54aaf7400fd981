package document

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
		Document: d, ID: Text(d.Get("agreement_id")), Version: Text(d.Get("asa_version")), Status: Lower(Text(d.Get("status"))),
		Created: Instant(d.Get("created_at")), Expires: Instant(d.Get("expires_at")),
		Criteria: ReadCriteria(d.Get("quality_criteria")), Payment: readPayment(d.Get("escrow")),
	}
	if Text(d.Get("escrow", "payment", "graduated_release", "noise", "mode")) == "derived" {
		if payload, err := a.Payload(); err == nil {
			a.Payment.Tiers = shifted(a.Payment.TiersOrDefault(), DerivedNoise(canon.Sum(payload).Prefixed()))
		}
	}
	return a
}

// Lower is a text with its ASCII capitals made small.
func Lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// ReadCriteria reads quality criteria, of an agreement or of a standalone request.
func ReadCriteria(v canon.Value) Criteria {
	c := Criteria{Value: v, Threshold: Number(v.Get("composite_threshold")), Method: Text(v.Get("composite_method")), GateLogic: Text(v.Get("gate_logic"))}
	if c.Method == "" {
		c.Method = "weighted_average"
	}
	for i, d := range v.Get("dimensions").Elements() {
		if i >= MaxItems {
			break
		}
		c.Dimensions = append(c.Dimensions, Dimension{
			Value: d, Name: Text(d.Get("name")), Weight: Number(d.Get("weight")), Metric: Text(d.Get("metric")), SLO: readSLO(d.Get("slo")),
			Shadow: Text(d.Get("shadow_metric")), ShadowSLO: readSLO(d.Get("shadow_slo")),
			From: Number(Get(d, "normalize", "from")), To: Number(Get(d, "normalize", "to")),
		})
	}
	for i, g := range v.Get("quality_gates").Elements() {
		if i >= MaxItems {
			break
		}
		c.Gates = append(c.Gates, Gate{Condition: Text(g.Get("condition")), Type: Text(g.Get("type")), Value: g})
	}
	return c
}

func readSLO(v canon.Value) SLO { return SLO{Operator: Text(v.Get("operator")), Value: v.Get("value")} }

func readPayment(escrow canon.Value) Payment {
	payment := escrow.Get("payment")
	graduated := payment.Get("graduated_release")
	p := Payment{Amount: DecimalText(payment.Get("amount")), Currency: Text(payment.Get("currency")), Fees: new(big.Rat)}
	p.Enabled, _ = escrow.Get("enabled").Bool()
	p.Graduated, _ = graduated.Get("enabled").Bool()
	p.Continuous = Text(graduated.Get("mode")) == "continuous"
	for i, t := range graduated.Get("tiers").Elements() {
		if i >= MaxItems {
			break
		}
		p.Tiers = append(p.Tiers, Tier{Value: t, GTE: Number(t.Get("composite_score_gte")), LT: Number(t.Get("composite_score_lt")), Percent: Number(t.Get("release_percent"))})
	}
	for i, f := range payment.Get("fees").Elements() {
		if fee := DecimalText(f.Get("amount")); fee != nil && i < MaxItems {
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
	return ReadIdentity(a.Get("parties", name, "identity"))
}

// Seconds is a whole number of seconds of the document, or nil.
func (a *Agreement) Seconds(names ...string) *big.Rat { return Number(a.Get(names...)) }
