// Package trust reads the trust folder: the keys and certificates against which proofs are judged, each with its window and its source.
//
//	trusted_root.json    Sigstore's TrustedRoot: tlogs and timestampAuthorities, each within its validFor; optional
//	rekor/<log name>.pem public key of a log whose checkpoints are signed by that name
//	rekor/<log name>.json  {"shards": [{"tree_id": "1193050959916656506", "offset": "121904262"}]}; optional
//	tsa/<provider>/root*.pem, tsa/<provider>/*.pem   roots, then intermediates and signing certificates
//	tsa/<provider>/policy.txt    accepted policy identifiers, one a line; optional
//	issuer/*.json        the issuer's keys in one or several of three forms:
//	                     {"keys": [{"kid", "type", "public", "valid_from", "retired_at"}], "rekor_keys": [{"kid", "public_pem", …}]},
//	                     {"pubkey": "ed25519:…"}, and a DID document
//
// The first form gives each key its window. A key known from another form alone has no bounds; one that the first form lists keeps the
// window it has there. Two listings of one key, or of one key id, that disagree make the folder malformed.
//
// Everything else in the folder is named by Store.Ignored and not read. Descriptive members of the issuer's files (_doc, node, algorithm…)
// are not read either.
//
// Trust material inside a bundle comes from the party being checked. So each key carries its source file and its SHA-256, and says whether
// it is one of three whose fingerprints are built in: the public Rekor log, FreeTSA's root, the issuer's key-1.
package trust
