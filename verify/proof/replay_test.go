package proof

import (
	"crypto/ed25519"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/simulate/mint"
	"github.com/ark-forge/proveit/verify/trust"
)

// TestExamSignatures puts other valid signatures in the place of the issuer's: over something else, by another key, and in another form.
func TestExamSignatures(t *testing.T) {
	e := exam{t: t, what: "signatures that hold for something else"}
	for _, s := range subjects(t) {
		p := s.w.proof(s.call)
		key, raw := s.call.Key.Private, p.Chain
		text := raw.String()
		messages := map[string]string{
			"the 32 bytes": string(raw[:]), "the hex in upper case": strings.ToUpper(text), "the prefixed hash": raw.Prefixed(), "nothing": "",
			"a line": text + "\n", "JSON": `"` + text + `"`, "another proof's chain": s.w.proof(s.w.farCall(s.spec)).Chain.String(),
			"the hash of the hex": canon.Sum([]byte(text)).String(), "the proof id": s.call.ID,
		}
		if !s.alone {
			messages["the root"] = s.good.anchor.Batch.Root().String()
		}
		signed := map[string][]byte{"the other half": malleated(ed25519.Sign(key, []byte(text)))}
		for what, message := range messages {
			signed[what] = ed25519.Sign(key, []byte(message))
		}
		for _, k := range s.w.keys[1:] {
			signed["by "+k.KID] = ed25519.Sign(k.Private, []byte(text))
		}
		for what, sig := range signed {
			d := s.good.doc(t)
			d["arkforge_signature"] = edPrefix + canon.EncodeBase64URL(sig)
			e.try(s, "/arkforge_signature", what, d.text(t), s.ev)
		}
		for _, k := range s.w.keys[1:] { // a signature that holds, with its key: of another time, and one that nobody published
			for _, kid := range []any{k.KID, s.call.Key.KID, nil, ""} {
				d := s.good.doc(t)
				d["arkforge_signature"] = edPrefix + canon.EncodeBase64URL(ed25519.Sign(k.Private, []byte(text)))
				d["arkforge_pubkey"], d["arkforge_kid"] = k.Public(), kid
				e.try(s, "/arkforge_pubkey", "of "+k.KID, d.text(t), s.ev)
			}
		}
		d := s.good.doc(t) // with the neutral element as key, R = B and s = 1 hold for every message where points of small order are taken
		d["arkforge_pubkey"] = edPrefix + canon.EncodeBase64URL(append([]byte{1}, make([]byte, 31)...))
		d["arkforge_signature"] = edPrefix + canon.EncodeBase64URL(append(append([]byte{0x58}, bytesOf(0x66, 31)...), append([]byte{1}, make([]byte, 31)...)...))
		e.try(s, "/arkforge_pubkey", "the neutral element", d.text(t), s.ev)
	}
	e.end(250)
}

func bytesOf(b byte, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = b
	}
	return out
}

// malleated is a signature with the order of the group (RFC 8032 §5.1) added to its second half, which RFC 8032 §5.1.7 refuses.
func malleated(sig []byte) []byte {
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	half := make([]byte, 32)
	for i := range half {
		half[i] = sig[63-i] // little-endian in the signature
	}
	new(big.Int).Add(new(big.Int).SetBytes(half), order).FillBytes(half)
	out := append([]byte{}, sig[:32]...)
	for i := range half {
		out = append(out, half[31-i])
	}
	return out
}

// TestExamReplays puts whole parts of other good proofs into a good view: of another batch and of the same, one part and several.
func TestExamReplays(t *testing.T) {
	e := exam{t: t, what: "parts of other proofs"}
	all := subjects(t)
	for i, s := range all {
		donors := []made{s.twin, s.sibling}
		if !s.legacy {
			donors = append(donors, all[(i+2)%6].twin) // of another version
		}
		for n, donor := range donors {
			d := donor.doc(t)
			for _, parts := range replayed {
				view := s.good.doc(t)
				for _, name := range strings.Fields(parts.members) {
					graft(view, d, name)
				}
				if asJSON(view) == asJSON(s.good.doc(t)) {
					continue
				}
				checks := parts.checks
				if s.legacy {
					checks = parts.legacy
				}
				if n == 1 && !s.alone && parts.sameBatch || len(checks) == 0 || s.spec == "3.0" && parts.members == "disclosed" {
					continue // one batch, one token, one entry; 3.0 commits to no identity
				}
				ev := s.ev
				ev.Entries = append(append([]rekor.Entry{}, ev.Entries...), donor.evidence(t).Entries...)
				e.judge(s, parts.members, "of another proof", view.text(t), ev, checks)
			}
		}
	}
	e.end(200)
}

