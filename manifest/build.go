package manifest

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// Build writes a manifest for a draft: every hash is computed from the files, resources are sorted, and what the draft stored is
// replaced. Files are relative to dir. A file that is not there or not JSON is an error, since a manifest cannot vouch for it.
//
// The text is indented JSON in ASCII, the same bytes for the same input.
func Build(files Files, draft *Manifest, dir string) ([]byte, error) {
	m := *draft
	m.Resources = slices.Clone(draft.Resources)
	slices.SortStableFunc(m.Resources, func(a, b Entry) int { return strings.Compare(a.Resource, b.Resource) })
	for i := range m.Resources {
		e := &m.Resources[i]
		sum, response, err := hashFile(files, path.Join(dir, e.File))
		if err != nil {
			return nil, err
		}
		e.Stored = Hashes{SHA256: sum, Request: RequestHash(e.URL, e.Method, e.Payload), Response: response}
	}
	m.System = slices.Clone(draft.System)
	for i := range m.System {
		var err error
		if _, m.System[i].Stored, err = hashFile(files, path.Join(dir, m.System[i].File)); err != nil {
			return nil, err
		}
	}
	return m.marshal(), nil
}

func hashFile(files Files, name string) (sum, response canon.Digest, err error) {
	b, err := files.Read(name)
	if err != nil {
		return sum, response, err
	}
	v, err := canon.Parse(b)
	if err != nil {
		if s, ok := err.(*canon.SyntaxError); ok {
			s.File = name
		}
		return sum, response, err
	}
	return canon.Sum(b), canon.Hash(v), nil
}

// Draft adds to a manifest every page among names that it does not list yet. A page is a file ending in .json below dir, the manifest
// itself apart; its resource is "/" and the path without that ending, asked for with GET and an empty payload. Files below _systeme/
// are the system bodies. previous may be nil: then base and nothing else is the start. An empty base keeps that of previous.
func Draft(names []string, previous *Manifest, base, dir, self string) *Manifest {
	m := &Manifest{File: self}
	if previous != nil {
		*m = *previous
		m.Resources, m.System = slices.Clone(previous.Resources), slices.Clone(previous.System)
	}
	listed := map[string]bool{self: true}
	for _, e := range m.Resources {
		listed[path.Join(dir, e.File)] = true
	}
	for _, s := range m.System {
		listed[path.Join(dir, s.File)] = true
	}
	if base != "" {
		for i := range m.Resources {
			if e := &m.Resources[i]; e.URL == m.BaseURL+e.Resource {
				e.URL = base + e.Resource
			}
		}
		m.BaseURL = base
	}
	payload, _ := canon.From(map[string]any{})
	for _, name := range names {
		file, ok := below(dir, name)
		resource, isJSON := strings.CutSuffix("/"+file, ".json")
		if !ok || !isJSON || listed[name] {
			continue
		}
		if strings.HasPrefix(resource, "/_systeme/") {
			m.System = append(m.System, System{Resource: resource, File: file})
			continue
		}
		m.Resources = append(m.Resources, Entry{Resource: resource, URL: m.BaseURL + resource, Method: "GET", Payload: payload, File: file})
	}
	return m
}

// below is name relative to dir, and whether it lies there.
func below(dir, name string) (string, bool) {
	if dir == "." || dir == "" {
		return name, true
	}
	return strings.CutPrefix(name, dir+"/")
}

// marshal writes the manifest with members in the order of the format.
func (m *Manifest) marshal() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n \"format\": %s,\n \"base_url\": %s,\n", quote(Format), quote(m.BaseURL))
	list(&b, "resources", len(m.Resources), func(i int) []string {
		e := m.Resources[i]
		return []string{"resource", quote(e.Resource), "url", quote(e.URL), "method", quote(e.Method), "payload", canonical(e.Payload), "file", quote(e.File),
			"sha256", quote(e.Stored.SHA256.String()), "request_hash", quote(e.Stored.Request.String()), "response_hash", quote(e.Stored.Response.String())}
	})
	list(&b, "system", len(m.System), func(i int) []string {
		s := m.System[i]
		return []string{"resource", quote(s.Resource), "file", quote(s.File), "response_hash", quote(s.Stored.String())}
	})
	list(&b, "collections", len(m.Collections), func(i int) []string {
		c := m.Collections[i]
		return []string{"prefix", quote(c.Prefix), "method", quote(c.Method), "payload", canonical(c.Payload), "absent_body", canonical(c.AbsentBody)}
	})
	b.Truncate(b.Len() - len(",\n"))
	b.WriteString("\n}\n")
	return b.Bytes()
}

// list writes one array of objects, whose names and texts alternate, and a comma.
func list(b *bytes.Buffer, name string, n int, members func(i int) []string) {
	fmt.Fprintf(b, " %s: [", quote(name))
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  {")
		pairs := members(i)
		for j := 0; j < len(pairs); j += 2 {
			if j > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%s: %s", quote(pairs[j]), pairs[j+1])
		}
		b.WriteByte('}')
	}
	if n > 0 {
		b.WriteString("\n ")
	}
	b.WriteString("],\n")
}

func quote(s string) string {
	text, _ := canon.Marshal(s) // a string always has a canonical text
	return string(text)
}

func canonical(v canon.Value) string { return string(canon.AppendCanonical(nil, v)) }
