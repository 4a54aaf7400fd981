package document

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// Path is a term of an agreement as negotiation messages name it: quality_criteria.dimensions[0].slo.value.
type Path []step

// step is a member name, or an index where name is empty.
type step struct {
	name  string
	index int
}

var (
	pathForm = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*|\[(0|[1-9][0-9]{0,3})\])*$`)
	stepForm = regexp.MustCompile(`[a-z][a-z0-9_]*|[0-9]+`)
)

// ParsePath reads a path: identifiers joined by points, indexes of 0 to 9999 in brackets without leading zeros, at most 256 bytes.
func ParsePath(s string) (Path, bool) {
	if len(s) > 256 || !pathForm.MatchString(s) {
		return nil, false
	}
	var p Path
	for _, t := range stepForm.FindAllString(s, -1) {
		if n, err := strconv.Atoi(t); err == nil {
			p = append(p, step{index: n})
		} else {
			p = append(p, step{name: t})
		}
	}
	return p, true
}

// Resolve is the value at the path, or Missing. The empty path leads nowhere.
func (p Path) Resolve(v canon.Value) canon.Value {
	if len(p) == 0 {
		return canon.Value{}
	}
	for _, s := range p {
		if s.name != "" {
			v = v.Get(s.name)
		} else {
			v = v.At(s.index)
		}
	}
	return v
}

// Pointer is the path as an RFC 6901 pointer.
func (p Path) Pointer() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteByte('/')
		if s.name != "" {
			b.WriteString(s.name)
		} else {
			b.WriteString(strconv.Itoa(s.index))
		}
	}
	return b.String()
}
