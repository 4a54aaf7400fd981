package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/cmd/internal/cli"
)

// shared is the folder of captured artefacts that lies beside the repository where the program is developed.
const shared = "../../../shared"

// needShared skips a test where that folder is not there.
func needShared(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(shared, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not beside the repository", name)
	}
	return path
}

// answer is what one run of the program gave.
type answer struct {
	code        int
	out, errors string
}

func run(in string, args ...string) answer {
	var out, errs bytes.Buffer
	code := cli.Main(context.Background(), args, cli.Streams{In: strings.NewReader(in), Out: &out, Err: &errs, Getenv: func(string) string { return "" }})
	return answer{code, out.String(), errs.String()}
}

// proofAnswer is the part of the proof document that these tests look at.
type proofAnswer struct {
	ExitCode int `json:"exit_code"`
	Proofs   []struct {
		Result    string  `json:"result"`
		TokenTime *string `json:"token_time"`
		Checks    []struct {
			Name        string `json:"name"`
			Status      string `json:"status"`
			Independent bool   `json:"independent"`
			Reason      string `json:"reason"`
		} `json:"checks"`
		Missing []struct{ Kind, ID string } `json:"missing"`
	} `json:"proofs"`
}

func proofVerify(t *testing.T, view string) (proofAnswer, answer) {
	t.Helper()
	got := run(view, "proof", "verify", "-", "--rekor", filepath.Join(shared, "real", "rekor"), "--trust", filepath.Join(shared, "real", "trust"), "-o", "json")
	var doc proofAnswer
	if got.out != "" {
		if err := json.Unmarshal([]byte(got.out), &doc); err != nil {
			t.Fatalf("not one JSON document: %v", err)
		}
		if doc.ExitCode != got.code {
			t.Fatalf("exit_code %d in the document, exit code %d", doc.ExitCode, got.code)
		}
	}
	return doc, got
}

