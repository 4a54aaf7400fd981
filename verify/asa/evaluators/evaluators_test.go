package evaluators

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Expected values are by hand.

func read(t *testing.T, name, text string) *document.Document {
	t.Helper()
	d, err := document.Read(name, []byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func did(name string) string { return `{"scheme":"did","value":"did:x:` + name + `"}` }

// agreement is one between did:x:client and did:x:provider with did:x:a as evaluator, and a selection.
func agreement(t *testing.T, selection string) *document.Agreement {
	t.Helper()
	return document.NewAgreement(read(t, "agreement.json", `{"agreement_id":"asa-1","status":"active","parties":{"client":{"identity":`+did("client")+`},"provider":{"identity":`+did("provider")+`},
		"evaluator":{"identity":`+did("a")+`,"type":"agent_as_judge"}},"service":{"type":"research"},"verification":{"evaluator_selection":`+selection+`},
		"quality_criteria":{"dimensions":[{"name":"x","weight":0.5,"metric":"percentage","slo":{"operator":"gte","value":1}},{"name":"y","weight":0.5,"metric":"percentage","slo":{"operator":"gte","value":1}}],"composite_threshold":75}}`))
}

// candidate is a qualified, independent evaluator with some members put in place of others.
func candidate(name string, change ...string) string {
	s := `{"identity":` + did(name) + `,"org":"org-` + name + `","model":"m","domains":["research"],"evaluations":50,"canary":{"passed":91,"total":100},"calibration_deviation":"8","cost_usd":"0.10","available":true,"coc_root":null}`
	for i := 0; i+1 < len(change); i += 2 {
		s = strings.Replace(s, change[i], change[i+1], 1)
	}
	return s
}

const parties = `{"agents":[{"identity":{"scheme":"did","value":"did:x:client"},"org":"org-client","model":"c","coc_root":"sha256:AA"},{"identity":{"scheme":"did","value":"did:x:provider"},"org":"org-provider","model":"p","coc_root":null}]}`

func assigned(t *testing.T, data string) []document.Event {
	t.Helper()
	return []document.Event{{Document: read(t, "events.jsonl:1", `{"type":"evaluator_assigned","data":`+data+`}`), Type: "evaluator_assigned"}}
}

// judge gives the ids of gaps graver than a note and of what is open, of one requirement.
func judge(t *testing.T, requirement string, in Input, readings ...string) (gaps, open []string) {
	t.Helper()
	for _, r := range readings {
		if err := in.Readings.Set(r); err != nil {
			t.Fatal(err)
		}
	}
	l := &finding.Log{}
	Judge(in, l)
	for _, f := range l.Findings() {
		if finding.Requirement(f.ID) != requirement || f.Outcome == finding.Gap && f.Severity == finding.Note {
			continue
		}
		slug := f.ID[strings.LastIndexByte(f.ID, '/')+1:]
		if f.Outcome == finding.Gap {
			gaps = append(gaps, slug)
		} else {
			open = append(open, slug)
		}
	}
	return gaps, open
}

func registry(t *testing.T, candidates ...string) *document.Document {
	t.Helper()
	return read(t, "evaluators.json", `{"policy":{"max_calibration_deviation":"8"},"evaluators":[`+strings.Join(candidates, ",")+`]}`)
}

func TestQualification(t *testing.T) {
	for _, c := range []struct {
		name, old, with string
		gap, open       string
	}{
		{"exactly qualified", "", "", "", ""},
		{"49 evaluations", `"evaluations":50`, `"evaluations":49`, "not-qualified", ""},
		{"90 of 100", `"passed":91`, `"passed":90`, "not-qualified", ""},
		{"9001 of 10000", `"passed":91,"total":100`, `"passed":9001,"total":10000`, "", ""},
		{"no canaries", `"passed":91,"total":100`, `"passed":0,"total":0`, "", "record-unknown"},
		{"more passed than there were", `"passed":91`, `"passed":101`, "", "record-unknown"},
		{"deviation over the limit", `"8"`, `"8.000000001"`, "not-qualified", ""},
		{"no deviation", `"calibration_deviation":"8",`, ``, "", "record-unknown"},
		{"no evaluations, bad canaries", `"evaluations":50,"canary":{"passed":91`, `"canary":{"passed":9`, "not-qualified", ""},
	} {
		gaps, open := judge(t, "R058", Input{Agreement: agreement(t, `{"mode":"random_from_pool"}`), Registry: registry(t, candidate("a", c.old, c.with)), Agents: read(t, "agents.json", parties)})
		if strings.Join(gaps, " ") != c.gap || strings.Join(open, " ") != c.open {
			t.Errorf("%s: %v and open %v, want %q and %q", c.name, gaps, open, c.gap, c.open)
		}
	}
	if gaps, _ := judge(t, "R058", Input{Agreement: agreement(t, `{"mode":"random_from_pool"}`), Registry: registry(t, candidate("a", `"passed":91`, `"passed":90`))}, "canary.cmp=greater-or-equal"); gaps != nil {
		t.Errorf("90 %% under greater-or-equal: %v", gaps)
	}
}

func TestIndependence(t *testing.T) {
	for _, c := range []struct{ name, old, with, gap, open string }{
		{"independent", "", "", "", ""},
		{"the client's organisation", "org-a", "org-client", "same-org", ""},
		{"no organisation", `"org":"org-a",`, ``, "", "no-org no-org"},
		{"the client's root in lower case", `"coc_root":null`, `"coc_root":"sha256:aa"`, "same-lineage", ""},
		{"the client's root among the ancestors", `"coc_root":null`, `"coc_root":"sha256:bb","coc_ancestors":["sha256:cc","sha256:Aa"]`, "same-lineage", ""},
		{"no root stated", `,"coc_root":null`, ``, "", "no-lineage no-lineage"},
	} {
		gaps, open := judge(t, "R057", Input{Agreement: agreement(t, `{"mode":"fixed"}`), Registry: registry(t, candidate("a", c.old, c.with)), Agents: read(t, "agents.json", parties)})
		if strings.Join(gaps, " ") != c.gap || strings.Join(open, " ") != c.open {
			t.Errorf("%s: %v and open %v, want %q and %q", c.name, gaps, open, c.gap, c.open)
		}
	}
	// Neither a fragment of a DID nor the case of hexadecimal digits makes another identity; another scheme cannot be compared.
	self := Agent{Identity: document.Identity{Scheme: "did", Value: "did:x:a#key-1"}, Org: "o", Lineage: Lineage{Stated: true}}
	for _, c := range []struct {
		other document.Identity
		want  document.Verdict
	}{{document.Identity{Scheme: "did", Value: "did:x:a"}, document.False}, {document.Identity{Scheme: "did", Value: "did:x:A"}, document.True}, {document.Identity{Scheme: "erc8004", Value: "0x"}, document.Unknown}} {
		if got := independent(self, Agent{Identity: c.other, Org: "p", Lineage: Lineage{Stated: true}}); got != c.want {
			t.Errorf("%s: %s, want %s", c.other, got, c.want)
		}
	}
}

func TestMutualAgreement(t *testing.T) {
	round := func(client, provider string) string {
		return `{"client":[` + client + `],"provider":[` + provider + `]}`
	}
	a, b, bare := `"did:did:x:a"`, `"did:did:x:b"`, `"did:x:a"`
	none := round(a, b)
	full := registry(t, candidate("a"), candidate("b"))
	for _, c := range []struct {
		name, rounds, more string
		registry           *document.Document
		gap, open          string
	}{
		{"common", round(a, a), "", full, "", ""},
		{"common, as the value alone", round(bare, a), "", full, "", ""},
		{"another was common", round(b, b), "", full, "other-pick", ""},
		{"the smaller of two", round(a+","+b, b+","+a), "", full, "", ""},
		{"common in a later round", none + "," + round(a, a), "", full, "", ""},
		{"not qualified", round(a, a), "", registry(t, candidate("a", `"evaluations":50`, `"evaluations":1`)), "pick-not-qualified", ""},
		{"record not known", round(a, a), "", registry(t, candidate("b")), "", "record-unknown"},
		{"no registry", round(a, a), "", nil, "", "record-unknown"},
		{"a known smaller name decides", round(a+","+b, a+","+b), "", registry(t, candidate("a")), "", ""},
		{"an unknown smaller name leaves it open", round(a+","+b, a+","+b), "", registry(t, candidate("b")), "", "record-unknown"},
		{"never proposed", none, "", full, "never-proposed", ""},
		{"drawn too early", none + "," + none, `"mode":"random_from_pool",`, full, "early-fallback", ""},
		{"drawn after three rounds", none + "," + none + "," + none, `"mode":"random_from_pool",`, full, "", ""},
		{"after three rounds", none + "," + none + "," + none, "", full, "", ""},
	} {
		in := Input{Agreement: agreement(t, `{"mode":"mutual_agreement"}`), Registry: c.registry, Agents: read(t, "agents.json", parties), Events: assigned(t, `{`+c.more+`"evaluator":"did:x:a","proposals":[`+c.rounds+`]}`)}
		gaps, open := judge(t, "R060", in)
		if strings.Join(gaps, " ") != c.gap || strings.Join(open, " ") != c.open {
			t.Errorf("%s: %v and open %v, want %q and %q", c.name, gaps, open, c.gap, c.open)
		}
		// only where the rounds are used up or a draw is claimed is there a draw to judge, and here it lacks its beacon
		_, beacon := judge(t, "R059", in)
		if want := strings.Contains(c.name, "three rounds") || c.more != ""; slices.Contains(beacon, "no-beacon") != want {
			t.Errorf("%s: draw open %v, want %v", c.name, beacon, want)
		}
	}
}

// The ranking of three candidates is whatever the hashes say; the rule on it is not: who is first among the eligible wins, and somebody ahead
// whose eligibility is not known may have won.
func TestDraw(t *testing.T) {
	beacon := canon.Sum([]byte("beacon"))
	order := func(change map[string][2]string) (Drawn, Input) {
		var list []string
		for _, n := range []string{"a", "b", "c"} {
			list = append(list, candidate(n, change[n][0], change[n][1]))
		}
		in := Input{Agreement: agreement(t, `{"mode":"random_from_pool"}`), Registry: registry(t, list...), Agents: read(t, "agents.json", parties), Beacon: beacon.Prefixed()}
		return Judge(in, &finding.Log{}), in
	}
	free, _ := order(nil)
	var rank []string
	for _, r := range free.Ranking {
		rank = append(rank, strings.TrimPrefix(r.Identity.Value, "did:x:"))
	}
	if len(rank) != 3 || free.Winner != free.Ranking[0].Identity {
		t.Fatalf("ranking %v, winner %v", rank, free.Winner)
	}
	// seed and digests a second time, as the recipe has them
	payload, _ := agreement(t, `{"mode":"random_from_pool"}`).Payload()
	seed := canon.Sum([]byte("asa-draw/1\n" + canon.Sum(payload).Prefixed() + "\n" + beacon.Prefixed() + "\n"))
	if digest := canon.Sum([]byte(fmt.Sprintf("%s\ndid:did:x:%s\n", seed, rank[0]))); free.Seed != seed || free.Ranking[0].Digest != digest {
		t.Errorf("seed %s and digest %s, want %s and %s", free.Seed, free.Ranking[0].Digest, seed, digest)
	}
	unknown, out := [2]string{`"org":"org-`, `"orgs":"`}, [2]string{`"available":true`, `"available":false`}
	for _, c := range []struct {
		name     string
		change   map[string][2]string
		assigned int // index in the ranking
		gap      string
		open     string
	}{
		{"the first", nil, 0, "", ""},
		{"the second", nil, 1, "other-winner", ""},
		{"the second, the first being unavailable", map[string][2]string{rank[0]: out}, 1, "", ""},
		{"the second, the first being unknown", map[string][2]string{rank[0]: unknown}, 1, "", "pool-unknown"},
		{"the unknown first itself", map[string][2]string{rank[0]: unknown}, 0, "", "pool-unknown"},
		{"the third, behind an unknown and an eligible one", map[string][2]string{rank[0]: unknown}, 2, "other-winner", ""},
		{"somebody unavailable, with an unknown one ahead", map[string][2]string{rank[0]: unknown, rank[2]: out}, 2, "other-winner", ""},
		{"nobody is eligible", map[string][2]string{rank[0]: out, rank[1]: out, rank[2]: out}, 0, "empty-pool", ""},
	} {
		_, in := order(c.change)
		in.Events = assigned(t, `{"evaluator":"did:x:`+rank[c.assigned]+`"}`)
		gaps, open := judge(t, "R059", in)
		gaps = slices.DeleteFunc(gaps, func(s string) bool { return s == "assigned-differs" }) // the agreement names a, always
		if strings.Join(gaps, " ") != c.gap || strings.Join(open, " ") != c.open {
			t.Errorf("%s: %v and open %v, want %q and %q", c.name, gaps, open, c.gap, c.open)
		}
	}
}

// In order of time A A B B B: the longest run is 3 of B. Of another provider 1.
func TestRotation(t *testing.T) {
	of := func(provider, evaluator string, at int64) Delivery {
		return Delivery{Provider: document.Identity{Value: provider}, Evaluator: document.Identity{Value: evaluator}, At: exact.Int(at)}
	}
	list := []Delivery{of("p", "B", 5), of("p", "A", 1), of("p", "B", 3), of("q", "A", 2), of("p", "A", 2), of("p", "B", 4)}
	for most, gaps := range map[int64]int{2: 1, 3: 0} {
		l := &finding.Log{}
		if Rotation(list, exact.Int(most), l); l.Count(finding.Gap) != gaps {
			t.Errorf("at most %d: %d gaps, want %d", most, l.Count(finding.Gap), gaps)
		}
	}
}

// Five deliveries are one full block of five: it wants one canary; four are none. A canary of delivery 6 belongs to the next block.
func TestCanaries(t *testing.T) {
	pair := Delivery{Provider: document.Identity{Scheme: "did", Value: "did:x:provider"}, Evaluator: document.Identity{Scheme: "did", Value: "did:x:a"}}
	canary := func(id, seq, rated string) Canary {
		return NewCanary(read(t, "canaries.jsonl", `{"canary_id":"`+id+`","subject":`+did("a")+`,"provider":"did:x:provider","delivery_seq":`+seq+`,"known":"bad","rated":"`+rated+`"}`))
	}
	for _, c := range []struct {
		name       string
		deliveries int
		canaries   []Canary
		recorded   bool
		gaps, open int
	}{
		{"four deliveries", 4, nil, true, 0, 0}, {"five and none", 5, nil, true, 1, 0}, {"five and no records", 5, nil, false, 0, 1},
		{"five and one", 5, []Canary{canary("1", "5", "FAIL")}, true, 0, 0}, {"five and one of the sixth", 5, []Canary{canary("1", "6", "FAIL")}, true, 1, 0},
		{"ten and one", 10, []Canary{canary("1", "5", "FAIL")}, true, 1, 0},
	} {
		l := &finding.Log{}
		CanaryFrequency(slices.Repeat([]Delivery{pair}, c.deliveries), c.canaries, c.recorded, exact.Int(1), exact.Int(5), l)
		if l.Count(finding.Gap) != c.gaps || l.Count(finding.Unestablished) != c.open {
			t.Errorf("%s: %d gaps, %d open; want %d, %d", c.name, l.Count(finding.Gap), l.Count(finding.Unestablished), c.gaps, c.open)
		}
	}
	// two of three were hit
	l := &finding.Log{}
	CanaryRecords([]Canary{canary("1", "1", "FAIL"), canary("2", "2", "FAIL"), canary("3", "3", "PASS")}, []Agent{readAgent(read(t, "evaluators.json", "{}"), read(t, "e", candidate("a")).Root)}, l)
	if list := l.Findings(); len(list) != 1 || list[0].Recomputed != "2/3" || list[0].Declared != "91/100" {
		t.Errorf("%+v, want 91/100 against 2/3", list)
	}
}

// Two dimensions of equal weight, scored (90,60), (60,90) and (60,60): composites 75, 75 and 60. Their median is 75, PASS; the medians of the
// dimensions are 60 and 60, FAIL. By majority two of three pass.
func TestConsensus(t *testing.T) {
	panel := func(scores ...[2]int) []*document.Result {
		var list []*document.Result
		for i, s := range scores {
			list = append(list, document.NewResult(read(t, fmt.Sprint("result-", i, ".json"), fmt.Sprintf(`{"evaluator":{"identity":%s},"dimensions":[{"name":"x","score":%d},{"name":"y","score":%d}],"evidence_trail":{"deliverable_hash":"sha256:%s"}}`,
				did(string(rune('a'+i))), s[0], s[1], strings.Repeat("0", 64)))))
		}
		return list
	}
	three := panel([2]int{90, 60}, [2]int{60, 90}, [2]int{60, 60})
	for _, c := range []struct {
		method, reading, composite, verdict string
		results                             []*document.Result
	}{
		{"median_score", "", "75", "PASS", three}, {"median_score", "median.level=dimensions", "60", "FAIL", three}, {"majority_vote", "", "75", "PASS", three},
		{"majority_vote", "", "76", "", panel([2]int{74, 74}, [2]int{78, 78})}, {"median_score", "", "76", "PASS", panel([2]int{74, 74}, [2]int{78, 78})},
	} {
		in := ConsensusInput{Agreement: agreement(t, `{}`), Results: c.results, Method: c.method}
		if c.reading != "" {
			if err := in.Readings.Set(c.reading); err != nil {
				t.Fatal(err)
			}
		}
		l := &finding.Log{}
		got := Consensus(in, l)
		if exact.Text(got.Composite) != c.composite || got.Verdict != c.verdict || got.Split != (c.verdict == "") {
			t.Errorf("%s %s: %s %q, want %s %q", c.method, c.reading, exact.Text(got.Composite), got.Verdict, c.composite, c.verdict)
		}
	}
	same := panel([2]int{90, 90}, [2]int{90, 90})
	same[1] = same[0]
	l := &finding.Log{}
	if Consensus(ConsensusInput{Agreement: agreement(t, `{}`), Results: same, Method: "majority_vote"}, l); l.Count(finding.Gap) == 0 {
		t.Error("one evaluator votes twice")
	}
}
