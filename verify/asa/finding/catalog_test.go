package finding

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	requirementForm = regexp.MustCompile(`^(R[0-9]{3}|P[0-9]{2})$`)
	slugForm        = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

// idsOf collects the ids that the sources below verify/asa name with two literals, and the slugs that they use at all.
func idsOf(t *testing.T) (ids map[string]string, literals map[string]bool) {
	t.Helper()
	ids, literals = map[string]string{}, map[string]bool{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "catalog") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				s, _ := strconv.Unquote(l.Value)
				literals[s] = true
			}
			if c, ok := n.(*ast.CallExpr); ok {
				for i := 1; i < len(c.Args); i++ {
					requirement, slug := literal(c.Args[i-1]), literal(c.Args[i])
					if requirementForm.MatchString(requirement) && slugForm.MatchString(slug) {
						ids[ID(requirement, slug)] = path
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids, literals
}

func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		s, _ := strconv.Unquote(l.Value)
		return s
	}
	return ""
}

// Every id in the sources has a sentence in both languages, and every sentence belongs to something in the sources.
func TestCatalogIsComplete(t *testing.T) {
	ids, literals := idsOf(t)
	if len(ids) < 100 {
		t.Fatalf("%d ids found in the sources, want at least 100", len(ids))
	}
	for id, path := range ids {
		for _, lang := range Languages[:] {
			if s, ok := Text(id, lang); !ok || s == "" {
				t.Errorf("%s (%s) has no sentence in %s", id, path, lang)
			}
		}
		if RuleText(id) == "" {
			t.Errorf("%s (%s) names no requirement of the table", id, path)
		}
	}
	known := Known()
	for id := range ids {
		if !slices.Contains(known, id) {
			t.Errorf("%s is not among the known ids", id)
		}
	}
	for id := range catalog["en"] {
		slug, shared := strings.CutPrefix(id, "asa/*/")
		if shared != (sharedBy[slug] != "") && shared {
			t.Errorf("%s: nobody shares it", id)
		}
		if _, ok := catalog["fr"][id]; !ok {
			t.Errorf("%s has no French sentence", id)
		}
		if slug := id[strings.LastIndexByte(id, '/')+1:]; !literals[slug] {
			t.Errorf("%s: nothing in the sources says %q", id, slug)
		}
	}
	if len(catalog["fr"]) != len(catalog["en"]) {
		t.Errorf("%d French sentences, %d English", len(catalog["fr"]), len(catalog["en"]))
	}
	if len(ruleTable) != Requirements {
		t.Errorf("%d rules, want %d", len(ruleTable), Requirements)
	}
}

// The words that would impute an intention to somebody.
func TestCatalogImputesNothing(t *testing.T) {
	for _, texts := range catalog {
		for id, s := range texts {
			for _, word := range []string{"lie", "lied", "fraud", "cheat", "fake", "dishonest", "mensong", "fraud", "trich", "malhonn"} {
				if regexp.MustCompile(`(?i)\b`+word).MatchString(s) && !strings.Contains(s, "liée") && !strings.Contains(s, "liaison") {
					t.Errorf("%s: %q holds %q", id, s, word)
				}
			}
		}
	}
}

// French texts are set as the rest of the program's: a curved apostrophe, a space before ; and :, and no English left over.
func TestFrenchTypography(t *testing.T) {
	texts := map[string]string{}
	for id, s := range catalog["fr"] {
		texts[id] = s
	}
	for n, s := range next["fr"] {
		texts["next "+strconv.Itoa(n)] = s
	}
	for name, s := range labels["fr"] {
		texts["label "+name] = s
	}
	for requirement, s := range formats["fr"] {
		texts["format of "+requirement], _, _ = strings.Cut(s, "{")
	}
	wrong := regexp.MustCompile(`'|[^ ][;:?!]( |$)|\.$|\bpapier\b`)
	for id, s := range texts {
		if m := wrong.FindString(s); m != "" {
			t.Errorf("%s: %q holds %q", id, s, m)
		}
	}
	if len(texts) < 300 {
		t.Fatalf("%d texts, want at least 300", len(texts))
	}
}

// The package speaks of no floating point: the sources hold neither its types nor its parser.
func TestNoFloatingPoint(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.Ident:
				switch x.Name {
				case "float32", "float64", "complex64", "complex128", "ParseFloat", "SetFloat64", "Float64", "Float32", "NewFloat", "ParseComplex":
					t.Errorf("%s names %s", path, x.Name)
				}
			case *ast.BasicLit:
				if x.Kind == token.FLOAT {
					t.Errorf("%s holds the literal %s", path, x.Value)
				}
			case *ast.ImportSpec:
				if x.Path.Value == `"math"` {
					t.Errorf("%s imports math", path)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || files < 20 {
		t.Errorf("%d files read, want at least 20: %v", files, err)
	}
	if _, err := os.Stat("../doc.go"); err != nil {
		t.Error(err)
	}
}
