package conformance_test

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// rebound edits the bindings of the freeze.
func rebound(f func(list []any) []any) recipe { return recipe{frozen: f} }

// firstFreeze edits the only freeze of freeze.json.
func firstFreeze(f func(o mint.Object) mint.Object) recipe {
	return recipe{after: func(s *small) {
		list := s.freeze.Get("freezes").([]any)
		s.freeze = edited(s.freeze, "freezes", []any{f(list[0].(mint.Object))})
	}}
}

var freezeCases = []seasonFault{
	{"text-changed", "The human text was changed after the freeze", "Its hash is not the value that was anchored", recipe{after: func(s *small) { s.text = append(s.text, "Note.\n"...) }}, notFrozen("binding_differs")},
	{"scale-changed", "The minimum of the scale was changed after the freeze", "Its hash is not the value that was anchored", recipe{after: func(s *small) {
		s.more["freeze/bareme-conformite.json"] = bytes.Replace(mint.Indented(s.scale), []byte(`"min_assertions": 2`), []byte(`"min_assertions": 3`), 1)
	}}, notFrozen("binding_differs")},
	{"key-changed", "The verdict of the key was changed after the freeze", "Its salted hash is not the value that was anchored", recipe{after: func(s *small) {
		s.more["freeze/key-conformite.json"] = bytes.Replace(mint.Indented(s.key), []byte(`"conforme"`), []byte(`"non_conforme"`), 1)
	}}, notFrozen("binding_differs")},
	{"manifest-respelled", "The manifest has one more line break at its end", "Frozen bytes are compared, white space included", recipe{after: func(s *small) { s.more["corpus/manifest.json"] = append(mint.Indented(s.manifest), '\n') }}, notFrozen("binding_differs")},
	{"salt-changed", "One digit of the revealed salt is another", "The salted hash is not the value that was anchored", rebound(func(l []any) []any {
		o := l[3].(mint.Object)
		return append(l[:3:3], edited(o, "salt", flipped(textAt(o, "salt"))))
	}), notFrozen("binding_differs")},
	{"key-unsalted", "The key is bound without a salt", "It could be guessed before the season", recipe{
		plain: true, frozen: func(l []any) []any { return append(l[:3:3], l[3].(mint.Object).Without("salt")) }}, notFrozen("key_binding_unsalted")},
	{"scale-not-bound", "No freeze binds the scale", "Each track's scale must be bound by a current freeze", rebound(func(l []any) []any { return slices.Delete(slices.Clone(l), 1, 2) }), notFrozen("binding_missing")},
	{"manifest-not-bound", "No freeze binds the manifest", "The corpus must be bound by a current freeze", rebound(func(l []any) []any { return slices.Delete(slices.Clone(l), 2, 3) }), notFrozen("binding_missing")},
	{"binding-without-value", "A binding points at nothing in the request", "There is no value to compare with", rebound(func(l []any) []any {
		return append([]any{edited(l[0].(mint.Object), "pointer", "/payload/sections/rien")}, l[1:]...)
	}), notFrozen("binding_without_value")},
	{"request-changed", "The request of freeze.json is not the one that was proxied", "Its hash is not the opened request_hash", firstFreeze(func(o mint.Object) mint.Object { return edited(o, "request/amount", mint.Literal("0")) }), notFrozen("freeze_request_differs")},
	{"freeze-late", "The token of the freeze is one second after the opening", "What is frozen is frozen before the season opens", recipe{freezer: func(c *mint.Call, t *time.Time) { c.At, *t = at("2026-09-20T23:55:00Z"), at("2026-09-21T00:00:01Z") }}, notFrozen("freeze_after_opening")},
	{"freeze-key-unpublished", "The freeze's proof is signed by a key that nobody published", "A freeze is worth what its proof is worth", recipe{freezer: func(c *mint.Call, _ *time.Time) { c.Key = newWorld().keys[2] }}, notFrozen("kid_not_published")},
	{"freeze-2-1", "The freeze's proof is of version 2.1", "A freeze's proof is 3.0 or later", recipe{freezer: func(c *mint.Call, _ *time.Time) { c.Spec = "2.1" }}, notFrozen("no_commitments")},
	{"freeze-superseded-only", "The only freeze is superseded", "Each file must be bound by a current freeze", firstFreeze(func(o mint.Object) mint.Object {
		return mint.Obj("proof_id", o.Get("proof_id"), "status", "superseded", "reason", "Remplacé.", "request", o.Get("request"), "disclosures", o.Get("disclosures"), "bindings", o.Get("bindings"))
	}), notFrozen("binding_missing")},
	{"freeze-proof-missing", "The bundle lacks the freeze's proof", "It cannot be judged yet", recipe{after: func(s *small) { s.views = s.views[1:] }}, answer("incomplete", "freeze", "freeze_proof_missing", 3, nil)},
	{"freeze-proof-null", "The batch answer gives null for the freeze's proof", "The service says that it does not exist", recipe{after: func(s *small) { s.views = s.views.Set(s.views[0].Name, nil) }}, notFrozen("proof_null")},
}

