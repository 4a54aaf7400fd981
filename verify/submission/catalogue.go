package submission

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/verify"
)

// Catalogue finds the canonical spelling of a resource that was spelled otherwise: another host or case, a slash or a "?" too many or
// too few, a query in another order. It gives hints; it judges nothing. A nil Catalogue knows no resource.
type Catalogue struct {
	exact map[string]bool
	loose map[string]string // loose form → the only resource of that form; "" where there are several
}

// NewCatalogue makes a catalogue of the corpus's canonical resources.
func NewCatalogue(resources []string) *Catalogue {
	c := &Catalogue{exact: make(map[string]bool, len(resources)), loose: make(map[string]string, len(resources))}
	for _, r := range resources {
		c.exact[r] = true
		key := looseForm(r)
		if other, again := c.loose[key]; again && other != r {
			c.loose[key] = ""
			continue
		}
		c.loose[key] = r
	}
	return c
}

// Canonical is the catalogue's spelling of a resource that is spelled otherwise, and whether there is exactly one.
func (c *Catalogue) Canonical(resource string) (string, bool) {
	if c == nil || c.exact[resource] || len(resource) > 4096 {
		return "", false
	}
	r := c.loose[looseForm(resource)]
	return r, r != ""
}

// Advise names every claim whose resource the catalogue spells otherwise. The entry takes such a submission; condition 3 would fail.
func (c *Catalogue) Advise(file string, s *Submission) Refusals {
	var out Refusals
	for i, a := range s.Assertions {
		canonical, ok := c.Canonical(a.Claim.Resource)
		if !ok {
			continue
		}
		f := verify.Failure{Reason: ReasonResourceNotCanonical, Found: quoted(a.Claim.Resource), Wanted: quoted(canonical), File: file,
			Pointer: "/assertions/" + strconv.Itoa(i) + "/claim/resource"}
		out = append(out, Refusal{Failure: f, Hint: canonical})
	}
	return out
}

// looseForm drops what people get wrong: scheme, host, fragment, doubled and final slashes, case, an empty query and the order of one.
func looseForm(s string) string {
	if at := strings.Index(s, "://"); at >= 0 && !strings.Contains(s[:at], "/") {
		s = s[at+3:]
		if slash := strings.IndexByte(s, '/'); slash >= 0 {
			s = s[slash:]
		} else {
			s = "/"
		}
	}
	s, _, _ = strings.Cut(strings.TrimSpace(s), "#")
	path, query, _ := strings.Cut(s, "?")
	parts := slices.DeleteFunc(strings.Split(strings.ToLower(path), "/"), func(p string) bool { return p == "" })
	args := slices.DeleteFunc(strings.Split(strings.ToLower(query), "&"), func(p string) bool { return p == "" })
	slices.Sort(args)
	return strings.Join(parts, "/") + "?" + strings.Join(args, "&")
}
