// Package manifest reads the frozen corpus of a season: the pages that were served, byte for byte, and manifest.json, which says for
// each what request asks for it and what the hashes of request and response are (seed 000 §2.4, §2.5).
//
//	{"format": "proveit.manifest/v1", "base_url": "https://corpus.example",
//	 "resources": [{"resource": "/entites/ENT-1", "url": "https://corpus.example/entites/ENT-1", "method": "GET", "payload": {},
//	                "file": "entites/ENT-1.json", "sha256": "…", "request_hash": "…", "response_hash": "…"}],
//	 "system": [{"resource": "/_systeme/403", "file": "systeme/403.json", "response_hash": "…"}, and 503, 400],
//	 "collections": [{"prefix": "/entites/", "method": "GET", "payload": {}, "absent_body": {"existe": false, "ressource": "{resource}"}}]}
//
// Files are relative to the corpus. The request hash is that of {"target": url, "method", "payload", "amount": 0.0, "currency": "eur"};
// the response hash is that of the parsed page; both are SHA-256 of canonical JSON. They are always recomputed. What the manifest stores
// is compared with them, and a page whose bytes differ from it, white space included, is kept apart from a page that is not there:
// the first means that the corpus is not the one that was frozen, the second that something has to be fetched.
//
// A reference that does not exist, below the prefix of a collection, is served its absent body, with {resource} replaced by the path
// in every string. The longest prefix wins, and the rest of the path is not empty. Outside the collections nothing is served.
//
// The package also checks what the challenge promises about pages (§2.5): JSON, never falsy in Python, no number, one URL each.
package manifest

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// Files is what a corpus is read from; a *bundle.Bundle is one. Read gives fs.ErrNotExist (errors.Is) for a name that is not there.
type Files interface {
	Read(name string) ([]byte, error)
	Has(name string) bool
}

// Page is one resource of the corpus with what its bytes and its request give.
type Page struct {
	Entry
	Request    canon.Digest // recomputed
	Response   canon.Digest // recomputed; zero where Body is Missing
	SHA256     canon.Digest // of the bytes; zero where there are none
	Body       canon.Value  // Missing where the file is not there or not JSON
	Absent     bool         // not listed: what the collection serves for a reference that does not exist
	Collection string       // prefix of that collection
}

// Corpus is a manifest and its pages. It does not change after Load and may be used by many goroutines.
type Corpus struct {
	Manifest    *Manifest
	dir         string
	pages       []Page // in the order of the manifest
	byResource  map[string]int
	collections []Collection // longest prefix first
	system      map[canon.Digest]string
	missing     []Problem
	differing   []Problem
	faults      []Problem
}

// Load reads the manifest of that name and every page; files are relative to the folder that holds the manifest. The error is a
// *canon.SyntaxError where the manifest is malformed, and what files.Read gave where a file is there but cannot be read. Pages that
// are missing or differ are no error: see Missing and Differences.
func Load(files Files, name string) (*Corpus, error) {
	return LoadIn(files, name, path.Dir(name))
}

// LoadIn is Load with the folder that the files of the manifest are relative to.
func LoadIn(files Files, name, dir string) (*Corpus, error) {
	b, err := files.Read(name)
	if err != nil {
		return nil, err
	}
	m, err := Parse(name, b)
	if err != nil {
		return nil, err
	}
	return load(files, m, dir)
}

func load(files Files, m *Manifest, dir string) (*Corpus, error) {
	c := &Corpus{Manifest: m, dir: dir, byResource: make(map[string]int, len(m.Resources)), system: map[canon.Digest]string{}}
	c.collections = slices.Clone(m.Collections)
	slices.SortStableFunc(c.collections, func(a, b Collection) int { return len(b.Prefix) - len(a.Prefix) })
	for _, e := range m.Resources {
		p, err := c.read(files, e)
		if err != nil {
			return nil, err
		}
		if _, again := c.byResource[e.Resource]; !again {
			c.byResource[e.Resource] = len(c.pages)
		}
		c.pages = append(c.pages, p)
	}
	for _, s := range m.System {
		if err := c.readSystem(files, s); err != nil {
			return nil, err
		}
	}
	c.checkContract()
	return c, nil
}

