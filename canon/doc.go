// Package canon reads JSON as Python's json module reads it, writes it as json.dumps(v, sort_keys=True, separators=(",", ":"))
// writes it, and hashes the result. A hash of the challenge is the SHA-256 of that text (seed 000 §2.4).
//
// Two readers share one single-pass parser:
//
//   - Parse gives the value that CPython 3.11's json.loads(bytes) gives: integers of any size up to 4300 digits, NaN and the
//     infinities, lone surrogates, duplicate names (the last wins), a UTF-8 byte-order mark.
//   - ParseStrict is for whatever comes from a party to the challenge. It refuses, beyond that, duplicate names, invalid UTF-8, lone
//     surrogates, a byte-order mark, NaN and the infinities, and numbers that overflow a double.
//
// A document is a flat slice of small nodes over one copy of the text; a Value is an index into it. Strings with no escape are
// slices of that copy, so a Value keeps its whole document in memory.
//
// Example: {"b":1.0,"a":"é"} has the canonical text
//
//	{"a":"\u00e9","b":1.0}
//
// whose SHA-256 is 8b3040a03e6b64d84012168038bf0f1dd0e6158376829eb58edf49e50d55e8ce.
package canon
