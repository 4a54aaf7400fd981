package mint

import (
	"crypto/ed25519"
	"crypto/sha256"
	"sort"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
)

// Call is one call that went through the proxy: what a proof attests, before it is anchored.
type Call struct {
	ID          string // prf_YYYYMMDD_HHMMSS_ and six hex digits
	Spec        string // spec_version; empty: the view has none
	At          time.Time
	Request     canon.Digest
	Response    canon.Digest
	Seller      string // host that was called
	Buyer       string // fingerprint of the caller's key
	Transaction string
	Identity    Identity
	NoUpstream  bool           // the host sent no date: the field is not committed
	Receipt     bool           // a payment receipt is committed too
	Key         IssuerKey      // signs
	OmitKID     bool           // the view does not name the key
	Drop        string         // name of one commitment that is left out before the root is computed
	Hide        []string       // identity fields that are committed and not opened
	OpenedAs    map[string]any // identity fields whose opened value is not the committed one
}

// Identity is the identity block: who the issuer says called. Values are JSON values (text, bool, nil), so that odd ones can be made.
type Identity struct {
	DID, Verified, Status, Consistent any
}

// Bound is the identity block of a DID that is bound to the caller's key.
func Bound(did string) Identity { return Identity{did, true, "bound", true} }

// Opening is a committed value with its nonce.
type Opening struct {
	Nonce canon.Digest
	Value any
}

// Proof is a signed proof that is not anchored yet.
type Proof struct {
	Call
	Chain    canon.Digest
	openings map[string]Opening // nil where the version commits to nothing
	names    []string           // committed fields, sorted
	hashes   map[string]canon.Digest
	sig      []byte
}

// identityFields are committed from 3.1 on, always.
var identityFields = []string{"agent_identity", "agent_identity_verified", "did_resolution_status", "identity_consistent"}

// NewProof commits to the call's fields, computes the chain hash as its spec version asks, and signs it.
func NewProof(seed Seed, c Call) (*Proof, error) {
	p := &Proof{Call: c}
	fields := c.fields()
	if !c.commits() {
		chain, err := legacyChain(c.Spec, fields)
		if err != nil {
			return nil, err
		}
		p.Chain = chain
		p.sig = ed25519.Sign(c.Key.Private, []byte(p.Chain.String()))
		return p, nil
	}
	p.openings, p.hashes = map[string]Opening{}, map[string]canon.Digest{}
	seed = seed.Child("proof\x00" + c.ID)
	for name, value := range fields {
		if name == c.Drop {
			continue
		}
		o := Opening{Nonce: seed.Nonce(name), Value: value}
		h, err := commitment(name, o)
		if err != nil {
			return nil, err
		}
		p.openings[name], p.hashes[name] = o, h
		p.names = append(p.names, name)
	}
	sort.Strings(p.names)
	var tree Tree
	for _, name := range p.names {
		h := p.hashes[name]
		tree.Append(LeafHash(h[:]))
	}
	p.Chain = tree.Root()
	p.sig = ed25519.Sign(c.Key.Private, []byte(p.Chain.String()))
	return p, nil
}

// commits reports whether the version has commitments: 3.0 and later.
func (c Call) commits() bool {
	return c.Spec != "" && !strings.HasPrefix(c.Spec, "1.") && !strings.HasPrefix(c.Spec, "2.")
}

