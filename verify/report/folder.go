package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Folder writes everything that is published about a season, as participants are judged:
//
//	index.html                          the start page
//	replay.json                         the whole run
//	<track>/index.json, .md, .html      the index of a track
//	<track>/<participant>/report.json, .md, .html
//
// It takes participants as a replay's sink does.
type Folder struct {
	create func(name string) (io.WriteCloser, error)
	lang   Lang
	begun  bool
	replay *ReplayWriter
	file   io.WriteCloser
	buffer *bufio.Writer
}

// NewFolder makes a folder whose files are made by create, which takes slash-separated names and makes the folders above them.
func NewFolder(create func(name string) (io.WriteCloser, error), l Lang) *Folder {
	return &Folder{create: create, lang: l}
}

// Begin writes what is known before anybody is judged.
func (f *Folder) Begin(doc *Replay) error {
	var err error
	if f.file, err = f.create("replay.json"); err != nil {
		return err
	}
	f.buffer = bufio.NewWriter(f.file)
	f.replay = NewReplayWriter(f.buffer)
	f.begun = true
	return f.replay.Begin(doc)
}

// Participant writes one participant into the whole run, in order.
func (f *Folder) Participant(track int, p Participant) error { return f.replay.Participant(track, p) }

// Render writes the three reports of one participant in one track. Several goroutines may call it.
func (f *Folder) Render(h Header, p Participant) error {
	if !safeName(p.Participant) || !safeName(h.Track) {
		return fmt.Errorf("participant %q of track %q: want ids of letters, digits, '-', '_' and '.' to name a folder", p.Participant, h.Track)
	}
	r := IndividualOf(h, p)
	dir := h.Track + "/" + p.Participant + "/report"
	return f.three(dir, func(w io.Writer) error { return JSON(w, r) },
		func(w io.Writer) error { return IndividualMarkdown(w, r, f.lang) },
		func(w io.Writer) error { return IndividualHTML(w, r, f.lang) })
}

// End writes the indexes, the start page and the end of replay.json. Where nothing was scored, replay.json alone says why.
func (f *Folder) End(doc *Replay) error {
	if !f.begun {
		if err := f.Begin(doc); err != nil {
			return err
		}
	}
	if err := f.replay.End(doc); err != nil {
		return err
	}
	if err := f.buffer.Flush(); err != nil {
		return err
	}
	if err := f.file.Close(); err != nil {
		return err
	}
	for _, t := range doc.Tracks {
		index := IndexOf(doc.Season, t)
		err := f.three(t.Track+"/index", func(w io.Writer) error { return JSON(w, index) },
			func(w io.Writer) error { return IndexMarkdown(w, index, doc.Unfit, f.lang) },
			func(w io.Writer) error { return IndexHTML(w, index, doc.Unfit, f.lang) })
		if err != nil {
			return err
		}
	}
	return f.write("index.html", func(w io.Writer) error { return StartHTML(w, doc, f.lang) })
}

func (f *Folder) three(base string, json, markdown, html func(io.Writer) error) error {
	if err := f.write(base+".json", json); err != nil {
		return err
	}
	if err := f.write(base+".md", markdown); err != nil {
		return err
	}
	return f.write(base+".html", html)
}

func (f *Folder) write(name string, content func(io.Writer) error) error {
	file, err := f.create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	if err := content(w); err != nil {
		file.Close()
		return err
	}
	if err := w.Flush(); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// safeName reports whether an id can name a folder on every system, whatever its letters: it came from the enrolments.
func safeName(s string) bool {
	return s != "" && s != "." && s != ".." && len(s) <= 200 && !strings.ContainsAny(s, "/\\:*?\"<>|\x00\n\r\t")
}
