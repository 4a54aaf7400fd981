package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/trust"
	"github.com/ark-forge/proveit/verify/tsa"
)

// loadTrust reads the trust folder of --trust. source is how reports call it.
func (a *app) loadTrust() (*trust.Store, error) {
	if a.trust == "" {
		return nil, errors.New("no trust material: want --trust DIR (layout: rekor/, tsa/<provider>/, issuer/)")
	}
	b, err := openFiles(a.trust, bundle.Limits{})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if b.Has(replay.SeasonFile) {
		return nil, fmt.Errorf("%s: found a season's bundle, want a trust folder, such as the one in it", a.trust)
	}
	if err := wholeTrust(b, ""); err != nil {
		return nil, fmt.Errorf("%s: %w", a.trust, err)
	}
	store, err := trust.Load(b, "--trust")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.trust, err)
	}
	return store, nil
}

// trustOf reads the trust folder, or that inside a season's bundle.
func (a *app) trustOf(path string) (*trust.Store, error) {
	b, err := openFiles(path, bundle.Limits{})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	var files fs.FS = b
	folder := ""
	if b.Has(replay.SeasonFile) {
		folder = trustFolder
		if files, err = fs.Sub(b, trustFolder); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := wholeTrust(b, folder); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	store, err := trust.Load(files, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return store, nil
}

// trustFolder is where a bundle has its trust material.
const trustFolder = "trust"

// wholeTrust names a file of the trust folder that may not be read, such as a link. One file less could mean one rule less: a policy, the
// offset of a shard. An empty folder is all of b.
func wholeTrust(b *bundle.Bundle, folder string) error {
	for _, r := range b.Refused() {
		if folder == "" || r.Name == folder || strings.HasPrefix(r.Name, folder+"/") {
			return &r
		}
	}
	return nil
}

// verdict is the outcome of one check made of an error: nil holds, a *verify.Failure is an answer, anything else could not be asked.
func verdict(err error) (*verify.Failure, verify.Outcome, error) {
	if err == nil {
		return nil, verify.Holds, nil
	}
	var failure *verify.Failure
	if errors.As(err, &failure) {
		return failure, verify.Differs, nil
	}
	return nil, verify.Unusable, err
}

// checked is what a single-purpose check prints as JSON.
type checked struct {
	Format   string            `json:"format"`
	Result   string            `json:"result"`
	ExitCode int               `json:"exit_code"`
	Reason   verify.Reason     `json:"reason"`
	Detail   *report.Detail    `json:"detail"`
	Facts    map[string]string `json:"facts"`
}

// fact is one line of what a check established, in the order in which it is printed.
type fact struct{ name, value string }

// answer prints one check: the facts that it established, or the failure.
func (a *app) answer(format, subject string, facts []fact, failure *verify.Failure) (verify.Outcome, error) {
	outcome := verify.Holds
	if failure != nil {
		outcome = verify.Differs
	}
	return a.answerAs(outcome, format, subject, facts, failure)
}

// answerAs prints one check of that outcome.
func (a *app) answerAs(outcome verify.Outcome, format, subject string, facts []fact, failure *verify.Failure) (verify.Outcome, error) {
	if a.json() {
		doc := checked{Format: format, Result: outcome.String(), ExitCode: outcome.ExitCode(), Detail: report.DetailOf(failure), Facts: map[string]string{}}
		if failure != nil {
			doc.Reason = failure.Reason
		}
		for _, f := range facts {
			doc.Facts[f.name] = f.value
		}
		return outcome, writeJSON(a.Out, doc)
	}
	switch {
	case outcome == verify.Incomplete:
		a.refused("skipped", failure)
	case failure != nil:
		a.failure(failure)
	default:
		a.printf("%s %s\n", a.status("ok"), subject)
	}
	for _, f := range facts {
		a.printf("         %s: %s\n", f.name, f.value)
	}
	a.result(report.Label(outcome.String(), a.lang))
	return outcome, nil
}

// newTSA is "proveit tsa".
func newTSA(a *app) *cobra.Command {
	c := &cobra.Command{Use: "tsa", Short: "RFC 3161 timestamp tokens"}
	c.AddCommand(newTSAVerify(a))
	return c
}

// tsaFlags are the options of "proveit tsa verify".
type tsaFlags struct {
	digest, data, provider string
	roots, certs           []string
}

func newTSAVerify(a *app) *cobra.Command {
	var o tsaFlags
	c := &cobra.Command{
		Use:   "verify TOKEN (--digest HEX | --data FILE) (--trust DIR [--provider NAME] | --root PEM… [--cert PEM…])",
		Short: "Verify a timestamp response over known bytes, at the token's own time",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.tsaVerify(args[0], o)
		}),
	}
	f := c.Flags()
	f.StringVar(&o.digest, "digest", "", "SHA-256 of the anchored bytes, 64 lowercase hex digits")
	f.StringVar(&o.data, "data", "", "file with the anchored bytes")
	f.StringVar(&o.provider, "provider", "freetsa.org", "which authority of the trust folder")
	f.StringArrayVar(&o.roots, "root", nil, "PEM file with root certificates")
	f.StringArrayVar(&o.certs, "cert", nil, "PEM file with intermediate and signing certificates")
	c.MarkFlagsMutuallyExclusive("digest", "data")
	c.MarkFlagsOneRequired("digest", "data")
	c.MarkFlagsMutuallyExclusive("provider", "root")
	return c
}

