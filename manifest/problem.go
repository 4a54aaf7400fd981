package manifest

import "fmt"

// Code is a stable snake_case code that says what is wrong with a corpus or a season.
type Code string

// Problem is one thing that is wrong, with its place.
type Problem struct {
	Code    Code
	File    string
	Pointer string // RFC 6901 pointer inside File; may be empty
	Found   string
	Wanted  string
}

// What Load finds in a corpus.
const (
	PageMissing          Code = "page_missing"           // the file of a listed page or system body is not there
	PageDiffers          Code = "page_differs"           // the bytes of a page have another SHA-256 than stored
	RequestHashDiffers   Code = "request_hash_differs"   // the stored request hash is not that of the request
	ResponseHashDiffers  Code = "response_hash_differs"  // the stored response hash is not that of the parsed bytes
	PageNotJSON          Code = "page_not_json"          // a page or system body is not JSON
	NumberInPage         Code = "number_in_page"         // a page or absent body holds a number
	FalsyBody            Code = "falsy_body"             // a page or absent body that Python holds for false: {} [] "" 0 false null
	URLDiffers           Code = "url_differs"            // url is not base_url + resource
	ResourceForm         Code = "resource_form"          // a resource or prefix that does not begin with one "/", or has a fragment
	ResourceRepeated     Code = "resource_repeated"      // a resource is listed twice; the first counts
	RequestHashRepeated  Code = "request_hash_repeated"  // two resources are asked for by the same request
	PrefixRepeated       Code = "prefix_repeated"        // two collections have one prefix; the first counts
	ResponseHashRepeated Code = "response_hash_repeated" // a page or absent body hashes like a system body, or two system bodies alike
)

// String is one line: code, place, found, wanted.
func (p Problem) String() string {
	at := p.File
	if p.Pointer != "" {
		at += "#" + p.Pointer
	}
	return fmt.Sprintf("%s: %s: found %s, want %s", at, p.Code, p.Found, p.Wanted)
}
