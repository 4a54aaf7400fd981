package conformance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kindsOfFault are the faults that tools of this kind have had, by the numbers of the list of cases, and where an input of our own stands for the whole kind:
// a case of the suite ("suite:" and its folder), or a test ("package: Test").
var kindsOfFault = map[string][]string{
	"C01": {"suite:canon-floats", "canon: TestFloatSpelling"},                                                              // float spelling
	"C02": {"suite:canon-float-or-integer", "canon: TestIntSpelling"},                                                      // 0.0 stays 0.0
	"C03": {"suite:canon-big-integer"},                                                                                     // big integers
	"C04": {"suite:canon-not-numbers", "suite:canon-minus-nan", "suite:canon-nan-lower", "suite:canon-strict-nan"},         // NaN, Infinity, overflow
	"C05": {"suite:canon-last-wins", "suite:canon-strict-duplicate", "suite:canon-strict-duplicate-escaped"},               // duplicate members
	"C06": {"suite:canon-lone-surrogates", "suite:canon-strict-surrogate", "suite:canon-strict-surrogate-raw"},             // lone surrogates
	"C08": {"suite:canon-order", "canon: TestNameOrder"},                                                                   // order of members
	"C09": {"suite:canon-escapes", "canon: TestEscapes"},                                                                   // which characters are escaped
	"C13": {"suite:canon-byte-ff", "suite:canon-overlong", "suite:canon-cut-sequence", "suite:canon-beyond-unicode"},       // invalid UTF-8
	"C14": {"suite:canon-trailing-text", "suite:canon-two-documents", "suite:canon-form-feed", "canon: TestGrammarFaults"}, // grammar of the file
	"C16": {"suite:canon-depth-500", "suite:canon-depth-100000", "canon: TestLimits"},                                      // depth
	"C17": {"manifest: TestContractOnBodies"},                                                                              // empty documents
	"C18": {"canon: TestDifferential", "canon: TestPythonSample"},                                                          // random comparison
	"P01": {"suite:canon-pointer-index-leading-zero", "suite:canon-pointer-index-plus", "suite:canon-pointer-index-minus"}, // array index
	"P02": {"suite:canon-pointer-bad-escape", "canon: TestPointerRefusals"},                                                // bad escapes
	"P04": {"suite:canon-pointer-tilde-one", "suite:canon-pointer-percent"},                                                // order of unescaping
	"P05": {"suite:canon-pointer-whole", "suite:canon-pointer-fragment", "suite:canon-pointer-index-dash", "suite:canon-pointer-null"},
	"P07": {"suite:canon-pointer-digits-as-name"},
	"T01": {"suite:token-good", "suite:token-edited-time", "suite:token-broken-signature"}, // the tokens of freetsa.org embed no certificate
	"T02": {"suite:token-no-ess", "suite:token-other-ess", "suite:token-ess-v2"},
	"T04": {"suite:token-usage-not-critical", "suite:token-two-usages", "suite:token-no-usage", "suite:token-other-usage"},
	"T05": {"suite:token-signer-is-ca"},
	"T06": {"suite:token-expired", "suite:token-no-signing-time", "cmd/proveit: TestClockDoesNotCount"},
	"T08": {"suite:token-other-signer", "suite:token-embedded"},
	"T09": {"suite:token-granted-with-mods", "suite:token-status-2", "suite:token-granted-no-token", "suite:token-refused", "suite:token-bare"},
	"T10": {"suite:token-sha1-imprint", "suite:token-other-imprint", "suite:token-sha512-imprint"},
	"T11": {"suite:token-two-signers", "suite:token-no-signer"},
	"T12": {"suite:token-other-policy"},
	"T13": {"suite:token-fraction", "suite:season-token-at-close", "suite:season-token-after-close"},
	"T15": {"suite:token-other-content-type"},
	"T17": {"suite:token-version-2", "suite:token-critical-extension"},
	"T18": {"verify/tsa: TestUnknownSigner", "suite:token-other-authority"},
	"T19": {"suite:token-hex-imprint", "suite:proof-token-over-hex"},
	"T20": {"suite:token-other-root", "suite:proof-token-other-root"},
	"T21": {"suite:token-good", "verify/tsa: FuzzVerify"}, // no token of ours has a nonce
	"R01": {"suite:entry-offset", "suite:entry-small-index", "suite:entry-good"},
	"R02": {"suite:entry-other-uuid", "suite:entry-bare-uuid"},
	"R03": {"suite:entry-other-artifact", "suite:proof-entry-of-other"},
	"R06": {"suite:entry-origin", "suite:entry-other-tree", "suite:entry-signer-name"},
	"R07": {"suite:entry-witness", "suite:entry-checkpoint-other"},
	"R08": {"suite:entry-extension"},
	"R09": {"suite:entry-without-body", "suite:entry-without-verification", "suite:entry-without-verification-inclusionProof-rootHash", "suite:entry-checkpoint-absent", "suite:entry-null"},
	"R11": {"suite:entry-path-short", "suite:entry-path-long", "suite:proof-batch-size-zero", "verify/merkle: TestAllTrees"},
	"R13": {"suite:entry-index-after", "suite:entry-set"},
	"R15": {"verify/rekor: TestExamFaults", "suite:entry-checkpoint"},
	"E01": {"suite:proof-signature-spare-bits"},
	"E03": {"suite:proof-signature-padded", "suite:proof-signature-without-prefix", "suite:proof-pubkey-padded"},
	"E04": {"suite:proof-signature-plus-order", "suite:proof-signature-short", "suite:proof-pubkey-short"},
	"E05": {"suite:proof-signature-raw", "suite:proof-signature-upper"},
	"E06": {"suite:submission-did-truncated", "suite:submission-did-method", "manifest/season: TestExamDIDs"},
	"E07": {"suite:submission-did-web-port", "manifest/season: TestExamDIDs"},
	"E09": {"suite:proof-key-retired", "suite:proof-key-not-yet", "suite:proof-good-last-moment-of-key", "suite:proof-key-unpublished"},
	"B01": {"suite:submission-proof-id-path", "suite:submission-proof-id-newline", "suite:season-path-outside", "cmd/proveit: TestHostileZips"},
	"B02": {"cmd/proveit: TestHostileFolders", "manifest/bundle: TestExamDirectory"},
	"B04": {"cmd/proveit: TestOneByteTooMany", "cmd/proveit: TestHostileFolders"},
	"B05": {"suite:view-misfiled", "suite:season-path-differs", "suite:season-stranger"},
	"S01": {"cmd/proveit: TestScripts", "cmd/proveit: TestAnswerIsNotWritten"},
	"S02": {"cmd/proveit: TestScripts"}, // cases.txtar
	"S04": {"suite:season-refused-at-entry", "suite:season-outside-graph", "suite:season-value-differs"},
	"S05": {"verify/replay: TestDeskAgreesWithTheScore", "suite:season-system-403-other-host"},
	"S06": {"suite:season-scale-version", "suite:season-scale-version-capital"},
	"S08": {"suite:season-no-submission", "cmd/proveit: TestScripts"}, // cases.txtar
	"S09": {"suite:submission-unknown-member", "suite:submission-duplicate-in-claim", "verify/submission: TestParseGivesEverything"},
}

