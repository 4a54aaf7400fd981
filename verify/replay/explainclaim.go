package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/manifest/season"
)

// submission is the source of the submission that is explained.
func (x *explainer) submission() source { return x.document(x.doc.File) }

// sources are the shell functions that print the page of the claim and its request.
func (x *explainer) sources() []string {
	page, ok := x.page()
	if !ok {
		return nil
	}
	return []string{"page() { " + page.command + "; }"}
}

// page is the source of what the corpus serves for the claim's resource.
func (x *explainer) page() (source, bool) {
	p, ok := x.run.season.Corpus.Page(x.claim.Resource)
	if !ok || !p.Body.Exists() {
		return source{}, false
	}
	if !p.Absent {
		name := season.CorpusDir + "/" + p.File
		return source{p.Body, "f " + quoted(name), name, ""}, true
	}
	tokens := []string{"collections", fmt.Sprint(x.collection(p.Collection)), "absent_body"}
	template := x.document(x.run.season.ManifestFile).within(tokens...)
	return source{p.Body, template.command + " | absent " + quoted(x.claim.Resource), template.file, template.pointer}, true
}

func (x *explainer) collection(prefix string) int {
	return collectionOf(x.run.season.Corpus, prefix)
}

// collectionOf is the place of a collection in the manifest, by its prefix.
func collectionOf(c *manifest.Corpus, prefix string) int {
	return slices.IndexFunc(c.Manifest.Collections, func(c manifest.Collection) bool { return c.Prefix == prefix })
}

// request is condition 3: the hash of the canonical request for the claim's resource, against the opened one.
func (e *proofExplainer) request() []Comparison {
	x := e.x
	sub := x.submission()
	opened := sub.text("opened", "disclosures", e.id, "request_hash", "value")
	page, ok := x.run.season.Corpus.Page(x.claim.Resource)
	if !ok {
		return []Comparison{{Name: "request_hash", Status: verifyFailed, Values: []ShownValue{opened}}}
	}
	m := x.document(x.run.season.ManifestFile)
	arguments := []string{"collections", fmt.Sprint(x.collection(page.Collection)), x.claim.Resource}
	url := x.run.season.Corpus.Manifest.BaseURL + x.claim.Resource
	if !page.Absent {
		tokens, _ := tokensOf(page.Entry.Pointer)
		arguments, url = tokens, page.URL
	}
	if len(arguments) < 2 {
		return nil
	}
	method, payload := inside(m.root, arguments[0], arguments[1], "method"), inside(m.root, arguments[0], arguments[1], "payload")
	text, err := canon.Marshal(map[string]any{"target": url, "method": method, "payload": payload, "amount": 0.0, "currency": "eur"})
	if err != nil {
		return nil
	}
	place := pointerOf(arguments[:2])
	request := ShownValue{What: "request", Value: string(text), File: m.file, Pointer: place, Command: m.command + " | request" + words(arguments)}
	computed := ShownValue{What: "recomputed", Value: canon.Sum(text).String(), File: m.file, Pointer: place, Command: request.Command + " | sha"}
	out := []Comparison{shown("request", request), compare("request_hash", computed, opened)}
	if !page.Absent {
		out = append(out, compare("manifest_request", computed, m.text("manifest", arguments[0], arguments[1], "request_hash")))
	}
	return out
}

// system compares the opened response with the bodies that stand for a failure of the instrument. It must be none of them.
func (e *proofExplainer) system() []Comparison {
	x := e.x
	opened := x.submission().text("opened", "disclosures", e.id, "response_hash", "value")
	c := Comparison{Name: "system_bodies", Status: verifyOK, Values: []ShownValue{opened}}
	for _, s := range x.run.season.Corpus.Manifest.System {
		file := x.document(season.CorpusDir + "/" + s.File)
		one := ShownValue{What: "system", Of: s.Resource, Value: canon.Hash(file.root).String(), File: file.file, Command: file.command + " | canon | sha"}
		if one.Value == opened.Value {
			c.Status = verifyFailed
		}
		c.Values = append(c.Values, one)
	}
	return []Comparison{c}
}

// value is condition 4: the hash of the frozen answer against the opened one, and the frozen value against the claimed one.
func (e *proofExplainer) value() []Comparison {
	x := e.x
	sub := x.submission()
	opened := sub.text("opened", "disclosures", e.id, "response_hash", "value")
	claimed := sub.canonical("claimed", "assertions", fmt.Sprint(x.at), "claim", "value")
	page, ok := x.page()
	if !ok {
		return []Comparison{shown("response_hash", opened), shown("value", claimed)}
	}
	page.command = "page"
	hash := ShownValue{What: "recomputed", Value: canon.Hash(page.root).String(), File: page.file, Pointer: page.pointer, Command: "page | canon | sha"}
	out := []Comparison{compare("response_hash", hash, opened)}
	if p, _ := x.run.season.Corpus.Page(x.claim.Resource); !p.Absent {
		if tokens, _ := tokensOf(p.Entry.Pointer); len(tokens) == 2 {
			out = append(out, compare("manifest_response", hash, x.document(x.run.season.ManifestFile).text("manifest", append(tokens, "response_hash")...)))
		}
	}
	frozen := ShownValue{What: "frozen", File: page.file, Pointer: page.pointer + strings.Clone(x.claim.Field)}
	p, err := canon.ParsePointer(x.claim.Field)
	if err == nil {
		if v, err := p.Lookup(page.root); err == nil {
			frozen.Value, frozen.Command = canonicalText(v), "page | canon"+words(p.Tokens())
		}
	}
	return append(out, compare("value", frozen, claimed))
}
