package asa

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
		events = append(events, Event{Document: d, Line: d.Bytes, Seq: seq, Instant: instant(d.Get("at")), By: text(d.Get("by")), Type: text(d.Get("type"))})
	}
	return events, nil
}

// data is a member of the event's data, or Missing; it may be called on the zero Event.
func (e Event) data(name string) canon.Value {
	if e.Document == nil {
		return canon.Value{}
	}
	return e.Get("data", name)
}
