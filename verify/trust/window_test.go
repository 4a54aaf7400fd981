package trust

import (
	"strings"
	"testing"
)

// TestZeroTime: 0001-01-01T00:00:00Z is what programs in Go write for a time that was never set, and would be read as no bound: a key that
// was retired then would count for ever.
func TestZeroTime(t *testing.T) {
	m := newMaterial(t)
	for _, c := range []struct{ from, retired, want string }{
		{"null", `"0001-01-01T00:00:00Z"`, "/keys/0/retired_at: found"},
		{"null", `"0001-01-01T01:00:00+01:00"`, "/keys/0/retired_at: found"},
		{`"0001-01-01T00:00:00Z"`, "null", "/keys/0/valid_from: found"},
		{"null", `"0001-01-01T00:00:01Z"`, ""},
	} {
		s, err := Load(folder("issuer/published_keys.json", `{"keys":[`+issuerKey("k", m.ed1, c.from, c.retired)+`]}`), "test")
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s to %s: %v", c.from, c.retired, err)
		case c.want == "" && s.IssuerKeys()[0].Retired.IsZero():
			t.Errorf("%s to %s: no bound", c.from, c.retired)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s to %s: got %v, want %s", c.from, c.retired, err, c.want)
		}
	}
}
