package cli

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// House rules that a reader could check by eye, checked over the sources of the whole repository.

const (
	maxFunctionLines = 70
	maxFileLines     = 400
)

// worldImports are packages that bring time, dice, network or a terminal into a judgement. Below cmd no code imports them; its tests may.
var worldImports = []string{"log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "net", "net/http", "os/exec", "os/signal", "os/user", "syscall", "flag", "testing", "unsafe", "plugin"}

// worldNames are names of other packages that do.
var worldNames = map[string][]string{
	"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Local", "LoadLocation"},
	"os": {"Exit", "Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv", "Stdin", "Stdout", "Stderr", "Args", "Hostname", "Getpid", "Getwd", "Chdir", "UserHomeDir", "TempDir",
		"Executable"},
	"fmt":         {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
	"runtime":     {"NumCPU", "GOMAXPROCS", "NumGoroutine"},
	"crypto/x509": {"SystemCertPool", "SetFallbackRoots"},
}

// worldExceptions lets a package below cmd use what the two lists above forbid, each with its reason.
var worldExceptions = map[string]map[string]string{
	"manifest/bundle":      {"syscall": "O_NONBLOCK: a named pipe inside a bundle must not make the program wait"},
	"verify/simulate":      {"math/rand/v2": "seeded draws: the same seed gives the same season"},
	"verify/simulate/mint": {"math/rand/v2": "seeded draws: the same seed gives the same season"},
}

// longFiles are files past maxFileLines, each with its reason.
var longFiles = map[string]string{}

// longFunctions are functions past maxFunctionLines, by file and name, each with its reason.
var longFunctions = map[string]string{}

// belowCmd reports whether a file belongs to a library package.
func (f sourceFile) belowCmd() bool { return !strings.HasPrefix(f.pkg, "cmd/") }

// selections calls found for each use of a name of an imported package, with the package's import path.
func (f sourceFile) selections(found func(importPath, name string, at token.Pos)) {
	local := map[string]string{}
	for _, spec := range f.syntax.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(p)
		if isMajorVersion(name) {
			name = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		local[name] = p
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && local[id.Name] != "" {
				found(local[id.Name], sel.Sel.Name, sel.Pos())
			}
		}
		return true
	})
}

// isMajorVersion reports whether the last element of an import path is v2, v3 and so on.
func isMajorVersion(s string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "v"))
	return s[0] == 'v' && err == nil && n >= 2
}

// TestLibrariesDoNotSeeTheWorld: time, dice, environment and streams enter as arguments from cmd, or not at all.
func TestLibrariesDoNotSeeTheWorld(t *testing.T) {
	for _, f := range sources(t) {
		if f.test || !f.belowCmd() {
			continue
		}
		for _, p := range f.imports() {
			if slices.Contains(worldImports, p) && worldExceptions[f.pkg][p] == "" {
				t.Errorf("%s imports %s, want it to enter from cmd", f.name, p)
			}
		}
		f.selections(func(p, name string, at token.Pos) {
			if slices.Contains(worldNames[p], name) && worldExceptions[f.pkg][p+"."+name] == "" {
				t.Errorf("%s: %s.%s, want it to enter from cmd", f.place(at), p, name)
			}
		})
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
					t.Errorf("%s: the builtin %s", f.place(call.Pos()), id.Name)
				}
			}
			return true
		})
	}
}

// TestOneExit: the program ends in one place. The measuring program of make bench is another one, and may say log.Fatal.
func TestOneExit(t *testing.T) {
	var exits []string
	for _, f := range sources(t) {
		if f.test {
			continue // the scripts run the command under a main of their own
		}
		f.selections(func(p, name string, at token.Pos) {
			switch {
			case p == "os" && name == "Exit":
				exits = append(exits, f.place(at))
			case p == "log" && f.pkg != "cmd/internal/bench" && (strings.HasPrefix(name, "Fatal") || strings.HasPrefix(name, "Panic")):
				t.Errorf("%s: log.%s ends the program", f.place(at), name)
			}
		})
	}
	if len(exits) != 1 || !strings.HasPrefix(exits[0], "cmd/proveit/main.go:") {
		t.Errorf("os.Exit at %v, want it once, in cmd/proveit/main.go", exits)
	}
}

