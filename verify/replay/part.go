package replay

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/report"
)

// FormatPart is the format of one part of a season: lines of JSON. The first has everything that is known before anybody is judged, the
// last the files that were read and the anchors that were verified, and each line between one judged participant.
const FormatPart = "proveit.part/v1"

// Shard is one part of a season. The participants of all tracks are counted through, and part Index of Of has those whose number leaves
// Index-1 when divided by Of. The zero Shard is the whole season.
type Shard struct {
	Index int // from 1
	Of    int
}

func (s Shard) whole() bool { return s.Of == 0 }

func (s Shard) has(job int) bool { return s.whole() || job%s.Of == s.Index-1 }

// PartHead is the first line of a part: what is known before anybody is judged.
type PartHead struct {
	Format string              `json:"format"`
	Shard  int                 `json:"shard"`
	Of     int                 `json:"of"`
	Jobs   int                 `json:"jobs"` // participants of all parts, each counted once for each track
	Scored bool                `json:"scored"`
	Doc    *report.Replay      `json:"doc"`
	Index  map[string]rawValue `json:"published"`
}

// rawValue is JSON text that is carried as it is.
type rawValue = json.RawMessage

// PartLine is one judged participant of a part.
type PartLine struct {
	Track       int                `json:"track"`
	Participant report.Participant `json:"participant"`
	Incidents   []report.Incident  `json:"incidents"`
	Missing     []report.Missing   `json:"missing"`
	Unread      []report.Notice    `json:"unread"`
	Rejected    bool               `json:"rejected"`
}

// PartTail is the last line of a part. The files are those of the whole bundle in every part, so that parts of two bundles are told apart.
type PartTail struct {
	Inputs  []report.Input `json:"inputs"`
	Checked report.Checked `json:"checked"` // tokens and log entries are counted from the lists below
	Tokens  []string       `json:"tokens"`  // one name for each verified token, sorted
	Entries []string       `json:"entries"`
	Freezes int            `json:"freezes"` // proofs of freezes among those checked, the same in every part
	Result  string         `json:"result"`  // of this part alone
}

// partWriter writes a part as its participants are judged.
type partWriter struct {
	w    *bufio.Writer
	head PartHead
}

func (p *partWriter) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := p.w.Write(append(b, '\n')); err != nil {
		return err
	}
	return nil
}

// Begin writes the first line.
func (p *partWriter) Begin(doc *report.Replay) error {
	p.head.Scored, p.head.Doc = true, doc
	return p.line(p.head)
}

// Render has nothing to write: reports are made when the parts are joined.
func (p *partWriter) Render(report.Header, report.Participant) error { return nil }

// Participant writes one line.
func (p *partWriter) Participant(track int, one report.Participant) error {
	return p.line(PartLine{track, one, unnull(one.Incidents), unnull(one.Missing), unnull(one.Unread), one.Rejected})
}

// unnull writes no elements as an empty array, never as null.
func unnull[T any](of []T) []T { return append([]T{}, of...) }

// end writes the last line, and the first where nobody was judged.
func (p *partWriter) end(doc *report.Replay, tail PartTail) error {
	if !p.head.Scored {
		p.head.Doc = doc
		if err := p.line(p.head); err != nil {
			return err
		}
	}
	if err := p.line(tail); err != nil {
		return err
	}
	return p.w.Flush()
}

// writePart prepares a run to write its part to w.
func (r *run) writePart(w io.Writer) *partWriter {
	p := &partWriter{w: bufio.NewWriter(w), head: PartHead{Format: FormatPart, Shard: r.o.Shard.Index, Of: r.o.Shard.Of, Index: map[string]rawValue{}}}
	r.sink = p
	return p
}

// names writes digests as text.
func names(digests []canon.Digest) []string {
	out := make([]string, 0, len(digests))
	for _, d := range digests {
		out = append(out, d.String())
	}
	return out
}