// TestRealProofs: what ../shared/real/README.md says was established with openssl and Python.
func TestRealProofs(t *testing.T) {
	needShared(t, "real/proofs")
	old, got := proofVerify(t, readText(t, filepath.Join(shared, "real/proofs/proof_2.0.json")))
	if got.code != 0 || old.Proofs[0].Result != "valid" {
		t.Errorf("proof_2.0: exit code %d, want 0 and valid\n%s", got.code, got.out)
	}
	independent := 0
	for _, c := range old.Proofs[0].Checks {
		if c.Independent && c.Status == "ok" {
			independent++
		}
		if c.Name == "chain_hash" && (c.Status != "skipped" || c.Reason != "chain_hash_not_recomputable") {
			t.Errorf("proof_2.0: chain_hash is %s %s, want skipped, not recomputable", c.Status, c.Reason)
		}
	}
	if independent != 2 {
		t.Errorf("proof_2.0: %d independent witnesses, want 2", independent)
	}
	frozen, got := proofVerify(t, readText(t, filepath.Join(shared, "real/proofs/proof_3.1_freeze.json")))
	p := frozen.Proofs[0]
	if got.code != 3 || p.TokenTime == nil || *p.TokenTime != "2026-09-23T07:31:48Z" {
		t.Errorf("proof_3.1_freeze: exit code %d, token time %v, want 3 and 2026-09-23T07:31:48Z", got.code, p.TokenTime)
	}
	for _, c := range p.Checks {
		if want := map[string]string{"disclosure": "skipped", "transparency_log": "skipped"}[c.Name]; c.Status != "ok" && c.Status != want {
			t.Errorf("proof_3.1_freeze: %s is %s", c.Name, c.Status)
		}
	}
	if len(p.Missing) != 1 || p.Missing[0].ID != "108e9186e8c5677ad7fdd0e1b86b5fc6d178f40d929314428c77f5b35847ef4c10045def8277e795" {
		t.Errorf("proof_3.1_freeze: missing %v, want the log entry", p.Missing)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// leaf is a judged value of a view: the members that lead to it, and the check that must fail where it changes.
type leaf struct {
	path  string // member names joined by "/"; array indexes as numbers
	check string // names of the checks of which one must fail; or "3": the entry of another UUID is not there
}

var frozenLeaves = []leaf{
	{"hashes/chain", "chain_hash"}, {"commitments/request_hash", "chain_hash"}, {"commitments/seller", "chain_hash"}, {"commitments/agent_identity", "chain_hash"},
	{"disclosed/agent_identity/nonce", "identity"}, {"disclosed/agent_identity/value", "identity"}, {"disclosed/did_resolution_status/value", "identity"},
	{"disclosed/identity_consistent/nonce", "identity"}, {"arkforge_signature", "signature"}, {"arkforge_pubkey", "signature"},
	{"batch_anchor/root", "batch_path"}, {"batch_anchor/audit_path/0", "batch_path"}, {"batch_anchor/audit_path/3", "batch_path"}, {"batch_anchor/status", "batch_path"},
	{"timestamp_authority/tsr_base64", "timestamp"}, {"timestamp_authority/provider", "timestamp"}, {"transparency_log/uuid", "3"},
}

var oldLeaves = []leaf{
	{"hashes/chain", "chain_hash signature"}, {"arkforge_signature", "signature"}, {"arkforge_pubkey", "signature"},
	{"timestamp_authority/tsr_base64", "timestamp"}, {"timestamp_authority/provider", "timestamp"}, {"transparency_log/uuid", "3"},
}

// flips bounds how many bits of one leaf are changed: tokens are long.
const flips = 80

// TestOneBit: no changed bit of a judged leaf passes, and the check that it belongs to is named.
func TestOneBit(t *testing.T) {
	needShared(t, "real/proofs")
	for name, leaves := range map[string][]leaf{"proof_3.1_freeze.json": frozenLeaves, "proof_2.0.json": oldLeaves} {
		text := readText(t, filepath.Join(shared, "real/proofs", name))
		for _, l := range leaves {
			value := leafText(t, text, l.path)
			at := strings.Index(text, value)
			if at < 0 || strings.Count(text, value) < 1 {
				t.Fatalf("%s: %s is not written as it reads", name, l.path)
			}
			at = leafOffset(t, text, l.path, value)
			bits := 8 * len(value)
			for bit := 0; bit < bits; bit += max(1, bits/flips) {
				changed := []byte(text)
				changed[at+bit/8] ^= 1 << (bit % 8)
				oneBit(t, fmt.Sprintf("%s: %s, bit %d", name, l.path, bit), string(changed), l.check)
			}
		}
	}
}

func oneBit(t *testing.T, what, text, check string) {
	t.Helper()
	doc, got := proofVerify(t, text)
	switch {
	case got.code == 2 || got.code == 3 && check == "3":
		return
	case got.code != 1:
		t.Errorf("%s: exit code %d, want 1", what, got.code)
		return
	case check == "3": // a UUID that is none
		check = "transparency_log"
	}
	for _, c := range doc.Proofs[0].Checks {
		if c.Status == "failed" && strings.Contains(check, c.Name) {
			return
		}
	}
	t.Errorf("%s: %s did not fail", what, check)
}

// leafText is the value of a leaf as encoding/json reads it.
func leafText(t *testing.T, text, path string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	for _, step := range strings.Split(path, "/") {
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			var i int
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(in) {
				t.Fatalf("%s: no element %s", path, step)
			}
			v = in[i]
		}
	}
	s, ok := v.(string)
	if !ok || s == "" {
		t.Fatalf("%s: not a text", path)
	}
	return s
}

// leafOffset finds where the value of a leaf stands: after the names on its path, in their order.
func leafOffset(t *testing.T, text, path, value string) int {
	t.Helper()
	at := 0
	for _, step := range strings.Split(path, "/") {
		if i := strings.Index(text[at:], `"`+step+`"`); i >= 0 {
			at += i + len(step) + 2
		}
	}
	i := strings.Index(text[at:], `"`+value+`"`)
	if i < 0 {
		t.Fatalf("%s: not found in the text", path)
	}
	return at + i + 1
}
