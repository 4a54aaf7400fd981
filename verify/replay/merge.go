package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
)

// MaxPartLine is the longest line of a part, in bytes.
const MaxPartLine = 256 << 20

// Part is one part of a season to be merged.
type Part struct {
	Name string // shown in messages
	R    io.ReadSeeker
}

// PartError says why parts do not make one season.
type PartError struct {
	Part  string // name of the part; empty where it is the parts together
	Found string
	Want  string
}

// Error is one line: part, found, wanted.
func (e *PartError) Error() string {
	name := e.Part
	if name == "" {
		name = "parts"
	}
	return fmt.Sprintf("%s: found %s, want %s", name, e.Found, e.Want)
}

// openPart is a part whose first and last line are read.
type openPart struct {
	name  string
	lines *bufio.Reader
	head  PartHead
	raw   []byte // the first line without the shard's number
	tail  PartTail
}

// Merge joins the parts of a season into the document that a single run gives. Participants go to sink as in a run; where it is nil they
// are put into the document. A part that is missing, doubled, or of another bundle or other options is a *PartError.
func Merge(parts []Part, sink Sink) (*report.Replay, error) {
	opened, err := openParts(parts)
	if err != nil {
		return nil, err
	}
	first := opened[0]
	a := &assembly{doc: first.head.Doc, outcome: outcomeNamed(first.tail.Result), sink: sink, index: map[string]publishedIndex{}}
	if first.head.Scored {
		if err := a.joinParts(opened); err != nil {
			return nil, err
		}
	}
	a.joinTails(opened)
	a.settle()
	return a.doc, nil
}

func outcomeNamed(word string) verify.Outcome {
	for _, o := range []verify.Outcome{verify.Holds, verify.Differs, verify.Incomplete} {
		if o.String() == word {
			return o
		}
	}
	return verify.Unusable
}

// openParts reads the ends of every part and puts them in the order of their numbers.
func openParts(parts []Part) ([]*openPart, error) {
	if len(parts) == 0 {
		return nil, &PartError{Found: "none", Want: "every part of a season"}
	}
	var all []*openPart
	for _, p := range parts {
		one, err := newOpenPart(p)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	of := all[0].head.Of
	byNumber := make([]*openPart, of)
	for _, p := range all {
		n := p.head.Shard
		switch {
		case p.head.Of != of || n < 1 || n > of:
			return nil, &PartError{p.name, fmt.Sprintf("part %d of %d", n, p.head.Of), fmt.Sprintf("a part of %d like %s", of, all[0].name)}
		case byNumber[n-1] != nil:
			return nil, &PartError{p.name, fmt.Sprintf("part %d a second time", n), "each part once; the first is " + byNumber[n-1].name}
		case !slices.Equal(p.tail.Inputs, all[0].tail.Inputs) || !bytes.Equal(p.raw, all[0].raw):
			return nil, &PartError{p.name, "a part of another bundle or of other options", "one like " + all[0].name}
		}
		byNumber[n-1] = p
	}
	for i, p := range byNumber {
		if p == nil {
			return nil, &PartError{Found: fmt.Sprintf("no part %d of %d", i+1, of), Want: "every part"}
		}
	}
	return byNumber, nil
}

func newOpenPart(p Part) (*openPart, error) {
	last, err := lastLine(p.R)
	if bad := (*PartError)(nil); errors.As(err, &bad) {
		bad.Part = p.Name
		return nil, bad
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	if _, err := p.R.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	o := &openPart{name: p.Name, lines: bufio.NewReader(p.R)}
	if err := o.next(&o.head); err != nil {
		return nil, err
	}
	if o.head.Format != FormatPart || o.head.Doc == nil || o.head.Of < 1 {
		return nil, &PartError{p.Name, fmt.Sprintf("format %q", o.head.Format), FormatPart}
	}
	if err := strictly(last, &o.tail); err != nil || outcomeNamed(o.tail.Result) == verify.Unusable {
		return nil, &PartError{p.Name, "a last line that does not end a part", "a part that was written to its end"}
	}
	head := o.head
	head.Shard = 0
	o.raw, err = json.Marshal(head)
	return o, err
}

// lastLine reads the last line of a file from its end.
func lastLine(r io.ReadSeeker) ([]byte, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	for n := int64(64 << 10); ; n *= 4 {
		n = min(n, size, MaxPartLine)
		if _, err := r.Seek(size-n, io.SeekStart); err != nil {
			return nil, err
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, err
		}
		b, ended := bytes.CutSuffix(b, []byte("\n"))
		if !ended {
			return nil, &PartError{Found: "no line feed at the end", Want: "a part that was written to its end"}
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return b[i+1:], nil
		}
		if n == size || n == MaxPartLine {
			return nil, &PartError{Found: "one line", Want: "at least two"}
		}
	}
}

func (o *openPart) next(v any) error {
	line, err := o.lines.ReadBytes('\n')
	if err == nil {
		err = strictly(line, v)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("an incomplete line")
	}
	if err != nil {
		return &PartError{o.name, err.Error(), "another line of " + FormatPart}
	}
	return nil
}

// strictly reads one document of our own; unknown members are refused.
func strictly(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// joinParts gathers the participants of every part in the order of a single run.
func (a *assembly) joinParts(parts []*openPart) error {
	for track, text := range parts[0].head.Index {
		v, err := canon.ParseStrict(publishedName(track), text)
		if err != nil {
			return err
		}
		a.index[track] = func() (canon.Value, error) { return v, nil }
	}
	if a.sink != nil {
		if err := a.sink.Begin(a.doc); err != nil {
			return err
		}
	}
	for job := range parts[0].head.Jobs {
		var line PartLine
		if err := parts[job%len(parts)].next(&line); err != nil {
			return err
		}
		if line.Track < 0 || line.Track >= len(a.doc.Tracks) {
			return &PartError{parts[job%len(parts)].name, fmt.Sprintf("track %d", line.Track), fmt.Sprintf("one of %d tracks", len(a.doc.Tracks))}
		}
		p := line.Participant
		p.Incidents, p.Missing, p.Unread, p.Rejected = line.Incidents, line.Missing, line.Unread, line.Rejected
		if a.sink != nil {
			if err := a.sink.Render(a.header(line.Track), p); err != nil {
				return err
			}
		}
		if err := a.gather(line.Track, p); err != nil {
			return err
		}
	}
	return a.compare()
}

// joinTails adds up what the parts counted. Anchors are counted once however many parts met them.
func (a *assembly) joinTails(parts []*openPart) {
	tokens, entries := map[string]bool{}, map[string]bool{}
	a.doc.Inputs = parts[0].tail.Inputs
	var sum report.Checked
	for _, p := range parts {
		a.worse(outcomeNamed(p.tail.Result))
		sum.Submissions += p.tail.Checked.Submissions
		sum.Assertions += p.tail.Checked.Assertions
		sum.Proofs += p.tail.Checked.Proofs
		for _, name := range p.tail.Tokens {
			tokens[name] = true
		}
		for _, name := range p.tail.Entries {
			entries[name] = true
		}
	}
	sum.Tokens, sum.LogEntries = len(tokens), len(entries)
	// Every part judged the proofs of the freezes; a single run does so once.
	sum.Proofs -= (len(parts) - 1) * parts[0].tail.Freezes
	a.doc.Checked = sum
}
