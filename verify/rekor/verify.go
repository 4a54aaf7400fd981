package rekor

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
)

// Logged is what a log vouched for in an entry that holds. Numbers can exceed 2^53: in JSON they are written as strings.
type Logged struct {
	UUID           string       // 80 hex digits: tree id of the checkpoint, leaf hash of the body
	LogName        string       // as the trust material names it
	LogID          canon.Digest // SHA-256 of the log key in DER
	LogIndex       uint64       // over all trees of the log
	TreeID         uint64
	TreeIndex      uint64 // inside the tree
	TreeSize       uint64 // leaves, at the checkpoint
	Root           canon.Digest
	IntegratedTime time.Time // UTC, whole seconds; covered by the signed entry timestamp
	Kind           string    // for example "hashedrekord"
	Version        string    // of the kind, for example "0.0.1"

	// The rest is empty unless the entry is a hashedrekord.
	Hash      string    // algorithm and value of spec.data.hash, "sha256:…"
	Submitter Submitter // whose signature the entry carries
}

// Is reports whether uuid, of 80 hex digits or of the 64 of the leaf hash alone, names this entry.
func (l Logged) Is(uuid string) bool { return uuid == l.UUID || uuid == l.UUID[treeHex:] }

// Verify judges an entry over an artifact: the anchored hash as 64 lowercase hex digits, as text. The entry must be a hashedrekord 0.0.1 over
// SHA-256 of that text, with an ECDSA P-256 signature, and hold in everything that VerifyPromises asks. "Does not hold" is a *verify.Failure; any other
// error means that the question could not be put: no log, an unusable log key, an artifact of another form.
func Verify(e Entry, artifact []byte, logs []Log) (Logged, error) {
	if _, err := canon.ParseHex(string(artifact)); err != nil {
		return Logged{}, fmt.Errorf("artifact: %w", err)
	}
	return VerifyHash(e, canon.Sum(artifact), logs)
}

// VerifyHash is Verify where only the value that spec.data.hash must have is known.
func VerifyHash(e Entry, hash canon.Digest, logs []Log) (Logged, error) {
	return judge(e, logs, &hash)
}

// VerifyPromises judges what the log itself vouches for, whatever the kind of entry. A hashedrekord is judged whole, over the hash that it
// gives, with any kind of key that the log accepts. Errors are those of Verify.
func VerifyPromises(e Entry, logs []Log) (Logged, error) {
	return judge(e, logs, nil)
}

// judge tries each log that has the entry's log id (two names may share a key) and gives the first that holds, else the first failure. A nil
// hash demands the log's promises alone.
func judge(e Entry, logs []Log, hash *canon.Digest) (Logged, error) {
	candidates, err := candidates(logs, e.logID)
	if err != nil {
		return Logged{}, err
	}
	if e.Failure != nil {
		f := *e.Failure
		return Logged{}, &f
	}
	if len(candidates) == 0 {
		return Logged{}, e.fail(ReasonLogID, "/logID", e.logID.String(), "the id of a configured log: "+names(logs))
	}
	var first *verify.Failure
	for _, l := range candidates {
		logged, f := judgeUnder(e, l, hash)
		if f == nil {
			return logged, nil
		}
		if first == nil {
			first = f
		}
	}
	return Logged{}, first
}

func judgeUnder(e Entry, l Log, hash *canon.Digest) (Logged, *verify.Failure) {
	logged, f := e.promises(l)
	if f != nil {
		return Logged{}, f
	}
	body, f := e.readBody()
	if f != nil {
		return Logged{}, f
	}
	logged.Kind, logged.Version = body.kind, body.version
	if body.kind != kindHashedrekord && hash == nil {
		return logged, nil
	}
	record, f := e.readHashedrekord(body)
	if f != nil {
		return Logged{}, f
	}
	if hash != nil {
		if f := e.checkRecord(record, *hash); f != nil {
			return Logged{}, f
		}
	}
	if f := e.ownSignature(record); f != nil {
		return Logged{}, f
	}
	logged.Hash, logged.Submitter = record.hash(), record.submitter
	return logged, nil
}

// promises judges what the log signed and proves, in the order of the reasons.
func (e Entry) promises(l Log) (Logged, *verify.Failure) {
	if f := e.checkTimestamp(l); f != nil {
		return Logged{}, f
	}
	leaf := merkle.LeafHash(e.body)
	if leaf != e.leaf {
		return Logged{}, e.fail(ReasonLeaf, "", e.leaf.String(), leaf.String())
	}
	if f := e.checkInclusion(leaf); f != nil {
		return Logged{}, f
	}
	head, f := e.openCheckpoint(l)
	if f != nil {
		return Logged{}, f
	}
	tree, f := e.checkHead(l, head)
	if f != nil {
		return Logged{}, f
	}
	if f := e.checkIndexes(l, tree); f != nil {
		return Logged{}, f
	}
	return Logged{
		UUID: fmt.Sprintf("%016x%s", tree, leaf), LogName: l.Name, LogID: l.ID, LogIndex: e.logIndex,
		TreeID: tree, TreeIndex: e.proof.index, TreeSize: e.proof.size, Root: e.proof.root,
		IntegratedTime: time.Unix(e.integratedTime, 0).UTC(),
	}, nil
}

