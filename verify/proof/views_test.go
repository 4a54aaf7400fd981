package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

const (
	idA = "prf_20260923_072144_0a1b2c"
	idB = "prf_20260923_072144_0a1b2d"
)

// TestViews is how each kind of file is read: which views it gives, and what becomes of those that are not of the proof they lie under.
func TestViews(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       []string // id, then what it is
	}{
		{"a.json", `{"proof_id":"` + idA + `"}`, []string{idA + " proof"}},
		{"proofs/" + idA + ".json", `{"proof_id":"` + idA + `"}`, []string{idA + " proof"}},
		{"proofs/" + idB + ".json", `{"proof_id":"` + idA + `"}`, []string{idA + " misfiled proof_id_differs"}},
		{"proofs/x-" + idB + ".json", `{"proof_id":"` + idA + `"}`, []string{idA + " proof"}},
		{"a.json", `{"proofs":{}}`, nil},
		{"a.json", `{"proofs":{"` + idA + `":null,"` + idB + `":{"proof_id":"` + idB + `"}},"count":2}`, []string{idA + " null", idB + " proof"}},
		{idA + ".json", `{"proofs":{"` + idB + `":{"proof_id":"` + idB + `"}}}`, []string{idB + " proof"}},
		{"a.json", `{"proofs":{"` + idA + `":{"proof_id":"` + idB + `"},"` + idB + `":{"proof_id":"` + idB + `"}}}`, []string{idA + " misfiled proof_id_differs", idB + " proof"}},
		{"a.json", `{"proofs":{"` + idA + `":7}}`, []string{idA + " misfiled not_a_proof"}},
		{"a.json", `{"proofs":{"` + idA + `":{}}}`, []string{idA + " misfiled not_a_proof"}},
		{"a.json", `{"proof_id":"` + idA + `","proofs":7}`, []string{idA + " proof"}},
	} {
		views, err := Views(c.file, []byte(c.text))
		if err != nil {
			t.Errorf("%s %s: %v", c.file, c.text, err)
		}
		var got []string
		for _, v := range views {
			what := "nothing"
			switch {
			case v.Null:
				what = "null"
			case v.Misfiled != nil:
				what = "misfiled " + string(v.Misfiled.Reason)
			case v.Proof != nil && v.Proof.ID == v.ID:
				what = "proof"
			}
			got = append(got, v.ID+" "+what)
		}
		if strings.Join(got, ", ") != strings.Join(c.want, ", ") {
			t.Errorf("%s %s: got %q, want %q", c.file, c.text, got, c.want)
		}
	}
}

func TestViewsRefusals(t *testing.T) {
	for _, text := range []string{
		`[]`, `{}`, `null`, `"` + idA + `"`, `{"proofs":[]}`, `{"proofs":null}`, `{"proof_id":null}`,
		`{"proof_id":"prf_20260923_072144_0A1B2C"}`, `{"proof_id":"` + idA + `\n"}`, `{"proof_id":"` + idA[:25] + `"}`,
		`{"proof_id":"../` + idA[3:] + `"}`,
	} {
		_, err := Views("a.json", []byte(text))
		var f *verify.Failure
		if !errors.As(err, &f) || f.Reason != ReasonNotAProof {
			t.Errorf("%s: got %v, want %s", text, err, ReasonNotAProof)
		}
	}
	for _, text := range []string{``, `{"proof_id":"` + idA + `","proof_id":"` + idA + `"}`, `{"proof_id":NaN}`, `{} {}`, "\xef\xbb\xbf{}"} {
		_, err := Views("a.json", []byte(text))
		var s *canon.SyntaxError
		if !errors.As(err, &s) || s.File != "a.json" {
			t.Errorf("%q: got %v, want a syntax error that names the file", text, err)
		}
	}
}

