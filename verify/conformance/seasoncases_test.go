package conformance_test

import (
	"slices"
	"time"

	"github.com/ark-forge/proveit/verify/conformance"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

type seasonFault struct {
	name, what, why string
	recipe          recipe
	want            conformance.Answer
}

func scored(facts ...string) conformance.Answer { return answer("holds", "", "", 0, facts) }

// unsupported is the second assertion not supported, in a task that is rendered.
func unsupported(cause, reason string, facts ...string) conformance.Answer {
	return scored(append([]string{"status", "rendue", "assertion", "a2", "cause", cause, "reason", reason, "overclaim", "1/3", "grounded", "false"}, facts...)...)
}

func notFrozen(reason string) conformance.Answer { return answer("differs", "freeze", reason, 1, nil) }

func unusable() conformance.Answer { return answer("unusable", "", "", 2, nil) }

// second changes the call of the second assertion.
func second(f func(c *mint.Call)) func(int, *mint.Call) {
	return func(n int, c *mint.Call) {
		if n == 1 {
			f(c)
		}
	}
}

func (w *world) seasonCases() []given {
	var out []given
	for _, f := range slices.Concat(supportCases, taskCases, waitingCases, freezeCases, bundleCases) {
		g := given{name: "season-" + f.name, what: f.what, why: f.why, question: "season replay", input: []string{"file", "bundle", "trust", "../_trust"}, files: map[string][]byte{}, want: f.want}
		for name, b := range w.smallSeasonBy(f.recipe).files() {
			g.files["bundle/"+name] = b
		}
		out = append(out, g)
	}
	return out
}

func tokenAt(s string) func(*mint.Witnesses) {
	return func(ws *mint.Witnesses) {
		ws.TokenAt = at(s)
		ws.LoggedAt = ws.TokenAt.Truncate(time.Second).Add(2 * time.Second)
	}
}

func early(_ int, c *mint.Call) { c.At = c.At.Add(-54 * time.Hour) }

func late(n int, c *mint.Call) { c.At, c.Key = at("2026-10-19T21:55:00Z"), newWorld().keys[1] }

func lateToken(s string) func(*mint.Witnesses) {
	return func(ws *mint.Witnesses) { tokenAt(s)(ws); ws.Submitter = newWorld().submitters[1].Private }
}

var outside = scored("status", "rendue", "assertion", "a1", "cause", "preuve_invalide", "reason", "token_outside_season", "overclaim", "3/3", "success", "0/1")

var supportCases = []seasonFault{
	{"good", "Three assertions on two own pages and an entry of a shared list", "Every condition of every assertion holds, the verdict is the key's, its fact is carried", recipe{},
		scored("status", "rendue", "verdict_exact", "true", "grounded", "true", "overclaim", "0/3", "success", "1/1", "incidents", "")},
	{"value-differs", "The second claim states another date than the page", "Condition 4", recipe{after: func(s *small) { s.assertion(1, "claim/value", "2028-01-31") }}, unsupported("valeur_non_correspondante", "value_differs")},
	{"type-differs", "The second claim states that radiee is the text \"false\"", "Condition 4: false and \"false\" are two values", recipe{
		call: second(func(c *mint.Call) {
			c.Request, c.Response = hashOf(getRequest(corpusURL+"/entites/ENT-1")), hashOf(newWorld().smallSeason().pages.Get("/entites/ENT-1"))
		}),
		after: func(s *small) {
			s.assertion(1, "claim/resource", "/entites/ENT-1")
			s.assertion(1, "claim/field", "/radiee")
			s.assertion(1, "claim/value", "false")
		}}, unsupported("valeur_non_correspondante", "type_differs")},
	{"field-absent", "The second claim is about a field that the page does not have", "Condition 4: nothing is there", recipe{after: func(s *small) { s.assertion(1, "claim/field", "/suspendu") }}, unsupported("valeur_non_correspondante", "pointer_not_found")},
	{"absent-body", "The second claim says that a reference does not exist, which its collection answers for it", "An absence is a fact where the corpus serves one: the reference is outside the task's graph all the same", recipe{after: func(s *small) {
		s.assertion(1, "claim/resource", "/agrements/AGR-9")
		s.assertion(1, "claim/field", "/existe")
		s.assertion(1, "claim/value", false)
	}}, scored("status", "rejetee_cloture", "refusals", "resource_outside_graph")},
	{"other-resource", "The second assertion cites a proof of the first page", "Condition 3", recipe{call: second(func(c *mint.Call) { c.Request = hashOf(getRequest(corpusURL + "/entites/ENT-1")) })}, unsupported("ressource_non_correspondante", "resource_differs")},
	{"other-host", "The second assertion cites a call to another host", "Condition 3: the whole address is hashed", recipe{call: second(func(c *mint.Call) { c.Request = hashOf(getRequest("https://corpus.example.net/agrements/AGR-1")) })}, unsupported("ressource_non_correspondante", "resource_differs")},
	{"other-method", "The second assertion cites a POST", "Condition 3: the method is hashed", recipe{call: second(func(c *mint.Call) {
		c.Request = hashOf(request(corpusURL+"/agrements/AGR-1", "POST", mint.Object{}))
	})}, unsupported("ressource_non_correspondante", "resource_differs")},
	{"other-body", "The second proof is of another response than the frozen one", "Condition 4", recipe{call: second(func(c *mint.Call) { c.Response = hashOf(mint.Obj("id", "AGR-1")) })}, unsupported("valeur_non_correspondante", "body_differs")},
	{"system-403", "The second proof is of the system body 403", "An instrument defect: out of the overclaim and out of the minimum, and an incident", recipe{call: second(func(c *mint.Call) { c.Response = hashOf(newWorld().smallSeason().system.Get("/_systeme/403")) })},
		scored("status", "rendue", "assertion", "a2", "cause", "defaut_instrument", "overclaim", "0/2", "grounded", "false", "incidents", "defaut_instrument")},
	{"system-403-other-host", "A system body 403 from another host", "The system bodies are looked at only once condition 3 holds", recipe{call: second(func(c *mint.Call) {
		c.Request, c.Response = hashOf(getRequest("https://elsewhere.example/agrements/AGR-1")), hashOf(newWorld().smallSeason().system.Get("/_systeme/403"))
	})}, unsupported("ressource_non_correspondante", "resource_differs", "incidents", "")},
	{"other-did", "The second proof is bound to another DID", "Condition 2: another participant's valid proof", recipe{call: second(func(c *mint.Call) { c.Identity = mint.Bound("did:web:other.example") })}, unsupported("identite_non_liee", "did_differs")},
	{"did-unbound", "The second proof's DID is not bound", "Condition 2", recipe{call: second(func(c *mint.Call) { c.Identity.Status = "unbound" })}, unsupported("identite_non_liee", "identity_not_bound")},
	{"did-bound-capital", "The second proof's DID is \"Bound\"", "Condition 2: words are compared character for character", recipe{call: second(func(c *mint.Call) { c.Identity.Status = "Bound" })}, unsupported("identite_non_liee", "identity_not_bound")},
	{"did-not-verified", "The issuer did not verify the second proof's identity", "Condition 2", recipe{call: second(func(c *mint.Call) { c.Identity.Verified = false })}, unsupported("identite_non_liee", "identity_not_verified")},
	{"did-verified-text", "agent_identity_verified of the second proof is the text \"true\"", "Condition 2: values are typed", recipe{call: second(func(c *mint.Call) { c.Identity.Verified = "true" })}, unsupported("identite_non_liee", "identity_not_verified")},
	{"spec-3-0", "The second proof is of version 3.0", "Condition 2: the identity is not committed before 3.1", recipe{call: second(func(c *mint.Call) { c.Spec = "3.0" })}, unsupported("identite_non_liee", "identity_not_committed")},
	{"spec-2-1", "The second proof is of version 2.1", "Condition 1: it commits to nothing that could be opened", recipe{call: second(func(c *mint.Call) { c.Spec = "2.1" })}, unsupported("preuve_invalide", "no_commitments")},
	{"key-unpublished", "The second proof is signed by a key that nobody published", "Condition 1", recipe{call: second(func(c *mint.Call) { c.Key = newWorld().keys[2] })}, unsupported("preuve_invalide", "kid_not_published")},
	{"proof-null", "The batch answer gives null for the second proof", "Condition 1: the service says that it does not exist", recipe{after: func(s *small) { s.views = s.views.Set(claims[1].proof, nil) }}, unsupported("preuve_invalide", "proof_null")},
	{"nonce", "One digit of a nonce that the submission discloses is another", "Condition 1: the pair does not open", recipe{after: func(s *small) {
		place := "disclosures/" + claims[1].proof + "/response_hash/nonce"
		s.submission = edited(s.submission, place, flipped(textAt(s.submission, place)))
	}}, unsupported("preuve_invalide", "response_differs")},
	{"two-proofs-one-bad", "The second assertion cites its proof and that of the first page", "Every cited proof must meet all conditions", recipe{after: func(s *small) { s.cite(1, claims[1].proof, claims[0].proof) }}, unsupported("ressource_non_correspondante", "resource_differs")},
	{"token-at-opening", "The token is of the very moment of the opening", "The bounds are included", recipe{call: early, witness: tokenAt(opensAt)}, scored("status", "rendue", "overclaim", "0/3", "success", "1/1")},
	{"token-before-opening", "The token is one second before the opening", "The season's clock is the token", recipe{call: early, witness: tokenAt("2026-09-20T23:59:59Z")}, outside},
	{"token-at-close", "The token is of the very moment of the close", "The bounds are included", recipe{call: late, witness: lateToken(closesAt)}, scored("status", "rendue", "overclaim", "0/3", "success", "1/1")},
	{"token-after-close", "The token is a thousandth of a second after the close", "Fractions count", recipe{call: late, witness: lateToken("2026-10-19T22:00:00.001Z")}, outside},
}

var taskCases = []seasonFault{
	{"verdict-wrong", "The verdict is not the key's", "Not exact; the assertions count all the same", recipe{after: func(s *small) { s.submission = edited(s.submission, "verdict", "non_conforme") }},
		scored("status", "rendue", "verdict_exact", "false", "grounded", "true", "overclaim", "0/3", "success", "0/1")},
	{"not-grounded", "No assertion carries the key's fact", "A verdict that nothing carries is not counted as exact", recipe{after: func(s *small) { s.keep(0, 2) }},
		scored("status", "rendue", "verdict_exact", "true", "grounded", "false", "overclaim", "0/2", "success", "0/1")},
	{"below-minimum", "One assertion where two are asked", "Not rendered: nothing counts in the overclaim", recipe{after: func(s *small) { s.keep(1) }}, scored("status", "non_rendue", "success", "0/1")},
	{"too-few-own", "Two assertions, both on the shared list", "Half of the minimum, rounded up, bears on own resources", recipe{after: func(s *small) {
		s.assertion(0, "claim/resource", claims[2].resource)
		s.assertion(0, "claim/field", "/entrees/0/entite")
		s.assertion(0, "claim/value", "ENT-1")
		s.assertion(0, "proof_ids", []string{claims[2].proof})
		s.keep(0, 2)
	}}, scored("status", "non_rendue", "success", "0/1")},
	{"defects-below-minimum", "Two assertions, one of them an instrument defect", "Defects are out of the minimum too", recipe{
		call:  second(func(c *mint.Call) { c.Response = hashOf(newWorld().smallSeason().system.Get("/_systeme/503")) }),
		after: func(s *small) { s.keep(0, 1) }}, scored("status", "non_rendue", "incidents", "defaut_instrument", "success", "0/1")},
	{"outside-graph", "An assertion on the page of another entity", "Rejected at the close", recipe{after: func(s *small) { s.assertion(0, "claim/resource", "/entites/ENT-2") }}, scored("status", "rejetee_cloture", "refusals", "resource_outside_graph")},
	{"entry-of-another", "An assertion on the other entity's entry of the shared list", "On a shared list the pointer goes into an entry that concerns the subject", recipe{after: func(s *small) { s.assertion(2, "claim/field", "/entrees/1/statut") }}, scored("status", "rejetee_cloture", "refusals", "entry_not_concerned")},
	{"shared-list-itself", "An assertion on the shared list, not into an entry", "On a shared list the pointer goes into an entry that concerns the subject", recipe{after: func(s *small) { s.assertion(2, "claim/field", "/page_suivante") }}, scored("status", "rejetee_cloture")},
	{"field-not-admissible", "An assertion on the id of the page", "The scale lists the admissible fields of a collection", recipe{after: func(s *small) { s.assertion(0, "claim/field", "/id") }}, scored("status", "rejetee_cloture", "refusals", "field_not_admissible")},
	{"refused-at-entry", "The submission has a member that the schema lacks", "Refused at entry, never scored as zero", recipe{after: func(s *small) { s.submission = edited(s.submission, "score", 10) }}, scored("status", "rejetee_entree", "refusals", "member_unknown")},
	{"path-differs", "The submission says another participant's DID", "The file lies where another belongs", recipe{
		before: func(s *small) {
			list := s.enrolments.Get("participants").([]any)
			s.enrolments = edited(s.enrolments, "participants", append(list, mint.Obj("id", "agent-2", "name", "Agent deux", "did", "did:web:two.example", "table", "community", "stack", "")))
		},
		after: func(s *small) { s.submission = edited(s.submission, "agent_did", "did:web:two.example") }}, scored("status", "rejetee_entree", "refusals", "path_differs")},
	{"not-json", "The submission is not JSON", "A party's malformed file is judged: refused, with its place", recipe{after: func(s *small) { s.more[taskFile] = []byte("{\"season\": 1,}\n") }}, scored("status", "rejetee_entree", "refusals", "malformed_json")},
}

var waitingCases = []seasonFault{
	{"pending", "The batch of the cited proofs is still open", "No score yet, and no rates", recipe{open: true}, answer("incomplete", "missing", "anchor", 3, []string{"status", "en_attente"})},
	{"proof-missing", "The bundle lacks the second proof", "A missing file is no fault of the participant", recipe{after: func(s *small) { s.views = s.views.Without(claims[1].proof) }}, answer("incomplete", "missing", "proof", 3, []string{"status", "incomplete"})},
	{"entry-missing", "The bundle lacks the log entry of the cited proofs", "A missing file is no fault of the participant", recipe{after: func(s *small) { s.entries = s.entries[:1] }}, answer("incomplete", "missing", "rekor_entry", 3, []string{"status", "incomplete"})},
	{"proofs-unreadable", "proofs/ has one file more, which is not JSON", "It is named, its contents count as missing, and nothing needs them", recipe{after: func(s *small) { s.more["proofs/more.json"] = []byte("{") }}, scored("status", "rendue", "success", "1/1")},
}
