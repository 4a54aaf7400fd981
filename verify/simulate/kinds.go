package simulate

import (
	"strings"
	"time"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// good is the exact way: everything holds.
var good = &kind{name: "good"}

// null is a proof of which the service says that it does not exist.
var null = &kind{name: "null", cause: verify.PreuveInvalide, file: func(r *receipt, _ mint.Object) []filed {
	return []filed{{id: r.proof.ID}}
}}

// holdingKinds differ from the exact way in something that changes no judgement.
var holdingKinds = append([]*kind{
	{name: "alone", spec: func(_ *builder, s *anchorSpec) { s.alone = true }},
	{name: "alone-absent", spec: func(_ *builder, s *anchorSpec) { s.alone = true },
		view: func(v mint.Object) mint.Object { return v.Without("batch_anchor") }},
	{name: "logged-hour", spec: func(_ *builder, s *anchorSpec) { s.logged = time.Hour }},
	{name: "spec-3.2", call: spec("3.2")},
	{name: "spec-3.10", call: spec("3.10")},
	{name: "no-kid", call: sets(func(_ *builder, c *mint.Call) { c.OmitKID = true })},
	{name: "no-upstream", call: sets(func(_ *builder, c *mint.Call) { c.NoUpstream = true })},
	{name: "receipt", call: sets(func(_ *builder, c *mint.Call) { c.Receipt = true })},
	{name: "consistent-false", call: sets(func(_ *builder, c *mint.Call) { c.Identity.Consistent = false })},
	{name: "time-open", spec: tokenAt(func(b *builder) time.Time { return b.opens })},
	{name: "time-close", spec: tokenAt(func(b *builder) time.Time { return b.closes })},
	{name: "time-fraction-inside", spec: tokenAt(func(b *builder) time.Time { return b.closes.Add(-time.Millisecond) })},
	{name: "key-first", spec: tokenAt(func(b *builder) time.Time { return b.rotation }), call: sets(func(b *builder, c *mint.Call) { c.Key = b.issuers[2] })},
	{name: "key-last", spec: tokenAt(func(b *builder) time.Time { return b.rotation }), call: sets(func(b *builder, c *mint.Call) { c.Key = b.issuers[1] })},
	{name: "key-grace", spec: tokenAt(func(b *builder) time.Time { return b.rotation.Add(grace) }), call: sets(func(b *builder, c *mint.Call) { c.Key = b.issuers[1] })},
	{name: "submitter-grace", spec: func(b *builder, s *anchorSpec) { s.at, s.submitter = b.rotation.Add(grace), "rekor-1" }},
	{name: "logged-later", incident: "integrated_time_gap", spec: func(_ *builder, s *anchorSpec) { s.logged = time.Hour + 2*time.Second }},
	{name: "logged-sooner", incident: "integrated_time_gap", spec: func(_ *builder, s *anchorSpec) { s.logged = -time.Hour - 2*time.Second }},
	{name: "full-view", file: func(r *receipt, _ mint.Object) []filed {
		return []filed{{name: "entieres/" + r.proof.ID + ".json", view: r.proof.FullView(r.lot.anchor, r.index, 3)}}
	}},
	{name: "single-view", file: func(r *receipt, v mint.Object) []filed { return []filed{{name: r.proof.ID + ".json", view: v}} }},
	{name: "flat-request", incident: "flat_field", view: replaced(flipped, "hashes", "request")},
	{name: "flat-response", incident: "flat_field", view: replaced(flipped, "hashes", "response")},
	{name: "flat-identity", incident: "flat_field", view: replaced(to("did:key:z6MkautreAgent"), "agent_identity")},
	{name: "flat-consistent", incident: "flat_field", view: replaced(to(false), "identity_consistent")},
	{name: "flat-seller", view: replaced(to("autre.example"), "seller")},
	{name: "flat-log-index", incident: "flat_field", view: replaced(func(old any) any { n, _ := old.(uint64); return n + 1 }, "transparency_log", "log_index")},
	{name: "flat-integrated", incident: "flat_field", view: replaced(func(old any) any { n, _ := old.(int64); return n + 60 }, "transparency_log", "integrated_time")},
}, append(viewKinds, anchoredKinds(mint.HoldingTokens[1:], mint.HoldingEntries[1:], "")...)...)

// viewKinds are proofs of which the bundle holds two views; the better one counts.
var viewKinds = []*kind{
	{name: "views-count", file: twice(func(r *receipt) any { return r.proof.View(r.lot.anchor, r.index, 99) })},
	{name: "views-pending", file: twice(func(r *receipt) any { return r.proof.View(nil, 0, 1) })},
	{name: "views-restamped", spec: func(_ *builder, s *anchorSpec) { s.restamped = true }, file: twice(func(r *receipt) any {
		return r.proof.View(r.lot.again, r.index, 2)
	})},
	{name: "entry-reread", spec: func(_ *builder, s *anchorSpec) { s.reread = true }},
	{name: "views-misfiled", file: func(r *receipt, v mint.Object) []filed { // filed under another proof's name as well, which names nothing
		return []filed{{name: "a-relecture.json", id: "prf_20260922_080000_0f0f0f", view: v}, {id: r.proof.ID, view: v}}
	}},
	{name: "views-null", file: twice(func(*receipt) any { return nil })},
	{name: "views-broken", incident: "views_differ", file: twice(func(r *receipt) any {
		return replaced(flipped, "hashes", "chain")(r.proof.View(r.lot.anchor, r.index, 1))
	})},
}

// twice files another view, in a batch answer that is read first, beside the good one.
func twice(other func(r *receipt) any) func(*receipt, mint.Object) []filed {
	return func(r *receipt, v mint.Object) []filed {
		return []filed{{name: "a-relecture.json", id: r.proof.ID, view: other(r)}, {id: r.proof.ID, view: v}}
	}
}

// spec makes the proof of another version.
func spec(version string) func(*builder, *mint.Call, *page) error {
	return sets(func(_ *builder, c *mint.Call) { c.Spec = version })
}

// anchoredKinds are proofs whose token or log entry is made with a variant.
func anchoredKinds(tokens []mint.TokenFault, entries []mint.EntryFault, cause verify.Cause) []*kind {
	var out []*kind
	for _, f := range tokens {
		provider := "freetsa.org"
		if f == mint.TokenNoSigningAt { // the other two differ in a habit of their own
			provider = "digicert.com"
		}
		out = append(out, &kind{name: "token-" + string(f), cause: cause, spec: func(_ *builder, s *anchorSpec) { s.token, s.provider = f, provider }})
	}
	for _, f := range entries {
		out = append(out, &kind{name: "entry-" + string(f), cause: cause, spec: func(_ *builder, s *anchorSpec) { s.entry = f }})
	}
	return out
}

// receiptKinds fail the first condition: the proof, its witnesses, its time, or the pairs that open it.
var receiptKinds = append([]*kind{
	null,
	{name: "chain-flip", cause: verify.PreuveInvalide, view: replaced(flipped, "hashes", "chain")},
	{name: "chain-capitals", cause: verify.PreuveInvalide, view: replaced(capitals, "hashes", "chain")},
	{name: "chain-bare", cause: verify.PreuveInvalide, view: replaced(unprefixed, "hashes", "chain")},
	{name: "commitment-flip", cause: verify.PreuveInvalide, view: replaced(flipped, "commitments", "timestamp")},
	{name: "commitment-missing", cause: verify.PreuveInvalide, call: sets(func(_ *builder, c *mint.Call) { c.Drop = "identity_consistent" })},
	{name: "signature-flip", cause: verify.PreuveInvalide, view: replaced(firstFlipped, "arkforge_signature")},
	{name: "signature-padded", cause: verify.PreuveInvalide, view: replaced(func(old any) any { s, _ := old.(string); return s + "==" }, "arkforge_signature")},
	{name: "key-unpublished", cause: verify.PreuveInvalide, call: sets(func(b *builder, c *mint.Call) { c.Key = b.unpublished })},
	{name: "key-unnamed", cause: verify.PreuveInvalide, call: sets(func(b *builder, c *mint.Call) { c.Key, c.OmitKID = b.unpublished, true })},
	{name: "key-old", cause: verify.PreuveInvalide, call: sets(func(b *builder, c *mint.Call) { c.Key = b.issuers[0] })},
	{name: "key-late", cause: verify.PreuveInvalide, spec: tokenAt(func(b *builder) time.Time { return b.rotation.Add(grace + time.Second) }),
		call: sets(func(b *builder, c *mint.Call) { c.Key = b.issuers[1] })},
	{name: "key-early", cause: verify.PreuveInvalide, spec: tokenAt(func(b *builder) time.Time { return b.rotation.Add(-time.Second) }),
		call: sets(func(b *builder, c *mint.Call) { c.Key = b.issuers[2] })},
	{name: "kid-other", cause: verify.PreuveInvalide, view: replaced(to("key-0"), "arkforge_kid")},
	{name: "kid-unknown", cause: verify.PreuveInvalide, view: replaced(to("key-9"), "arkforge_kid")},
	{name: "submitter-late", cause: verify.PreuveInvalide, spec: func(b *builder, s *anchorSpec) { s.at, s.submitter = b.rotation.Add(grace+time.Second), "rekor-1" }},
	{name: "submitter-early", cause: verify.PreuveInvalide, spec: func(b *builder, s *anchorSpec) { s.at, s.submitter = b.rotation.Add(-time.Second), "rekor-2" }},
	{name: "path-flip", cause: verify.PreuveInvalide, view: onPath(func(p []string) []string { p[0], _ = flipped(p[0]).(string); return p })},
	{name: "path-short", cause: verify.PreuveInvalide, view: onPath(func(p []string) []string { return p[:len(p)-1] })},
	{name: "path-long", cause: verify.PreuveInvalide, view: onPath(func(p []string) []string { return append(p, p[0]) })},
	{name: "root-flip", cause: verify.PreuveInvalide, view: replaced(flipped, "batch_anchor", "root")},
	{name: "index-off", cause: verify.PreuveInvalide, view: replaced(func(old any) any { n, _ := old.(uint64); return n ^ 1 }, "batch_anchor", "leaf_index")},
	{name: "index-text", cause: verify.PreuveInvalide, view: replaced(to("0"), "batch_anchor", "leaf_index")},
	{name: "size-double", cause: verify.PreuveInvalide, view: replaced(func(old any) any { n, _ := old.(uint64); return 2 * n }, "batch_anchor", "tree_size")},
	{name: "batch-failed", cause: verify.PreuveInvalide, view: replaced(to("failed"), "batch_anchor", "status")},
	{name: "batch-capitals", cause: verify.PreuveInvalide, view: replaced(to("Anchored"), "batch_anchor", "status")},
	{name: "token-null", cause: verify.PreuveInvalide, view: replaced(to(nil), "timestamp_authority")},
	{name: "token-failed", cause: verify.PreuveInvalide, incident: "issuer_status_failed",
		view: replaced(to(mint.Obj("status", "failed", "provider", "freetsa.org")), "timestamp_authority")},
	{name: "uuid-capitals", cause: verify.PreuveInvalide, view: replaced(func(old any) any {
		s, _ := old.(string)
		return strings.ToUpper(s)
	}, "transparency_log", "uuid")},
	{name: "token-text", cause: verify.PreuveInvalide, view: replaced(to("pas de la base64"), "timestamp_authority", "tsr_base64")},
	{name: "token-garbage", cause: verify.PreuveInvalide, view: replaced(to("MAMCAQA="), "timestamp_authority", "tsr_base64")},
	{name: "provider-unknown", cause: verify.PreuveInvalide, view: replaced(to("horodatage.example"), "timestamp_authority", "provider")},
	{name: "provider-other", cause: verify.PreuveInvalide, spec: func(_ *builder, s *anchorSpec) { s.provider = "freetsa.org" },
		view: replaced(to("sectigo.com"), "timestamp_authority", "provider")},
	{name: "log-null", cause: verify.PreuveInvalide, view: replaced(to(nil), "transparency_log")},
	{name: "time-before", cause: verify.PreuveInvalide, spec: tokenAt(func(b *builder) time.Time { return b.opens.Add(-time.Second) })},
	{name: "time-before-fraction", cause: verify.PreuveInvalide, spec: tokenAt(func(b *builder) time.Time { return b.opens.Add(-time.Millisecond) })},
	{name: "time-after", cause: verify.PreuveInvalide, spec: tokenAt(func(b *builder) time.Time { return b.closes.Add(time.Second) })},
	{name: "time-after-fraction", cause: verify.PreuveInvalide, spec: tokenAt(func(b *builder) time.Time { return b.closes.Add(time.Millisecond) })},
	{name: "disclosed-nonce", cause: verify.PreuveInvalide, disclose: replaced(flipped, "request_hash", "nonce")},
	{name: "disclosed-value", cause: verify.PreuveInvalide, disclose: replaced(flipped, "response_hash", "value")},
	{name: "disclosed-swap", cause: verify.PreuveInvalide, disclose: func(d mint.Object) mint.Object {
		return mint.Obj("request_hash", d.Get("response_hash"), "response_hash", d.Get("request_hash"))
	}},
	{name: "views-broken-pending", cause: verify.PreuveInvalide, incident: "views_differ", file: func(r *receipt, v mint.Object) []filed {
		broken := replaced(flipped, "hashes", "chain")(v)
		return []filed{{name: "a-relecture.json", id: r.proof.ID, view: r.proof.View(nil, 0, 1)}, {id: r.proof.ID, view: broken}}
	}},
	{name: "spec-1.1", cause: verify.PreuveInvalide, call: spec("1.1")},
	{name: "spec-1.2", cause: verify.PreuveInvalide, call: spec("1.2")},
	{name: "spec-2.0", cause: verify.PreuveInvalide, call: spec("2.0")},
	{name: "spec-2.1", cause: verify.PreuveInvalide, call: spec("2.1")},
	{name: "spec-absent", cause: verify.PreuveInvalide, call: spec("")},
	{name: "pending-unpublished", cause: verify.PreuveInvalide, spec: pending, call: sets(func(b *builder, c *mint.Call) { c.Key = b.unpublished })},
	{name: "pending-chain", cause: verify.PreuveInvalide, spec: pending, view: replaced(flipped, "hashes", "chain")},
	{name: "pending-pair", cause: verify.PreuveInvalide, spec: pending, disclose: replaced(flipped, "request_hash", "value")},
	{name: "no-entry-signature", cause: verify.PreuveInvalide, spec: func(_ *builder, s *anchorSpec) { s.noEntry = true }, view: replaced(firstFlipped, "arkforge_signature")},
	{name: "no-entry-token", cause: verify.PreuveInvalide, spec: func(_ *builder, s *anchorSpec) { s.noEntry, s.token = true, mint.TokenBroken }},
}, anchoredKinds(mint.FaultyTokens, mint.FaultyEntries, verify.PreuveInvalide)...)

func pending(_ *builder, s *anchorSpec) { s.pending = true }
