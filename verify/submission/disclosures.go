package submission

import (
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/proof"
)

func (r *reader) disclosures(v canon.Value) {
	if v.Kind() != canon.Object {
		if v.Exists() {
			r.refuse(ReasonMemberType, "/disclosures", shown(v), "an object")
		}
		return
	}
	// Room is made for what is cited: there may be any number of others.
	room := min(v.Len(), len(r.cited))
	r.sub.Disclosures = make(map[string]proof.Disclosures, room)
	given := make(map[string]bool, room)
	for id, e := range v.Members() {
		if _, cited := r.cited[id]; cited {
			given[id] = true
		}
		r.disclosure(id, e)
	}
	missing := make([]string, 0)
	for id := range r.cited {
		if !given[id] {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	for _, id := range missing {
		r.refuse(ReasonDisclosureMissing, "/disclosures/"+id, "no entry for "+id+" cited by "+r.cited[id], "request_hash and response_hash of every cited proof")
	}
}

func (r *reader) disclosure(id string, v canon.Value) {
	at := "/disclosures/" + canon.EscapeToken(clip(id))
	if _, cited := r.cited[id]; !cited && !r.citedHidden {
		r.refuse(ReasonDisclosureUncited, at, "an entry for "+quoted(id), "entries for cited proofs alone")
	}
	if !r.object(v, at, disclosureMembers) {
		return
	}
	request := r.pair(v.Get("request_hash"), at+"/request_hash")
	response := r.pair(v.Get("response_hash"), at+"/response_hash")
	if r.total < MaxRefusals { // past them nobody reads on, and there may be any number
		r.sub.Disclosures[id] = proof.Disclosures{Request: request, Response: response}
	}
}

func (r *reader) pair(v canon.Value, at string) proof.Pair {
	if !v.Exists() || !r.object(v, at, pairMembers) {
		return proof.Pair{}
	}
	nonce := r.hex(v.Get("nonce"), at+"/nonce")
	value := r.hex(v.Get("value"), at+"/value")
	return proof.Pair{Nonce: nonce, Value: value}
}

func (r *reader) hex(v canon.Value, at string) canon.Digest {
	s, ok := r.text(v, at)
	if !ok {
		return canon.Digest{}
	}
	d, err := canon.ParseHex(s)
	if err != nil {
		r.refuse(ReasonHexMalformed, at, quoted(s), "64 lowercase hex digits")
	}
	return d
}
