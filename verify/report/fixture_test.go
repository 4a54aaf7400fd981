package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify"
)

// hostile are names that a format could take for its own: markup, table bars, code fences, shell and terminal characters.
var hostile = []string{
	"L’agent « Étoile » <n° 1> & Cie",
	"a | b `c` ``d`` *e* _f_ [g](h) # i",
	"</script><script>alert(1)</script>",
	`"><img src=x onerror=alert(1)>`,
	"line\nbreak\ttab \u001b[31mred \u202eright to left",
	"{{.Name}} %s %d \\ 'quote' \"double\"",
}

func overclaim(unsupported, asserted int, percent string) *Overclaim {
	return &Overclaim{unsupported, asserted, percent}
}

func success(exact, tasks int, percent string) *Success { return &Success{exact, tasks, percent} }

func yes() *bool { b := true; return &b }

func no() *bool { b := false; return &b }

func cause(c verify.Cause) *verify.Cause { return &c }

// person is a participant with all that a JSON document needs.
func person(id, name, table string, o *Overclaim, s *Success, withheld ...string) Participant {
	return Participant{Participant: id, Name: name, DID: "did:key:z6Mk" + id + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", Table: table, Stack: "a library",
		Tasks: []Task{}, Overclaim: o, Success: s, Rendered: 2, Withheld: orEmpty(withheld), Proofs: []string{"prf_20261001_000000_0000aa"}}
}

// unsupported is one assertion for each cause, with what the catalogue needs beside it.
func unsupported() []Assertion {
	detail := &Detail{Found: `"2026-06-30"`, Expected: `"2026-07-31"`, File: "corpus/attestations/ATT-9.json", Pointer: "/date_fin"}
	claim := func(id string, c verify.Cause, r verify.Reason) Assertion {
		return Assertion{ID: id, Cause: cause(c), Reason: r, Detail: detail, ProofID: "prf_20261001_000000_0000aa",
			Resource: "/attestations/ATT-9", Field: "/date_fin", Value: `"\u00e9t\u00e9 \u202e"`}
	}
	return []Assertion{
		{ID: "a0", Supported: true},
		claim("a1", verify.PreuveInvalide, "token_outside_season"), claim("a2", verify.IdentiteNonLiee, "did_differs"),
		claim("a3", verify.RessourceNonCorrespondante, "resource_differs"), claim("a4", verify.ValeurNonCorrespondante, "value_differs"),
		claim("a5", verify.DefautInstrument, "system_body"),
	}
}

// full is a participant whose tasks have everything that can happen to a task.
func full() Participant {
	p := person("agent-01", hostile[0], "community", overclaim(4, 5, "80.00"), success(1, 7, "14.29"))
	p.Tasks = []Task{
		{TaskID: "conf-01", Status: verify.Rendue, Verdict: "conforme", VerdictExact: yes(), Grounded: no(), MissingFacts: []string{"f1", "f2"}, Assertions: unsupported(),
			Narrative: strings.Join(hostile, "\r\n") + "\n# a heading | a bar"},
		{TaskID: "conf-02", Status: verify.Rendue, Verdict: "conforme", VerdictExact: yes(), Grounded: yes(), MissingFacts: []string{}, Assertions: []Assertion{},
			Narrative: strings.Repeat("é", longestProse)},
		{TaskID: "conf-03", Status: verify.RejeteeEntree, MissingFacts: []string{}, Assertions: []Assertion{},
			Refusals: []Notice{{Code: "member_missing", Detail: &Detail{Found: "nothing", Expected: "a string", File: "submissions/agent-01/conformite/conf-03.json", Pointer: "/verdict"}}}},
		{TaskID: "conf-04", Status: verify.RejeteeCloture, Verdict: "conforme", MissingFacts: []string{}, Assertions: unsupported()[1:2],
			Refusals: []Notice{{Code: "resource_outside_graph", Detail: &Detail{Found: "/autre/1", Expected: "a resource of the task"}}}},
		{TaskID: "conf-05", Status: verify.NonRendue, Verdict: "conforme", MissingFacts: []string{}, Assertions: []Assertion{}, Refusals: []Notice{{Code: "below_minimum"}}},
		{TaskID: "conf-06", Status: verify.EnAttente, Verdict: "conforme", MissingFacts: []string{}, Assertions: []Assertion{}},
		{TaskID: "conf-07", Status: verify.TacheIncomp, Verdict: "conforme", MissingFacts: []string{}, Assertions: []Assertion{}},
		{TaskID: "conf-08", Status: verify.Absente, MissingFacts: []string{}, Assertions: []Assertion{}},
	}
	p.Incidents = []Incident{{Code: "flat_field", Participant: p.Participant, Track: "conformite", TaskID: "conf-01", Assertion: "a1", ProofID: "prf_20261001_000000_0000aa",
		Detail: &Detail{Found: "x", Expected: "y", Pointer: "/hashes/request"}}}
	p.Missing = []Missing{{"proof", "prf_20261001_000000_0000bb"}, {"anchor", "prf_20261001_000000_0000cc"}, {"proof", "prf_20261001_000000_0000bb"}}
	return p
}

