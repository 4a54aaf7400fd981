// Package cli is the command line: flags, reading, printing and exit codes. It judges nothing.
//
// Every command is a function that returns a verify.Outcome, which alone decides the exit code, or an error, which means that the
// question could not be put (exit 2). What a command prints and what it returns come from one value.
package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
)

// Streams are the program's only way in and out, besides the files named on the command line.
type Streams struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	Getenv func(string) string // LANG, LC_ALL, LC_MESSAGES and NO_COLOR are the only names asked for, and PATH by conformance --command
}

// app is one run of the program: its streams and the common flags.
type app struct {
	Streams
	output  string // text or json
	langArg string
	lang    report.Lang
	trust   string
	quiet   bool
	noColor bool
	jobs    int
	outcome verify.Outcome // what the command answered
	started bool           // the command line was understood
}

// Main runs the program on its arguments and returns the exit code: 0 holds, 1 differs, 2 unusable, 3 incomplete.
func Main(ctx context.Context, args []string, s Streams) int {
	room := roomAtStart()
	defer runtime.KeepAlive(room)
	out := &answerWriter{w: s.Out}
	s.Out = out
	a := &app{Streams: s}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	c, err := root.ExecuteContextC(ctx)
	if err != nil && !a.started {
		err = pointed(c, err)
		a.lang = a.spoken(args)
	}
	if err == nil && out.err != nil {
		err = fmt.Errorf("the answer could not be written: %w", out.err)
	}
	if err != nil {
		a.complain(err)
		return verify.Unusable.ExitCode()
	}
	return a.outcome.ExitCode()
}

// command is what a subcommand does with its arguments.
type command func(ctx context.Context, args []string) (verify.Outcome, error)

// run makes a cobra handler of a command.
func (a *app) run(f command) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		a.started = true
		outcome, err := f(c.Context(), args)
		if err != nil {
			return err
		}
		a.outcome = outcome
		return nil
	}
}

// root is the whole tree of commands. Nothing is global, so that tests can run the program many times in one process.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "proveit",
		Short:         "Replay, from files alone, whether what an agent declared follows from the receipts it cites",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			// Completion scripts are cobra's own commands and set no outcome themselves.
			if parent := c.Parent(); parent != nil && parent.Name() == "completion" {
				a.outcome = verify.Holds
			}
			return a.settle()
		},
		RunE: func(c *cobra.Command, _ []string) error {
			a.outcome = verify.Holds
			return c.Help()
		},
	}
	f := root.PersistentFlags()
	f.StringVar(&a.trust, "trust", "", "folder of trust material; wins over the bundle's own trust/")
	f.StringVarP(&a.output, "output", "o", "text", "text or json")
	f.StringVar(&a.langArg, "lang", "", "language of text: en or fr (default from LANG, else en)")
	f.BoolVar(&a.quiet, "quiet", false, "print nothing beside the answer: no progress and no warnings on stderr")
	f.BoolVar(&a.noColor, "no-color", false, "no colour (also NO_COLOR)")
	f.IntVar(&a.jobs, "jobs", runtime.GOMAXPROCS(0), "how many workers; the output does not depend on it")
	root.AddCommand(a.commands()...)
	a.helpOutcome(root)
	a.settleUsage(root)
	return root
}

// helpOutcome makes every way of asking for help an answered question.
func (a *app) helpOutcome(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		a.outcome = verify.Holds
		if a.settle() == nil && a.lang == report.French && c.Name() == exitCodesTopic {
			c.Long = strings.TrimSuffix(exitCodesFrench, "\n")
		}
		help(c, args)
	})
}

// settle checks the common flags before any command runs.
func (a *app) settle() error {
	if a.output != "text" && a.output != "json" {
		return fmt.Errorf("--output: found %q, want text or json", a.output)
	}
	if a.jobs < 1 {
		return fmt.Errorf("--jobs: found %d, want at least 1", a.jobs)
	}
	if a.langArg != "" {
		lang, ok := report.ParseLang(a.langArg)
		if !ok {
			return fmt.Errorf("--lang: found %q, want en or fr", a.langArg)
		}
		a.lang = lang
		return nil
	}
	a.lang = a.environment()
	return nil
}

func (a *app) env(name string) string {
	if a.Getenv == nil {
		return ""
	}
	return a.Getenv(name)
}

// spoken is the language of a command line that was not understood: that of --lang where it stands, else that of the environment.
func (a *app) spoken(args []string) report.Lang {
	for i, arg := range args {
		value, ok := strings.CutPrefix(arg, "--lang=")
		if arg == "--lang" && i+1 < len(args) {
			value, ok = args[i+1], true
		}
		if lang, known := report.ParseLang(value); ok && known {
			return lang
		}
	}
	return a.environment()
}

// environment is the language that LC_ALL, LC_MESSAGES or LANG ask for, the first of them that is set.
func (a *app) environment() report.Lang {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := a.env(name); value != "" {
			lang, _ := report.ParseLang(value)
			return lang
		}
	}
	return report.English
}

func (a *app) json() bool { return a.output == "json" }

// dataLang is the language of sentences that stand in a document and in text alike: a document has none, so they are English there.
func (a *app) dataLang() report.Lang {
	if a.json() {
		return report.English
	}
	return a.lang
}

// maxInput is the largest file read whole from the command line, in bytes: the same as for a file of a bundle.
const maxInput = 16 << 20

// read gives the bytes of a file, or of standard input for "-", up to maxInput.
func (a *app) read(name string) ([]byte, error) { return a.readUpTo(name, maxInput) }

// readUpTo gives the bytes of a file of at most limit bytes, or of standard input for "-".
func (a *app) readUpTo(name string, limit int64) ([]byte, error) {
	in := a.In
	var buffer bytes.Buffer
	if name != "-" {
		f, err := openRegular(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
		// Growing step by step costs more than reading; the size is only a first guess.
		if info, err := f.Stat(); err == nil {
			buffer.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
		}
	}
	if _, err := buffer.ReadFrom(io.LimitReader(in, limit+1)); err != nil {
		return nil, readError(name, err)
	}
	b := buffer.Bytes()
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s: found more than %d bytes, want at most that", name, limit)
	}
	sparing(len(b))
	return b, nil
}

// openRegular opens a file that is neither a folder nor a pipe, which could make a reader wait for ever.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, readError(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: found a %s, want a regular file", name, kindOf(info.Mode()))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, readError(name, err)
	}
	return f, nil
}

func kindOf(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&os.ModeNamedPipe != 0:
		return "named pipe"
	case m&os.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// readError keeps the file's name and drops the operation, which says nothing to a user.
func readError(name string, err error) error {
	if name == "" {
		name = `""`
	}
	var path *os.PathError
	var link *os.LinkError
	if errors.As(err, &path) {
		err = path.Err
	} else if errors.As(err, &link) {
		err = link.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