// replayed are the parts that are taken from another proof together, and the checks of which one must fail.
var replayed = []struct {
	members   string
	sameBatch bool // the parts are equal in proofs of one batch
	checks    []string
	legacy    []string
}{
	{"timestamp_authority", true, []string{CheckTimestamp}, []string{CheckTimestamp}},
	{"transparency_log", true, []string{CheckLog}, []string{CheckLog}},
	{"timestamp_authority transparency_log", true, []string{CheckTimestamp, CheckLog}, []string{CheckTimestamp, CheckLog}},
	{"batch_anchor", false, []string{CheckBatchPath, CheckTimestamp}, []string{CheckBatchPath, CheckTimestamp}},
	{"batch_anchor timestamp_authority transparency_log", false, []string{CheckBatchPath, CheckTimestamp, CheckLog}, []string{CheckBatchPath, CheckTimestamp, CheckLog}},
	{"commitments", false, []string{CheckChainHash}, nil},
	{"hashes", false, []string{CheckChainHash}, []string{CheckSignature}},
	{"hashes commitments", false, []string{CheckSignature, CheckDisclosure}, []string{CheckSignature}},
	{"hashes commitments disclosed", false, []string{CheckSignature, CheckDisclosure}, []string{CheckSignature}},
	{"arkforge_signature arkforge_pubkey arkforge_kid", false, []string{CheckSignature}, []string{CheckSignature}},
	{"hashes commitments arkforge_signature arkforge_pubkey arkforge_kid", false, []string{CheckBatchPath, CheckTimestamp, CheckDisclosure, CheckChainHash},
		[]string{CheckBatchPath, CheckTimestamp}},
	{"hashes commitments arkforge_signature arkforge_pubkey arkforge_kid disclosed spec_version", false, []string{CheckBatchPath, CheckTimestamp, CheckDisclosure},
		[]string{CheckBatchPath, CheckTimestamp}},
	{"hashes commitments arkforge_signature arkforge_pubkey arkforge_kid disclosed spec_version batch_anchor timestamp_authority transparency_log",
		false, []string{CheckDisclosure}, nil}, // the other proof whole, under this one's id: what was disclosed for this one does not open it
	{"hashes commitments arkforge_signature arkforge_pubkey arkforge_kid disclosed spec_version batch_anchor timestamp_authority",
		true, []string{CheckDisclosure, CheckLog}, []string{CheckLog}},
	{"disclosed", true, []string{CheckIdentity}, nil},
}

// graft puts a member of another view into this one, or takes it away where the other has none.
func graft(view, donor doc, name string) {
	if x, ok := donor[name]; ok {
		view[name] = x
		return
	}
	delete(view, name)
}

// TestExamWitnesses gives a good proof each token and each entry with one fault that the maker of seasons knows, whichever authority stamps.
func TestExamWitnesses(t *testing.T) {
	e := exam{t: t, what: "tokens and entries with one fault"}
	w := newWorld(t)
	v := NewVerifier(w.store())
	for _, spec := range versions {
		for _, alone := range []bool{false, true} {
			s := w.subject(v, spec, alone)
			p := w.proof(s.call)
			try := func(what string, ws mint.Witnesses, check string) {
				m := w.batched
				if alone {
					m = w.alone
				}
				changed := m(p, ws)
				e.judge(s, what, "", changed.text(), s.evidence(changed), []string{check})
			}
			for _, f := range mint.FaultyTokens {
				ws := w.witnesses(s.call)
				ws.TokenFault = f
				try("token "+string(f), ws, CheckTimestamp)
			}
			for _, f := range mint.FaultyEntries {
				if f == mint.EntryOffset {
					continue // this trust folder gives no offsets
				}
				ws := w.witnesses(s.call)
				ws.EntryFault = f
				try("entry "+string(f), ws, CheckLog)
			}
			// What is logged in two trees of one log has two good entries, and the proof names one of them.
			ws, shard := w.witnesses(s.call), *w.log
			shard.TreeID++
			artifact := p.Chain.String()
			if !alone {
				artifact = s.good.anchor.Batch.Root().String()
			}
			again, err := shard.Append(artifact, ws.Submitter, ws.LoggedAt, mint.EntryGood)
			if err != nil {
				t.Fatal(err)
			}
			entries, err := rekor.ParseEntries("rekor/again.json", mint.Compact(again.Document()))
			if err != nil {
				t.Fatal(err)
			}
			ev := s.ev
			ev.Entries = entries
			e.judge(s, "entry", "another good one over the same hash", s.good.text(), ev, []string{CheckLog})
		}
		if !long && spec == versions[0] {
			break
		}
	}
	e.end(50)
}

