package season

import (
	"os"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
)

func TestExamDIDs(t *testing.T) {
	ran, accepted := 0, 0
	// The did:key values were made by a base58 encoder in python3; the label says what is wrong with each.
	const good = "z6MkhPQBKd6L2wcFGQdvTounjE8oVZ9YCDB4B9VbZtF3ubYN"
	for did, want := range map[string]bool{
		"did:key:" + good:                                true,
		"did:key:" + good[1:]:                            false, // no multibase mark
		"did:key:Z" + good[1:]:                           false,
		"did:key:z1" + good[1:]:                          false, // a leading zero byte
		"did:key:" + good + " ":                          false,
		"did:key:" + good + "?a=b":                       false,
		"did:key:z":                                      false,
		"did:key:":                                       false,
		"did:key:z" + strings.Repeat("z", 65):            false,
		"did:key:zé":                                     false,
		"did:web:agent.example.org":                      true,
		"did:web:AGENT.example.org":                      true,
		"did:web:localhost":                              true,
		"did:web:xn--bcher-kva.example":                  true,
		"did:web:a.example%3A1":                          true,
		"did:web:a.example%3A65535:x":                    true,
		"did:web:a.example%3A0":                          false,
		"did:web:a.example%3A65536":                      false,
		"did:web:a.example%3A080":                        false,
		"did:web:a.example%3A":                           false,
		"did:web:a.example%3a80":                         false,
		"did:web:a.example%3A80%3A80":                    false,
		"did:web:a.example:80":                           true, // a path step, as the method says
		"did:web:a.example:":                             false,
		"did:web:a.example::b":                           false,
		"did:web:a.example:..":                           false,
		"did:web:a.example:.":                            false,
		"did:web:a.example:%2e%2E":                       false,
		"did:web:a.example:a%2fb":                        false,
		"did:web:a.example:a%5Cb":                        false,
		"did:web:a.example:a%00":                         false,
		"did:web:a.example:caf%C3%A9":                    true,
		"did:web:a.example:caf%C3":                       false,
		"did:web:a.example:café":                         false,
		"did:web:a.example:a%2":                          false,
		"did:web:a.example:a%zz":                         false,
		"did:web:a.example:a+b":                          false,
		"did:web:a.example#k":                            false,
		"did:web:a.example?q":                            false,
		"did:web:a..example":                             false,
		"did:web:-a.example":                             false,
		"did:web:a-.example":                             false,
		"did:web:a_b.example":                            false,
		"did:web:127.0.0.1":                              false,
		"did:web:" + strings.Repeat("a", 64):             false,
		"did:web:a.example:" + strings.Repeat("a", 2048): false,
		"did:Web:a.example":                              false,
		"DID:web:a.example":                              false,
		" did:web:a.example":                             false,
		"did:web:a.example\n":                            false,
		"":                                               false,
	} {
		err := ParseDID(did)
		if _, typed := err.(*DIDError); (err == nil) != want || err != nil && !typed {
			t.Errorf("%q: %v", did, err)
		}
		if !want {
			if ran++; err == nil {
				accepted++
			}
		}
	}
	t.Logf("exam of DIDs: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
}

func TestDIDCases(t *testing.T) {
	data, err := os.ReadFile("../../../shared/cases/ed25519/vectors.json")
	if err != nil {
		t.Skip("no ../shared/cases beside the repository")
	}
	v, err := canon.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range v.Get("dids").Elements() {
		did, _ := c.Get("did").Text()
		expect, _ := c.Get("expect").Text()
		if err := ParseDID(did); (err == nil) != (expect == "accept") {
			t.Errorf("%q: %v, want %s", did, err, expect)
		}
		n++
	}
	if n < 15 {
		t.Errorf("only %d cases", n)
	}
}

func FuzzDIDKey(f *testing.F) {
	f.Add("z6MkhPQBKd6L2wcFGQdvTounjE8oVZ9YCDB4B9VbZtF3ubYN")
	f.Add("z11111")
	f.Fuzz(func(t *testing.T, id string) {
		key, err := keyOfDID(id)
		if (err == nil) != (ParseDID("did:key:"+id) == nil) {
			t.Errorf("%q: two answers", id)
		}
		if err == nil && DIDKey(key) != "did:key:"+id {
			t.Errorf("%q is written %q", id, DIDKey(key))
		}
		_ = ParseDID("did:web:" + id)
	})
}
