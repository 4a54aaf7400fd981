package cli

// How messages look:
//
//   - Answers go to stdout, complaints and warnings to stderr. A complaint is one line: "proveit: ", lowercase, no full stop.
//   - A check is one line: its status, its name, what there is to say. Under it, indented, for whatever does not hold: found, expected,
//     where, and what to do next.
//   - The last line of an answer is the result, from the value that decides the exit code.
//   - What cannot be seen in a text that is not ours, or would move a cursor, turn its direction or begin a line, is escaped.
//   - Colour only on status words, only on a terminal, never with NO_COLOR or --no-color.

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
)

// styled is text of our own with colour in it.
type styled string

// printf writes to standard output. Only the format and what is styled are ours: every other text may be a party's.
func (a *app) printf(format string, args ...any) {
	shown := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			shown[i] = report.Visible(v)
		case []string:
			list := make([]string, len(v))
			for j := range v {
				list[j] = report.Visible(v[j])
			}
			shown[i] = list
		default:
			shown[i] = v
		}
	}
	fmt.Fprintf(a.Out, format, shown...)
}

// list prints a heading and lines under it.
func (a *app) list(label string, lines []string) {
	a.printf("%s\n", report.Heading(label, a.lang))
	for _, line := range lines {
		a.printf("%s\n", line)
	}
}

// complaint is an error's text with what cannot be seen escaped, line by line: several errors are several lines.
func complaint(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = report.Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

// complain prints why the question could not be put.
func (a *app) complain(err error) {
	fmt.Fprintf(a.Err, "proveit: %s\n", complaint(clipped(report.Phrase(wording(err), a.lang))))
}

// warn prints a warning on stderr unless --quiet.
func (a *app) warn(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.Err, "proveit: %s\n", complaint(report.Phrase(fmt.Sprintf(format, args...), a.lang)))
	}
}

// writeJSON prints one document. Its members stand in the order of the Go type, so the bytes are always the same.
func writeJSON(w io.Writer, v any) error { return report.JSON(w, v) }

// terminal reports whether w is a terminal that takes colour.
func (a *app) terminal(w io.Writer) bool {
	if answer, ok := w.(*answerWriter); ok {
		w = answer.w
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// status is a status word, in colour where that helps. In documents it is a code; for people it is a word of their language.
func (a *app) status(word string) styled {
	padded := fmt.Sprintf("%-8s", word)
	if key := "word_" + word; report.Label(key, a.lang) != key {
		padded = fmt.Sprintf("%-8s", report.Label(key, a.lang))
	}
	if a.noColor || a.env("NO_COLOR") != "" || !a.terminal(a.Out) {
		return styled(padded)
	}
	code := map[string]string{"ok": "32", "failed": "31", "pending": "33", "skipped": "36"}[word]
	if code == "" {
		return styled(padded)
	}
	return styled("\x1b[" + code + "m" + padded + "\x1b[0m")
}

// checks prints a list of checks.
func (a *app) checks(cs verify.Checks) {
	for _, c := range cs {
		line := c.Name
		if c.Independent && c.Status == verify.OK {
			line += " (" + report.Label("independent", a.lang) + ")"
		}
		if c.Note != "" {
			line += ": " + c.Note
		}
		if c.Reason != "" {
			line += ": " + string(c.Reason)
		}
		a.printf("%s %s\n", a.status(c.Status.String()), line)
		a.detail(c.Reason, c.Detail)
	}
}

// detail prints the other four parts of a refusal under its code.
func (a *app) detail(code verify.Reason, f *verify.Failure) {
	message, known := report.Explain(code, a.lang)
	if known {
		a.printf("         %s\n", message.Means)
	}
	if f != nil {
		a.part("found", report.Phrase(f.Found, a.lang))
		a.part("expected", report.Phrase(f.Wanted, a.lang))
		a.part("where", f.Place())
	}
	if known {
		a.part("next", message.Next)
	}
}

func (a *app) part(label, text string) {
	if text != "" {
		a.printf("         %s%s\n", report.Named(label, a.lang), text)
	}
}

// failure prints one refusal, all five parts.
func (a *app) failure(f *verify.Failure) { a.refused("failed", f) }

// refused prints one refusal under a status of its own.
func (a *app) refused(status string, f *verify.Failure) {
	a.printf("%s %s\n", a.status(status), f.Reason)
	a.detail(f.Reason, f)
}

// result prints the last line of an answer.
func (a *app) result(text string) {
	a.printf("%s%s\n", report.Named("result", a.lang), text)
}
