package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify"
)

// Individual is the report of one participant in one track (proveit.report/v1, seed 000 §7.5).
type Individual struct {
	Format       string       `json:"format"` // FormatReport
	Season       int64        `json:"season"`
	Track        string       `json:"track"`
	Bareme       string       `json:"bareme"`
	BestConstant BestConstant `json:"best_constant"`
	Unfit        []string     `json:"unfit"` // options that weaken a check; not empty means unfit for publication
	Freezes      []string     `json:"freezes"`
	Participant
	Incidents []Incident `json:"incidents"`
	Missing   []Missing  `json:"missing"`
}

// Header is what the reports of one track share.
type Header struct {
	Season       int64
	Track        string
	Bareme       string
	BestConstant BestConstant
	Unfit        []string
	Freezes      []string // proof ids of the current freezes
}

// IndividualOf is the report of a judged participant.
func IndividualOf(h Header, p Participant) Individual {
	return Individual{
		Format: FormatReport, Season: h.Season, Track: h.Track, Bareme: h.Bareme, BestConstant: h.BestConstant,
		Unfit: orEmpty(h.Unfit), Freezes: orEmpty(h.Freezes), Participant: p,
		Incidents: orEmpty(p.Incidents), Missing: distinct(p.Missing),
	}
}

// distinct are the things to fetch, each once, sorted: several tasks may need the same one.
func distinct(list []Missing) []Missing {
	out := append([]Missing{}, list...)
	slices.SortFunc(out, func(a, b Missing) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.ID, b.ID))
	})
	return slices.Compact(out)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Unsupported lists the assertions of rendered tasks that count in the overclaim rate.
func (r Individual) Unsupported() []Shown {
	return r.shown(func(t Task, a Assertion) bool {
		return t.Status == verify.Rendue && a.Cause != nil && *a.Cause != verify.DefautInstrument
	})
}

// Instrument lists the assertions that the instrument kept from being judged.
func (r Individual) Instrument() []Shown {
	return r.shown(func(_ Task, a Assertion) bool { return a.Cause != nil && *a.Cause == verify.DefautInstrument })
}

// Shown is an assertion with its task and the command that explains it.
type Shown struct {
	Task    string
	Command string
	Assertion
}

func (r Individual) shown(keep func(Task, Assertion) bool) []Shown {
	var out []Shown
	for _, t := range r.Tasks {
		for _, a := range t.Assertions {
			if keep(t, a) {
				out = append(out, Shown{t.TaskID, r.command(t.TaskID, a.ID), a})
			}
		}
	}
	return out
}

// Ungrounded lists the rendered tasks whose verdict is exact and whose founding facts are not all carried.
func (r Individual) Ungrounded() []Task {
	return r.tasks(func(t Task) bool {
		return t.VerdictExact != nil && *t.VerdictExact && t.Grounded != nil && !*t.Grounded
	})
}

// Open lists the tasks that have no score yet.
func (r Individual) Open() []Task {
	return r.tasks(func(t Task) bool { return t.Status == verify.EnAttente || t.Status == verify.TacheIncomp })
}

// Refused lists the tasks refused at entry, rejected at the close or not rendered, with their reasons.
func (r Individual) Refused() []Task {
	return r.tasks(func(t Task) bool {
		return t.Status == verify.RejeteeEntree || t.Status == verify.RejeteeCloture || t.Status == verify.NonRendue
	})
}

func (r Individual) tasks(keep func(Task) bool) []Task {
	var out []Task
	for _, t := range r.Tasks {
		if keep(t) {
			out = append(out, t)
		}
	}
	return out
}

// Told lists the tasks whose submission says something in free text.
func (r Individual) Told() []Task {
	return r.tasks(func(t Task) bool { return t.Narrative != "" })
}

// Uncounted lists the unsupported assertions of tasks that are rejected at the close or not rendered; they enter no rate.
func (r Individual) Uncounted() []Shown {
	return r.shown(func(t Task, a Assertion) bool {
		return t.Status != verify.Rendue && a.Cause != nil && *a.Cause != verify.DefautInstrument
	})
}

// CauseCount is how many unsupported assertions have a cause.
type CauseCount struct {
	Cause verify.Cause
	Count int
}

// Causes count the unsupported assertions of rendered tasks by cause, in the order of the conditions.
func (r Individual) Causes() []CauseCount {
	counts := map[verify.Cause]int{}
	for _, a := range r.Unsupported() {
		counts[*a.Cause]++
	}
	var out []CauseCount
	for _, c := range []verify.Cause{verify.PreuveInvalide, verify.IdentiteNonLiee, verify.RessourceNonCorrespondante, verify.ValeurNonCorrespondante} {
		if counts[c] > 0 {
			out = append(out, CauseCount{c, counts[c]})
		}
	}
	return out
}

// Statuses are the statuses that the tasks have, each once, in the order in which they appear.
func (r Individual) Statuses() []verify.TaskStatus {
	var out []verify.TaskStatus
	for _, t := range r.Tasks {
		if !slices.Contains(out, t.Status) {
			out = append(out, t.Status)
		}
	}
	return out
}
