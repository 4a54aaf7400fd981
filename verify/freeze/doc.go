// Package freeze checks that what a season is judged by is what was anchored before it opened (seed 000 §8).
//
// freeze.json lists the freezes, oldest first. Each names the proof of one request that went through the proxy, the request itself, the
// pairs that open its hashes, and bindings: which value of the request is the hash of which file.
//
//	{"format": "proveit.freeze/v1", "freezes": [
//	  {"proof_id": "prf_20260916_000525_ad1a24", "status": "current",
//	   "request": {"target": "https://…", "method": "POST", "payload": {"manifeste": "<64 hex>", "cle": "<64 hex>"},
//	               "amount": 0.0, "currency": "eur"},
//	   "disclosures": {"request_hash": {"nonce": "<64 hex>", "value": "<64 hex>"}, "response_hash": {…}},
//	   "bindings": [
//	     {"pointer": "/payload/manifeste", "file": "corpus/manifest.json"},
//	     {"pointer": "/payload/cle", "salt": "<64 hex>", "file": "freeze/key-conformite.json"}]}]}
//
// The value at pointer is SHA-256 of the file's bytes or, with a salt of 32 bytes, SHA-256(salt ‖ bytes). A freeze that another replaced
// has the status "superseded" and a reason; its bindings must hold all the same.
//
// Files are hashed as they lie there: nothing that a freeze binds is parsed here. freeze.json is the organizer's, so a malformed one is an
// error (a *canon.SyntaxError) and not a failed check.
package freeze
