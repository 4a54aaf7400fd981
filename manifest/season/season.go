// Package season reads what a season is judged by: season.json, the enrolments, and for each track the frozen scale and the revealed
// answer key; it derives each task's graph from the frozen corpus.
//
//	{"format": "proveit.season/v1", "season": 1, "opens_at": "2026-09-21T00:00:00Z", "closes_at": "2026-10-19T22:00:00Z",
//	 "tracks": [{"id": "conformite", "bareme": "freeze/bareme-conformite.json", "text": "freeze/bareme-conformite.md",
//	             "key": "freeze/key-conformite.json"}],
//	 "freeze": "freeze/freeze.json", "manifest": "corpus/manifest.json", "enrolments": "enrolments.json"}
//
// Every parser is strict: an unknown member, a missing one or one of another type is a *canon.SyntaxError with file and pointer, since
// these files are the organizer's and a season that cannot be read cannot be judged. A scale of a version that this program does not
// implement is an *UnknownVersion.
//
// ParseSeason reads season.json alone, so that what was frozen can be checked on raw bytes before anything bound by the freeze is parsed.
package season

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
)

// Formats of the files that this package reads.
const (
	FormatSeason     = "proveit.season/v1"
	FormatEnrolments = "proveit.enrolments/v1"
	FormatScale      = "proveit.bareme/v1"
	FormatKey        = "proveit.key/v1"
)

// CorpusDir is the folder of a bundle that the files of the manifest are relative to.
const CorpusDir = "corpus"

// maxID is how many bytes the id of a track, a task or a participant may have: they name files.
const maxID = 128

// Files is what a season is read from; a *bundle.Bundle is one.
type Files = manifest.Files

// Season is a whole season. ParseSeason fills everything but Enrolments, Corpus and the scales and keys of the tracks.
type Season struct {
	File          string // name of season.json
	Number        int64
	Opens, Closes time.Time // both bounds belong to the season
	Tracks        []Track
	FreezeFile    string
	ManifestFile  string
	EnrolmentFile string

	Enrolments []Participant
	Corpus     *manifest.Corpus
}

// Track is one of the two tracks, scored apart and never combined.
type Track struct {
	ID        string // "conformite" or "generique"
	ScaleFile string // machine-readable scale
	TextFile  string // human text of the scale
	KeyFile   string // answer key

	Scale *Scale
	Key   *Key
}

// Track returns the track of that id.
func (s *Season) Track(id string) (*Track, bool) {
	for i := range s.Tracks {
		if s.Tracks[i].ID == id {
			return &s.Tracks[i], true
		}
	}
	return nil, false
}

// Participant returns the enrolled participant of that id.
func (s *Season) Participant(id string) (Participant, bool) {
	i := slices.IndexFunc(s.Enrolments, func(p Participant) bool { return p.ID == id })
	if i < 0 {
		return Participant{}, false
	}
	return s.Enrolments[i], true
}

// ParseSeason reads season.json.
func ParseSeason(file string, b []byte) (*Season, error) {
	d, err := manifest.OpenDocument(file, b, FormatSeason)
	if err != nil {
		return nil, err
	}
	root := d.Root
	d.Members(root, "format", "season", "opens_at", "closes_at", "tracks", "freeze", "manifest", "enrolments")
	s := &Season{
		File: file, Number: d.Int(root, "season", 1), Opens: instant(d, root, "opens_at"), Closes: instant(d, root, "closes_at"),
		FreezeFile: d.Path(root, "freeze"), ManifestFile: d.Path(root, "manifest"), EnrolmentFile: d.Path(root, "enrolments"),
	}
	tracks := d.List(root, "tracks")
	if tracks.Len() == 0 {
		d.Fail(tracks, "no track", "at least one")
	}
	for _, v := range tracks.Elements() {
		d.Members(v, "id", "bareme", "text", "key")
		t := Track{ID: identifier(d, v, "id"), ScaleFile: d.Path(v, "bareme"), TextFile: d.Path(v, "text"), KeyFile: d.Path(v, "key")}
		if _, again := s.Track(t.ID); again {
			d.Fail(v.Get("id"), fmt.Sprintf("track %q again", t.ID), "each track once")
		}
		s.Tracks = append(s.Tracks, t)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// instant reads an RFC 3339 time (§5.6) in capitals, with "Z" or an offset and at most nine digits of fraction. time.Parse alone also takes
// one digit for the hour, a comma before the fraction, and more digits than it keeps.
func instant(d *manifest.Document, v canon.Value, name string) time.Time {
	const whole = "2006-01-02T15:04:05"
	text := d.Text(v, name)
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || !strings.HasPrefix(text, t.Format(whole)) || text[len(whole)] == ',' || strings.IndexAny(text[len(whole):], "Z+-") > len(".123456789") {
		d.Fail(v.Get(name), fmt.Sprintf("%q", text), "an RFC 3339 time such as 2026-09-21T00:00:00Z")
	}
	return t.UTC()
}

// identifier reads an id that names a file or a folder: one path step, printable.
func identifier(d *manifest.Document, v canon.Value, name string) string {
	text := d.Text(v, name)
	bad := func(r rune) bool { return r == '/' || r == '\\' || r < 0x20 || 0x7f <= r && r <= 0x9f }
	if len(text) > maxID || text == "." || text == ".." || strings.ContainsFunc(text, bad) {
		d.Fail(v.Get(name), fmt.Sprintf("an id of %d bytes", len(text)), fmt.Sprintf("at most %d bytes without slashes or control characters", maxID))
	}
	return text
}

// Load reads the whole season whose season.json has that name. A file that is not there is fs.ErrNotExist (errors.Is).
func Load(files Files, name string) (*Season, error) {
	b, err := files.Read(name)
	if err != nil {
		return nil, err
	}
	s, err := ParseSeason(name, b)
	if err != nil {
		return nil, err
	}
	return s.LoadTracks(files)
}

// LoadTracks returns a copy of s with enrolments, corpus, scales and keys read.
func (s *Season) LoadTracks(files Files) (*Season, error) {
	full, err := s.LoadForEntry(files)
	if err != nil {
		return nil, err
	}
	for i := range full.Tracks {
		t := &full.Tracks[i]
		b, err := files.Read(t.KeyFile)
		if err != nil {
			return nil, err
		}
		if t.Key, err = ParseKey(t.KeyFile, b, s.Number, t.ID); err != nil {
			return nil, err
		}
		if err := t.Key.covers(t.Scale); err != nil {
			return nil, err
		}
	}
	full.Corpus, err = manifest.LoadIn(files, s.ManifestFile, CorpusDir)
	if err != nil {
		return nil, err
	}
	return full, nil
}

// LoadForEntry returns a copy of s with enrolments and scales read: all that is public before a season closes, and all that entry needs.
func (s *Season) LoadForEntry(files Files) (*Season, error) {
	full := *s
	full.Tracks = slices.Clone(s.Tracks)
	b, err := files.Read(s.EnrolmentFile)
	if err != nil {
		return nil, err
	}
	if full.Enrolments, err = ParseEnrolments(s.EnrolmentFile, b); err != nil {
		return nil, err
	}
	for i := range full.Tracks {
		t := &full.Tracks[i]
		b, err := files.Read(t.ScaleFile)
		if err != nil {
			return nil, err
		}
		if t.Scale, err = ParseScale(t.ScaleFile, b, t.ID); err != nil {
			return nil, err
		}
	}
	return &full, nil
}