func TestPackageNames(t *testing.T) {
	refused := []string{"util", "utils", "common", "helper", "helpers", "misc", "errors", "types", "models", "interfaces", "constants", "options", "config", "log", "base", "shared", "testutil"}
	for _, f := range sources(t) {
		name := strings.TrimSuffix(f.syntax.Name.Name, "_test")
		if slices.Contains(refused, name) {
			t.Errorf("%s: a package named %s says nothing of what it holds", f.name, name)
		}
		if name != path.Base(f.pkg) && name != "main" {
			t.Errorf("%s: package %s in folder %s", f.name, name, f.pkg)
		}
	}
}

func TestPackageComments(t *testing.T) {
	has := map[string]bool{}
	for _, f := range sources(t) {
		if !f.test {
			has[f.pkg] = has[f.pkg] || f.syntax.Doc.Text() != ""
		}
	}
	for pkg, ok := range has {
		if !ok {
			t.Errorf("package %s has no comment", pkg)
		}
	}
}

func TestExportedNamesAreExplained(t *testing.T) {
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		for _, decl := range f.syntax.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && exportedReceiver(d) && d.Doc.Text() == "" {
					t.Errorf("%s: %s has no comment", f.place(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				f.checkComments(t, d)
			}
		}
	}
}

// checkComments wants a comment on each exported name of a declaration: its own, or, for constants and variables, one on the whole block.
func (f sourceFile) checkComments(t *testing.T, d *ast.GenDecl) {
	t.Helper()
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			single := d.Lparen == token.NoPos && d.Doc.Text() != ""
			if s.Name.IsExported() && !single && s.Doc.Text() == "" {
				t.Errorf("%s: type %s has no comment", f.place(s.Pos()), s.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && d.Doc.Text() == "" && s.Doc.Text() == "" && s.Comment.Text() == "" {
					t.Errorf("%s: %s has no comment", f.place(name.Pos()), name.Name)
				}
			}
		}
	}
}

// exportedReceiver reports whether a function has no receiver or one of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

func TestLengths(t *testing.T) {
	for _, f := range sources(t) {
		if f.test {
			continue // a table of cases is as long as the cases are many
		}
		if n := f.fset.File(f.syntax.Pos()).LineCount(); n > maxFileLines && longFiles[f.name] == "" {
			t.Errorf("%s has %d lines, want at most %d", f.name, n, maxFileLines)
		}
		for _, decl := range f.syntax.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			first, last := f.fset.Position(d.Pos()).Line, f.fset.Position(d.End()).Line
			if n := last - first + 1; n > maxFunctionLines && longFunctions[f.name+" "+d.Name.Name] == "" {
				t.Errorf("%s: %s has %d lines, want at most %d", f.place(d.Pos()), d.Name.Name, n, maxFunctionLines)
			}
		}
	}
}

// TestNoForeignTypes: no exported function, type or variable of a library package shows a type of an outside module.
func TestNoForeignTypes(t *testing.T) {
	for _, f := range sources(t) {
		if f.test || !f.belowCmd() {
			continue
		}
		shown := f.exportedPositions()
		f.selections(func(p, name string, at token.Pos) {
			first, _, _ := strings.Cut(p, "/")
			if strings.Contains(first, ".") && !strings.HasPrefix(p, modulePath+"/") && shown(at) {
				t.Errorf("%s: exported declaration shows %s.%s", f.place(at), p, name)
			}
		})
	}
}

// exportedPositions reports whether a position lies in the visible part of an exported declaration: a signature, a type with its exported fields,
// the type of a variable.
func (f sourceFile) exportedPositions() func(token.Pos) bool {
	var visible []ast.Node
	for _, decl := range f.syntax.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && exportedReceiver(d) {
				visible = append(visible, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				visible = append(visible, visibleParts(spec)...)
			}
		}
	}
	return func(at token.Pos) bool {
		return slices.ContainsFunc(visible, func(n ast.Node) bool { return n.Pos() <= at && at < n.End() })
	}
}

func visibleParts(spec ast.Spec) (nodes []ast.Node) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return nil
		}
		structure, ok := s.Type.(*ast.StructType)
		if !ok {
			return []ast.Node{s.Type}
		}
		for _, field := range structure.Fields.List {
			if len(field.Names) == 0 || slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
				nodes = append(nodes, field.Type)
			}
		}
	case *ast.ValueSpec:
		if s.Type != nil && slices.ContainsFunc(s.Names, (*ast.Ident).IsExported) {
			nodes = append(nodes, s.Type)
		}
	}
	return nodes
}

// place is a position as file:line.
func (f sourceFile) place(at token.Pos) string {
	return f.name + ":" + strconv.Itoa(f.fset.Position(at).Line)
}
