package simulate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// player is one enrolled participant.
type player struct {
	id, name, did, table, stack string
	profile                     profile
	receipts                    []*receipt
	reusable                    map[string]*receipt // exact receipts by resource: a page is asked for once
}

// duty is one submission that a profile makes, with the status that must come of it.
type duty struct {
	track  *track
	task   *task
	status verify.TaskStatus
	why    string                                   // the rule that a refused submission breaks; empty elsewhere
	edit   func(b *builder, doc mint.Object) []byte // writes the submission otherwise than the schema asks; nil: as it is
}

// assertion is one claim with the proofs that it cites.
type assertion struct {
	claim
	kinds   []*kind
	differs bool   // the claimed value is not the page's
	of      string // resource that the proofs are really of; empty: the claim's
	fresh   bool   // cites a proof of its own
	cause   verify.Cause
	fixed   bool // cause is given, not derived from the kinds
}

// want is the cause that must come of the assertion; empty: supported.
func (a assertion) want() verify.Cause {
	if a.fixed {
		return a.cause
	}
	if a.of != "" {
		return verify.RessourceNonCorrespondante
	}
	return outcome(a.kinds, a.differs)
}

// why names what the assertion shows, for people who read expected.json.
func (a assertion) why() string {
	var names []string
	for _, k := range a.kinds {
		names = append(names, k.name)
	}
	why := strings.Join(names, "+")
	if a.of != "" {
		why += " of another resource"
	}
	if a.differs {
		why += " with a value the page does not bear"
	}
	return why
}

// call is the exact call for a page in a lot; a nil page leaves request and response open.
func (b *builder) call(l *lot, did string, p *page) (mint.Call, error) {
	at := l.callTime()
	b.calls++
	// An odd factor modulo 2^24 is a bijection: no two calls of a season share their last six digits.
	tail := (b.calls*0x9e3779 + 0x51) % (1 << 24)
	c := mint.Call{
		ID: fmt.Sprintf("prf_%s_%06x", at.Format("20060102_150405"), tail), Spec: "3.1", At: at, Seller: corpusHost,
		Buyer: digestFile([]byte("key of " + did)), Transaction: fmt.Sprintf("txn_%08d", b.calls), Identity: mint.Bound(did), Key: b.issuerAt(l.at),
	}
	if p == nil {
		return c, nil
	}
	var err error
	if c.Request, err = p.requestHash(); err == nil {
		c.Response, err = p.responseHash()
	}
	return c, err
}

// prove makes a proof of the given kind for a resource.
func (b *builder) prove(pl *player, resource string, k *kind) (*receipt, error) {
	p, err := b.corpus.at(resource)
	if err != nil {
		p = &page{resource: resource, body: mint.Obj("erreur", "404"), method: "GET", payload: mint.Object{}}
	}
	spec := anchorSpec{}
	if k.spec != nil {
		k.spec(b, &spec)
	}
	l, err := b.pool.place(spec)
	if err != nil {
		return nil, err
	}
	call, err := b.call(l, pl.did, p)
	if err != nil {
		return nil, err
	}
	if k.call != nil {
		if err := k.call(b, &call, p); err != nil {
			return nil, err
		}
	}
	r, err := b.pool.add(l, call, k)
	if err != nil {
		return nil, err
	}
	pl.receipts = append(pl.receipts, r)
	return r, nil
}

// cite finds or makes the receipts of an assertion.
func (b *builder) cite(pl *player, a assertion) ([]*receipt, error) {
	resource := a.resource
	if a.of != "" {
		resource = a.of
	}
	var out []*receipt
	for i, k := range a.kinds {
		if old, ok := pl.reusable[resource]; ok && k == good && i == 0 && !a.fresh {
			out = append(out, old)
			continue
		}
		r, err := b.prove(pl, resource, k)
		if err != nil {
			return nil, err
		}
		if k == good && !a.fresh {
			pl.reusable[resource] = r
		}
		out = append(out, r)
	}
	return out, nil
}

// play makes the submissions of a participant.
func (b *builder) play(pl *player) error {
	pl.reusable = map[string]*receipt{}
	for _, d := range pl.profile.duties(b) {
		assertions := pl.profile.assertions(b, d.task)
		if err := b.submit(pl, d, assertions); err != nil {
			return fmt.Errorf("task %s: %w", d.task.id, err)
		}
	}
	pl.reusable = nil
	b.waiting = append(b.waiting, pl)
	return nil
}

