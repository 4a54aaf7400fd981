package replay

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
)

// known are the texts of the views that the bundle has of a proof; the empty text stands for null.
func (im *importer) known(id string) map[string]bool {
	if texts, ok := im.views[id]; ok {
		return texts
	}
	texts := map[string]bool{}
	views, null := im.evidence.distinct(id)
	for _, v := range views {
		texts[v.Text()] = true
	}
	if null {
		texts[""] = true
	}
	im.views[strings.Clone(id)] = texts
	return texts
}

// part is one member of an answer that is to be kept.
type part struct{ name, raw string }

// proofs takes the views of one answer.
func (im *importer) proofs(a Answer) error {
	views, err := proof.Views("", a.Bytes) // no name, since that of an answer means nothing
	if err != nil {
		im.refuse(a.Name, "", unreadable(a.Name, err))
		return nil
	}
	var keep []part
	for _, v := range views {
		if p, ok := im.view(a.Name, v); ok {
			keep = append(keep, p)
		}
	}
	whole := len(keep) == len(views)
	single := len(views) == 1 && views[0].Pointer == ""
	switch {
	case len(keep) == 0:
		return nil
	case single:
		return im.place(im.freeName(proofsDir, keep[0].name, a.Bytes), a.Name, "proofs", a.Bytes, 1)
	case whole:
		return im.place(proofsDir+"lot-"+contentName(a.Bytes), a.Name, "proofs", a.Bytes, len(keep))
	}
	b := joinParts(`{"proofs":`, keep, "}\n")
	return im.place(proofsDir+"lot-"+contentName(b), a.Name, "proofs", b, len(keep))
}

// view decides on one view: whether it is new and contradicts nothing.
func (im *importer) view(from string, v proof.View) (part, bool) {
	if v.Misfiled != nil {
		im.refuse(from, v.ID, v.Misfiled)
		return part{}, false
	}
	texts := im.known(v.ID)
	text := ""
	if v.Proof != nil {
		text = v.Proof.Text()
	}
	switch {
	case texts[text]:
		im.doc.Present++
		return part{}, false
	case v.Null && len(texts) > 0:
		im.refuse(from, v.ID, &verify.Failure{Reason: ReasonImportNull, Found: "null for " + v.ID, Wanted: "the proof that the bundle has", Pointer: v.Pointer})
		return part{}, false
	}
	texts[text] = true
	if v.Null {
		return part{v.ID, "null"}, true
	}
	if v.Proof.Own() != nil {
		im.doc.Full = append(im.doc.Full, strings.Clone(v.ID))
	}
	return part{v.ID, text}, true
}

// freeName is the name of a thing in a folder, or one made of its content where that is taken.
func (im *importer) freeName(dir, id string, b []byte) string {
	name := dir + id + ".json"
	taken := im.b.Has(name) || slices.ContainsFunc(im.b.Refused(), func(r bundle.Refusal) bool { return r.Name == name }) ||
		slices.ContainsFunc(im.doc.Placed, func(p Imported) bool { return p.Name == name })
	if taken {
		return dir + id + "/" + contentName(b)
	}
	return name
}

// contentName is a file name made of the content: the first 16 hex digits of its SHA-256.
func contentName(b []byte) string { return canon.Sum(b).String()[:16] + ".json" }

// joinParts writes members, as they stood in an answer, into one object.
func joinParts(before string, parts []part, after string) []byte {
	var out bytes.Buffer
	out.WriteString(before + "{")
	for i, p := range parts {
		if i > 0 {
			out.WriteByte(',')
		}
		name, _ := json.Marshal(p.name) // a string always marshals
		out.WriteString("\n" + string(name) + ":" + p.raw)
	}
	out.WriteString("\n}" + after)
	return out.Bytes()
}

// log takes the entries of one answer.
func (im *importer) log(a Answer) error {
	entries, err := rekor.ParseEntries(a.Name, a.Bytes)
	if err != nil {
		im.refuse(a.Name, "", unreadable(a.Name, err))
		return nil
	}
	doc, err := canon.Parse(a.Bytes)
	if err != nil {
		return err
	}
	var keep []part
	repeated := map[string]bool{}
	whole := true
	for _, e := range entries {
		if !im.entry(a.Name, e) {
			whole = false
			continue
		}
		tokens, err := tokensOf(e.Pointer)
		if err != nil {
			return err
		}
		whole = whole && !repeated[e.UUID]
		repeated[e.UUID] = true
		keep = append(keep, part{e.UUID, inside(doc, tokens...).Raw()})
	}
	switch {
	case len(keep) == 0:
		return nil
	case whole && len(keep) == 1:
		return im.place(im.freeName(rekorDir, keep[0].name, a.Bytes), a.Name, "log_entries", a.Bytes, 1)
	case whole:
		return im.place(rekorDir+"retrieve-"+contentName(a.Bytes), a.Name, "log_entries", a.Bytes, len(keep))
	}
	for _, p := range keep { // one file each, since an object cannot have one UUID twice
		b := joinParts("", []part{p}, "\n")
		if err := im.place(im.freeName(rekorDir, p.name, b), a.Name, "log_entries", b, 1); err != nil {
			return err
		}
	}
	return nil
}

// entry decides on one log entry. Another reading of an entry, with a later tree, is kept beside the first. A malformed one is kept too: it
// is evidence, and judged as such.
func (im *importer) entry(from string, e rekor.Entry) bool {
	switch {
	case e.UUID == "":
		im.refuse(from, "", e.Failure)
	case im.entries[e.Digest()]:
		im.doc.Present++
	case e.Null && slices.ContainsFunc(im.evidence.entriesFor(e.UUID), func(other rekor.Entry) bool { return !other.Null }):
		im.refuse(from, e.UUID, &verify.Failure{Reason: ReasonImportNull, Found: "null for " + e.UUID, Wanted: "the log entry that the bundle has", Pointer: e.Pointer})
	default:
		im.entries[e.Digest()] = true
		return true
	}
	return false
}
