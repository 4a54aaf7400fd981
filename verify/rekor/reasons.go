package rekor

import "github.com/ark-forge/proveit/verify"

// The reasons for which a log entry is refused, in the order in which they are looked for. Those of package merkle (tree_size, leaf_index,
// audit_path_length) are given too.
const (
	ReasonShape               verify.Reason = "rekor_shape"                // a member is missing, null, unknown or of the wrong kind
	ReasonNull                verify.Reason = "rekor_null"                 // the file says that there is no entry under this UUID
	ReasonUUID                verify.Reason = "rekor_uuid"                 // the UUID is neither 80 nor 64 lowercase hex digits
	ReasonBody                verify.Reason = "rekor_body"                 // the body is not base64 in its only spelling, or not the JSON of an entry
	ReasonLogID               verify.Reason = "rekor_log_id"               // no configured log has this id
	ReasonSET                 verify.Reason = "rekor_set"                  // the signed entry timestamp does not hold under the log key
	ReasonLeaf                verify.Reason = "rekor_leaf"                 // the UUID does not end in the leaf hash of the body
	ReasonInclusion           verify.Reason = "rekor_inclusion"            // the path from the leaf does not reach rootHash
	ReasonCheckpointSyntax    verify.Reason = "rekor_checkpoint_syntax"    // the checkpoint is not a signed note in its only spelling
	ReasonCheckpointSignature verify.Reason = "rekor_checkpoint_signature" // the log's signature on the checkpoint is absent or does not hold
	ReasonCheckpointOrigin    verify.Reason = "rekor_checkpoint_origin"    // the checkpoint's first line does not name the log
	ReasonTree                verify.Reason = "rekor_tree"                 // the UUID and the checkpoint name two trees
	ReasonTreeSize            verify.Reason = "rekor_tree_size"            // treeSize is not the checkpoint's
	ReasonRoot                verify.Reason = "rekor_root"                 // rootHash is not the checkpoint's
	ReasonLogIndex            verify.Reason = "rekor_log_index"            // the global index is smaller than the one inside the tree
	ReasonShardOffset         verify.Reason = "rekor_shard_offset"         // the two indexes are not the shard's offset apart
	ReasonKind                verify.Reason = "rekor_kind"                 // not a hashedrekord 0.0.1
	ReasonArtifact            verify.Reason = "rekor_artifact"             // the entry is about another artifact
	ReasonSubmitterKey        verify.Reason = "rekor_submitter_key"        // the key that the entry carries cannot be used
	ReasonSignature           verify.Reason = "rekor_signature"            // the entry's own signature does not hold under the key it carries
)
