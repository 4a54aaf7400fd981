package simulate

import (
	"strings"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// capitals writes the hex digits of a prefixed hash in capitals.
func capitals(old any) any {
	s, _ := old.(string)
	head, tail, _ := strings.Cut(s, ":")
	return head + ":" + strings.ToUpper(tail)
}

// unprefixed takes the prefix of a hash away.
func unprefixed(old any) any {
	s, _ := old.(string)
	_, tail, _ := strings.Cut(s, ":")
	return tail
}

// firstFlipped changes the first character after the prefix of a signature.
func firstFlipped(old any) any {
	s, _ := old.(string)
	head, tail, _ := strings.Cut(s, ":")
	if strings.HasPrefix(tail, "A") {
		return head + ":B" + tail[1:]
	}
	return head + ":A" + tail[min(1, len(tail)):]
}

// identity makes an identity block that differs in one thing.
func identity(name string, edit func(b *builder, id *mint.Identity)) *kind {
	return &kind{name: name, cause: verify.IdentiteNonLiee, call: sets(func(b *builder, c *mint.Call) { edit(b, &c.Identity) })}
}

// unbound is the caller whose DID is not bound to the key.
var unbound = identity("unbound", func(_ *builder, id *mint.Identity) { id.Verified, id.Status = false, "unbound" })

// spec30 is a proof of the last version that does not commit to the identity.
var spec30 = &kind{name: "spec-3.0", cause: verify.IdentiteNonLiee, call: spec("3.0")}

// identityKinds fail the second condition.
var identityKinds = []*kind{
	unbound, spec30,
	identity("other-did", func(b *builder, id *mint.Identity) { id.DID = b.stranger }),
	identity("did-null", func(_ *builder, id *mint.Identity) { id.DID = nil }),
	identity("verified-text", func(_ *builder, id *mint.Identity) { id.Verified = "true" }),
	identity("verified-null", func(_ *builder, id *mint.Identity) { id.Verified = nil }),
	identity("verified-number", func(_ *builder, id *mint.Identity) { id.Verified = 1 }),
	identity("status-other", func(_ *builder, id *mint.Identity) { id.Status = "resolved" }),
	identity("status-capitals", func(_ *builder, id *mint.Identity) { id.Status = "Bound" }),
	{name: "not-disclosed", cause: verify.IdentiteNonLiee, call: sets(func(_ *builder, c *mint.Call) {
		c.Hide = []string{"agent_identity", "agent_identity_verified", "did_resolution_status", "identity_consistent"}
	})},
	{name: "consistent-hidden", cause: verify.IdentiteNonLiee, call: sets(func(_ *builder, c *mint.Call) { c.Hide = []string{"identity_consistent"} })},
	{name: "opened-other-value", cause: verify.IdentiteNonLiee, call: sets(func(b *builder, c *mint.Call) {
		c.OpenedAs = map[string]any{"agent_identity": c.Identity.DID}
		c.Identity.DID = b.stranger
	}), view: nil},
	{name: "opened-other-nonce", cause: verify.IdentiteNonLiee, view: replaced(flipped, "disclosed", "agent_identity", "nonce")},
	{name: "flat-claims-bound", cause: verify.IdentiteNonLiee, incident: "flat_field", call: unbound.call,
		view: replaced(to("bound"), "did_resolution_status")},
	{name: "unbound-403", cause: verify.IdentiteNonLiee, call: both(unbound.call, answers(systemBody(0)))},
}

// elsewhere is a valid proof of another resource.
var elsewhere = &kind{name: "elsewhere", cause: verify.RessourceNonCorrespondante, call: func(b *builder, c *mint.Call, _ *page) error {
	other, err := b.corpus.at("/referentiel")
	if err != nil {
		return err
	}
	if c.Request, err = other.requestHash(); err != nil {
		return err
	}
	c.Response, err = other.responseHash()
	return err
}}

// madeUp403 is the 403 of a host that does not exist: outside the list of hosts that receive the secret.
var madeUp403 = &kind{name: "host-403", cause: verify.RessourceNonCorrespondante, call: both(
	otherRequest(func(r string) string { return "https://corpus.repetition.example.invalid" + r }, nil, nil),
	both(answers(systemBody(0)), sets(func(_ *builder, c *mint.Call) { c.Seller = "corpus.repetition.example.invalid" })))}

// requestKinds fail the third condition: the request is not, character for character, the one for the resource.
var requestKinds = []*kind{
	elsewhere, madeUp403,
	{name: "slash", cause: verify.RessourceNonCorrespondante, call: otherRequest(func(r string) string { return baseURL + r + "/" }, nil, nil)},
	{name: "question-mark", cause: verify.RessourceNonCorrespondante, call: otherRequest(func(r string) string { return baseURL + r + "?" }, nil, nil)},
	{name: "http", cause: verify.RessourceNonCorrespondante, call: otherRequest(func(r string) string { return "http://" + corpusHost + r }, nil, nil)},
	{name: "method", cause: verify.RessourceNonCorrespondante, call: otherRequest(nil, func(m string) string {
		if m == "GET" {
			return "POST"
		}
		return "GET"
	}, nil)},
	{name: "payload-null", cause: verify.RessourceNonCorrespondante, call: otherRequest(nil, nil, replaced(to(nil), "payload"))},
	{name: "currency", cause: verify.RessourceNonCorrespondante, call: otherRequest(nil, nil, replaced(to("EUR"), "currency"))},
	{name: "amount-integer", cause: verify.RessourceNonCorrespondante, call: otherRequest(nil, nil, replaced(to(0), "amount"))},
	{name: "headers", cause: verify.RessourceNonCorrespondante, call: otherRequest(nil, nil, func(o mint.Object) mint.Object {
		return o.Set("extra_headers", mint.Obj("Accept-Language", "fr"))
	})},
	{name: "elsewhere-403", cause: verify.RessourceNonCorrespondante, call: both(elsewhere.call, answers(systemBody(0)))},
}

// The three bodies of the instrument, served for a canonical request.
var (
	forbidden   = &kind{name: "403", cause: verify.DefautInstrument, incident: "defaut_instrument", call: answers(systemBody(0))}
	unavailable = &kind{name: "503", cause: verify.DefautInstrument, incident: "defaut_instrument", call: answers(systemBody(1))}
	badRequest  = &kind{name: "400", cause: verify.DefautInstrument, incident: "defaut_instrument", call: answers(systemBody(2))}
)

// answerKinds fail the fourth condition: the response is not the frozen page.
var answerKinds = []*kind{
	{name: "stale", cause: verify.ValeurNonCorrespondante, call: answers(func(_ *builder, p *page) any {
		return append(append(mint.Object{}, p.body...), mint.Member{Name: "revision", Value: "précédente"})
	})},
	{name: "substitute", cause: verify.ValeurNonCorrespondante, call: answers(func(*builder, *page) any {
		return mint.Obj("_raw_text", "", "_note", "corps vide remplacé")
	})},
	{name: "absent-body", cause: verify.ValeurNonCorrespondante, call: answers(func(b *builder, p *page) any {
		if k := b.corpus.collectionOf(p.resource); k.absent != nil && p.body.Get("existe") == nil {
			return k.absent(p.resource)
		}
		return mint.Obj("ressource", p.resource, "existe", true)
	})},
}

// openKinds leave the question open: the season cannot be judged yet.
var (
	waiting     = &kind{name: "pending", status: verify.EnAttente, spec: pending}
	withoutLog  = &kind{name: "no-entry", status: verify.TacheIncomp, spec: func(_ *builder, s *anchorSpec) { s.noEntry = true }}
	nextMajor   = &kind{name: "spec-4.0", status: verify.TacheIncomp, call: spec("4.0")}
	withoutFile = &kind{name: "no-proof", status: verify.TacheIncomp, file: func(*receipt, mint.Object) []filed { return nil }}
)
