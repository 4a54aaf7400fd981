package report

import (
	"bytes"
	"encoding/json"
	"io"
)

// JSON writes a document: its members in the order of its type, one space of indentation, a final newline, no escapes for HTML.
func JSON(w io.Writer, doc any) error {
	b, err := encode(doc, "")
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// encode writes a value whose first line stands at some indentation.
func encode(v any, prefix string) ([]byte, error) {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimRight(raw.Bytes(), "\n"), prefix, " "); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// ReplayWriter writes a replay as its participants are judged, so that a long season is never held whole. The bytes are those of JSON
// over the whole document.
type ReplayWriter struct {
	w       io.Writer
	err     error
	tracks  []Track
	open    int  // tracks begun
	written bool // a participant of the open track is written
}

// NewReplayWriter makes a writer onto w. Begin, Participant… and End follow, or End alone where nobody was judged.
func NewReplayWriter(w io.Writer) *ReplayWriter { return &ReplayWriter{w: w} }

// Begin writes what is known before anybody is judged. The document's tracks are there, without participants.
func (w *ReplayWriter) Begin(doc *Replay) error {
	w.tracks = doc.Tracks
	w.head(doc.ReplayHead)
	return w.err
}

// Participant writes one participant of a track. Tracks come in order.
func (w *ReplayWriter) Participant(track int, p Participant) error {
	w.openTo(track)
	if w.written {
		w.text(",")
	}
	w.written = true
	w.text("\n    ")
	w.value(p, "    ")
	return w.err
}

// End writes the rest. doc is the finished document; its participants are not read if Begin was called.
func (w *ReplayWriter) End(doc *Replay) error {
	if w.tracks == nil {
		if err := w.Begin(doc); err != nil {
			return err
		}
		for i, t := range doc.Tracks {
			for _, p := range t.Participants {
				if err := w.Participant(i, p); err != nil {
					return err
				}
			}
		}
	}
	w.openTo(len(w.tracks) - 1)
	w.closeTrack()
	if len(w.tracks) > 0 {
		w.text("\n ")
	}
	w.text("],")
	w.tail(doc.ReplayTail)
	return w.err
}

func (w *ReplayWriter) text(s string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.w, s)
	}
}

func (w *ReplayWriter) value(v any, prefix string) {
	b, err := encode(v, prefix)
	if w.err == nil {
		w.err = err
	}
	w.text(string(b))
}

func (w *ReplayWriter) head(h ReplayHead) {
	b, err := encode(h, "")
	if err != nil {
		w.err = err
		return
	}
	w.text(string(bytes.TrimSuffix(b, []byte("\n}"))) + ",\n \"tracks\": [")
}

func (w *ReplayWriter) tail(t ReplayTail) {
	b, err := encode(t, "")
	if err != nil {
		w.err = err
		return
	}
	w.text(string(bytes.TrimPrefix(b, []byte("{"))) + "\n")
}

// openTo begins every track up to and with the one at an index, closing those before it.
func (w *ReplayWriter) openTo(track int) {
	for w.open <= track {
		w.closeTrack()
		t := w.tracks[w.open]
		if w.open > 0 {
			w.text(",")
		}
		w.text("\n  ")
		b, err := encode(trackHead{t.Track, t.Bareme, t.BestConstant}, "  ")
		if w.err == nil {
			w.err = err
		}
		w.text(string(bytes.TrimSuffix(b, []byte("\n  }"))) + ",\n   \"participants\": [")
		w.open++
		w.written = false
	}
}

// closeTrack ends the track that is open, if there is one.
func (w *ReplayWriter) closeTrack() {
	if w.open == 0 {
		return
	}
	if w.written {
		w.text("\n   ")
	}
	w.text("]\n  }")
}

// trackHead is a track without its participants.
type trackHead struct {
	Track        string       `json:"track"`
	Bareme       string       `json:"bareme"`
	BestConstant BestConstant `json:"best_constant"`
}
