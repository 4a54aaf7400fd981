// Package ledger looks at the agreements of several folders together (R062 to R064, R095, R098): what no single one of them can show.
package ledger

import (
	"cmp"
	"fmt"
	"io/fs"
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/folder"
	"github.com/ark-forge/proveit/verify/asa/form"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// Options are what a caller may choose.
type Options struct {
	Readings finding.Readings // the readings under which composites are computed
	JSONC    bool             // take comments out before reading
	Strict   bool             // what is not established and warnings make the outcome incomplete
}

// MaxBundles is how many folders a ledger takes.
const MaxBundles = 1000

// delivery is one judged deliverable of one bundle of a ledger.
type delivery struct {
	folder    string
	agreement *document.Agreement
	result    *document.Result
	provider  document.Identity
	evaluator document.Identity
	at        *big.Rat // delivered, or else the result's timestamp
	hash      string   // content hash as the result has it
	composite *big.Rat // recomputed under the default readings; nil where not established
}

// ledger is several bundles looked at together.
type ledger struct {
	log        *finding.Log
	opts       Options
	inputs     []finding.Input
	agreements []*document.Agreement
	folders    []string
	deliveries []delivery
	canaries   []*document.Document
	answers    []finding.Answer
}

// Judge looks at several bundles together, each a folder directly below the root, with canaries.jsonl in the root: results that stand for
// two things (R098), copies of one agreement that changed after it was signed (R022, R027), partners that deal repeatedly under tiers (R095),
// and exact counts: the longest run of an evaluator with a provider, how far each evaluator is from the others on the same deliverable, and how
// many composites lie just above and just below each bound of payment. The counts are answers of the report, no findings: they impute
// nothing. The error says that a file cannot be read or that there is no bundle.
func Judge(fsys fs.FS, o Options) (*finding.Report, error) {
	l := &ledger{log: &finding.Log{}, opts: o}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.IsDir() || len(l.folders) >= MaxBundles {
			continue
		}
		if err := l.take(fsys, e.Name()); err != nil {
			return nil, err
		}
	}
	if len(l.folders) == 0 {
		return nil, fmt.Errorf("in the folders directly below: %w", folder.ErrNothing)
	}
	if b, err := fs.ReadFile(fsys, "canaries.jsonl"); err == nil {
		r := &folder.Reader{JSONC: o.JSONC, Log: l.log}
		l.canaries = r.Lines(&document.File{Name: "canaries.jsonl", Bytes: b}, document.ReadLines)
		for _, d := range l.canaries {
			form.Named("asa-canary").Validate(d, l.log)
		}
		l.inputs = append(l.inputs, r.Inputs...)
	}
	slices.SortStableFunc(l.deliveries, func(x, y delivery) int { return x.at.Cmp(y.at) })
	l.replays()
	l.copies()
	l.partners()
	l.runs()
	l.process()
	l.offsets()
	l.bounds()
	return &finding.Report{Inputs: l.inputs, Log: *l.log, Answers: l.answers, Strict: o.Strict}, nil
}

func (l *ledger) take(fsys fs.FS, name string) error {
	sub, err := fs.Sub(fsys, name)
	if err != nil {
		return err
	}
	set, err := folder.Collect(sub)
	if err != nil {
		return err
	}
	if set.Agreement == nil {
		return nil
	}
	l.folders = append(l.folders, name)
	set.Prefix(name + "/")
	own := &finding.Log{}
	d := set.Open(l.opts.JSONC, own)
	l.inputs = append(l.inputs, d.Inputs...)
	d.Validate(own)
	if own.Rejected() || d.Agreement == nil {
		for _, f := range own.Refusals() {
			l.log.Add(f)
		}
		l.log.Gap(finding.Reject, "R001", "bundle-refused", name, "", "documents that can be audited")
		return nil
	}
	l.agreements = append(l.agreements, d.Agreement)
	for _, r := range d.Results {
		l.deliveries = append(l.deliveries, deliveryOf(name, d, r, l.opts.Readings))
	}
	return nil
}

func deliveryOf(name string, docs *folder.Documents, r *document.Result, rd finding.Readings) delivery {
	g := docs.Agreement
	d := delivery{
		folder: name, agreement: g, result: r, provider: g.Party("provider").Normal(), evaluator: document.ReadIdentity(r.Get("evaluator", "identity")).Normal(),
		at: r.Timestamp, hash: document.Text(r.Get("evidence_trail", "deliverable_hash")),
	}
	if e, ok := docs.Event("delivered"); ok && e.Instant != nil {
		d.at = e.Instant
	}
	d.composite, _ = settlement.Composite(g.Criteria, r, rd)
	return d
}

