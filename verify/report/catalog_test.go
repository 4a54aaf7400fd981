package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ark-forge/proveit/verify"
)

const root = "../.."

// codeTypes are the types whose constants are codes, by the name of their package.
var codeTypes = map[string]string{"verify": "Reason", "manifest": "Code", "bundle": "Why"}

// walkSources calls f for every Go file of the product, tests apart.
func walkSources(t *testing.T, f func(name string, file *ast.File)) {
	t.Helper()
	fset, n := token.NewFileSet(), 0
	for _, top := range []string{"canon", "cmd", "manifest", "verify"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			n++
			f(name, file)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 50 {
		t.Fatalf("found %d source files, want the whole product", n)
	}
}

// isCodeType reports whether an expression names one of codeTypes, from inside or outside its package.
func isCodeType(e ast.Expr, pkg string) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name != "" && codeTypes[pkg] == e.Name
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && codeTypes[x.Name] == e.Sel.Name
	}
	return false
}

// codesInSources are all constants of the code types and where each is declared.
func codesInSources(t *testing.T) map[verify.Reason]string {
	t.Helper()
	codes := map[verify.Reason]string{}
	walkSources(t, func(name string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			decl, ok := n.(*ast.GenDecl)
			if !ok || decl.Tok != token.CONST {
				return true
			}
			for _, s := range decl.Specs {
				spec := s.(*ast.ValueSpec)
				for _, value := range spec.Values {
					kind := spec.Type
					if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
						kind, value = call.Fun, call.Args[0]
					}
					lit, ok := value.(*ast.BasicLit)
					if kind == nil || !isCodeType(kind, file.Name.Name) {
						continue
					}
					if !ok {
						t.Errorf("%s: %s is no literal, want one that this test can read", name, spec.Names[0])
						continue
					}
					code, _ := strconv.Unquote(lit.Value)
					codes[verify.Reason(code)] = name + ": " + spec.Names[0].Name
				}
			}
			return true
		})
	})
	if len(codes) < 180 {
		t.Fatalf("found %d codes in the sources, want at least 180", len(codes))
	}
	return codes
}

// The catalogue has every code of the product, in both languages, and no other.
func TestCatalogueIsWhole(t *testing.T) {
	codes := codesInSources(t)
	for lang, catalog := range map[string]map[verify.Reason]Message{"English": english, "French": french} {
		for code, at := range codes {
			if m := catalog[code]; m.Means == "" || m.Next == "" {
				t.Errorf("%s has no %s entry for %q (%s)", lang, lang, code, at)
			}
		}
		for code := range catalog {
			if codes[code] == "" {
				t.Errorf("the %s catalogue explains %q, which no source gives", lang, code)
			}
		}
	}
	if n := len(Codes()); n != len(codes) {
		t.Errorf("Codes gives %d codes, the sources have %d", n, len(codes))
	}
}

func TestNoCodeInTwoParts(t *testing.T) {
	for _, parts := range [][]map[verify.Reason]Message{
		{englishProof, englishWitness, englishBundle, englishScore, englishSeason, englishEntry},
		{frenchProof, frenchWitness, frenchBundle, frenchScore, frenchSeason, frenchEntry},
	} {
		seen := map[verify.Reason]bool{}
		for _, part := range parts {
			for code := range part {
				if seen[code] {
					t.Errorf("%q is explained twice", code)
				}
				seen[code] = true
			}
		}
	}
}

// sentences are every text for people, by where it stands: English first, then French.
func sentences(t *testing.T) map[string][2]string {
	t.Helper()
	out := map[string][2]string{}
	for code := range english {
		out["catalogue "+string(code)+" means"] = [2]string{english[code].Means, french[code].Means}
		out["catalogue "+string(code)+" next"] = [2]string{english[code].Next, french[code].Next}
	}
	for key, pair := range labels {
		out["label "+key] = pair
	}
	for key, pair := range fetches {
		out["fetch "+key] = pair
	}
	if len(limitsEnglish) != len(limitsFrench) {
		t.Fatalf("%d limits in English, %d in French", len(limitsEnglish), len(limitsFrench))
	}
	for i := range limitsEnglish {
		out["limit "+strconv.Itoa(i)] = [2]string{limitsEnglish[i], limitsFrench[i]}
	}
	return out
}

