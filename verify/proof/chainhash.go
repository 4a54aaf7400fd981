package proof

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// MaxCommitments is the largest number of commitments in one proof. Real ones have 7 to 12.
const MaxCommitments = 256

// usual is for how many commitments no memory is taken.
const usual = 16

// The committed fields. Those of mandatory are always there, those of identityFields from 3.1 on. upstream_timestamp and
// receipt_content_hash are optional, and any other name may be added: the chain hash covers every commitment in the object, so one more
// takes nothing away from those that are named here.
var (
	mandatory      = [...]string{"buyer_fingerprint", "request_hash", "response_hash", "seller", "timestamp", "transaction_id"}
	optional       = [...]string{"receipt_content_hash", "upstream_timestamp"}
	identityFields = [...]string{"agent_identity", "agent_identity_verified", "did_resolution_status", "identity_consistent"}
)

// commitment is the commitment to one field: SHA-256(name ‖ 0x00 ‖ nonce ‖ canonical JSON of the value).
type commitment struct {
	name   string
	digest canon.Digest
}

// commitments are in the order of their names by code point, which is that of their UTF-8 bytes.
type commitments []commitment

// readCommitments reads the commitments of a view into room, which is grown if need be.
func (p *Proof) readCommitments(room commitments) (commitments, *verify.Failure) {
	v := p.m.commitments
	if v.Kind() != canon.Object {
		return nil, p.fail(ReasonCommitments, "/commitments", v.Kind().String(), "an object")
	}
	if v.Len() > MaxCommitments {
		return nil, p.fail(ReasonCommitments, "/commitments", fmt.Sprintf("%d commitments", v.Len()), fmt.Sprintf("at most %d", MaxCommitments))
	}
	cs := room[:0]
	for name, c := range v.Members() {
		s, _ := c.Text()
		d, err := canon.ParsePrefixed(s)
		if err != nil {
			return nil, p.fail(ReasonCommitments, "/commitments/"+canon.EscapeToken(name), shown(c), wantPrefixed)
		}
		cs = append(cs, commitment{name, d})
	}
	slices.SortFunc(cs, func(a, b commitment) int { return strings.Compare(a.name, b.name) })
	return cs, nil
}

// get is the commitment to a field. The list is short, so looking through it costs less than a map.
func (cs commitments) get(name string) (canon.Digest, bool) {
	for i := range cs {
		if cs[i].name == name {
			return cs[i].digest, true
		}
	}
	return canon.Digest{}, false
}

// lacking names the first field of this scheme that has no commitment.
func (cs commitments) lacking(s scheme) string {
	for _, name := range mandatory {
		if _, ok := cs.get(name); !ok {
			return name
		}
	}
	if s != schemeIdentity {
		return ""
	}
	for _, name := range identityFields {
		if _, ok := cs.get(name); !ok {
			return name
		}
	}
	return ""
}

// beyond names the commitments that the specification does not name.
func (cs commitments) beyond(s scheme) []string {
	named := len(mandatory)
	if s == schemeIdentity {
		named += len(identityFields)
	}
	for _, name := range optional {
		if _, ok := cs.get(name); ok {
			named++
		}
	}
	if len(cs) == named {
		return nil
	}
	var names []string
	for _, c := range cs {
		known := slices.Contains(mandatory[:], c.name) || slices.Contains(optional[:], c.name) ||
			(s == schemeIdentity && slices.Contains(identityFields[:], c.name))
		if !known {
			names = append(names, fmt.Sprintf("%.100q", c.name))
		}
	}
	return names
}

// root is the RFC 6962 §2.1 root over the commitments as leaf data. Merging neighbours level by level and promoting an odd last node gives
// the same tree as the recursive definition. There is at least one commitment.
func (cs commitments) root() canon.Digest {
	var room [usual]canon.Digest
	level := room[:0]
	for i := range cs {
		level = append(level, leafHash(&cs[i].digest))
	}
	for len(level) > 1 {
		n := 0
		for i := 0; i+1 < len(level); i += 2 {
			level[n] = nodeHash(&level[i], &level[i+1])
			n++
		}
		if len(level)%2 == 1 {
			level[n] = level[len(level)-1]
			n++
		}
		level = level[:n]
	}
	return level[0]
}

// leafHash and nodeHash are those of RFC 6962 §2.1 over 32-byte values, without the memory that the general ones in package merkle take:
// each proof needs some thirty of them. A test holds them equal.
func leafHash(data *canon.Digest) canon.Digest {
	var b [1 + canon.DigestSize]byte
	copy(b[1:], data[:])
	return sha256.Sum256(b[:])
}

func nodeHash(left, right *canon.Digest) canon.Digest {
	var b [1 + 2*canon.DigestSize]byte
	b[0] = 1
	copy(b[1:], left[:])
	copy(b[1+canon.DigestSize:], right[:])
	return sha256.Sum256(b[:])
}

const wantPrefixed = `"sha256:" and 64 lowercase hex digits`

// readChain reads hashes.chain.
func (p *Proof) readChain() (canon.Digest, string, *verify.Failure) {
	v := p.m.hashes.Get("chain")
	s, _ := v.Text()
	d, err := canon.ParsePrefixed(s)
	if err != nil {
		return canon.Digest{}, "", p.fail(ReasonChainMalformed, "/hashes/chain", shown(v), wantPrefixed)
	}
	return d, s[len(s)-2*canon.DigestSize:], nil
}

// chainHash judges that the chain hash is the root over the commitments. Only then do they mean anything.
func (j *judgement) chainHash(room commitments) {
	c := verify.Check{Name: CheckChainHash}
	defer func() { j.set(checkChainHash, c) }()
	var f *verify.Failure
	if j.chain, j.chainHex, f = j.p.readChain(); f != nil {
		c = verify.Failing(c.Name, false, f)
		return
	}
	j.hasChain = true
	if j.version.scheme == schemeLegacy {
		c.Status, c.Reason = verify.Skipped, ReasonNotRecomputable
		return
	}
	cs, f := j.p.readCommitments(room)
	if f == nil {
		f = j.compareChain(cs)
	}
	if f != nil {
		c = verify.Failing(c.Name, false, f)
		return
	}
	j.commitments, j.proved = cs, true
	c.Status = verify.OK
	if names := cs.beyond(j.version.scheme); len(names) != 0 {
		c.Reason, c.Note = ReasonCommitmentsBeyond, strings.Join(names, ", ")
	}
	if j.version.later {
		c.Reason, c.Note = ReasonVersionLater, j.version.text
	}
}

func (j *judgement) compareChain(cs commitments) *verify.Failure {
	if name := cs.lacking(j.version.scheme); name != "" {
		return j.p.fail(ReasonCommitmentMissing, "/commitments/"+name, "nothing", "a commitment: proofs of version "+j.version.text+" always have it")
	}
	if root := cs.root(); root != j.chain {
		return j.p.fail(ReasonChainDiffers, "/hashes/chain", j.chain.Prefixed(), root.Prefixed()+", the root over the commitments")
	}
	return nil
}