// sample is a replay with two tracks, both tables, withheld and empty rates, and hostile names.
func sample() *Replay {
	r := &Replay{}
	r.ReplayHead = ReplayHead{Format: FormatReplay, Season: 3, Unfit: []string{}, Freeze: Freeze{Holds: true, Freezes: []FreezeAnchor{
		{ProofID: "prf_20260901_000000_0000ee", Status: "superseded", Reason: "list corrected <before> opening", TokenTime: "2026-09-01T00:10:00Z"},
		{ProofID: "prf_20260910_000000_0000ff", Status: "current", TokenTime: "2026-09-10T00:10:00Z"}}, Checks: []Check{}, Bound: []string{"freeze/key-conformite.json"}, Unbound: []string{}}}
	constant := BestConstant{Verdict: "non_conforme", Success: Success{4, 10, "40.00"}}
	reference := person("ref-01", hostile[1], "reference", overclaim(0, 40, "0.00"), success(10, 10, "100.00"))
	withheld := person("agent-03", hostile[3], "community", nil, nil, "conf-01", "conf-02")
	withheld.Stack = hostile[2]
	r.Tracks = []Track{
		{Track: "conformite", Bareme: "conformite-bareme-v3", BestConstant: constant, Participants: []Participant{
			full(), person("agent-02", hostile[2], "community", nil, success(0, 10, "0.00")), withheld, person("agent-04", hostile[4], "community", overclaim(1, 3, "33.33"), success(9, 10, "90.00")), reference}},
		{Track: "generique", Bareme: "generique-bareme-v1", BestConstant: constant, Participants: []Participant{
			person("agent-01", hostile[0], "community", overclaim(1, 8, "12.50"), success(5, 10, "50.00")), person("agent-05", hostile[5], "community", overclaim(3, 41, "7.32"), success(5, 10, "50.00"))}},
	}
	r.ReplayTail = ReplayTail{Incidents: full().Incidents, Published: Published{Compared: []string{"published/index-conformite.json"}, Differences: []Difference{
		{File: "published/index-conformite.json", Pointer: "/tables/community/0/overclaim/percent", Published: `"0.00"`, Computed: `"80.00"`}}},
		Missing: []Missing{{"proof", "prf_20261001_000000_0000bb"}}, Silent: []string{"agent-muet"}, Strangers: []string{"inconnu"}, Unread: []Notice{{Code: "file_unreadable"}},
		Ignored: []string{"LISEZMOI.txt"}, Warnings: []Notice{{Code: "trust_unpinned"}}, Checked: Checked{11, 32, 4, 5, 67},
		Inputs: []Input{{"season.json", fmt.Sprintf("%064x", 1)}}, Trust: []TrustKey{{Kind: "issuer_key", Name: "key-1", Source: "trust/issuer/published_keys.json", SHA256: fmt.Sprintf("%064x", 2)}},
		Result: "differs", ExitCode: 1}
	return r
}

// writeFolder writes a replay as "season score" does, through the functions that a run calls.
func writeFolder(t *testing.T, r *Replay, l Lang) string {
	t.Helper()
	dir := t.TempDir()
	folder := NewFolder(func(name string) (io.WriteCloser, error) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		return os.Create(path)
	}, l)
	if err := folder.Begin(r); err != nil {
		t.Fatal(err)
	}
	for i, track := range r.Tracks {
		h := Header{Season: r.Season, Track: track.Track, Bareme: track.Bareme, BestConstant: track.BestConstant, Unfit: r.Unfit, Freezes: []string{"prf_20260910_000000_0000ff"}}
		for _, p := range track.Participants {
			if err := errors.Join(folder.Render(h, p), folder.Participant(i, p)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := folder.End(r); err != nil {
		t.Fatal(err)
	}
	return dir
}
