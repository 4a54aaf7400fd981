package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/asa"
	"github.com/ark-forge/proveit/verify/asa/document"
)

// asaCanonDoc is what "asa canon -o json" prints.
type asaCanonDoc struct {
	Format   string `json:"format"`
	ExitCode int    `json:"exit_code"`
	Payload  string `json:"payload"`
	Style    string `json:"style"`
	SHA256   string `json:"sha256"`
	Text     string `json:"text"`
	Changed  string `json:"changed_number,omitempty"` // a number that this form does not keep
}

// newASACanon is "proveit asa canon".
func newASACanon(a *app) *cobra.Command {
	var payload, style string
	var hash, jsonc bool
	c := &cobra.Command{
		Use:   "canon AGREEMENT",
		Short: "The canonical text of an agreement, or its hash; by default of the payload that signatures cover",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			doc := asaCanonDoc{Format: "proveit.asa-canon/v1", Payload: payload, Style: style}
			if payload != "signing" && payload != "full" {
				return verify.Unusable, &document.OptionError{Name: "payload", Found: payload, Want: "signing or full"}
			}
			if style != "jcs" && style != "py" {
				return verify.Unusable, &document.OptionError{Name: "style", Found: style, Want: "jcs or py"}
			}
			f, err := a.asaFile(args[0])
			if err != nil {
				return verify.Unusable, err
			}
			text, err := asa.Canon(*f, asa.Form{Full: payload == "full", Python: style == "py"}, jsonc)
			if err != nil {
				return verify.Unusable, err
			}
			return a.asaPrintCanon(doc, text, hash)
		}),
	}
	c.Flags().StringVar(&payload, "payload", "signing", "signing (what signatures cover) or full")
	c.Flags().StringVar(&style, "style", "jcs", "jcs (RFC 8785) or py (as Python's json.dumps writes it)")
	c.Flags().BoolVar(&hash, "hash", false, "print the SHA-256 of the text instead")
	c.Flags().BoolVar(&jsonc, "jsonc", false, "take comments (//) out before reading")
	return c
}

// asaPrintCanon prints a canonical text. One that does not keep every number is no text to sign.
func (a *app) asaPrintCanon(doc asaCanonDoc, text asa.Canonical, hash bool) (verify.Outcome, error) {
	outcome := verify.Holds
	if text.Changed != nil {
		outcome = verify.Differs
		doc.Changed = text.Changed.Error()
		a.warn("%s", doc.Changed)
	}
	if a.json() {
		doc.ExitCode, doc.SHA256, doc.Text = outcome.ExitCode(), text.SHA256.Prefixed(), string(text.Text)
		return outcome, writeJSON(a.Out, doc)
	}
	if hash {
		_, err := fmt.Fprintln(a.Out, text.SHA256.Prefixed())
		return outcome, err
	}
	_, err := a.Out.Write(append(text.Text, '\n'))
	return outcome, err
}

// asaMessageDoc is what "asa sign-message -o json" prints.
type asaMessageDoc struct {
	Format   string `json:"format"`
	ExitCode int    `json:"exit_code"`
	Party    string `json:"party"`
	Payload  string `json:"payload_sha256"`
	SHA256   string `json:"message_sha256"`
	Message  string `json:"message"`
}

// newASASignMessage is "proveit asa sign-message".
func newASASignMessage(a *app) *cobra.Command {
	var party string
	var jsonc bool
	c := &cobra.Command{
		Use:   "sign-message AGREEMENT --party client|provider",
		Short: "The exact bytes that a party signs; signs nothing",
		Args:  cobra.ExactArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			return a.asaSignMessage(args[0], party, jsonc)
		}),
	}
	c.Flags().StringVar(&party, "party", "", "client or provider")
	c.Flags().BoolVar(&jsonc, "jsonc", false, "take comments (//) out before reading")
	if err := c.MarkFlagRequired("party"); err != nil {
		c.RunE = func(*cobra.Command, []string) error { return err }
	}
	return c
}

func (a *app) asaSignMessage(name, party string, jsonc bool) (verify.Outcome, error) {
	f, err := a.asaFile(name)
	if err != nil {
		return verify.Unusable, err
	}
	message, err := asa.SignMessage(*f, party, jsonc)
	if err != nil {
		return verify.Unusable, err
	}
	payload, err := asa.Canon(*f, asa.Form{}, jsonc)
	if err == nil && payload.Changed != nil {
		err = payload.Changed
	}
	if err != nil {
		return verify.Unusable, fmt.Errorf("%s: nothing to sign: %w", name, err)
	}
	if a.json() {
		return verify.Holds, writeJSON(a.Out, asaMessageDoc{"proveit.asa-sign-message/v1", 0, party, payload.SHA256.Prefixed(), canon.Sum(message).Prefixed(), string(message)})
	}
	_, err = a.Out.Write(message)
	return verify.Holds, err
}
