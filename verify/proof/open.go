package proof

import (
	"encoding/hex"
	"iter"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// Pair is a nonce and the value that it opens a commitment with: a hash, committed as its 64 hex digits.
type Pair struct {
	Nonce [32]byte
	Value canon.Digest
}

// Disclosures are the two pairs that a participant discloses for one proof (seed 000 §4).
type Disclosures struct {
	Request, Response Pair
}

// fields are the two pairs by the names of their fields, in order.
func (d *Disclosures) fields() iter.Seq2[string, *Pair] {
	return func(yield func(string, *Pair) bool) {
		if yield(fieldRequest, &d.Request) {
			yield(fieldResponse, &d.Response)
		}
	}
}

// Opened are the values of the request and response hashes that opened their commitments.
type Opened struct {
	Request, Response canon.Digest
}

// Identity is the identity block as it opened. DID, Verified and Bound are zero unless Opened.
type Identity struct {
	Opened   bool   // all four fields opened their commitments
	DID      string // the opened agent_identity; empty where it is no string
	Verified bool   // the opened agent_identity_verified is true
	Bound    bool   // the opened did_resolution_status is "bound"

	// Failure says why the identity is not one that counts, whatever the DID; nil where Opened, Verified and Bound.
	Failure *verify.Failure
}

const (
	fieldRequest  = "request_hash"
	fieldResponse = "response_hash"
	statusBound   = "bound"
)

// Commit is the commitment to a field: SHA-256(name ‖ 0x00 ‖ nonce ‖ canonical JSON of the value).
func Commit(name string, nonce [32]byte, value canon.Value) canon.Digest {
	return canon.Sum(canon.AppendCanonical(preimage(nil, name, nonce), value))
}

// CommitHash is Commit for a hash: the value is its 64 hex digits as a JSON string.
func CommitHash(name string, nonce [32]byte, value canon.Digest) canon.Digest {
	return canon.Sum(appendHash(preimage(nil, name, nonce), value))
}

func preimage(b []byte, name string, nonce [32]byte) []byte {
	b = append(append(b, name...), 0)
	return append(b, nonce[:]...)
}

func appendHash(b []byte, d canon.Digest) []byte {
	return append(hex.AppendEncode(append(b, '"'), d[:]), '"')
}

// ParseDisclosures reads the disclosures of one proof: exactly request_hash and response_hash, each exactly nonce and value, strings of
// 64 lowercase hex digits. The error is a *verify.Failure with ReasonDisclosureMalformed at the first member that is not so.
func ParseDisclosures(file string, v canon.Value) (Disclosures, error) {
	fail := func(v canon.Value, below, want string) error {
		return &verify.Failure{Reason: ReasonDisclosureMalformed, Found: shown(v), Wanted: want, File: file, Pointer: v.Pointer() + below}
	}
	if v.Kind() != canon.Object || v.Len() != 2 {
		return Disclosures{}, fail(v, "", "an object of request_hash and response_hash")
	}
	var d Disclosures
	for name, into := range d.fields() {
		pair := v.Get(name)
		if pair.Kind() != canon.Object || pair.Len() != 2 {
			return Disclosures{}, fail(v, "/"+name, "an object of nonce and value")
		}
		nonce, nonceOK := hex32(pair.Get("nonce"))
		value, valueOK := hex32(pair.Get("value"))
		if !nonceOK || !valueOK {
			return Disclosures{}, fail(pair, "", "nonce and value of 64 lowercase hex digits")
		}
		*into = Pair{Nonce: nonce, Value: value}
	}
	return d, nil
}

func hex32(v canon.Value) (canon.Digest, bool) {
	s, ok := v.Text()
	if !ok {
		return canon.Digest{}, false
	}
	d, err := canon.ParseHex(s)
	return d, err == nil
}

// OwnDisclosures takes the disclosures out of the owner's full view: commitment_nonces and chain_data. Nothing is opened; Verify does that.
// The error is a *verify.Failure with ReasonDisclosureMalformed, also where the view is a public one.
func (p *Proof) OwnDisclosures() (Disclosures, error) {
	var d Disclosures
	for name, into := range d.fields() {
		nonce, ok := hex32(p.m.nonces.Get(name))
		if !ok {
			return Disclosures{}, p.fail(ReasonDisclosureMalformed, "/commitment_nonces/"+name, shown(p.m.nonces.Get(name)), "64 lowercase hex digits")
		}
		value, ok := hex32(p.m.chainData.Get(name))
		if !ok {
			return Disclosures{}, p.fail(ReasonDisclosureMalformed, "/chain_data/"+name, shown(p.m.chainData.Get(name)), "64 lowercase hex digits")
		}
		*into = Pair{Nonce: nonce, Value: value}
	}
	return d, nil
}

// openings judges disclosed pairs against the commitments.
func (j *judgement) openings(d *Disclosures) {
	c := verify.Check{Name: CheckDisclosure, Status: verify.Skipped}
	switch {
	case d == nil:
		c.Reason = ReasonNoDisclosures
	case j.version.scheme == schemeLegacy && j.hasChain:
		c = verify.Failing(c.Name, false, j.p.fail(ReasonNoCommitments, "/spec_version", "version "+orAbsent(j.version.text), "3.0 or later"))
	case !j.proved:
		c.Reason = ReasonCommitmentsUnproved
	default:
		if f := j.open(d); f != nil {
			c = verify.Failing(c.Name, false, f)
			break
		}
		c.Status = verify.OK
		j.r.Opened = &Opened{Request: d.Request.Value, Response: d.Response.Value}
		j.flatHashes()
	}
	j.set(checkDisclosure, c)
}

func (j *judgement) open(d *Disclosures) *verify.Failure {
	if f := j.openPair(fieldRequest, ReasonRequestDiffers, d.Request); f != nil {
		return f
	}
	return j.openPair(fieldResponse, ReasonResponseDiffers, d.Response)
}

func (j *judgement) openPair(name string, r verify.Reason, pair Pair) *verify.Failure {
	committed, _ := j.commitments.get(name)
	j.scratch = appendHash(preimage(j.scratch[:0], name, pair.Nonce), pair.Value)
	if got := canon.Sum(j.scratch); got != committed {
		return j.p.fail(r, "/commitments/"+name, "the commitment "+got.Prefixed()+" of the disclosed pair", committed.Prefixed())
	}
	return nil
}

// identity opens the identity block of disclosed. It is not part of condition 1, so it changes no outcome.
func (j *judgement) identity() {
	c := verify.Check{Name: CheckIdentity, Status: verify.Skipped}
	switch {
	case !j.proved && j.version.scheme != schemeLegacy:
		c.Reason = ReasonCommitmentsUnproved
		j.r.Identity.Failure = &verify.Failure{Reason: c.Reason, File: j.p.File, Pointer: j.p.at + "/commitments"}
	case j.version.scheme != schemeIdentity:
		c.Reason = ReasonIdentityNotCommitted
		j.r.Identity.Failure = j.p.fail(c.Reason, "/spec_version", "version "+orAbsent(j.version.text), "3.1 or later")
	default:
		if f := j.openIdentity(); f != nil {
			j.r.Identity = Identity{Failure: f}
			c = verify.Failing(c.Name, false, f)
			break
		}
		c.Status = verify.OK
	}
	j.set(checkIdentity, c)
}

// openIdentity opens the four fields and reads them. The value of identity_consistent never counts; that it opens does.
func (j *judgement) openIdentity() *verify.Failure {
	id := &j.r.Identity
	for i, name := range identityFields {
		value, f := j.openField(name)
		if f != nil {
			return f
		}
		switch i {
		case 0:
			id.DID, _ = value.Text()
		case 1:
			id.Verified, _ = value.Bool()
		case 2:
			s, _ := value.Text()
			id.Bound = s == statusBound
		}
	}
	id.Opened = true
	j.flatOpened()
	disclosed := j.p.m.disclosed
	switch {
	case !id.Verified:
		id.Failure = j.p.fail(ReasonIdentityNotVerified, "/disclosed/agent_identity_verified/value", shown(disclosed.Get(identityFields[1]).Get("value")), "true")
	case !id.Bound:
		id.Failure = j.p.fail(ReasonIdentityNotBound, "/disclosed/did_resolution_status/value", shown(disclosed.Get(identityFields[2]).Get("value")), `"bound"`)
	}
	return nil
}

// openField opens one field of disclosed and gives its value.
func (j *judgement) openField(name string) (canon.Value, *verify.Failure) {
	opening := j.p.m.disclosed.Get(name)
	value := opening.Get("value")
	if !value.Exists() {
		return value, j.p.fail(ReasonIdentityNotOpened, "/disclosed/"+name, shown(opening), "an object of nonce and value")
	}
	nonce, ok := hex32(opening.Get("nonce"))
	if !ok {
		return value, j.p.fail(ReasonIdentityNotOpened, "/disclosed/"+name+"/nonce", shown(opening.Get("nonce")), "64 lowercase hex digits")
	}
	committed, _ := j.commitments.get(name)
	j.scratch = canon.AppendCanonical(preimage(j.scratch[:0], name, nonce), value)
	if got := canon.Sum(j.scratch); got != committed {
		return value, j.p.fail(ReasonIdentityDiffers, "/disclosed/"+name, "the commitment "+got.Prefixed()+" of "+shown(value), committed.Prefixed())
	}
	return value, nil
}

func orAbsent(s string) string {
	if s == "" {
		return "absent"
	}
	return s
}
