package proof

import (
	"os"
	"testing"
	"time"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/trust"
)

func realStore(t testing.TB) *trust.Store {
	t.Helper()
	if _, err := os.Stat(shared + "/real"); err != nil {
		t.Skip("no ../shared/real beside the repository")
	}
	store, err := trust.Load(os.DirFS(shared+"/real/trust"), "real")
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func realProof(t testing.TB, name string) *Proof {
	t.Helper()
	b, err := os.ReadFile(shared + "/real/proofs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	views, err := Views(name, b)
	if err != nil || len(views) != 1 || views[0].Proof == nil {
		t.Fatalf("got %v, %v", views, err)
	}
	return views[0].Proof
}

func realEntries(t testing.TB) []rekor.Entry {
	t.Helper()
	b, err := os.ReadFile(shared + "/real/rekor/rekor_entry_proof_2.0.json")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := rekor.ParseEntries("entry.json", b)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// TestRealProofs holds the table of shared/real/README.md, which was made with openssl and Python.
func TestRealProofs(t *testing.T) {
	v := NewVerifier(realStore(t))
	const ok, skipped = verify.OK, verify.Skipped
	for _, c := range []struct {
		name    string
		entries []rekor.Entry
		outcome Outcome
		status  [checkCount]verify.Status
		token   string
		missing []Missing
	}{
		{"proof_3.1_freeze.json", nil, Incomplete, [checkCount]verify.Status{ok, ok, skipped, ok, ok, ok, skipped}, "2026-09-23T07:31:48Z",
			[]Missing{{MissingEntry, "108e9186e8c5677ad7fdd0e1b86b5fc6d178f40d929314428c77f5b35847ef4c10045def8277e795"}}},
		{"proof_2.0.json", realEntries(t), Valid, [checkCount]verify.Status{skipped, skipped, skipped, ok, skipped, ok, ok}, "2026-03-03T16:18:55Z", nil},
		{"proof_1.2.json", nil, Incomplete, [checkCount]verify.Status{skipped, skipped, skipped, ok, skipped, ok, skipped}, "2026-07-23T05:57:36Z",
			[]Missing{{MissingEntry, "108e9186e8c5677a23ac0750147650db666187587b58ed2bcb933864563439b258cb47f2864442e4"}}},
	} {
		r := v.Verify(realProof(t, c.name), Evidence{Entries: c.entries})
		if r.Outcome != c.outcome || r.TokenTime.Format(time.RFC3339Nano) != c.token {
			t.Errorf("%s: got %s at %s, want %s at %s", c.name, r.Outcome, r.TokenTime, c.outcome, c.token)
		}
		for i, check := range r.Checks {
			if check.Status != c.status[i] || check.Name != checkNames[i] || check.Independent != (i >= checkTimestamp) {
				t.Errorf("%s: %s: got %s (%s) %v, want %s", c.name, checkNames[i], check.Status, check.Reason, check.Detail, c.status[i])
			}
		}
		if len(r.Missing) != len(c.missing) || (len(r.Missing) == 1 && r.Missing[0] != c.missing[0]) {
			t.Errorf("%s: missing %v, want %v", c.name, r.Missing, c.missing)
		}
		if len(r.Incidents) != 0 {
			t.Errorf("%s: incidents %v", c.name, r.Incidents)
		}
	}
	if tokens, entries := v.Anchors(); tokens != 3 || entries != 1 {
		t.Errorf("verified %d tokens and %d entries, want 3 and 1", tokens, entries)
	}
}

// TestRealIdentity is the identity block that the 3.1 proof discloses.
func TestRealIdentity(t *testing.T) {
	v := NewVerifier(realStore(t))
	r := v.Verify(realProof(t, "proof_3.1_freeze.json"), Evidence{})
	want := Identity{Opened: true, DID: "did:key:z6MktKdvc6Pb3e7iabTpEinZuX8CE8MnGMGGQsdEgm9BVqWq", Verified: true, Bound: true}
	if r.Identity != want {
		t.Errorf("got %+v, want %+v", r.Identity, want)
	}
	// The flat identity of a 1.2 proof says bound; no anchor covers it.
	r = v.Verify(realProof(t, "proof_1.2.json"), Evidence{})
	if f := r.Identity.Failure; r.Identity.Opened || f == nil || f.Reason != ReasonIdentityNotCommitted {
		t.Errorf("1.2: got %+v, want %s", r.Identity, ReasonIdentityNotCommitted)
	}
}

// TestRealWithoutTrust: with no folder at all, the real proofs are incomplete for everything that is missing, and nothing fails.
func TestRealWithoutTrust(t *testing.T) {
	realStore(t)
	r := NewVerifier(nil).Verify(realProof(t, "proof_2.0.json"), Evidence{Entries: realEntries(t)})
	if r.Outcome != Incomplete || len(r.Missing) != 4 || r.Missing[0] != (Missing{MissingAuthority, "freetsa.org"}) ||
		r.Missing[1].Kind != MissingIssuerKeys || r.Missing[2].Kind != MissingLogKeys || r.Missing[3].Kind != MissingRekorKeys {
		t.Errorf("got %s, missing %v", r.Outcome, r.Missing)
	}
}
