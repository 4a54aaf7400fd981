package proof

import (
	"encoding/json"
	"sort"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// gone marks a leaf to be removed.
type gone struct{}

// others are a leaf made of another kind, and null.
func others(value any) []any {
	out := []any{nil, []any{}, map[string]any{}, []any{value}}
	switch v := value.(type) {
	case string:
		return append(out, true, json.Number("1"), v+" ", " "+v, v+v, "", v+"\n", v+"\x00")
	case json.Number:
		return append(out, v.String(), rawNumber(v.String()+".0"), rawNumber(v.String()+"e0"), rawNumber("-"+v.String()), true)
	case bool:
		return append(out, "true", json.Number("1"))
	}
	return append(out, "null", false, json.Number("0"))
}

// walkMembers walks a document and gives, for each leaf, the object it is a member of.
func walkMembers(v any, pointer string, visit func(pointer string, parent map[string]any, name string)) {
	object, _ := v.(map[string]any)
	for name, m := range object {
		walkMembers(m, pointer+"/"+name, visit)
		visit(pointer+"/"+name, object, name)
	}
}

// survivor is a change after which the view is another good view, and why.
func survivor(pointer string, changed any) bool {
	switch pointer {
	case "/spec_version":
		// Without one a view is of the first versions: nothing opens, and no claim can rest on it; the witnesses still hold.
		// 3.13.1, which is the text twice, is a later 3.x.
		return changed == nil || changed == gone{} || changed == "3.13.1"
	case "/arkforge_kid":
		// The key id is optional: without it the key is the published one that arkforge_pubkey is.
		return changed == nil || changed == gone{}
	}
	return false
}

// TestEveryMemberReplaced removes each member of a good view, and gives it other kinds of value and the value that it has in another good
// proof of another batch. The check that is responsible must fail, or nothing at all where nobody judges the member.
func TestEveryMemberReplaced(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	good := w.good()
	c := w.call()
	c.ID, c.Transaction, c.Seller, c.Buyer = idB, "int_2", "other.example", "other"
	c.At, c.Key = at("2026-10-05T08:00:00Z"), w.keys[1]
	c.Request, c.Response = canon.Sum([]byte("other request")), canon.Sum([]byte("other response"))
	c.Identity = mint.Identity{DID: "did:web:other.example", Verified: false, Status: "unbound", Consistent: false}
	ws := w.witnesses(c)
	ws.Submitter = w.submitters[1].Private
	other := w.batched(w.proof(c), ws)
	if r := v.Verify(parse(t, other.text()), other.evidence(t)); r.Outcome != Valid {
		t.Fatalf("the other proof: %s", failures(r))
	}
	ev := good.evidence(t)
	ev.Entries = append(ev.Entries, other.evidence(t).Entries...)

	d, twin := good.doc(t), map[string]any{}
	walkMembers(map[string]any(other.doc(t)), "", func(pointer string, parent map[string]any, name string) { twin[pointer] = parent[name] })
	type place struct {
		pointer, name string
		parent        map[string]any
	}
	var places []place
	walkMembers(map[string]any(d), "", func(pointer string, parent map[string]any, name string) {
		places = append(places, place{pointer, name, parent})
	})
	sort.Slice(places, func(i, j int) bool { return places[i].pointer < places[j].pointer })
	tried := 0
	for _, p := range places {
		if p.pointer == "/proof_id" || len(checksFor(p.pointer+"/")) == 0 && len(checksFor(p.pointer)) == 0 {
			continue
		}
		value := p.parent[p.name]
		changes := append(others(value), gone{})
		if x, ok := twin[p.pointer]; ok && !sameJSON(x, value) {
			changes = append(changes, x)
		}
		for _, changed := range changes {
			if changed == (gone{}) {
				delete(p.parent, p.name)
			} else {
				p.parent[p.name] = changed
			}
			if sameJSON(p.parent[p.name], value) {
				continue
			}
			r := v.Verify(parse(t, d.text(t)), ev)
			tried++
			checks := checksFor(p.pointer)
			if checks == nil {
				checks = checksFor(p.pointer + "/")
			}
			if p.pointer == "/batch_anchor" {
				checks = append(checks, CheckTimestamp) // without a batch the witnesses would have to cover the chain hash
			}
			if !survivor(p.pointer, changed) {
				wantSeen(t, p.pointer, changed, checks, r)
			}
		}
		p.parent[p.name] = value
	}
	if tried < 300 {
		t.Errorf("tried %d changes, want at least 300", tried)
	}
	if r := v.Verify(parse(t, d.text(t)), ev); r.Outcome != Valid {
		t.Errorf("after the exam the view is not what it was: %s", failures(r))
	}
}

func sameJSON(a, b any) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && string(x) == string(y)
}
