package submission

import (
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify/proof"
)

// seenTriples holds what may not be repeated among the assertions of one file.
type seenTriples struct {
	ids     map[string]int    // assertion id → index
	triples map[string]string // canonical triple → label of the first assertion that has it
}

func (r *reader) assertions(v canon.Value) {
	if v.Kind() != canon.Array {
		r.citedHidden = true
		if v.Exists() {
			r.refuse(ReasonMemberType, "/assertions", shown(v), "an array")
		}
		return
	}
	if t, ok := r.rules.track(r.sub.Track); ok {
		if k, ok := t.task(r.sub.TaskID); ok && v.Len() > k.Max {
			r.refuse(ReasonTooManyAssertions, "/assertions", strconv.Itoa(v.Len())+" assertions", "at most "+strconv.Itoa(k.Max))
		}
	}
	seen := seenTriples{ids: make(map[string]int), triples: make(map[string]string)}
	for i, e := range v.Elements() {
		r.assertion(i, e, seen)
	}
}

func (r *reader) assertion(i int, v canon.Value, seen seenTriples) {
	at := "/assertions/" + strconv.Itoa(i)
	if !r.object(v, at, assertionMembers) {
		r.citedHidden = true
		return
	}
	id, ok := r.text(v.Get("id"), at+"/id")
	label := at
	if ok {
		label = quoted(id)
		if first, again := seen.ids[id]; again {
			r.refuse(ReasonAssertionIDRepeated, at+"/id", quoted(id)+", also the id of /assertions/"+strconv.Itoa(first), "an id of its own")
		} else {
			seen.ids[id] = i
		}
	}
	a := Assertion{ID: id}
	a.Claim = r.claim(v.Get("claim"), at+"/claim", label, seen)
	a.ProofIDs = r.proofIDs(v.Get("proof_ids"), at+"/proof_ids", label)
	r.sub.Assertions = append(r.sub.Assertions, a)
}

func (r *reader) claim(v canon.Value, at, label string, seen seenTriples) season.Claim {
	if !v.Exists() || !r.object(v, at, claimMembers) {
		return season.Claim{}
	}
	resource, okResource := r.text(v.Get("resource"), at+"/resource")
	field, okField := r.text(v.Get("field"), at+"/field")
	value := v.Get("value")
	if okResource {
		r.resource(resource, at+"/resource")
	}
	if okField {
		r.field(field, at+"/field")
	}
	if okResource && okField && value.Exists() {
		// The canonical text is one spelling for a typed value, and keeps the three apart: it is an array.
		key := string(tripleKey(resource, field, value))
		if first, again := seen.triples[key]; again {
			r.refuse(ReasonTripleRepeated, at, "the triple of "+first+" again in "+label, "a triple of its own")
		} else {
			seen.triples[key] = label
		}
	}
	return season.Claim{Resource: resource, Field: field, Value: value}
}

func tripleKey(resource, field string, value canon.Value) []byte {
	key, err := canon.Marshal([]any{resource, field, value})
	if err != nil { // not with these types; a key that equals no other is the answer that refuses nothing wrongly
		return []byte(strconv.Quote(resource) + strconv.Quote(field) + value.Raw())
	}
	return key
}

// resource checks the form of a canonical URL without host (seed 000 §4). Whether the corpus has it is seen at the close.
func (r *reader) resource(s, at string) {
	wanted := ""
	switch {
	case !strings.HasPrefix(s, "/"):
		wanted = `a path that begins with "/", without scheme and host`
	case strings.HasPrefix(s, "//"):
		wanted = `a path that begins with one "/"`
	case strings.Contains(s, "#"):
		wanted = "a path without fragment"
	default:
		return
	}
	hint, _ := r.rules.Catalogue.Canonical(s)
	r.hint(ReasonResourceMalformed, at, quoted(s), wanted, hint)
}

func (r *reader) field(s, at string) {
	if s == "" {
		r.refuse(ReasonFieldEmpty, at, "the whole document", "a pointer to one value in it")
		return
	}
	if _, err := canon.ParsePointer(s); err != nil {
		hint := ""
		if s[0] != '/' {
			if _, err := canon.ParsePointer("/" + s); err == nil {
				hint = clip("/" + s)
			}
		}
		r.hint(ReasonFieldMalformed, at, quoted(s), `an RFC 6901 pointer: "/" before each token, "~" only in "~0" and "~1"`, hint)
	}
}

func (r *reader) proofIDs(v canon.Value, at, label string) []string {
	if v.Kind() != canon.Array {
		r.citedHidden = true
		if v.Exists() {
			r.refuse(ReasonMemberType, at, shown(v), "an array")
		}
		return nil
	}
	if v.Len() == 0 {
		r.refuse(ReasonNoProofCited, at, "no proof id", "at least one")
	}
	ids := make([]string, 0, min(v.Len(), 16))
	seen := make(map[string]bool)
	for i, e := range v.Elements() {
		here := at + "/" + strconv.Itoa(i)
		id, ok := r.text(e, here)
		switch {
		case !ok:
			r.citedHidden = true
			continue
		case !proof.IsID(id):
			r.citedHidden = true
			r.refuse(ReasonProofIDMalformed, here, quoted(id), wantedProofID)
			continue
		case seen[id]:
			r.refuse(ReasonProofIDRepeated, here, quoted(id), "each proof once")
			continue
		}
		seen[id] = true
		ids = append(ids, id)
		if _, known := r.cited[id]; !known {
			r.cited[id] = label
		}
	}
	return ids
}

const wantedProofID = `"prf_", 8 digits, "_", 6 digits, "_", 6 lowercase hex digits`
