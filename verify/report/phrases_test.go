package report

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Expected sentences are written by hand from the English ones that the packages give.
func TestPhrase(t *testing.T) {
	for english, french := range map[string]string{
		`dup.json:1:8: found a second member "a", want each name once (at /a)`:                 `dup.json:1:8: trouvé : un second membre "a" ; attendu : chaque nom une fois (à /a)`,
		`nothing: no such file or directory`:                                                   `nothing: aucun fichier ou dossier de ce nom`,
		`--jobs: found 0, want at least 1 (see proveit version --help)`:                        `--jobs: trouvé : 0 ; attendu : au moins 1 (voir proveit version --help)`,
		`unknown flag: --fail-onn; perhaps --fail-on (see proveit season replay --help)`:       `option inconnue : --fail-onn ; peut-être --fail-on (voir proveit season replay --help)`,
		`not_a_proof: found nothing, want a proof id (a.json#/proof_id)`:                       `not_a_proof: trouvé : rien ; attendu : un identifiant de preuve (a.json#/proof_id)`,
		`pointer "/zz": found no member "zz", want a member of that name`:                      `pointeur "/zz": trouvé : aucun membre "zz" ; attendu : un membre de ce nom`,
		`string "found one, want two"`:                                                         `chaîne "found one, want two"`,
		`2026-01-01T00:00:00Z to 2026-08-01T00:00:00Z`:                                         `du 2026-01-01T00:00:00Z au 2026-08-01T00:00:00Z`,
		`a token time in the window of key-1: from 2026-01-01T00:00:00Z, and 15 minutes after`: `une heure de jeton dans la période de key-1 : à partir du 2026-01-01T00:00:00Z, et 15 minutes après`,
		`at least 2; at most 8`:                                                                `au moins 2 ; au plus 8`,
		`status 0 (granted) or 1 (grantedWithMods)`:                                            `le statut 0 (granted) ou 1 (grantedWithMods)`,
		`"found one, want two"`:                                                                `"found one, want two"`,
		`sha256:00`:                                                                            `sha256:00`,
		`did:web:agents.example of somebody`:                                                   `did:web:agents.example of somebody`,
	} {
		if got := strings.ReplaceAll(Phrase(english, French), "\u00a0", " "); got != french {
			t.Errorf("%q: said as %q, want %q", english, got, french)
		}
		if got := Phrase(english, English); got != english {
			t.Errorf("%q: said as %q in English", english, got)
		}
	}
	long := strings.Repeat("found ", maxPhrase)
	if got := Phrase(long, French); got != long {
		t.Error("a text longer than any phrase was changed")
	}
}

// Both sides of a phrase take the same values in the same order, and no phrase is there twice.
func TestPhrasesAgree(t *testing.T) {
	seen := map[string]bool{}
	for _, part := range append(frenchPhrases(), frenchFrames) {
		for _, pair := range part {
			_, english := literals(pair[0])
			_, french := literals(pair[1])
			if english != french {
				t.Errorf("%q: marks %q, in French %q", pair[0], english, french)
			}
			if seen[pair[0]] {
				t.Errorf("%q is there twice", pair[0])
			}
			seen[pair[0]] = true
			if found := plainFrench.FindString(pair[1]); found != "" {
				t.Errorf("%q: %q in %q", pair[0], found, pair[1])
			}
			if found := imputing[French].FindString(pair[1]); found != "" {
				t.Errorf("%q imputes: %q", pair[1], found)
			}
		}
	}
	if len(seen) < 450 {
		t.Errorf("found %d phrases, want at least 450", len(seen))
	}
}

// verbs are the verbs of package fmt in a format.
var verbs = regexp.MustCompile(`%[#+]?[.0-9]*[a-zA-Z]`)

// example is a phrase of the sources with values at its places; false where it holds no words.
func example(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			s, _ := strconv.Unquote(e.Value)
			return s, true
		}
	case *ast.BinaryExpr:
		x, words := example(e.X)
		y, more := example(e.Y)
		return x + y, words || more
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.SelectorExpr)
		if ok && f.Sel.Name == "Sprintf" {
			s, words := example(e.Args[0])
			return verbs.ReplaceAllStringFunc(s, func(v string) string {
				return map[byte]string{'d': "7", 'q': `"v"`}[v[len(v)-1]] + map[bool]string{true: "v"}[v[len(v)-1] != 'd' && v[len(v)-1] != 'q']
			}), words
		}
		if ok && (f.Sel.Name == "Itoa" || strings.HasPrefix(f.Sel.Name, "Format")) {
			return "7", false
		}
		if ok && f.Sel.Name == "Quote" {
			return `"v"`, false
		}
	}
	return "v", false
}

// known reports whether a phrase fits that is the same in both languages, or holds nothing but values.
func known(text string) bool {
	b := tables()
	_, exact := b.exact[text]
	_, framed := b.framed(b.rest, text, 0)
	return exact || framed || !regexp.MustCompile(`[a-z]{2}`).MatchString(text)
}

// What packages give as found and wanted is said in French. A few phrases more or less follow with the next table.
func TestFindingsAreSaidInFrench(t *testing.T) {
	all, said := 0, 0
	var left []string
	walkSources(t, func(name string, file *ast.File) {
		if strings.Contains(name, "/asa/") || strings.Contains(name, "simulate") || strings.Contains(name, "bench") || strings.Contains(name, "conformance") || strings.Contains(name, "asa_") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			if id, ok := kv.Key.(*ast.Ident); !ok || id.Name != "Found" && id.Name != "Wanted" && id.Name != "Want" {
				return true
			}
			text, words := example(kv.Value)
			if !words || !strings.Contains(strings.Trim(text, " "), " ") {
				return true
			}
			all++
			if Phrase(text, French) != text || known(text) {
				said++
			} else {
				left = append(left, text)
			}
			return true
		})
	})
	if all < 60 || said*100 < all*95 {
		t.Errorf("%d of %d phrases are said in French, want at least 95 in 100 of at least 60; left: %q", said, all, left)
	}
	t.Logf("%d of %d; left: %q", said, all, left)
}
