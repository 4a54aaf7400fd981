package score

import (
	"github.com/ark-forge/proveit/verify/proof"
	"testing"

	"github.com/ark-forge/proveit/verify"
)

// TestOneProof: one proof, one fault, and the cause and reason of semantics' table of conditions.
func TestOneProof(t *testing.T) {
	good := goodProof("/own/1")
	for _, c := range []struct {
		name   string
		proof  proof.Result
		field  string
		value  string
		cause  verify.Cause
		reason verify.Reason
	}{
		{"supported", good, "/statut", `"actif"`, "", ""},
		{"null is a value", good, "/annule", `null`, "", ""},
		{"later version", with(good, func(c *proof.Result) { c.SpecVersion = "3.10" }), "/radiee", `false`, "", ""},
		{"not judged", proof.Result{}, "/statut", `"actif"`, verify.PreuveInvalide, ReasonProofNotJudged},
		{"null", proof.Result{Null: true}, "/statut", `"actif"`, verify.PreuveInvalide, proof.ReasonNull},
		{"invalid", with(good, invalid), "/statut", `"actif"`, verify.PreuveInvalide, "audit_path_length"},
		{"valid but nothing opened", with(good, func(c *proof.Result) { c.Opened = nil }), "/statut", `"actif"`, verify.PreuveInvalide, ReasonPairsNotOpened},
		{"version 3.0", with(good, func(c *proof.Result) { c.SpecVersion = "3.0" }), "/statut", `"actif"`, verify.IdentiteNonLiee, proof.ReasonIdentityNotCommitted},
		{"identity closed", with(good, func(c *proof.Result) { c.Identity.Opened = false }), "/statut", `"actif"`, verify.IdentiteNonLiee, proof.ReasonIdentityNotOpened},
		{"identity closed, with why", with(good, func(c *proof.Result) {
			c.Identity = proof.Identity{Failure: &verify.Failure{Reason: "commitment_differs"}}
		}), "/statut", `"actif"`, verify.IdentiteNonLiee, "commitment_differs"},
		{"another DID", with(good, func(c *proof.Result) { c.Identity.DID = "did:web:x.example" }), "/statut", `"actif"`, verify.IdentiteNonLiee, ReasonDIDDiffers},
		{"no DID", with(good, func(c *proof.Result) { c.Identity.DID = "" }), "/statut", `"actif"`, verify.IdentiteNonLiee, ReasonDIDDiffers},
		{"not verified", with(good, func(c *proof.Result) { c.Identity.Verified = false }), "/statut", `"actif"`, verify.IdentiteNonLiee, proof.ReasonIdentityNotVerified},
		{"not bound", with(good, func(c *proof.Result) { c.Identity.Bound = false }), "/statut", `"actif"`, verify.IdentiteNonLiee, proof.ReasonIdentityNotBound},
		{"another page", goodProof("/own/2"), "/statut", `"actif"`, verify.RessourceNonCorrespondante, ReasonResourceDiffers},
		{"system body", with(good, system("403")), "/statut", `"actif"`, verify.DefautInstrument, ReasonSystemBody},
		{"system body whatever the value", with(good, system("503")), "/statut", `"faux"`, verify.DefautInstrument, ReasonSystemBody},
		{"system body of another page", with(goodProof("/own/2"), system("400")), "/statut", `"actif"`, verify.RessourceNonCorrespondante, ReasonResourceDiffers},
		{"system body, unbound", with(good, system("403"), func(c *proof.Result) { c.Identity.Bound = false }), "/statut", `"actif"`, verify.IdentiteNonLiee, proof.ReasonIdentityNotBound},
		{"stale", with(good, func(c *proof.Result) { c.Opened.Response[0] ^= 1 }), "/statut", `"actif"`, verify.ValeurNonCorrespondante, ReasonBodyDiffers},
		{"no such member", good, "/status", `"actif"`, verify.ValeurNonCorrespondante, ReasonPointerNotFound},
		{"past the end", good, "/l/2", `"x"`, verify.ValeurNonCorrespondante, ReasonPointerNotFound},
		{"leading zero", good, "/l/01", `"y"`, verify.ValeurNonCorrespondante, ReasonPointerNotFound},
		{"digits as a member name", good, "/01", `"z"`, "", ""},
		{"not a pointer", good, "statut", `"actif"`, verify.ValeurNonCorrespondante, ReasonPointerNotFound},
		{"text for a boolean", good, "/radiee", `"false"`, verify.ValeurNonCorrespondante, ReasonTypeDiffers},
		{"zero for a boolean", good, "/radiee", `0`, verify.ValeurNonCorrespondante, ReasonTypeDiffers},
		{"boolean for null", good, "/annule", `false`, verify.ValeurNonCorrespondante, ReasonTypeDiffers},
		{"other text", good, "/statut", `"Actif"`, verify.ValeurNonCorrespondante, ReasonValueDiffers},
		{"other boolean", good, "/radiee", `true`, verify.ValeurNonCorrespondante, ReasonValueDiffers},
		{"other order", good, "/l", `["y","x"]`, verify.ValeurNonCorrespondante, ReasonValueDiffers},
	} {
		j := Assertion("a1", claim(t, "/own/1", c.field, c.value), []proof.Result{c.proof}, corpus, Rules{DID: did, AgentDID: did})
		if j.Cause != c.cause || j.Reason != c.reason || j.Supported != (c.cause == "") || j.Undecided || len(j.Proofs) != 1 {
			t.Errorf("%s: %+v, want %s %s", c.name, j, c.cause, c.reason)
		}
		if j.Cause != "" && (j.Failure == nil || j.Failure.Wanted == "" && j.Reason != "commitment_differs") {
			t.Errorf("%s: no expectation in %+v", c.name, j.Failure)
		}
	}
}

