package mint

import (
	"crypto/ecdsa"
	"time"

	"github.com/ark-forge/proveit/canon"
)

// Batch is a set of proofs that are anchored together: a Merkle tree over their chain hashes (leaf SHA-256(0x00, chain hash)).
type Batch struct {
	ID   string
	tree Tree
}

// Add puts a chain hash into the batch and returns its index.
func (b *Batch) Add(chain canon.Digest) uint64 { return b.tree.Append(LeafHash(chain[:])) }

// Size is the number of proofs in the batch.
func (b *Batch) Size() int { return int(b.tree.Size()) }

// Root is the hash that the witnesses cover.
func (b *Batch) Root() canon.Digest { return b.tree.Root() }

// Witnesses are the parties that vouch for an anchored hash, and how each of them does it.
type Witnesses struct {
	Authority  *Authority
	Log        *Log
	Submitter  *ecdsa.PrivateKey
	TokenAt    time.Time
	LoggedAt   time.Time
	TokenFault TokenFault
	EntryFault EntryFault
}

// Anchor has the witnesses vouch for the hash: the token over its 32 raw bytes, the log entry over its hex text.
func (w Witnesses) Anchor(hash canon.Digest, batch *Batch) (*Anchor, error) {
	token, err := w.Authority.Stamp(hash[:], w.TokenAt, w.TokenFault)
	if err != nil {
		return nil, err
	}
	entry, err := w.Log.Append(hash.String(), w.Submitter, w.LoggedAt, w.EntryFault)
	if err != nil {
		return nil, err
	}
	return &Anchor{Provider: w.Authority.Provider, Token: token, Entry: entry, Batch: batch}, nil
}

// place is the batch_anchor member of a view.
func (a *Anchor) place(index uint64) any {
	if a == nil {
		return Object{{"status", "pending"}, {"batch_id", "lot_ouvert"}}
	}
	if a.Batch == nil {
		return nil
	}
	return Object{
		{"status", "anchored"}, {"batch_id", a.Batch.ID}, {"leaf_index", index}, {"tree_size", a.Batch.tree.Size()},
		{"audit_path", hexList(a.Batch.tree.Path(index))}, {"root", a.Batch.Root().Prefixed()},
	}
}

// timestamp is the timestamp_authority member of a view.
func (a *Anchor) timestamp() Object {
	if a == nil {
		return Object{{"status", "pending"}, {"provider", nil}}
	}
	o := Object{{"status", "verified"}, {"provider", a.Provider}, {"tsr_base64", canon.EncodeBase64(a.Token)}}
	if a.Batch != nil {
		o = append(o, Member{"anchored", "batch_root"})
	}
	return o
}

// log is the transparency_log member of a view. The entry itself is elsewhere.
func (a *Anchor) log() Object {
	if a == nil {
		return Object{{"provider", "sigstore-rekor"}, {"status", "pending"}}
	}
	o := Object{
		{"provider", "sigstore-rekor"}, {"status", "verified"}, {"uuid", a.Entry.UUID}, {"log_index", a.Entry.LogIndex},
		{"integrated_time", a.Entry.IntegratedTime},
	}
	if a.Batch != nil {
		o = append(o, Member{"anchored", "batch_root"})
	}
	return o
}