// Each sentence of the catalogue begins with a capital and ends with a full stop.
func TestCatalogueWritesSentences(t *testing.T) {
	for at, pair := range sentences(t) {
		if !strings.HasPrefix(at, "catalogue ") {
			continue
		}
		for _, s := range pair {
			first, _ := utf8.DecodeRuneInString(s)
			if !strings.HasSuffix(s, ".") || strings.ToUpper(string(first)) != string(first) || strings.Contains(s, "  ") {
				t.Errorf("%s: %q, want a sentence", at, s)
			}
		}
	}
}

// plainFrench finds what French typography does not allow: a straight apostrophe, straight or English quotes, or an ordinary space where
// a line must not break.
var plainFrench = regexp.MustCompile(`\pL'\pL|[“”]| [:;!?»]| %( |$)|[^\x{a0}]»|«[^\x{a0}]`)

func TestFrenchTypography(t *testing.T) {
	for at, pair := range sentences(t) {
		if found := plainFrench.FindString(pair[French]); found != "" {
			t.Errorf("%s: %q in %q", at, found, pair[French])
		}
		if strings.ContainsAny(pair[English], "«»\u00a0\u202f") {
			t.Errorf("%s: French typography in %q", at, pair[English])
		}
	}
}

// imputing are the beginnings of words that say something about what somebody meant, which no measure here can know (seed 000 §3, §10).
var imputing = map[Lang]*regexp.Regexp{
	English: words(`abus`, `attack`, `attempt`, `bad faith`, `bluff`, `blame`, `cheat`, `conceal`, `conniv`, `counterfeit`, `cover[- ]?up`, `crook`, `culprit`,
		`deceit`, `deceiv`, `decept`, `deliberate`, `dishonest`, `evad`, `exaggerat`, `fabricat`, `fak(e|ing)`, `false claim`, `falsif`, `forge`, `fraud`, `gam(ed|ing)`,
		`guilt`, `hallucinat`, `hid(e|es|ing|den)\b`, `hoax`, `honest`, `innocent`, `intentional`, `intended`, `invent`, `liar`, `lied\b`, `lies (about|to)\b`, `lying`,
		`malicious`, `manipulat`, `mislead`, `negligen`, `offend`, `on purpose`, `pretend`, `purposely`, `scam`, `sloppy`, `spoof`, `suspicio`, `suspect`, `tamper`,
		`trick`, `tries to`, `tried to`, `untruth`, `wilful`, `willful`, `wrongdo`),
	French: words(`abus`, `attaqu`, `bidon`, `bluff`, `cach(e|é|er|ant|ent)\b`, `contref`, `coupable`, `délibér`, `dissimul`, `exagér`, `fabriqu`, `falsif`, `fautif`, `faute`, `fautiv`,
		`faux`, `fausse`, `feint`, `feindre`, `fraud`, `fourb`, `frauduleu`, `hallucin`, `honnête`, `imposteur`, `innocen`, `intentionn`, `invent`, `malhonn`, `malveill`, `manipul`,
		`mauvaise foi`, `mensong`, `menti`, `menteu`, `mentir`, `négligen`, `prétend`, `soupçon`, `suspect`, `tente`, `tromp`, `trich`, `truqu`, `usurp`, `volontaire`, `exprès`),
}

