package cli

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The rules that keep the packages apart, held over the sources of the whole repository. A package that is not there yet breaks no rule;
// a package that the map does not know does.

const (
	repoRoot   = "../../.."
	modulePath = "github.com/ark-forge/proveit"
)

// packageMap says which packages of ours each package may import.
var packageMap = map[string][]string{
	"canon":           {},
	"canon/nearest":   {},
	"manifest/bundle": {},
	"manifest":        {"canon", "manifest/bundle"},
	"manifest/season": {"canon", "manifest", "manifest/bundle"},

	"verify":                 {"canon"},
	"verify/merkle":          {"canon", "verify"},
	"verify/tsa":             {"canon", "verify", "verify/merkle"},
	"verify/rekor":           {"canon", "verify", "verify/merkle"},
	"verify/trust":           {"canon", "verify", "verify/tsa", "verify/rekor"},
	"verify/proof":           {"canon", "verify", "verify/merkle", "verify/tsa", "verify/rekor", "verify/trust"},
	"verify/freeze":          {"canon", "manifest/bundle", "manifest/season", "verify", "verify/proof"},
	"verify/submission":      {"canon", "canon/nearest", "manifest/season", "verify", "verify/proof"},
	"verify/score":           {"canon", "manifest", "manifest/season", "verify", "verify/submission", "verify/proof"},
	"verify/asa/exact":       {"canon"},
	"verify/asa/timenet":     {},
	"verify/asa/finding":     {"canon", "verify", "verify/asa/exact"},
	"verify/asa/document":    {"canon", "verify/asa/exact", "verify/asa/finding"},
	"verify/asa/reference":   {},
	"verify/asa/form":        {"canon", "canon/nearest", "verify/asa/document", "verify/asa/exact", "verify/asa/finding", "verify/asa/reference"},
	"verify/asa/policy":      {"canon", "verify/asa/document", "verify/asa/exact", "verify/asa/finding", "verify/asa/form"},
	"verify/asa/settlement":  {"canon", "verify/asa/document", "verify/asa/reference", "verify/asa/exact", "verify/asa/finding"},
	"verify/asa/negotiation": {"canon", "verify/asa/document", "verify/asa/form", "verify/asa/exact", "verify/asa/finding"},
	"verify/asa/lifecycle":   {"canon", "verify/asa/document", "verify/asa/exact", "verify/asa/finding", "verify/asa/timenet"},
	"verify/asa/evaluators":  {"canon", "verify/asa/document", "verify/asa/policy", "verify/asa/exact", "verify/asa/finding", "verify/asa/settlement"},
	"verify/asa/lint":        {"canon", "verify/asa/document", "verify/asa/reference", "verify/asa/exact", "verify/asa/finding", "verify/asa/settlement"},
	"verify/asa/folder":      {"canon", "verify/asa/document", "verify/asa/exact", "verify/asa/finding", "verify/asa/form", "verify/asa/negotiation"},
	"verify/asa/signing":     {"canon", "verify/asa/document", "verify/asa/exact", "verify/asa/finding", "verify/asa/folder"},
	"verify/asa/binding":     {"canon", "verify/asa/document", "verify/asa/exact", "verify/asa/finding", "verify/asa/folder"},
	"verify/asa/followup":    {"canon", "verify/asa/document", "verify/asa/exact", "verify/asa/finding", "verify/asa/folder", "verify/asa/settlement"},
	"verify/asa/receipts":    {"canon", "verify/proof", "verify/asa/document", "verify/asa/exact", "verify/asa/finding"},
	"verify/asa/ledger":      {"canon", "verify/asa/document", "verify/asa/evaluators", "verify/asa/exact", "verify/asa/finding", "verify/asa/folder", "verify/asa/form", "verify/asa/settlement"},
	"verify/asa":             {"canon", "verify/asa/binding", "verify/asa/document", "verify/asa/evaluators", "verify/asa/exact", "verify/asa/finding", "verify/asa/folder", "verify/asa/followup", "verify/asa/form", "verify/asa/ledger", "verify/asa/lifecycle", "verify/asa/lint", "verify/asa/negotiation", "verify/asa/policy", "verify/asa/receipts", "verify/asa/reference", "verify/asa/settlement", "verify/asa/signing", "verify/proof"},
	"verify/asa/paper":       {"canon", "verify/asa/document", "verify/asa/reference", "verify/asa/exact", "verify/asa/finding", "verify/asa", "verify/asa/settlement", "verify/asa/lint"},
	"verify/report":          {"canon", "verify", "verify/score", "verify/asa", "verify/asa/finding"},
	"verify/replay":          {"*", "-verify/simulate", "-verify/simulate/mint"},
	"verify/conformance":     {"*", "-verify/simulate", "-verify/simulate/mint"},
	"verify/simulate/mint":   {"canon", "verify/merkle"},
	"verify/simulate":        {"canon", "manifest", "manifest/season", "verify", "verify/simulate/mint"},

	"cmd/internal/cli":   {"*"},
	"cmd/internal/bench": {"*"},
	"cmd/proveit":        {"cmd/internal/cli"},
}

