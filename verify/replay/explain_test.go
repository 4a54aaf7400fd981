package replay_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/trust"
)

func explain(t *testing.T, path string, o replay.Options, q replay.Question) *replay.Explanation {
	t.Helper()
	b, err := bundle.Open(path, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	doc, err := replay.Explain(context.Background(), b, o, q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return doc
}

// tools are what the printed commands use. Where one is missing the commands cannot be run.
func tools(t *testing.T) {
	t.Helper()
	for _, name := range []string{"bash", "openssl", "jq", "python3", "xxd", "sha256sum", "base64", "awk", "sed", "unzip"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no %s on this machine", name)
		}
	}
}

// mark stands between the outputs of two commands: it occurs in none.
const mark = "\x1e\n"

// runCommands runs the commands of an explanation with bash in a folder and compares what each prints with the value beside it. It gives
// how many it ran.
func runCommands(t *testing.T, folder string, env []string, doc *replay.Explanation, wanted func(condition string, c replay.Comparison) bool) int {
	t.Helper()
	type line struct {
		name string
		v    replay.ShownValue
	}
	var script strings.Builder
	var lines []line
	fmt.Fprintln(&script, strings.Join(doc.Setup, "\n"))
	for _, p := range doc.Proofs {
		fmt.Fprintln(&script, strings.Join(p.Setup, "\n"))
		for _, c := range p.Conditions {
			for _, comparison := range c.Comparisons {
				if !wanted(c.Condition, comparison) {
					continue
				}
				for _, v := range comparison.Values {
					if v.Command != "" {
						lines = append(lines, line{p.ProofID + " " + c.Condition + " " + comparison.Name + " " + v.What, v})
						fmt.Fprintf(&script, "%s\nprintf '\\036\\n'\n", v.Command)
					}
				}
			}
		}
	}
	cmd := exec.Command("bash", "-s")
	cmd.Dir, cmd.Stdin, cmd.Env = folder, strings.NewReader(script.String()), append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bash: %v: %s", err, stderr.String())
	}
	outputs := strings.Split(string(out), mark)
	if len(outputs) != len(lines)+1 {
		t.Fatalf("%d outputs of %d commands", len(outputs)-1, len(lines))
	}
	for i, l := range lines {
		if got := strings.TrimSuffix(outputs[i], "\n"); got != l.v.Value {
			t.Errorf("%s: the command prints %q, want %q\n%s", l.name, got, l.v.Value, l.v.Command)
		}
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", stderr.String())
	}
	return len(lines)
}

// all runs every command; decisive those of the comparisons that do not hold, which are few.
func all(string, replay.Comparison) bool { return true }

func decisive(condition string, c replay.Comparison) bool { return c.Status == "failed" }

// picked are the assertions that assertions found: the season is replayed once.
var picked map[string]replay.Question

// assertions picks, from a replay of the minted season, the first assertion of every cause and reason.
func assertions(t *testing.T) map[string]replay.Question {
	t.Helper()
	if picked != nil {
		return picked
	}
	out := map[string]replay.Question{}
	doc := run(t, mintedSeason, replay.Options{Jobs: 2})
	for _, track := range doc.Tracks {
		for _, p := range track.Participants {
			for _, task := range p.Tasks {
				for _, a := range task.Assertions {
					name := "supported"
					if a.Cause != nil {
						name = string(*a.Cause) + " " + string(a.Reason)
					}
					if _, ok := out[name]; !ok {
						out[name] = replay.Question{Participant: p.Participant, Track: track.Track, Task: task.TaskID, Assertion: a.ID}
					}
				}
			}
		}
	}
	if len(out) < 10 {
		t.Fatalf("found %d kinds of assertions, want at least 10", len(out))
	}
	picked = out
	return out
}

