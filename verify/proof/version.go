package proof

import (
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// scheme is how a version computes its chain hash.
type scheme uint8

const (
	schemeUnknown  scheme = iota // another major version
	schemeLegacy                 // 1.x, 2.x: over values that public views leave out
	schemeTree                   // 3.0: RFC 6962 root over commitments
	schemeIdentity               // 3.1 and later 3.x: the same, the identity committed too
)

// Limits of a version: numbers joined by dots.
const (
	maxComponents = 4
	maxDigits     = 6
)

// version is a spec_version as read.
type version struct {
	text   string // as written; empty where the view has none
	scheme scheme
	later  bool // a 3.x after 3.1
}

// parseVersion reads a spec_version. An absent one, which a view may write as null, is that of the first proofs. Components are compared as
// numbers, so 3.10 is after 3.2.
func parseVersion(v canon.Value) (version, *verify.Failure) {
	if !v.Exists() || v.Kind() == canon.Null {
		return version{scheme: schemeLegacy}, nil
	}
	s, ok := v.Text()
	if s == "3.1" {
		return version{text: s, scheme: schemeIdentity}, nil
	}
	numbers, good := components(s)
	if !ok || !good {
		return version{text: s}, &verify.Failure{Reason: ReasonVersionMalformed, Found: shown(v), Wanted: "numbers joined by dots, such as 3.1"}
	}
	out := version{text: s}
	switch major, minor := numbers[0], numbers[1]; {
	case major == 1 || major == 2:
		out.scheme = schemeLegacy
	case major == 3 && minor == 0:
		out.scheme = schemeTree
	case major == 3:
		out.scheme = schemeIdentity
		out.later = minor > 1 || numbers[2] > 0 || numbers[3] > 0
	}
	return out, nil
}

// components splits a version into numbers without leading zeros; those that are not there are 0.
func components(s string) (n [maxComponents]int, ok bool) {
	i := 0
	for part := range strings.SplitSeq(s, ".") {
		if i == maxComponents || part == "" || len(part) > maxDigits || (part[0] == '0' && len(part) > 1) {
			return n, false
		}
		for _, c := range []byte(part) {
			if c < '0' || c > '9' {
				return n, false
			}
			n[i] = 10*n[i] + int(c-'0')
		}
		i++
	}
	return n, true
}

// AtLeast31 reports whether a spec_version is 3.1 or a later 3.x, the versions whose proofs commit to an identity.
func AtLeast31(specVersion string) bool {
	n, ok := components(specVersion)
	return ok && n[0] == 3 && n[1] >= 1
}