// TestKindsOfFault: whatever stands for a kind of fault is there, and no kind is left out.
func TestKindsOfFault(t *testing.T) {
	tests := map[string][]string{}
	for id, places := range kindsOfFault {
		if len(places) == 0 {
			t.Errorf("%s: nothing stands for it", id)
		}
		for _, place := range places {
			if folder, ok := strings.CutPrefix(place, "suite:"); ok {
				if _, err := os.Stat(filepath.Join(suiteDir, folder, "expected.json")); err != nil {
					t.Errorf("%s: %v", id, err)
				}
				continue
			}
			pkg, name, _ := strings.Cut(place, ": ")
			if tests[pkg] == nil {
				tests[pkg] = testsOf(t, pkg)
			}
			if !slices.Contains(tests[pkg], name) {
				t.Errorf("%s: package %s has no %s", id, pkg, name)
			}
		}
	}
	if len(kindsOfFault) < 63 {
		t.Errorf("%d kinds, want at least 63", len(kindsOfFault))
	}
	list, err := os.ReadFile("../../../shared/cases/README.md")
	if err != nil {
		return // the list is not beside the repository
	}
	headings := regexp.MustCompile(`(?m)^### ([A-Z][0-9]{2})`).FindAllStringSubmatch(string(list), -1)
	for _, m := range headings {
		if kindsOfFault[m[1]] == nil {
			t.Errorf("%s is in the list of cases and nothing of ours stands for it", m[1])
		}
	}
	if len(headings) == 0 {
		t.Error("the list of cases has no heading that is a number")
	}
}

// testsOf are the names of the tests and fuzz targets of a package.
func testsOf(t *testing.T, pkg string) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../../" + pkg + "/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("package %s has no tests (%v)", pkg, err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names
}