// read takes one page and compares it with what the manifest stores.
func (c *Corpus) read(files Files, e Entry) (Page, error) {
	p := Page{Entry: e, Request: RequestHash(e.URL, e.Method, e.Payload)}
	if p.Request != e.Stored.Request {
		c.differ(RequestHashDiffers, e.Pointer+"/request_hash", e.Stored.Request, p.Request)
	}
	b, err := files.Read(c.name(e.File))
	if errors.Is(err, fs.ErrNotExist) {
		c.miss(e.File, e.Pointer)
		return p, nil
	}
	if err != nil {
		return Page{}, err
	}
	p.SHA256 = canon.Sum(b)
	if p.SHA256 != e.Stored.SHA256 {
		c.differing = append(c.differing, Problem{Code: PageDiffers, File: c.name(e.File), Found: "SHA-256 " + p.SHA256.String(), Wanted: e.Stored.SHA256.String() + ", as the manifest says"})
	}
	p.Body, err = canon.Parse(b)
	if err != nil {
		c.fault(PageNotJSON, c.name(e.File), "", err.Error(), "JSON")
		return p, nil
	}
	p.Response = canon.Hash(p.Body)
	if p.Response != e.Stored.Response {
		c.differ(ResponseHashDiffers, e.Pointer+"/response_hash", e.Stored.Response, p.Response)
	}
	return p, nil
}

func (c *Corpus) readSystem(files Files, s System) error {
	b, err := files.Read(c.name(s.File))
	if errors.Is(err, fs.ErrNotExist) {
		c.miss(s.File, s.Pointer)
		return nil
	}
	if err != nil {
		return err
	}
	body, err := canon.Parse(b)
	if err != nil {
		c.differing = append(c.differing, Problem{Code: PageNotJSON, File: c.name(s.File), Found: err.Error(), Wanted: "JSON"})
		return nil
	}
	sum := canon.Hash(body)
	if sum != s.Stored {
		c.differ(ResponseHashDiffers, s.Pointer+"/response_hash", s.Stored, sum)
	}
	if other, ok := c.system[sum]; ok {
		c.fault(ResponseHashRepeated, c.Manifest.File, s.Pointer, s.Resource+" has the body of "+other, "two bodies")
		return nil
	}
	c.system[sum] = s.Resource
	return nil
}

func (c *Corpus) name(file string) string { return path.Join(c.dir, file) }

func (c *Corpus) differ(code Code, pointer string, stored, computed canon.Digest) {
	c.differing = append(c.differing, Problem{Code: code, File: c.Manifest.File, Pointer: pointer, Found: stored.String(), Wanted: computed.String() + ", as computed"})
}

func (c *Corpus) miss(file, pointer string) {
	c.missing = append(c.missing, Problem{Code: PageMissing, File: c.Manifest.File, Pointer: pointer + "/file", Found: noFile + c.name(file), Wanted: "the frozen bytes"})
}

func (c *Corpus) fault(code Code, file, pointer, found, wanted string) {
	c.faults = append(c.faults, Problem{Code: code, File: file, Pointer: pointer, Found: found, Wanted: wanted})
}

// Missing lists the pages and system bodies whose files are not there, in the order of the manifest.
func (c *Corpus) Missing() []Problem { return c.missing }

// Differences lists where bytes and stored hashes disagree, in the order of the manifest. With one of them, this is not the corpus that
// the manifest describes and nothing can be scored against it.
func (c *Corpus) Differences() []Problem { return c.differing }

// Problems lists where the pages break the contract of the corpus (§2.5).
func (c *Corpus) Problems() []Problem { return c.faults }

// Resources lists the pages in the order of the manifest. The caller must not change the slice.
func (c *Corpus) Resources() []Page { return c.pages }

