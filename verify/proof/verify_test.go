package proof

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/simulate/mint"
	"github.com/ark-forge/proveit/verify/tsa"
)

// TestHolding is what must be accepted: every legal variant of a good proof.
func TestHolding(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	good := w.call()
	variant := func(edit func(*mint.Call)) made {
		c := good
		edit(&c)
		return w.batched(w.proof(c), w.witnesses(c))
	}
	bare := w.witnesses(good)
	bare.EntryFault = mint.EntryBareUUID
	cases := map[string]made{
		"batched":         w.good(),
		"alone":           w.alone(w.proof(good), w.witnesses(good)),
		"bare uuid":       w.batched(w.proof(good), bare),
		"no kid":          variant(func(c *mint.Call) { c.OmitKID = true }),
		"no upstream":     variant(func(c *mint.Call) { c.NoUpstream = true }),
		"receipt":         variant(func(c *mint.Call) { c.Receipt = true }),
		"3.2":             variant(func(c *mint.Call) { c.Spec = "3.2" }),
		"3.10":            variant(func(c *mint.Call) { c.Spec = "3.10" }),
		"3.1.1":           variant(func(c *mint.Call) { c.Spec = "3.1.1" }),
		"3.0":             variant(func(c *mint.Call) { c.Spec = "3.0" }),
		"unbound":         variant(func(c *mint.Call) { c.Identity = mint.Identity{} }),
		"not consistent":  variant(func(c *mint.Call) { c.Identity.Consistent = false }),
		"hidden identity": variant(func(c *mint.Call) { c.Hide = []string{"agent_identity"} }),
	}
	for name, m := range cases {
		t.Run(name, func(t *testing.T) {
			r := v.Verify(parse(t, m.text()), m.evidence(t))
			if r.Outcome != Valid || r.Opened == nil || r.Opened.Request != good.Request || r.Opened.Response != good.Response {
				t.Errorf("got %s, opened %v: %s", r.Outcome, r.Opened, failures(r))
			}
			if want := good.At.Add(10 * time.Minute); !r.TokenTime.Equal(want) {
				t.Errorf("token time: got %s, want %s", r.TokenTime, want)
			}
			if len(r.Incidents) != 0 || len(r.Missing) != 0 {
				t.Errorf("incidents %v, missing %v", r.Incidents, r.Missing)
			}
		})
	}
}

// TestWitnessFaults: each fault that mint knows is refused by the check of that witness alone, and each legal variant accepted.
func TestWitnessFaults(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	c := w.call()
	p := w.proof(c)
	try := func(name string, ws mint.Witnesses, check string) {
		m := w.batched(p, ws)
		r := v.Verify(parse(t, m.text()), m.evidence(t))
		want := Valid
		if check != "" {
			want = Invalid
		}
		if r.Outcome != want {
			t.Errorf("%s: got %s, want %s: %s", name, r.Outcome, want, failures(r))
		}
		for _, c := range r.Checks {
			if c.Name != check && c.Status == verify.Failed && (c.Name != CheckLog || check == "") {
				t.Errorf("%s: %s failed too: %v", name, c.Name, c.Detail)
			}
			if c.Name == check && c.Status != verify.Failed {
				t.Errorf("%s: %s is %s, want failed", name, c.Name, c.Status)
			}
		}
	}
	for _, f := range mint.FaultyTokens {
		ws := w.witnesses(c)
		ws.TokenFault = f
		try("token "+string(f), ws, CheckTimestamp)
	}
	for _, f := range mint.HoldingTokens {
		ws := w.witnesses(c)
		ws.TokenFault = f
		try("token "+string(f), ws, "")
	}
	for _, f := range mint.FaultyEntries {
		if f == mint.EntryOffset {
			continue // this trust folder gives no offsets
		}
		ws := w.witnesses(c)
		ws.EntryFault = f
		try("entry "+string(f), ws, CheckLog)
	}
	for _, f := range mint.HoldingEntries {
		ws := w.witnesses(c)
		ws.EntryFault = f
		try("entry "+string(f), ws, "")
	}
}

