package rekor

import (
	"slices"
	"strconv"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// shape reads members of a document and keeps the first thing that is not as it must be. Once there is one, further reads give zero values.
type shape struct {
	file    string
	failure *verify.Failure
}

// refuse names a value, or the member of that name in it. The pointer is made only where it is kept: making one costs as much as finding the value.
func (s *shape) refuse(r verify.Reason, v canon.Value, name, found, wanted string) {
	if s.failure != nil {
		return
	}
	s.failure = &verify.Failure{Reason: r, Found: found, Wanted: wanted, File: s.file, Pointer: v.Pointer()}
	if name != "" {
		s.failure.Pointer += "/" + canon.EscapeToken(name)
	}
}

// object demands an object with exactly these members, none of the required ones null.
func (s *shape) object(v canon.Value, required []string, optional ...string) {
	if s.failure != nil {
		return
	}
	if v.Kind() != canon.Object {
		s.refuse(ReasonShape, v, "", v.Kind().String(), "an object")
		return
	}
	for _, name := range required {
		if m := v.Get(name); m.Kind() == canon.Missing || m.Kind() == canon.Null {
			s.refuse(ReasonShape, v, name, m.Kind().String(), "member "+name)
			return
		}
	}
	for name := range v.Members() {
		if !slices.Contains(required, name) && !slices.Contains(optional, name) {
			s.refuse(ReasonShape, v, name, "member "+show(name), "no such member")
			return
		}
	}
}

func (s *shape) text(v canon.Value) string {
	t, ok := v.Text()
	if !ok {
		s.refuse(ReasonShape, v, "", v.Kind().String(), "a string")
	}
	return t
}

func (s *shape) digest(v canon.Value) canon.Digest {
	t := s.text(v)
	d, err := canon.ParseHex(t)
	if err != nil {
		s.refuse(ReasonShape, v, "", show(t), "64 lowercase hex digits")
		return canon.Digest{}
	}
	return d
}

func (s *shape) base64(parent canon.Value, name string, r verify.Reason) []byte {
	v := parent.Get(name)
	t := s.text(v)
	b, err := canon.DecodeBase64(t)
	if err != nil || len(b) == 0 {
		s.refuse(r, v, "", show(t), "padded base64 in its only spelling")
		return nil
	}
	return b
}

// number reads an integer from 0 to 2^63-1 in its only spelling.
func (s *shape) number(parent canon.Value, name string) uint64 {
	v := parent.Get(name)
	n, ok := v.Int64()
	if !ok || n < 0 || strconv.FormatInt(n, 10) != v.Number() {
		found := v.Kind().String()
		if v.Number() != "" {
			found = show(v.Number())
		}
		s.refuse(ReasonShape, v, "", found, "an integer from 0 to 9223372036854775807")
		return 0
	}
	return uint64(n)
}

// showLimit bounds how much of an input a failure repeats, in bytes.
const showLimit = 100

// show quotes at most showLimit bytes of s.
func show(s string) string {
	if len(s) > showLimit {
		return strconv.Quote(s[:showLimit]) + "… (" + strconv.Itoa(len(s)) + " bytes)"
	}
	return strconv.Quote(s)
}