// published is the index as the good season publishes it, with the given columns.
func published(unsupported, exact int) []byte {
	percent := map[bool]string{true: "100.00", false: "0.00"}
	var proofs []string
	for _, c := range claims {
		proofs = append(proofs, c.proof)
	}
	row := mint.Obj("participant", "agent-1", "name", "Agent un", "did", did,
		"overclaim", mint.Obj("unsupported", unsupported, "asserted", 3, "percent", percent[unsupported == 3]),
		"success", mint.Obj("exact", exact, "tasks", 1, "percent", percent[exact == 1]), "rendered", 1, "withheld", []any{}, "stack", "déclarée", "proofs", proofs)
	return mint.Indented(mint.Obj("format", "proveit.index/v1", "season", 1, "track", "conformite", "bareme", "conformite-bareme-v3",
		"best_constant", mint.Obj("verdict", "conforme", "success", mint.Obj("exact", 1, "tasks", 1, "percent", "100.00")),
		"tables", mint.Obj("reference", []any{}, "community", []any{row})))
}

func seasonMember(path string, value any) recipe {
	return recipe{after: func(s *small) { s.season = edited(s.season, path, value) }}
}

var bundleCases = []seasonFault{
	{"published-same", "The organizer published what follows from the bundle", "Row by row, value by value", recipe{after: func(s *small) { s.more["published/index-conformite.json"] = published(0, 1) }}, scored("status", "rendue", "success", "1/1")},
	{"published-differs", "The organizer published a success of none", "The published index is not what follows from the bundle", recipe{after: func(s *small) { s.more["published/index-conformite.json"] = published(0, 0) }},
		answer("differs", "published", "", 1, []string{"success", "1/1"})},
	{"page-respelled", "A page of the corpus has white space that the manifest does not describe", "Bytes are compared, white space included: no score", recipe{after: func(s *small) {
		s.more["corpus/"+pageFile("/entites/ENT-2")] = mint.Indented(s.pages.Get("/entites/ENT-2"))
	}}, answer("differs", "corpus", "corpus_differs", 1, nil)},
	{"page-missing", "A page of the corpus is missing", "It cannot be judged yet", recipe{after: func(s *small) { s.dropped = append(s.dropped, "corpus/"+pageFile("/entites/ENT-2")) }}, answer("incomplete", "missing", "file", 3, nil)},
	{"scale-version", "A scale of another version, frozen as it is", "A label that the program does not implement refuses to score", recipe{before: func(s *small) { s.scale = edited(s.scale, "version", "conformite-bareme-v9") }}, unusable()},
	{"scale-version-capital", "The version in capitals", "Labels are compared character for character", recipe{before: func(s *small) { s.scale = edited(s.scale, "version", "Conformite-bareme-v3") }}, unusable()},
	{"key-without-fact", "The key's only fact has no form", "A key that anything grounds is malformed", recipe{before: func(s *small) {
		s.key = smallKeyWith(mint.Obj("id", "f1", "forms", []any{}))
	}}, unusable()},
	{"format-unknown", "season.json says proveit.season/v2", "An unknown format is never guessed", seasonMember("format", "proveit.season/v2"), unusable()},
	{"path-outside", "season.json names an enrolment file above the bundle", "Paths have no ..", seasonMember("enrolments", "../enrolments.json"), unusable()},
	{"path-absolute", "season.json names an absolute path", "Paths have no leading /", seasonMember("manifest", "/corpus/manifest.json"), unusable()},
	{"season-duplicate", "opens_at stands twice in season.json", "Two readers would read two seasons", recipe{after: func(s *small) {
		s.more["season.json"] = bytes.Replace(mint.Indented(s.season), []byte("{"), []byte(`{"opens_at": "2026-01-01T00:00:00Z",`), 1)
	}}, unusable()},
	{"enrolled-twice", "One DID is enrolled twice", "Whose a submission is must not be ambiguous", recipe{before: func(s *small) {
		list := s.enrolments.Get("participants").([]any)
		s.enrolments = edited(s.enrolments, "participants", append(list, edited(list[0].(mint.Object), "id", "agent-2")))
	}}, unusable()},
	{"no-submission", "Nobody submitted anything", "Nothing examined is never success", recipe{after: func(s *small) { s.dropped = append(s.dropped, taskFile) }}, unusable()},
	{"no-season", "The bundle has no season.json", "Nothing says what it is", recipe{after: func(s *small) { s.dropped = append(s.dropped, "season.json") }}, unusable()},
	{"stranger", "A folder of submissions that belongs to nobody enrolled", "It is reported and not scored; the others are", recipe{after: func(s *small) {
		s.more[strings.Replace(taskFile, "agent-1", "agent-9", 1)] = mint.Indented(s.submission)
	}}, scored("status", "rendue", "success", "1/1")},
}

func smallKeyWith(fact mint.Object) mint.Object {
	return mint.Obj("format", "proveit.key/v1", "season", 1, "track", "conformite",
		"tasks", []any{mint.Obj("task_id", "conf-01", "verdict", "conforme", "family", "P2", "control", false, "facts", []any{fact})})
}
