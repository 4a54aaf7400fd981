package proof

import (
	"bytes"
	"crypto/elliptic"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/simulate/mint"
	"github.com/ark-forge/proveit/verify/trust"
)

const did = "did:web:agent.example"

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

// world mints proofs with keys, an authority and a log of its own. Keys change on 1 October: key-1 and rekor-1 before, key-2 and rekor-2 after.
type world struct {
	t          testing.TB
	seed       mint.Seed
	keys       []mint.IssuerKey
	submitters []mint.SubmitterKey
	authority  *mint.Authority
	log        *mint.Log
}

func newWorld(t testing.TB) *world {
	t.Helper()
	seed := mint.NewSeed("verify/proof tests")
	w := &world{t: t, seed: seed, log: mint.NewLog(seed.Child("log"), "log.example")}
	change := at("2026-10-01T00:00:00Z")
	w.keys = []mint.IssuerKey{
		{KID: "key-1", Private: mint.Ed25519Key(seed.Child("key", 1)), From: at("2026-01-01T00:00:00Z"), Retired: change},
		{KID: "key-2", Private: mint.Ed25519Key(seed.Child("key", 2)), From: change},
		{KID: "key-9", Private: mint.Ed25519Key(seed.Child("key", 9))}, // never published
	}
	w.submitters = []mint.SubmitterKey{
		{KID: "rekor-1", Private: mint.ECDSAKey(seed.Child("rekor", 1), elliptic.P256()), From: at("2026-01-01T00:00:00Z"), Retired: change},
		{KID: "rekor-2", Private: mint.ECDSAKey(seed.Child("rekor", 2), elliptic.P256()), From: change},
		{KID: "rekor-9", Private: mint.ECDSAKey(seed.Child("rekor", 9), elliptic.P256())}, // never published
	}
	var err error
	if w.authority, err = mint.NewAuthority(seed.Child("tsa"), mint.Styles[0], 2026); err != nil {
		t.Fatal(err)
	}
	return w
}

// folder is the trust folder of this world.
func (w *world) folder() fstest.MapFS {
	f := fstest.MapFS{}
	for name, b := range w.authority.TrustFiles() {
		if !strings.HasPrefix(name, "tsa/") {
			name = "tsa/" + w.authority.Provider + "/" + name
		}
		f[name] = &fstest.MapFile{Data: b}
	}
	key, err := mint.PublicPEM(w.log.Key.Public())
	if err != nil {
		w.t.Fatal(err)
	}
	f["rekor/log.example.pem"] = &fstest.MapFile{Data: []byte(key)}
	f["issuer/published_keys.json"] = &fstest.MapFile{Data: w.published()}
	return f
}

func (w *world) published() []byte {
	var keys, submitters []any
	bound := func(t time.Time) any {
		if t.IsZero() {
			return nil
		}
		return t.Format(time.RFC3339)
	}
	for _, k := range w.keys[:2] {
		keys = append(keys, mint.Obj("kid", k.KID, "type", "Ed25519", "public", k.Public(), "valid_from", bound(k.From), "retired_at", bound(k.Retired)))
	}
	for _, k := range w.submitters[:2] {
		text, err := mint.PublicPEM(k.Private.Public())
		if err != nil {
			w.t.Fatal(err)
		}
		submitters = append(submitters, mint.Obj("kid", k.KID, "public_pem", text, "valid_from", bound(k.From), "retired_at", bound(k.Retired)))
	}
	return mint.Compact(mint.Obj("keys", keys, "rekor_keys", submitters))
}

func (w *world) store() *trust.Store { return load(w.t, w.folder()) }