// TestEdits changes one member of a good view and names the check that must see it.
func TestEdits(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	good := w.good()
	zero := strings.Repeat("0", 64)
	for _, c := range []struct {
		name string
		edit func(d doc)
		want expectation
	}{
		{"chain bare", func(d doc) { d.in("hashes")["chain"] = zero }, expectation{Invalid, CheckChainHash, ReasonChainMalformed}},
		{"chain upper", func(d doc) { d.in("hashes")["chain"] = strings.ToUpper(d.in("hashes")["chain"].(string)) }, expectation{Invalid, CheckChainHash, ReasonChainMalformed}},
		{"chain space", func(d doc) { d.in("hashes")["chain"] = d.in("hashes")["chain"].(string) + " " }, expectation{Invalid, CheckChainHash, ReasonChainMalformed}},
		{"chain null", func(d doc) { d.in("hashes")["chain"] = nil }, expectation{Invalid, CheckChainHash, ReasonChainMalformed}},
		{"chain other", func(d doc) { d.in("hashes")["chain"] = "sha256:" + zero }, expectation{Invalid, CheckChainHash, ReasonChainDiffers}},
		{"hashes absent", func(d doc) { delete(d, "hashes") }, expectation{Invalid, CheckChainHash, ReasonChainMalformed}},
		{"commitments null", func(d doc) { d["commitments"] = nil }, expectation{Invalid, CheckChainHash, ReasonCommitments}},
		{"commitments empty", func(d doc) { d["commitments"] = doc{} }, expectation{Invalid, CheckChainHash, ReasonCommitmentMissing}},
		{"commitments list", func(d doc) { d["commitments"] = []any{} }, expectation{Invalid, CheckChainHash, ReasonCommitments}},
		{"commitment bare", func(d doc) { d.in("commitments")["seller"] = zero }, expectation{Invalid, CheckChainHash, ReasonCommitments}},
		{"commitment number", func(d doc) { d.in("commitments")["seller"] = 1 }, expectation{Invalid, CheckChainHash, ReasonCommitments}},
		{"commitment other", func(d doc) { d.in("commitments")["seller"] = "sha256:" + zero }, expectation{Invalid, CheckChainHash, ReasonChainDiffers}},
		{"commitment added", func(d doc) { d.in("commitments")["zz"] = "sha256:" + zero }, expectation{Invalid, CheckChainHash, ReasonChainDiffers}},
		{"commitment missing", func(d doc) { delete(d.in("commitments"), "seller") }, expectation{Invalid, CheckChainHash, ReasonCommitmentMissing}},
		{"identity commitment missing", func(d doc) { delete(d.in("commitments"), "identity_consistent") }, expectation{Invalid, CheckChainHash, ReasonCommitmentMissing}},
		{"commitment renamed", func(d doc) {
			d.in("commitments")["upstream_timestamq"] = d.in("commitments")["upstream_timestamp"]
			delete(d.in("commitments"), "upstream_timestamp")
		}, expectation{Valid, "", ""}}, // same place in the order, and the field is optional: the root says nothing of the name

		{"version number", func(d doc) { d["spec_version"] = 3.1 }, expectation{Invalid, CheckChainHash, ReasonVersionMalformed}},
		{"version list", func(d doc) { d["spec_version"] = []any{} }, expectation{Invalid, CheckChainHash, ReasonVersionMalformed}},
		{"version null", func(d doc) { d["spec_version"] = nil }, expectation{Invalid, CheckDisclosure, ReasonNoCommitments}},
		{"version words", func(d doc) { d["spec_version"] = "v3.1" }, expectation{Invalid, CheckChainHash, ReasonVersionMalformed}},
		{"version 3.01", func(d doc) { d["spec_version"] = "3.01" }, expectation{Invalid, CheckChainHash, ReasonVersionMalformed}},
		{"version space", func(d doc) { d["spec_version"] = "3.1 " }, expectation{Invalid, CheckChainHash, ReasonVersionMalformed}},
		{"version 4.0", func(d doc) { d["spec_version"] = "4.0" }, expectation{Incomplete, CheckChainHash, ReasonVersionUnknown}},
		{"version 30.1", func(d doc) { d["spec_version"] = "30.1" }, expectation{Incomplete, CheckSignature, ReasonVersionUnknown}},
		{"version 0.9", func(d doc) { d["spec_version"] = "0.9" }, expectation{Incomplete, CheckChainHash, ReasonVersionUnknown}},
		{"version 4.0 of a broken proof", func(d doc) { d["spec_version"] = "4.0"; d["hashes"] = nil; delete(d, "transparency_log") }, expectation{Incomplete, CheckChainHash, ReasonVersionUnknown}},
		{"version 2.1", func(d doc) { d["spec_version"] = "2.1" }, expectation{Invalid, CheckDisclosure, ReasonNoCommitments}},
		{"version absent", func(d doc) { delete(d, "spec_version") }, expectation{Invalid, CheckDisclosure, ReasonNoCommitments}},

		{"signature raw", func(d doc) { d["arkforge_signature"] = zero }, expectation{Invalid, CheckSignature, ReasonSignatureMalformed}},
		{"signature padded", func(d doc) { d["arkforge_signature"] = d["arkforge_signature"].(string) + "==" }, expectation{Invalid, CheckSignature, ReasonSignatureMalformed}},
		{"signature null", func(d doc) { d["arkforge_signature"] = nil }, expectation{Invalid, CheckSignature, ReasonSignatureMalformed}},
		{"signature other", func(d doc) { d["arkforge_signature"] = "ed25519:" + strings.Repeat("A", 86) }, expectation{Invalid, CheckSignature, ReasonSignatureDiffers}},
		{"key of another", func(d doc) { d["arkforge_pubkey"] = w.keys[1].Public() }, expectation{Invalid, CheckSignature, ReasonKIDDiffers}},
		{"key of another, no kid", func(d doc) { d["arkforge_pubkey"] = w.keys[1].Public(); delete(d, "arkforge_kid") }, expectation{Invalid, CheckSignature, ReasonSignatureDiffers}},
		{"key unpublished", func(d doc) { d["arkforge_pubkey"] = w.keys[2].Public(); delete(d, "arkforge_kid") }, expectation{Invalid, CheckSignature, ReasonKeyNotPublished}},
		{"key absent", func(d doc) { delete(d, "arkforge_pubkey") }, expectation{Invalid, CheckSignature, ReasonKIDDiffers}},
		{"key absent, no kid", func(d doc) { delete(d, "arkforge_pubkey"); delete(d, "arkforge_kid") }, expectation{Invalid, CheckSignature, ReasonKeyMalformed}},
		{"kid of another", func(d doc) { d["arkforge_kid"] = "key-2" }, expectation{Invalid, CheckSignature, ReasonKIDDiffers}},
		{"kid unknown", func(d doc) { d["arkforge_kid"] = "key-7" }, expectation{Invalid, CheckSignature, ReasonKIDNotPublished}},
		{"kid empty", func(d doc) { d["arkforge_kid"] = "" }, expectation{Invalid, CheckSignature, ReasonKIDNotPublished}},
		{"kid number", func(d doc) { d["arkforge_kid"] = 1 }, expectation{Invalid, CheckSignature, ReasonKIDNotPublished}},
		{"kid null", func(d doc) { d["arkforge_kid"] = nil }, expectation{Valid, "", ""}},

		{"batch status case", func(d doc) { d.in("batch_anchor")["status"] = "Anchored" }, expectation{Invalid, CheckBatchPath, ReasonBatchStatus}},
		{"batch status failed", func(d doc) { d.in("batch_anchor")["status"] = "failed" }, expectation{Invalid, CheckBatchPath, ReasonBatchStatus}},
		{"batch status absent", func(d doc) { delete(d.in("batch_anchor"), "status") }, expectation{Invalid, CheckBatchPath, ReasonBatchStatus}},
		{"batch text", func(d doc) { d["batch_anchor"] = "anchored" }, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"batch gone", func(d doc) { delete(d, "batch_anchor") }, expectation{Invalid, CheckTimestamp, tsa.ReasonImprint}},
		{"index string", func(d doc) { d.in("batch_anchor")["leaf_index"] = "2" }, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"index float", func(d doc) { d.in("batch_anchor")["leaf_index"] = rawNumber("2.0") }, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"index negative", func(d doc) { d.in("batch_anchor")["leaf_index"] = -1 }, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"index huge", func(d doc) { d.in("batch_anchor")["leaf_index"] = rawNumber("99999999999999999999") }, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"index null", func(d doc) { d.in("batch_anchor")["leaf_index"] = nil }, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"index past the end", func(d doc) { d.in("batch_anchor")["leaf_index"] = 5 }, expectation{Invalid, CheckBatchPath, merkle.ReasonLeafIndex}},
		{"index of another", func(d doc) { d.in("batch_anchor")["leaf_index"] = 1 }, expectation{Invalid, CheckBatchPath, ReasonBatchRootDiffers}},
		{"size zero", func(d doc) { d.in("batch_anchor")["tree_size"] = 0 }, expectation{Invalid, CheckBatchPath, merkle.ReasonTreeSize}},
		{"size double", func(d doc) { d.in("batch_anchor")["tree_size"] = 10 }, expectation{Invalid, CheckBatchPath, merkle.ReasonPathLength}},
		{"path null", func(d doc) { d.in("batch_anchor")["audit_path"] = nil }, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"path empty", func(d doc) { d.in("batch_anchor")["audit_path"] = []any{} }, expectation{Invalid, CheckBatchPath, merkle.ReasonPathLength}},
		{"path prefixed", func(d doc) { d.in("batch_anchor")["audit_path"].([]any)[0] = "sha256:" + zero }, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"path other", func(d doc) { d.in("batch_anchor")["audit_path"].([]any)[0] = zero }, expectation{Invalid, CheckBatchPath, ReasonBatchRootDiffers}},
		{"path endless", func(d doc) {
			d.in("batch_anchor")["audit_path"] = strings.Split(strings.Repeat(zero+",", 70)+zero, ",")
		}, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"root bare", func(d doc) { d.in("batch_anchor")["root"] = zero }, expectation{Invalid, CheckBatchPath, ReasonBatchMalformed}},
		{"root other", func(d doc) { d.in("batch_anchor")["root"] = "sha256:" + zero }, expectation{Invalid, CheckBatchPath, ReasonBatchRootDiffers}},
		{"root other, token", func(d doc) { d.in("batch_anchor")["root"] = "sha256:" + zero }, expectation{Invalid, CheckTimestamp, tsa.ReasonImprint}},
		{"root other, entry", func(d doc) { d.in("batch_anchor")["root"] = "sha256:" + zero }, expectation{Invalid, CheckLog, rekor.ReasonArtifact}},

		{"token absent", func(d doc) { delete(d, "timestamp_authority") }, expectation{Invalid, CheckTimestamp, ReasonNoToken}},
		{"token null", func(d doc) { d.in("timestamp_authority")["tsr_base64"] = nil }, expectation{Invalid, CheckTimestamp, ReasonNoToken}},
		{"token empty", func(d doc) { d.in("timestamp_authority")["tsr_base64"] = "" }, expectation{Invalid, CheckTimestamp, ReasonNoToken}},
		{"token number", func(d doc) { d.in("timestamp_authority")["tsr_base64"] = 7 }, expectation{Invalid, CheckTimestamp, ReasonTokenMalformed}},
		{"token line break", func(d doc) {
			d.in("timestamp_authority")["tsr_base64"] = d.in("timestamp_authority")["tsr_base64"].(string) + "\n"
		}, expectation{Invalid, CheckTimestamp, ReasonTokenMalformed}},
		{"provider unknown", func(d doc) { d.in("timestamp_authority")["provider"] = "tsa.example" }, expectation{Invalid, CheckTimestamp, ReasonProviderUnknown}},
		{"provider case", func(d doc) { d.in("timestamp_authority")["provider"] = "FreeTSA.org" }, expectation{Invalid, CheckTimestamp, ReasonProviderUnknown}},
		{"provider null", func(d doc) { d.in("timestamp_authority")["provider"] = nil }, expectation{Invalid, CheckTimestamp, ReasonProviderUnknown}},
		{"provider without folder", func(d doc) { d.in("timestamp_authority")["provider"] = "sectigo.com" }, expectation{Incomplete, CheckTimestamp, ReasonProviderMissing}},

		{"entry not named", func(d doc) { delete(d.in("transparency_log"), "uuid") }, expectation{Invalid, CheckLog, ReasonNoEntry}},
		{"log null", func(d doc) { d["transparency_log"] = nil }, expectation{Invalid, CheckLog, ReasonNoEntry}},
		{"uuid short", func(d doc) { d.in("transparency_log")["uuid"] = "ab" }, expectation{Invalid, CheckLog, ReasonUUIDMalformed}},
		{"uuid upper", func(d doc) {
			d.in("transparency_log")["uuid"] = strings.ToUpper(d.in("transparency_log")["uuid"].(string))
		}, expectation{Invalid, CheckLog, ReasonUUIDMalformed}},
		{"uuid number", func(d doc) { d.in("transparency_log")["uuid"] = 5 }, expectation{Invalid, CheckLog, ReasonUUIDMalformed}},
		{"uuid of another", func(d doc) { d.in("transparency_log")["uuid"] = zero }, expectation{Incomplete, CheckLog, ReasonEntryMissing}},

		{"disclosed absent", func(d doc) { delete(d, "disclosed") }, expectation{Valid, CheckIdentity, ReasonIdentityNotOpened}},
		{"disclosed list", func(d doc) { d["disclosed"] = []any{} }, expectation{Valid, CheckIdentity, ReasonIdentityNotOpened}},
		{"disclosed nonce", func(d doc) { d.in("disclosed", "agent_identity")["nonce"] = zero }, expectation{Valid, CheckIdentity, ReasonIdentityDiffers}},
		{"disclosed nonce short", func(d doc) { d.in("disclosed", "agent_identity")["nonce"] = "00" }, expectation{Valid, CheckIdentity, ReasonIdentityNotOpened}},
		{"disclosed value type", func(d doc) { d.in("disclosed", "agent_identity_verified")["value"] = "true" }, expectation{Valid, CheckIdentity, ReasonIdentityDiffers}},
		{"disclosed value 1", func(d doc) { d.in("disclosed", "agent_identity_verified")["value"] = 1 }, expectation{Valid, CheckIdentity, ReasonIdentityDiffers}},
		{"disclosed value gone", func(d doc) { delete(d.in("disclosed", "identity_consistent"), "value") }, expectation{Valid, CheckIdentity, ReasonIdentityNotOpened}},
		{"flat fields gone", func(d doc) { delete(d, "agent_identity"); delete(d, "seller"); delete(d.in("hashes"), "request") }, expectation{Valid, "", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := good.doc(t)
			c.edit(d)
			c.want.hold(t, v.Verify(parse(t, d.text(t)), good.evidence(t)))
		})
	}
}