// checkTimestamp verifies the signed entry timestamp, the only signature over integratedTime and the global index.
func (e Entry) checkTimestamp(l Log) *verify.Failure {
	signed, err := canon.Marshal(map[string]any{
		"body":           canon.EncodeBase64(e.body),
		"integratedTime": e.integratedTime,
		"logID":          e.logID.String(),
		"logIndex":       int64(e.logIndex),
	})
	if err != nil || !l.holds(signed, e.set) {
		return e.fail(ReasonSET, "/verification/signedEntryTimestamp", "a signature that does not hold",
			"a signature by "+l.Name+" over body, integratedTime, logID and logIndex")
	}
	return nil
}

func (e Entry) checkInclusion(leaf canon.Digest) *verify.Failure {
	const place = "/verification/inclusionProof"
	root, err := merkle.RootFromPath(leaf, e.proof.index, e.proof.size, e.proof.path)
	var f *verify.Failure
	if errors.As(err, &f) {
		return e.fail(f.Reason, place, f.Found, f.Wanted)
	}
	if err != nil || root != e.proof.root {
		return e.fail(ReasonInclusion, place+"/hashes", "a path to root "+root.String(), "a path to "+e.proof.root.String())
	}
	return nil
}

// openCheckpoint reads the checkpoint, once its signature by the log held.
func (e Entry) openCheckpoint(l Log) (treeHead, *verify.Failure) {
	const place = "/verification/inclusionProof/checkpoint"
	n, found, wanted := splitNote(e.proof.checkpoint)
	if wanted != "" {
		return treeHead{}, e.fail(ReasonCheckpointSyntax, place, found, wanted)
	}
	if ok, found := l.signs(n); !ok {
		return treeHead{}, e.fail(ReasonCheckpointSignature, place, found,
			fmt.Sprintf("a signature by %s with key hint %x", l.Name, l.ID[:hintSize]))
	}
	head, ok := parseTreeHead(n.text)
	if !ok {
		return treeHead{}, e.fail(ReasonCheckpointSyntax, place, show(n.text),
			"origin, decimal size and base64 root hash, one a line, each in its only spelling")
	}
	return head, nil
}

// checkHead compares the signed tree head with the log's name, the UUID and the inclusion proof, and gives the tree id.
func (e Entry) checkHead(l Log, head treeHead) (uint64, *verify.Failure) {
	const place = "/verification/inclusionProof"
	digits, ok := strings.CutPrefix(head.origin, l.Name+" - ")
	tree, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil || decimal(tree) != digits {
		return 0, e.fail(ReasonCheckpointOrigin, place+"/checkpoint", show(head.origin), strconv.Quote(l.Name+" - <tree id>"))
	}
	switch {
	case e.hasTree && tree != e.tree:
		return 0, e.fail(ReasonTree, place+"/checkpoint", decimal(tree), decimal(e.tree)+", the tree of the UUID")
	case head.size != e.proof.size:
		return 0, e.fail(ReasonTreeSize, place+"/treeSize", decimal(e.proof.size), decimal(head.size)+", the checkpoint's")
	case head.root != e.proof.root:
		return 0, e.fail(ReasonRoot, place+"/rootHash", e.proof.root.String(), head.root.String()+", the checkpoint's")
	}
	return tree, nil
}

func (e Entry) checkIndexes(l Log, tree uint64) *verify.Failure {
	if e.logIndex < e.proof.index {
		return e.fail(ReasonLogIndex, "/logIndex", decimal(e.logIndex), "at least "+decimal(e.proof.index)+", the index inside the tree")
	}
	offset, known := l.Offsets[decimal(tree)]
	if known && e.logIndex-e.proof.index != offset {
		return e.fail(ReasonShardOffset, "/logIndex", decimal(e.logIndex),
			decimal(e.proof.index)+" inside the tree plus offset "+decimal(offset))
	}
	return nil
}

// fail is a failure at a pointer below the entry.
func (e Entry) fail(r verify.Reason, below, found, wanted string) *verify.Failure {
	return &verify.Failure{Reason: r, Found: found, Wanted: wanted, File: e.File, Pointer: e.Pointer + below}
}

func names(logs []Log) string {
	all := make([]string, len(logs))
	for i, l := range logs {
		all[i] = l.Name
	}
	return strings.Join(all, ", ")
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