// TestExamWindows moves the token past each bound that counts: of the season, of the issuer's key and of the submitter's.
func TestExamWindows(t *testing.T) {
	e := exam{t: t, what: "windows"}
	w := newWorld(t)
	v := NewVerifier(w.store())
	season := &Window{Opens: at("2026-09-01T00:00:00Z"), Closes: at("2026-09-30T23:59:59Z")}
	for _, spec := range versions {
		s := w.subject(v, spec, false)
		try := func(token string, key, submitter int, season *Window, check string) {
			c, when := s.call, at(token)
			c.Key = w.keys[key]
			ws := w.witnesses(c)
			ws.TokenAt, ws.LoggedAt, ws.Submitter = when, when.Truncate(time.Second), w.submitters[submitter].Private
			m := w.batched(w.proof(c), ws)
			ev := s.evidence(m)
			ev.Window = season
			e.judge(s, "the token's time", token, m.text(), ev, []string{check})
		}
		try("2026-08-31T23:59:59.999Z", 0, 0, season, CheckTimestamp)
		try("2026-09-30T23:59:59.001Z", 0, 0, season, CheckTimestamp)
		try("2025-12-31T23:59:59.9Z", 0, 0, nil, CheckSignature)
		try("2026-10-01T00:15:00.001Z", 0, 1, nil, CheckSignature) // the key was retired before the token
		try("2026-09-30T23:59:59Z", 1, 0, nil, CheckSignature)
		try("2026-10-01T00:15:00.001Z", 1, 0, nil, CheckLog)
		try("2026-09-30T23:59:59Z", 0, 1, nil, CheckLog)
		try("2026-09-23T07:00:00Z", 0, 2, nil, CheckLog)
		try("2026-09-23T07:00:00Z", 2, 0, nil, CheckSignature)
	}
	e.end(60)
}

// TestExamIntegratedTime: the log's time may lie far from the token's. That changes no judgement and opens an incident.
func TestExamIntegratedTime(t *testing.T) {
	e := exam{t: t, what: "the log's time far from the token's"}
	w := newWorld(t)
	v := NewVerifier(w.store())
	s := w.subject(v, "3.1", false)
	for _, gap := range []time.Duration{-48 * time.Hour, -time.Hour - time.Second, time.Hour + time.Second, 48 * time.Hour, 5 * 365 * 24 * time.Hour} {
		ws := w.witnesses(s.call)
		ws.LoggedAt = ws.TokenAt.Add(gap)
		m := w.batched(w.proof(s.call), ws)
		e.judge(s, "integratedTime", gap.String(), m.text(), s.evidence(m), nil)
		r := v.Verify(parse(t, m.text()), s.evidence(m))
		if len(r.Incidents) != 1 {
			t.Errorf("%s: %d incidents, want 1", gap, len(r.Incidents))
		}
	}
	e.end(5)
}

// TestExamKeyTwice lists one key twice with different windows, and one key id for two keys: the trust folder is no use, whatever it holds.
func TestExamKeyTwice(t *testing.T) {
	e := exam{t: t, what: "published keys"}
	w := newWorld(t)
	f := w.folder()
	good := string(f["issuer/published_keys.json"].Data)
	for what, change := range map[string]func(string) string{
		"another window":         func(s string) string { return doubled(s, `"2026-01-01T00:00:00Z"`, `"2020-01-01T00:00:00Z"`) },
		"no end":                 func(s string) string { return doubled(s, `"2026-10-01T00:00:00Z"`, `null`) },
		"another id":             func(s string) string { return doubled(s, `"key-1"`, `"key-3"`) },
		"its id for another key": func(s string) string { return doubled(s, w.keys[0].Public(), w.keys[2].Public()) },
		"a window that ends before": func(s string) string {
			return strings.Replace(s, `"2026-01-01T00:00:00Z"`, `"2027-01-01T00:00:00Z"`, 1)
		},
	} {
		f["issuer/published_keys.json"].Data = []byte(change(good))
		e.ran++
		if _, err := trust.Load(f, "test"); err == nil {
			e.accepted++
			t.Errorf("%s: the folder is taken", what)
		} else if failure := (*verify.Failure)(nil); errors.As(err, &failure) && failure.Reason == "" {
			t.Errorf("%s: a failure without a reason", what)
		}
	}
	e.end(5)
}

// doubled lists the first key a second time with one thing changed.
func doubled(s, from, to string) string {
	i, j := strings.Index(s, "[")+1, strings.Index(s, "}")+1
	return s[:j] + "," + strings.Replace(s[i:j], from, to, 1) + s[j:]
}
