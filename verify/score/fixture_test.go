package score

import (
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify/proof"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// pages is a small corpus in memory, each page by its resource.
type pages map[string]string

func (p pages) body(resource string) canon.Value {
	v, err := canon.Parse([]byte(p[resource]))
	if err != nil {
		panic(err)
	}
	return v
}

func (p pages) Request(r string) (canon.Digest, bool) { _, ok := p[r]; return canon.Sum([]byte(r)), ok }

func (p pages) Response(r string) (canon.Digest, bool) {
	if _, ok := p[r]; !ok {
		return canon.Digest{}, false
	}
	return canon.Hash(p.body(r)), true
}

func (p pages) Body(r string) (canon.Value, bool) {
	if _, ok := p[r]; !ok {
		return canon.Value{}, false
	}
	return p.body(r), true
}

func (p pages) System(d canon.Digest) (string, bool) {
	for _, name := range []string{"403", "503", "400"} {
		if d == systemDigest(name) {
			return "/_systeme/" + name, true
		}
	}
	return "", false
}

func systemDigest(name string) canon.Digest { return canon.Sum([]byte("system body " + name)) }

// corpus: two own pages and a shared list of two entries, the first of which concerns the subject.
var corpus = pages{
	"/own/1":  `{"statut":"actif","radiee":false,"annule":null,"l":["x","y"],"01":"z"}`,
	"/own/2":  `{"statut":"suspendu"}`,
	"/list/1": `{"entrees":[{"entite":"E","date":"2026-01-01"},{"entite":"F","date":"2026-02-02"}],"page_suivante":null}`,
	"/else":   `{"statut":"actif"}`,
}

// graph is the task's graph: own pages, and the list whose entry 0 concerns the subject.
type graph struct{}

func (graph) Resource(r string) (season.Node, bool) {
	switch {
	case strings.HasPrefix(r, "/own/"):
		return season.Node{Own: true}, true
	case r == "/list/1":
		return season.Node{Shared: true}, true
	}
	return season.Node{}, false
}

func (graph) EntryConcerns(_, pointer string) bool { return strings.HasPrefix(pointer, "/entrees/0/") }

type scale struct{}

func (scale) Admissible(_, field string) bool { return field != "/page_suivante" && field != "/l/01" }

const did = "did:key:z6MkeXCES4onVW4up9Qgz1KRnZsKmGufcaZxF6Zpv2w5QwUK"

// goodProof is a valid 3.1 proof of the resource, bound to did.
func goodProof(resource string) proof.Result {
	response, _ := corpus.Response(resource)
	c := proof.Result{ProofID: "p-" + resource}
	c.Outcome, c.SpecVersion = proof.Valid, "3.1"
	c.Opened = &proof.Opened{Request: canon.Sum([]byte(resource)), Response: response}
	c.Identity = proof.Identity{DID: did, Verified: true, Bound: true, Opened: true}
	return c
}

// with returns the proof after some changes.
func with(c proof.Result, changes ...func(*proof.Result)) proof.Result {
	if c.Opened != nil {
		o := *c.Opened
		c.Opened = &o
	}
	for _, change := range changes {
		change(&c)
	}
	return c
}

func system(name string) func(*proof.Result) {
	return func(c *proof.Result) { c.Opened.Response = systemDigest(name) }
}

func invalid(c *proof.Result) {
	c.Outcome = proof.Invalid
	c.Checks = verify.Checks{
		{Name: "identity", Status: verify.Failed, Reason: "identity_first"},
		{Name: "batch_path", Status: verify.Failed, Reason: "audit_path_length", Detail: &verify.Failure{Reason: "audit_path_length", Found: "5", Wanted: "4"}},
		{Name: "timestamp", Status: verify.Failed, Reason: "later"},
	}
}

func claim(t testing.TB, resource, field, value string) season.Claim {
	t.Helper()
	v, err := canon.Parse([]byte(value))
	if err != nil {
		t.Fatal(err)
	}
	return season.Claim{Resource: resource, Field: field, Value: v}
}
