package document

import (
	"math/big"

	"github.com/ark-forge/proveit/canon"
)

// Event is one line of events.jsonl: {"seq","at","by","type","agreement_id","data","prev"}.
type Event struct {
	*Document
	Line    []byte   // the line without its line feed: what "prev" of the next line hashes
	Seq     int64    // 0 where absent
	Instant *big.Rat // seconds since 1970; nil where absent or malformed
	By      string
	Type    string
}

// ReadEvents reads a log of events. The error is a *Refusal.
func ReadEvents(name string, b []byte) ([]Event, error) {
	docs, err := ReadLines(name, b, false)
	if err != nil {
		return nil, err
	}
	events := []Event{}
	for _, d := range docs {
		seq, _ := d.Get("seq").Int64()
		events = append(events, Event{Document: d, Line: d.Bytes, Seq: seq, Instant: Instant(d.Get("at")), By: Text(d.Get("by")), Type: Text(d.Get("type"))})
	}
	return events, nil
}

// Data is a member of the event's data, or Missing; it may be called on the zero Event.
func (e Event) Data(name string) canon.Value {
	if e.Document == nil {
		return canon.Value{}
	}
	return e.Get("data", name)
}

// Where is where an event stands, or "" for the zero Event.
func (e Event) Where() string {
	if e.Document == nil {
		return ""
	}
	return e.At()
}

// Exists reports whether there is an event at all.
func (e Event) Exists() bool { return e.Document != nil }

// Time is the instant of an event that may not be there.
func (e Event) Time() *big.Rat {
	if !e.Exists() {
		return nil
	}
	return e.Instant
}
