package manifest

import (
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// checkContract looks for what §2.5 excludes. Pages that are not there are not looked at.
func (c *Corpus) checkContract() {
	requests := map[canon.Digest]string{}
	for i, p := range c.pages {
		if c.byResource[p.Resource] != i {
			c.fault(ResourceRepeated, c.Manifest.File, p.Pointer+"/resource", p.Resource+" again", "each resource once")
			continue
		}
		if p.URL != c.Manifest.BaseURL+p.Resource {
			c.fault(URLDiffers, c.Manifest.File, p.Pointer+"/url", p.URL, c.Manifest.BaseURL+p.Resource)
		}
		c.checkForm(p.Resource, p.Pointer+"/resource")
		if other, ok := requests[p.Request]; ok {
			c.fault(RequestHashRepeated, c.Manifest.File, p.Pointer, p.Resource+" is asked for by the request of "+other, "one request for each resource")
		}
		requests[p.Request] = p.Resource
		if p.Body.Exists() {
			c.checkBody(p.Body, c.name(p.File), "")
		}
	}
	prefixes := map[string]bool{}
	for _, col := range c.Manifest.Collections {
		if prefixes[col.Prefix] {
			c.fault(PrefixRepeated, c.Manifest.File, col.Pointer+"/prefix", col.Prefix+" again", "each prefix once")
		}
		prefixes[col.Prefix] = true
		c.checkForm(col.Prefix, col.Pointer+"/prefix")
		c.checkBody(col.AbsentBody, c.Manifest.File, col.Pointer+"/absent_body")
	}
}

func (c *Corpus) checkForm(resource, pointer string) {
	if !strings.HasPrefix(resource, "/") || strings.HasPrefix(resource, "//") || strings.Contains(resource, "#") {
		c.fault(ResourceForm, c.Manifest.File, pointer, short(resource), "one / at the start and no fragment")
	}
}

// checkBody looks at one page, or at an absent body inside the manifest, at pointer.
func (c *Corpus) checkBody(body canon.Value, file, pointer string) {
	if falsy(body) {
		c.fault(FalsyBody, file, pointer, body.Raw(), "a body that Python holds for true: the proxy replaces any other")
	}
	if n := firstNumber(body); n.Exists() {
		c.fault(NumberInPage, file, n.Pointer(), n.Raw(), "strings, booleans and null only")
	}
	if other, ok := c.system[canon.Hash(body)]; ok {
		c.fault(ResponseHashRepeated, file, pointer, "the body of "+other, "another body")
	}
}

// falsy is Python's bool(v) being false.
func falsy(v canon.Value) bool {
	switch v.Kind() {
	case canon.Null:
		return true
	case canon.Bool:
		b, _ := v.Bool()
		return !b
	case canon.String, canon.Array, canon.Object:
		s, isText := v.Text()
		return isText && s == "" || !isText && v.Len() == 0
	case canon.Int, canon.Float:
		n, err := strconv.ParseFloat(v.Number(), 64)
		return err == nil && n == 0
	}
	return false
}

// firstNumber is the first number in document order, or Missing.
func firstNumber(v canon.Value) canon.Value {
	switch v.Kind() {
	case canon.Int, canon.Float:
		return v
	case canon.Array:
		for _, e := range v.Elements() {
			if n := firstNumber(e); n.Exists() {
				return n
			}
		}
	case canon.Object:
		for _, e := range v.Members() {
			if n := firstNumber(e); n.Exists() {
				return n
			}
		}
	}
	return canon.Value{}
}
