package document

import (
	"regexp"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// Identity is who a party is, under one of several schemes.
type Identity struct {
	Scheme string // canonical name: an alias is already replaced
	Value  string
}

// Exists reports whether there is an identity at all.
func (i Identity) Exists() bool { return i.Scheme != "" && i.Value != "" }

// String is "scheme:value".
func (i Identity) String() string { return i.Scheme + ":" + i.Value }

// Normal is the identity with every spelling that means the same made equal: hexadecimal in lower case, no fragment after a DID.
func (i Identity) Normal() Identity {
	switch i.Scheme {
	case "coc", "erc8004":
		i.Value = Lower(i.Value)
	case "api_key": // a hash of the key; a key in clear keeps its case
		if hashed := Lower(i.Value); Hash64.MatchString(hashed) {
			i.Value = hashed
		}
	case "did":
		i.Value, _, _ = strings.Cut(i.Value, "#")
	}
	return i
}

// ReadIdentity reads an identity; an alias of a scheme is replaced.
func ReadIdentity(v canon.Value) Identity {
	i := Identity{Scheme: Text(v.Get("scheme")), Value: Text(v.Get("value"))}
	if i.Scheme == "w3c_did" {
		i.Scheme = "did"
	}
	return i
}

// Hash64 is a digest as documents write it: "sha256:" and 64 lowercase hex digits (R020).
var Hash64 = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
