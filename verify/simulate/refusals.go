package simulate

import (
	"bytes"
	"strings"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// refusal is one way in which a submission is not what the schema asks; entry refuses it whatever its proofs are worth.
type refusal struct {
	name     string
	only     string                                   // the one track on which the rule makes sense; empty: both
	document func(b *builder, doc mint.Object) []byte // nil: as it is
}

// rewritten edits the document before it is written.
func rewritten(edit func(b *builder, doc mint.Object) mint.Object) func(*builder, mint.Object) []byte {
	return func(b *builder, doc mint.Object) []byte { return mint.Indented(edit(b, doc)) }
}

// member replaces a member of the submission.
func member(name string, value any) func(*builder, mint.Object) []byte {
	return rewritten(func(_ *builder, doc mint.Object) mint.Object { return doc.Set(name, value) })
}

// without drops a member of the submission.
func without(name string) func(*builder, mint.Object) []byte {
	return rewritten(func(_ *builder, doc mint.Object) mint.Object { return doc.Without(name) })
}

// bytesOf edits the written document.
func bytesOf(edit func(text []byte) []byte) func(*builder, mint.Object) []byte {
	return func(_ *builder, doc mint.Object) []byte { return edit(mint.Indented(doc)) }
}

// swapped replaces the first occurrence of a text in the written document.
func swapped(old, with string) func(*builder, mint.Object) []byte {
	return bytesOf(func(text []byte) []byte { return bytes.Replace(text, []byte(old), []byte(with), 1) })
}

// first edits the first assertion.
func first(edit func(a mint.Object) mint.Object) func(*builder, mint.Object) []byte {
	return rewritten(func(_ *builder, doc mint.Object) mint.Object {
		list, _ := doc.Get("assertions").([]any)
		a, _ := list[0].(mint.Object)
		list[0] = edit(a)
		return doc
	})
}

// claimed edits a member of the first claim.
func claimed(name string, value func(old string) any) func(*builder, mint.Object) []byte {
	return first(func(a mint.Object) mint.Object {
		c, _ := a.Get("claim").(mint.Object)
		old, _ := c.Get(name).(string)
		return a.Set("claim", c.Set(name, value(old)))
	})
}

// cites edits the proof ids of the first assertion.
func cites(edit func(id string) any) func(*builder, mint.Object) []byte {
	return first(func(a mint.Object) mint.Object {
		ids, _ := a.Get("proof_ids").([]string)
		return a.Set("proof_ids", edit(ids[0]))
	})
}

// disclosed edits the pairs of the first cited proof.
func disclosed(edit func(pairs mint.Object) mint.Object) func(*builder, mint.Object) []byte {
	return rewritten(func(_ *builder, doc mint.Object) mint.Object {
		all, _ := doc.Get("disclosures").(mint.Object)
		pairs, _ := all[0].Value.(mint.Object)
		all[0].Value = edit(pairs)
		return doc
	})
}

// pairText edits one text of the first pair.
func pairText(name string, value func(old string) any) func(*builder, mint.Object) []byte {
	return disclosed(replaced(func(old any) any { s, _ := old.(string); return value(s) }, "request_hash", name))
}

// repeated adds the first assertion once more, edited.
func repeated(edit func(a mint.Object) mint.Object) func(*builder, mint.Object) []byte {
	return rewritten(func(_ *builder, doc mint.Object) mint.Object {
		list, _ := doc.Get("assertions").([]any)
		a, _ := list[0].(mint.Object)
		return doc.Set("assertions", append(list, edit(append(mint.Object{}, a...))))
	})
}

// fixedText is an edit that puts a value in the place of any text.
func fixedText(v any) func(string) any { return func(string) any { return v } }

// refusals are the rules of entry (§4), one each.
var refusals = []refusal{
	{"unknown member", "", member("score", "10")},
	{"duplicate member", "", swapped("{\n", "{\n \"season\": 1,\n")},
	{"duplicate in a claim", "", swapped("\"field\":", "\"value\": true, \"field\":")},
	{"trailing text", "", bytesOf(func(t []byte) []byte { return append(t, "fin\n"...) })},
	{"two documents", "", bytesOf(func(t []byte) []byte { return append(t, t...) })},
	{"truncated", "", bytesOf(func(t []byte) []byte { return t[:len(t)/2] })},
	{"empty file", "", bytesOf(func([]byte) []byte { return nil })},
	{"array", "", bytesOf(func(t []byte) []byte { return append(append([]byte{'['}, t...), ']') })},
	{"not a number", "", swapped("\"season\": 1", "\"season\": NaN")},
	{"number that overflows", "", swapped("\"season\": 1", "\"season\": 1e999")},
	{"byte-order mark", "", bytesOf(func(t []byte) []byte { return append([]byte("\xef\xbb\xbf"), t...) })},
	{"invalid UTF-8", "", swapped("Rendu", "Rendu\xff")},
	{"lone surrogate", "", swapped("Rendu", `Rendu\ud800`)},
	{"member in capitals", "", swapped("\"verdict\"", "\"Verdict\"")},
	{"season as text", "", member("season", "1")},
	{"season as float", "", member("season", mint.Literal("1.0"))},
	{"season true", "", member("season", true)},
	{"other season", "", member("season", 2)},
	{"unknown track", "", member("track", "securite")},
	{"track of another folder", "", rewritten(func(b *builder, doc mint.Object) mint.Object {
		return doc.Set("track", map[string]string{"conformite": "generique", "generique": "conformite"}[text(doc, "track")])
	})},
	{"unknown task", "", member("task_id", "conf-99")},
	{"task of another file", "", rewritten(func(_ *builder, doc mint.Object) mint.Object {
		id := text(doc, "task_id")
		return doc.Set("task_id", id[:len(id)-1]+map[bool]string{true: "2", false: "1"}[strings.HasSuffix(id, "1")])
	})},
	{"missing verdict", "", without("verdict")},
	{"verdict null", "", member("verdict", nil)},
	{"unknown verdict", "conformite", member("verdict", "Conforme")},
	{"did truncated", "", rewritten(func(_ *builder, doc mint.Object) mint.Object { return doc.Set("agent_did", "did:key:z6Mk") })},
	{"did of another method", "", member("agent_did", "did:example:agent")},
	{"did of another participant", "", rewritten(func(b *builder, doc mint.Object) mint.Object { return doc.Set("agent_did", b.players[0].did) })},
	{"did not enrolled", "", rewritten(func(b *builder, doc mint.Object) mint.Object { return doc.Set("agent_did", b.stranger) })},
	{"narrative null", "", member("narrative", nil)},
	{"narrative number", "", member("narrative", 12)},
	{"missing disclosures", "", without("disclosures")},
	{"assertions object", "", member("assertions", mint.Object{})},
	{"unknown in assertion", "", first(func(a mint.Object) mint.Object { return a.Set("note", "sûr") })},
	{"unknown in claim", "", first(func(a mint.Object) mint.Object {
		c, _ := a.Get("claim").(mint.Object)
		return a.Set("claim", c.Set("source", "registre"))
	})},
	{"missing claim value", "", first(func(a mint.Object) mint.Object {
		c, _ := a.Get("claim").(mint.Object)
		return a.Set("claim", c.Without("value"))
	})},
	{"assertion id number", "", first(func(a mint.Object) mint.Object { return a.Set("id", 1) })},
	{"assertion id twice", "", first(func(a mint.Object) mint.Object { return a.Set("id", "a2") })},
	{"resource without slash", "", claimed("resource", func(r string) any { return r[1:] })},
	{"resource with host", "", claimed("resource", func(r string) any { return baseURL + r })},
	{"resource of another host", "", claimed("resource", func(r string) any { return "//autre.example" + r })},
	{"resource with fragment", "", claimed("resource", func(r string) any { return r + "#haut" })},
	{"field empty", "", claimed("field", fixedText(""))},
	{"field not a pointer", "", claimed("field", func(f string) any { return f[1:] })},
	{"field with a bad escape", "", claimed("field", func(f string) any { return f + "~2" })},
	{"field number", "", claimed("field", fixedText(0))},
	{"triple twice", "", repeated(func(a mint.Object) mint.Object { return a.Set("id", "bis") })},
	{"no proof cited", "", cites(fixedText([]string{}))},
	{"proof cited twice", "", cites(func(id string) any { return []string{id, id} })},
	{"proof_ids text", "", cites(func(id string) any { return id })},
	{"proof id too short", "", cites(func(id string) any { return []string{id[:len(id)-1]} })},
	{"proof id in capitals", "", cites(func(id string) any { return []string{strings.ToUpper(id)} })},
	{"proof id with a newline", "", cites(func(id string) any { return []string{id + "\n"} })},
	{"disclosure missing", "", member("disclosures", mint.Object{})},
	{"disclosure not cited", "", rewritten(func(_ *builder, doc mint.Object) mint.Object {
		all, _ := doc.Get("disclosures").(mint.Object)
		return doc.Set("disclosures", append(all, mint.Member{Name: "prf_20260922_101010_abcdef", Value: all[0].Value}))
	})},
	{"disclosure without response", "", disclosed(func(p mint.Object) mint.Object { return p.Without("response_hash") })},
	{"disclosure with a third hash", "", disclosed(func(p mint.Object) mint.Object { return p.Set("chain", p.Get("request_hash")) })},
	{"pair with a third member", "", disclosed(func(p mint.Object) mint.Object {
		o, _ := p.Get("request_hash").(mint.Object)
		return p.Set("request_hash", o.Set("sel", "x"))
	})},
	{"nonce in capitals", "", pairText("nonce", func(s string) any { return strings.ToUpper("abc" + s[3:]) })},
	{"nonce too short", "", pairText("nonce", func(s string) any { return s[2:] })},
	{"nonce number", "", pairText("nonce", fixedText(7))},
	{"value with prefix", "", pairText("value", func(s string) any { return "sha256:" + s })},
	{"over the cap", "", nil}, // one claim too many, see scene
	{"empty verdict", "generique", member("verdict", "")},
	{"verdict with a slash", "generique", rewritten(func(_ *builder, doc mint.Object) mint.Object {
		return doc.Set("verdict", "/produits/"+text(doc, "verdict"))
	})},
}

// refusalScenes spread the rules over the tasks of as many participants as it takes.
func refusalScenes() [][]scene {
	const tasks = 10
	var parts [][]scene
	used := map[int]bool{} // participant*2*tasks + track*tasks + task
	for _, r := range refusals {
		n := 0
		for used[n] || r.only != "" && r.only != []string{"conformite", "generique"}[n/tasks%2] {
			n++
		}
		used[n] = true
		for len(parts) <= n/(2*tasks) {
			parts = append(parts, nil)
		}
		parts[n/(2*tasks)] = append(parts[n/(2*tasks)], r.scene(n/tasks%2, n%tasks))
	}
	return parts
}

// scene is a submission that the rule refuses. All its claims cite one proof of another page: nobody looks at it.
func (r refusal) scene(track, number int) scene {
	return scene{track: track, task: number, status: verify.RejeteeEntree, edit: r.document, why: r.name, make: func(_ *builder, t *task) []assertion {
		n := t.min
		if r.document == nil {
			n = t.max + 1
		}
		out := proven(t.truths(n), good)
		for i := range out {
			out[i].of = "/referentiel"
		}
		return out
	}}
}