// testImports are what a package's tests may import beyond the map, each with its reason.
var testImports = map[string]map[string]string{
	"manifest":        {"verify": "the tests look at the reason codes"},
	"manifest/season": {"verify": "the tests look at the reason codes"},

	"verify/tsa":         {"verify/simulate/mint": minted},
	"verify/rekor":       {"verify/simulate/mint": minted},
	"verify/trust":       {"verify/simulate/mint": minted},
	"verify/proof":       {"verify/simulate/mint": minted},
	"verify/freeze":      {"verify/simulate/mint": minted, "manifest": "the tests build a corpus"},
	"verify/submission":  {"verify/simulate/mint": minted},
	"verify/conformance": {"verify/simulate": minted, "verify/simulate/mint": minted},
	"verify/replay":      {"verify/simulate": minted, "verify/simulate/mint": minted},
}

const minted = "the tests break what the mint makes valid"

// moduleFence says which packages may import an outside module, and why. A module that is not here may not be imported at all.
var moduleFence = map[string]struct {
	code, tests []string
	why         string
}{
	"github.com/go-openapi/jsonpointer":                           {code: []string{"canon"}, why: "RFC 6901"},
	"github.com/transparency-dev/merkle":                          {code: []string{"verify/merkle"}, why: "RFC 6962 hashing and paths"},
	"github.com/transparency-dev/formats":                         {code: []string{"verify/rekor"}, tests: []string{"verify/simulate", "verify/simulate/mint"}, why: "checkpoints; a second opinion on minted ones"},
	"github.com/sigstore/rekor/pkg/generated/models":              {code: []string{"verify/rekor"}, why: "the shape of log entries"},
	"github.com/sigstore/rekor":                                   {tests: []string{"verify/rekor", "verify/simulate", "verify/simulate/mint"}, why: "its verifier as a second opinion"},
	"github.com/sigstore/sigstore/pkg/signature":                  {tests: []string{"verify/rekor"}, why: "the keys of that second opinion"},
	"github.com/digitorus/timestamp":                              {code: []string{"verify/tsa"}, tests: []string{"verify/simulate", "verify/simulate/mint"}, why: "RFC 3161; a second opinion on minted tokens"},
	"github.com/digitorus/pkcs7":                                  {code: []string{"verify/tsa"}, tests: []string{"verify/simulate", "verify/simulate/mint"}, why: "the CMS of a token"},
	"github.com/sigstore/timestamp-authority/v2/pkg/verification": {code: []string{"verify/tsa"}, tests: []string{"verify/simulate", "verify/simulate/mint"}, why: "RFC 3161 verification"},
	"github.com/spf13/cobra":                                      {code: []string{"cmd/internal/cli"}, why: "commands"},
	"github.com/spf13/pflag":                                      {code: []string{"cmd/internal/cli"}, why: "the flags of cobra's commands"},
	"golang.org/x/sys/unix":                                       {code: []string{"cmd/internal/cli"}, why: "renameat2 lets a new output folder and the old one change places at once"},
	"github.com/rogpeppe/go-internal/testscript":                  {tests: []string{"cmd/proveit", "cmd/internal/cli"}, why: "the scripts that pin the command line"},
	"github.com/santhosh-tekuri/jsonschema/v6":                    {tests: []string{"*"}, why: "JSON Schema in tests only: its start-up alone costs 12 ms"},
	"golang.org/x/mod":                                            {tests: []string{"*"}, why: "reading go.mod, and signed notes as a second opinion"},
}

// sourceFile is one parsed file of the repository.
type sourceFile struct {
	name   string // from the root, with slashes
	pkg    string // folder from the root
	test   bool
	syntax *ast.File
	fset   *token.FileSet
}

var parsed []sourceFile

