package manifest

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
)

// memory is a folder given as texts; the text locked cannot be read.
type memory map[string]string

const locked = "\x00 this file cannot be read"

var errLocked = errors.New("locked")

func (m memory) Has(name string) bool { _, ok := m[name]; return ok }
func (m memory) Read(name string) ([]byte, error) {
	switch text, ok := m[name]; {
	case !ok:
		return nil, fs.ErrNotExist
	case text == locked:
		return nil, errLocked
	default:
		return []byte(text), nil
	}
}

// The hashes below were computed with python3: hashlib.sha256 over json.dumps(v, sort_keys=True, separators=(",", ":")), the page's
// digest over its bytes.
const (
	pageText     = "{\"nom\": \"\u00c9tude\", \"radiee\": false, \"liens\": [\"a\", null]}\n"
	pageSHA      = "290d0353bb235b01e59ceeeb284c703de02538505edb495d0684f731717fbf74"
	pageResponse = "11007a6fc3e4d7210c298755a543224ded6b143e8745f84cdd7b1dd1f0d0e4dd"
	pageRequest  = "a7e0893067c750e40856a0bb0db90d43f5a713fa87faaa9a1e5517ac326bbb9e"
	postRequest  = "9595c4a9fe82115effa5899ce100a806d870e71924afb34105c22947ef335c33"
	goneRequest  = "36a0d8aa582d66d60426ff146f699ff93c1627d11b68c55907528c3c3da9b7e5"
	goneResponse = "6449208b517279ea96f7b6267b4700f69806e8999f1874650d4802440a581551"
	hash403      = "3a5553401f1ab3b1d729922e2928ce00e4a1b021ecea0fb37923c6e6d590fcf5"
	hash503      = "c77c28bb93aff75a933075afea5412a028e169b08af39c08d9d40a10b97ca755"
	hash400      = "7460bc42506db236720006a0e6a97ec34bdf6c432fb7f69263de37f2b26dd497"
)

const good = `{"format":"proveit.manifest/v1","base_url":"https://corpus.example","resources":[
{"resource":"/entites/ENT-1","url":"https://corpus.example/entites/ENT-1","method":"GET","payload":{},"file":"entites/ENT-1.json",
"sha256":"` + pageSHA + `","request_hash":"` + pageRequest + `","response_hash":"` + pageResponse + `"},
{"resource":"/catalogues/%C3%A9clairage/1","url":"https://corpus.example/catalogues/%C3%A9clairage/1","method":"POST",
"payload":{"tri":null,"seuil":1e-05,"catégorie":"éclairage","page":1,"remise":0.0},"file":"post.json",
"sha256":"` + pageSHA + `","request_hash":"` + postRequest + `","response_hash":"` + pageResponse + `"}],
"system":[{"resource":"/_systeme/403","file":"s/403.json","response_hash":"` + hash403 + `"},
{"resource":"/_systeme/503","file":"s/503.json","response_hash":"` + hash503 + `"},
{"resource":"/_systeme/400","file":"s/400.json","response_hash":"` + hash400 + `"}],
"collections":[{"prefix":"/entites/","method":"GET","payload":{},"absent_body":{"existe":false,"ressource":"{resource}",
"message":"Fiche {resource} : {resource} inconnue","{resource}":null,"liste":["{resource}",true]}},
{"prefix":"/entites/anciennes/","method":"GET","payload":{},"absent_body":{"ancienne":true}}]}`

func goodFiles() memory {
	return memory{"corpus/manifest.json": good, "corpus/entites/ENT-1.json": pageText, "corpus/post.json": pageText,
		"corpus/s/403.json": `{"erreur":"403"}`, "corpus/s/503.json": `{"erreur":"503"}`, "corpus/s/400.json": `{"erreur":"400"}`}
}

