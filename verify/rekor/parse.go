package rekor

import (
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
)

const (
	treeHex = 16                // hex digits of the tree id at the head of a UUID
	leafHex = 2 * 32            // hex digits of the leaf hash at its end
	fullHex = treeHex + leafHex // a whole UUID
)

// MaxEntries is the most log entries in one file. A genuine entry takes more than a kilobyte, so that the largest file that is read by default cannot hold more.
const MaxEntries = 1 << 15

// InclusionProof is the log's claim that a leaf is in a tree. It is not verified.
type InclusionProof struct {
	checkpoint string
	path       merkle.AuditPath
	index      uint64 // inside the tree, from 0
	size       uint64 // leaves
	root       canon.Digest
}

// Entry is one log entry as read: its shape holds or Failure says why it does not, and nothing is verified. What it says is only to be had
// from Verify.
type Entry struct {
	UUID    string          // the member name under which it was found, as written
	File    string          // where it was read
	Pointer string          // RFC 6901 pointer inside the file
	Null    bool            // the file gives null for this UUID
	Failure *verify.Failure // why the entry is malformed; nil where it is not

	digest  canon.Digest
	tree    uint64 // from the UUID, where hasTree
	hasTree bool
	leaf    canon.Digest

	body           []byte
	integratedTime int64
	logID          canon.Digest
	logIndex       uint64
	proof          InclusionProof
	set            []byte
}

// Digest tells entries apart: SHA-256 of the canonical JSON of the UUID and everything that is under it.
func (e Entry) Digest() canon.Digest { return e.digest }

// For returns the entry as the one that uuid (80 or 64 hex digits) names, and whether it can be that: the leaf hashes must be equal, and the
// tree ids where both have one. An entry found under a bare leaf hash takes over the tree id of uuid, so that Verify demands it. A malformed
// entry is still found by its UUID.
func (e Entry) For(uuid string) (Entry, bool) {
	tree, hasTree, leaf, ok := parseUUID(uuid)
	if !ok {
		return Entry{}, false
	}
	ownTree, ownHasTree, ownLeaf, ok := parseUUID(e.UUID)
	if !ok || ownLeaf != leaf || (hasTree && ownHasTree && ownTree != tree) {
		return Entry{}, false
	}
	if hasTree {
		e.tree, e.hasTree = tree, true
	}
	return e, true
}

// ParseEntries reads a file of log entries: an object of one or several, or an array of such objects. Each entry is judged by its own
// shape; a malformed one carries its Failure and the others are not lost. The error is a *canon.SyntaxError where the file is not strict
// JSON, a *verify.Failure where it is something else than entries. A file without entries gives none and no error.
func ParseEntries(file string, b []byte) ([]Entry, error) {
	doc, err := canon.ParseStrict(file, b)
	if err != nil {
		return nil, err
	}
	switch doc.Kind() {
	case canon.Object:
		if doc.Get("body").Exists() && doc.Get("verification").Exists() {
			return nil, &verify.Failure{Reason: ReasonShape, File: file, Found: "an entry without its UUID",
				Wanted: "an object with the entry under its UUID"}
		}
		return parseObject(nil, file, "", doc)
	case canon.Array:
		var entries []Entry
		for i, el := range doc.Elements() {
			at := "/" + strconv.Itoa(i)
			if el.Kind() == canon.Object {
				if entries, err = parseObject(entries, file, at, el); err != nil {
					return nil, err
				}
				continue
			}
			f := verify.Failure{Reason: ReasonShape, Found: el.Kind().String(), Wanted: "an object with entries under their UUIDs", File: file, Pointer: at}
			entries = append(entries, Entry{File: file, Pointer: at, Failure: &f, digest: canon.Hash(el)})
			if len(entries) > MaxEntries {
				return nil, tooMany(file)
			}
		}
		return entries, nil
	}
	return nil, &verify.Failure{Reason: ReasonShape, File: file, Found: doc.Kind().String(), Wanted: "an object or an array of log entries"}
}