// TestFailuresNameTheirPlace: in a batch answer the pointer goes through the answer.
func TestFailuresNameTheirPlace(t *testing.T) {
	w := newWorld(t)
	good := w.good()
	d := good.doc(t)
	d.in("hashes")["chain"] = "x"
	text := `{"proofs":{"` + idB + `":null,"` + idA + `":` + string(d.text(t)) + `}}`
	views, err := Views("lot.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r := NewVerifier(w.store()).Verify(views[1].Proof, Evidence{})
	c, _ := r.Checks.Named(CheckChainHash)
	if want := "lot.json#/proofs/" + idA + "/hashes/chain"; c.Detail.Place() != want || c.Detail.Found != `"x"` {
		t.Errorf("got %s, want a failure at %s that shows x", c.Detail.Error(), want)
	}
	if r.Unverified != views[1].Proof {
		t.Error("the proof that was judged is not in the result")
	}
}

func TestBest(t *testing.T) {
	valid := Result{ProofID: "valid", Outcome: Valid, Anchored: true}
	incomplete := Result{ProofID: "incomplete", Outcome: Incomplete, Anchored: true}
	invalid := Result{ProofID: "invalid", Anchored: true}
	open := Result{ProofID: "open", Outcome: Pending}
	openIncomplete := Result{ProofID: "open incomplete", Outcome: Incomplete}
	openInvalid := Result{ProofID: "open invalid"}
	null := NullResult(View{ID: "null"})
	// The order of formats.md §2.
	order := []Result{valid, incomplete, invalid, open, openIncomplete, openInvalid, null}
	for i, better := range order {
		for _, worse := range order[i:] {
			for _, rs := range [][]Result{{better, worse}, {worse, better}} {
				if got := Best(rs); got.ProofID != better.ProofID {
					t.Errorf("best of %s and %s: got %s", rs[0].ProofID, rs[1].ProofID, got.ProofID)
				}
			}
		}
	}
	if got := Best(nil); got.Outcome != Invalid || got.Checks.Valid() {
		t.Errorf("best of nothing: got %s", got.Outcome)
	}
	if null.Outcome != Invalid || null.Checks[0].Reason != ReasonNull || null.Identity.Failure == nil {
		t.Errorf("null: got %+v", null)
	}
}

// TestIncidents: what is an incident, and that none changes the outcome.
func TestIncidents(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	good := w.good()
	c := w.call()
	gap := w.witnesses(c)
	gap.LoggedAt = gap.TokenAt.Add(maxGap + 1e9)
	atGap := w.witnesses(c)
	atGap.LoggedAt = atGap.TokenAt.Add(-maxGap)
	for _, tc := range []struct {
		name string
		made made
		edit func(doc)
		want string // codes and pointers
		out  Outcome
	}{
		{"none", good, func(doc) {}, "", Valid},
		{"request", good, func(d doc) { d.in("hashes")["request"] = "sha256:" + strings.Repeat("0", 64) }, "flat_field /hashes/request", Valid},
		{"response bare", good, func(d doc) { d.in("hashes")["response"] = d.in("hashes")["response"].(string)[7:] }, "flat_field /hashes/response", Valid},
		{"hashes null", good, func(d doc) { d.in("hashes")["request"] = nil }, "", Valid},
		{"did", good, func(d doc) { d["agent_identity"] = "did:web:other.example" }, "flat_field /agent_identity", Valid},
		{"verified as text", good, func(d doc) { d["agent_identity_verified"] = "true" }, "flat_field /agent_identity_verified", Valid},
		{"status null", good, func(d doc) { d["did_resolution_status"] = nil }, "flat_field /did_resolution_status", Valid},
		{"consistent", good, func(d doc) { d["identity_consistent"] = false }, "flat_field /identity_consistent", Valid},
		{"seller, which nothing opens", good, func(d doc) { d["seller"] = "other.example" }, "", Valid},
		{"log index", good, func(d doc) { d.in("transparency_log")["log_index"] = 1 }, "flat_field /transparency_log/log_index", Valid},
		{"log index as text", good, func(d doc) {
			d.in("transparency_log")["log_index"] = d.in("transparency_log")["log_index"].(json.Number).String()
		}, "flat_field /transparency_log/log_index", Valid},
		{"time", good, func(d doc) { d.in("transparency_log")["integrated_time"] = rawNumber("1.0") }, "flat_field /transparency_log/integrated_time", Valid},
		{"flat and nothing proved", good, func(d doc) { d["agent_identity"] = "x"; d.in("hashes")["chain"] = "sha256:" + strings.Repeat("0", 64) }, "", Invalid},
		{"gap", w.batched(w.proof(c), gap), func(doc) {}, "integrated_time_gap /transparency_log/uuid", Valid},
		{"an hour exactly", w.batched(w.proof(c), atGap), func(doc) {}, "", Valid},
		{"token failed", good, func(d doc) { d["timestamp_authority"] = doc{"status": "failed"} }, "issuer_status_failed /timestamp_authority/status", Invalid},
		{"log failed", good, func(d doc) { d["transparency_log"] = doc{"status": "failed"} }, "issuer_status_failed /transparency_log/status", Invalid},
		{"token failed, and holds", good, func(d doc) { d.in("timestamp_authority")["status"] = "failed" }, "", Valid},
	} {
		d := tc.made.doc(t)
		tc.edit(d)
		r := v.Verify(parse(t, d.text(t)), tc.made.evidence(t))
		var got []string
		for _, i := range r.Incidents {
			got = append(got, string(i.Code)+" "+i.Pointer)
			if i.ProofID != idA {
				t.Errorf("%s: incident of %q", tc.name, i.ProofID)
			}
		}
		if strings.Join(got, ", ") != tc.want || r.Outcome != tc.out {
			t.Errorf("%s: got %s, incidents %q; want %s, %q", tc.name, r.Outcome, got, tc.out, tc.want)
		}
	}
}

func TestDifference(t *testing.T) {
	w := newWorld(t)
	good := w.good()
	open := w.pending(w.proof(w.call()))
	alone := w.alone(w.proof(w.call()), w.witnesses(w.call()))
	for _, c := range []struct {
		name string
		made made
		edit func(doc)
		want string
	}{
		{"same", good, func(doc) {}, ""},
		{"views_count", good, func(d doc) { d["views_count"] = 99 }, ""},
		{"flat field", good, func(d doc) { d["seller"] = "x" }, ""},
		{"no kid", good, func(d doc) { delete(d, "arkforge_kid") }, "/arkforge_kid"},
		{"commitment", good, func(d doc) { d.in("commitments")["seller"] = "sha256:" + strings.Repeat("0", 64) }, "/commitments"},
		{"chain", good, func(d doc) { d.in("hashes")["chain"] = "x" }, "/hashes/chain"},
		{"disclosed", good, func(d doc) { delete(d, "disclosed") }, "/disclosed"},
		{"signature", good, func(d doc) { d["arkforge_signature"] = "x" }, "/arkforge_signature"},
		{"path in the same batch", good, func(d doc) { d.in("batch_anchor")["leaf_index"] = 1 }, "/batch_anchor/leaf_index"},
		{"another batch", good, func(d doc) { d.in("batch_anchor")["batch_id"] = "b"; d.in("batch_anchor")["leaf_index"] = 1 }, ""},
		{"stamped twice", good, func(d doc) { d["timestamp_authority"] = nil; d["transparency_log"] = nil }, ""},
		{"still open", open, func(doc) {}, ""},
		{"anchored alone", alone, func(doc) {}, ""},
	} {
		d := c.made.doc(t)
		c.edit(d)
		got := Difference(parse(t, good.doc(t).text(t)), parse(t, d.text(t)))
		if (got == nil) != (c.want == "") || (got != nil && (got.Pointer != c.want || got.Code != ReasonViewsDiffer)) {
			t.Errorf("%s: got %+v, want %q", c.name, got, c.want)
		}
	}
}

// TestDisclosures: the owner's full view gives the pair that the submission discloses, and a public one gives none.
func TestDisclosures(t *testing.T) {
	good := newWorld(t).good()
	got, err := parse(t, mint.Compact(good.full)).OwnDisclosures()
	if err != nil || got != good.disclosures {
		t.Errorf("got %v, %v", got, err)
	}
	var f *verify.Failure
	if _, err := parse(t, good.text()).OwnDisclosures(); !errors.As(err, &f) || f.Reason != ReasonDisclosureMalformed {
		t.Errorf("public view: got %v, want %s", err, ReasonDisclosureMalformed)
	}
	pair := `{"nonce":"` + strings.Repeat("0", 64) + `","value":"` + strings.Repeat("1", 64) + `"}`
	for _, text := range []string{
		`null`, `{}`, `{"request_hash":` + pair + `}`, `{"request_hash":` + pair + `,"response_hash":null}`,
		`{"request_hash":` + pair + `,"response_hash":` + pair + `,"seller":` + pair + `}`,
		`{"request_hash":` + pair + `,"response_hash":` + strings.Replace(pair, "1", "A", 1) + `}`,
		`{"request_hash":` + pair + `,"response_hash":` + strings.Replace(pair, "1", "", 1) + `}`,
		`{"request_hash":` + pair + `,"response_hash":` + strings.Replace(pair, "}", `,"x":1}`, 1) + `}`,
		`{"request_hash":` + pair + `,"response_hash":{"nonce":0,"value":1}}`,
	} {
		v, err := canon.ParseStrict("d.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseDisclosures("d.json", v); !errors.As(err, &f) || f.Reason != ReasonDisclosureMalformed || f.File != "d.json" {
			t.Errorf("%s: got %v, want %s", text, err, ReasonDisclosureMalformed)
		}
	}
}

// TestAnchorsOnce: under many workers each token and each entry is verified once, and a failed one as well.
func TestAnchorsOnce(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	c := w.call()
	broken := w.witnesses(c)
	broken.TokenFault = mint.TokenBroken
	for _, m := range []made{w.good(), w.batched(w.proof(c), broken)} {
		text, ev := m.text(), m.evidence(t)
		want := v.Verify(parse(t, text), ev).Outcome
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 20 {
					views, err := Views("view.json", bytes.Clone(text))
					if err != nil || v.Verify(views[0].Proof, ev).Outcome != want {
						t.Errorf("got %v, want %s each time", err, want)
						return
					}
				}
			})
		}
		wg.Wait()
	}
	if tokens, entries := v.Anchors(); tokens != 2 || entries != 2 {
		t.Errorf("verified %d tokens and %d entries, want 2 and 2", tokens, entries)
	}
}

