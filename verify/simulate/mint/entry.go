package mint

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
)

// Log is a transparency log with one growing tree. Entries of others (fillers) stand between ours.
type Log struct {
	Name    string
	TreeID  uint64 // number in the checkpoint's origin, and first 16 hex digits of every UUID
	Offset  uint64 // global index of the tree's first leaf
	Key     *ecdsa.PrivateKey
	Other   *ecdsa.PrivateKey // a key that nobody published
	Witness *ecdsa.PrivateKey
	seed    Seed
	tree    Tree
	stream  *Stream
}

// NewLog makes a log that holds some entries of others already.
func NewLog(seed Seed, name string) *Log {
	seed = seed.Child("log\x00" + name)
	l := &Log{
		Name:    name,
		Key:     ECDSAKey(seed.Child("key"), elliptic.P256()),
		Other:   ECDSAKey(seed.Child("other key"), elliptic.P256()),
		Witness: ECDSAKey(seed.Child("witness"), elliptic.P256()),
		seed:    seed,
		stream:  seed.Child("stream").Stream(),
	}
	id := seed.Child("tree id")
	l.TreeID = binary.BigEndian.Uint64(id[:8])>>4 | 1<<56 // beyond 2^53, within an int64
	l.Offset = 100_000_000 + uint64(l.stream.Below(900_000_000))
	l.fill(20 + l.stream.Below(30))
	return l
}

// fill appends n entries of others.
func (l *Log) fill(n int) {
	for range n {
		l.tree.Append(LeafHash(l.stream.Bytes(32)))
	}
}

// ID is the log id: SHA-256 of the DER form of its public key, in hex.
func (l *Log) ID() string { return logID(l.Key) }

func logID(key *ecdsa.PrivateKey) string {
	der, err := SPKI(&key.PublicKey)
	if err != nil {
		return ""
	}
	return canon.Sum(der).String()
}

// Entry is what the log answers for one entry, still to be written as JSON.
type Entry struct {
	UUID           string
	LogIndex       uint64 // global
	IntegratedTime int64  // seconds since 1970
	Body           Object // the members body, integratedTime, logID, logIndex, verification
	said           promise
}

// Document is the entry as `GET /api/v1/log/entries/{uuid}` answers it.
func (e Entry) Document() Object { return Object{{e.UUID, e.Body}} }

// Append logs the artifact (the hex text of an anchored hash), signed by the submitter's key, with one fault.
func (l *Log) Append(artifact string, submitter *ecdsa.PrivateKey, at time.Time, fault EntryFault) (Entry, error) {
	body, err := l.body(artifact, submitter, fault)
	if err != nil {
		return Entry{}, err
	}
	l.fill(l.stream.Below(3))
	leaf := LeafHash(body)
	index := l.tree.Append(leaf)
	l.fill(1 + l.stream.Below(4))
	p := promise{
		index: index, global: l.Offset + index, size: l.tree.Size(), root: l.tree.Root(), path: l.tree.Path(index),
		at: at.Unix(), logID: l.ID(), origin: l.Name + " - " + strconv.FormatUint(l.TreeID, 10), name: l.Name, key: l.Key, setKey: l.Key,
		uuid: treeHex(l.TreeID) + leaf.String(), body: body,
	}
	if edit, ok := entryEdits[fault]; ok {
		edit(l, &p)
	}
	return p.entry(l, fault)
}

// Reread is the entry as the log answers it later: the same promise, included in the tree as it has grown since.
func (l *Log) Reread(e Entry) (Entry, error) {
	l.fill(1 + l.stream.Below(9))
	p := e.said
	p.size, p.root, p.path = l.tree.Size(), l.tree.Root(), l.tree.Path(p.index)
	return p.entry(l, EntryGood)
}

func treeHex(id uint64) string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], id)
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 16)
	for _, c := range b {
		out = append(out, digits[c>>4], digits[c&15])
	}
	return string(out)
}

