package proof

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
)

// TestExamLeaves changes each leaf of a good view by one bit.
func TestExamLeaves(t *testing.T) {
	e := exam{t: t, what: "the leaves of views, one bit"}
	for i, s := range subjects(t) {
		spread := 3
		if i == 0 || long {
			spread = 12
		}
		e.leaves(s, s.good.doc(t), spread)
	}
	e.end(8000)
}

func (e *exam) leaves(s *subject, d doc, spread int) {
	for _, m := range membersOf(d) {
		if m.pointer == "/proof_id" {
			continue // the name under which a view is filed: see TestViews
		}
		for _, changed := range flips(m.value, spread) {
			m.set(changed)
			e.try(s, m.pointer, asJSON(changed), d.text(e.t), s.ev)
		}
		m.set(m.value)
	}
}

// TestExamReal does so with a captured proof, where one is at hand.
func TestExamReal(t *testing.T) {
	e := exam{t: t, what: "the leaves of a captured view, one bit"}
	s := &subject{name: "captured 2.0", spec: "2.0", legacy: true, alone: true, v: NewVerifier(realStore(t)), ev: Evidence{Entries: realEntries(t)}}
	d := readDoc(t, []byte(realProof(t, "proof_2.0.json").Text()))
	spread := 3
	if long {
		spread = 1 << 20 // every byte
	}
	e.leaves(s, d, spread)
	e.end(500)
}

// flips are the leaf with one bit changed: every bit of some bytes spread over it, ends included. Those that are not JSON text any more are
// left out.
func flips(value any, spread int) []any {
	var out []any
	switch v := value.(type) {
	case string:
		step := max(1, len(v)/spread)
		for i := 0; i < len(v)+step-1; i += step {
			i := min(i, len(v)-1)
			for bit := range 7 {
				b := []byte(v)
				b[i] ^= 1 << bit
				if b[i] >= 0x20 && b[i] < 0x7f {
					out = append(out, string(b))
				}
			}
		}
	case json.Number:
		for bit := range 3 {
			b := []byte(v)
			b[len(b)-1] ^= 1 << bit
			if b[len(b)-1] <= '9' && (len(b) == 1 || b[0] != '0') {
				out = append(out, rawNumber(b))
			}
		}
	case bool:
		out = append(out, !v)
	}
	return out
}

// others are a value made of another kind, spelled otherwise, or off by one.
func others(value any) []any {
	out := []any{nil, []any{}, map[string]any{}, []any{value}}
	switch v := value.(type) {
	case string:
		return append(out, true, json.Number("1"), "0"+v, strings.ToUpper(v), strings.Replace(v, ":", ":\n", 1), v+" ", " "+v, v+v, "", v+"\n", v+"\x00", strings.ToUpper(v)+"A")
	case json.Number:
		n, _ := v.Int64()
		return append(out, v.String(), rawNumber(v.String()+".0"), rawNumber(v.String()+"e0"), rawNumber("-"+v.String()), true,
			n-1, n+1, 2*n+1, rawNumber("18446744073709551616"))
	case bool:
		return append(out, "true", json.Number("1"))
	}
	return append(out, "null", false, json.Number("0"))
}

// TestExamMembers removes each member of a good view, gives it other kinds of value, other spellings, numbers off by one, and the value that
// it has in another good proof: of another batch and other keys, and of the same batch.
func TestExamMembers(t *testing.T) {
	e := exam{t: t, what: "the members of views"}
	for i, s := range subjects(t) {
		if i > 3 && i%3 != 0 && !long {
			continue
		}
		d := s.good.doc(t)
		for _, m := range membersOf(d) {
			if m.pointer == "/proof_id" || m.object == nil {
				continue
			}
			changes := others(m.value)
			for _, other := range []made{s.twin, s.sibling} {
				if x, ok := twinOf(other.doc(t), m.pointer); ok {
					changes = append(changes, x)
				}
			}
			for _, changed := range changes {
				if asJSON(changed) == asJSON(m.value) {
					continue
				}
				m.set(changed)
				e.try(s, m.pointer, asJSON(changed), d.text(t), s.ev)
			}
			m.remove()
			e.try(s, m.pointer, "", d.text(t), s.ev)
			m.set(m.value)
		}
		if r := s.v.Verify(parse(t, d.text(t)), s.ev); r.Outcome != Valid {
			t.Errorf("%s: after the exam the view is not what it was: %s", s.name, failures(r))
		}
	}
	e.end(1500)
}

// TestExamLists makes every list of a view shorter, longer and of another order, and moves commitments among each other.
func TestExamLists(t *testing.T) {
	e := exam{t: t, what: "the lists of views"}
	for _, s := range subjects(t) {
		if !s.alone {
			e.paths(s)
		}
		if !s.legacy {
			e.commitments(s)
		}
	}
	e.end(250)
}

func (e *exam) paths(s *subject) {
	const place = "/batch_anchor/audit_path"
	d := s.good.doc(e.t)
	batch := d.in("batch_anchor")
	path := batch["audit_path"].([]any)
	for what, changed := range reordered(path, strings.Repeat("0", 64)) {
		batch["audit_path"] = changed
		e.try(s, place, what, d.text(e.t), s.ev)
	}
}

// reordered are a list made shorter, longer and of another order, by what was done. Orders that give the same list are left out.
func reordered(list []any, more any) map[string][]any {
	out := map[string][]any{"emptied": {}, "all twice": append(slices.Clone(list), list...), "one more": append(slices.Clone(list), more),
		"one more before": append([]any{more}, list...)}
	turned := slices.Clone(list)
	slices.Reverse(turned)
	out["turned round"] = turned
	for i := range list {
		n := string(rune('0' + i))
		out["without "+n] = slices.Delete(slices.Clone(list), i, i+1)
		out["twice "+n] = slices.Insert(slices.Clone(list), i, list[i])
		if i > 0 {
			swapped := slices.Clone(list)
			swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
			out["swapped "+n] = swapped
			repeated := slices.Clone(list)
			repeated[i] = repeated[i-1]
			out["repeated "+n] = repeated
		}
	}
	for what, changed := range out {
		if asJSON(changed) == asJSON(list) {
			delete(out, what)
		}
	}
	return out
}