// parseObject adds the entries of an object that stands at a pointer.
func parseObject(entries []Entry, file, at string, doc canon.Value) ([]Entry, error) {
	for uuid, v := range doc.Members() {
		if len(entries) == MaxEntries {
			return nil, tooMany(file)
		}
		entries = append(entries, parseEntry(file, at+"/"+canon.EscapeToken(uuid), strings.Clone(uuid), v))
	}
	return entries, nil
}

func tooMany(file string) error {
	return &verify.Failure{Reason: ReasonShape, File: file, Found: "more than " + strconv.Itoa(MaxEntries) + " log entries", Wanted: "at most that in one file"}
}

// parseEntry gives the whole entry, or one that has its place and its failure alone.
func parseEntry(file, at, uuid string, v canon.Value) Entry {
	bare := Entry{UUID: uuid, File: file, Pointer: at, Null: v.Kind() == canon.Null, digest: entryDigest(uuid, v)}
	s := shape{file: file}
	e := bare
	var ok bool
	refused := func(r verify.Reason, found, wanted string) Entry {
		return bare.malformed(&verify.Failure{Reason: r, Found: found, Wanted: wanted, File: file, Pointer: at})
	}
	if e.tree, e.hasTree, e.leaf, ok = parseUUID(uuid); !ok {
		return refused(ReasonUUID, show(uuid), "80 or 64 lowercase hex digits")
	}
	if bare.Null {
		return refused(ReasonNull, "null", "the entry")
	}
	s.object(v, []string{"body", "integratedTime", "logID", "logIndex", "verification"}, "attestation")
	e.body = s.base64(v, "body", ReasonBody)
	e.integratedTime = int64(s.number(v, "integratedTime"))
	e.logID = s.digest(v.Get("logID"))
	e.logIndex = s.number(v, "logIndex")

	verification := v.Get("verification")
	s.object(verification, []string{"inclusionProof", "signedEntryTimestamp"})
	e.set = s.base64(verification, "signedEntryTimestamp", ReasonShape)
	e.proof = s.inclusionProof(verification.Get("inclusionProof"))
	if s.failure != nil {
		return bare.malformed(s.failure)
	}
	return e
}

// malformed is the entry with its failure. Its digest is that of no well-formed one: canonical JSON writes -0, which is refused, as 0.
func (e Entry) malformed(f *verify.Failure) Entry {
	e.Failure = f
	e.digest = canon.Sum(append([]byte("malformed "), e.digest[:]...))
	return e
}

func (s *shape) inclusionProof(v canon.Value) InclusionProof {
	s.object(v, []string{"checkpoint", "hashes", "logIndex", "rootHash", "treeSize"})
	p := InclusionProof{
		checkpoint: strings.Clone(s.text(v.Get("checkpoint"))),
		index:      s.number(v, "logIndex"),
		size:       s.number(v, "treeSize"),
		root:       s.digest(v.Get("rootHash")),
	}
	hashes := v.Get("hashes")
	if hashes.Kind() != canon.Array {
		s.refuse(ReasonShape, hashes, "", hashes.Kind().String(), "an array of hashes")
	}
	for i, h := range hashes.Elements() {
		// A path too long for any tree is kept one sibling too long, which its length check refuses.
		if i > merkle.MaxPath {
			break
		}
		p.path = append(p.path, s.digest(h))
	}
	return p
}

func entryDigest(uuid string, v canon.Value) canon.Digest {
	b := append([]byte(strconv.Quote(uuid)), ':')
	return canon.Sum(canon.AppendCanonical(b, v))
}

// parseUUID reads 16 hex digits of tree id, which may be absent, and 64 of leaf hash.
func parseUUID(s string) (tree uint64, hasTree bool, leaf canon.Digest, ok bool) {
	if len(s) == fullHex {
		b, err := canon.DecodeHex(s[:treeHex], treeHex/2)
		if err != nil {
			return 0, false, canon.Digest{}, false
		}
		for _, c := range b {
			tree = tree<<8 | uint64(c)
		}
		hasTree, s = true, s[treeHex:]
	}
	leaf, err := canon.ParseHex(s)
	if err != nil {
		return 0, false, canon.Digest{}, false
	}
	return tree, hasTree, leaf, true
}