// explainedKinds are the kinds of assertions whose commands are always run: one for each comparison that can fail.
var explainedKinds = []string{"supported", "defaut_instrument system_body", "identite_non_liee did_differs", "identite_non_liee identity_differs",
	"preuve_invalide batch_root_differs", "preuve_invalide chain_hash_differs", "preuve_invalide key_not_published", "preuve_invalide proof_null",
	"preuve_invalide rekor_artifact", "preuve_invalide rekor_inclusion", "preuve_invalide rekor_leaf", "preuve_invalide rekor_set", "preuve_invalide rekor_signature",
	"preuve_invalide request_differs", "preuve_invalide signature_differs", "preuve_invalide token_outside_season", "preuve_invalide tsa_imprint",
	"ressource_non_correspondante resource_differs", "valeur_non_correspondante body_differs", "valeur_non_correspondante value_differs"}

// TestExplainCommands runs the printed commands of one assertion of each kind: their output must be the printed value. Where an assertion is
// not supported it runs those that decide; with PROVEIT_ALL_COMMANDS set, all of them of every reason that the season has, which takes
// many minutes.
func TestExplainCommands(t *testing.T) {
	tools(t)
	kinds := assertions(t)
	names := explainedKinds
	if os.Getenv("PROVEIT_ALL_COMMANDS") != "" {
		names = slices.Sorted(maps.Keys(kinds))
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			q, ok := kinds[name]
			if !ok {
				t.Fatal("the season has no such assertion")
			}
			doc := explain(t, mintedSeason, replay.Options{}, q)
			got := "supported"
			if doc.Cause != nil {
				got = string(*doc.Cause) + " " + string(doc.Reason)
			}
			if got != name || len(doc.Proofs) == 0 {
				t.Errorf("explained as %q with %d proofs, want %q", got, len(doc.Proofs), name)
			}
			if name == "supported" {
				if n := runCommands(t, mintedSeason, nil, doc, all); n < 60 {
					t.Errorf("ran %d commands, want at least 60", n)
				}
				return
			}
			which := decisive
			if os.Getenv("PROVEIT_ALL_COMMANDS") != "" {
				which = all
			}
			runCommands(t, mintedSeason, nil, doc, which)
		})
	}
}

// statuses are the statuses of all comparisons of an explanation, by condition and name.
func statuses(doc *replay.Explanation) map[string]string {
	out := map[string]string{}
	for _, p := range doc.Proofs {
		for _, c := range p.Conditions {
			for _, comparison := range c.Comparisons {
				out[c.Condition+" "+comparison.Name] = comparison.Status
			}
		}
	}
	return out
}

// TestExplainShowsEveryStep: a supported assertion shows every comparison of the four conditions, and each holds.
func TestExplainShowsEveryStep(t *testing.T) {
	got := statuses(explain(t, mintedSeason, replay.Options{}, assertions(t)["supported"]))
	for _, name := range []string{"1 request_hash_opening", "1 response_hash_opening", "1 chain_hash", "1 published_key", "1 signature", "1 batch_path", "1 imprint",
		"1 token_time", "1 token", "1 entry_leaf", "1 entry_artifact", "1 entry_path", "1 entry_root", "1 entry_size", "1 entry_set", "1 entry_checkpoint",
		"1 entry_signature", "1 submitter", "2 spec_version", "2 identity_opening", "2 did", "2 identity_verified", "2 identity_bound", "3 request_hash",
		"3 manifest_request", "system system_bodies", "4 response_hash", "4 manifest_response", "4 value"} {
		if got[name] != "ok" {
			t.Errorf("%s: %q, want ok", name, got[name])
		}
	}
}

// TestExplainNamesTheComparison: where an assertion is not supported, the comparison that fails is the one of its reason.
func TestExplainNamesTheComparison(t *testing.T) {
	kinds := assertions(t)
	for kind, comparison := range map[string]string{
		"valeur_non_correspondante value_differs":       "4 value",
		"valeur_non_correspondante type_differs":        "4 value",
		"ressource_non_correspondante resource_differs": "3 request_hash",
		"identite_non_liee did_differs":                 "2 did",
		"preuve_invalide token_outside_season":          "1 token_time",
		"defaut_instrument system_body":                 "system system_bodies",
	} {
		q, ok := kinds[kind]
		if !ok {
			t.Errorf("the season has no %s", kind)
			continue
		}
		if got := statuses(explain(t, mintedSeason, replay.Options{}, q)); got[comparison] != "failed" {
			t.Errorf("%s: %s is %q, want failed", kind, comparison, got[comparison])
		}
	}
}

