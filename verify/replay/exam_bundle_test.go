package replay_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/simulate"
)

// organizer says what a changed byte of a file of the organizer's must lead to.
var organizer = []struct {
	name *regexp.Regexp
	want string // "no score", "difference", or "nothing gained"
	why  string // for bytes that may change: why nothing depends on them
}{
	{regexp.MustCompile(`^(season|enrolments)\.json$`), "no score", ""},
	{regexp.MustCompile(`^freeze/freeze\.json$`), "nothing gained", "white space, and the reason that is shown beside a superseded freeze"},
	{regexp.MustCompile(`^freeze/`), "no score", ""},
	{regexp.MustCompile(`^corpus/systeme/`), "nothing gained", "white space: of a system body the manifest has the response hash, which is that of its value"},
	{regexp.MustCompile(`^corpus/`), "no score", ""},
	{regexp.MustCompile(`^published/`), "difference", "white space, and the label of the declared stack's file"},
	{regexp.MustCompile(`^trust/`), "nothing gained", "white space, names that people read, text around PEM blocks, a window that no proof comes near"},
	{regexp.MustCompile(`^(proofs|rekor)/`), "nothing gained", "white space, and the places that the exam of views has on its list"},
	{regexp.MustCompile(`^submissions/`), "nothing gained", "white space, narrative, labels of assertions"},
}

// TestExamBundle changes one byte at a time in every file of a season's bundle.
func TestExamBundle(t *testing.T) {
	files := bundleOfOne(t)
	dir := t.TempDir()
	for name, b := range files {
		if err := writeUnder(dir, name, b); err != nil {
			t.Fatal(err)
		}
	}
	before, err := outcome(t, dir)
	if err != nil || before.ExitCode != 0 {
		t.Fatalf("the bundle that is changed: %v, %+v", err, before.Published.Differences)
	}
	counts := map[string][2]int{} // by folder: mutations, survivors
	ran, accepted, survived := 0, 0, 0
	for i, name := range slices.Sorted(maps.Keys(files)) {
		j := slices.IndexFunc(organizer, func(o struct {
			name *regexp.Regexp
			want string
			why  string
		}) bool {
			return o.name.MatchString(name)
		})
		if j < 0 || !long && (strings.HasPrefix(name, "corpus/pages") || strings.HasPrefix(name, "rekor")) && i%9 != 0 {
			continue
		}
		for _, changed := range spoiled(files[name], i) {
			if err := writeUnder(dir, name, changed); err != nil {
				t.Fatal(err)
			}
			ran++
			after, err := outcome(t, dir)
			fault, same := judgeBundle(organizer[j].want, before, after, err)
			if fault == "" && same && organizer[j].why == "" {
				fault = "nothing changed, and no reason is given for that"
			}
			if fault != "" {
				accepted++
				t.Errorf("%s, byte %d: %s", name, firstDifference(files[name], changed), fault)
			}
			c := counts[strings.Split(name, "/")[0]]
			if c[0]++; same {
				survived++
				c[1]++
			}
			counts[strings.Split(name, "/")[0]] = c
		}
		if err := writeUnder(dir, name, files[name]); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("exam of a bundle's files: %d mutations, %d accepted, %d on the list of informational places", ran, accepted, survived)
	for _, folder := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%s: %d changed bytes, %d of them without an effect", folder, counts[folder][0], counts[folder][1])
	}
	if ran < 60 {
		t.Errorf("%d mutations ran, want at least 60", ran)
	}
}

// bundleOfOne is a season of one exact participant, with what it published.
func bundleOfOne(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := simulate.Season(simulate.Options{Participants: 1, Seed: "examen du dossier"})
	if err != nil {
		t.Fatal(err)
	}
	delete(files, "expected.json")
	return files
}

// spoiled are copies of a file with one bit changed, at places spread over it that differ from file to file; with a byte more, and one less.
func spoiled(b []byte, seed int) [][]byte {
	n := 1
	if long {
		n = 6
	}
	var out [][]byte
	for i := range n {
		at := (len(b)*(2*i+1)/(2*n) + 7*seed) % len(b)
		c := bytes.Clone(b)
		c[at] ^= 1 << ((seed + i) % 7)
		out = append(out, c)
	}
	if long || seed%4 == 0 {
		out = append(out, b[:len(b)-2], append(bytes.Clone(b), ' '))
	}
	return out
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return len(a)
}

