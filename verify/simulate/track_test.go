package simulate

import (
	"testing"

	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// The composition that the challenge publishes (seed 000 §5.4, 5.5, 6.4, 6.5): ten tasks a track, 3 conforme, 4 non_conforme,
// 3 indeterminable; every family of traps, P5 at least three times, one control; at least three aucune_option_valide.
func TestComposition(t *testing.T) {
	for _, seed := range []string{"a", "b", "c", "d"} {
		c := newCorpus()
		for _, build := range []func(mint.Seed, *corpus) (*track, error){conformity, generic} {
			tr, err := build(mint.NewSeed(seed), c)
			if err != nil {
				t.Fatalf("seed %s: %v", seed, err)
			}
			verdicts, families := map[string]int{}, map[string]int{}
			for _, k := range tr.tasks {
				verdicts[k.verdict]++
				families[k.family]++
				if len(k.graph) > 20 || len(k.graph) < 5 || k.max != 2*k.min {
					t.Errorf("%s: %d resources, %d to %d assertions", k.id, len(k.graph), k.min, k.max)
				}
			}
			if len(tr.tasks) != 10 || families[""] != 1 || families["P5"] < 3 {
				t.Errorf("%s: %d tasks, families %v", tr.id, len(tr.tasks), families)
			}
			for _, f := range []string{"P1", "P2", "P3", "P4"} {
				if families[f] == 0 {
					t.Errorf("%s: no task of family %s", tr.id, f)
				}
			}
			if tr.id == "conformite" && (verdicts["conforme"] != 3 || verdicts["non_conforme"] != 4 || verdicts["indeterminable"] != 3) {
				t.Errorf("conformity verdicts %v", verdicts)
			}
			if tr.id == "generique" && verdicts[noOption] != 3 {
				t.Errorf("generic verdicts %v", verdicts)
			}
		}
	}
}

// The corpus contract (seed 000 §2.5): strings, booleans and null only, never an empty body.
func TestCorpusHoldsNoNumber(t *testing.T) {
	c := newCorpus()
	for _, build := range []func(mint.Seed, *corpus) (*track, error){conformity, generic} {
		if _, err := build(mint.NewSeed("a"), c); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for resource, p := range c.pages {
		for _, l := range leaves(p.body, "") {
			n++
			switch l.value.(type) {
			case nil, bool, string:
			default:
				t.Errorf("%s%s holds %T", resource, l.pointer, l.value)
			}
		}
	}
	if n < 1000 {
		t.Errorf("looked at %d values only", n)
	}
}

// Statuses are declared by the profiles; this counts once more, in the plainest way, what the scale asks of a rendered task.
func TestDeclaredStatusesFollowTheBounds(t *testing.T) {
	b, err := newBuilder(Options{Seed: "bounds", Open: true}, func(string, []byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, pl := range b.players {
		for _, d := range pl.profile.duties(b) {
			kept, own := 0, 0
			list := pl.profile.assertions(b, d.task)
			for _, a := range list {
				if a.want() == "defaut_instrument" {
					continue
				}
				kept++
				if a.own {
					own++
				}
			}
			enough := kept >= d.task.min && 2*own >= d.task.min && len(list) <= d.task.max
			if s := string(d.status); s == "rendue" && !enough || s == "non_rendue" && enough {
				t.Errorf("%s, %s: %s with %d kept, %d own, %d in all", pl.profile.name(), d.task.id, s, kept, own, len(list))
			}
			n++
		}
	}
	if n < 150 {
		t.Errorf("looked at %d submissions only", n)
	}
}

func TestVolumeRefusesWhatNoTaskTakes(t *testing.T) {
	for _, o := range []Options{{Participants: 2, ProofsPerTask: 40}, {Participants: 2, TasksPerParticipant: 21, ProofsPerTask: 5}} {
		if err := Write(o, func(string, []byte) error { return nil }); err == nil {
			t.Errorf("%+v: made, although no season has such tasks", o)
		}
	}
}