// TestWindows is the boundary of every window, to the nanosecond that a token can carry.
func TestWindows(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	c := w.call()
	season := &Window{Opens: at("2026-09-01T00:00:00Z"), Closes: at("2026-09-30T23:59:59Z")}
	for _, tc := range []struct {
		token     string
		key       int
		submitter int
		season    *Window
		want      expectation
	}{
		{"2026-09-01T00:00:00Z", 0, 0, season, expectation{Valid, "", ""}},
		{"2026-08-31T23:59:59.999Z", 0, 0, season, expectation{Invalid, CheckTimestamp, ReasonOutsideSeason}},
		{"2026-09-30T23:59:59Z", 0, 0, season, expectation{Valid, "", ""}},
		{"2026-09-30T23:59:59.001Z", 0, 0, season, expectation{Invalid, CheckTimestamp, ReasonOutsideSeason}},
		{"2026-01-01T00:00:00Z", 0, 0, nil, expectation{Valid, "", ""}},
		{"2025-12-31T23:59:59.9Z", 0, 0, nil, expectation{Invalid, CheckSignature, ReasonKeyWindow}},
		{"2026-10-01T00:15:00Z", 0, 0, nil, expectation{Valid, "", ""}},
		{"2026-10-01T00:15:00.001Z", 0, 1, nil, expectation{Invalid, CheckSignature, ReasonKeyWindow}},
		{"2026-10-01T00:15:00.001Z", 1, 0, nil, expectation{Invalid, CheckLog, ReasonSubmitterWindow}},
		{"2026-09-30T23:59:59Z", 1, 0, nil, expectation{Invalid, CheckSignature, ReasonKeyWindow}},
		{"2026-09-30T23:59:59Z", 0, 1, nil, expectation{Invalid, CheckLog, ReasonSubmitterWindow}},
		{"2026-10-01T00:00:00Z", 1, 1, nil, expectation{Valid, "", ""}},
		{"2026-09-23T07:00:00Z", 0, 2, nil, expectation{Invalid, CheckLog, ReasonSubmitterUnpublished}},
		{"2026-09-23T07:00:00Z", 2, 0, nil, expectation{Invalid, CheckSignature, ReasonKIDNotPublished}},
	} {
		c.Key = w.keys[tc.key]
		ws := w.witnesses(c)
		ws.TokenAt, ws.LoggedAt, ws.Submitter = at(tc.token), at(tc.token).Truncate(time.Second), w.submitters[tc.submitter].Private
		m := w.batched(w.proof(c), ws)
		ev := m.evidence(t)
		ev.Window = tc.season
		r := v.Verify(parse(t, m.text()), ev)
		if t.Run(tc.token, func(t *testing.T) { tc.want.hold(t, r) }); !r.TokenTime.Equal(at(tc.token)) {
			t.Errorf("token time: got %s, want %s", r.TokenTime, tc.token)
		}
	}
}

