package simulate

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// result is what must come of one participant in one track, by construction.
type result struct {
	player      *player
	tasks       map[string]mint.Literal // written at once: a season may have many participants
	withheld    map[string]bool
	unsupported int
	asserted    int
	exact       int
	rendered    int
	proofs      []string // cited by submissions that pass entry; some more than once
}

// tally gathers results and incidents while the season is made. It is a plain count of what the profiles declare.
type tally struct {
	tracks    []*track
	results   map[string][]*result // by track, in the order of the participants
	incidents []any
	strangers []string
	ignored   []string // files outside the layout
	unread    []string // evidence that cannot be read
	open      bool
}

func newTally(tracks []*track) *tally { return &tally{tracks: tracks, results: map[string][]*result{}} }

// of is the result of a participant in a track, made at its first submission.
func (y *tally) of(pl *player, tr *track) *result {
	list := y.results[tr.id]
	if n := len(list); n > 0 && list[n-1].player == pl {
		return list[n-1]
	}
	r := &result{player: pl, tasks: map[string]mint.Literal{}, withheld: map[string]bool{}}
	y.results[tr.id] = append(list, r)
	return r
}

// note records one submission.
func (y *tally) note(pl *player, d duty, verdict string, assertions []assertion, cited []string) {
	r := y.of(pl, d.track)
	shown := mint.Object{}
	supported := map[string]bool{}
	unsupported, asserted := 0, 0
	for i, a := range assertions {
		id, cause := fmt.Sprintf("a%d", i+1), a.want()
		if d.status != verify.RejeteeEntree {
			y.incident(pl, d, id, a, cause)
		}
		var written any
		if cause != "" {
			written = string(cause)
		}
		shown = append(shown, mint.Member{Name: id, Value: mint.Obj("supported", cause == "", "cause", written, "why", a.why())})
		switch cause {
		case verify.DefautInstrument:
			continue
		case "":
			supported[a.key()] = true
		default:
			unsupported++
		}
		asserted++
	}
	if d.status != verify.RejeteeEntree {
		r.proofs = append(r.proofs, cited...)
	}
	var exact, grounded any
	missing := []string{}
	switch d.status {
	case verify.Rendue:
		r.rendered++
		r.unsupported += unsupported
		r.asserted += asserted
		missing = d.task.missing(supported)
		exact, grounded = verdict == d.task.verdict, len(missing) == 0
		if verdict == d.task.verdict && len(missing) == 0 {
			r.exact++
		}
	case verify.EnAttente, verify.TacheIncomp:
		r.withheld[d.task.id] = true
		y.open = true
		shown = mint.Object{}
	case verify.RejeteeEntree:
		shown = mint.Object{}
	}
	r.tasks[d.task.id] = taskDocument(d.status, d.why, exact, grounded, missing, shown)
}

// taskDocument is what must come of one task, as expected.json has it.
func taskDocument(status verify.TaskStatus, why string, exact, grounded any, missing []string, assertions mint.Object) mint.Literal {
	doc := mint.Obj("status", string(status))
	if why != "" {
		doc = append(doc, mint.Member{Name: "why", Value: why})
	}
	doc = append(doc, mint.Obj("verdict_exact", exact, "grounded", grounded, "missing_facts", missing, "assertions", assertions)...)
	return mint.Literal(mint.AppendCompact(nil, doc))
}

// incident records what the operators of the instrument must look at.
func (y *tally) incident(pl *player, d duty, id string, a assertion, cause verify.Cause) {
	kinds := map[string]bool{}
	for _, k := range a.kinds {
		if k.incident != "" && k.incident != "defaut_instrument" {
			kinds[k.incident] = true
		}
	}
	if cause == verify.DefautInstrument {
		kinds["defaut_instrument"] = true
	}
	for _, kind := range []string{"defaut_instrument", "flat_field", "views_differ", "integrated_time_gap", "issuer_status_failed"} {
		if kinds[kind] {
			y.incidents = append(y.incidents, mint.Obj("kind", kind, "participant", pl.id, "track", d.track.id, "task_id", d.task.id, "assertion", id))
		}
	}
}

// percent is 100*part/whole with two decimals, rounded half to even, computed on whole numbers.
func percent(part, whole int) string {
	n := 10000 * part
	q, rest := n/whole, n%whole
	if 2*rest > whole || 2*rest == whole && q%2 == 1 {
		q++
	}
	return fmt.Sprintf("%d.%02d", q/100, q%100)
}

// rates are the two columns of a result; null while a task is withheld, and the first where nothing is asserted.
func (r *result) rates(tr *track) (overclaim, success any) {
	if len(r.withheld) > 0 {
		return nil, nil
	}
	if r.asserted > 0 {
		overclaim = mint.Obj("unsupported", r.unsupported, "asserted", r.asserted, "percent", percent(r.unsupported, r.asserted))
	}
	return overclaim, mint.Obj("exact", r.exact, "tasks", len(tr.tasks), "percent", percent(r.exact, len(tr.tasks)))
}