// replays records R098 over all bundles: groups of results by id, by deliverable and by the block of scores.
func (l *ledger) replays() {
	ids, delivered, blocks := map[string]delivery{}, map[string]delivery{}, map[canon.Digest]delivery{}
	for _, d := range l.deliveries {
		switch first, known := ids[d.result.ID]; {
		case !known:
			ids[d.result.ID] = d
			l.log.OK("R098")
		case first.folder != d.folder: // within one folder it is the audit's question: a panel may share an id
			l.log.Check(string(first.result.Bytes) == string(d.result.Bytes), finding.Error, "R098", "id-reused", d.result.At("verification_id"), document.Clip(d.result.ID), first.result.Name)
		}
		if !document.Hash64.MatchString(d.hash) {
			l.log.Missing("R098", "no-hash", d.result.At("evidence_trail", "deliverable_hash"), "sha256: and 64 hex digits")
			continue
		}
		key := d.agreement.ID + "\n" + d.hash
		if first, ok := delivered[key]; ok && first.folder != d.folder && first.result.ID != d.result.ID {
			l.log.Gap(finding.Error, "R098", "second-result", d.result.At("evidence_trail", "deliverable_hash"), document.Clip(d.hash), first.result.Name)
		} else if !ok {
			delivered[key] = d
		}
		block, err := exact.Hash(d.result.Get("dimensions"))
		if first, ok := blocks[block]; ok && err == nil && first.hash != d.hash {
			l.log.Gap(finding.Warn, "R098", "same-evaluation", d.result.At("dimensions"), block.Prefixed(), first.result.Name)
		} else if !ok {
			blocks[block] = d
		}
	}
}

// partners records R095.
func (l *ledger) partners() {
	met := map[string]*document.Agreement{}
	for _, g := range l.agreements {
		if !g.Payment.Enabled || !g.Payment.Graduated || g.Payment.Continuous {
			l.log.NA("R095")
			continue
		}
		pair := g.Party("client").Normal().String() + "\n" + g.Party("provider").Normal().String()
		if first, ok := met[pair]; ok {
			l.log.Gap(finding.Note, "R095", "tiers-with-repeated-partner", g.At("escrow", "payment", "graduated_release"), first.ID, "continuous")
		} else {
			l.log.OK("R095")
			met[pair] = g
		}
	}
}

func (l *ledger) answer(name, value string) {
	l.answers = append(l.answers, finding.Answer{Name: name, Value: value, Robust: true})
}

// runs counts, per provider, the longest run of one evaluator in the order of deliveries.
func (l *ledger) runs() {
	type run struct {
		evaluator string
		now, most int
	}
	runs := map[string]*run{}
	var providers []string
	for _, d := range l.deliveries {
		p := d.provider.String()
		r := runs[p]
		if r == nil {
			r = &run{}
			runs[p] = r
			providers = append(providers, p)
		}
		if r.evaluator != d.evaluator.String() {
			r.evaluator, r.now = d.evaluator.String(), 0
		}
		r.now++
		r.most = max(r.most, r.now)
	}
	slices.Sort(providers)
	for _, p := range providers {
		l.answer("longest_run "+document.Clip(p), fmt.Sprint(runs[p].most))
	}
}

// offsets gives, per evaluator, the mean of its composites minus the median over each deliverable that several evaluators judged.
func (l *ledger) offsets() {
	shared := map[string][]delivery{}
	for _, d := range l.deliveries {
		if d.composite != nil && document.Hash64.MatchString(d.hash) {
			shared[d.hash] = append(shared[d.hash], d)
		}
	}
	sum, count := map[string]*big.Rat{}, map[string]int64{}
	for _, group := range shared {
		if len(group) < 2 {
			continue
		}
		var all []*big.Rat
		for _, d := range group {
			all = append(all, d.composite)
		}
		median := exact.Median(all)
		for _, d := range group {
			e := d.evaluator.String()
			if sum[e] == nil {
				sum[e] = new(big.Rat)
			}
			sum[e].Add(sum[e], exact.Sub(d.composite, median))
			count[e]++
		}
	}
	var evaluators []string
	for e := range sum {
		evaluators = append(evaluators, e)
	}
	slices.SortFunc(evaluators, cmp.Compare[string])
	for _, e := range evaluators {
		l.answer("mean_offset "+document.Clip(e), settlement.ShortText(exact.Quo(sum[e], exact.Int(count[e])))+" over "+fmt.Sprint(count[e]))
	}
}

// bounds counts composites within one point above and below each bound of payment, with the chance that a fair coin gives at least as
// many above.
func (l *ledger) bounds() {
	above, below := map[string]int64{}, map[string]int64{}
	var names []string
	for _, d := range l.deliveries {
		if d.composite == nil {
			continue
		}
		for _, b := range settlement.BoundsOf(document.Criteria{}, d.agreement.Payment) {
			off := exact.Sub(d.composite, b)
			name := exact.Text(b)
			switch {
			case off.Sign() >= 0 && off.Cmp(exact.Int(1)) < 0:
				above[name]++
			case off.Sign() < 0 && off.Cmp(exact.Int(-1)) >= 0:
				below[name]++
			default:
				continue
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, n := range names {
		tail := binomialTail(above[n]+below[n], above[n])
		l.answer("near "+n, strings.Join([]string{fmt.Sprintf("%d above, %d below", above[n], below[n]), "tail " + exact.Rounded(tail, 6)}, ", "))
	}
}

// binomialTail is the chance of at least k heads in n throws of a fair coin.
func binomialTail(n, k int64) *big.Rat {
	sum := new(big.Int)
	for i := k; i <= n; i++ {
		sum.Add(sum, new(big.Int).Binomial(n, i))
	}
	return new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), uint(n)))
}