func loadGood(t *testing.T, files memory) *Corpus {
	t.Helper()
	c, err := Load(files, "corpus/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestHashesAgreeWithPython(t *testing.T) {
	c := loadGood(t, goodFiles())
	if bad := slices.Concat(c.Missing(), c.Differences(), c.Problems()); len(bad) != 0 {
		t.Errorf("%v", bad)
	}
	for _, w := range []struct{ resource, request, response string }{
		{"/entites/ENT-1", pageRequest, pageResponse},
		{"/catalogues/%C3%A9clairage/1", postRequest, pageResponse},
		{"/entites/ENT-404", goneRequest, goneResponse},
	} {
		request, ok := c.Request(w.resource)
		response, served := c.Response(w.resource)
		if !ok || !served || request.String() != w.request || response.String() != w.response {
			t.Errorf("%s: %s %s", w.resource, request, response)
		}
		if page, ok := c.Page(w.resource); !ok || page.Request != request || page.Response != response {
			t.Errorf("%s: the page says %s %s", w.resource, page.Request, page.Response)
		}
	}
	for code, text := range map[string]string{"403": hash403, "503": hash503, "400": hash400} {
		d, _ := canon.ParseHex(text)
		if name, ok := c.System(d); !ok || name != "/_systeme/"+code {
			t.Errorf("%s: %q", code, name)
		}
	}
}

func TestWhatIsServed(t *testing.T) {
	c := loadGood(t, goodFiles())
	for resource, want := range map[string]string{
		"/entites/ENT-1":               "listed",
		"/entites/ENT-2":               "/entites/",
		"/entites/ENT-1?x=y":           "/entites/",
		"/entites/ENT-1/":              "/entites/",
		"/entites/anciennes/ENT-1":     "/entites/anciennes/",
		"/entites/anciennes/":          "/entites/", // nothing follows the longer prefix
		"/entites/":                    "nothing",
		"/entites":                     "nothing",
		"/Entites/ENT-1":               "nothing",
		"/catalogues/éclairage/1":      "nothing",
		"/catalogues/%c3%a9clairage/1": "nothing",
		"/_systeme/403":                "nothing",
		"":                             "nothing",
		"/entites/" + strings.Repeat("x", MaxResource): "nothing",
	} {
		got := "nothing"
		page, ok := c.Page(resource)
		if ok && page.Absent {
			got = page.Collection
		} else if ok {
			got = "listed"
		}
		_, request := c.Request(resource)
		_, response := c.Response(resource)
		_, body := c.Body(resource)
		if got != want || request != ok || response != ok || body != ok {
			t.Errorf("%s: %s, want %s", resource, got, want)
		}
	}
}

// codes lists problems as "code place".
func codes(problems []Problem) string {
	var out []string
	for _, p := range problems {
		out = append(out, string(p.Code)+" "+p.File+"#"+p.Pointer)
	}
	return strings.Join(out, "; ")
}

func TestExamMissingAndDifferingPages(t *testing.T) {
	const m = "corpus/manifest.json"
	for _, c := range []struct {
		name, file, text            string
		missing, differing, problem string
	}{
		{"page gone", "corpus/entites/ENT-1.json", "", "page_missing " + m + "#/resources/0/file", "", ""},
		{"system body gone", "corpus/s/503.json", "", "page_missing " + m + "#/system/1/file", "", ""},
		{"white space", "corpus/post.json", pageText + " ", "", "page_differs corpus/post.json#", ""},
		{"value", "corpus/post.json", strings.Replace(pageText, "false", "true", 1), "", "page_differs corpus/post.json#; response_hash_differs " + m + "#/resources/1/response_hash", ""},
		{"not JSON", "corpus/post.json", "{", "", "page_differs corpus/post.json#", "page_not_json corpus/post.json#"},
		{"system body", "corpus/s/400.json", `{"erreur":"401"}`, "", "response_hash_differs " + m + "#/system/2/response_hash", ""},
		{"system body not JSON", "corpus/s/400.json", `<html>`, "", "page_not_json corpus/s/400.json#", ""},
		{"system body in white space", "corpus/s/400.json", ` {"erreur": "400"} `, "", "", ""},
		{"system bodies alike", "corpus/s/400.json", `{"erreur":"403"}`, "", "response_hash_differs " + m + "#/system/2/response_hash", "response_hash_repeated " + m + "#/system/2"},
		{"page like a system body", "corpus/post.json", `{"erreur":"503"}`, "", "page_differs corpus/post.json#; response_hash_differs " + m + "#/resources/1/response_hash", "response_hash_repeated corpus/post.json#"},
		{"stored request hash", m, strings.Replace(good, postRequest, pageRequest, 1), "", "request_hash_differs " + m + "#/resources/1/request_hash", ""},
		{"stored response hash", m, strings.Replace(good, pageResponse, pageSHA, 1), "", "response_hash_differs " + m + "#/resources/0/response_hash", ""},
		{"stored digest", m, strings.Replace(good, pageSHA, pageResponse, 1), "", "page_differs corpus/entites/ENT-1.json#", ""},
		{"method", m, strings.Replace(good, `"GET"`, `"get"`, 1), "", "request_hash_differs " + m + "#/resources/0/request_hash", ""},
		{"payload 1 is not 1.0", m, strings.Replace(good, `"page":1,`, `"page":1.0,`, 1), "", "request_hash_differs " + m + "#/resources/1/request_hash", ""},
	} {
		files := goodFiles()
		if files[c.file] = c.text; c.text == "" {
			delete(files, c.file)
		}
		corpus := loadGood(t, files)
		if got := codes(corpus.Missing()); got != c.missing {
			t.Errorf("%s: missing %q, want %q", c.name, got, c.missing)
		}
		if got := codes(corpus.Differences()); got != c.differing {
			t.Errorf("%s: differing %q, want %q", c.name, got, c.differing)
		}
		if got := codes(corpus.Problems()); got != c.problem {
			t.Errorf("%s: problems %q, want %q", c.name, got, c.problem)
		}
	}
}

func TestMissingPageIsNotServed(t *testing.T) {
	files := goodFiles()
	delete(files, "corpus/entites/ENT-1.json")
	c := loadGood(t, files)
	if _, ok := c.Response("/entites/ENT-1"); ok {
		t.Error("a listed page that is not there was given a response hash")
	}
	if page, ok := c.Page("/entites/ENT-1"); !ok || page.Absent || page.Body.Exists() {
		t.Errorf("%+v", page)
	}
	if _, ok := c.Request("/entites/ENT-1"); !ok {
		t.Error("its request is known all the same")
	}
}

func TestUnreadablePageIsAnError(t *testing.T) {
	files := goodFiles()
	files["corpus/post.json"] = locked
	if _, err := Load(files, "corpus/manifest.json"); err != errLocked {
		t.Errorf("%v", err)
	}
	if _, err := Load(files, "corpus/other.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// C17 of the cases: the six documents that the proxy replaces, and numbers, which §2.5 excludes.
func TestContractOnBodies(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "falsy_body", `[]`: "falsy_body", `""`: "falsy_body", `false`: "falsy_body", `null`: "falsy_body",
		`0`: "falsy_body number_in_page", `-0.0`: "falsy_body number_in_page", `0e9`: "falsy_body number_in_page", `1e-999`: "falsy_body number_in_page",
		`1`: "number_in_page", `NaN`: "number_in_page", `{"a":[{"b":2.5}]}`: "number_in_page", `{"a":"1"}`: "", `[{}]`: "", `"x"`: "", `true`: "", `[null]`: "",
	} {
		files := goodFiles()
		files["corpus/post.json"] = text
		c := loadGood(t, files)
		var got []string
		for _, p := range c.Problems() {
			got = append(got, string(p.Code))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %q", text, got, want)
		}
	}
}

func TestExamContract(t *testing.T) {
	ran, accepted := 0, 0
	const m = " corpus/manifest.json#"
	for _, c := range []struct{ name, old, new, want string }{
		{"url with a slash more", `.example/entites/ENT-1",`, `.example/entites/ENT-1/",`, "url_differs" + m + "/resources/0/url"},
		{"resource twice", `"resource":"/catalogues/%C3%A9clairage/1"`, `"resource":"/entites/ENT-1"`, "resource_repeated" + m + "/resources/1/resource"},
		{"two resources with one request", `"url":"https://corpus.example/catalogues/%C3%A9clairage/1","method":"POST",
"payload":{"tri":null,"seuil":1e-05,"catégorie":"éclairage","page":1,"remise":0.0}`, `"url":"https://corpus.example/entites/ENT-1","method":"GET","payload":{}`,
			"url_differs" + m + "/resources/1/url; request_hash_repeated" + m + "/resources/1"},
		{"resource without slash", `"resource":"/catalogues/%C3%A9clairage/1"`, `"resource":"catalogues"`, "url_differs" + m + "/resources/1/url; resource_form" + m + "/resources/1/resource"},
		{"resource with a fragment", `"resource":"/catalogues/%C3%A9clairage/1"`, `"resource":"/c#f"`, "url_differs" + m + "/resources/1/url; resource_form" + m + "/resources/1/resource"},
		{"prefix twice", `"prefix":"/entites/anciennes/"`, `"prefix":"/entites/"`, "prefix_repeated" + m + "/collections/1/prefix"},
		{"prefix with two slashes", `"prefix":"/entites/anciennes/"`, `"prefix":"//"`, "resource_form" + m + "/collections/1/prefix"},
		{"number in an absent body", `{"ancienne":true}`, `{"ancienne":{"n":[1]}}`, "number_in_page" + m + "/collections/1/absent_body/ancienne/n/0"},
		{"empty absent body", `{"ancienne":true}`, `{}`, "falsy_body" + m + "/collections/1/absent_body"},
		{"absent body like a system body", `{"ancienne":true}`, `{"erreur":"403"}`, "response_hash_repeated" + m + "/collections/1/absent_body"},
	} {
		files := goodFiles()
		files["corpus/manifest.json"] = strings.Replace(good, c.old, c.new, 1)
		got := codes(loadGood(t, files).Problems())
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if ran++; got == "" {
			accepted++
		}
	}
	t.Logf("exam of what is promised of a corpus: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
}

func TestExamManifest(t *testing.T) {
	ran, accepted := 0, 0
	for _, c := range []struct{ name, old, new, pointer string }{
		{"other format", `manifest/v1`, `manifest/v2`, "/format"},
		{"format of another file", `proveit.manifest/v1`, `proveit.season/v1`, "/format"},
		{"no base", `"base_url":"https://corpus.example",`, ``, ""},
		{"empty base", `"https://corpus.example",`, `"",`, "/base_url"},
		{"unknown member", `"base_url"`, `"served_at":"","base_url"`, "/served_at"},
		{"unknown member of a resource", `"method":"GET"`, `"method":"GET","ttl":"1"`, "/resources/0/ttl"},
		{"absolute path", `"entites/ENT-1.json"`, `"/etc/passwd"`, "/resources/0/file"},
		{"path with ..", `"entites/ENT-1.json"`, `"../secret.json"`, "/resources/0/file"},
		{"path with .. inside", `"entites/ENT-1.json"`, `"a/../../x"`, "/resources/0/file"},
		{"path with a backslash", `"entites/ENT-1.json"`, `"a\\b"`, "/resources/0/file"},
		{"path with NUL", `"entites/ENT-1.json"`, `"a\u0000b"`, "/resources/0/file"},
		{"path of a system body", `"s/403.json"`, `"./403.json"`, "/system/0/file"},
		{"hash in capitals", pageSHA, strings.ToUpper(pageSHA), "/resources/0/sha256"},
		{"hash with its algorithm", pageSHA, "sha256:" + pageSHA, "/resources/0/sha256"},
		{"short hash", pageRequest, pageRequest[1:], "/resources/0/request_hash"},
		{"hash null", `"` + pageResponse + `"`, `null`, "/resources/0/response_hash"},
		{"no payload", `"payload":{},"file"`, `"file"`, "/resources/0"},
		{"system body twice", `"/_systeme/503"`, `"/_systeme/403"`, "/system/1"},
		{"another system body", `"/_systeme/503"`, `"/_systeme/500"`, "/system/1"},
		{"two system bodies", `{"resource":"/_systeme/503","file":"s/503.json","response_hash":"` + hash503 + `"},`, ``, "/system"},
		{"placeholder too often", `{"ancienne":true}`, `["` + strings.Repeat("{resource}", 1001) + `"]`, "/collections/1/absent_body"},
		{"resources as an object", `"resources":[`, `"resources":{"a":[`, ""},
		{"resource as a string", `"resources":[`, `"resources":["/x",`, "/resources/0"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		_, err := Parse("f.json", []byte(text))
		syntax, ok := err.(*canon.SyntaxError)
		if text == good || !ok || syntax.Pointer != c.pointer || syntax.File != "f.json" || syntax.Found == "" {
			t.Errorf("%s: %v, want a fault at %q", c.name, err, c.pointer)
		}
		if ran++; err == nil {
			accepted++
		}
	}
	t.Logf("exam of a manifest: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
}

func TestSeasonsCorpora(t *testing.T) {
	for _, name := range []string{"closed-season", "open-season"} {
		b, err := bundle.Open("../../shared/seasons/"+name+".zip", bundle.Limits{})
		if err != nil {
			t.Skip("no ../shared/seasons beside the repository")
		}
		defer b.Close()
		c, err := Load(b, "corpus/manifest.json")
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Differences())+len(c.Missing())+len(c.Problems()) != 0 || len(c.Resources()) < 100 {
			t.Errorf("%s: %d pages, %v %v %v", name, len(c.Resources()), c.Differences(), c.Missing(), c.Problems())
		}
		if got := c.Files(); !slices.Equal(got, slices.DeleteFunc(slices.Clone(b.Under("corpus/")), func(s string) bool { return s == "corpus/manifest.json" })) {
			t.Errorf("%s: %d files named", name, len(got))
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(good), "/entites/x")
	f.Add([]byte(`{"format":"proveit.manifest/v1","base_url":"b","resources":[],"system":[],"collections":[]}`), "/")
	f.Fuzz(func(t *testing.T, b []byte, resource string) {
		files := goodFiles()
		files["corpus/manifest.json"] = string(b)
		c, err := Load(files, "corpus/manifest.json")
		if err != nil {
			if s, ok := err.(*canon.SyntaxError); !ok || s.File == "" {
				t.Errorf("%T %v", err, err)
			}
			return
		}
		page, ok := c.Page(resource)
		request, asked := c.Request(resource)
		if asked != ok || request != page.Request {
			t.Errorf("%q: two answers", resource)
		}
		if built, err := Build(files, c.Manifest, "corpus"); err == nil {
			if _, err := Parse("built", built); err != nil {
				t.Errorf("built: %v", err)
			}
		}
	})
}
