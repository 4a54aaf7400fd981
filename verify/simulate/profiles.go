package simulate

import (
	"strings"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// profiles are the ways to take part, one participant each. Those that leave the season open come last.
func profiles(o Options) []profile {
	list := []profile{exact{}, ungrounded{}, constant{}, wrongVerdict{}, padding{}, generalist{}, groundless{}, crossed{}, wrongValues{},
		otherForms{}, halfGrounded{}}
	if !o.Small {
		list = append(list,
			parade{label: "receipts that hold", kinds: holdingKinds},
			parade{label: "receipts that fail", kinds: receiptKinds},
			parade{label: "identities", kinds: identityKinds},
			parade{label: "requests", kinds: requestKinds},
			parade{label: "answers", kinds: answerKinds},
			wholly{label: "never bound", kind: unbound}, wholly{label: "spec 3.0 throughout", kind: spec30},
			wholly{label: "403 of a made-up host", kind: madeUp403},
			scripted{label: "several proofs", list: severalScenes()})
		for _, part := range refusalScenes() {
			list = append(list, scripted{label: "refused at entry", list: part})
		}
	}
	list = append(list,
		scripted{label: "instrument", list: instrumentScenes()},
		scripted{label: "minimum", list: minimumScenes()},
		scripted{label: "refused at close", list: closeScenes()},
		silent{})
	if o.Open {
		list = append(list, scripted{label: "pending and incomplete", list: openScenes()}, scripted{label: "pending alone", list: waitingScenes()})
	}
	return list
}

// ungrounded gives the right verdict on true claims that do not found it.
type ungrounded struct{ exact }

func (ungrounded) name() string             { return "exact, not grounded" }
func (ungrounded) duties(b *builder) []duty { return rendered(b, 4, 2) }
func (ungrounded) assertions(_ *builder, t *task) []assertion {
	return proven(t.trivia(t.min), good)
}

// otherForms founds its verdicts on the last form of every fact.
type otherForms struct{ exact }

func (otherForms) name() string             { return "exact, by other forms" }
func (otherForms) duties(b *builder) []duty { return taskList(b, 0, 0, 5, 6) }
func (otherForms) assertions(_ *builder, t *task) []assertion {
	var claims []claim
	for _, f := range t.facts {
		claims = append(claims, f.forms[len(f.forms)-1]...)
	}
	return proven(append(claims, t.trivia(t.min)...), good)
}

// halfGrounded proves the founding facts but the last claim of each form.
type halfGrounded struct{ exact }

func (halfGrounded) name() string             { return "exact, half grounded" }
func (halfGrounded) duties(b *builder) []duty { return taskList(b, 0, 4, 6, 8) }
func (halfGrounded) assertions(_ *builder, t *task) []assertion {
	var claims []claim
	for _, f := range t.facts[:len(t.facts)-1] {
		claims = append(claims, f.forms[0][:max(1, len(f.forms[0])-1)]...)
	}
	return proven(append(claims, t.trivia(t.min)...), good)
}

// taskList are some tasks of a track, expected to be rendered.
func taskList(b *builder, track int, numbers ...int) []duty {
	var out []duty
	for _, n := range numbers {
		out = append(out, duty{track: b.tracks[track], task: b.tracks[track].tasks[n], status: verify.Rendue})
	}
	return out
}

// constant proves everything and always gives the most frequent verdict.
type constant struct{}

func (constant) name() string                      { return "constant verdict" }
func (constant) duties(b *builder) []duty          { return rendered(b, 10, 0) }
func (constant) verdict(tr *track, _ *task) string { return tr.constant }
func (constant) assertions(b *builder, t *task) []assertion {
	return proven(t.truths(max(t.min, len(t.needed()))), good)
}

// wrongVerdict proves everything and concludes otherwise.
type wrongVerdict struct{ exact }

func (wrongVerdict) name() string                      { return "wrong verdict" }
func (wrongVerdict) duties(b *builder) []duty          { return rendered(b, 2, 2) }
func (wrongVerdict) verdict(tr *track, t *task) string { return tr.wrong(t) }

// padding drowns two false claims in true trivia, up to the cap.
type padding struct{ exact }

func (padding) name() string             { return "padding with true trivia" }
func (padding) duties(b *builder) []duty { return rendered(b, 2, 1) }
func (padding) assertions(_ *builder, t *task) []assertion {
	out := proven(t.needed()[:1], good)
	out[0] = out[0].misvalued()
	trivia := proven(t.trivia(t.max-1), good)
	trivia[0] = trivia[0].misvalued()
	return append(out, trivia...)
}

// generalist answers the generic track alone.
type generalist struct{ exact }

func (generalist) name() string             { return "exact, one track" }
func (generalist) duties(b *builder) []duty { return rendered(b, 0, 2) }

// groundless claims what no call of its own could show: every second claim cites a call that has nothing to do with it.
type groundless struct{ exact }

func (groundless) name() string             { return "claims without a matching call" }
func (groundless) duties(b *builder) []duty { return rendered(b, 2, 1) }
func (groundless) assertions(_ *builder, t *task) []assertion {
	out := proven(t.truths(t.min), good)
	for i := 1; i < len(out); i += 2 {
		out[i].kinds = []*kind{elsewhere}
	}
	return out
}

// crossed cites valid proofs of the task's pages, each on the wrong claim.
type crossed struct{ exact }

func (crossed) name() string             { return "valid proofs on the wrong claims" }
func (crossed) duties(b *builder) []duty { return rendered(b, 2, 1) }
func (crossed) assertions(_ *builder, t *task) []assertion {
	out := proven(t.truths(t.min+1), good)
	for i := range out {
		if other := out[(i+1)%len(out)].resource; other != out[i].resource {
			out[i].of = other
		}
	}
	return out
}

// wrongValues claims, on proven pages, values that differ in one way each.
type wrongValues struct{ exact }

func (wrongValues) name() string             { return "values that the pages do not bear" }
func (wrongValues) duties(b *builder) []duty { return rendered(b, 4, 2) }
func (wrongValues) assertions(_ *builder, t *task) []assertion {
	out := proven(t.ownClaims()[:t.max], good)
	for i := range out {
		if i%4 == 3 {
			continue
		}
		out[i] = out[i].twisted(i)
	}
	return out
}

// twisted claims a value that is nearly the page's: another type, another spelling, or a place that is not there.
func (a assertion) twisted(i int) assertion {
	a.differs = true
	switch x := a.value.(type) {
	case bool:
		a.value = map[bool]any{true: "true", false: nil}[x]
	case nil:
		a.value = []any{"null", "", false}[i%3]
	case string:
		decomposed := strings.NewReplacer("é", "e\u0301", "è", "e\u0300", "ï", "i\u0308", "ë", "e\u0308").Replace(x)
		if decomposed == x {
			decomposed = []string{x + " ", " " + x, strings.ToUpper(x) + "."}[i%3]
		}
		a.value = decomposed
	}
	return a
}

// parade shows kinds of proofs one after the other, each on a claim of its own.
type parade struct {
	exact
	label string
	kinds []*kind
}

func (p parade) name() string { return p.label }

// chunks gives each task as many kinds as its cap allows.
func (p parade) chunks(b *builder) (order []duty, chunk map[*task][]*kind) {
	chunk = map[*task][]*kind{}
	left := p.kinds
	for _, d := range rendered(b, 10, 10) {
		if len(left) == 0 {
			break
		}
		n := min(d.task.max, len(left))
		chunk[d.task], left = left[:n], left[n:]
		order = append(order, d)
	}
	return order, chunk
}

func (p parade) duties(b *builder) []duty {
	order, _ := p.chunks(b)
	return order
}

func (p parade) assertions(b *builder, t *task) []assertion {
	_, chunk := p.chunks(b)
	claims := t.sheet(t.max)
	var out []assertion
	for i := range max(t.min, len(chunk[t])) {
		a := assertion{claim: claims[i], kinds: []*kind{good}}
		if i < len(chunk[t]) {
			a.kinds, a.fresh = []*kind{chunk[t][i]}, true
		}
		out = append(out, a)
	}
	return out
}

// wholly is a participant all of whose proofs are of one kind.
type wholly struct {
	exact
	label string
	kind  *kind
}

func (w wholly) name() string           { return w.label }
func (wholly) duties(b *builder) []duty { return taskList(b, 0, 1) }
func (w wholly) assertions(_ *builder, t *task) []assertion {
	return proven(t.truths(t.min), w.kind)
}

// silent is enrolled and submits nothing.
type silent struct{ exact }

func (silent) name() string           { return "silent" }
func (silent) duties(*builder) []duty { return nil }

// scene is one submission of a scripted participant.
type scene struct {
	track   int // index of the track
	task    int // index of the task
	status  verify.TaskStatus
	verdict func(t *task) string // nil: the right one
	make    func(b *builder, t *task) []assertion
	edit    func(b *builder, doc mint.Object) []byte
	why     string // the rule that the submission breaks, where it breaks one
}

// scripted plays scenes that have nothing else in common.
type scripted struct {
	exact
	label string
	list  []scene
}

func (s scripted) name() string { return s.label }

func (s scripted) duties(b *builder) []duty {
	var out []duty
	for _, c := range s.list {
		out = append(out, duty{track: b.tracks[c.track], task: b.tracks[c.track].tasks[c.task], status: c.status, edit: c.edit, why: c.why})
	}
	return inTrackOrder(b, out)
}

func (s scripted) of(b *builder, t *task) scene {
	for _, c := range s.list {
		if b.tracks[c.track].tasks[c.task] == t {
			return c
		}
	}
	return scene{}
}

func (s scripted) assertions(b *builder, t *task) []assertion { return s.of(b, t).make(b, t) }