// submit writes one submission and what must come of it.
func (b *builder) submit(pl *player, d duty, assertions []assertion) error {
	list, disclosures := []any{}, mint.Object{}
	var cited []string
	for i, a := range assertions {
		receipts, err := b.cite(pl, a)
		if err != nil {
			return err
		}
		var ids []string
		for _, r := range receipts {
			id := r.proof.ID
			ids = append(ids, id)
			if disclosures.Get(id) == nil {
				pairs := r.proof.Disclosure()
				if r.kind.disclose != nil {
					pairs = r.kind.disclose(pairs)
				}
				disclosures = append(disclosures, mint.Member{Name: id, Value: pairs})
				cited = append(cited, id)
			}
		}
		list = append(list, mint.Obj("id", "a"+strconv.Itoa(i+1),
			"claim", mint.Obj("resource", a.resource, "field", a.field, "value", a.value), "proof_ids", ids))
	}
	verdict := pl.profile.verdict(d.track, d.task)
	doc := mint.Obj("season", seasonNumber, "track", d.track.id, "task_id", d.task.id, "agent_did", pl.did, "verdict", verdict,
		"assertions", list, "disclosures", disclosures, "narrative", "Rendu de répétition : « "+d.task.id+" ». Texte libre, non scoré.")
	content := mint.Indented(doc)
	if b.calls%4 != 0 || b.volume() { // some agents write for people, some do not
		content = mint.Compact(doc)
	}
	if d.edit != nil {
		content = d.edit(b, doc)
	}
	b.tally.note(pl, d, verdict, assertions, cited)
	return b.write("submissions/"+pl.id+"/"+d.track.id+"/"+d.task.id+".json", content)
}

// ready reports whether every lot of the participant's proofs is closed.
func (pl *player) ready() bool {
	for _, r := range pl.receipts {
		if !r.lot.closed {
			return false
		}
	}
	return true
}

// flush files the proofs of the participants whose lots are closed, in the order in which they played.
func (b *builder) flush() error {
	for len(b.waiting) > 0 && b.waiting[0].ready() {
		if err := b.file(b.waiting[0]); err != nil {
			return err
		}
		b.waiting[0].receipts = nil
		b.waiting = b.waiting[1:]
	}
	return nil
}

// batchAnswer is how many views the service gives at a time.
const batchAnswer = 50

// file writes the views of a participant's proofs.
func (b *builder) file(pl *player) error {
	var answers []mint.Object
	others := map[string]mint.Object{}
	for i, r := range pl.receipts {
		view := r.proof.View(r.lot.anchor, r.index, 1+i%5)
		if r.kind.view != nil {
			view = r.kind.view(view)
		}
		list := []filed{{id: r.proof.ID, view: view}}
		if r.kind.file != nil {
			list = r.kind.file(r, view)
		}
		for _, f := range list {
			switch {
			case f.name == "":
				if len(answers) == 0 || len(answers[len(answers)-1]) == batchAnswer {
					answers = append(answers, nil)
				}
				answers[len(answers)-1] = append(answers[len(answers)-1], mint.Member{Name: f.id, Value: f.view})
			case f.id == "":
				if err := b.write("proofs/"+pl.id+"/"+f.name, mint.Indented(f.view)); err != nil {
					return err
				}
			default:
				others[f.name] = append(others[f.name], mint.Member{Name: f.id, Value: f.view})
			}
		}
	}
	if err := b.fullViews(pl); err != nil {
		return err
	}
	files := map[string][]byte{}
	for name, answer := range others {
		files[name] = mint.Compact(mint.Obj("proofs", answer))
	}
	for i, answer := range answers {
		files["lot-"+strconv.Itoa(i+1)+".json"] = mint.Compact(mint.Obj("proofs", answer))
	}
	return b.writeAll("proofs/"+pl.id+"/", files)
}

// fullViews writes what the owner alone gets of each proof, where that is asked for.
func (b *builder) fullViews(pl *player) error {
	if !b.o.FullViews {
		return nil
	}
	for _, r := range pl.receipts {
		if err := b.write(FullViewsDir+pl.id+"/"+r.proof.ID+".json", mint.Indented(r.proof.FullView(r.lot.anchor, r.index, 1))); err != nil {
			return err
		}
	}
	return nil
}
