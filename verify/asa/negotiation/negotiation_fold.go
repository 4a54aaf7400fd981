package negotiation

import (
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// fold is the first document with every change applied, or Missing where there is none.
func (s *session) fold() canon.Value {
	if s.start == nil {
		return canon.Value{}
	}
	if len(s.terms) == 0 {
		return s.start.Root
	}
	inside := map[string]bool{} // every pointer on the way to a changed term
	for key := range s.terms {
		for i, c := range key {
			if c == '/' {
				inside[key[:i]] = true
			}
		}
	}
	folded, err := canon.ParseStrict(s.start.Name, s.appendFolded(nil, s.start.Root, "", inside))
	if err != nil {
		return canon.Value{}
	}
	return folded
}

func (s *session) appendFolded(dst []byte, v canon.Value, at string, inside map[string]bool) []byte {
	if t, ok := s.terms[at]; ok {
		return append(dst, t.current.Raw()...)
	}
	if !inside[at] {
		return append(dst, v.Raw()...)
	}
	separator := byte('{')
	if v.Kind() == canon.Array {
		separator = '['
		for i, e := range v.Elements() {
			dst = s.appendFolded(append(dst, separator), e, at+"/"+strconv.Itoa(i), inside)
			separator = ','
		}
		return append(dst, ']')
	}
	for name, e := range v.Members() {
		dst = append(exact.AppendString(append(dst, separator), name), ':')
		dst = s.appendFolded(dst, e, at+"/"+canon.EscapeToken(name), inside)
		separator = ','
	}
	return append(dst, '}')
}

// checkProposal compares the hash in the first message with the proposal.
func (s *session) checkProposal() {
	m := s.messages[0]
	declared := document.Text(m.Get("document_sha256"))
	at := m.At("document_sha256")
	if m.Action != "propose" || declared == "" || s.Proposal == nil {
		s.log.Missing("R052", "proposal-not-bound", at, "proposal.json and its hash in the first message")
		return
	}
	payload, _ := s.Proposal.Payload()
	want := canon.Sum(payload).Prefixed()
	s.log.Check(declared == want, finding.Error, "R052", "proposal-hash", at, document.Clip(declared), want)
}

// checkFold records R052: the signed agreement holds exactly the folded terms.
func (s *session) checkFold(terms canon.Value) {
	at := "agreement.json"
	switch {
	case s.Agreement == nil || s.Proposal == nil || !s.attributable:
		s.log.Missing("R052", "input-missing", at, "proposal.json, agreement.json and attributable messages")
		return
	case s.outcome != "accepted":
		s.log.NA("R052")
		return
	}
	d := differences{}
	for _, root := range negotiableRoots {
		p, _ := document.ParsePath(root)
		d.compare(root, p.Resolve(terms), p.Resolve(s.Agreement.Root))
	}
	for _, x := range d.found {
		s.log.Gap(finding.Error, "R052", "folded-differs", s.Agreement.Name+"#"+x.pointer, orAbsent(x.signed), orAbsent(x.folded))
	}
	if len(d.found) == 0 {
		s.log.OK("R052")
	}
}

func orAbsent(v canon.Value) string {
	if !v.Exists() {
		return "absent"
	}
	return document.ShownTyped(v)
}

// differences collects where two documents differ, at most maxDifferences places.
type differences struct{ found []difference }

type difference struct {
	pointer        string
	folded, signed canon.Value
}

const maxDifferences = 100

// compare walks two values; a root given as a path starts the pointer.
func (d *differences) compare(root string, folded, signed canon.Value) {
	d.walk("/"+strings.ReplaceAll(root, ".", "/"), folded, signed)
}

func (d *differences) walk(at string, folded, signed canon.Value) {
	if len(d.found) >= maxDifferences {
		return
	}
	switch {
	case folded.Kind() == canon.Object && signed.Kind() == canon.Object:
		other := map[string]canon.Value{}
		for name, v := range signed.Members() {
			other[name] = v
		}
		for name, v := range folded.Members() {
			d.walk(at+"/"+canon.EscapeToken(name), v, other[name])
			delete(other, name)
		}
		for name := range signed.Members() {
			if v, left := other[name]; left {
				d.walk(at+"/"+canon.EscapeToken(name), canon.Value{}, v)
			}
		}
	case folded.Kind() == canon.Array && signed.Kind() == canon.Array && folded.Len() == signed.Len():
		var theirs []canon.Value
		for _, v := range signed.Elements() {
			theirs = append(theirs, v)
		}
		for i, v := range folded.Elements() {
			d.walk(at+"/"+strconv.Itoa(i), v, theirs[i])
		}
	case !sameForm(folded, signed):
		d.found = append(d.found, difference{at, folded, signed})
	}
}

// sameForm reports whether two values have one canonical form (RFC 8785); two absent ones do.
func sameForm(a, b canon.Value) bool {
	if !a.Exists() || !b.Exists() {
		return a.Exists() == b.Exists()
	}
	x, _ := exact.JCS(a)
	y, _ := exact.JCS(b)
	return string(x) == string(y)
}
