package proof

import "github.com/ark-forge/proveit/canon"

// Field is one opened field.
type Field struct {
	Name  string
	Value canon.Value
}

// IdentityFields are the four fields of the identity block with their values, in the order of the specification; nil unless they opened.
func (r *Result) IdentityFields() []Field {
	if !r.Identity.Opened || r.Unverified == nil {
		return nil
	}
	out := make([]Field, 0, len(identityFields))
	for _, name := range identityFields {
		out = append(out, Field{name, r.Unverified.m.disclosed.Get(name).Get("value")})
	}
	return out
}