// held are the withheld task ids in the scale's order.
func (r *result) held(tr *track) []string {
	out := []string{}
	for _, t := range tr.tasks {
		if r.withheld[t.id] {
			out = append(out, t.id)
		}
	}
	return out
}

// document is the result as expected.json has it.
func (r *result) document(tr *track) mint.Object {
	tasks := mint.Object{}
	for _, t := range tr.tasks {
		doc, ok := r.tasks[t.id]
		if !ok {
			doc = taskDocument(verify.Absente, "", nil, nil, []string{}, mint.Object{})
		}
		tasks = append(tasks, mint.Member{Name: t.id, Value: doc})
	}
	overclaim, success := r.rates(tr)
	return mint.Obj("did", r.player.did, "table", r.player.table, "profile", r.player.profile.name(), "tasks", tasks,
		"overclaim", overclaim, "success", success, "withheld", r.held(tr))
}

// compareRows orders the rows of a table: success descending, overclaim ascending, null last, withheld rows after those, ties by DID.
func compareRows(a, b *result) int {
	if c := cmp.Compare(min(len(a.withheld), 1), min(len(b.withheld), 1)); c != 0 {
		return c
	}
	if len(a.withheld) == 0 {
		if c := cmp.Compare(b.exact, a.exact); c != 0 {
			return c
		}
		if c := cmp.Compare(min(b.asserted, 1), min(a.asserted, 1)); c != 0 {
			return c
		}
		if a.asserted > 0 {
			if c := big.NewRat(int64(a.unsupported), int64(a.asserted)).Cmp(big.NewRat(int64(b.unsupported), int64(b.asserted))); c != 0 {
				return c
			}
		}
	}
	return strings.Compare(a.player.did, b.player.did)
}

// index is the published index of a track.
func (y *tally) index(tr *track) mint.Object {
	tables := map[string][]any{"reference": {}, "community": {}}
	rows := slices.Clone(y.results[tr.id])
	slices.SortStableFunc(rows, compareRows)
	for _, r := range rows {
		overclaim, success := r.rates(tr)
		proofs := append([]string{}, r.proofs...)
		slices.Sort(proofs)
		proofs = slices.Compact(proofs)
		tables[r.player.table] = append(tables[r.player.table], mint.Obj("participant", r.player.id, "name", r.player.name, "did", r.player.did,
			"overclaim", overclaim, "success", success, "rendered", r.rendered, "withheld", r.held(tr), "stack", r.player.stack, "proofs", proofs))
	}
	constant := 0
	for _, t := range tr.tasks {
		if t.verdict == tr.constant {
			constant++
		}
	}
	best := mint.Obj("verdict", tr.constant, "success", mint.Obj("exact", constant, "tasks", len(tr.tasks), "percent", percent(constant, len(tr.tasks))))
	return mint.Obj("format", "proveit.index/v1", "season", seasonNumber, "track", tr.id, "bareme", tr.version, "best_constant", best,
		"tables", mint.Obj("reference", tables["reference"], "community", tables["community"]))
}

// write writes the published indexes and expected.json.
func (y *tally) write(b *builder) error {
	tracks := mint.Object{}
	present := map[string]bool{}
	for _, tr := range y.tracks {
		if err := b.write("published/index-"+tr.id+".json", mint.Indented(y.index(tr))); err != nil {
			return err
		}
		participants := mint.Object{}
		for _, r := range y.results[tr.id] {
			present[r.player.id] = true
			participants = append(participants, mint.Member{Name: r.player.id, Value: r.document(tr)})
		}
		tracks = append(tracks, mint.Member{Name: tr.id, Value: participants})
	}
	silent := []string{}
	for _, p := range b.players {
		if !present[p.id] {
			silent = append(silent, p.id)
		}
	}
	exit := verify.Holds.ExitCode()
	if y.open {
		exit = verify.Incomplete.ExitCode()
	}
	incidents := y.incidents
	if incidents == nil {
		incidents = []any{}
	}
	return b.write("expected.json", mint.Compact(mint.Obj("format", "proveit.expected/v1", "seed", b.o.Seed, "season", seasonNumber,
		"freeze", mint.Obj("holds", true), "anchors", mint.Obj("tokens", b.pool.anchors, "entries", b.pool.entries), "tracks", tracks,
		"incidents", incidents, "silent", silent, "strangers", append([]string{}, y.strangers...), "ignored", append([]string{}, y.ignored...), "unread", append([]string{}, y.unread...), "exit_code", exit)))
}