// words matches any of the beginnings at the beginning of a word, whatever the case.
func words(beginnings ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[^\pL])(` + strings.Join(beginnings, "|") + `)`)
}

func TestNoWordImputesAnIntention(t *testing.T) {
	for at, pair := range sentences(t) {
		for _, l := range []Lang{English, French} {
			if found := imputing[l].FindString(pair[l]); found != "" {
				t.Errorf("%s imputes: %q in %q", at, found, pair[l])
			}
		}
	}
	files, err := fs.Glob(templates, "templates/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d templates (%v), want some", len(files), err)
	}
	for _, name := range files {
		b, err := fs.ReadFile(templates, name)
		if err != nil {
			t.Fatal(err)
		}
		for l, re := range imputing {
			if found := re.Find(b); found != nil {
				t.Errorf("%s imputes in language %s: %q", name, l, found)
			}
		}
	}
	for _, s := range []string{"The agent lied about it.", "A forged token.", "L’agent a triché.", "Une fausse preuve."} {
		if !imputing[English].MatchString(s) && !imputing[French].MatchString(s) {
			t.Errorf("the list lets %q through", s)
		}
	}
}

// usedLabels are the keys that sources and templates ask for, where they stand as literals.
func usedLabels(t *testing.T) map[string]string {
	t.Helper()
	used := map[string]string{}
	walkSources(t, func(name string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			called := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				called = f.Name
			case *ast.SelectorExpr:
				called = f.Sel.Name
			}
			if called != "Label" && called != "label" || strings.Contains(filepath.ToSlash(name), "/asa/") {
				return true
			}
			if lit, ok := call.Args[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				key, _ := strconv.Unquote(lit.Value)
				used[key] = name
			}
			return true
		})
	})
	files, _ := fs.Glob(templates, "templates/*.html")
	for _, name := range files {
		b, _ := fs.ReadFile(templates, name)
		for _, m := range regexp.MustCompile(`\blabel "([^"]*)"`).FindAllSubmatch(b, -1) {
			used[string(m[1])] = name
		}
	}
	if len(used) < 40 {
		t.Fatalf("found %d labels in use, want at least 40", len(used))
	}
	return used
}

// Every label that is asked for exists, in both languages.
func TestLabels(t *testing.T) {
	for key, at := range usedLabels(t) {
		if _, ok := labels[key]; !ok {
			t.Errorf("%s asks for the label %q, which does not exist", at, key)
		}
	}
	for key, pair := range labels {
		if pair[English] == "" || pair[French] == "" {
			t.Errorf("label %q: found %q and %q, want both languages", key, pair[English], pair[French])
		}
		if strings.Count(pair[English], "%") != strings.Count(pair[French], "%") {
			t.Errorf("label %q: the two languages take different values", key)
		}
	}
	all := 0
	for _, part := range []map[string][2]string{commonLabels, documentLabels, seasonLabels, entryLabels} {
		all += len(part)
	}
	if all != len(labels) {
		t.Errorf("%d labels in the parts, %d together: one key is in two parts", all, len(labels))
	}
	for kind, pair := range fetches {
		if strings.Contains(pair[English], "%") != strings.Contains(pair[French], "%") {
			t.Errorf("fetch %q: the two languages take different values", kind)
		}
	}
}

// Statuses and causes stay the words of the challenge in every language; each has its meaning beside it.
func TestStatusesAndCausesAreExplained(t *testing.T) {
	for _, s := range []verify.TaskStatus{verify.RejeteeEntree, verify.TacheIncomp, verify.EnAttente, verify.RejeteeCloture, verify.NonRendue, verify.Rendue, verify.Absente} {
		if labels["status_"+string(s)][English] == "" {
			t.Errorf("the status %s has no meaning", s)
		}
	}
	for _, c := range []verify.Cause{verify.PreuveInvalide, verify.IdentiteNonLiee, verify.RessourceNonCorrespondante, verify.DefautInstrument, verify.ValeurNonCorrespondante} {
		if labels["cause_"+string(c)][English] == "" {
			t.Errorf("the cause %s has no meaning", c)
		}
	}
}

func TestParseLang(t *testing.T) {
	for s, want := range map[string]Lang{"fr": French, "fr_FR.UTF-8": French, "fr-CA": French, "fr@euro": French, "en": English, "en_GB": English} {
		if got, ok := ParseLang(s); !ok || got != want {
			t.Errorf("%q: found %v (%v), want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "f", "french", "frx", "de", "C", "POSIX", "FR"} {
		if got, ok := ParseLang(s); ok || got != English {
			t.Errorf("%q: found %v (%v), want no language and English", s, got, ok)
		}
	}
	if codes := Codes(); !slices.IsSorted(codes) {
		t.Error("Codes is not sorted")
	}
}
