package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
)

// Version is the release of the program.
const Version = "1.0.0"

// commands are the subcommands, in the order of the help text.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{newCanon(a), newTSA(a), newRekor(a), newOpen(a), newProof(a), newTrust(a), newScore(a), newSubmission(a), newFreeze(a), newManifest(a), newSeason(a), newASA(a), newConformance(a), newSchema(a), newExplain(a), newVersion(a), newExitCodes()}
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "The version of the program",
		Args:  cobra.NoArgs,
		RunE: a.run(func(context.Context, []string) (verify.Outcome, error) {
			if a.json() {
				return verify.Holds, writeJSON(a.Out, struct {
					Format   string `json:"format"`
					ExitCode int    `json:"exit_code"`
					Version  string `json:"version"`
				}{"proveit.version/v1", 0, Version})
			}
			_, err := fmt.Fprintf(a.Out, "proveit %s\n", Version)
			return verify.Holds, err
		}),
	}
}

// exitCodesTopic is the name of the help topic.
const exitCodesTopic = "exit-codes"

// exitCodes is the contract that scripts rely on. It does not depend on the output format.
const exitCodes = `0  the question was answered and nothing failed: verified, accepted, scored, identical to what was published
1  answered, and something does not hold: a witness failed, a submission is refused, a freeze or a published value differs
2  the question could not be put: bad usage, unreadable or malformed input, unknown format, output not writable
3  not answerable yet: an anchor is pending, or trust material or a file of the bundle is missing; the message lists what to fetch

With several items the worst wins, in the order 2, 1, 3, 0. Nothing examined is never success: 2.
In a score, refused, rejected and unsupported are answers: 0, unless --fail-on asks for 1.
`

// exitCodesFrench says the same.
const exitCodesFrench = `0  la question a reçu sa réponse et rien n’échoue : vérifié, recevable, scoré, identique à ce qui a été publié
1  réponse donnée, et quelque chose ne tient pas : un témoin échoue, une soumission est rejetée, un gel ou une valeur publiée diffère
2  la question n’a pas pu être posée : usage incorrect, entrée illisible ou mal formée, format inconnu, sortie impossible à écrire
3  pas encore décidable : un ancrage est en attente, ou du matériel de confiance ou un fichier du lot manque ; le message dit quoi récupérer

De plusieurs réponses, la pire l’emporte, dans l’ordre 2, 1, 3, 0. N’avoir rien examiné n’est jamais un succès : 2.
Dans un score, rejeté et non étayé sont des réponses : 0, sauf si --fail-on demande 1.
`

// newExitCodes is a help topic: cobra shows a command without a handler under "help".
func newExitCodes() *cobra.Command {
	return &cobra.Command{Use: exitCodesTopic, Short: "The exit codes and what they mean", Long: strings.TrimSuffix(exitCodes, "\n")}
}

func newExplain(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE]",
		Short: "What a reason code says and what to do about it; without a code, the list of codes",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			if len(args) == 0 && a.json() {
				return verify.Holds, writeJSON(a.Out, codesDoc{Format: "proveit.codes/v1", Codes: report.Codes()})
			}
			if len(args) == 0 {
				for _, code := range report.Codes() {
					fmt.Fprintln(a.Out, code)
				}
				return verify.Holds, nil
			}
			code := verify.Reason(args[0])
			m, ok := report.Explain(code, a.lang)
			if !ok {
				return verify.Unusable, fmt.Errorf("found code %q, want one of the codes that proveit explain lists%s", args[0], perhaps(args[0], report.Codes(), ""))
			}
			if a.json() {
				return verify.Holds, writeJSON(a.Out, explainDoc(code))
			}
			_, err := fmt.Fprintf(a.Out, "%s\n  %s\n  %s%s\n", code, m.Means, report.Named("next", a.lang), m.Next)
			return verify.Holds, err
		}),
	}
}

// codesDoc is what "proveit explain -o json" prints without a code.
type codesDoc struct {
	Format   string          `json:"format"`
	ExitCode int             `json:"exit_code"`
	Codes    []verify.Reason `json:"codes"`
}

// explained is what "proveit explain -o json" CODE prints: both languages.
type explained struct {
	Format   string            `json:"format"`
	ExitCode int               `json:"exit_code"`
	Code     verify.Reason     `json:"code"`
	Means    map[string]string `json:"means"`
	Next     map[string]string `json:"next"`
}

func explainDoc(code verify.Reason) explained {
	en, _ := report.Explain(code, report.English)
	fr, _ := report.Explain(code, report.French)
	return explained{
		Format: "proveit.explain/v1", Code: code,
		Means: map[string]string{"en": en.Means, "fr": fr.Means},
		Next:  map[string]string{"en": en.Next, "fr": fr.Next},
	}
}