// fields are the values that the chain hash covers.
func (c Call) fields() map[string]any {
	f := map[string]any{
		"request_hash": c.Request.String(), "response_hash": c.Response.String(), "transaction_id": c.Transaction,
		"timestamp": stamp(c.At), "buyer_fingerprint": c.Buyer, "seller": c.Seller,
	}
	if !c.NoUpstream {
		f["upstream_timestamp"] = c.upstream()
	}
	if c.Receipt {
		f["receipt_content_hash"] = canon.Sum([]byte("receipt " + c.ID)).Prefixed()
	}
	if c.commits() && c.Spec != "3.0" {
		for i, v := range []any{c.Identity.DID, c.Identity.Verified, c.Identity.Status, c.Identity.Consistent} {
			f[identityFields[i]] = v
		}
	}
	return f
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05Z") }

func (c Call) upstream() string {
	return c.At.UTC().Add(time.Second).Format("Mon, 02 Jan 2006 15:04:05 GMT")
}

// commitment is SHA-256(name, 0x00, nonce, canonical JSON of the value).
func commitment(name string, o Opening) (canon.Digest, error) {
	value, err := canon.Marshal(o.Value)
	if err != nil {
		return canon.Digest{}, err
	}
	b := make([]byte, 0, len(name)+1+len(o.Nonce)+len(value))
	b = append(append(b, name...), 0)
	b = append(append(b, o.Nonce[:]...), value...)
	return sha256.Sum256(b), nil
}

// legacyChain is the chain hash of versions before commitments: over the values, as canonical JSON (1.2, 2.1) or one after the other.
func legacyChain(spec string, fields map[string]any) (canon.Digest, error) {
	if spec == "1.2" || spec == "2.1" {
		b, err := canon.Marshal(fields)
		return canon.Sum(b), err
	}
	var b strings.Builder
	for _, name := range []string{"request_hash", "response_hash", "transaction_id", "timestamp", "buyer_fingerprint", "seller"} {
		text, _ := fields[name].(string)
		b.WriteString(text)
	}
	return canon.Sum([]byte(b.String())), nil
}

// Disclosure is the pair of openings that a submission joins for the proof. For a version without commitments nonces are made up.
func (p *Proof) Disclosure() Object {
	pair := func(name string, value canon.Digest) Object {
		nonce := canon.Sum([]byte(name + p.ID))
		if o, ok := p.openings[name]; ok {
			nonce = o.Nonce
		}
		return Object{{"nonce", nonce.String()}, {"value", value.String()}}
	}
	return Object{{"request_hash", pair("request_hash", p.Request)}, {"response_hash", pair("response_hash", p.Response)}}
}

// Anchor is what witnesses one anchored hash: a token and a log entry. A nil Anchor is a batch that is still open.
type Anchor struct {
	Provider string
	Token    []byte
	Entry    Entry
	Batch    *Batch // nil: the proof was anchored alone
}

// View is the public view of the proof, as `GET /v1/proof/{id}` serves it. index is the proof's place in the anchor's batch.
func (p *Proof) View(a *Anchor, index uint64, views int) Object {
	v := Object{{"proof_id", p.ID}, {"is_demo", false}}
	if p.Spec != "" {
		v = append(v, Member{"spec_version", p.Spec})
	}
	v = append(v,
		Member{"hashes", Object{{"request", p.Request.Prefixed()}, {"response", p.Response.Prefixed()}, {"chain", p.Chain.Prefixed()}}},
		Member{"commitments", p.commitments()},
		Member{"batch_anchor", a.place(index)},
		Member{"timestamp_authority", a.timestamp()},
		Member{"timestamp", stamp(p.At)})
	if !p.NoUpstream {
		v = append(v, Member{"upstream_timestamp", p.upstream()})
	}
	v = append(v,
		Member{"verification_algorithm", "https://exemple.invalid/SPEC.md#2"},
		Member{"arkforge_signature", "ed25519:" + canon.EncodeBase64URL(p.sig)},
		Member{"arkforge_pubkey", p.Key.Public()})
	if !p.OmitKID {
		v = append(v, Member{"arkforge_kid", p.Key.KID})
	}
	v = append(v,
		Member{"identity_consistent", p.Identity.Consistent},
		Member{"views_count", views},
		Member{"transaction_success", true},
		Member{"upstream_status_code", 200},
		Member{"transparency_log", a.log()},
		Member{"agent_identity", p.Identity.DID},
		Member{"agent_identity_verified", p.Identity.Verified},
		Member{"did_resolution_status", p.Identity.Status},
		Member{"seller", p.Seller})
	if d := p.disclosed(); len(d) > 0 {
		v = append(v, Member{"disclosed", d})
	}
	return append(v, Member{"integrity_verified", true})
}

// FullView is the owner's view: the public one with every nonce and every committed value.
func (p *Proof) FullView(a *Anchor, index uint64, views int) Object {
	nonces, data := Object{}, Object{}
	for _, name := range p.names {
		o := p.openings[name]
		nonces = append(nonces, Member{name, o.Nonce.String()})
		data = append(data, Member{name, o.Value})
	}
	return append(p.View(a, index, views), Member{"commitment_nonces", nonces}, Member{"chain_data", data})
}

func (p *Proof) commitments() any {
	if p.hashes == nil {
		return nil
	}
	o := Object{}
	for _, name := range p.names {
		o = append(o, Member{name, p.hashes[name].Prefixed()})
	}
	return o
}

// disclosed opens the identity block.
func (p *Proof) disclosed() Object {
	o := Object{}
	for _, name := range identityFields {
		opening, ok := p.openings[name]
		if !ok || contains(p.Hide, name) {
			continue
		}
		if other, ok := p.OpenedAs[name]; ok {
			opening.Value = other
		}
		o = append(o, Member{name, Object{{"nonce", opening.Nonce.String()}, {"value", opening.Value}}})
	}
	return o
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
