package proof

import (
	"crypto/ed25519"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// handmade is a proof anchored alone over any fields: commitments, root and signature are computed here in the plainest way, with package
// merkle and not with the code that judges.
func (w *world) handmade(spec string, fields map[string]any, disclosed ...string) (doc, Evidence) {
	w.t.Helper()
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	commitments, openings := doc{}, doc{}
	var leaves []canon.Digest
	for _, name := range names {
		nonce := w.seed.Nonce(name)
		value, err := canon.Marshal(fields[name])
		if err != nil {
			w.t.Fatal(err)
		}
		c := canon.Sum(slices.Concat([]byte(name), []byte{0}, nonce[:], value))
		commitments[name] = c.Prefixed()
		leaves = append(leaves, merkle.LeafHash(c[:]))
		if slices.Contains(disclosed, name) {
			openings[name] = doc{"nonce": nonce.String(), "value": fields[name]}
		}
	}
	chain := merkle.Root(leaves)
	call := w.call()
	a, err := w.witnesses(call).Anchor(chain, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	view := doc{
		"proof_id": call.ID, "spec_version": spec, "hashes": doc{"chain": chain.Prefixed()}, "commitments": commitments, "disclosed": openings,
		"arkforge_signature":  "ed25519:" + canon.EncodeBase64URL(ed25519.Sign(w.keys[0].Private, []byte(chain.String()))),
		"arkforge_pubkey":     w.keys[0].Public(),
		"timestamp_authority": doc{"provider": a.Provider, "tsr_base64": canon.EncodeBase64(a.Token)},
		"transparency_log":    doc{"uuid": a.Entry.UUID},
	}
	entries, err := rekor.ParseEntries("entry.json", mint.Compact(a.Entry.Document()))
	if err != nil {
		w.t.Fatal(err)
	}
	return view, Evidence{Entries: entries}
}

func fields30() map[string]any {
	return map[string]any{"buyer_fingerprint": "b", "request_hash": strings.Repeat("1", 64), "response_hash": strings.Repeat("2", 64),
		"seller": "corpus.example", "timestamp": "2026-09-23T07:21:44Z", "transaction_id": "t"}
}

// TestFurtherCommitments: a field that the specification does not name is accepted, because the root covers it, and shown.
func TestFurtherCommitments(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	fields := fields30()
	fields["zz_new"], fields["a_new"], fields["receipt_content_hash"] = 1, nil, "x"
	view, ev := w.handmade("3.0", fields)
	r := v.Verify(parse(t, view.text(t)), ev)
	expectation{Valid, CheckChainHash, ReasonCommitmentsBeyond}.hold(t, r)
	if c := r.Checks[checkChainHash]; c.Status != verify.OK || c.Note != `"a_new", "zz_new"` {
		t.Errorf("got %s with note %s", c.Status, c.Note)
	}
	view, ev = w.handmade("3.0", fields30())
	r = v.Verify(parse(t, view.text(t)), ev)
	expectation{Valid, CheckChainHash, ""}.hold(t, r)
	view["spec_version"] = "3.1"
	expectation{Invalid, CheckChainHash, ReasonCommitmentMissing}.hold(t, v.Verify(parse(t, view.text(t)), ev))
}

// TestManyCommitments is the limit and one past it.
func TestManyCommitments(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	fields := fields30()
	for i := range MaxCommitments + 1 - len(fields) {
		fields["n"+strings.Repeat("x", i)] = i
	}
	view, ev := w.handmade("3.0", fields)
	expectation{Invalid, CheckChainHash, ReasonCommitments}.hold(t, v.Verify(parse(t, view.text(t)), ev))
	delete(fields, "n")
	view, ev = w.handmade("3.0", fields)
	expectation{Valid, CheckChainHash, ReasonCommitmentsBeyond}.hold(t, v.Verify(parse(t, view.text(t)), ev))
}

// TestLaterVersion: a later 3.x says that it was verified as 3.1.
func TestLaterVersion(t *testing.T) {
	w := newWorld(t)
	c := w.call()
	c.Spec = "3.10"
	m := w.batched(w.proof(c), w.witnesses(c))
	r := NewVerifier(w.store()).Verify(parse(t, m.text()), m.evidence(t))
	if check := r.Checks[checkChainHash]; check.Status != verify.OK || check.Reason != ReasonVersionLater || check.Note != "3.10" {
		t.Errorf("got %+v", check)
	}
}

// TestOddIdentities: the values of the identity block are typed, and only true, "bound" and a DID count.
func TestOddIdentities(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	for _, c := range []struct {
		id   mint.Identity
		want Identity
		why  verify.Reason
	}{
		{mint.Bound(did), Identity{Opened: true, DID: did, Verified: true, Bound: true}, ""},
		{mint.Identity{DID: did, Verified: true, Status: "bound", Consistent: nil}, Identity{Opened: true, DID: did, Verified: true, Bound: true}, ""},
		{mint.Identity{}, Identity{Opened: true}, ReasonIdentityNotVerified},
		{mint.Identity{DID: did, Verified: "true", Status: "bound"}, Identity{Opened: true, DID: did, Bound: true}, ReasonIdentityNotVerified},
		{mint.Identity{DID: did, Verified: 1, Status: "bound"}, Identity{Opened: true, DID: did, Bound: true}, ReasonIdentityNotVerified},
		{mint.Identity{DID: did, Verified: true, Status: "Bound"}, Identity{Opened: true, DID: did, Verified: true}, ReasonIdentityNotBound},
		{mint.Identity{DID: did, Verified: true, Status: true}, Identity{Opened: true, DID: did, Verified: true}, ReasonIdentityNotBound},
		{mint.Identity{DID: 7, Verified: true, Status: "bound"}, Identity{Opened: true, Verified: true, Bound: true}, ""},
	} {
		call := w.call()
		call.Identity = c.id
		m := w.batched(w.proof(call), w.witnesses(call))
		got := v.Verify(parse(t, m.text()), m.evidence(t)).Identity
		why := verify.Reason("")
		if got.Failure != nil {
			why = got.Failure.Reason
		}
		got.Failure = nil
		if got != c.want || why != c.why {
			t.Errorf("%+v: got %+v %q, want %+v %q", c.id, got, why, c.want, c.why)
		}
	}
}

// TestFurtherDisclosed: a field beyond the identity block is compared with its flat twin only if it opens.
func TestFurtherDisclosed(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	fields := fields30()
	for i, name := range identityFields {
		fields[name] = []any{did, true, "bound", true}[i]
	}
	view, ev := w.handmade("3.1", fields, append([]string{"seller"}, identityFields[:]...)...)
	view["seller"] = "other.example"
	r := v.Verify(parse(t, view.text(t)), ev)
	if len(r.Incidents) != 1 || r.Incidents[0].Pointer != "/seller" || r.Outcome != Valid {
		t.Errorf("got %s, %v; want one incident at /seller", r.Outcome, r.Incidents)
	}
	view.in("disclosed", "seller")["value"] = "third.example"
	if r := v.Verify(parse(t, view.text(t)), ev); len(r.Incidents) != 0 || !r.Identity.Opened {
		t.Errorf("seller does not open: got %v, %+v", r.Incidents, r.Identity)
	}
}

// TestSeveralEntries: the best of those that were handed in, whatever their order; entries of another UUID are passed over.
func TestSeveralEntries(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	m := w.good()
	good := m.evidence(t).Entries[0]
	read := func(text string) rekor.Entry {
		entries, err := rekor.ParseEntries("other.json", []byte(text))
		if err != nil || len(entries) != 1 {
			t.Fatalf("got %v, %v", entries, err)
		}
		return entries[0]
	}
	uuid := m.anchor.Entry.UUID
	whole := string(m.entry)
	broken := read(strings.Replace(whole, `"integratedTime":1`, `"integratedTime":2`, 1))
	shapeless := read(`{"` + uuid + `":{}}`)
	null := read(`{"` + uuid + `":null}`)
	other := read(strings.Replace(whole, uuid[:16], strings.Repeat("0", 16), 1))
	bare := read(strings.Replace(whole, uuid, uuid[16:], 1))
	for _, c := range []struct {
		name    string
		entries []rekor.Entry
		want    expectation
	}{
		{"broken first", []rekor.Entry{broken, good}, expectation{Valid, "", ""}},
		{"broken last", []rekor.Entry{good, broken}, expectation{Valid, "", ""}},
		{"shapeless first", []rekor.Entry{shapeless, null, other, good}, expectation{Valid, "", ""}},
		{"under its leaf hash", []rekor.Entry{bare}, expectation{Valid, "", ""}},
		{"broken alone", []rekor.Entry{broken}, expectation{Invalid, CheckLog, rekor.ReasonSET}},
		{"first of two broken", []rekor.Entry{shapeless, broken}, expectation{Invalid, CheckLog, rekor.ReasonShape}},
		{"null alone", []rekor.Entry{null}, expectation{Invalid, CheckLog, ReasonEntryNull}},
		{"null and broken", []rekor.Entry{null, broken}, expectation{Invalid, CheckLog, rekor.ReasonSET}},
		{"another tree", []rekor.Entry{other}, expectation{Incomplete, CheckLog, ReasonEntryMissing}},
	} {
		ev := m.evidence(t)
		ev.Entries = c.entries
		t.Run(c.name, func(t *testing.T) { c.want.hold(t, v.Verify(parse(t, m.text()), ev)) })
	}

	f := w.folder()
	delete(f, "rekor/log.example.pem")
	without := NewVerifier(load(t, f))
	ev := m.evidence(t)
	ev.Entries = []rekor.Entry{shapeless}
	expectation{Invalid, CheckLog, rekor.ReasonShape}.hold(t, without.Verify(parse(t, m.text()), ev))
}

// TestEntryUnderNoUUID: an entry that lies under something else than 16 and 64, or 64, lowercase hex digits is no proof's, even where its end is
// the leaf hash that a proof names: it is missing, as in proof verify, and no fault of the proof.
func TestEntryUnderNoUUID(t *testing.T) {
	w := newWorld(t)
	m := w.good()
	d := m.doc(t)
	uuid := m.anchor.Entry.UUID
	d.in("transparency_log")["uuid"] = uuid[16:]
	p := parse(t, d.text(t))
	for _, c := range []struct {
		key  string
		want expectation
	}{
		{uuid, expectation{Valid, "", ""}},
		{uuid[16:], expectation{Valid, "", ""}},
		{"X" + uuid[1:], expectation{Incomplete, CheckLog, ReasonEntryMissing}},
		{"0" + uuid, expectation{Incomplete, CheckLog, ReasonEntryMissing}},
		{"0" + uuid[16:], expectation{Incomplete, CheckLog, ReasonEntryMissing}},
	} {
		entries, err := rekor.ParseEntries("entry.json", []byte(strings.Replace(string(m.entry), uuid, c.key, 1)))
		if err != nil {
			t.Fatal(err)
		}
		ev := m.evidence(t)
		ev.Entries = entries
		t.Run(c.key, func(t *testing.T) { c.want.hold(t, NewVerifier(w.store()).Verify(p, ev)) })
		if got, want := len(rekor.NewIndex(entries).Named(uuid[16:])), c.want.outcome == Valid; (got == 1) != want {
			t.Errorf("%s: the index of proof verify names %d entries", c.key, got)
		}
	}
}

// TestLogKeyWindow: a log key from a trusted root counts for integrated times in its window only.
func TestLogKeyWindow(t *testing.T) {
	w := newWorld(t)
	m := w.good()
	spki, err := mint.SPKI(w.log.Key.Public())
	if err != nil {
		t.Fatal(err)
	}
	for end, want := range map[string]expectation{
		"2026-09-23T07:31:47Z": {Valid, "", ""},
		"2026-09-23T07:31:46Z": {Invalid, CheckLog, ReasonLogKeyWindow},
	} {
		f := w.folder()
		delete(f, "rekor/log.example.pem")
		f["trusted_root.json"] = &fstest.MapFile{Data: []byte(`{"tlogs":[{"baseUrl":"https://log.example","publicKey":{"rawBytes":"` +
			canon.EncodeBase64(spki) + `","validFor":{"end":"` + end + `"}}}]}`)}
		want.hold(t, NewVerifier(load(t, f)).Verify(parse(t, m.text()), m.evidence(t)))
	}
}
