package submission

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/proof"
)

// fullView is an owner's full view of spec version 3.0, made here from the formula of the proof format: commitment = SHA-256(name ‖ 0 ‖
// nonce ‖ canonical JSON), leaf = SHA-256(0 ‖ commitment), RFC 6962 root in the order of the names.
func fullView(id string) string {
	names := []string{"buyer_fingerprint", "request_hash", "response_hash", "seller", "timestamp", "transaction_id"}
	var commitments, nonces, data []string
	var leaves [][32]byte
	for i, n := range names {
		nonce := sha256.Sum256([]byte(id + n))
		value := fmt.Sprintf(`"%x"`, sha256.Sum256([]byte{byte(i)}))
		c := sha256.Sum256(slices.Concat([]byte(n), []byte{0}, nonce[:], []byte(value)))
		leaves = append(leaves, sha256.Sum256(append([]byte{0}, c[:]...)))
		commitments = append(commitments, fmt.Sprintf(`%q:"sha256:%x"`, n, c))
		nonces = append(nonces, fmt.Sprintf(`%q:"%x"`, n, nonce))
		data = append(data, fmt.Sprintf(`%q:%s`, n, value))
	}
	return fmt.Sprintf(`{"proof_id":%q,"spec_version":"3.0","hashes":{"chain":"sha256:%x"},"commitments":{%s},"commitment_nonces":{%s},"chain_data":{%s}}`,
		id, rootOf(leaves), strings.Join(commitments, ","), strings.Join(nonces, ","), strings.Join(data, ","))
}

func rootOf(leaves [][32]byte) [32]byte {
	if len(leaves) == 1 {
		return leaves[0]
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	l, r := rootOf(leaves[:k]), rootOf(leaves[k:])
	return sha256.Sum256(slices.Concat([]byte{1}, l[:], r[:]))
}

func viewsOf(t *testing.T, text string) []proof.View {
	t.Helper()
	views, err := proof.Views("full.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return views
}

func TestDisclose(t *testing.T) {
	const other = "prf_20260101_000000_000000"
	views := append(viewsOf(t, fullView(proof1)), viewsOf(t, fullView(other))...)
	block, refusals := Disclose(append(views, views[0]))
	if refusals != nil {
		t.Fatal(refusals.Err())
	}
	v, err := canon.ParseStrict("", block)
	if err != nil {
		t.Fatal(err)
	}
	nonce, _ := v.Get(proof1).Get("response_hash").Get("nonce").Text()
	value, _ := v.Get(proof1).Get("response_hash").Get("value").Text()
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte(proof1+"response_hash"))); nonce != want {
		t.Errorf("nonce %s, want %s", nonce, want)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte{2})); value != want {
		t.Errorf("value %s, want %s", value, want)
	}
	if v.Len() != 2 || strings.Index(string(block), other) > strings.Index(string(block), proof1) {
		t.Errorf("%s", block)
	}
	// What is disclosed is what the entry wants.
	text := soundText()
	text = text[:strings.Index(text, `"assertions"`)] + `"assertions": [{"id": "a", "claim": {"resource": "/r", "field": "/f", "value": 1},
	 "proof_ids": ["` + proof1 + `", "` + other + `"]}], "disclosures": {"old": null}}`
	filled, err := InsertDisclosures("f", []byte(text), block)
	if err != nil {
		t.Fatal(err)
	}
	if _, refusals := Parse("f", filled, caseRules()); refusals != nil {
		t.Error(refusals.Err())
	}
}

func TestDiscloseRefuses(t *testing.T) {
	sound := fullView(proof1)
	nonce := fmt.Sprintf("%x", sha256.Sum256([]byte(proof1+"request_hash")))
	for _, c := range []struct{ name, text, want string }{
		{"public view", strings.Replace(sound, `"commitment_nonces"`, `"nonces"`, 1), "view_without_nonces"},
		{"no chain data", strings.Replace(sound, `"chain_data"`, `"data"`, 1), "view_without_nonces"},
		{"null", `{"proofs":{"` + proof1 + `":null}}`, "view_null"},
		{"another nonce", strings.Replace(sound, nonce, strings.Repeat("0", 64), 1), "request_differs"},
		{"nonce short", strings.Replace(sound, nonce, nonce[1:], 1), "disclosure_malformed"},
		{"commitments of another chain hash", strings.Replace(sound, `"chain":"sha256:`, `"chain":"sha256:0`, 1), "chain_hash_malformed"},
		{"misfiled", `{"proofs":{"prf_20260101_000000_000001":` + sound + `}}`, "proof_id_differs"},
		{"before commitments", strings.Replace(sound, `"3.0"`, `"2.1"`, 1), "no_commitments"},
	} {
		block, refusals := Disclose(append(viewsOf(t, c.text), viewsOf(t, fullView("prf_20260101_000000_000000"))...))
		if block != nil || len(refusals) != 1 || string(refusals[0].Reason) != c.want {
			t.Errorf("%s: %v, want %s", c.name, refusals.Err(), c.want)
		}
	}
	again := strings.ReplaceAll(fullView(proof1), proof1, "prf_20260101_000000_000000")
	block, refusals := Disclose(append(viewsOf(t, again), viewsOf(t, fullView("prf_20260101_000000_000000"))...))
	if block != nil || len(refusals) != 1 || refusals[0].Reason != ReasonViewRepeated {
		t.Errorf("two views: %v", refusals.Err())
	}
}