// Files lists the names of the files that the manifest names, below its folder, sorted, each once, whether they are there or not.
func (c *Corpus) Files() []string {
	var out []string
	for _, p := range c.pages {
		out = append(out, c.name(p.File))
	}
	for _, s := range c.Manifest.System {
		out = append(out, c.name(s.File))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Page is what the corpus serves for a resource: the listed page, or the absent body of the collection with the longest prefix. It is
// false where nothing is served, and then the resource has no request hash either.
func (c *Corpus) Page(resource string) (Page, bool) {
	if i, ok := c.byResource[resource]; ok {
		return c.pages[i], true
	}
	col, ok := c.collection(resource)
	if !ok {
		return Page{}, false
	}
	p := Page{Entry: Entry{Resource: resource, URL: c.Manifest.BaseURL + resource, Method: col.Method, Payload: col.Payload, Pointer: col.Pointer}, Absent: true, Collection: col.Prefix}
	p.Request = RequestHash(p.URL, p.Method, p.Payload)
	p.Body = absentBody(col.AbsentBody, resource)
	if p.Body.Exists() {
		p.Response = canon.Hash(p.Body)
	}
	return p, true
}

func (c *Corpus) collection(resource string) (Collection, bool) {
	if len(resource) > MaxResource {
		return Collection{}, false
	}
	for _, col := range c.collections {
		if len(resource) > len(col.Prefix) && strings.HasPrefix(resource, col.Prefix) {
			return col, true
		}
	}
	return Collection{}, false
}

// Request is the hash of the request that asks for the resource.
func (c *Corpus) Request(resource string) (canon.Digest, bool) {
	if i, ok := c.byResource[resource]; ok {
		return c.pages[i].Request, true
	}
	col, ok := c.collection(resource)
	if !ok {
		return canon.Digest{}, false
	}
	return RequestHash(c.Manifest.BaseURL+resource, col.Method, col.Payload), true
}

// Response is the hash of what is served for the resource; false where nothing is, or the page is missing or not JSON.
func (c *Corpus) Response(resource string) (canon.Digest, bool) {
	p, ok := c.Page(resource)
	return p.Response, ok && p.Body.Exists()
}

// Body is what is served for the resource; false as for Response.
func (c *Corpus) Body(resource string) (canon.Value, bool) {
	p, ok := c.Page(resource)
	return p.Body, ok && p.Body.Exists()
}

// System tells whether d is the response hash of a system body, and of which resource.
func (c *Corpus) System(d canon.Digest) (resource string, ok bool) {
	resource, ok = c.system[d]
	return resource, ok
}

// RequestHash is the hash of the request data that the proxy commits to: target, method and payload, with amount 0.0 and currency "eur"
// (§2.4).
func RequestHash(url, method string, payload canon.Value) canon.Digest {
	text, err := canon.Marshal(map[string]any{"target": url, "method": method, "payload": payload, "amount": 0.0, "currency": "eur"})
	if err != nil {
		return canon.Digest{} // only a payload that is Missing gets here, and then there is no request
	}
	return canon.Sum(text)
}

// placeholder stands for the path of the resource in the strings of an absent body.
const placeholder = "{resource}"

// absentBody replaces the placeholder in every string value; names of members stay as they are.
func absentBody(template canon.Value, resource string) canon.Value {
	body, err := canon.From(replace(template, resource))
	if err != nil {
		return canon.Value{}
	}
	return body
}

func replace(v canon.Value, resource string) any {
	switch v.Kind() {
	case canon.String:
		text, _ := v.Text()
		return strings.ReplaceAll(text, placeholder, resource)
	case canon.Array:
		out := make([]any, 0, v.Len())
		for _, e := range v.Elements() {
			out = append(out, replace(e, resource))
		}
		return out
	case canon.Object:
		out := make(map[string]any, v.Len())
		for name, e := range v.Members() {
			out[name] = replace(e, resource)
		}
		return out
	}
	return v
}