func (e *exam) commitments(s *subject) {
	d := s.good.doc(e.t)
	all := d.in("commitments")
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		was := all[name]
		for _, other := range names[i+1:] {
			all[name], all[other] = all[other], was
			e.try(s, "/commitments/"+name, "that of "+other, d.text(e.t), s.ev)
			all[name], all[other] = was, all[name]
		}
		delete(all, name)
		all[name+"_"] = was
		changed := "renamed"
		if name != "upstream_timestamp" {
			changed = "under another name"
		}
		e.try(s, "/commitments/"+name, changed, d.text(e.t), s.ev)
		delete(all, name+"_")
		all[name] = was
		all[name+"_"] = was
		e.try(s, "/commitments/"+name, "twice, under another name", d.text(e.t), s.ev)
		delete(all, name+"_")
	}
}

// TestExamSyntax doubles each member of a view, the first time with another value: a reader that takes either must not be given the choice.
// It cuts the view short, and puts bytes after it.
func TestExamSyntax(t *testing.T) {
	e := exam{t: t, what: "the JSON of views"}
	for _, s := range subjects(t) {
		text := strings.TrimSpace(string(s.good.text()))
		var changed []string
		for name := range s.good.doc(t) {
			changed = append(changed, `{"`+name+`":0,`+text[1:], text[:len(text)-1]+`,"`+name+`":0}`)
		}
		changed = append(changed, text+"{}", text+",", text+"\x00", text+text, "\ufeff"+text, text[:len(text)-1], text[1:], strings.Replace(text, ":", ":+", 1),
			strings.Replace(text, `"`, `'`, 2), strings.Replace(text, "{", "{,", 1), strings.Replace(text, `"is_demo"`, "\"is\x01_demo\"", 1))
		for _, c := range changed {
			e.ran++
			views, err := Views("view.json", []byte(c))
			var syntax *canon.SyntaxError
			if !errors.As(err, &syntax) || len(views) != 0 {
				e.accepted++
				t.Errorf("%s: %.60q: got %d views and %v, want a syntax error", s.name, c, len(views), err)
			}
		}
	}
	e.end(300)
}

// TestExamMisfiled files a good view under another proof's name: in a file of that name, and in a batch answer.
func TestExamMisfiled(t *testing.T) {
	e := exam{t: t, what: "views under another proof's name"}
	for _, s := range subjects(t) {
		for _, id := range []string{s.sibling.doc(t)["proof_id"].(string), idB, "prf_20260923_072144_0a1b2f"} {
			text := string(s.good.text())
			for name, b := range map[string]string{"proofs/" + id + ".json": text, "proofs/a.json": `{"proofs":{"` + id + `":` + text + `}}`} {
				e.ran++
				views, err := Views(name, []byte(b))
				if err != nil || len(views) != 1 {
					t.Fatalf("got %d views and %v, want one", len(views), err)
				}
				if v := views[0]; v.Proof != nil || v.Misfiled == nil || v.Misfiled.Reason != ReasonIDDiffers {
					e.accepted++
					t.Errorf("%s: a proof of %s under the name of %s", s.name, s.call.ID, id)
				}
			}
		}
	}
	e.end(80)
}

// TestExamDisclosures changes each bit of both nonces and values, and puts the pairs in each other's place and in another proof's.
func TestExamDisclosures(t *testing.T) {
	e := exam{t: t, what: "disclosures"}
	for _, s := range subjects(t) {
		if s.legacy {
			continue
		}
		try := func(what string, change func(d *Disclosures)) {
			d := s.good.disclosures
			change(&d)
			ev := s.ev
			ev.Disclosures = &d
			e.judge(s, "the disclosures", what, s.good.text(), ev, []string{CheckDisclosure})
			if r := s.v.Verify(parse(t, s.good.text()), ev); r.Opened != nil {
				t.Errorf("%s: %s: something opened", s.name, what)
			}
		}
		for i := range 32 {
			for bit := range 8 {
				try("a bit", func(d *Disclosures) { d.Request.Nonce[i] ^= 1 << bit })
				try("a bit", func(d *Disclosures) { d.Request.Value[i] ^= 1 << bit })
				try("a bit", func(d *Disclosures) { d.Response.Nonce[i] ^= 1 << bit })
				try("a bit", func(d *Disclosures) { d.Response.Value[i] ^= 1 << bit })
			}
		}
		try("pairs exchanged", func(d *Disclosures) { d.Request, d.Response = d.Response, d.Request })
		try("values exchanged", func(d *Disclosures) { d.Request.Value, d.Response.Value = d.Response.Value, d.Request.Value })
		try("nonces exchanged", func(d *Disclosures) { d.Request.Nonce, d.Response.Nonce = d.Response.Nonce, d.Request.Nonce })
		try("nonce as value", func(d *Disclosures) {
			d.Request.Nonce, d.Request.Value = [32]byte(d.Request.Value), canon.Digest(d.Request.Nonce)
		})
		for _, other := range []made{s.twin, s.sibling} {
			try("of another proof", func(d *Disclosures) { *d = other.disclosures })
			try("request of another proof", func(d *Disclosures) { d.Request = other.disclosures.Request })
			try("response of another proof", func(d *Disclosures) { d.Response = other.disclosures.Response })
		}
	}
	e.end(6000)
}