func TestInsertKeepsEveryByte(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{}`, "{\n  \"disclosures\": {\"x\":1}}"},
		{"{ \"é\" :\t1.0e0 }\n", "{ \"é\" :\t1.0e0,\n  \"disclosures\": {\"x\":1} }\n"},
		{"{\"a\":\"é\",\r\n \"disclosures\" : {\"prf\": [1,\n2]} , \"b\":[]}\r\n", "{\"a\":\"é\",\r\n \"disclosures\" : {\"x\":1} , \"b\":[]}\r\n"},
		{"\n\n{\"disclosures\":null}", "\n\n{\"disclosures\":{\"x\":1}}"},
		{`{"\u0064isclosures":0,"z":{}}`, `{"\u0064isclosures":{"x":1},"z":{}}`},
		{`{"a":{"disclosures":7}}`, "{\"a\":{\"disclosures\":7},\n  \"disclosures\": {\"x\":1}}"},
	} {
		got, err := InsertDisclosures("f", []byte(c.text), []byte(`{"x":1}`))
		if err != nil || string(got) != c.want {
			t.Errorf("%q: %q %v, want %q", c.text, got, err, c.want)
		}
	}
	for _, c := range []struct{ text, block string }{{`[]`, `{}`}, {`{`, `{}`}, {``, `{}`}, {`{"a":1,"a":2}`, `{}`}, {`{}`, `[]`}, {`{}`, `{`}} {
		if got, err := InsertDisclosures("f", []byte(c.text), []byte(c.block)); err == nil || got != nil {
			t.Errorf("%s %s: taken", c.text, c.block)
		}
	}
}

func FuzzInsert(f *testing.F) {
	f.Add([]byte(soundText()))
	f.Add([]byte("{\"é\":\r\n{}\n}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := InsertDisclosures("f", b, []byte(`{"x":1}`))
		if err != nil {
			return
		}
		before, _ := canon.ParseStrict("", b)
		after, err := canon.ParseStrict("", got)
		if err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		for name, v := range before.Members() {
			if name != "disclosures" && !canon.Equal(v, after.Get(name)) {
				t.Errorf("%q changed", name)
			}
		}
		if x, _ := after.Get("disclosures").Get("x").Int64(); x != 1 {
			t.Errorf("%q: no block", got)
		}
	})
}

// TestSkeleton: the form is JSON of the right shape, and what the entry says about it is what is to be filled in.
func TestSkeleton(t *testing.T) {
	form, err := Skeleton(1, "conformite", "conf-03")
	if err != nil {
		t.Fatal(err)
	}
	_, refusals := Parse("f", form, caseRules())
	want := "verdict_unknown /verdict|did_malformed /agent_did|resource_malformed /assertions/0/claim/resource|" +
		"field_empty /assertions/0/claim/field|no_proof_cited /assertions/0/proof_ids"
	if got := strings.Join(codesAndPlaces(refusals), "|"); got != want {
		t.Errorf("%s", got)
	}
	odd, err := Skeleton(-3, "a\"b", "é")
	if v, perr := canon.ParseStrict("", odd); err != nil || perr != nil || v.Len() != 8 {
		t.Errorf("%s: %v %v", odd, err, perr)
	}
}

// TestSharedFullViews: the full views of the independently minted season give the pairs that its submissions disclose.
func TestSharedFullViews(t *testing.T) {
	z, err := zip.OpenReader("../../../shared/seasons/open-season.zip")
	if err != nil {
		t.Skip("the shared seasons are not beside the repository")
	}
	defer z.Close()
	var submissions []byte
	blocks := make(map[string][]byte)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(f.Name, "submissions/") {
			submissions = append(submissions, b...)
		}
		if !strings.HasPrefix(f.Name, "proofs/") || !bytes.Contains(b, []byte(`"commitment_nonces"`)) {
			continue
		}
		views, err := proof.Views(f.Name, b)
		if err != nil || len(views) != 1 {
			t.Fatalf("%s: %d views, %v", f.Name, len(views), err)
		}
		if views[0].Misfiled != nil { // the season has such files on purpose
			continue
		}
		block, refusals := Disclose(views)
		if refusals != nil {
			t.Errorf("%s: %v", f.Name, refusals.Err())
		}
		blocks[views[0].ID] = block
	}
	if len(blocks) < 2 {
		t.Fatalf("%d full views, want at least 2", len(blocks))
	}
	for id, block := range blocks {
		v, err := canon.ParseStrict("", block)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"request_hash", "response_hash"} {
			nonce, _ := v.Get(id).Get(name).Get("nonce").Text()
			if len(nonce) != 64 || !bytes.Contains(submissions, []byte(nonce)) {
				t.Errorf("%s: the nonce %q of %s is in no submission", id, nonce, name)
			}
		}
	}
}
