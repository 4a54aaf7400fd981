package simulate

import (
	"fmt"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// profile is how a participant behaves. Each type below differs from exact in one method.
type profile interface {
	name() string
	duties(b *builder) []duty                   // what it submits, with the status that must come of it
	verdict(tr *track, t *task) string          // the verdict that it gives
	assertions(b *builder, t *task) []assertion // what it claims, with which proofs
}

// exact answers every task rightly, with facts that found the verdict, and proves each of them.
type exact struct{}

func (exact) name() string { return "exact" }

func (exact) duties(b *builder) []duty { return rendered(b, 10, 10) }

func (exact) verdict(_ *track, t *task) string { return t.verdict }

func (exact) assertions(_ *builder, t *task) []assertion {
	return proven(t.truths(max(t.min, len(t.needed()))), good)
}

// rendered are the first tasks of each track, expected to be rendered.
func rendered(b *builder, conformity, generic int) []duty {
	var out []duty
	for i, n := range []int{conformity, generic} {
		for _, t := range b.tracks[i].tasks[:n] {
			out = append(out, duty{track: b.tracks[i], task: t, status: verify.Rendue})
		}
	}
	return out
}

// proven are claims that each cite one proof of the same kind.
func proven(claims []claim, k *kind) []assertion {
	var out []assertion
	for _, c := range claims {
		out = append(out, assertion{claim: c, kinds: []*kind{k}, fresh: k != good})
	}
	return out
}

// enrol makes the participants.
func (b *builder) enrol() {
	profiles := profiles(b.o)
	n := b.o.Participants
	if n <= 0 {
		n = len(profiles)
	}
	for i := range n {
		pl := &player{
			id:    fmt.Sprintf("agent-%0*d", participantDigits, i+1),
			name:  fmt.Sprintf("L’agent « %s » <n° %d> & Cie", agentNames[i%len(agentNames)], i+1),
			table: "community", stack: stacks[i%len(stacks)], profile: volume{i},
		}
		pl.did = b.did(pl.id)
		if i%7 == 5 {
			pl.did = "did:web:agents.repetition.example:" + pl.id
		}
		if i%8 == 0 {
			pl.table = "reference"
		}
		if !b.volume() && i < len(profiles) {
			pl.profile = profiles[i]
		}
		b.players = append(b.players, pl)
	}
}

// enrolments is enrolments.json.
func (b *builder) enrolments() mint.Object {
	list := []any{}
	for _, p := range b.players {
		list = append(list, mint.Obj("id", p.id, "name", p.name, "did", p.did, "table", p.table, "stack", p.stack))
	}
	return mint.Obj("format", "proveit.enrolments/v1", "participants", list)
}

// volume is a participant of a season for measuring: a few tasks, each assertion with a proof of its own, some values wrong.
type volume struct{ n int }

func (volume) name() string { return "volume" }

func (v volume) duties(b *builder) []duty {
	want := b.o.TasksPerParticipant
	if want <= 0 {
		want = volumeTasks
	}
	var all, out []duty
	for _, tr := range b.tracks {
		for _, t := range tr.tasks {
			if n := v.proofs(b); n >= t.min && n <= t.max {
				all = append(all, duty{track: tr, task: t, status: verify.Rendue})
			}
		}
	}
	start := v.n % max(len(all), 1)
	for i := range min(want, len(all)) {
		out = append(out, all[(start+i)%len(all)])
	}
	return inTrackOrder(b, out)
}

// inTrackOrder puts the duties of the first track before those of the second.
func inTrackOrder(b *builder, list []duty) []duty {
	var out []duty
	for _, tr := range b.tracks {
		for _, d := range list {
			if d.track == tr {
				out = append(out, d)
			}
		}
	}
	return out
}

func (volume) proofs(b *builder) int {
	if b.o.ProofsPerTask > 0 {
		return b.o.ProofsPerTask
	}
	return volumeProofs
}

func (v volume) verdict(tr *track, t *task) string {
	if v.n%5 == 4 {
		return tr.constant
	}
	return t.verdict
}

func (v volume) assertions(b *builder, t *task) []assertion {
	out := proven(t.truths(v.proofs(b)), good)
	for i := range out {
		out[i].fresh = true
		switch {
		case v.n%3 == 1 && i == len(out)-1:
			out[i] = out[i].misvalued()
		case v.n%4 == 2 && i == 1:
			out[i].of = "/referentiel"
		}
	}
	return out
}

// misvalued claims a value that the page does not bear.
func (a assertion) misvalued() assertion {
	a.differs = true
	switch x := a.value.(type) {
	case string:
		a.value = x + " bis"
	case bool:
		a.value = !x
	default:
		a.value = "inconnu"
	}
	return a
}

// writeStrangers writes what a bundle may hold beside the season: a folder of submissions that belongs to nobody enrolled, a file outside
// the layout, and, where the season is open, files that cannot be read.
func (b *builder) writeStrangers() error {
	if b.volume() {
		return nil
	}
	b.tally.strangers = []string{"inconnu-77"}
	doc := mint.Obj("season", seasonNumber, "track", "conformite", "task_id", "conf-01", "agent_did", b.stranger, "verdict", "conforme",
		"assertions", []any{}, "disclosures", mint.Object{})
	if err := b.write("submissions/inconnu-77/conformite/conf-01.json", mint.Indented(doc)); err != nil {
		return err
	}
	b.tally.ignored = []string{"LISEZMOI.txt"}
	if err := b.write("LISEZMOI.txt", []byte("Saison de répétition, corpus fictif. Ce fichier est hors de la disposition.\n")); err != nil || !b.o.Open {
		return err
	}
	b.tally.unread = []string{"proofs/illisible.json", "rekor/illisible.json"}
	for _, name := range b.tally.unread {
		if err := b.write(name, []byte("{\"tronqué\": ")); err != nil {
			return err
		}
	}
	return nil
}
