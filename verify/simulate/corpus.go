package simulate

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// Hosts of the rehearsal. None of them exists.
const (
	corpusHost = "corpus.repetition.example"
	baseURL    = "https://" + corpusHost
	logName    = "journal.repetition.example"
	seasonURL  = "https://proveit.repetition.example"
)

// claim is something that a resource really says, at a pointer that the scale admits.
type claim struct {
	resource, field string
	value           any
	own             bool // the resource concerns the subject of the task alone
}

// key tells claims apart.
func (c claim) key() string { return c.resource + "\x00" + c.field }

// page is one frozen resource.
type page struct {
	resource string
	body     mint.Object
	method   string
	payload  mint.Object
	style    int // how the file is laid out: indented, compact, escaped
}

// leaf is one scalar of a page.
type leaf struct {
	pointer string
	value   any
}

// collection is a family of resources and what it answers for a reference that does not exist.
type collection struct {
	prefix string
	absent func(resource string) mint.Object
	fields []string // admissible pointers, <n> standing for an index
}

// corpus is the frozen world: pages by resource, collections, and the three system bodies.
type corpus struct {
	pages       map[string]*page
	collections []collection
	system      []page
}

func newCorpus() *corpus {
	c := &corpus{pages: map[string]*page{}}
	for _, s := range []struct{ code, text string }{
		{"403", "Accès refusé : le corpus se consulte par le relais de la saison, jamais directement."},
		{"503", "Corpus momentanément indisponible. Réessayez plus tard."},
		{"400", "Requête que le frontal ne comprend pas : forme de l’adresse ou en-tête inattendu."},
	} {
		c.system = append(c.system, page{resource: "/_systeme/" + s.code, body: mint.Obj("erreur", s.code, "message", s.text)})
	}
	return c
}

// add freezes a page that is served to GET with an empty payload.
func (c *corpus) add(resource string, body mint.Object) {
	c.pages[resource] = &page{resource: resource, body: body, method: "GET", payload: mint.Object{}, style: len(c.pages) % 4}
}

// resources are the names of the pages, sorted.
func (c *corpus) resources() []string {
	names := make([]string, 0, len(c.pages))
	for r := range c.pages {
		names = append(names, r)
	}
	sort.Strings(names)
	return names
}

// collectionOf is the collection with the longest prefix of the resource; its zero value where there is none.
func (c *corpus) collectionOf(resource string) collection {
	var best collection
	for _, k := range c.collections {
		if strings.HasPrefix(resource, k.prefix) && len(resource) > len(k.prefix) && len(k.prefix) > len(best.prefix) {
			best = k
		}
	}
	return best
}

// at is the page of a resource, or the body that its collection serves for an absent reference.
func (c *corpus) at(resource string) (*page, error) {
	if p, ok := c.pages[resource]; ok {
		return p, nil
	}
	k := c.collectionOf(resource)
	if k.absent == nil {
		return nil, fmt.Errorf("resource %s is in no collection", resource)
	}
	return &page{resource: resource, body: k.absent(resource), method: "GET", payload: mint.Object{}}, nil
}

// claim is what the corpus says at a pointer of a resource.
func (c *corpus) claim(resource, pointer string, own bool) (claim, error) {
	p, err := c.at(resource)
	if err != nil {
		return claim{}, err
	}
	for _, l := range leaves(p.body, "") {
		if l.pointer == pointer {
			return claim{resource, pointer, l.value, own}, nil
		}
	}
	return claim{}, fmt.Errorf("resource %s has nothing at %s", resource, pointer)
}

// admissible are the claims of a resource at the pointers that its collection admits, in document order.
func (c *corpus) admissible(resource string, own bool) ([]claim, error) {
	p, err := c.at(resource)
	if err != nil {
		return nil, err
	}
	var out []claim
	for _, l := range leaves(p.body, "") {
		for _, pattern := range c.collectionOf(resource).fields {
			if matches(pattern, l.pointer) {
				out = append(out, claim{resource, l.pointer, l.value, own})
			}
		}
	}
	return out, nil
}

// leaves are the scalars of a document in document order.
func leaves(v any, pointer string) []leaf {
	switch x := v.(type) {
	case mint.Object:
		var out []leaf
		for _, m := range x {
			out = append(out, leaves(m.Value, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(m.Name))...)
		}
		return out
	case []any:
		var out []leaf
		for i, e := range x {
			out = append(out, leaves(e, pointer+"/"+strconv.Itoa(i))...)
		}
		return out
	}
	return []leaf{{pointer, v}}
}

// matches compares a pointer with a pattern, segment by segment; <n> stands for an index.
func matches(pattern, pointer string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(pointer, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] == "<n>" {
			if _, err := strconv.Atoi(got[i]); err == nil {
				continue
			}
		}
		if want[i] != got[i] {
			return false
		}
	}
	return true
}

// bytes are the frozen bytes of the page's file.
func (p *page) bytes() []byte {
	switch p.style {
	case 1:
		return mint.Compact(p.body)
	case 2: // escaped, as a writer limited to ASCII leaves it
		return escaped(mint.Indented(p.body))
	}
	return mint.Indented(p.body)
}

// escaped writes what is beyond ASCII as \u escapes in capitals, which changes the bytes and not the value.
func escaped(b []byte) []byte {
	var out strings.Builder
	for _, r := range string(b) {
		if r < 0x80 {
			out.WriteRune(r)
			continue
		}
		fmt.Fprintf(&out, `\u%04X`, r) // the pools hold nothing beyond the first plane
	}
	return []byte(out.String())
}

// responseHash is the hash of the page's value.
func (p *page) responseHash() (canon.Digest, error) { return hashOf(p.body) }

// requestHash is the hash of the request that a participant makes for the page.
func (p *page) requestHash() (canon.Digest, error) {
	return hashOf(request(baseURL+p.resource, p.method, p.payload))
}

// request is the request data of a call, as the proxy hashes it.
func request(target, method string, payload any) mint.Object {
	return mint.Obj("target", target, "method", method, "payload", payload, "amount", mint.Literal("0.0"), "currency", "eur")
}

// hashOf is the hash of a document's canonical form.
func hashOf(doc any) (canon.Digest, error) {
	v, err := canon.Parse(mint.AppendCompact(nil, doc))
	if err != nil {
		return canon.Digest{}, err
	}
	return canon.Hash(v), nil
}
