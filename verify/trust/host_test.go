package trust

import (
	"testing"

	"github.com/ark-forge/proveit/canon"
)

// TestHosts: an authority goes by the host of its URI. The hosts are read off by hand as RFC 3986 §3.2.2 gives them, a text without a scheme
// taken as if "//" stood before it (§4.2).
func TestHosts(t *testing.T) {
	m := newMaterial(t)
	for uri, want := range map[string]string{
		"https://t.example/api/v1/timestamp": "t.example",
		"http://t.example:8080":              "t.example",
		"t.example":                          "t.example",
		"t.example/tsr":                      "t.example",
		"https://timestamp.digicert.com":     "digicert.com",
		"timestamp.digicert.com":             "digicert.com",
		"digicert.com.example":               "digicert.com.example",
		"notdigicert.com":                    "notdigicert.com",
		"https://":                           "",
		"/tsr":                               "",
		"t example":                          "",
	} {
		s, err := Load(folder("trusted_root.json", `{"timestampAuthorities":[{"uri":"`+uri+`","certChain":{"certificates":[{"rawBytes":"`+canon.EncodeBase64(m.rootDER)+`"}]}}]}`), "test")
		switch {
		case want == "" && err == nil:
			t.Errorf("%q: got %q, want a refusal", uri, s.Providers())
		case want != "" && err != nil:
			t.Errorf("%q: %v", uri, err)
		case want != "" && (len(s.Providers()) != 1 || s.Providers()[0] != want):
			t.Errorf("%q: got %q, want %q", uri, s.Providers(), want)
		}
	}
}
