package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/freeze"
	"github.com/ark-forge/proveit/verify/submission"
)

// compiled is a schema of ours, ready to validate.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	b, ok := schemaOf(name)
	if !ok {
		t.Fatalf("no schema %s", name)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// bySchema is what a schema says of a document.
func bySchema(t *testing.T, s *jsonschema.Schema, b []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// reader is the Go validator of a format. It gives what it refuses a document for: the text of what it wanted, or a reason code.
type reader func(b []byte) []string

func syntax(err error) []string {
	if err == nil {
		return nil
	}
	var s *canon.SyntaxError
	if errors.As(err, &s) {
		return []string{s.Want}
	}
	return []string{err.Error()}
}

// held are the formats whose schema is held equal to its Go validator: a small valid document, the validator, and the rules that a
// schema cannot say, each with its reason.
var held = map[string]struct {
	document string
	read     reader
	beyond   map[string]string
}{
	"season": {
		document: `{"format":"proveit.season/v1","season":1,"opens_at":"2026-09-21T00:00:00Z","closes_at":"2026-10-19T22:00:00.25Z","tracks":[{"id":"conformite","bareme":"freeze/b.json","text":"freeze/b.md","key":"freeze/k.json"},{"id":"generique","bareme":"g","text":"g","key":"g"}],"freeze":"freeze/freeze.json","manifest":"corpus/manifest.json","enrolments":"enrolments.json"}`,
		read:     func(b []byte) []string { _, err := season.ParseSeason("season.json", b); return syntax(err) },
		beyond:   map[string]string{"each track once": compares, "at most 128 bytes without slashes or control characters": bytesNotPoints},
	},
	"enrolments": {
		document: `{"format":"proveit.enrolments/v1","participants":[{"id":"agent-07","name":"L’agent","did":"did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH","table":"community","stack":""},{"id":"agent-08","name":"x","did":"did:web:agents.example%3A8443:a:b%20c","table":"reference","stack":"y"}]}`,
		read:     func(b []byte) []string { _, err := season.ParseEnrolments("enrolments.json", b); return syntax(err) },
		beyond: map[string]string{"each id once": compares, "each DID once": compares, "at most 128 bytes without slashes or control characters": bytesNotPoints,
			"z and the base58btc form of ED 01 and a 32-byte Ed25519 key": base58Number},
	},
	"manifest": {
		document: `{"format":"proveit.manifest/v1","base_url":"https://corpus.example","resources":[{"resource":"/a","url":"https://corpus.example/a","method":"GET","payload":{},"file":"a.json","sha256":"` + hex64 + `","request_hash":"` + hex64 + `","response_hash":"` + hex64 + `"}],"system":[{"resource":"/_systeme/403","file":"3","response_hash":"` + hex64 + `"},{"resource":"/_systeme/503","file":"5","response_hash":"` + hex64 + `"},{"resource":"/_systeme/400","file":"0","response_hash":"` + hex64 + `"}],"collections":[{"prefix":"/c/","method":"GET","payload":null,"absent_body":{"existe":false}}]}`,
		read:     func(b []byte) []string { _, err := manifest.Parse("manifest.json", b); return syntax(err) },
	},
	"bareme": {
		document: `{"format":"proveit.bareme/v1","version":"conformite-bareme-v3","verdicts":["conforme","non_conforme"],"published_distribution":{"conforme":1},"fields":{"/a/":["/x","/y/<n>/z"]},"graph":[{"start":"/a/{e}","own":true},{"from":"/a/{e}","pointer":"/l/<n>","to":"{value}","entries":"/entrees","match":{"/e":"{e}","/actif":true}},{"start":"/m/1","entries":"","match_any":{"in":"/a/*","each":"","equal":{"/nom":"/nom"}}}],"tasks":[{"task_id":"conf-01","statement":"?","subject":{"e":"E1"},"min_assertions":2,"max_assertions":4}]}`,
		read:     readScale,
		beyond:   map[string]string{"each task once": compares, "from the minimum": compares, "at most 128 bytes without slashes or control characters": bytesNotPoints, "at most 1024": bytesNotPoints},
	},
	"key": {
		document: `{"format":"proveit.key/v1","season":1,"track":"conformite","tasks":[{"task_id":"conf-01","verdict":"conforme","family":"P2","control":false,"facts":[{"id":"f1","forms":[[{"resource":"/a/1","field":"/x","value":null}]]}]},{"task_id":"conf-02","verdict":"v","family":null,"control":true,"facts":[{"id":"f1","forms":[[{"resource":"/a/1","field":"/x/0","value":"y"}]]}]}]}`,
		read:     func(b []byte) []string { _, err := season.ParseKey("key.json", b, 1, "conformite"); return syntax(err) },
		beyond: map[string]string{"each task once": compares, "each fact of a task once": compares, "season 1": "the number is that of season.json", `track "conformite"`: "the track is that of season.json",
			"at most 128 bytes without slashes or control characters": bytesNotPoints},
	},
	"freeze": {
		document: `{"format":"proveit.freeze/v1","freezes":[{"proof_id":"prf_20260901_000000_0000aa","status":"superseded","reason":"replaced","request":{"h":"x"},"disclosures":` + pairs + `,"bindings":[{"pointer":"/h","file":"freeze/superseded/b.json"}]},{"proof_id":"prf_20260901_000000_0000ab","status":"current","request":{},"disclosures":` + pairs + `,"bindings":[{"pointer":"","salt":"` + hex64 + `","file":"k"}]}]}`,
		read:     func(b []byte) []string { _, err := freeze.Parse("freeze.json", b); return syntax(err) },
		beyond:   map[string]string{"a proof for each freeze": compares},
	},
	"submission": {
		document: `{"season":1,"track":"conformite","task_id":"conf-01","agent_did":"did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH","verdict":"conforme","assertions":[{"id":"a1","claim":{"resource":"/a/1?x=y","field":"/x/0","value":"y"},"proof_ids":["prf_20260901_000000_0000aa"]}],"disclosures":{"prf_20260901_000000_0000aa":` + pairs + `},"narrative":""}`,
		read: func(b []byte) []string {
			_, refusals := submission.Parse("s.json", b, submission.Rules{})
			var out []string
			for _, r := range refusals {
				out = append(out, string(r.Reason))
			}
			return out
		},
		beyond: map[string]string{"assertion_id_repeated": compares, "triple_repeated": compares, "disclosure_missing": compares, "disclosure_not_cited": compares, "did_malformed": base58Number},
	},
}

const (
	hex64 = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
	pairs = `{"request_hash":{"nonce":"` + hex64 + `","value":"` + hex64 + `"},"response_hash":{"nonce":"` + hex64 + `","value":"` + hex64 + `"}}`

	compares       = "compares members of the document with each other"
	bytesNotPoints = "counts bytes of UTF-8, where a schema counts code points"
	base58Number   = "is about the number that the base58 digits make"
)

// readScale reads a scale as that of the track of its version.
func readScale(b []byte) []string {
	track := "conformite"
	if bytes.Contains(b, []byte(`"generique-bareme-v1"`)) {
		track = "generique"
	}
	_, err := season.ParseScale("bareme.json", b, track)
	return syntax(err)
}

// beyondSchema reports whether every refusal of a change is by a rule that a schema cannot say.
func beyondSchema(what string, refusals []string, beyond map[string]string) bool {
	for _, r := range refusals {
		known := false
		for rule, why := range beyond {
			switch {
			case !strings.HasPrefix(r, rule):
			case why == bytesNotPoints:
				known = known || strings.Contains(what, "é")
			case why == base58Number:
				known = known || strings.Contains(what, "did:key:z6Mk1") || strings.Contains(what, "did:key:z6Mkz")
			default:
				known = true
			}
		}
		// JSON Schema holds 1.0 for an integer (2020-12 §6.1.1); ours are written without a fraction.
		whole := strings.HasSuffix(what, " = 1.0") && (strings.HasPrefix(r, "an integer of at least") || r == "member_type")
		if !known && !whole {
			return false
		}
	}
	return true
}

// A document with one thing changed is accepted or refused by the schema as by the Go validator.
func TestSchemasAgreeWithValidators(t *testing.T) {
	for name, h := range held {
		t.Run(name, func(t *testing.T) {
			s := compiled(t, name)
			if refused := h.read([]byte(h.document)); refused != nil {
				t.Fatalf("the document itself is refused: %v", refused)
			}
			if err := bySchema(t, s, []byte(h.document)); err != nil {
				t.Fatalf("the schema refuses the document itself: %v", err)
			}
			both := 0
			for what, b := range changes(t, h.document) {
				refused, err := h.read(b), bySchema(t, s, b)
				switch {
				case refused != nil && err != nil:
					both++
				case refused == nil && err != nil:
					t.Errorf("%s: the schema alone refuses it: %v", what, err)
				case refused != nil && !beyondSchema(what, refused, h.beyond):
					t.Errorf("%s: the validator alone refuses it: wants %q", what, refused)
				}
			}
			if both < 100 {
				t.Errorf("%d changes were refused by both, want at least 100", both)
			}
		})
	}
}

// replacements stand in for every value of a document, one at a time.
var replacements = []string{"null", "true", "false", "0", "-1", "1", "1.0", "1.5", "2", "100000", "9223372036854775807", "9223372036854775808", `""`, `"x"`, `"/"`, `"/x"`, `"//x"`, `"/x#y"`, `"/x/<n>"`, `"/x~"`,
	`"/x~1y~0"`, `"x/y"`, `"."`, `".."`, `"x/../y"`, `"./x"`, `"x//y"`, `"x/"`, `"a\\b"`, `"a\u0001"`, `"a\u0085"`, `"a\u007f"`, `"{"`, `"{x}"`, `"{x/y}"`, `"a}"`, `"value"`, `"P5"`, `"P6"`, `"current"`, `"superseded"`,
	`"reference"`, `"conformite"`, `"generique"`, `"conforme"`, `"2026-09-21T00:00:00Z"`, `"2026-09-21T00:00:00.500Z"`, `"2026-09-21T00:00:00.5Z"`, `"2026-09-21T00:00:00+00:00"`, `"2026-02-30T00:00:00Z"`, `"2026-09-21T24:00:00Z"`,
	`"2026-09-21T00:00:60Z"`, `"2026-09-21 00:00:00Z"`, `"2024-02-29T00:00:00Z"`, `"did:key:z6Mk"`, `"did:key:z6Mk` + strings.Repeat("1", 44) + `"`, `"did:key:z6Mk` + strings.Repeat("z", 44) + `"`, `"did:key:z6Mk` + strings.Repeat("0", 44) + `"`, `"did:web:example.org"`, `"did:web:EXAMPLE.org:x"`, `"did:web:1.2.3.4"`, `"did:web:a..b"`, `"did:web:a.example%3A0"`,
	`"did:web:a.example%3A65535"`, `"did:web:a.example%3A65536"`, `"did:web:a.example:.."`, `"did:web:a.example:%2e%2E"`, `"did:web:a.example:x%2Fy"`, `"did:web:a.example:"`, `"did:web:-a.example"`, `"did:example:1"`,
	`"prf_20260901_000000_0000aa"`, `"prf_20260901_000000_0000AA"`, `"prf_20260901_000000_0000aaa"`, `"` + hex64 + `"`, `"sha256:` + hex64 + `"`, `"` + strings.ToUpper(hex64) + `"`, `"` + strings.Repeat("a", 128) + `"`,
	`"` + strings.Repeat("a", 129) + `"`, `"` + strings.Repeat("é", 70) + `"`, `"` + strings.Repeat("a", 1025) + `"`, "[]", `["x"]`, `["x","x"]`, `["x/y"]`, "[null]", "{}", `{"x":"y"}`, `{"/x":"/y"}`, `{"/x":null}`, `{"/x/<n>":"/y"}`, `{"/x":1}`, "[[]]", "[{}]"}

// changes are all documents that differ from one by one thing: a value replaced, a member left out, added or renamed, an element left
// out or doubled.
func changes(t *testing.T, document string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	var whole any
	decoder := json.NewDecoder(strings.NewReader(document))
	decoder.UseNumber()
	if err := decoder.Decode(&whole); err != nil {
		t.Fatal(err)
	}
	note := func(what string) {
		b, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		out[what] = b
	}
	var walk func(at string, v any, set func(any))
	walk = func(at string, v any, set func(any)) {
		for _, r := range replacements {
			set(json.RawMessage(r))
			note(fmt.Sprintf("%s = %.60s", at, r))
		}
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				delete(v, name)
				set(v)
				note(at + " without " + name)
				v[strings.ToUpper(name)+"x"] = member
				note(at + " with another name for " + name)
				delete(v, strings.ToUpper(name)+"x")
				v[name] = member
				walk(at+"/"+name, member, func(n any) { v[name] = n })
				v[name] = member
			}
			v["inconnu"] = "x"
			set(v)
			note(at + " with an unknown member")
			delete(v, "inconnu")
		case []any:
			for i, e := range v {
				set(slices.Delete(slices.Clone(v), i, i+1))
				note(fmt.Sprintf("%s without element %d", at, i))
				set(append(slices.Clone(v), e))
				note(fmt.Sprintf("%s with element %d again", at, i))
				set(v)
				walk(fmt.Sprintf("%s/%d", at, i), e, func(n any) { v[i] = n })
				v[i] = e
			}
		}
		set(v)
	}
	walk("", whole, func(n any) { whole = n })
	return out
}