// everyFile takes comparisons that read, together, every kind of file.
func everyFile(_ string, c replay.Comparison) bool {
	return slices.Contains([]string{"request_hash_opening", "published_key", "token", "token_time", "entry_set", "did", "request_hash", "system_bodies", "value"}, c.Name)
}

// TestExplainFromAnArchive: the commands read a .zip with unzip -p, and a trust folder of the reader's own.
func TestExplainFromAnArchive(t *testing.T) {
	tools(t)
	folder := t.TempDir()
	f, err := os.Create(filepath.Join(folder, "the season.zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	if err := z.AddFS(os.DirFS(mintedSeason)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	own, err := filepath.Abs(filepath.Join(mintedSeason, "trust"))
	if err != nil {
		t.Fatal(err)
	}
	var fsys fs.FS = os.DirFS(own)
	store, err := trust.Load(fsys, "--trust")
	if err != nil {
		t.Fatal(err)
	}
	q := assertions(t)["supported"]
	q.Archive, q.Trust = "the season.zip", fsys
	doc := explain(t, f.Name(), replay.Options{Trust: store}, q)
	if n := runCommands(t, folder, []string{"TRUST=" + own}, doc, everyFile); n < 18 {
		t.Errorf("ran %d commands, want at least 18", n)
	}
}

func TestExplainRefuses(t *testing.T) {
	good := assertions(t)["supported"]
	b, err := bundle.Open(mintedSeason, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for name, change := range map[string]func(q *replay.Question){
		"participant": func(q *replay.Question) { q.Participant = "nobody" },
		"task":        func(q *replay.Question) { q.Task = "conf-99" },
		"track":       func(q *replay.Question) { q.Track = "generique" },
		"assertion":   func(q *replay.Question) { q.Assertion = "zz" },
	} {
		q := good
		change(&q)
		if doc, err := replay.Explain(context.Background(), b, replay.Options{}, q); err == nil {
			t.Errorf("another %s: explained %+v, want an error", name, doc)
		}
	}
}

// TestExplainByDID: the participant may be named by DID and the track left out where one alone has the task.
func TestExplainByDID(t *testing.T) {
	q := assertions(t)["supported"]
	first := explain(t, mintedSeason, replay.Options{}, q)
	q.Participant, q.Track = first.DID, ""
	if again := explain(t, mintedSeason, replay.Options{}, q); again.File != first.File || !again.Supported {
		t.Errorf("explained %s, want %s", again.File, first.File)
	}
}

func TestExplainWithoutFreeze(t *testing.T) {
	dir := seasonCopy(t)
	edit(t, dir, keyFile, func(key map[string]any) { firstClaim(key)["value"] = "suspendu" })
	doc := explain(t, dir, replay.Options{}, assertions(t)["supported"])
	if doc.ExitCode != 1 || len(doc.Proofs) != 0 || len(doc.Refusals) == 0 || doc.Refusals[0].Code != "binding_differs" {
		t.Errorf("exit %d, refusals %+v, want 1 and binding_differs", doc.ExitCode, doc.Refusals)
	}
}

func TestExplainPending(t *testing.T) {
	const open = "../../testdata/season-open"
	doc := run(t, open, replay.Options{})
	for _, track := range doc.Tracks {
		for _, p := range track.Participants {
			if len(p.Withheld) == 0 {
				continue
			}
			got := explain(t, open, replay.Options{}, replay.Question{Participant: p.Participant, Track: track.Track, Task: p.Withheld[0], Assertion: "a1"})
			if got.ExitCode != 3 || len(got.Missing) == 0 || got.Supported {
				t.Errorf("%s %s: exit %d, missing %v", p.Participant, p.Withheld[0], got.ExitCode, got.Missing)
			}
			return
		}
	}
	t.Error("no withheld task in the open season")
}
