// Package proof judges proof views: what the Trust Layer serves about one call, against the trust folder and the log entries that are at hand.
//
// # Versions
//
// spec_version, compared as numbers component by component, says how hashes.chain is made:
//
//	3.1                      RFC 6962 root over the commitments, the identity block always among them
//	3.0                      the same, the identity not committed
//	1.x, 2.x, absent         over values that public views leave out: not recomputable, which is no fault
//	a later 3.x              as 3.1, and said to be so
//	another major            cannot be judged: incomplete, before any other check
//
// # Commitments and chain hash
//
// A commitment is SHA-256(name ‖ 0x00 ‖ nonce of 32 bytes ‖ canonical JSON of the value). In the order of the names by code point, each
// commitment c gives a leaf SHA-256(0x00 ‖ c); a node is SHA-256(0x01 ‖ left ‖ right); a last node without a sibling is promoted. The root
// is the chain hash. Always committed are
//
//	buyer_fingerprint request_hash response_hash seller timestamp transaction_id
//
// and from 3.1 on also, null where there is no identity,
//
//	agent_identity agent_identity_verified did_resolution_status identity_consistent
//
// while receipt_content_hash and upstream_timestamp are optional. Further names are accepted and shown: the root covers them like the rest.
// A commitment opens only once the root was recomputed; in a 1.x or 2.x proof a member commitments means nothing.
//
// Example, of version 3.0, the nonce of the n-th field being 32 bytes of value n:
//
//	buyer_fingerprint  "b"                     2afd8754ff81ab4a1b7a2bdc7775507719ad976f7684e56aa3f2bded845293d4
//	request_hash       "1111…" (64 digits)     bc353da9b96341cd05bb4400558f1620a7bdc7b414cb032a93d19a947d08a5ba
//	response_hash      "2222…" (64 digits)     c754af4baac21edccde8735f8c702e930279dff89e4caa02174970105a2cacf5
//	seller             "corpus.example"        a48f24be1dc7ec3e0c47cee90a82b7301b63ace4920d16da1c03c7bed28cc014
//	timestamp          "2026-09-23T07:21:44Z"  58cabdf84a3fa960d369aac172cbd17e51984a6f30ffc7a3f5e7799904ca03dd
//	transaction_id     "t"                     b44cf19ff15e947b78b98347165772ac67ef53369af285a4a49b022bab3fed85
//	first leaf                                 d0119929c3dc9f93b38ad1147d66dd65a184e8867ce047483223856a3ebf9776
//	chain hash                                 ae66a7fc725e6f3ce0c631af1c91a49ed678c952870a9d8b30d17d1dcb54c822
//	leaf in its batch                          4d8d044cb1badaf5cc6f6b8460f20375ecd6726f441bbff4f2706f1dd1da10cd
//
// # What the witnesses cover
//
// The issuer signs the 64 hex characters of the chain hash with Ed25519. The anchored hash is the root of the batch, or the chain hash
// itself for a proof anchored alone. The imprint of the RFC 3161 token is SHA-256 of its 32 raw bytes; the log entry is over its 64 hex
// characters as text.
//
// # Judgement
//
// A result has seven checks in a fixed order. Anything that fails makes the proof invalid; else an open batch makes it pending; else a missing
// log entry or missing trust material makes it incomplete; else it is valid. The identity check stands apart: it is condition 2 of seed 000
// §4.1, and the outcome is condition 1. Flat fields of a view prove nothing; one that differs from what opened, or from the log entry, is an
// incident and changes no judgement.
package proof
