package score

import (
	"fmt"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify/proof"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/submission"
)

// taskOf makes a submission of the claims, each citing a good proof of its own, and the proofs.
func taskOf(verdict string, claims ...season.Claim) (*submission.Submission, map[string]proof.Result) {
	s := &submission.Submission{DID: did, Verdict: verdict}
	proofs := make(map[string]proof.Result)
	for i, c := range claims {
		id := fmt.Sprintf("prf_20260921_101233_%06x", i)
		s.Assertions = append(s.Assertions, submission.Assertion{ID: fmt.Sprintf("a%d", i+1), Claim: c, ProofIDs: []string{id}})
		proofs[id] = goodProof(c.Resource)
	}
	return s, proofs
}

func proofOf(s *submission.Submission, i int) string { return s.Assertions[i].ProofIDs[0] }

func rulesOf(minimum int, facts ...season.Fact) TaskRules {
	return TaskRules{Task: season.Task{ID: "t-1", Min: minimum}, Key: season.KeyTask{Verdict: "oui", Facts: facts}, Graph: graph{}, Scale: scale{}, Corpus: corpus, DID: did}
}

// TestWorkedExample is the worked example of the package comment: its numbers come from the specification, by hand.
func TestWorkedExample(t *testing.T) {
	s, proofs := taskOf("oui",
		claim(t, "/own/1", "/statut", `"actif"`), // instrument defect below
		claim(t, "/own/1", "/radiee", `true`),    // does not match, and the fact's first form
		claim(t, "/own/1", "/annule", `null`),
		claim(t, "/own/2", "/statut", `"suspendu"`),
		claim(t, "/list/1", "/entrees/0/date", `"2026-01-01"`), // proof of another resource below
		claim(t, "/list/1", "/entrees/0/entite", `"E"`))
	proofs[proofOf(s, 0)] = with(goodProof("/own/1"), system("403"))
	proofs[proofOf(s, 4)] = goodProof("/own/2")
	fact := season.Fact{ID: "f1", Forms: [][]season.Claim{{claim(t, "/own/1", "/radiee", `true`)}, {claim(t, "/own/1", "/l/0", `"x"`)}}}
	r := Task(s, proofs, rulesOf(4, fact))
	if r.Status != verify.Rendue || r.Unsupported != 2 || r.Asserted != 5 || r.InstrumentDefects != 1 ||
		!*r.VerdictExact || *r.Grounded || strings.Join(r.MissingFacts, " ") != "f1" || r.Exact() {
		t.Errorf("%+v", r)
	}
	c := Track([]TaskResult{r}, 10)
	if *c.Overclaim != (Ratio{2, 5}) || *c.Success != (Ratio{0, 10}) || c.Rendered != 1 {
		t.Errorf("%+v", c)
	}
	for _, i := range []int{2, 3} { // two more instrument defects: 3 < 4
		proofs[proofOf(s, i)] = with(goodProof(s.Assertions[i].Claim.Resource), system("503"))
	}
	r = Task(s, proofs, rulesOf(4, fact))
	if r.Status != verify.NonRendue || r.NotRendered.Reason != ReasonBelowMinimum || r.Unsupported != 0 || r.Asserted != 0 ||
		r.VerdictExact != nil || r.Grounded != nil || r.MissingFacts != nil || len(r.Incidents()) != 3 || len(r.Shown()) != 6 {
		t.Errorf("%+v", r)
	}
	if c := Track([]TaskResult{r}, 10); c.Overclaim != nil || c.Success.Count != 0 || c.Rendered != 0 {
		t.Errorf("%+v", c)
	}
}

// TestStatusOrder: incomplete before pending before rejected before not rendered.
func TestStatusOrder(t *testing.T) {
	s, proofs := taskOf("oui", claim(t, "/else", "/statut", `"actif"`), claim(t, "/own/1", "/statut", `"actif"`), claim(t, "/own/2", "/statut", `"suspendu"`))
	rules := rulesOf(9)
	missing := proofOf(s, 1)
	proofs[proofOf(s, 2)] = with(goodProof("/own/2"), func(c *proof.Result) { c.Outcome = proof.Pending })
	delete(proofs, missing)
	r := Task(s, proofs, rules)
	if r.Status != verify.TacheIncomp || strings.Join(r.MissingProofs, " ") != missing || len(r.PendingProofs) != 1 || r.Shown() != nil || !r.Open() {
		t.Errorf("incomplete: %+v", r)
	}
	proofs[missing] = goodProof("/own/1")
	if r = Task(s, proofs, rules); r.Status != verify.EnAttente || !r.Open() || r.Shown() != nil || len(r.Cited) != 3 {
		t.Errorf("pending: %+v", r)
	}
	proofs[proofOf(s, 2)] = proof.Result{Null: true}
	r = Task(s, proofs, rules)
	if r.Status != verify.RejeteeCloture || len(r.Rejections) != 1 || r.Rejections[0].Failure.Reason != ReasonOutsideGraph ||
		r.Rejections[0].Failure.Pointer != "/assertions/0/claim/resource" || r.Rejections[0].Assertion != "a1" || len(r.Shown()) != 3 {
		t.Errorf("rejected: %+v", r)
	}
	s.Assertions[0].Claim = claim(t, "/own/1", "/annule", `null`)
	if r = Task(s, proofs, rules); r.Status != verify.NonRendue {
		t.Errorf("not rendered: %+v", r)
	}
}