// Every schema compiles, says what it is, and names the format that it is for.
func TestSchemasAreWhole(t *testing.T) {
	if len(schemaNames()) < 12 {
		t.Fatalf("found %d schemas, want at least 12", len(schemaNames()))
	}
	for _, name := range schemaNames() {
		s := compiled(t, name)
		if s.Title == "" || s.Description == "" || s.ID != "" && !strings.HasPrefix(s.ID, "urn:proveit:schema:"+name) {
			t.Errorf("%s: title %q, description %q, id %q", name, s.Title, s.Description, s.ID)
		}
		b, _ := schemaOf(name)
		if !bytes.Contains(b, []byte(`"https://json-schema.org/draft/2020-12/schema"`)) {
			t.Errorf("%s is not of draft 2020-12", name)
		}
	}
}

func TestSchemaCommand(t *testing.T) {
	var out, errs bytes.Buffer
	code := Main(t.Context(), []string{"schema"}, Streams{Out: &out, Err: &errs})
	if want := strings.Join(schemaNames(), "\n") + "\n"; code != 0 || out.String() != want {
		t.Errorf("exit %d, %q, want 0 and the names", code, out.String())
	}
	for _, name := range schemaNames() {
		out.Reset()
		if code := Main(t.Context(), []string{"schema", name}, Streams{Out: &out, Err: &errs}); code != 0 || !json.Valid(out.Bytes()) {
			t.Errorf("schema %s: exit %d", name, code)
		}
	}
	out.Reset()
	if code := Main(t.Context(), []string{"schema", "saison"}, Streams{Out: &out, Err: &errs}); code != verify.Unusable.ExitCode() || out.Len() > 0 || !strings.Contains(errs.String(), "saison") {
		t.Errorf("an unknown name: exit %d, %q, %q", code, out.String(), errs.String())
	}
}