func (a *app) tsaVerify(name string, o tsaFlags) (verify.Outcome, error) {
	response, err := a.read(name)
	if err != nil {
		return verify.Unusable, err
	}
	authority, err := a.authority(o)
	if failure, _, _ := verdict(err); failure != nil {
		return a.answerAs(verify.Incomplete, "proveit.tsa/v1", "timestamp", nil, failure)
	}
	if err != nil {
		return verify.Unusable, err
	}
	var token tsa.Token
	if o.data != "" {
		data, readErr := a.read(o.data)
		if readErr != nil {
			return verify.Unusable, readErr
		}
		token, err = tsa.Verify(response, data, authority)
	} else {
		digest, parseErr := canon.ParseHex(o.digest)
		if parseErr != nil {
			return verify.Unusable, fmt.Errorf("--digest: %w", parseErr)
		}
		token, err = tsa.VerifyDigest(response, digest, authority)
	}
	failure, outcome, err := verdict(err)
	if err != nil {
		return outcome, err
	}
	if failure != nil && failure.File == "" {
		failure.File = name
	}
	return a.answer("proveit.tsa/v1", "timestamp", tokenFacts(token, response, failure), failure)
}

// tokenFacts are what a token established, or what an unverified response says of itself.
func tokenFacts(t tsa.Token, response []byte, failure *verify.Failure) []fact {
	if failure == nil {
		return []fact{{"time", t.Time.Format(time.RFC3339Nano)}, {"policy", t.Policy}, {"serial", t.Serial},
			{"signer", t.Signer}, {"signer_sha256", t.SignerSHA256}, {"imprint", t.HashAlgorithm}}
	}
	info, err := tsa.Parse(response)
	if err != nil {
		return nil
	}
	return []fact{{"unverified_time", info.Time.Format(time.RFC3339Nano)}, {"unverified_policy", info.Policy},
		{"unverified_signer", info.SignerIssuer}, {"unverified_imprint", info.HashAlgorithm + " " + info.Imprint}}
}

// authority is the timestamping authority of the flags.
func (a *app) authority(o tsaFlags) (tsa.Authority, error) {
	if len(o.roots) == 0 {
		if len(o.certs) > 0 {
			return tsa.Authority{}, errors.New("--cert without --root: want the root certificates too")
		}
		store, err := a.loadTrust()
		if err != nil {
			return tsa.Authority{}, err
		}
		authority, presence := store.Authority(o.provider)
		if presence == trust.Absent {
			return tsa.Authority{}, &verify.Failure{Reason: proof.ReasonProviderMissing, Found: "no certificate of " + o.provider, Wanted: "tsa/" + o.provider + "/root*.pem", File: a.trust}
		}
		if presence != trust.Present {
			return tsa.Authority{}, fmt.Errorf("--provider: the trust folder has no certificates for %q", o.provider)
		}
		return authority, nil
	}
	roots, err := a.certificates(o.roots)
	if err != nil {
		return tsa.Authority{}, err
	}
	certs, err := a.certificates(o.certs)
	return tsa.Authority{Roots: roots, Certificates: certs}, err
}

func (a *app) certificates(names []string) ([]*x509.Certificate, error) {
	var all []*x509.Certificate
	for _, name := range names {
		b, err := a.read(name)
		if err != nil {
			return nil, err
		}
		certs, err := trust.Certificates(name, b)
		if err != nil {
			return nil, err
		}
		all = append(all, certs...)
	}
	return all, nil
}

// expand lists the files of arguments that may be folders: those whose names end in .json, sorted. "-" stays.
func expand(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if arg == "-" || err == nil && !info.IsDir() {
			out = append(out, arg)
			continue
		}
		if err != nil {
			return nil, readError(arg, err)
		}
		n := len(out)
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".json" {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			return nil, readError(arg, err)
		}
		if len(out) == n {
			return nil, fmt.Errorf("%s: found no .json file, want at least one: nothing was examined", arg)
		}
	}
	return out, nil
}
