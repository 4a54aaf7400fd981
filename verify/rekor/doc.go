// Package rekor judges one entry of a Rekor v1 transparency log over an artifact hash, from the entry's own bytes and the log's key alone.
//
// An entry is what GET /api/v1/log/entries/{uuid} answers:
//
//	{"108e9186e8c5677a…": {                       16 hex digits of tree id, 64 of leaf hash; the 64 alone are legal too
//	   "body": "eyJhcGlWZXJzaW9u…",               base64 of the entry, the bytes of the leaf
//	   "integratedTime": 1772554735,              seconds since 1970
//	   "logID": "c0d23d6ad406973f…",              SHA-256 of the log key in DER
//	   "logIndex": 1018479057,                    over all trees of the log
//	   "verification": {
//	     "inclusionProof": {
//	       "checkpoint": "rekor.sigstore.dev - 1193050959916656506\n2695801602\nADUX9MfV…\n\n— rekor.sigstore.dev wNI9ajBF…\n",
//	       "hashes": ["038a280a…", …],            siblings from the leaf up (RFC 6962 §2.1.1)
//	       "logIndex": 896574795,                 inside this tree
//	       "rootHash": "003517f4…",
//	       "treeSize": 2695801602},
//	     "signedEntryTimestamp": "MEUCIQCG…"}}}   signature over canonical JSON of body, integratedTime, logID and logIndex
//
// An object with several such members and the array that the log's "retrieve" call answers are read as well. The member "attestation" is
// ignored: no signature of the log covers it. Any other member is refused.
//
// What must hold: the shape; the signed entry timestamp under the log key; leaf hash SHA-256(0x00 ‖ body) equal to the end of the UUID; the
// inclusion path up to rootHash; a checkpoint that is a strict signed note (C2SP signed-note), signed by the log key under the log's name,
// with the origin "<log name> - <tree id>" and the same root and size; the tree id of the UUID; the global index, which is not smaller than
// the one inside the tree, and exactly the shard's offset apart where that is known. For a hashedrekord 0.0.1, further: spec.data.hash is
// SHA-256 of the artifact's text, and the entry's own signature holds under the key that the entry carries. Whether that key is one that
// counts is asked elsewhere.
//
// Nothing is read from the checkpoint before its signature held, and nothing from the body before the log vouched for it.
package rekor
