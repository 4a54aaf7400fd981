package proof

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
)

const (
	statusAnchored = "anchored"
	statusPending  = "pending"
	statusFailed   = "failed"
)

// batchPath judges the way from the chain hash to what the witnesses cover, and finds what that is.
func (j *judgement) batchPath() {
	c := verify.Check{Name: CheckBatchPath, Status: verify.Skipped}
	batch := j.p.m.batch
	if !batch.Exists() || batch.Kind() == canon.Null {
		c.Reason = ReasonAlone
		j.anchored, j.anchoredHex, j.hasAnchored = j.chain, j.chainHex, j.hasChain
		j.set(checkBatchPath, c)
		return
	}
	status, _ := batch.Get("status").Text()
	switch status {
	case statusAnchored:
		if f := j.climb(batch); f != nil {
			c = verify.Failing(c.Name, false, f)
			break
		}
		c.Status = verify.OK
		if !j.hasChain {
			c.Status, c.Reason = verify.Skipped, ReasonChainMalformed
		}
	case statusPending:
		j.pending = true
		c.Status, c.Reason = verify.Pending, ReasonBatchPending
	default:
		f := j.p.fail(ReasonBatchStatus, "/batch_anchor/status", shown(batch.Get("status")), `"anchored" or "pending"`)
		if batch.Kind() != canon.Object {
			f = j.p.fail(ReasonBatchMalformed, "/batch_anchor", shown(batch), "an object, or null for a proof anchored alone")
		}
		c = verify.Failing(c.Name, false, f)
	}
	j.set(checkBatchPath, c)
}

// climb reads the batch and walks its audit path. The root is what the witnesses cover, even where the path does not reach it.
func (j *judgement) climb(batch canon.Value) *verify.Failure {
	rootText, _ := batch.Get("root").Text()
	root, err := canon.ParsePrefixed(rootText)
	if err != nil {
		return j.p.fail(ReasonBatchMalformed, "/batch_anchor/root", shown(batch.Get("root")), wantPrefixed)
	}
	j.anchored, j.anchoredHex, j.hasAnchored = root, rootText[len(rootText)-2*canon.DigestSize:], true
	index, f := j.count(batch, "leaf_index")
	if f != nil {
		return f
	}
	size, f := j.count(batch, "tree_size")
	if f != nil {
		return f
	}
	var room [merkle.MaxPath]canon.Digest
	path, f := j.auditPath(batch.Get("audit_path"), room[:0])
	if f != nil || !j.hasChain {
		return f
	}
	reached, f := rootFromPath(leafHash(&j.chain), index, size, path)
	if f != nil {
		return j.p.fail(f.Reason, "/batch_anchor/"+batchPlaces[f.Reason], f.Found, f.Wanted)
	}
	if reached != root {
		return j.p.fail(ReasonBatchRootDiffers, "/batch_anchor/root", root.Prefixed(), reached.Prefixed()+", which the audit path reaches")
	}
	return nil
}

// batchPlaces are the members that the reasons of package merkle are about.
var batchPlaces = map[verify.Reason]string{
	merkle.ReasonTreeSize:   "tree_size",
	merkle.ReasonLeafIndex:  "leaf_index",
	merkle.ReasonPathLength: "audit_path",
}

// rootFromPath is merkle.RootFromPath without the memory that it takes. A test holds them equal.
func rootFromPath(leaf canon.Digest, index, size uint64, path merkle.AuditPath) (canon.Digest, *verify.Failure) {
	if n, err := merkle.PathLength(index, size); err != nil || n != len(path) {
		// The copy lets the caller keep its path on the stack.
		root, err := merkle.RootFromPath(leaf, index, size, slices.Clone(path))
		return root, asFailure(err)
	}
	// RFC 9162 §2.1.3.2: below the level where the ways to this leaf and to the last one part, the index says on which side the sibling
	// stands; above it, siblings are on the left.
	inner := bits.Len64(index ^ (size - 1))
	for i := range path {
		if i < inner && index>>i&1 == 0 {
			leaf = nodeHash(&leaf, &path[i])
		} else {
			leaf = nodeHash(&path[i], &leaf)
		}
	}
	return leaf, nil
}

// count reads an integer of at least 0 in its only spelling.
func (j *judgement) count(batch canon.Value, name string) (uint64, *verify.Failure) {
	v := batch.Get(name)
	n, ok := v.Int64()
	if !ok || n < 0 || (n == 0 && v.Number() != "0") {
		return 0, j.p.fail(ReasonBatchMalformed, "/batch_anchor/"+name, v.Kind().String()+" "+shown(v), "an integer of at least 0")
	}
	return uint64(n), nil
}

func (j *judgement) auditPath(v canon.Value, path merkle.AuditPath) (merkle.AuditPath, *verify.Failure) {
	if v.Kind() != canon.Array {
		return nil, j.p.fail(ReasonBatchMalformed, "/batch_anchor/audit_path", shown(v), "an array of hashes")
	}
	if v.Len() > merkle.MaxPath {
		return nil, j.p.fail(ReasonBatchMalformed, "/batch_anchor/audit_path", strconv.Itoa(v.Len())+" siblings", "at most "+strconv.Itoa(merkle.MaxPath))
	}
	for i, el := range v.Elements() {
		d, ok := hex32(el)
		if !ok {
			return nil, j.p.fail(ReasonBatchMalformed, "/batch_anchor/audit_path/"+strconv.Itoa(i), shown(el), "64 lowercase hex digits")
		}
		path = append(path, d)
	}
	return path, nil
}
