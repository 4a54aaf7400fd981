package mint

import (
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// EntryFault names the one thing that is different in a log entry. The empty fault gives an entry that holds.
type EntryFault string

// What can differ in a log entry. The first group still holds.
const (
	EntryGood      EntryFault = ""
	EntryWitness   EntryFault = "witness"   // the checkpoint carries the signature of a witness too
	EntryExtension EntryFault = "extension" // the checkpoint has an extension line
	EntryBareUUID  EntryFault = "bare-uuid" // the UUID lacks the tree id, which is legal
	EntryCRLF      EntryFault = "crlf"      // the submitter's key is PEM with CRLF line ends

	EntryOtherKind       EntryFault = "other-kind"        // another kind than hashedrekord
	EntryOtherVersion    EntryFault = "other-version"     // hashedrekord 0.0.2
	EntryOtherArtifact   EntryFault = "other-artifact"    // a genuine entry over something else
	EntryRawArtifact     EntryFault = "raw-artifact"      // over the raw bytes instead of the hex text
	EntryBrokenSignature EntryFault = "broken-signature"  // the submitter's signature is over other bytes
	EntryUnpublished     EntryFault = "unpublished"       // the submitter's key is not one that the issuer published
	EntrySet             EntryFault = "set"               // one bit of the SET flipped
	EntrySetOther        EntryFault = "set-other-key"     // SET under a key that nobody published
	EntryIndexAfter      EntryFault = "index-after"       // global index raised after signing
	EntryOtherUUID       EntryFault = "other-uuid"        // the UUID ends in another leaf hash
	EntryOtherTree       EntryFault = "other-tree"        // the UUID begins with another tree id
	EntryPathFlip        EntryFault = "path-flip"         // one bit of the first sibling flipped
	EntryPathShort       EntryFault = "path-short"        // last sibling missing
	EntryPathLong        EntryFault = "path-long"         // one sibling too many
	EntrySize            EntryFault = "size"              // treeSize one more than the checkpoint's
	EntryRoot            EntryFault = "root"              // rootHash is not the checkpoint's
	EntryOrigin          EntryFault = "origin"            // the checkpoint is that of a tree of another name
	EntrySignerName      EntryFault = "signer-name"       // the signature line names another signer
	EntryCheckpoint      EntryFault = "checkpoint"        // the checkpoint's size edited after signing
	EntryCheckpointOther EntryFault = "checkpoint-other"  // the checkpoint is signed by a key that nobody published
	EntryCheckpointEmpty EntryFault = "checkpoint-absent" // the checkpoint is empty
	EntryLogID           EntryFault = "log-id"            // log id of a key that nobody published, SET by that key
	EntryOffset          EntryFault = "offset"            // global index that does not fit the shard's offset, signed
	EntrySmallIndex      EntryFault = "small-index"       // global index smaller than the index in the shard, signed
)

// HoldingEntries are the variants that a verifier must accept.
var HoldingEntries = []EntryFault{EntryGood, EntryWitness, EntryExtension, EntryBareUUID, EntryCRLF}

// FaultyEntries are the variants that a verifier must refuse.
var FaultyEntries = []EntryFault{
	EntryOtherKind, EntryOtherVersion, EntryOtherArtifact, EntryRawArtifact, EntryBrokenSignature, EntryUnpublished, EntrySet,
	EntrySetOther, EntryIndexAfter, EntryOtherUUID, EntryOtherTree, EntryPathFlip, EntryPathShort, EntryPathLong, EntrySize, EntryRoot,
	EntryOrigin, EntrySignerName, EntryCheckpoint, EntryCheckpointOther, EntryCheckpointEmpty, EntryLogID, EntryOffset, EntrySmallIndex,
}

// entryEdits are the changes that a fault makes to what the log says; the faults of the body are made where the body is written.
var entryEdits = map[EntryFault]func(*Log, *promise){
	EntryExtension: func(_ *Log, p *promise) { p.extension = "extension 1\n" },
	EntryBareUUID:  func(_ *Log, p *promise) { p.uuid = p.uuid[16:] },
	EntrySet:       func(_ *Log, p *promise) { p.afterSet = func(set []byte) { set[len(set)-1] ^= 1 } },
	EntrySetOther:  func(l *Log, p *promise) { p.setKey = l.Other },
	EntryOtherUUID: func(_ *Log, p *promise) { p.uuid = p.uuid[:16] + canon.Sum([]byte(p.uuid)).String() },
	EntryOtherTree: func(l *Log, p *promise) { p.uuid = treeHex(l.TreeID+1) + p.uuid[16:] },
	EntryPathFlip:  func(_ *Log, p *promise) { p.path[0][0] ^= 1 },
	EntryPathShort: func(_ *Log, p *promise) { p.path = p.path[:len(p.path)-1] },
	EntryPathLong:  func(_ *Log, p *promise) { p.path = append(p.path, p.root) },
	EntrySize:      func(_ *Log, p *promise) { p.statedSize = p.size + 1 },
	EntryRoot: func(_ *Log, p *promise) {
		other := canon.Sum(p.root[:])
		p.statedRoot = &other
	},
	EntryOrigin:          func(l *Log, p *promise) { p.origin = strings.Replace(p.origin, l.Name, "autre.example", 1) },
	EntrySignerName:      func(_ *Log, p *promise) { p.name = "autre.example" },
	EntryCheckpointOther: func(l *Log, p *promise) { p.key = l.Other },
	EntryCheckpointEmpty: func(_ *Log, p *promise) { p.after = func(string) string { return "" } },
	EntryCheckpoint: func(_ *Log, p *promise) {
		p.after = func(note string) string { return strings.Replace(note, "\n", "\n1", 1) }
	},
	EntryLogID: func(l *Log, p *promise) {
		p.logID, p.setKey = logID(l.Other), l.Other
	},
	EntryOffset:     func(_ *Log, p *promise) { p.global += 7 },
	EntrySmallIndex: func(_ *Log, p *promise) { p.global = p.index - 1 },
}
