package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// Format is the "format" member of a manifest.
const Format = "proveit.manifest/v1"

// Limits of a manifest.
const (
	MaxResource = 4096 // bytes of a resource that is answered by an absent body
	maxReplaced = 1000 // times that {resource} may stand in one absent body
)

// systemResources are the bodies that the challenge's own front end serves (seed 000 §4.1).
var systemResources = []string{"/_systeme/403", "/_systeme/503", "/_systeme/400"}

// Entry is one line of "resources", as stored.
type Entry struct {
	Resource string
	URL      string
	Method   string
	Payload  canon.Value
	File     string // relative to the corpus
	Stored   Hashes
	Pointer  string // of the line in the manifest
}

// Hashes are those that a manifest stores for a page. They are compared with what the bytes give, never used in their place.
type Hashes struct {
	SHA256   canon.Digest // of the bytes
	Request  canon.Digest // of the request that asks for it
	Response canon.Digest // of the parsed bytes
}

// System is one of the three bodies that stand for a failure of the instrument.
type System struct {
	Resource string
	File     string       // relative to the corpus
	Stored   canon.Digest // response hash as the manifest has it
	Pointer  string
}

// Collection says what is served for a reference below Prefix that does not exist.
type Collection struct {
	Prefix     string
	Method     string
	Payload    canon.Value
	AbsentBody canon.Value
	Pointer    string
}

// Manifest is a manifest.json as it is written, before any page was looked at.
type Manifest struct {
	File        string
	BaseURL     string
	Resources   []Entry
	System      []System
	Collections []Collection
}

// Parse reads a manifest. Malformed is a *canon.SyntaxError with file, line and pointer.
func Parse(file string, b []byte) (*Manifest, error) { return parse(file, b, false) }

// ParseDraft reads a manifest whose hashes may be absent (they are then zero) and that may lack system bodies, as Build takes it.
func ParseDraft(file string, b []byte) (*Manifest, error) { return parse(file, b, true) }

func parse(file string, b []byte, draft bool) (*Manifest, error) {
	d, err := OpenDocument(file, b, Format)
	if err != nil {
		return nil, err
	}
	d.Members(d.Root, "format", "base_url", "resources", "system", "collections")
	m := &Manifest{File: file, BaseURL: d.Text(d.Root, "base_url")}
	for _, v := range d.List(d.Root, "resources").Elements() {
		m.Resources = append(m.Resources, parseEntry(d, v, draft))
	}
	system := d.List(d.Root, "system")
	for _, v := range system.Elements() {
		m.System = append(m.System, parseSystem(d, v, draft))
	}
	if !draft {
		checkSystem(d, system, m.System)
	}
	for _, v := range d.List(d.Root, "collections").Elements() {
		m.Collections = append(m.Collections, parseCollection(d, v))
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

func parseEntry(d *Document, v canon.Value, draft bool) Entry {
	e := Entry{Pointer: v.Pointer()}
	if draft {
		d.Members(v, "resource", "url", "method", "payload", "file", "sha256?", "request_hash?", "response_hash?")
	} else {
		d.Members(v, "resource", "url", "method", "payload", "file", "sha256", "request_hash", "response_hash")
	}
	e.Resource, e.URL, e.Method = d.Text(v, "resource"), d.Text(v, "url"), d.Text(v, "method")
	e.Payload, e.File = d.Get(v, "payload"), d.Path(v, "file")
	optional := func(name string) canon.Digest {
		if draft && !v.Get(name).Exists() {
			return canon.Digest{}
		}
		return d.Digest(v, name)
	}
	e.Stored = Hashes{SHA256: optional("sha256"), Request: optional("request_hash"), Response: optional("response_hash")}
	return e
}

func parseSystem(d *Document, v canon.Value, draft bool) System {
	s := System{Pointer: v.Pointer()}
	if draft && !v.Get("response_hash").Exists() {
		d.Members(v, "resource", "file")
	} else {
		d.Members(v, "resource", "file", "response_hash")
		s.Stored = d.Digest(v, "response_hash")
	}
	s.Resource, s.File = d.Text(v, "resource"), d.Path(v, "file")
	return s
}

// checkSystem wants each of the three bodies once: with one of them missing, a failure of the instrument would count against a participant.
func checkSystem(d *Document, list canon.Value, got []System) {
	wanted := strings.Join(systemResources, ", ") + ", once each"
	seen := map[string]bool{}
	for i, s := range got {
		if !slices.Contains(systemResources, s.Resource) || seen[s.Resource] {
			d.Fail(list.At(i), fmt.Sprintf("resource %q", short(s.Resource)), wanted)
		}
		seen[s.Resource] = true
	}
	if len(seen) != len(systemResources) {
		d.Fail(list, fmt.Sprintf("%d system bodies", len(seen)), wanted)
	}
}

func parseCollection(d *Document, v canon.Value) Collection {
	d.Members(v, "prefix", "method", "payload", "absent_body")
	c := Collection{Prefix: d.Text(v, "prefix"), Method: d.Text(v, "method"), Payload: d.Get(v, "payload"), AbsentBody: d.Get(v, "absent_body"), Pointer: v.Pointer()}
	if n := strings.Count(c.AbsentBody.Raw(), placeholder); n > maxReplaced {
		d.Fail(v.Get("absent_body"), fmt.Sprintf("%s %d times", placeholder, n), fmt.Sprintf("at most %d times", maxReplaced))
	}
	return c
}