// body is the canonical hashedrekord body.
func (l *Log) body(artifact string, submitter *ecdsa.PrivateKey, fault EntryFault) ([]byte, error) {
	kind, version, signed := "hashedrekord", "0.0.1", artifact
	switch fault {
	case EntryOtherKind:
		kind = "rekord"
	case EntryOtherVersion:
		version = "0.0.2"
	case EntryOtherArtifact:
		artifact = canon.Sum([]byte(artifact)).String()
		signed = artifact
	case EntryRawArtifact:
		if raw, err := canon.DecodeHex(artifact, 32); err == nil {
			artifact, signed = string(raw), string(raw)
		}
	case EntryBrokenSignature:
		signed = "autre " + signed
	case EntryUnpublished:
		submitter = ECDSAKey(l.seed.Child("unpublished submitter"), elliptic.P256())
	}
	signature, err := signECDSA(submitter, []byte(signed))
	if err != nil {
		return nil, err
	}
	text, err := PublicPEM(&submitter.PublicKey)
	if err != nil {
		return nil, err
	}
	if fault == EntryCRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	hash := map[string]any{"algorithm": "sha256", "value": canon.Sum([]byte(artifact)).String()}
	return canon.Marshal(map[string]any{
		"apiVersion": version, "kind": kind,
		"spec": map[string]any{
			"data": map[string]any{"hash": hash},
			"signature": map[string]any{
				"content":   canon.EncodeBase64(signature),
				"publicKey": map[string]any{"content": canon.EncodeBase64([]byte(text))},
			},
		},
	})
}

func signECDSA(key *ecdsa.PrivateKey, message []byte) ([]byte, error) {
	sum := sha256.Sum256(message)
	return key.Sign(nil, sum[:], crypto.SHA256)
}

// promise is what the log says of one entry, before it is signed and written.
type promise struct {
	uuid         string
	body         []byte
	index        uint64
	global       uint64
	size         uint64
	statedSize   uint64 // treeSize as written, where it differs from the checkpoint's
	root         canon.Digest
	statedRoot   *canon.Digest // rootHash as written, where it differs from the checkpoint's
	path         []canon.Digest
	at           int64
	logID        string
	origin, name string
	key, setKey  *ecdsa.PrivateKey
	extension    string // extra line of the checkpoint's body
	after        func(checkpoint string) string
	afterSet     func(set []byte)
}

// entry signs and writes the promise.
func (p *promise) entry(l *Log, fault EntryFault) (Entry, error) {
	encoded := canon.EncodeBase64(p.body)
	message, err := canon.Marshal(map[string]any{"body": encoded, "integratedTime": p.at, "logID": p.logID, "logIndex": int64(p.global)})
	if err != nil {
		return Entry{}, err
	}
	set, err := signECDSA(p.setKey, message)
	if err != nil {
		return Entry{}, err
	}
	if p.afterSet != nil {
		p.afterSet(set)
	}
	checkpoint, err := p.checkpoint(l, fault)
	if err != nil {
		return Entry{}, err
	}
	size, root := p.size, p.root
	if p.statedSize != 0 {
		size = p.statedSize
	}
	if p.statedRoot != nil {
		root = *p.statedRoot
	}
	global := p.global
	if fault == EntryIndexAfter {
		global++
	}
	body := Object{
		{"body", encoded},
		{"integratedTime", p.at},
		{"logID", p.logID},
		{"logIndex", global},
		{"verification", Object{
			{"inclusionProof", Object{
				{"checkpoint", checkpoint}, {"hashes", hexList(p.path)}, {"logIndex", p.index}, {"rootHash", root.String()}, {"treeSize", size},
			}},
			{"signedEntryTimestamp", canon.EncodeBase64(set)},
		}},
	}
	return Entry{UUID: p.uuid, LogIndex: global, IntegratedTime: p.at, Body: body, said: *p}, nil
}

func hexList(path []canon.Digest) []string {
	out := make([]string, len(path))
	for i, d := range path {
		out[i] = d.String()
	}
	return out
}

// checkpoint is the signed note: origin, size, root, an empty line, and one signature line a signer.
func (p *promise) checkpoint(l *Log, fault EntryFault) (string, error) {
	text := p.origin + "\n" + strconv.FormatUint(p.size, 10) + "\n" + canon.EncodeBase64(p.root[:]) + "\n" + p.extension
	line, err := signatureLine(p.name, p.key, text)
	if err != nil {
		return "", err
	}
	if fault == EntryWitness {
		witness, err := signatureLine("temoin.repetition.example", l.Witness, text)
		if err != nil {
			return "", err
		}
		line = witness + line
	}
	note := text + "\n" + line
	if p.after != nil {
		note = p.after(note)
	}
	return note, nil
}

// signatureLine is one signature of a note: em dash, name, base64 of the key hint (first four bytes of the log id) and the signature.
func signatureLine(name string, key *ecdsa.PrivateKey, text string) (string, error) {
	signature, err := signECDSA(key, []byte(text))
	if err != nil {
		return "", err
	}
	der, err := SPKI(&key.PublicKey)
	if err != nil {
		return "", err
	}
	hint := sha256.Sum256(der)
	return "— " + name + " " + canon.EncodeBase64(append(hint[:4:4], signature...)) + "\n", nil
}