// TestOrder: what fails wins over an open batch, that over what is missing.
func TestOrder(t *testing.T) {
	w := newWorld(t)
	full := NewVerifier(w.store())
	without := func(prefixes ...string) *Verifier {
		f := fstest.MapFS{}
		for name, file := range w.folder() {
			gone := false
			for _, p := range prefixes {
				gone = gone || strings.HasPrefix(name, p)
			}
			if !gone {
				f[name] = file
			}
		}
		return NewVerifier(load(t, f))
	}
	onlyIssuer := w.folder()
	onlyIssuer["issuer/published_keys.json"] = &fstest.MapFile{Data: []byte(`{"keys":[{"kid":"key-1","public":"` + w.keys[0].Public() + `"}]}`)}
	good := w.good()
	open := w.pending(w.proof(w.call()))
	wrong := Disclosures{}
	broken := func(m made) []byte {
		d := m.doc(t)
		d.in("commitments")["seller"] = "sha256:" + strings.Repeat("0", 64)
		return d.text(t)
	}
	resigned := func(m made) []byte {
		d := m.doc(t)
		d["arkforge_signature"] = "ed25519:" + strings.Repeat("A", 86)
		return d.text(t)
	}
	for _, c := range []struct {
		name string
		v    *Verifier
		view []byte
		m    made
		edit func(*Evidence)
		want expectation
	}{
		{"pending", full, open.text(), open, nil, expectation{Pending, CheckBatchPath, ReasonBatchPending}},
		{"pending, token", full, open.text(), open, nil, expectation{Pending, CheckTimestamp, ReasonBatchPending}},
		{"pending, no issuer key", without("issuer/"), open.text(), open, nil, expectation{Pending, CheckSignature, ReasonIssuerKeysMissing}},
		{"pending, broken", full, broken(open), open, nil, expectation{Invalid, CheckChainHash, ReasonChainDiffers}},
		{"pending, another signature", full, resigned(open), open, nil, expectation{Invalid, CheckSignature, ReasonSignatureDiffers}},
		{"pending, wrong disclosures", full, open.text(), open, func(ev *Evidence) { ev.Disclosures = &wrong }, expectation{Invalid, CheckDisclosure, ReasonRequestDiffers}},
		{"no entry", full, good.text(), good, func(ev *Evidence) { ev.Entries = nil }, expectation{Incomplete, CheckLog, ReasonEntryMissing}},
		{"entry null", full, good.text(), good, func(ev *Evidence) { ev.Entries, ev.EntryNull = nil, true }, expectation{Invalid, CheckLog, ReasonEntryNull}},
		{"entry null and there", full, good.text(), good, func(ev *Evidence) { ev.EntryNull = true }, expectation{Valid, "", ""}},
		{"no entry, broken", full, broken(good), good, func(ev *Evidence) { ev.Entries = nil }, expectation{Invalid, CheckChainHash, ReasonChainDiffers}},
		{"no entry, another signature", full, resigned(good), good, func(ev *Evidence) { ev.Entries = nil }, expectation{Invalid, CheckSignature, ReasonSignatureDiffers}},
		{"no entry, wrong disclosures", full, good.text(), good, func(ev *Evidence) { ev.Entries, ev.Disclosures = nil, &wrong }, expectation{Invalid, CheckDisclosure, ReasonRequestDiffers}},
		{"no entry, outside the season", full, good.text(), good, func(ev *Evidence) { ev.Entries, ev.Window = nil, &Window{} }, expectation{Invalid, CheckTimestamp, ReasonOutsideSeason}},
		{"no disclosures", full, good.text(), good, func(ev *Evidence) { ev.Disclosures = nil }, expectation{Valid, CheckDisclosure, ReasonNoDisclosures}},
		{"no issuer key", without("issuer/"), good.text(), good, nil, expectation{Incomplete, CheckSignature, ReasonIssuerKeysMissing}},
		{"no issuer key, another signature", without("issuer/"), resigned(good), good, nil, expectation{Invalid, CheckSignature, ReasonSignatureDiffers}},
		{"no rekor keys", NewVerifier(load(t, onlyIssuer)), good.text(), good, nil, expectation{Incomplete, CheckLog, ReasonRekorKeysMissing}},
		{"no log key", without("rekor/"), good.text(), good, nil, expectation{Incomplete, CheckLog, ReasonLogKeysMissing}},
		{"no authority", without("tsa/"), good.text(), good, nil, expectation{Incomplete, CheckTimestamp, ReasonProviderMissing}},
		{"no authority, outside the key's window", without("tsa/"), good.text(), good, func(ev *Evidence) { ev.Window = &Window{} }, expectation{Incomplete, CheckTimestamp, ReasonProviderMissing}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := c.m.evidence(t)
			if c.edit != nil {
				c.edit(&ev)
			}
			c.want.hold(t, c.v.Verify(parse(t, c.view), ev))
		})
	}
}

// TestUnjudgedToken: where the authority's folder is missing, a token over something else is still refused.
func TestUnjudgedToken(t *testing.T) {
	w := newWorld(t)
	f := w.folder()
	for name := range f {
		if strings.HasPrefix(name, "tsa/") {
			delete(f, name)
		}
	}
	v := NewVerifier(load(t, f))
	c := w.call()
	for fault, reason := range map[mint.TokenFault]verify.Reason{
		mint.TokenOtherImprint: tsa.ReasonImprint, mint.TokenHexImprint: tsa.ReasonImprint, mint.TokenTrailing: tsa.ReasonEncoding,
		mint.TokenBare: tsa.ReasonBareToken, mint.TokenBroken: ReasonProviderMissing, // only the authority's key could tell
	} {
		ws := w.witnesses(c)
		ws.TokenFault = fault
		m := w.batched(w.proof(c), ws)
		r := v.Verify(parse(t, m.text()), m.evidence(t))
		if got, _ := r.Checks.Named(CheckTimestamp); got.Reason != reason {
			t.Errorf("%s: got %q, want %q", fault, got.Reason, reason)
		}
	}
}
