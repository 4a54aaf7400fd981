package conformance_test

import (
	"time"

	"github.com/ark-forge/proveit/verify/conformance"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// trimmed leaves what "freeze verify" looks at: season.json, what is frozen, and the freeze's own proof.
func trimmed(f func(s *small)) recipe {
	return recipe{after: func(s *small) {
		s.views, s.entries = s.views[:1], s.entries[:1]
		s.dropped = append(s.dropped, taskFile, "enrolments.json")
		for _, m := range s.pages {
			s.dropped = append(s.dropped, "corpus/"+pageFile(m.Name))
		}
		for _, m := range s.system {
			s.dropped = append(s.dropped, "corpus/"+pageFile(m.Name))
		}
		if f != nil {
			f(s)
		}
	}}
}

// record edits the only freeze of freeze.json.
func record(f func(o mint.Object) mint.Object) recipe {
	return trimmed(func(s *small) {
		list := s.freeze.Get("freezes").([]any)
		s.freeze = edited(s.freeze, "freezes", []any{f(list[0].(mint.Object))})
	})
}

// binding edits the n-th binding of the freeze: text, scale, manifest, key.
func binding(n int, member string, value any) recipe {
	return record(func(o mint.Object) mint.Object {
		list := o.Get("bindings").([]any)
		out := append([]any{}, list...)
		out[n] = edited(list[n].(mint.Object), member, value)
		return o.Set("bindings", out)
	})
}

// frozenBy is trimmed with another proof of the freeze.
func frozenBy(f func(c *mint.Call, token *time.Time)) recipe {
	r := trimmed(nil)
	r.freezer = f
	return r
}

func tokenOfFreeze(s string) recipe {
	return frozenBy(func(c *mint.Call, token *time.Time) { c.At, *token = at("2026-09-20T23:55:00Z"), at(s) })
}

func differsAt(check, reason string) conformance.Answer {
	return answer("differs", check, reason, 1, nil)
}

func openAt(check, reason string) conformance.Answer {
	return answer("incomplete", check, reason, 3, nil)
}

var freezeVerifyCases = []seasonFault{
	{"good", "A freeze of text, scale, manifest and salted key", "It is anchored before the opening and binds everything", trimmed(nil), answer("holds", "", "", 0, []string{"token_time", "2026-09-19T12:00:00Z"})},
	{"at-opening", "The token is of the very moment of the opening", "Not later than the opening", tokenOfFreeze(opensAt), answer("holds", "", "", 0, []string{"token_time", opensAt})},
	{"one-second-late", "The token is one second after the opening", "What is frozen is frozen before the season opens", tokenOfFreeze("2026-09-21T00:00:01Z"), differsAt("freeze_opening", "freeze_after_opening")},
	{"key-spaced", "The key has one more line break at its end", "Frozen bytes are compared, white space included", trimmed(func(s *small) {
		s.more["freeze/key-conformite.json"] = append(mint.Indented(s.key), '\n')
	}), differsAt("freeze_binding", "binding_differs")},
	{"scale-respelled", "The scale is written without white space", "Frozen bytes are compared, whatever they mean", trimmed(func(s *small) {
		s.more["freeze/bareme-conformite.json"] = mint.Compact(s.scale)
	}), differsAt("freeze_binding", "binding_differs")},
	{"files-exchanged", "The bindings of text and scale name each other's file", "Each hash is that of its own file", record(func(o mint.Object) mint.Object {
		list := o.Get("bindings").([]any)
		text, scale := list[0].(mint.Object), list[1].(mint.Object)
		return o.Set("bindings", append([]any{edited(text, "file", scale.Get("file")), edited(scale, "file", text.Get("file"))}, list[2:]...))
	}), differsAt("freeze_binding", "binding_differs")},
	{"pointer-to-text", "A binding points at the target of the request", "What is anchored is 64 hexadecimal digits", binding(0, "pointer", "/target"), differsAt("freeze_binding", "binding_without_value")},
	{"pointer-upper", "A binding's pointer has a capital", "Names are compared character for character", binding(0, "pointer", "/payload/sections/Texte"), differsAt("freeze_binding", "binding_without_value")},
	{"request-target", "The request of freeze.json names another target", "The hash of the request is not the opened one", record(func(o mint.Object) mint.Object {
		return edited(o, "request/target", "https://organizer.example/gel")
	}), differsAt("freeze_request", "freeze_request_differs")},
	{"request-hash-changed", "The request of freeze.json has the hash of a text that was changed, which is bound", "What was anchored is the request that was proxied, no other", trimmed(func(s *small) {
		s.text = append(s.text, "Note.\n"...)
		list := s.freeze.Get("freezes").([]any)
		s.freeze = edited(s.freeze, "freezes", []any{edited(list[0].(mint.Object), "request/payload/sections/texte", sumOf(s.text))})
	}), differsAt("freeze_request", "freeze_request_differs")},
	{"nonce", "One digit of the nonce that opens the request is another", "The pair does not open, and the proof does not hold with it", record(func(o mint.Object) mint.Object {
		return edited(o, "disclosures/request_hash/nonce", flipped(textAt(o, "disclosures/request_hash/nonce")))
	}), differsAt("freeze_proof", "request_differs")},
	{"chain-flip", "One digit of the chain hash of the freeze's proof is another", "A freeze is worth what its proof is worth", trimmed(func(s *small) {
		v := s.views[0].Value.(mint.Object)
		s.views = s.views.Set(s.views[0].Name, edited(v, "hashes/chain", flipped(textAt(v, "hashes/chain"))))
	}), differsAt("freeze_proof", "chain_hash_differs")},
	{"text-not-bound", "No freeze binds the human text", "Each track's text must be bound by a current freeze", record(func(o mint.Object) mint.Object {
		return o.Set("bindings", o.Get("bindings").([]any)[1:])
	}), differsAt("freeze_covered", "binding_missing")},
	{"key-not-bound", "No freeze binds the answer key", "Each track's key must be bound by a current freeze", record(func(o mint.Object) mint.Object {
		return o.Set("bindings", o.Get("bindings").([]any)[:3])
	}), differsAt("freeze_covered", "binding_missing")},
	{"entry-missing", "The bundle lacks the log entry of the freeze's proof", "It cannot be judged yet", trimmed(func(s *small) { s.dropped = append(s.dropped, "rekor/entries.json") }), openAt("freeze_proof", "freeze_proof_missing")},
	{"file-missing", "The bundle lacks the human text", "There is nothing to hash yet", trimmed(func(s *small) { s.dropped = append(s.dropped, "freeze/bareme-conformite.md") }), openAt("freeze_binding", "bound_file_missing")},
	{"none", "The bundle lacks freeze.json", "Nothing says what was frozen", trimmed(func(s *small) { s.dropped = append(s.dropped, "freeze/freeze.json") }), openAt("freeze_file", "freeze_file_missing")},
	{"salt-short", "The salt has 62 digits", "A salt is 32 bytes", record(func(o mint.Object) mint.Object {
		list := o.Get("bindings").([]any)
		key := list[3].(mint.Object)
		return o.Set("bindings", append(list[:3:3], edited(key, "salt", textAt(key, "salt")[:62])))
	}), unusable()},
	{"path-outside", "A binding names a file above the bundle", "Paths have no ..", binding(0, "file", "../bareme-conformite.md"), unusable()},
	{"status-unknown", "The status of the freeze is \"actuel\"", "A freeze is current or superseded", record(func(o mint.Object) mint.Object { return edited(o, "status", "actuel") }), unusable()},
	{"superseded-without-reason", "A superseded freeze that does not say why", "The reason is published with it", record(func(o mint.Object) mint.Object { return edited(o, "status", "superseded") }), unusable()},
	{"one-proof-twice", "Two freezes by one proof", "A proof anchors one request", trimmed(func(s *small) {
		list := s.freeze.Get("freezes").([]any)
		s.freeze = edited(s.freeze, "freezes", []any{list[0], list[0]})
	}), unusable()},
}

func (w *world) freezeCases() []given {
	var out []given
	for _, f := range freezeVerifyCases {
		g := given{name: "freeze-" + f.name, what: f.what, why: f.why, question: "freeze verify", input: []string{"file", "bundle", "trust", "../_trust"}, files: map[string][]byte{}, want: f.want}
		for name, b := range w.smallSeasonBy(f.recipe).files() {
			g.files["bundle/"+name] = b
		}
		out = append(out, g)
	}
	return out
}
