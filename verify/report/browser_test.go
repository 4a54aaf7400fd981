package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const browserDir = "testdata/browser"

// needBrowser skips where Chromium, node or the node modules are not there. Where CI is set that is a failure: the pages must be looked at.
func needBrowser(t *testing.T) {
	t.Helper()
	missing := ""
	for name, path := range map[string]string{"node": "node", "Chromium": chromium()} {
		if _, err := exec.LookPath(path); err != nil {
			missing = name + " is not installed"
		}
	}
	if _, err := os.Stat(filepath.Join(browserDir, "node_modules", "axe-core")); err != nil {
		missing = "the node modules are not there; run npm ci in verify/report/" + browserDir
	}
	switch {
	case missing == "":
	case os.Getenv("CI") != "":
		t.Fatal(missing)
	default:
		t.Skip(missing)
	}
}

func chromium() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	return "/usr/bin/chromium"
}

// Every page is looked at in Chromium, light and dark, at 400 and 1400 pixels and as printed on A4: no message on the console, no request
// beside the page itself, both columns in sight side by side, the label of AI Act art. 50, text in pictures large enough, every link leads
// to a file, and no finding of axe-core.
func TestPagesInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	needBrowser(t)
	rehearsal := sample()
	rehearsal.Unfit = []string{"--insecure-without-freeze"}
	for name, c := range map[string]struct {
		replay *Replay
		lang   Lang
		pages  []string
	}{
		"en": {sample(), English, []string{"index.html", "conformite/index.html", "conformite/agent-01/report.html", "conformite/agent-03/report.html"}},
		"fr": {rehearsal, French, []string{"index.html", "conformite/index.html", "generique/index.html", "conformite/agent-01/report.html"}},
	} {
		t.Run(name, func(t *testing.T) {
			out := look(t, writeFolder(t, c.replay, c.lang), c.pages...)
			for _, fault := range out[:len(out)-1] {
				t.Error(fault)
			}
			if last := out[len(out)-1]; last != "looked at 4 pages" {
				t.Errorf("found %q, want all 4 pages looked at", last)
			}
		})
	}
}

// The test that finds nothing must be able to find something.
func TestBrowserFindsFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	needBrowser(t)
	dir := t.TempDir()
	page := `<!doctype html><html><head><style>body{color:#999;background:#fff}</style></head><body><p class="banner">none</p><div style="width:2000px">wide</div>
<img src="https://example.invalid/x.png"><script>console.error("said")</script><table class="index"><tbody><tr><td class="rate" style="display:none">1</td><td class="rate">2</td></tr></tbody></table>
<svg viewBox="0 0 3000 10" width="300"><text>small</text></svg><a href="nowhere.html">x</a></body></html>`
	if err := os.WriteFile(filepath.Join(dir, "bad.html"), []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	out := strings.Join(look(t, dir), "\n")
	for _, want := range []string{`error: said`, `request for https://example\.invalid`, `pixels wide`, `no label of AI Act`, `not the best constant`, `without both columns`,
		`text of .* pixels in a picture`, `a picture without words`, `no language`, `axe color-contrast`, `axe html-has-lang`, `a script element`, `dark, 400\): a background`,
		`nowhere\.html leads nowhere`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the browser did not find %q in\n%s", want, out)
		}
	}
}

// look runs the browser over a folder, or the pages named, and returns its lines.
func look(t *testing.T, dir string, pages ...string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{filepath.Join(browserDir, "look.mjs"), dir}, pages...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
