package proof

import "testing"

// TestDifferences: every view of one proof is held against the first and against those of its own batch, wherever it stands. An open view in
// front must not hide that two anchored ones disagree.
func TestDifferences(t *testing.T) {
	w := newWorld(t)
	good := w.good()
	open := parse(t, w.pending(w.proof(w.call())).doc(t).text(t))
	anchored := func(edit func(doc)) *Proof {
		d := good.doc(t)
		edit(d)
		return parse(t, d.text(t))
	}
	plain := anchored(func(doc) {})
	moved := anchored(func(d doc) { d.in("batch_anchor")["leaf_index"] = 1 })
	again := anchored(func(d doc) { d.in("batch_anchor")["batch_id"] = "b" })
	unnamed := anchored(func(d doc) { delete(d.in("batch_anchor"), "batch_id") })
	unnamedMoved := anchored(func(d doc) { delete(d.in("batch_anchor"), "batch_id"); d.in("batch_anchor")["leaf_index"] = 1 })
	unnamedAgain := anchored(func(d doc) {
		delete(d.in("batch_anchor"), "batch_id")
		d.in("batch_anchor")["root"] = d.in("hashes")["chain"]
	})
	signed := anchored(func(d doc) { d["arkforge_signature"] = "x" })
	for _, c := range []struct {
		name  string
		views []*Proof
		want  string
	}{
		{"none", nil, ""},
		{"one", []*Proof{plain}, ""},
		{"open, anchored", []*Proof{open, plain}, ""},
		{"open, anchored, moved", []*Proof{open, plain, moved}, "/batch_anchor/leaf_index"},
		{"stamped again between", []*Proof{again, plain, moved}, "/batch_anchor/leaf_index"},
		{"stamped again", []*Proof{open, again, plain}, ""},
		{"without batch_id, one root", []*Proof{unnamed, unnamedMoved}, "/batch_anchor/leaf_index"},
		{"without batch_id, two roots", []*Proof{unnamed, unnamedAgain}, ""},
		{"without batch_id after another", []*Proof{again, unnamed, unnamedMoved}, "/batch_anchor/leaf_index"},
		{"last signed otherwise", []*Proof{open, again, plain, signed}, "/arkforge_signature"},
	} {
		got := Differences(c.views)
		if (got == nil) != (c.want == "") || got != nil && got.Pointer != c.want {
			t.Errorf("%s: got %+v, want %q", c.name, got, c.want)
		}
	}
}
