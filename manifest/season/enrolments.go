package season

import (
	"fmt"

	"github.com/ark-forge/proveit/manifest"
)

// Table is one of the two tables of a track.
type Table string

// The tables: runs of the organizer's own, and everybody else.
const (
	Reference Table = "reference"
	Community Table = "community"
)

// Participant is one who is enrolled.
type Participant struct {
	ID    string // names the folder of the submissions
	Name  string
	DID   string
	Table Table
	Stack string // as declared; checked by nobody
}

// ParseEnrolments reads
//
//	{"format": "proveit.enrolments/v1", "participants": [{"id": "agent-07", "name": "…", "did": "did:key:z6Mk…", "table": "community", "stack": "…"}]}
//
// id and did are unique.
func ParseEnrolments(file string, b []byte) ([]Participant, error) {
	d, err := manifest.OpenDocument(file, b, FormatEnrolments)
	if err != nil {
		return nil, err
	}
	d.Members(d.Root, "format", "participants")
	out := []Participant{}
	ids, dids := map[string]bool{}, map[string]bool{}
	for _, v := range d.List(d.Root, "participants").Elements() {
		d.Members(v, "id", "name", "did", "table", "stack")
		p := Participant{ID: identifier(d, v, "id"), Name: d.Text(v, "name"), DID: d.Text(v, "did"), Table: Table(d.Text(v, "table"))}
		if stack, ok := d.Get(v, "stack").Text(); ok {
			p.Stack = string([]byte(stack))
		} else {
			d.Fail(v.Get("stack"), v.Get("stack").Kind().String(), "a string")
		}
		if err := ParseDID(p.DID); err != nil {
			d.Fail(v.Get("did"), err.(*DIDError).Found, err.(*DIDError).Wanted)
		}
		if p.Table != Reference && p.Table != Community {
			d.Fail(v.Get("table"), fmt.Sprintf("table %q", p.Table), `"reference" or "community"`)
		}
		if ids[p.ID] {
			d.Fail(v.Get("id"), fmt.Sprintf("id %q again", p.ID), "each id once")
		}
		if dids[p.DID] {
			d.Fail(v.Get("did"), fmt.Sprintf("DID %q again", p.DID), "each DID once")
		}
		ids[p.ID], dids[p.DID] = true, true
		out = append(out, p)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return out, nil
}
