package simulate

import (
	"fmt"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// anchorSpec says how a proof is to be anchored. Proofs with the same specification share batches.
type anchorSpec struct {
	token     mint.TokenFault
	entry     mint.EntryFault
	at        time.Time     // time of the token; zero: the next slot of the season
	logged    time.Duration // how much later the log integrated the entry; zero: two seconds
	alone     bool          // anchored without a batch
	pending   bool          // the batch is still open
	noEntry   bool          // the bundle lacks the log entry
	restamped bool          // stamped a second time, as after a crash of the issuer
	reread    bool          // the bundle holds the log entry as it was answered at two times
	provider  string        // empty: the providers take turns
	submitter string        // kid of the key that submits the entry; empty: the one in use
}

// lot is a set of proofs that are anchored together. It closes when it is full, or at the end.
type lot struct {
	spec      anchorSpec
	at        time.Time
	batch     *mint.Batch
	anchor    *mint.Anchor // nil until closed, and for ever where pending
	again     *mint.Anchor // the second witnesses of a lot that was stamped twice
	closed    bool
	authority *mint.Authority
	last      *receipt
}

// receipt is one proof of one participant, with its place in a lot.
type receipt struct {
	proof *mint.Proof
	kind  *kind
	lot   *lot
	index uint64
}

// pool opens and closes lots.
type pool struct {
	b        *builder
	capacity int
	open     map[anchorSpec]*lot
	order    []*lot // open lots, oldest first
	slots    int    // slots given out
	step     time.Duration
	entries  int
	gathered []mint.Entry // entries that are written at the end, as one array
	anchors  int
}

// place finds or opens the lot for a specification.
func (p *pool) place(spec anchorSpec) (*lot, error) {
	if l, ok := p.open[spec]; ok {
		return l, nil
	}
	at := spec.at
	if at.IsZero() {
		at = p.b.opens.Add(3*time.Hour + time.Duration(p.slots%p.b.slotCount)*p.step)
	}
	p.slots++
	name := spec.provider
	if name == "" {
		name = [8]string{3: "digicert.com", 6: "sectigo.com"}[p.slots%8]
	}
	if name == "" {
		name = "freetsa.org"
	}
	l := &lot{spec: spec, at: at, authority: p.b.authorities[name]}
	if l.authority == nil {
		return nil, fmt.Errorf("no authority %q", name)
	}
	if !spec.alone {
		l.batch = &mint.Batch{ID: fmt.Sprintf("batch_%s_%04d", at.Format("20060102_150405"), p.slots)}
	}
	p.open[spec] = l
	p.order = append(p.order, l)
	return l, nil
}

// add signs the call and puts its proof into the lot.
func (p *pool) add(l *lot, call mint.Call, k *kind) (*receipt, error) {
	proof, err := mint.NewProof(p.b.seed, call)
	if err != nil {
		return nil, err
	}
	r := &receipt{proof: proof, kind: k, lot: l}
	l.last = r
	if l.batch == nil {
		return r, p.close(l)
	}
	r.index = l.batch.Add(proof.Chain)
	if l.batch.Size() == p.capacityOf(l) {
		return r, p.close(l)
	}
	return r, nil
}

// capacityOf is how many proofs the lot takes. In a season of profiles, lots whose tokens embed certificates are kept small: each proof
// repeats its token.
func (p *pool) capacityOf(l *lot) int {
	if l.authority.Embed && p.capacity == smallLotCapacity {
		return p.capacity / 4
	}
	return p.capacity
}

// callTime is when the next call of the lot was made: within the ten minutes before its token, never before the opening.
func (l *lot) callTime() time.Time {
	n := 0
	if l.batch != nil {
		n = l.batch.Size()
	}
	return l.at.Truncate(time.Second).Add(-600*time.Second + time.Duration(n)*5*time.Second)
}

// close has the witnesses vouch for the lot and writes the log entry. A lot without batch is closed by its only proof.
func (p *pool) close(l *lot) error {
	if l.closed {
		return nil
	}
	l.closed = true
	delete(p.open, l.spec)
	for i, o := range p.order {
		if o == l {
			p.order = append(p.order[:i], p.order[i+1:]...)
			break
		}
	}
	if l.spec.pending {
		return nil
	}
	return p.witness(l)
}

// witness anchors the lot's hash and files the log entry.
func (p *pool) witness(l *lot) error {
	hash := l.last.proof.Chain
	if l.batch != nil {
		hash = l.batch.Root()
	}
	logged := l.spec.logged
	if logged == 0 {
		logged = 2 * time.Second
	}
	w := mint.Witnesses{
		Authority: l.authority, Log: p.b.log, Submitter: p.b.submitterAt(l.at, l.spec.submitter).Private,
		TokenAt: l.at, LoggedAt: l.at.Add(logged), TokenFault: l.spec.token, EntryFault: l.spec.entry,
	}
	anchor, err := w.Anchor(hash, l.batch)
	if err != nil {
		return err
	}
	l.anchor = anchor
	p.anchors++
	if l.spec.noEntry {
		return nil
	}
	if err := p.writeEntry(anchor.Entry); err != nil {
		return err
	}
	return p.repeat(l, hash)
}

// repeat makes what a lot has twice, where it has: a second token, or the log entry as it was answered later.
func (p *pool) repeat(l *lot, hash canon.Digest) error {
	if l.spec.restamped {
		// The log has the entry already: the same key over the same text, so only the token is another one.
		token, err := l.authority.Stamp(hash[:], l.at.Add(7*time.Second), mint.TokenGood)
		if err != nil {
			return err
		}
		second := *l.anchor
		second.Token = token
		l.again = &second
		p.anchors++
	}
	if l.spec.reread {
		later, err := p.b.log.Reread(l.anchor.Entry)
		if err != nil {
			return err
		}
		return p.b.write("rekor/0-relecture.json", mint.Indented(later.Document()))
	}
	return nil
}

// writeEntry files a log entry: most alone, some gathered in one array as the log's retrieve call answers.
func (p *pool) writeEntry(e mint.Entry) error {
	p.entries++
	if p.entries%6 == 0 && len(p.gathered) < 20 {
		p.gathered = append(p.gathered, e)
		return nil
	}
	write := mint.Compact
	if p.entries%6 == 1 {
		write = mint.Indented
	}
	return p.b.write("rekor/"+e.UUID+".json", write(e.Document()))
}

// finish closes what is open and writes the gathered entries.
func (p *pool) finish() error {
	for len(p.order) > 0 {
		if err := p.close(p.order[0]); err != nil {
			return err
		}
	}
	return nil
}

// finishEntries writes the array of gathered entries.
func (p *pool) finishEntries() error {
	if len(p.gathered) == 0 {
		return nil
	}
	list := []any{}
	for _, e := range p.gathered {
		list = append(list, e.Document())
	}
	return p.b.write("rekor/retrieve.json", mint.Compact(list))
}
