package evaluators

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Delivery is one verified delivery, for the rules that look at many.
type Delivery struct {
	Provider, Evaluator document.Identity
	At                  *big.Rat // of the delivery, or of its result; nil where not known
	Place               string
}

// deliveriesOf are the deliveries that the results of one agreement show: each deliverable hash once per evaluator.
func deliveriesOf(g *document.Agreement, results []*document.Result) []Delivery {
	var list []Delivery
	seen := map[string]bool{}
	for i, r := range results {
		d := Delivery{Provider: g.Party("provider").Normal(), Evaluator: document.ReadIdentity(r.Get("evaluator", "identity")).Normal(), At: r.Timestamp, Place: r.Name}
		key := d.Evaluator.String() + " " + document.Text(r.Get("evidence_trail", "deliverable_hash"))
		if seen[key] || i >= document.MaxItems {
			continue
		}
		seen[key] = true
		list = append(list, d)
	}
	return list
}

// Run is the longest run of one evaluator over the deliveries of one provider.
type Run struct {
	Provider, Evaluator document.Identity
	Length              int
	Last                string // place of the last delivery of the run
}

// LongestRuns gives, per provider, the longest run of one evaluator in the order of time, the first of several.
func LongestRuns(deliveries []Delivery) []Run {
	sorted := slices.Clone(deliveries)
	slices.SortStableFunc(sorted, func(a, b Delivery) int { return cmp.Or(compareRats(a.At, b.At), cmp.Compare(a.Place, b.Place)) })
	best, current := map[document.Identity]Run{}, map[document.Identity]Run{}
	var order []document.Identity
	for _, d := range sorted {
		run, known := current[d.Provider]
		if !known {
			order = append(order, d.Provider)
		}
		if run.Evaluator != d.Evaluator {
			run = Run{Provider: d.Provider, Evaluator: d.Evaluator}
		}
		run.Length++
		run.Last = d.Place
		current[d.Provider] = run
		if run.Length > best[d.Provider].Length {
			best[d.Provider] = run
		}
	}
	var runs []Run
	for _, p := range order {
		runs = append(runs, best[p])
	}
	return runs
}

// Rotation records R062 for deliveries of any number of agreements: no evaluator judges more than that many deliveries of one provider
// in a row.
func Rotation(deliveries []Delivery, most *big.Rat, l *finding.Log) {
	for _, run := range LongestRuns(deliveries) {
		n := exact.Int(int64(run.Length))
		l.Check(n.Cmp(most) <= 0, finding.Error, "R062", "run-too-long", run.Last, exact.Text(n)+" by "+document.Clip(run.Evaluator.String()), "at most "+exact.Text(most))
	}
}

// checkRotation records R062 inside one folder; the paper gives N no default.
func (p *panel) checkRotation() {
	most := document.Number(p.Agreement.Get("verification", "rotation", "max_consecutive"))
	if most == nil || len(p.Results) == 0 {
		p.log.NA("R062")
		return
	}
	Rotation(deliveriesOf(p.Agreement, p.Results), most, p.log)
}

// Canary is one line of canaries.jsonl: a task with a known answer, and what the subject made of it.
type Canary struct {
	*document.Document
	ID       string
	Subject  document.Identity // whom the task tests
	Provider string            // as written
	Seq      int64             // the delivery of the pair that it belongs to, counted from 1
	Hit      document.Verdict  // no where a known bad one passed or a known good one failed
}

// NewCanary reads the model out of a document. It never fails.
func NewCanary(d *document.Document) Canary {
	seq, _ := d.Get("delivery_seq").Int64()
	c := Canary{Document: d, ID: document.Text(d.Get("canary_id")), Subject: document.ReadIdentity(d.Get("subject")), Provider: document.Text(d.Get("provider")), Seq: seq}
	known, rated := document.Text(d.Get("known")), document.Text(d.Get("rated"))
	if (known == "good" || known == "bad") && (rated == "PASS" || rated == "FAIL") {
		c.Hit = document.Judged((known == "good") == (rated == "PASS"))
	}
	return c
}

