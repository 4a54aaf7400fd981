package proof

import (
	"errors"
	"os"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// FuzzViews: any bytes give views or an error of the two documented kinds, and each proof a whole result. A result is valid only with all
// witnesses good, and the same again when judged again.
func FuzzViews(f *testing.F) {
	w := newWorld(f)
	v := NewVerifier(w.store())
	good := w.good()
	ev := good.evidence(f)
	ev.Disclosures = nil
	f.Add(good.text())
	f.Add(mint.Compact(good.full))
	f.Add(w.pending(w.proof(w.call())).text())
	f.Add([]byte(`{"proofs":{"` + idA + `":null,"` + idB + `":{"proof_id":"` + idB + `","batch_anchor":{"status":"anchored"}}}}`))
	for _, name := range []string{"proof_3.1_freeze.json", "proof_2.0.json", "proof_1.2.json"} {
		if b, err := os.ReadFile(shared + "/real/proofs/" + name); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		views, err := Views("f.json", b)
		if err != nil {
			var s *canon.SyntaxError
			var fail *verify.Failure
			if len(views) != 0 || (!errors.As(err, &s) && !errors.As(err, &fail)) {
				t.Fatalf("got %d views and %v", len(views), err)
			}
			return
		}
		for _, view := range views {
			if one := b2i(view.Null) + b2i(view.Misfiled != nil) + b2i(view.Proof != nil); one != 1 {
				t.Fatalf("view %q is %d things", view.ID, one)
			}
			if view.Proof == nil {
				continue
			}
			r := v.Verify(view.Proof, ev)
			if again := v.Verify(view.Proof, ev); again.Outcome != r.Outcome || failures(again) != failures(r) {
				t.Fatalf("two answers: %s and %s", r.Outcome, again.Outcome)
			}
			checkWhole(t, r)
		}
	})
}

// checkWhole holds what every result has.
func checkWhole(t *testing.T, r Result) {
	t.Helper()
	if len(r.Checks) != checkCount {
		t.Fatalf("%d checks", len(r.Checks))
	}
	for i, c := range r.Checks {
		if c.Name != checkNames[i] || c.Status == verify.Unset || (c.Status != verify.OK && c.Reason == "") || (c.Status == verify.Failed && c.Detail == nil) {
			t.Fatalf("check %d: %+v", i, c)
		}
	}
	signed, stamped, logged := r.Checks[checkSignature].Status, r.Checks[checkTimestamp].Status, r.Checks[checkLog].Status
	if r.Outcome == Valid && (signed != verify.OK || stamped != verify.OK || logged != verify.OK || r.TokenTime.IsZero()) {
		t.Fatalf("valid with %s, %s, %s", signed, stamped, logged)
	}
	if (r.Outcome == Incomplete) && len(r.Missing) == 0 {
		t.Fatal("incomplete, and nothing is missing")
	}
	if r.Identity.Opened != (r.Checks[checkIdentity].Status == verify.OK) {
		t.Fatalf("identity %+v with check %s", r.Identity, r.Checks[checkIdentity].Status)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// FuzzDisclosures: what is read is what is written, and nothing else opens a good proof.
func FuzzDisclosures(f *testing.F) {
	w := newWorld(f)
	v := NewVerifier(w.store())
	good := w.good()
	p := parse(f, good.text())
	f.Add(writeDisclosures(good.disclosures))
	f.Add([]byte(`{"request_hash":{"nonce":"","value":""},"response_hash":{}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		value, err := canon.ParseStrict("d.json", b)
		if err != nil {
			return
		}
		d, err := ParseDisclosures("d.json", value)
		if err != nil {
			return
		}
		again, err := canon.ParseStrict("d.json", writeDisclosures(d))
		if err != nil || !canon.Equal(value, again) {
			t.Fatalf("read %s, wrote %s", b, writeDisclosures(d))
		}
		ev := good.evidence(t)
		ev.Disclosures = &d
		if r := v.Verify(p, ev); (r.Opened != nil) != (d == good.disclosures) || (r.Outcome == Valid) != (d == good.disclosures) {
			t.Fatalf("opened %v, %s", r.Opened, r.Outcome)
		}
	})
}

func writeDisclosures(d Disclosures) []byte {
	pair := func(p Pair) mint.Object {
		return mint.Obj("nonce", canon.Digest(p.Nonce).String(), "value", p.Value.String())
	}
	return mint.Compact(mint.Obj("request_hash", pair(d.Request), "response_hash", pair(d.Response)))
}

// FuzzTree holds the chain hash's root to the recursion of RFC 6962 §2.1, and the walk up a batch to that of package merkle.
func FuzzTree(f *testing.F) {
	f.Add([]byte("0123456789"), uint64(2), uint64(5))
	f.Add([]byte("0"), uint64(0), uint64(0))
	f.Add([]byte("012"), uint64(1)<<63, ^uint64(0))
	f.Fuzz(func(t *testing.T, data []byte, index, size uint64) {
		if len(data) == 0 || len(data) > MaxCommitments {
			return
		}
		var cs commitments
		for _, b := range data {
			cs = append(cs, commitment{string(b), canon.Sum([]byte{b})})
		}
		if got, want := cs.root(), literalRoot(cs); got != want {
			t.Fatalf("%d commitments: root %s, want %s", len(cs), got, want)
		}
		path := make(merkle.AuditPath, len(data)%(merkle.MaxPath+1))
		for i := range path {
			path[i] = cs[i%len(cs)].digest
		}
		got, failure := rootFromPath(cs[0].digest, index, size, path)
		want, err := merkle.RootFromPath(cs[0].digest, index, size, path)
		if got != want || (failure != nil) != (err != nil) {
			t.Fatalf("leaf %d of %d with %d siblings: %s %v, want %s %v", index, size, len(path), got, failure, want, err)
		}
	})
}

// literalRoot is MTH of RFC 6962 §2.1, word for word.
func literalRoot(cs commitments) canon.Digest {
	if len(cs) == 1 {
		return canon.Sum(append([]byte{0}, cs[0].digest[:]...))
	}
	k := 1
	for k*2 < len(cs) {
		k *= 2
	}
	left, right := literalRoot(cs[:k]), literalRoot(cs[k:])
	return canon.Sum(append(append([]byte{1}, left[:]...), right[:]...))
}
