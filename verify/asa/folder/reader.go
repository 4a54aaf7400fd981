package folder

import (
	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Reader parses files, one after the other, and keeps the digest of each. A file that is refused is a finding of its log.
type Reader struct {
	JSONC  bool // take comments out before reading; each file that has some gets a note
	Log    *finding.Log
	Inputs []finding.Input
}

// note puts a file into the list of inputs.
func (r *Reader) note(f *document.File) {
	r.Inputs = append(r.Inputs, finding.Input{Path: f.Name, SHA256: canon.Sum(f.Bytes)})
}

func (r *Reader) noteComments(f *document.File) {
	if !r.JSONC {
		return
	}
	if _, n := document.StripComments(f.Bytes); n > 0 {
		r.Log.Gap(finding.Note, "R001", "comments", f.Name, exact.Text(exact.Int(int64(n))), "0")
	}
}

// Document hands the document of a file to keep, unless there is no file or it is refused.
func (r *Reader) Document(f *document.File, keep func(*document.Document)) {
	if f == nil {
		return
	}
	r.note(f)
	d, err := document.Read(f.Name, f.Bytes, r.JSONC)
	if err != nil {
		document.Refuse(r.Log, err)
		return
	}
	r.noteComments(f)
	r.Log.OK("R001")
	keep(d)
}

// Lines gives the documents of a log; nil where there is no file or it is refused. A log of no bytes is one without entries, which is not the
// same as none.
func (r *Reader) Lines(f *document.File, read func(string, []byte, bool) ([]*document.Document, error)) []*document.Document {
	if f == nil {
		return nil
	}
	r.note(f)
	r.noteComments(f)
	if len(f.Bytes) == 0 {
		return []*document.Document{}
	}
	docs, err := read(f.Name, f.Bytes, r.JSONC)
	if err != nil {
		document.Refuse(r.Log, err)
	}
	return docs
}

func (r *Reader) events(f *document.File) []document.Event {
	if f == nil {
		return nil
	}
	r.note(f)
	if len(f.Bytes) == 0 {
		return []document.Event{}
	}
	events, err := document.ReadEvents(f.Name, f.Bytes)
	if err != nil {
		document.Refuse(r.Log, err)
	}
	return events
}
