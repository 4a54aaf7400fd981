package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ark-forge/proveit/canon/nearest"
)

// settleUsage makes every command refuse bad usage in the same words, with what it takes instead. A group of commands that is called with
// a name that it does not have is bad usage too, not a way of asking for help.
func (a *app) settleUsage(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.SetFlagErrorFunc(flagError)
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.PreRunE = knownTopic
		}
	}
	a.settleCommand(root)
}

func (a *app) settleCommand(c *cobra.Command) {
	if c.HasSubCommands() {
		c.Args = knownCommand
		if !c.Runnable() {
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	} else if takes := c.Args; takes != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if takes(c, args) == nil {
				return nil
			}
			return fmt.Errorf("found %s, want %s", counted(len(args)), strings.TrimSuffix(c.UseLine(), " [flags]"))
		}
	}
	for _, child := range c.Commands() {
		a.settleCommand(child)
	}
}

func counted(n int) string {
	switch n {
	case 0:
		return "no argument"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// knownCommand refuses what is left of a command line after the last name that a group has.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	names := []string{}
	for _, child := range c.Commands() {
		if child.IsAvailableCommand() {
			names = append(names, child.Name())
		}
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], c.CommandPath(), perhaps(args[0], names, ""))
}

// knownTopic refuses help on what is not there.
func knownTopic(c *cobra.Command, args []string) error {
	topic, rest, err := c.Root().Find(args)
	if err == nil && len(rest) > 0 {
		err = knownCommand(topic, rest)
	}
	return err
}

// flagError adds the flag that was perhaps meant.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	names := []string{}
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("%w%s", err, perhaps(unknown.GetSpecifiedName(), names, "--"))
}

// perhaps names what was probably meant.
func perhaps[S ~string](found string, names []S, prefix string) string {
	known := func(yield func(string) bool) {
		for _, name := range names {
			if !yield(string(name)) {
				return
			}
		}
	}
	if near := nearest.Name(found, known); near != "" && near != found {
		return "; perhaps " + prefix + near
	}
	return ""
}

// pointed adds to a complaint about the command line where its help is.
func pointed(c *cobra.Command, err error) error {
	return fmt.Errorf("%w (see %s --help)", err, c.CommandPath())
}

// wording is the text of an error without the name of the system call, and without a second mention of the file.
func wording(err error) string {
	return once(plain(err))
}

// once drops a name that is given twice in a row, by whoever opened the file and by whoever asked for it.
func once(text string) string {
	steps := strings.Split(text, ": ")
	return strings.Join(slices.Compact(steps), ": ")
}

// plain is the text of an error without the name of the system call.
func plain(err error) string {
	text := strings.TrimSuffix(err.Error(), "\n")
	var p *fs.PathError
	if !errors.As(err, &p) {
		return text
	}
	before, after, ok := strings.Cut(text, p.Error())
	if !ok {
		return text
	}
	if !strings.HasSuffix(before, p.Path+": ") {
		before += p.Path + ": "
	}
	return before + p.Err.Error() + after
}