// sources are all Go files of the repository.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	if parsed != nil {
		return parsed
	}
	err := filepath.WalkDir(repoRoot, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != repoRoot && (d.Name()[0] == '.' || slices.Contains([]string{"testdata", "bin", "dist", "node_modules"}, d.Name())) {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		rel, err := filepath.Rel(repoRoot, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		f := sourceFile{name: rel, pkg: path.Dir(rel), test: strings.HasSuffix(rel, "_test.go"), fset: token.NewFileSet()}
		f.syntax, err = parser.ParseFile(f.fset, name, nil, parser.ParseComments)
		parsed = append(parsed, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(parsed) < 20 {
		t.Fatalf("found %d Go files, want the whole repository", len(parsed))
	}
	return parsed
}

// imports are the import paths of a file.
func (f sourceFile) imports() (paths []string) {
	for _, spec := range f.syntax.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, p)
	}
	return paths
}

// allows reports whether a list of the package map lets a package in: by name, or by "*" where "-name" does not keep it out.
func allows(list []string, pkg string) bool {
	return slices.Contains(list, pkg) || slices.Contains(list, "*") && !slices.Contains(list, "-"+pkg)
}

func TestPackageMap(t *testing.T) {
	for _, f := range sources(t) {
		allowed, known := packageMap[f.pkg]
		if !known {
			t.Errorf("%s: package %s is not in the package map", f.name, f.pkg)
			continue
		}
		for _, p := range f.imports() {
			ours, ok := strings.CutPrefix(p, modulePath+"/")
			if !ok || ours == f.pkg || allows(allowed, ours) || f.test && testImports[f.pkg][ours] != "" {
				continue
			}
			t.Errorf("%s imports %s, want only %v", f.name, ours, allowed)
		}
	}
}

// TestMapHasNoCycle: the map itself lets nothing import what imports it, below cmd.
func TestMapHasNoCycle(t *testing.T) {
	var visit func(pkg string, above []string)
	visit = func(pkg string, above []string) {
		if slices.Contains(above, pkg) {
			t.Fatalf("%v leads back to %s", above, pkg)
		}
		for _, p := range packageMap[pkg] {
			if p[0] != '*' && p[0] != '-' {
				visit(p, append(above, pkg))
			}
		}
	}
	for pkg := range packageMap {
		visit(pkg, nil)
	}
}

func TestModuleFence(t *testing.T) {
	for _, f := range sources(t) {
		for _, p := range f.imports() {
			first, _, _ := strings.Cut(p, "/")
			if !strings.Contains(first, ".") || strings.HasPrefix(p, modulePath+"/") {
				continue
			}
			fence, found := longestFence(p)
			rule := moduleFence[fence]
			if !found || !allows(rule.code, f.pkg) && !(f.test && allows(rule.tests, f.pkg)) {
				t.Errorf("%s imports %s, want only packages %v, and tests of %v (%s)", f.name, p, rule.code, rule.tests, rule.why)
			}
		}
	}
}

// longestFence is the entry of the fence that covers an import path most closely.
func longestFence(p string) (fence string, found bool) {
	for prefix := range moduleFence {
		if (p == prefix || strings.HasPrefix(p, prefix+"/")) && len(prefix) > len(fence) {
			fence, found = prefix, true
		}
	}
	return fence, found
}

// networkDoor is the one package through which net/http is linked: the models of log entries import the client code generated with them. They are
// filled and read; nothing of theirs connects.
const networkDoor = "github.com/sigstore/rekor/pkg/generated/models"

// TestNetworkIsNotLinked walks the imports of the program without passing through the door: none of these packages may be reached. Package net is linked by
// crypto/x509, for addresses in certificates.
func TestNetworkIsNotLinked(t *testing.T) {
	const program = modulePath + "/cmd/proveit"
	imports := dependencies(t, "./cmd/proveit")
	if len(imports[program]) == 0 {
		t.Fatalf("go list says nothing of %s", program)
	}
	from := map[string]string{program: ""}
	queue := []string{program}
	for len(queue) > 0 {
		pkg := queue[0]
		queue = queue[1:]
		if pkg == networkDoor {
			continue
		}
		for _, p := range imports[pkg] {
			if _, seen := from[p]; !seen {
				from[p] = pkg
				queue = append(queue, p)
			}
		}
	}
	for _, p := range []string{"net/http", "net/rpc", "net/smtp", "net/mail", "crypto/tls", "os/exec", "os/user", "plugin", "log/syslog"} {
		if _, reached := from[p]; reached {
			way := p
			for at := from[p]; at != ""; at = from[at] {
				way = at + " > " + way
			}
			t.Errorf("%s is linked: %s", p, way)
		}
	}
}

// dependencies maps each package that is linked into the named one to what it imports.
func dependencies(t *testing.T, pkg string) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports", pkg)
	cmd.Dir = repoRoot
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	imports := map[string][]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return imports
		} else if err != nil {
			t.Fatal(err)
		}
		imports[p.ImportPath] = p.Imports
	}
}
