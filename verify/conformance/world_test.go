package conformance_test

import (
	"crypto/elliptic"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

const (
	did      = "did:web:agent.example"
	proofID  = "prf_20260923_072144_0a1b2c"
	otherID  = "prf_20260924_093000_a1b2c3"
	logName  = "log.example"
	provider = "freetsa.org"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

// must gives a value that cannot fail to be made from constant input.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// world mints the evidence of the suite. Keys change on 1 October: key-1 and rekor-1 before, key-2 and rekor-2 after. Nothing that it makes depends on what
// it made before, so that a new case changes no other.
type world struct {
	seed        mint.Seed
	keys        []mint.IssuerKey
	submitters  []mint.SubmitterKey
	authority   *mint.Authority
	authorities map[string]*mint.Authority
}

func newWorld() *world {
	seed := mint.NewSeed("conformance suite")
	w := &world{seed: seed, authorities: map[string]*mint.Authority{}}
	first, change := at("2026-01-01T00:00:00Z"), at("2026-10-01T00:00:00Z")
	key := func(n uint64) mint.IssuerKey {
		return mint.IssuerKey{KID: "key-" + string(rune('0'+n)), Private: mint.Ed25519Key(seed.Child("key", n))}
	}
	submitter := func(n uint64) mint.SubmitterKey {
		return mint.SubmitterKey{KID: "rekor-" + string(rune('0'+n)), Private: mint.ECDSAKey(seed.Child("rekor", n), elliptic.P256())}
	}
	w.keys = []mint.IssuerKey{key(1), key(2), key(9)}                            // the last was never published
	w.submitters = []mint.SubmitterKey{submitter(1), submitter(2), submitter(9)} // nor was the last of these
	w.keys[0].From, w.keys[0].Retired, w.keys[1].From = first, change, change
	w.submitters[0].From, w.submitters[0].Retired, w.submitters[1].From = first, change, change
	for _, style := range mint.Styles {
		w.authorities[style.Provider] = must(mint.NewAuthority(seed, style, 2026))
	}
	w.authority = w.authorities[provider]
	return w
}

// log is the log as it always begins: entries of others, none of ours.
func (w *world) log() *mint.Log { return mint.NewLog(w.seed, logName) }

// trust is the shared trust folder.
func (w *world) trust() map[string][]byte {
	files := map[string][]byte{}
	for name, a := range w.authorities {
		for file, b := range a.TrustFiles() {
			files["tsa/"+name+"/"+file] = b
		}
	}
	l := w.log()
	files["rekor/"+logName+".pem"] = []byte(must(mint.PublicPEM(l.Key.Public())))
	decimal := func(n uint64) string { return string(mint.AppendCompact(nil, n)) }
	files["rekor/"+logName+".json"] = mint.Indented(mint.Obj("shards", []any{mint.Obj("tree_id", decimal(l.TreeID), "offset", decimal(l.Offset))}))
	files["issuer/published_keys.json"] = mint.Indented(w.published())
	return files
}

func bound(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.RFC3339)
}

func (w *world) published() mint.Object {
	var keys, submitters []any
	for _, k := range w.keys[:2] {
		keys = append(keys, mint.Obj("kid", k.KID, "type", "Ed25519", "public", k.Public(), "valid_from", bound(k.From), "retired_at", bound(k.Retired)))
	}
	for _, k := range w.submitters[:2] {
		submitters = append(submitters, mint.Obj("kid", k.KID, "type", "ECDSA-P256-SHA256", "public_pem", must(mint.PublicPEM(k.Private.Public())),
			"valid_from", bound(k.From), "retired_at", bound(k.Retired)))
	}
	return mint.Obj("keys", keys, "rekor_keys", submitters)
}

// call is a good call, to be changed.
func (w *world) call() mint.Call {
	return mint.Call{
		ID: proofID, Spec: "3.1", At: at("2026-09-23T07:21:44Z"), Request: canon.Sum([]byte("request")), Response: canon.Sum([]byte("response")),
		Seller: "corpus.example", Buyer: "buyer", Transaction: "int_1", Identity: mint.Bound(did), Key: w.keys[0],
	}
}

// witnesses vouch ten minutes after the call, the log three seconds later.
func (w *world) witnesses(c mint.Call) mint.Witnesses {
	return mint.Witnesses{Authority: w.authority, Log: w.log(), Submitter: w.submitters[0].Private,
		TokenAt: c.At.Add(10 * time.Minute), LoggedAt: c.At.Add(10*time.Minute + 3*time.Second)}
}

// made is one anchored proof with what goes beside it.
type made struct {
	proof  *mint.Proof
	anchor *mint.Anchor
	index  uint64
	view   mint.Object
	entry  mint.Object
	pairs  mint.Object
}

// batched anchors a proof as the third of five leaves.
func (w *world) batched(c mint.Call, ws mint.Witnesses) made {
	p := must(mint.NewProof(w.seed, c))
	b := &mint.Batch{ID: "batch_1"}
	for i := range 5 {
		leaf := canon.Sum([]byte{byte(i)})
		if i == 2 {
			leaf = p.Chain
		}
		b.Add(leaf)
	}
	return w.anchored(p, must(ws.Anchor(b.Root(), b)), 2)
}

// alone anchors the chain hash itself.
func (w *world) alone(c mint.Call, ws mint.Witnesses) made {
	p := must(mint.NewProof(w.seed, c))
	return w.anchored(p, must(ws.Anchor(p.Chain, nil)), 0)
}

func (w *world) anchored(p *mint.Proof, a *mint.Anchor, index uint64) made {
	m := made{proof: p, anchor: a, index: index, view: p.View(a, index, 1), pairs: p.Disclosure()}
	if a != nil {
		m.entry = a.Entry.Document()
	}
	return m
}

// good is a proof that holds in everything; other is another one, of another batch.
func (w *world) good() made { c := w.call(); return w.batched(c, w.witnesses(c)) }

func (w *world) other() made {
	c := w.call()
	c.ID, c.At, c.Transaction = otherID, at("2026-09-24T09:30:00Z"), "int_2"
	c.Request, c.Response = canon.Sum([]byte("other request")), canon.Sum([]byte("other response"))
	return w.batched(c, w.witnesses(c))
}

// member is the value at a path of member names separated by "/", inside objects and lists.
func member(o mint.Object, path string) any {
	var v any = o
	for _, name := range strings.Split(path, "/") {
		switch c := v.(type) {
		case mint.Object:
			v = c.Get(name)
		default:
			return nil
		}
	}
	return v
}

// gone removes a member in edited.
type gone struct{}

// edited is the object with another value at a path. The object itself is not changed.
func edited(o mint.Object, path string, value any) mint.Object {
	name, rest, deeper := strings.Cut(path, "/")
	if deeper {
		inner, _ := o.Get(name).(mint.Object)
		value = edited(inner, rest, value)
	}
	out := append(mint.Object{}, o...)
	if value == (gone{}) {
		return out.Without(name)
	}
	return out.Set(name, value)
}

func textAt(o mint.Object, path string) string {
	s, _ := member(o, path).(string)
	return s
}

// flipped is a text with another hexadecimal digit in place of its last character.
func flipped(s string) string {
	if s == "" {
		return s
	}
	last := byte('0')
	if s[len(s)-1] == '0' {
		last = '1'
	}
	return s[:len(s)-1] + string(last)
}