// TestAnchorsPastTheirRoom: a cache without room verifies each time and gives the same answers.
func TestAnchorsPastTheirRoom(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	v.anchors.kept = MaxAnchorBytes
	good := w.good()
	for range 3 {
		if r := v.Verify(parse(t, good.text()), good.evidence(t)); r.Outcome != Valid {
			t.Errorf("got %s: %s", r.Outcome, failures(r))
		}
	}
	if tokens, entries := v.Anchors(); tokens != 3 || entries != 3 || len(v.anchors.tokens) != 0 || len(v.anchors.entries) != 0 {
		t.Errorf("verified %d tokens and %d entries, want 3 and 3, none kept", tokens, entries)
	}
}

func TestVersions(t *testing.T) {
	for text, want := range map[string]struct {
		at31 bool
		s    scheme
		bad  bool
	}{
		"3.1": {true, schemeIdentity, false}, "3.10": {true, schemeIdentity, false}, "3.2": {true, schemeIdentity, false},
		"3.0": {false, schemeTree, false}, "3": {false, schemeTree, false}, "3.0.9": {false, schemeTree, false},
		"1.0": {false, schemeLegacy, false}, "1.2": {false, schemeLegacy, false}, "2.1": {false, schemeLegacy, false}, "2.10": {false, schemeLegacy, false},
		"4.0": {false, schemeUnknown, false}, "0.1": {false, schemeUnknown, false}, "10.3": {false, schemeUnknown, false},
		"": {false, 0, true}, ".": {false, 0, true}, "3.": {false, 0, true}, "3.01": {false, 0, true}, "+3.1": {false, 0, true}, "3.1.0.0.0": {false, 0, true},
		"3.1234567": {false, 0, true}, "３.1": {false, 0, true},
	} {
		v, err := canon.From(text)
		if err != nil {
			t.Fatal(err)
		}
		got, f := parseVersion(v)
		if (f != nil) != want.bad || got.scheme != want.s || AtLeast31(text) != want.at31 {
			t.Errorf("%q: got scheme %d, %v, at least 3.1 %v", text, got.scheme, f, AtLeast31(text))
		}
	}
}
