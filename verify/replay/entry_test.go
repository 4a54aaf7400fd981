package replay_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/trust"
)

func openSeason(t *testing.T, path string) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Open(path, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// TestOneAgreesWithTheSeason: each submission alone is judged as in the whole season, whose outcome is known by construction.
func TestOneAgreesWithTheSeason(t *testing.T) {
	b := openSeason(t, open)
	want, n := readExpected(t, open), 0
	for _, name := range b.Under("submissions/") {
		steps := strings.Split(name, "/")
		task, known := want.Tracks[steps[2]][steps[1]].Tasks[strings.TrimSuffix(steps[3], ".json")]
		if !known || n%3 != 0 { // a third of them will do
			n++
			continue
		}
		n++
		text, err := b.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		one, err := replay.RunOne(context.Background(), b, name, text, replay.Options{Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if string(one.Task.Status) != task.Status || !slices.Equal(one.Task.MissingFacts, task.MissingFacts) {
			t.Errorf("%s: %s, missing facts %v; want %s, %v", name, one.Task.Status, one.Task.MissingFacts, task.Status, task.MissingFacts)
		}
		undecided := task.Status == "en_attente" || task.Status == "incomplete"
		if got := one.Outcome == verify.Incomplete; got != undecided {
			t.Errorf("%s: outcome %s for a task that is %s", name, one.Outcome, task.Status)
		}
	}
	if n < 30 {
		t.Fatalf("found %d submissions, want a season", n)
	}
}

// TestOneByItsDID: outside a bundle the DID says whose submission it is; without a readable one nobody's task is named.
func TestOneByItsDID(t *testing.T) {
	b := openSeason(t, closed)
	text, err := b.Read("submissions/agent-0001/conformite/conf-01.json")
	if err != nil {
		t.Fatal(err)
	}
	one, err := replay.RunOne(context.Background(), b, "mine.json", text, replay.Options{})
	if err != nil || one.Participant.ID != "agent-0001" || one.Task.Status != verify.Rendue {
		t.Errorf("%v %v %v, want a rendered task of agent-0001", one.Participant.ID, one.Task.Status, err)
	}
	one, err = replay.RunOne(context.Background(), b, "submissions/agent-0002/conformite/conf-01.json", text, replay.Options{})
	if err != nil || one.Task.Status != verify.RejeteeEntree || one.Task.Refusals[0].Code != "path_differs" {
		t.Errorf("in another's folder: %v %v, want a refusal for the path", one.Task.Status, err)
	}
	one, err = replay.RunOne(context.Background(), b, "mine.json", []byte("{"), replay.Options{})
	if err != nil || one.Task.Status != verify.RejeteeEntree || one.Outcome != verify.Holds {
		t.Errorf("malformed: %v %v %v, want a refusal that is an answer", one.Task.Status, one.Outcome, err)
	}
	one, err = replay.RunOne(context.Background(), b, "mine.json", text, replay.Options{FreezeProofs: []string{"prf_20260101_000000_000000"}})
	if err != nil || one.Scored || one.Outcome != verify.Differs {
		t.Errorf("a freeze that is not accepted: scored %v, %v %v", one.Scored, one.Outcome, err)
	}
}

// TestDeskForgetsNonces: two submissions that cite one proof may give other nonces for the same values. The second is judged by its own.
func TestDeskForgetsNonces(t *testing.T) {
	b := openSeason(t, closed)
	desk, err := replay.NewDesk(atHand(t, b))
	if err != nil {
		t.Fatal(err)
	}
	const name = "submissions/agent-0001/conformite/conf-01.json"
	text, err := b.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := desk.Check(name, text).Outcome; got != verify.Holds {
		t.Fatalf("as it was handed in: %s, want holds", got)
	}
	nonce := regexp.MustCompile(`"nonce": *"[0-9a-f]{64}"`)
	spoiled := nonce.ReplaceAll(text, []byte(`"nonce": "`+strings.Repeat("0", 64)+`"`))
	if got := desk.Check(name, spoiled).Outcome; got != verify.Differs {
		t.Errorf("the same with nonces that open nothing: %s, want differs", got)
	}
}

// atHand is everything that a bundle holds, as a participant would have it.
func atHand(t *testing.T, b *bundle.Bundle) replay.AtHand {
	t.Helper()
	sub, err := fs.Sub(b, "trust")
	if err != nil {
		t.Fatal(err)
	}
	store, err := trust.Load(sub, "trust")
	if err != nil {
		t.Fatal(err)
	}
	h := replay.AtHand{Season: b, Trust: store, Judge: true}
	var entries []rekor.Entry
	for _, name := range b.Under("proofs/") {
		if raw, err := b.Read(name); err == nil {
			views, _ := proof.Views(name, raw)
			h.Views = append(h.Views, views...)
		}
	}
	for _, name := range b.Under("rekor/") {
		if raw, err := b.Read(name); err == nil {
			found, _ := rekor.ParseEntries(name, raw)
			entries = append(entries, found...)
		}
	}
	h.Entries = rekor.NewIndex(entries)
	return h
}

// conditionOf is the condition of each cause, in the order of the checks.
var conditionOf = map[string]int{"preuve_invalide": 0, "identite_non_liee": 1, "ressource_non_correspondante": 2, "valeur_non_correspondante": 3, "defaut_instrument": 3}

// TestDeskAgreesWithTheScore: with everything at hand, what is known before the close is what the close finds.
func TestDeskAgreesWithTheScore(t *testing.T) {
	for _, path := range []string{closed, open} {
		b := openSeason(t, path)
		desk, err := replay.NewDesk(atHand(t, b))
		if err != nil {
			t.Fatal(err)
		}
		want, judged := readExpected(t, path), 0
		for _, name := range b.Under("submissions/") {
			steps := strings.Split(name, "/")
			task, known := want.Tracks[steps[2]][steps[1]].Tasks[strings.TrimSuffix(steps[3], ".json")]
			if !known {
				continue
			}
			text, err := b.Read(name)
			if err != nil {
				t.Fatal(err)
			}
			got := desk.Check(name, text)
			if refused := len(got.Refusals) > 0; refused != (task.Status == "rejetee_entree") {
				t.Errorf("%s: refused %v for a task that is %s", name, refused, task.Status)
			}
			for _, a := range got.Assertions {
				judged++
				first := -1
				for _, p := range a.Proofs {
					if at := slices.IndexFunc(p.Checks, func(c verify.Check) bool { return c.Status == verify.Failed }); at >= 0 && (first < 0 || at < first) {
						first = at
					}
				}
				w := task.Assertions[a.ID]
				switch {
				case w.Supported && first >= 0:
					t.Errorf("%s %s: condition %d fails for a supported assertion", name, a.ID, first+1)
				case !w.Supported && w.Cause != nil && first != conditionOf[*w.Cause]:
					t.Errorf("%s %s: condition %d fails first, want that of %s", name, a.ID, first+1, *w.Cause)
				}
			}
		}
		if judged < 200 {
			t.Fatalf("%s: judged %d assertions, want a season", filepath.Base(path), judged)
		}
	}
}

// TestDeskWithLess: what is not at hand is said not to be known, and is never a failure.
func TestDeskWithLess(t *testing.T) {
	b := openSeason(t, closed)
	const name = "submissions/agent-0001/conformite/conf-01.json"
	text, err := b.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	all := atHand(t, b)
	for _, c := range []struct {
		name    string
		less    func(*replay.AtHand)
		outcome verify.Outcome
		checks  string // of the first proof of the first assertion
	}{
		{"everything", func(*replay.AtHand) {}, verify.Holds, "ok ok ok ok"},
		{"no views", func(h *replay.AtHand) { h.Views = nil }, verify.Incomplete, "proof_not_given proof_not_given proof_not_given proof_not_given"},
		{"no log entries", func(h *replay.AtHand) { h.Entries = nil }, verify.Incomplete, "entry_missing ok ok ok"},
		{"no season", func(h *replay.AtHand) { h.Season = nil }, verify.Holds, "ok ok catalogue_not_given response_not_given"},
		{"no trust", func(h *replay.AtHand) { h.Trust = nil }, verify.Incomplete, "log_keys_missing ok ok ok"},
		{"nothing", func(h *replay.AtHand) { *h = replay.AtHand{} }, verify.Holds, ""},
	} {
		hand := all
		c.less(&hand)
		desk, err := replay.NewDesk(hand)
		if err != nil {
			t.Fatal(err)
		}
		got := desk.Check(name, text)
		var words []string
		if len(got.Assertions) > 0 {
			for _, check := range got.Assertions[0].Proofs[0].Checks {
				word := check.Status.String()
				if check.Reason != "" {
					word = string(check.Reason)
				}
				words = append(words, word)
			}
		}
		if got.Outcome != c.outcome || strings.Join(words, " ") != c.checks {
			t.Errorf("%s: %s, %s; want %s, %s", c.name, got.Outcome, strings.Join(words, " "), c.outcome, c.checks)
		}
	}
}

// TestDeskWithResponses: a saved response settles the value where there is no corpus, and a wrong value fails.
func TestDeskWithResponses(t *testing.T) {
	b := openSeason(t, closed)
	hand := atHand(t, b)
	hand.Season, hand.Responses = nil, map[canon.Digest]canon.Value{}
	for _, name := range b.Under("corpus/") {
		raw, err := b.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := canon.Parse(raw); err == nil {
			hand.Responses[canon.Hash(v)] = v
		}
	}
	desk, err := replay.NewDesk(hand)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]verify.Status{"submissions/agent-0001/conformite/conf-01.json": verify.OK, "submissions/agent-0009/conformite/conf-01.json": verify.Failed} {
		text, err := b.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		got := desk.Check(name, text)
		if len(got.Assertions) == 0 || got.Assertions[0].Proofs[0].Checks[3].Status != want {
			t.Errorf("%s: %v, want the value to be %s", name, got.Assertions, want)
		}
	}
}
