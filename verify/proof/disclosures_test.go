package proof

import (
	"strings"
	"testing"
)

// TestReadDisclosures: the four forms give the same pairs, anything else names its place.
func TestReadDisclosures(t *testing.T) {
	const id = "prf_20260921_101233_ab12cd"
	hex := strings.Repeat("0a", 32)
	pair := `{"nonce": "` + hex + `", "value": "` + hex + `"}`
	pairs := `{"request_hash": ` + pair + `, "response_hash": ` + pair + `}`
	for name, text := range map[string]string{
		"pairs":      pairs,
		"block":      `{"` + id + `": ` + pairs + `}`,
		"submission": `{"season": 1, "disclosures": {"` + id + `": ` + pairs + `}}`,
		"freeze":     `{"freezes": [{"proof_id": "` + id + `", "disclosures": ` + pairs + `}]}`,
	} {
		set, err := ReadDisclosures("f", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := set.For(id); d == nil || d.Request.Value.String() != hex || d.Response.Nonce[0] != 0x0a {
			t.Errorf("%s: %v, want the pairs", name, d)
		}
		if other := set.For("prf_20260921_101233_ffffff"); (other != nil) != (name == "pairs") {
			t.Errorf("%s: pairs for another proof: %v", name, other)
		}
	}
	for text, place := range map[string]string{
		`{`:                                  "",
		`[]`:                                 "disclosure_malformed",
		`{"x": ` + pairs + `}`:               "#/x",
		`{"` + id + `": {}}`:                 "#/" + id,
		`{"request_hash": ` + pair + `}`:     "object of request_hash and response_hash",
		`{"freezes": [{"proof_id": "prf"}]}`: "proof id",
		`{"` + id + `": {"request_hash": ` + pair + `, "response_hash": {"nonce": "` + hex + `", "value": 1}}}`: "#/" + id + "/response_hash",
	} {
		if _, err := ReadDisclosures("f", []byte(text)); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%s: %v, want a refusal that names %q", text, err, place)
		}
	}
}