// judgeBundle says what is wrong with an answer, and whether it is the answer to the bundle as it was.
func judgeBundle(want string, before, after *report.Replay, err error) (fault string, same bool) {
	if err != nil {
		return "", false // the question cannot be put: exit 2
	}
	if len(after.Tracks) == 0 {
		if after.ExitCode == 0 || after.ExitCode == 1 && freezeHolds(after) && len(after.Warnings) == 0 {
			return fmt.Sprintf("no score and exit %d without a named difference", after.ExitCode), false
		}
		return "", false
	}
	if want == "no score" {
		return fmt.Sprintf("a score, exit %d", after.ExitCode), false
	}
	same = sameScores(before, after) && after.ExitCode == before.ExitCode
	if same {
		return "", true
	}
	if want == "difference" && (after.ExitCode != 1 || len(after.Published.Differences) == 0) && len(after.Unread) == 0 && after.ExitCode != 3 {
		return fmt.Sprintf("exit %d with %d differences", after.ExitCode, len(after.Published.Differences)), false
	}
	if after.ExitCode == 0 {
		return "another score and exit 0", false
	}
	return moreSupported(before, after), false
}

func freezeHolds(doc *report.Replay) bool { return doc.Freeze.Holds }

func sameScores(a, b *report.Replay) bool {
	if len(a.Tracks) != len(b.Tracks) {
		return false
	}
	for i := range a.Tracks {
		x, y := a.Tracks[i].Participants, b.Tracks[i].Participants
		if len(x) != len(y) {
			return false
		}
		for j := range x {
			if !slices.EqualFunc(x[j].Tasks, y[j].Tasks, sameTask) {
				return false
			}
		}
	}
	return true
}

// moreSupported names an assertion that is supported where it was not before.
func moreSupported(before, after *report.Replay) string {
	had := map[string]bool{}
	each := func(doc *report.Replay, f func(key string, a report.Assertion)) {
		for _, track := range doc.Tracks {
			for _, p := range track.Participants {
				for _, task := range p.Tasks {
					if task.Status != verify.RejeteeEntree {
						for _, a := range task.Assertions {
							f(p.Participant+" "+task.TaskID+" "+a.ID, a)
						}
					}
				}
			}
		}
	}
	each(before, func(key string, a report.Assertion) { had[key] = had[key] || a.Supported })
	gained := ""
	each(after, func(key string, a report.Assertion) {
		if _, known := had[key]; known && a.Supported && !had[key] {
			gained = key + " is supported now"
		}
	})
	return gained
}

// TestExamFileNames files a proof, a log entry and a submission under another's name: the name in the file counts.
func TestExamFileNames(t *testing.T) {
	files := bundleOfOne(t)
	dir := t.TempDir()
	lay := func(name string, b []byte) {
		t.Helper()
		if err := writeUnder(dir, name, b); err != nil {
			t.Fatal(err)
		}
	}
	names := map[string][]string{}
	for name, b := range files {
		lay(name, b)
		folder := strings.Split(name, "/")[0]
		names[folder] = append(names[folder], name)
	}
	ran, accepted, survived := 0, 0, 0
	for _, folder := range []string{"submissions", "rekor", "corpus"} {
		list := names[folder]
		slices.Sort(list)
		for i, name := range list {
			if i == 0 || !long && i%16 != 1 || filepath.Ext(name) != ".json" {
				continue
			}
			before := list[i-1]
			lay(name, files[before]) // two files of one folder, in each other's place
			lay(before, files[name])
			ran++
			after, err := outcome(t, dir)
			lay(name, files[name])
			lay(before, files[before])
			switch {
			case err != nil || after.ExitCode != 0:
			case folder == "rekor":
				survived++ // an entry is found by the UUID in it, whatever its file is called
			default:
				accepted++
				t.Errorf("%s and the file before it in each other's place: exit 0", name)
			}
		}
	}
	t.Logf("exam of files in each other's place: %d mutations, %d accepted, %d on the list of informational places", ran, accepted, survived)
	if ran < 8 {
		t.Errorf("%d mutations ran, want at least 8", ran)
	}
}
