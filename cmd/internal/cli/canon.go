package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// newCanon is "proveit canon": the canonical text of a document, or its hash.
func newCanon(a *app) *cobra.Command {
	var hash, strict bool
	var pointer string
	c := &cobra.Command{
		Use:   "canon [FILE|-]",
		Short: "Canonical JSON, as Python's json.dumps(v, sort_keys=True, separators=(\",\", \":\")) writes it",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.run(func(_ context.Context, args []string) (verify.Outcome, error) {
			name := "-"
			if len(args) == 1 {
				name = args[0]
			}
			v, err := a.readValue(name, strict)
			if err != nil {
				return verify.Unusable, err
			}
			if v, err = at(v, pointer); err != nil {
				return verify.Unusable, err
			}
			return verify.Holds, a.printCanon(v, hash)
		}),
	}
	c.Flags().BoolVar(&hash, "hash", false, "print the SHA-256 of the canonical text instead")
	c.Flags().BoolVar(&strict, "strict", false, "refuse what evidence may not be: duplicate names, invalid UTF-8, lone surrogates, NaN, a byte-order mark")
	c.Flags().StringVar(&pointer, "pointer", "", "take the value at this JSON Pointer (RFC 6901)")
	return c
}

func (a *app) readValue(name string, strict bool) (canon.Value, error) {
	b, err := a.read(name)
	if err != nil {
		return canon.Value{}, err
	}
	if strict {
		return canon.ParseStrict(name, b)
	}
	v, err := canon.Parse(b)
	if err != nil {
		return canon.Value{}, fmt.Errorf("%s:%w", name, err)
	}
	return v, nil
}

func at(v canon.Value, pointer string) (canon.Value, error) {
	p, err := canon.ParsePointer(pointer)
	if err != nil {
		return canon.Value{}, err
	}
	return p.Lookup(v)
}

// canonDoc is what "proveit canon -o json" prints.
type canonDoc struct {
	Format   string `json:"format"`
	ExitCode int    `json:"exit_code"`
	SHA256   string `json:"sha256"`
	Text     string `json:"text,omitempty"`
}

func (a *app) printCanon(v canon.Value, hash bool) error {
	text := canon.AppendCanonical(make([]byte, 0, len(v.Raw())+1), v)
	if a.json() {
		doc := canonDoc{Format: "proveit.canon/v1", SHA256: canon.Sum(text).String()}
		if !hash {
			doc.Text = string(text)
		}
		return writeJSON(a.Out, doc)
	}
	if hash {
		_, err := fmt.Fprintln(a.Out, canon.Sum(text))
		return err
	}
	_, err := a.Out.Write(append(text, '\n'))
	return err
}