func TestRejections(t *testing.T) {
	for _, c := range []struct {
		resource, field string
		reason          verify.Reason
		pointer         string
	}{
		{"/else", "/statut", ReasonOutsideGraph, "/resource"},
		{"/list/1", "/entrees/1/date", ReasonEntryNotConcerned, "/field"},
		{"/list/1", "/entrees/00/date", ReasonEntryNotConcerned, "/field"},
		{"/list/1", "/page_suivante", ReasonEntryNotConcerned, "/field"},
		{"/own/1", "/page_suivante", ReasonFieldNotAdmissible, "/field"},
		{"/own/1", "/l/01", ReasonFieldNotAdmissible, "/field"},
		{"/own/1", "/l/0", "", ""},
		{"/list/1", "/entrees/0/date", "", ""},
	} {
		s, proofs := taskOf("oui", claim(t, "/own/2", "/statut", `"suspendu"`), claim(t, c.resource, c.field, `"x"`))
		r := Task(s, proofs, rulesOf(0))
		if c.reason == "" {
			if r.Status != verify.Rendue {
				t.Errorf("%s %s: %+v", c.resource, c.field, r)
			}
			continue
		}
		if r.Status != verify.RejeteeCloture || len(r.Rejections) != 1 || r.Rejections[0].Failure.Reason != c.reason ||
			r.Rejections[0].Failure.Pointer != "/assertions/1/claim"+c.pointer || r.Rejections[0].Assertion != "a2" {
			t.Errorf("%s %s: %+v, want %s", c.resource, c.field, r, c.reason)
		}
	}
}

// TestOwnHalf: half of the minimum, rounded up, on own resources. Halves by hand: 3 → 2, 4 → 2, 5 → 3.
func TestOwnHalf(t *testing.T) {
	own := []season.Claim{claim(t, "/own/1", "/statut", `1`), claim(t, "/own/1", "/radiee", `1`), claim(t, "/own/1", "/annule", `1`)}
	shared := claim(t, "/list/1", "/entrees/0/date", `1`)
	for _, c := range []struct {
		minimum, own int
		rendered     bool
	}{{3, 1, false}, {3, 2, true}, {4, 1, false}, {4, 2, true}, {5, 2, false}, {5, 3, true}, {1, 0, false}, {0, 0, true}} {
		claims := append([]season.Claim{}, own[:c.own]...)
		for len(claims) < 6 {
			claims = append(claims, shared)
		}
		s, proofs := taskOf("oui", claims...)
		r := Task(s, proofs, rulesOf(c.minimum))
		if (r.Status == verify.Rendue) != c.rendered {
			t.Errorf("%+v: %s", c, r.Status)
		}
		if !c.rendered && (r.NotRendered == nil || r.NotRendered.Reason != ReasonTooFewOwn) {
			t.Errorf("%+v: %+v", c, r.NotRendered)
		}
	}
}

// TestGrounded: a fact needs every claim of one form, each carried by a supported assertion, typed.
func TestGrounded(t *testing.T) {
	a, b := claim(t, "/own/1", "/radiee", `false`), claim(t, "/own/2", "/statut", `"suspendu"`)
	typed := claim(t, "/own/1", "/radiee", `0`)
	form := func(cs ...season.Claim) []season.Claim { return cs }
	for _, c := range []struct {
		name    string
		facts   []season.Fact
		missing string
	}{
		{"one form", []season.Fact{{ID: "f1", Forms: [][]season.Claim{form(a)}}}, ""},
		{"both claims", []season.Fact{{ID: "f1", Forms: [][]season.Claim{form(a, b)}}}, ""},
		{"half a form", []season.Fact{{ID: "f1", Forms: [][]season.Claim{form(a, typed)}}}, "f1"},
		{"second form", []season.Fact{{ID: "f1", Forms: [][]season.Claim{form(typed), form(b)}}}, ""},
		{"other type", []season.Fact{{ID: "f1", Forms: [][]season.Claim{form(typed)}}, {ID: "f2", Forms: [][]season.Claim{form(a)}}}, "f1"},
		{"no claim in the form", []season.Fact{{ID: "f1", Forms: [][]season.Claim{{}}}}, "f1"},
		{"no form", []season.Fact{{ID: "f1"}}, "f1"},
	} {
		s, proofs := taskOf("oui", a, b)
		r := Task(s, proofs, rulesOf(2, c.facts...))
		if strings.Join(r.MissingFacts, " ") != c.missing || *r.Grounded != (c.missing == "") || r.Exact() != (c.missing == "") {
			t.Errorf("%s: %+v", c.name, r)
		}
		s.Verdict = "non" // the report names missing facts whatever the verdict
		if r := Task(s, proofs, rulesOf(2, c.facts...)); *r.VerdictExact || r.Exact() || strings.Join(r.MissingFacts, " ") != c.missing {
			t.Errorf("%s, other verdict: %+v", c.name, r)
		}
	}
	s, proofs := taskOf("oui", a, b)
	proofs[proofOf(s, 0)] = with(goodProof("/own/1"), system("403")) // a defect supports nothing
	if r := Task(s, proofs, rulesOf(1, season.Fact{ID: "f1", Forms: [][]season.Claim{form(a)}})); *r.Grounded {
		t.Errorf("carried by an instrument defect: %+v", r)
	}
}
