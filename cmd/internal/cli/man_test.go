package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manDir is where make dist wants the manual pages. They are written from the tree of commands, so that they say what --help says.
var manDir = flag.String("man", "", "write the manual pages into this folder")

// TestManPages writes a page for every command that --help shows, and checks that each says what a reader looks for.
func TestManPages(t *testing.T) {
	pages := map[string]string{}
	a := &app{}
	collectPages(a.root(), pages)
	if len(pages) < 10 {
		t.Fatalf("%d pages, want one for every command", len(pages))
	}
	for name, page := range pages {
		for _, section := range []string{".TH ", ".SH NAME", ".SH SYNOPSIS"} {
			if !strings.Contains(page, section) {
				t.Errorf("%s has no %s", name, section)
			}
		}
		for i, line := range strings.Split(page, "\n") {
			if strings.HasPrefix(line, "'") {
				t.Errorf("%s:%d: text begins with a quote, which roff takes for a request", name, i+1)
			}
		}
		if *manDir != "" {
			if err := os.WriteFile(filepath.Join(*manDir, name), []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// collectPages adds the page of a command and of those below it.
func collectPages(c *cobra.Command, pages map[string]string) {
	if c.Hidden || c.Name() == "help" {
		return
	}
	pages[strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"] = manPage(c)
	for _, sub := range c.Commands() {
		collectPages(sub, pages)
	}
}

// manPage is the manual page of one command in roff's man macros (man(7)).
func manPage(c *cobra.Command) string {
	var b strings.Builder
	title := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %q 1 \"\" \"proveit %s\" \"proveit\"\n", strings.ToUpper(title), Version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(title), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roff(c.UseLine()))
	if c.Long != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(c.Long))
	}
	manFlags(&b, "OPTIONS", c.NonInheritedFlags())
	manFlags(&b, "COMMON OPTIONS", c.InheritedFlags())
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	var others []string
	for _, sub := range c.Commands() {
		if !sub.Hidden && sub.Name() != "help" {
			others = append(others, ".BR "+roff(title+"-"+sub.Name())+" (1)")
		}
	}
	if c.HasParent() {
		others = append(others, ".BR "+roff(strings.ReplaceAll(c.Parent().CommandPath(), " ", "-"))+" (1)")
	}
	if len(others) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(others, ",\n"))
	}
	return b.String()
}

func manFlags(b *strings.Builder, heading string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", heading)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			name += " " + value
		}
		fmt.Fprintf(b, ".TP\n%s\n%s\n", roff(name), roff(usage))
	})
}

// roff escapes text: backslashes, hyphens that must stay hyphens, characters beyond ASCII (groff_char(7)), and lines that begin like a request.
func roff(text string) string {
	var b strings.Builder
	for _, r := range strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	lines := strings.Split(b.String(), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