func load(t testing.TB, f fstest.MapFS) *trust.Store {
	t.Helper()
	s, err := trust.Load(f, "test")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// call is a good call, to be changed.
func (w *world) call() mint.Call {
	return mint.Call{
		ID: "prf_20260923_072144_0a1b2c", Spec: "3.1", At: at("2026-09-23T07:21:44Z"),
		Request: canon.Sum([]byte("request")), Response: canon.Sum([]byte("response")),
		Seller: "corpus.example", Buyer: "buyer", Transaction: "int_1", Identity: mint.Bound(did), Key: w.keys[0],
	}
}

func (w *world) proof(c mint.Call) *mint.Proof {
	w.t.Helper()
	p, err := mint.NewProof(w.seed, c)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// witnesses vouch ten minutes after the call, the log three seconds later.
func (w *world) witnesses(c mint.Call) mint.Witnesses {
	return mint.Witnesses{Authority: w.authority, Log: w.log, Submitter: w.submitters[0].Private,
		TokenAt: c.At.Add(10 * time.Minute), LoggedAt: c.At.Add(10*time.Minute + 3*time.Second)}
}

// made is a proof with what goes beside it.
type made struct {
	view        mint.Object
	full        mint.Object
	entry       []byte
	disclosures Disclosures
	anchor      *mint.Anchor
}

// alone anchors the chain hash of p itself.
func (w *world) alone(p *mint.Proof, ws mint.Witnesses) made {
	w.t.Helper()
	a, err := ws.Anchor(p.Chain, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.made(p, a, 0)
}

// batched anchors p as the third of five leaves.
func (w *world) batched(p *mint.Proof, ws mint.Witnesses) made {
	w.t.Helper()
	b := &mint.Batch{ID: "batch_1"}
	var index uint64
	for i := range 5 {
		leaf := canon.Sum([]byte{byte(i)})
		if i == 2 {
			leaf = p.Chain
		}
		if n := b.Add(leaf); i == 2 {
			index = n
		}
	}
	a, err := ws.Anchor(b.Root(), b)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.made(p, a, index)
}

// pending leaves the batch open.
func (w *world) pending(p *mint.Proof) made {
	w.t.Helper()
	return w.made(p, nil, 0)
}

func (w *world) made(p *mint.Proof, a *mint.Anchor, index uint64) made {
	w.t.Helper()
	m := made{view: p.View(a, index, 1), full: p.FullView(a, index, 1), anchor: a}
	if a != nil {
		m.entry = mint.Compact(a.Entry.Document())
	}
	v, err := canon.ParseStrict("disclosures", mint.Compact(p.Disclosure()))
	if err != nil {
		w.t.Fatal(err)
	}
	if m.disclosures, err = ParseDisclosures("disclosures", v); err != nil {
		w.t.Fatal(err)
	}
	return m
}

// good is a batched proof that holds in everything.
func (w *world) good() made {
	w.t.Helper()
	c := w.call()
	return w.batched(w.proof(c), w.witnesses(c))
}

func (m made) text() []byte { return mint.Compact(m.view) }

func (m made) evidence(t testing.TB) Evidence {
	t.Helper()
	ev := Evidence{Disclosures: &m.disclosures}
	if m.entry != nil {
		entries, err := rekor.ParseEntries("entry.json", m.entry)
		if err != nil {
			t.Fatal(err)
		}
		ev.Entries = entries
	}
	return ev
}

func parse(t testing.TB, view []byte) *Proof {
	t.Helper()
	views, err := Views("view.json", view)
	if err != nil {
		t.Fatal(err)
	}
	if len(views) != 1 || views[0].Proof == nil {
		t.Fatalf("got %+v, want one proof", views)
	}
	return views[0].Proof
}

// doc is a view as encoding/json reads it, to be edited freely.
type doc map[string]any

func (m made) doc(t testing.TB) doc { return readDoc(t, m.text()) }

func readDoc(t testing.TB, text []byte) doc {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v doc
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// in is the object at the members of that name, one below the other.
func (d doc) in(names ...string) doc {
	for _, n := range names {
		if made, ok := d[n].(doc); ok {
			d = made
			continue
		}
		d = doc(d[n].(map[string]any))
	}
	return d
}

func (d doc) text(t testing.TB) []byte {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// expectation is the outcome, and the one check that fails or is left open, with its reason.
type expectation struct {
	outcome Outcome
	check   string
	reason  verify.Reason
}

func (e expectation) hold(t *testing.T, r Result) {
	t.Helper()
	if r.Outcome != e.outcome {
		t.Errorf("outcome: got %s, want %s: %s", r.Outcome, e.outcome, failures(r))
	}
	if e.check == "" {
		if f := failures(r); f != "" {
			t.Errorf("want no failed check, got %s", f)
		}
		return
	}
	c, _ := r.Checks.Named(e.check)
	if c.Reason != e.reason {
		t.Errorf("%s: got %s %q, want reason %q; all: %s", e.check, c.Status, c.Reason, e.reason, failures(r))
	}
}

func failures(r Result) string {
	var all []string
	for _, c := range r.Checks {
		if c.Status == verify.Failed || c.Status == verify.Unset {
			line := c.Name + " " + string(c.Reason)
			if c.Detail != nil {
				line = c.Name + " " + c.Detail.Error()
			}
			all = append(all, line)
		}
	}
	return strings.Join(all, "; ")
}
