package freeze

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
)

// Format is the "format" member of freeze.json.
const Format = "proveit.freeze/v1"

// Limits of freeze.json.
const (
	MaxFreezes  = 64
	MaxBindings = 256 // of one freeze
)

// SaltSize is the length of a salt in bytes (seed 000 §8).
const SaltSize = 32

// Status says whether a freeze is the one that counts.
type Status string

// The statuses of a freeze.
const (
	Superseded Status = "superseded" // replaced before the opening, for the reason that it states
	Current    Status = "current"
)

// Record is one freeze as freeze.json states it.
type Record struct {
	ProofID     string
	Status      Status
	Reason      string      // why it was superseded
	Request     canon.Value // the request_data that was proxied
	Disclosures proof.Disclosures
	Bindings    []Binding
	Pointer     string // of the freeze inside freeze.json
}

// Binding says which value of the request is the hash of which file.
type Binding struct {
	Pointer canon.Pointer   // into the request
	File    string          // relative to the bundle's root
	Salt    *[SaltSize]byte // nil where the file was hashed alone
	place   string          // of the binding inside freeze.json
}

// hash is the hash of the file's bytes as the binding has it.
func (b *Binding) hash(file []byte) canon.Digest {
	if b.Salt == nil {
		return canon.Sum(file)
	}
	return Salted(*b.Salt, file)
}

// Salted is SHA-256(salt ‖ bytes).
func Salted(salt [SaltSize]byte, file []byte) canon.Digest {
	return canon.Sum(append(salt[:], file...))
}

// Parse reads freeze.json. The error is a *canon.SyntaxError.
func Parse(file string, b []byte) ([]Record, error) {
	root, err := canon.ParseStrict(file, b)
	if err != nil {
		return nil, err
	}
	p := &parser{file: file}
	p.members(root, "format", "freezes")
	if format := p.text(root, "format"); p.err == nil && format != Format {
		p.fail(root.Get("format"), fmt.Sprintf("format %.100q", format), fmt.Sprintf("%q", Format))
	}
	var out []Record
	for _, v := range p.list(root, "freezes", MaxFreezes).Elements() {
		r := p.record(v)
		if slices.ContainsFunc(out, func(o Record) bool { return o.ProofID == r.ProofID }) {
			p.fail(v.Get("proof_id"), "a second freeze of "+r.ProofID, "a proof for each freeze")
		}
		if p.err != nil {
			return nil, p.err
		}
		out = append(out, r)
	}
	if p.err != nil {
		return nil, p.err
	}
	return out, nil
}

// parser keeps the first fault; what is read after one is of no use and is not given out.
type parser struct {
	file string
	err  error
}

func (p *parser) fail(v canon.Value, found, want string) {
	if p.err == nil {
		p.err = &canon.SyntaxError{File: p.file, Line: v.Line(), Col: v.Col(), Pointer: v.Pointer(), Found: found, Want: want}
	}
}

// members wants an object with these members and no other; a name that ends in "?" may be absent.
func (p *parser) members(v canon.Value, names ...string) {
	if v.Kind() != canon.Object {
		p.fail(v, v.Kind().String(), "an object with "+strings.Join(names, ", "))
		return
	}
	for name, m := range v.Members() {
		if !slices.Contains(names, name) && !slices.Contains(names, name+"?") {
			p.fail(m, fmt.Sprintf("an unknown member %.100q", name), "only "+strings.Join(names, ", "))
		}
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "?") && !v.Get(name).Exists() {
			p.fail(v, "no member "+name, "one")
		}
	}
}

func (p *parser) text(v canon.Value, name string) string {
	m := v.Get(name)
	s, ok := m.Text()
	if !ok && m.Exists() {
		p.fail(m, m.Kind().String(), "a string")
	}
	return strings.Clone(s)
}

// list wants an array of at least one element and at most limit.
func (p *parser) list(v canon.Value, name string, limit int) canon.Value {
	m := v.Get(name)
	if m.Kind() != canon.Array || m.Len() == 0 || m.Len() > limit {
		p.fail(m, fmt.Sprintf("%s of %d", m.Kind(), m.Len()), fmt.Sprintf("an array of 1 to %d", limit))
		return canon.Value{}
	}
	return m
}

func (p *parser) record(v canon.Value) Record {
	p.members(v, "proof_id", "status", "reason?", "request", "disclosures", "bindings")
	r := Record{ProofID: p.text(v, "proof_id"), Status: Status(p.text(v, "status")), Reason: p.text(v, "reason"), Request: v.Get("request"), Pointer: v.Pointer()}
	if !proof.IsID(r.ProofID) {
		p.fail(v.Get("proof_id"), fmt.Sprintf("%.100q", r.ProofID), "prf_, 8 digits, _, 6 digits, _, 6 lowercase hex digits")
	}
	switch {
	case r.Status != Current && r.Status != Superseded:
		p.fail(v.Get("status"), fmt.Sprintf("%.100q", string(r.Status)), `"current" or "superseded"`)
	case r.Status == Superseded && r.Reason == "":
		p.fail(v, "a superseded freeze without a reason", "one")
	}
	if r.Request.Kind() != canon.Object {
		p.fail(r.Request, r.Request.Kind().String(), "an object")
	}
	var err error
	if r.Disclosures, err = proof.ParseDisclosures(p.file, v.Get("disclosures")); err != nil {
		p.fail(v.Get("disclosures"), foundIn(err), "request_hash and response_hash, each a nonce and a value of 64 lowercase hex digits")
	}
	for _, b := range p.list(v, "bindings", MaxBindings).Elements() {
		if p.err != nil {
			break
		}
		r.Bindings = append(r.Bindings, p.binding(b))
	}
	return r
}

func (p *parser) binding(v canon.Value) Binding {
	p.members(v, "pointer", "salt?", "file")
	b := Binding{File: p.text(v, "file"), place: v.Pointer()}
	if !cleanPath(b.File) {
		p.fail(v.Get("file"), fmt.Sprintf("%.100q", b.File), "a path relative to the bundle's root, without .. and backslashes")
	}
	pointer, err := canon.ParsePointer(p.text(v, "pointer"))
	if err != nil {
		p.fail(v.Get("pointer"), foundIn(err), "an RFC 6901 pointer")
	}
	b.Pointer = pointer
	if v.Get("salt").Exists() {
		raw, err := canon.DecodeHex(p.text(v, "salt"), SaltSize)
		if err != nil {
			p.fail(v.Get("salt"), fmt.Sprintf("%.100q", p.text(v, "salt")), "64 lowercase hex digits")
			return b
		}
		salt := [SaltSize]byte(raw)
		b.Salt = &salt
	}
	return b
}

// foundIn is what an error that has its own "found" and "want" found.
func foundIn(err error) string {
	var pointer *canon.PointerError
	var failure *verify.Failure
	switch {
	case errors.As(err, &pointer):
		return pointer.Found
	case errors.As(err, &failure):
		return failure.Found
	}
	return err.Error()
}

// cleanPath reports whether a path stays below the root and has no other spelling.
func cleanPath(s string) bool {
	return s != "" && s != "." && !strings.HasPrefix(s, "/") && !strings.Contains(s, `\`) && path.Clean(s) == s && s != ".." && !strings.HasPrefix(s, "../")
}