func TestIdentityOfEnrolment(t *testing.T) {
	c := claim(t, "/own/1", "/statut", `"actif"`)
	for _, r := range []Rules{{DID: "did:web:other.example", AgentDID: did}, {DID: did, AgentDID: "did:web:other.example"}, {}} {
		if j := Assertion("a", c, []proof.Result{goodProof("/own/1")}, corpus, r); j.Reason != ReasonDIDDiffers {
			t.Errorf("%+v: %+v", r, j)
		}
	}
	if j := Assertion("a", c, []proof.Result{goodProof("/own/1")}, corpus, Rules{AgentDID: did}); !j.Supported {
		t.Errorf("without enrolments: %+v", j)
	}
	unlisted := claim(t, "/nowhere", "/statut", `"actif"`)
	if j := Assertion("a", unlisted, []proof.Result{goodProof("/own/1")}, corpus, Rules{AgentDID: did}); j.Reason != ReasonResourceUnknown {
		t.Errorf("%+v", j)
	}
	if j := Assertion("a", c, nil, corpus, Rules{AgentDID: did}); j.Supported || j.Cause != verify.PreuveInvalide {
		t.Errorf("no proof: %+v", j)
	}
}

// TestSeveralProofs: the lowest-numbered condition that any proof fails, whatever the order; the instrument's own failures only where
// no proof fails a numbered condition.
func TestSeveralProofs(t *testing.T) {
	proofs := map[string]proof.Result{
		"good":  goodProof("/own/1"),
		"bad":   with(goodProof("/own/1"), invalid),
		"null":  {Null: true},
		"30":    with(goodProof("/own/1"), func(c *proof.Result) { c.SpecVersion = "3.0" }),
		"other": goodProof("/own/2"),
		"403":   with(goodProof("/own/1"), system("403")),
		"503":   with(goodProof("/own/1"), system("503")),
		"stale": with(goodProof("/own/1"), func(c *proof.Result) { c.Opened.Response[0] ^= 1 }),
	}
	for _, c := range []struct {
		a, b, value string
		cause       verify.Cause
	}{
		{"good", "good", `"actif"`, ""},
		{"good", "403", `"actif"`, verify.DefautInstrument},
		{"403", "503", `"actif"`, verify.DefautInstrument},
		{"403", "503", `"faux"`, verify.DefautInstrument},
		{"good", "403", `"faux"`, verify.ValeurNonCorrespondante},
		{"503", "stale", `"actif"`, verify.ValeurNonCorrespondante},
		{"403", "other", `"actif"`, verify.RessourceNonCorrespondante},
		{"stale", "30", `"actif"`, verify.IdentiteNonLiee},
		{"30", "null", `"actif"`, verify.PreuveInvalide},
		{"good", "bad", `"actif"`, verify.PreuveInvalide},
		{"other", "bad", `"actif"`, verify.PreuveInvalide},
	} {
		for _, pair := range [][]proof.Result{{proofs[c.a], proofs[c.b]}, {proofs[c.b], proofs[c.a]}} {
			j := Assertion("a", claim(t, "/own/1", "/statut", c.value), pair, corpus, Rules{AgentDID: did})
			if j.Cause != c.cause || j.Supported != (c.cause == "") || len(j.Proofs) != 2 {
				t.Errorf("%s+%s %s: %+v, want %q", c.a, c.b, c.value, j, c.cause)
			}
		}
	}
}

func TestOpenProofs(t *testing.T) {
	pending := with(goodProof("/own/1"), func(c *proof.Result) { c.Outcome = proof.Pending })
	incomplete := with(goodProof("/own/1"), func(c *proof.Result) { c.Outcome = proof.Incomplete })
	for _, open := range []proof.Result{pending, incomplete, MissingProof("prf_20260921_101233_ffffff")} {
		j := Assertion("a", claim(t, "/own/1", "/statut", `"actif"`), []proof.Result{goodProof("/own/2"), open}, corpus, Rules{AgentDID: did})
		if !j.Undecided || j.Supported || j.Cause != "" || j.Reason != "" {
			t.Errorf("%+v", j)
		}
	}
}
