package merkle

import "github.com/ark-forge/proveit/verify"

// The reasons for which an inclusion path is refused before any hash is compared.
const (
	ReasonTreeSize   verify.Reason = "tree_size"         // the tree has no leaf
	ReasonLeafIndex  verify.Reason = "leaf_index"        // the index is not below the size
	ReasonPathLength verify.Reason = "audit_path_length" // the path is longer or shorter than index and size imply
)
