package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// JSON writes a document: its members in the order of its type, one space of indentation, a final newline, no escapes for HTML. Lists near
// the top are written element by element, so that the text of a long document is never held whole.
func JSON(w io.Writer, doc any) error {
	out := bufio.NewWriter(w)
	if err := write(out, reflect.ValueOf(doc), "", depthOfLists); err != nil {
		return err
	}
	out.WriteByte('\n')
	return out.Flush()
}

// depthOfLists is how many objects and lists deep a document is written part by part: the rows of an index lie below tables and reference.
const depthOfLists = 4

// write writes a value whose first line stands at some indentation, part by part down to a depth. The buffer keeps its first error for Flush.
func write(w *bufio.Writer, v reflect.Value, prefix string, depth int) error {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		w.WriteString("null")
		return nil
	case depth > 0 && v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() == reflect.Struct:
		return writeList(w, v, prefix, depth)
	case depth > 0 && v.Kind() == reflect.Struct && byMembers(v.Type()):
		return writeMembers(w, v, prefix, depth)
	}
	b, err := encode(v.Interface(), prefix)
	if err == nil {
		w.Write(b)
	}
	return err
}

func writeList(w *bufio.Writer, v reflect.Value, prefix string, depth int) error {
	before := "["
	for i := range v.Len() {
		w.WriteString(before + "\n" + prefix + " ")
		if err := write(w, v.Index(i), prefix+" ", depth-1); err != nil {
			return err
		}
		before = ","
	}
	w.WriteString("\n" + prefix + "]")
	return nil
}

func writeMembers(w *bufio.Writer, v reflect.Value, prefix string, depth int) error {
	before := "{"
	for i := range v.NumField() {
		w.WriteString(before + "\n" + prefix + ` "` + v.Type().Field(i).Tag.Get("json") + `": `)
		if err := write(w, v.Field(i), prefix+" ", depth-1); err != nil {
			return err
		}
		before = ","
	}
	w.WriteString("\n" + prefix + "}")
	return nil
}

// byMembers reports whether the members of a type are its fields as they stand: each named by its tag alone, none embedded or left out.
func byMembers(t reflect.Type) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		if name := f.Tag.Get("json"); f.Anonymous || !f.IsExported() || name == "" || name == "-" || strings.ContainsAny(name, `,"\`) {
			return false
		}
	}
	return t.NumField() > 0 && !t.Implements(marshaler) && !reflect.PointerTo(t).Implements(marshaler)
}

var marshaler = reflect.TypeFor[json.Marshaler]()

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
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
}

func (w *ReplayWriter) head(h ReplayHead) {
	b, err := encode(h, "")
	if err != nil {
		w.err = err
		return
	}
	w.text(string(bytes.TrimSuffix(b, []byte("\n}"))) + ",\n \"tracks\": [")
}

// tail writes the members that follow the tracks; the brace that opens them is that of the whole document.
func (w *ReplayWriter) tail(t ReplayTail) {
	if w.err != nil {
		return
	}
	out := bufio.NewWriter(&skipping{w: w.w, n: len("{")})
	w.err = write(out, reflect.ValueOf(t), "", depthOfLists)
	out.WriteByte('\n')
	if err := out.Flush(); w.err == nil {
		w.err = err
	}
}

// skipping leaves out the first n bytes.
type skipping struct {
	w io.Writer
	n int
}

func (s *skipping) Write(b []byte) (int, error) {
	skip := min(s.n, len(b))
	s.n -= skip
	n, err := s.w.Write(b[skip:])
	return skip + n, err
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
