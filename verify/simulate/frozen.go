package simulate

import (
	"fmt"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// fileOf is where a resource's bytes lie below corpus/.
func fileOf(resource string) string {
	return "pages/" + strings.NewReplacer("/", "__", "%", "_").Replace(strings.TrimPrefix(resource, "/")) + ".json"
}

// writeCorpus writes the frozen pages and the system bodies.
func (b *builder) writeCorpus() error {
	for _, resource := range b.corpus.resources() {
		if err := b.write("corpus/"+fileOf(resource), b.corpus.pages[resource].bytes()); err != nil {
			return err
		}
	}
	for i := range b.corpus.system {
		p := &b.corpus.system[i]
		if err := b.write("corpus"+strings.Replace(p.resource, "/_", "/", 1)+".json", p.bytes()); err != nil {
			return err
		}
	}
	return nil
}

// manifest is the list of the frozen pages, with their hashes.
func (b *builder) manifest() (mint.Object, error) {
	resources, system, collections := []any{}, []any{}, []any{}
	for _, resource := range b.corpus.resources() {
		p := b.corpus.pages[resource]
		req, err := p.requestHash()
		if err != nil {
			return nil, err
		}
		resp, err := p.responseHash()
		if err != nil {
			return nil, err
		}
		resources = append(resources, mint.Obj("resource", resource, "url", baseURL+resource, "method", p.method, "payload", p.payload,
			"file", fileOf(resource), "sha256", digestFile(p.bytes()), "request_hash", req.String(), "response_hash", resp.String()))
	}
	for i := range b.corpus.system {
		p := &b.corpus.system[i]
		resp, err := p.responseHash()
		if err != nil {
			return nil, err
		}
		system = append(system, mint.Obj("resource", p.resource, "file", strings.Replace(p.resource, "/_", "", 1)+".json", "response_hash", resp.String()))
	}
	for _, k := range b.corpus.collections {
		collections = append(collections, mint.Obj("prefix", k.prefix, "method", "GET", "payload", mint.Object{}, "absent_body", k.absent("{resource}")))
	}
	return mint.Obj("format", "proveit.manifest/v1", "base_url", baseURL, "resources", resources, "system", system, "collections", collections), nil
}

// season is season.json.
func (b *builder) season() mint.Object {
	tracks := []any{}
	for _, tr := range b.tracks {
		tracks = append(tracks, mint.Obj("id", tr.id, "bareme", "freeze/bareme-"+tr.id+".json", "text", "freeze/bareme-"+tr.id+".md", "key", "freeze/key-"+tr.id+".json"))
	}
	return mint.Obj("format", "proveit.season/v1", "season", seasonNumber, "opens_at", moment(b.opens), "closes_at", moment(b.closes), "tracks", tracks,
		"freeze", "freeze/freeze.json", "manifest", "corpus/manifest.json", "enrolments", "enrolments.json")
}

// frozenFile is a file that a freeze binds.
type frozenFile struct {
	name    string
	content []byte
	salted  bool
	label   string // member of the request's payload
}

// writeFrozen writes everything that is frozen before the season opens, and the freezes that bind it.
func (b *builder) writeFrozen() error {
	manifest, err := b.manifest()
	if err != nil {
		return err
	}
	files := []frozenFile{
		{"corpus/manifest.json", mint.Indented(manifest), false, "manifeste"},
		{"season.json", mint.Indented(b.season()), false, "saison"},
		{"enrolments.json", mint.Indented(b.enrolments()), false, "inscrits"},
	}
	for _, tr := range b.tracks {
		files = append(files,
			frozenFile{"freeze/bareme-" + tr.id + ".md", tr.text(), false, "texte-" + tr.id},
			frozenFile{"freeze/bareme-" + tr.id + ".json", mint.Indented(tr.scaleDocument()), false, "barème-" + tr.id},
			frozenFile{"freeze/key-" + tr.id + ".json", mint.Indented(tr.keyDocument(seasonNumber)), true, "engagement-" + tr.id})
	}
	old := []frozenFile{
		{"freeze/superseded/bareme-conformite.md", append([]byte("<!-- version remplacée -->\n"), files[3].content...), false, "texte-conformite"},
		{"freeze/superseded/manifest.json", mint.Compact(earlier(manifest)), false, "manifeste"},
		{"freeze/superseded/key-conformite.json", files[5].content, true, "engagement-conformite"},
	}
	first, err := b.freeze("superseded", b.opens.Add(-8*24*time.Hour), old,
		"Remplacé avant l’ouverture : le texte renvoyait à une autre section.")
	if err != nil {
		return err
	}
	second, err := b.freeze("current", b.opens.Add(-36*time.Hour), files, "")
	if err != nil {
		return err
	}
	for _, f := range append(files, old...) {
		if err := b.write(f.name, f.content); err != nil {
			return err
		}
	}
	return b.write("freeze/freeze.json", mint.Indented(mint.Obj("format", "proveit.freeze/v1", "freezes", []any{first, second})))
}

// earlier is the manifest as it was before the last pages were written.
func earlier(manifest mint.Object) mint.Object {
	resources, _ := manifest.Get("resources").([]any)
	return append(mint.Object{}, manifest...).Set("resources", resources[:len(resources)/6])
}

// freeze anchors the digests of the files, alone in their batch, and describes the freeze.
func (b *builder) freeze(status string, at time.Time, files []frozenFile, reason string) (mint.Object, error) {
	sections, bindings := mint.Object{}, []any{}
	for _, f := range files {
		binding := mint.Obj("pointer", "/payload/sections/"+f.label)
		content := f.content
		if f.salted {
			salt := b.seed.Nonce("salt " + status + f.name)
			content = append(salt[:], content...)
			binding = append(binding, mint.Member{Name: "salt", Value: salt.String()})
		}
		sections = append(sections, mint.Member{Name: f.label, Value: canon.Sum(content).String()})
		bindings = append(bindings, append(binding, mint.Member{Name: "file", Value: f.name}))
	}
	req := request(seasonURL+"/v1/season/1/freeze", "POST", mint.Obj("saison", "1", "objet", "gel de la saison de répétition", "sections", sections))
	l, err := b.pool.place(anchorSpec{at: at, alone: status == "superseded"})
	if err != nil {
		return nil, err
	}
	call, err := b.call(l, b.did("organizer"), nil)
	if err != nil {
		return nil, err
	}
	if call.Request, err = hashOf(req); err != nil {
		return nil, err
	}
	if call.Response, err = hashOf(mint.Obj("gel", "enregistré", "statut", status)); err != nil {
		return nil, err
	}
	call.Seller = strings.TrimPrefix(seasonURL, "https://")
	r, err := b.pool.add(l, call, good)
	if err != nil {
		return nil, err
	}
	if err := b.pool.close(l); err != nil {
		return nil, err
	}
	if err := b.write(fmt.Sprintf("proofs/gel/%s.json", call.ID), mint.Indented(r.proof.View(l.anchor, r.index, 7))); err != nil {
		return nil, err
	}
	doc := mint.Obj("proof_id", call.ID, "status", status)
	if reason != "" {
		doc = append(doc, mint.Member{Name: "reason", Value: reason})
	}
	return append(doc, mint.Obj("request", req, "disclosures", r.proof.Disclosure(), "bindings", bindings)...), nil
}
