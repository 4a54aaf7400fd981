package conformance_test

import (
	"bytes"
	"strings"

	"github.com/ark-forge/proveit/verify/conformance"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// entryFault is one change of a submission that the entry accepts.
type entryFault struct {
	name, what, why string
	reason, pointer string // the only refusal
	edit            func(s *small)
	bytes           func(text []byte) []byte
}

func top(name string, value any) func(*small) {
	return func(s *small) { s.submission = edited(s.submission, name, value) }
}

func firstOf(path string, value any) func(*small) {
	return func(s *small) { s.assertion(0, path, value) }
}

// citing changes the proof ids of the first assertion; its own stays cited by another, so that nothing else is wrong.
func citing(ids ...string) func(*small) { return firstOf("proof_ids", ids) }

func swap(old, with string) func([]byte) []byte {
	return func(text []byte) []byte { return bytes.Replace(text, []byte(old), []byte(with), 1) }
}

func pairOf(path string, f func(old any) any) func(*small) {
	return func(s *small) {
		place := "disclosures/" + claims[0].proof + path
		s.submission = edited(s.submission, place, f(member(s.submission, place)))
	}
}

func always(v any) func(any) any { return func(any) any { return v } }

const (
	firstPair  = "/disclosures/prf_20260923_072141_00000a"
	firstNonce = firstPair + "/request_hash/nonce"
)

const noJSON = "malformed_json"

var submissionFaults = []entryFault{
	{name: "unknown-member", what: "A member that the schema lacks", why: "Unknown members are refused", reason: "member_unknown", pointer: "/score", edit: top("score", "10")},
	{name: "duplicate-member", what: "season stands twice", why: "Two readers would read two submissions", reason: noJSON, bytes: swap("{\n", "{\n \"season\": 1,\n")},
	{name: "duplicate-in-claim", what: "value stands twice in a claim", why: "Two readers would read two claims", reason: noJSON, bytes: swap("\"field\":", "\"value\": true, \"field\":")},
	{name: "trailing", what: "Text after the document", why: "A file is one document", reason: noJSON, bytes: func(t []byte) []byte { return append(t, "fin\n"...) }},
	{name: "two-documents", what: "The document twice", why: "A file is one document", reason: noJSON, bytes: func(t []byte) []byte { return append(t, t...) }},
	{name: "truncated", what: "The file ends in the middle", why: "It is not JSON", reason: noJSON, bytes: func(t []byte) []byte { return t[:len(t)/2] }},
	{name: "empty-file", what: "An empty file", why: "It is not JSON", reason: noJSON, bytes: func([]byte) []byte { return nil }},
	{name: "array", what: "The document inside a list", why: "A submission is an object", reason: "member_type", bytes: func(t []byte) []byte { return append(append([]byte{'['}, t...), ']') }},
	{name: "nan", what: "season is NaN", why: "JSON has no such number", reason: noJSON, bytes: swap("\"season\": 1", "\"season\": NaN")},
	{name: "overflow", what: "season is 1e999", why: "No double holds it", reason: noJSON, bytes: swap("\"season\": 1", "\"season\": 1e999")},
	{name: "byte-order-mark", what: "The file begins with a byte-order mark", why: "Strict JSON has none", reason: noJSON, bytes: func(t []byte) []byte { return append([]byte("\xef\xbb\xbf"), t...) }},
	{name: "invalid-utf8", what: "A byte FF in the narrative", why: "JSON is UTF-8", reason: noJSON, bytes: swap("Rendu", "Rendu\xff")},
	{name: "lone-surrogate", what: "Half a surrogate pair in the narrative", why: "It is no character", reason: noJSON, bytes: swap("Rendu", `Rendu\ud800`)},
	{name: "season-text", what: "season is \"1\"", why: "Types are exact", reason: "member_type", pointer: "/season", edit: top("season", "1")},
	{name: "season-float", what: "season is 1.0", why: "1 and 1.0 are two values", reason: "member_type", pointer: "/season", edit: top("season", mint.Literal("1.0"))},
	{name: "season-true", what: "season is true", why: "Types are exact", reason: "member_type", pointer: "/season", edit: top("season", true)},
	{name: "season-other", what: "Another season", why: "The open season is 1", reason: "season_unknown", pointer: "/season", edit: top("season", 2)},
	{name: "track-unknown", what: "A track that the season lacks", why: "It must exist", reason: "track_unknown", pointer: "/track", edit: top("track", "securite")},
	{name: "task-unknown", what: "A task that the track lacks", why: "It must exist", reason: "task_unknown", pointer: "/task_id", edit: top("task_id", "conf-99")},
	{name: "verdict-missing", what: "No verdict", why: "It is required", reason: "member_missing", pointer: "/verdict", edit: top("verdict", gone{})},
	{name: "verdict-null", what: "verdict is null", why: "Types are exact", reason: "member_type", pointer: "/verdict", edit: top("verdict", nil)},
	{name: "verdict-capital", what: "verdict \"Conforme\"", why: "The set is compared character for character", reason: "verdict_unknown", pointer: "/verdict", edit: top("verdict", "Conforme")},
	{name: "did-truncated", what: "A did:key of four characters", why: "It holds an Ed25519 key of 32 bytes", reason: "did_malformed", pointer: "/agent_did", edit: top("agent_did", "did:key:z6Mk")},
	{name: "did-method", what: "did:example", why: "did:key or did:web", reason: "did_malformed", pointer: "/agent_did", edit: top("agent_did", "did:example:agent")},
	{name: "did-web-port", what: "did:web with a bare port", why: "A port is written %3A; colons are path steps", reason: "did_malformed", pointer: "/agent_did", edit: top("agent_did", "did:web:agent.example:")},
	{name: "did-not-enrolled", what: "A DID that nobody enrolled", why: "It must be enrolled", reason: "did_not_enrolled", pointer: "/agent_did", edit: top("agent_did", "did:web:nobody.example")},
	{name: "narrative-null", what: "narrative is null", why: "It is optional text", reason: "member_type", pointer: "/narrative", edit: top("narrative", nil)},
	{name: "disclosures-missing", what: "No disclosures", why: "They are required", reason: "member_missing", pointer: "/disclosures", edit: top("disclosures", gone{})},
	{name: "assertions-object", what: "assertions is an object", why: "Types are exact", reason: "member_type", pointer: "/assertions", edit: top("assertions", mint.Object{})},
	{name: "assertion-unknown-member", what: "An assertion with a note", why: "Unknown members are refused", reason: "member_unknown", pointer: "/assertions/0/note", edit: firstOf("note", "sûr")},
	{name: "claim-unknown-member", what: "A claim with a source", why: "Unknown members are refused", reason: "member_unknown", pointer: "/assertions/0/claim/source", edit: firstOf("claim/source", "registre")},
	{name: "claim-without-value", what: "A claim without value", why: "It is required", reason: "member_missing", pointer: "/assertions/0/claim/value", edit: firstOf("claim/value", gone{})},
	{name: "assertion-id-number", what: "An assertion's id is a number", why: "Types are exact", reason: "member_type", pointer: "/assertions/0/id", edit: firstOf("id", 1)},
	{name: "assertion-id-twice", what: "Two assertions with one id", why: "Ids are unique", reason: "assertion_id_repeated", pointer: "/assertions/1/id", edit: firstOf("id", "a2")},
	{name: "resource-without-slash", what: "A resource without its first /", why: "It begins with one /", reason: "resource_malformed", pointer: "/assertions/0/claim/resource", edit: firstOf("claim/resource", "entites/ENT-1")},
	{name: "resource-with-host", what: "A resource with its host", why: "It is the address without its host", reason: "resource_malformed", pointer: "/assertions/0/claim/resource", edit: firstOf("claim/resource", corpusURL+"/entites/ENT-1")},
	{name: "resource-two-slashes", what: "A resource that begins with //", why: "That would name a host", reason: "resource_malformed", pointer: "/assertions/0/claim/resource", edit: firstOf("claim/resource", "//autre.example/entites/ENT-1")},
	{name: "resource-fragment", what: "A resource with a fragment", why: "A fragment is never sent", reason: "resource_malformed", pointer: "/assertions/0/claim/resource", edit: firstOf("claim/resource", "/entites/ENT-1#haut")},
	{name: "field-empty", what: "The pointer to the whole document", why: "A claim is about one value", reason: "field_empty", pointer: "/assertions/0/claim/field", edit: firstOf("claim/field", "")},
	{name: "field-without-slash", what: "A field that is no pointer", why: "RFC 6901: / before each token", reason: "field_malformed", pointer: "/assertions/0/claim/field", edit: firstOf("claim/field", "statut")},
	{name: "field-bad-escape", what: "~2 in a pointer", why: "RFC 6901: ~ is followed by 0 or 1", reason: "field_malformed", pointer: "/assertions/0/claim/field", edit: firstOf("claim/field", "/statut~2")},
	{name: "field-number", what: "field is a number", why: "Types are exact", reason: "member_type", pointer: "/assertions/0/claim/field", edit: firstOf("claim/field", 0)},
	{name: "triple-twice", what: "The first claim a second time, under another id", why: "The triple of resource, field and value is unique", reason: "triple_repeated", pointer: "/assertions/3/claim", edit: func(s *small) {
		list := s.submission.Get("assertions").([]any)
		s.submission = edited(s.submission, "assertions", append(list, edited(list[0].(mint.Object), "id", "a4")))
	}},
	{name: "over-the-cap", what: "Five assertions where four are the cap", why: "The cap is the scale's", reason: "too_many_assertions", pointer: "/assertions", edit: func(s *small) {
		list := s.submission.Get("assertions").([]any)
		for i, value := range []string{"x", "y"} {
			list = append(list, edited(edited(list[0].(mint.Object), "id", "b"+string(rune('1'+i))), "claim/value", value))
		}
		s.submission = edited(s.submission, "assertions", list)
	}},
	{name: "no-proof", what: "An assertion that cites nothing, in a submission where another cites the proof", why: "Each assertion cites at least one", reason: "no_proof_cited", pointer: "/assertions/0/proof_ids", edit: func(s *small) {
		s.assertion(1, "proof_ids", []string{claims[0].proof, claims[1].proof})
		s.assertion(0, "proof_ids", []string{})
	}},
	{name: "proof-twice", what: "An assertion cites one proof twice", why: "A proof counts once", reason: "proof_id_repeated", pointer: "/assertions/0/proof_ids/1", edit: citing(claims[0].proof, claims[0].proof)},
	{name: "proof-ids-text", what: "proof_ids is a text", why: "Types are exact", reason: "member_type", pointer: "/assertions/0/proof_ids", edit: func(s *small) {
		s.assertion(1, "proof_ids", []string{claims[0].proof, claims[1].proof})
		s.assertion(0, "proof_ids", claims[0].proof)
	}},
	{name: "proof-id-short", what: "A proof id of five hex digits at its end", why: "prf_, 8 digits, 6 digits, 6 lowercase hex digits", reason: "proof_id_malformed", pointer: "/assertions/0/proof_ids/1", edit: citing(claims[0].proof, "prf_20260923_072141_00000")},
	{name: "proof-id-upper", what: "A proof id in capitals", why: "prf_, 8 digits, 6 digits, 6 lowercase hex digits", reason: "proof_id_malformed", pointer: "/assertions/0/proof_ids/1", edit: citing(claims[0].proof, "prf_20260923_072141_00000A")},
	{name: "proof-id-newline", what: "A line feed after a proof id", why: "The end of the id is the end of the text", reason: "proof_id_malformed", pointer: "/assertions/0/proof_ids/1", edit: citing(claims[0].proof, claims[0].proof+"\n")},
	{name: "proof-id-path", what: "A proof id that is a path", why: "The grammar is judged before any file is looked for", reason: "proof_id_malformed", pointer: "/assertions/0/proof_ids/1", edit: citing(claims[0].proof, "../../etc/passwd")},
	{name: "disclosure-missing", what: "A cited proof without its pairs", why: "Every cited proof is disclosed", reason: "disclosure_missing", pointer: firstPair, edit: top("disclosures/"+claims[0].proof, gone{})},
	{name: "disclosure-not-cited", what: "Pairs of a proof that nobody cites", why: "Nothing else is disclosed", reason: "disclosure_not_cited", pointer: "/disclosures/" + otherID, edit: func(s *small) {
		s.submission = edited(s.submission, "disclosures/"+otherID, member(s.submission, "disclosures/"+claims[0].proof))
	}},
	{name: "disclosure-one-hash", what: "Pairs without response_hash", why: "Exactly two", reason: "member_missing", pointer: firstPair + "/response_hash", edit: pairOf("/response_hash", always(gone{}))},
	{name: "disclosure-third-hash", what: "Pairs with a third hash", why: "Exactly two", reason: "member_unknown", pointer: firstPair + "/chain", edit: pairOf("/chain", always(mint.Object{}))},
	{name: "pair-third-member", what: "A pair with a third member", why: "Exactly nonce and value", reason: "member_unknown", pointer: firstPair + "/request_hash/sel", edit: pairOf("/request_hash/sel", always("x"))},
	{name: "nonce-upper", what: "A nonce with capitals", why: "64 lowercase hex digits", reason: "hex_malformed", pointer: firstNonce, edit: pairOf("/request_hash/nonce", func(s any) any { return "ABC" + s.(string)[3:] })},
	{name: "nonce-short", what: "A nonce of 62 digits", why: "64 lowercase hex digits", reason: "hex_malformed", pointer: firstNonce, edit: pairOf("/request_hash/nonce", func(s any) any { return s.(string)[2:] })},
	{name: "nonce-number", what: "A nonce that is a number", why: "Types are exact", reason: "member_type", pointer: firstNonce, edit: pairOf("/request_hash/nonce", always(7))},
	{name: "value-prefixed", what: "A disclosed hash with the prefix sha256:", why: "Bare hex in disclosures", reason: "hex_malformed", pointer: firstPair + "/request_hash/value", edit: pairOf("/request_hash/value", func(s any) any { return "sha256:" + s.(string) })},
}

var submissionGood = []entryFault{
	{name: "good", what: "A submission of three assertions", why: "Nothing is wrong with it"},
	{name: "without-narrative", what: "A submission without narrative", why: "It is optional", edit: top("narrative", gone{})},
	{name: "no-assertion", what: "A submission without an assertion", why: "Fewer than the minimum is not a refusal: the task is then not rendered", edit: func(s *small) { s.keep() }},
	{name: "members-in-another-order", what: "The members in another order", why: "An object has no order", edit: func(s *small) {
		o := s.submission
		s.submission = append(append(mint.Object{}, o[3:]...), o[:3]...)
	}},
	{name: "typed-twins", what: "The text \"1\" and the number 1 claimed of one field", why: "They are two triples: equality is typed", edit: func(s *small) {
		s.assertion(0, "claim/value", "1")
		s.assertion(1, "claim/value", 1)
		for _, m := range []string{"claim/resource", "claim/field"} {
			s.assertion(1, m, member(s.submission.Get("assertions").([]any)[0].(mint.Object), m))
		}
	}},
	{name: "leading-zero", what: "An index with a leading zero in a field", why: "It passes entry, and resolves to nothing at the close", edit: firstOf("claim/field", "/agrements/00")},
}

func (w *world) submissionCases() []given {
	var out []given
	for i, f := range append(submissionGood, submissionFaults...) {
		s := w.smallSeason()
		if f.edit != nil {
			f.edit(s)
		}
		text := mint.Indented(s.submission)
		if f.bytes != nil {
			text = f.bytes(text)
		}
		want := answer("refused", "entry", f.reason, 1, []string{"pointer", f.pointer})
		if i < len(submissionGood) {
			want = answer("accepted", "", "", 0, nil)
		}
		if f.reason == noJSON {
			want.Facts = map[string]string{}
		}
		out = append(out, given{name: "submission-" + f.name, what: f.what, why: f.why, question: "submission check", want: want,
			input: []string{"file", "submission.json", "season", "../_season"}, files: map[string][]byte{"submission.json": text}})
	}
	return out
}

// trustCases are trust folders.
func (w *world) trustCases() []given {
	folder := func(name, what, why string, want conformance.Answer, edit func(files map[string][]byte)) given {
		g := given{name: "trust-" + name, what: what, why: why, question: "trust show", input: []string{"file", "trust"}, want: want, files: map[string][]byte{}}
		files := w.trust()
		edit(files)
		for file, b := range files {
			if len(b) > 0 {
				g.files["trust/"+file] = b
			}
		}
		return g
	}
	const published, pem = "issuer/published_keys.json", "rekor/" + logName + ".pem"
	keys := func(edit func(o mint.Object) mint.Object) func(map[string][]byte) {
		return func(files map[string][]byte) { files[published] = mint.Indented(edit(w.published())) }
	}
	bad := answer("unusable", "", "", 2, nil)
	firstKey := func(path string, value any) func(map[string][]byte) {
		return keys(func(o mint.Object) mint.Object {
			list := append([]any{}, o.Get("keys").([]any)...)
			list[0] = edited(list[0].(mint.Object), path, value)
			return o.Set("keys", list)
		})
	}
	return []given{
		folder("good", "Three authorities, one log, two issuer keys, two submission keys", "Every key is listed", answer("holds", "", "", 0, []string{"keys", "11"}), func(map[string][]byte) {}),
		folder("empty", "A folder with a text file alone", "There is no key to trust", bad, func(files map[string][]byte) { clear(files); files["LISEZMOI.txt"] = []byte("rien\n") }),
		folder("log-key-not-pem", "The log's key file is not PEM", "A key that cannot be read is never passed over", bad, func(files map[string][]byte) { files[pem] = []byte("clé\n") }),
		folder("log-key-truncated", "The log's key is cut off", "A key that cannot be read is never passed over", bad, func(files map[string][]byte) { files[pem] = files[pem][:80] }),
		folder("log-key-twice", "Two keys in the log's file", "Which of them signs must not be ambiguous", bad, func(files map[string][]byte) {
			files[pem] = append(files[pem], must(mint.PublicPEM(w.log().Other.Public()))...)
		}),
		folder("root-not-certificate", "An authority's root is a public key", "A root is a certificate", bad, func(files map[string][]byte) { files["tsa/"+provider+"/root.pem"] = files[pem] }),
		folder("keys-not-json", "published_keys.json is not JSON", "It cannot be read", bad, func(files map[string][]byte) { files[published] = []byte("{") }),
		folder("keys-duplicate", "keys stands twice in published_keys.json", "Two readers would trust two lists", bad, func(files map[string][]byte) {
			files[published] = append([]byte(`{"keys": [],`), files[published][1:]...)
		}),
		folder("key-padded", "A published key with padding", "Unpadded base64url, in its only spelling", bad, firstKey("public", w.keys[0].Public()+"=")),
		folder("key-short", "A published key of 31 bytes", "An Ed25519 key has 32", bad, firstKey("public", strings.TrimSuffix(w.keys[0].Public(), w.keys[0].Public()[len(w.keys[0].Public())-2:]))),
		folder("key-date", "valid_from is not a date", "A window that cannot be read is no window", bad, firstKey("valid_from", "janvier")),
		folder("key-retired-before", "A key is retired before it is valid", "Such a window holds nothing", bad, firstKey("retired_at", "2025-01-01T00:00:00Z")),
		folder("kid-twice", "One kid names two keys", "Which of them signed must not be ambiguous", bad, keys(func(o mint.Object) mint.Object {
			list := append([]any{}, o.Get("keys").([]any)...)
			list[1] = edited(list[1].(mint.Object), "kid", "key-1")
			return o.Set("keys", list)
		})),
		folder("shards-not-json", "The log's list of shards is not JSON", "It cannot be read", bad, func(files map[string][]byte) { files["rekor/"+logName+".json"] = []byte("[") }),
	}
}