// checkCanaries records R063 and R064.
func (p *panel) checkCanaries() {
	var canaries []Canary
	for _, d := range p.Canaries {
		canaries = append(canaries, NewCanary(d))
	}
	CanaryRecords(canaries, p.registry, p.log)
	tasks := p.Agreement.Get("verification", "canary_tasks")
	m := document.CanaryForm.FindStringSubmatch(document.Text(tasks.Get("frequency")))
	if document.DeclaredBool(tasks.Get("enabled")) != document.True || m == nil {
		p.log.NA("R063")
		return
	}
	CanaryFrequency(deliveriesOf(p.Agreement, p.Results), canaries, p.Canaries != nil, exact.Must(m[1]), exact.Must(m[2]), p.log)
}

// CanaryFrequency records R063: in each full block of m deliveries of one provider to one evaluator there are at least k canaries. The
// paper's definition tests the provider (§3.2), its threat model the evaluator (§6.3): the record says whom, and the pair is counted.
func CanaryFrequency(deliveries []Delivery, canaries []Canary, recorded bool, k, m *big.Rat, l *finding.Log) {
	type pair struct{ provider, evaluator document.Identity }
	count := map[pair]int64{}
	var order []pair
	for _, d := range deliveries {
		p := pair{d.Provider, d.Evaluator}
		if count[p]++; count[p] == 1 {
			order = append(order, p)
		}
	}
	full := false
	for _, p := range order {
		blocks := exact.FloorPlaces(exact.Quo(exact.Int(count[p]), m), 0)
		if blocks.Sign() <= 0 {
			continue
		}
		full = true
		if !recorded {
			l.Missing("R063", "input-missing", "canaries.jsonl", "canary records")
			continue
		}
		size := m.Num().Int64() // at most the number of deliveries: a full block exists
		for b := int64(0); b < blocks.Num().Int64(); b++ {
			n := int64(0)
			for _, c := range canaries {
				if c.Seq > b*size && c.Seq <= (b+1)*size && c.of(p.provider, p.evaluator) {
					n++
				}
			}
			l.Check(exact.Int(n).Cmp(k) >= 0, finding.Error, "R063", "too-few-canaries", "canaries.jsonl", fmt.Sprintf("%d in deliveries %d to %d of %s", n, b*size+1, (b+1)*size, document.Clip(p.provider.String())), exact.Text(k))
		}
	}
	if !full {
		l.NA("R063")
	}
}

// of reports whether a canary belongs to a pair: it names one of the two as its subject, and the provider where it names one.
func (c Canary) of(provider, evaluator document.Identity) bool {
	subject := c.Subject.Normal()
	named := c.Provider == "" || c.Provider == provider.Value || c.Provider == provider.String()
	return named && (subject == evaluator || subject == provider)
}

// CanaryRecords records R064: the results recounted, and no reliability that rises on a miss.
func CanaryRecords(canaries []Canary, registry []Agent, l *finding.Log) {
	if canaries == nil {
		l.NA("R064")
		return
	}
	ids := map[string]bool{}
	passed, total := map[document.Identity]int64{}, map[document.Identity]int64{}
	for _, c := range canaries {
		switch {
		case c.ID == "" || ids[c.ID]:
			l.Gap(finding.Error, "R064", "canary-id", c.At("canary_id"), document.Clip(c.ID), "an id of its own")
			continue
		case c.Hit == document.Unknown:
			l.Gap(finding.Error, "R064", "canary-record", c.At("rated"), document.Shown(c.Get("known"))+" "+document.Shown(c.Get("rated")), "known good | bad, rated PASS | FAIL")
			continue
		}
		ids[c.ID] = true
		who := c.Subject.Normal()
		total[who]++
		if c.Hit == document.True {
			passed[who]++
		} else {
			checkReliability(c, l)
		}
	}
	for _, e := range registry {
		n := total[e.Identity.Normal()]
		if n == 0 || e.Total == nil || e.Passed == nil {
			continue
		}
		got := fmt.Sprintf("%d/%d", passed[e.Identity.Normal()], n)
		declared := exact.Text(e.Passed) + "/" + exact.Text(e.Total)
		l.Check(got == declared, finding.Error, "R064", "canary-count", e.Place+"/canary", declared, got)
	}
}

// checkReliability looks at a miss: how far a reliability falls has no formula, but it does not rise.
func checkReliability(c Canary, l *finding.Log) {
	before, after := document.AnyNumber(c.Get("reliability_before")), document.AnyNumber(c.Get("reliability_after"))
	if before != nil && after != nil {
		l.Check(after.Cmp(before) <= 0, finding.Error, "R064", "reliability-rises", c.At("reliability_after"), exact.Text(after), "at most "+exact.Text(before))
	}
}
