package document

import (
	"fmt"
	"strings"
	"testing"
)

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"a": "https://x" // c`+"\n}"), true)
	f.Fuzz(func(t *testing.T, b []byte, jsonc bool) {
		d, err := Read("f", b, jsonc)
		if err == nil && depth(b) > MaxDepth && !jsonc {
			t.Errorf("accepted at depth %d: %s", depth(b), d.Root.Raw())
		}
		out, n := StripComments(b)
		if len(out) != len(b) {
			t.Error("taking comments out moves bytes")
		}
		if again, m := StripComments(out); n > 0 && (m != 0 || string(again) != string(out)) {
			t.Errorf("%q still has comments", out)
		}
	})
}

func FuzzParsePath(f *testing.F) {
	f.Add("quality_criteria.dimensions[0].slo.value")
	f.Fuzz(func(t *testing.T, s string) {
		p, ok := ParsePath(s)
		if !ok {
			return
		}
		var b strings.Builder
		for i, step := range p {
			if step.name == "" {
				fmt.Fprintf(&b, "[%d]", step.index)
				continue
			}
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(step.name)
		}
		if b.String() != s {
			t.Errorf("%q is written back as %q", s, b.String())
		}
	})
}

func FuzzGate(f *testing.F) {
	f.Add("source_quality_gte_70")
	c := Criteria{Dimensions: []Dimension{{Name: "accuracy"}, {Name: "source_quality"}}}
	f.Fuzz(func(t *testing.T, s string) {
		if g, ok := ParseGate(s, c); ok && !strings.HasPrefix(s, g.Subject+"_"+g.Operator+"_") {
			t.Errorf("%q read as %+v", s, g)
		}
	})
}
