// Package finding is the result model of an audit of service agreements: what a check ended in, how grave a gap is, under which readings
// of the paper it exists, and the report made of it all (schema "asa-report/1").
//
// A finding is data: an id such as "asa/R076/composite-mismatch", a place, the declared and the recomputed value, the steps of the
// computation. Sentences, English and French, are in one catalogue keyed by id. They speak of gaps between what is declared and what is
// recomputed, and of what is not established; never of anybody's reasons.
package finding

import (
	"cmp"
	"slices"
	"strings"
)

// Severity is how grave a gap is. The zero value is the gravest.
type Severity uint8

// The severities, gravest first.
const (
	Reject Severity = iota // refused at entry: nothing that depends on the document is recomputed
	Error                  // declared and recomputed differ, or something required is broken
	Warn                   // flagged, not blocked
	Note                   // a fact worth knowing
)

// String is the word used in every output.
func (s Severity) String() string {
	return [...]string{"reject", "error", "warn", "note"}[min(s, Note)]
}

// Outcome is how one check ended. The zero value is not a success.
type Outcome uint8

// The outcomes of a check.
const (
	Unestablished Outcome = iota // an input is missing: never counted as ok, never as a gap
	Gap                          // declared and recomputed differ
	OK                           // looked at, and holds
	NA                           // the rule is not engaged
)

// String is the word used in every output.
func (o Outcome) String() string { return [...]string{"unestablished", "gap", "ok", "n/a"}[min(o, NA)] }

// Finding is a gap or a thing not established. Fields that do not apply are empty.
type Finding struct {
	ID                                 string   // "asa/R076/composite-mismatch"
	Severity                           Severity // of a gap; Note for what is not established
	Outcome                            Outcome  // Gap or Unestablished
	Robust                             bool     // the same under every reading of the lattice that was walked
	Readings                           []string // where not robust: the readings that decide, as "switch=value", sorted
	At                                 string   // "result.json#/composite/score"
	Declared                           string   // as the document has it
	Recomputed                         string   // as the audit has it
	Difference                         string   // declared minus recomputed, where both are numbers
	Tolerance                          string   // how far they may be apart
	AmountsDeclared, AmountsRecomputed string   // what the two mean in money, where they do
	Derivation                         []string // the steps, in order
	Repairs                            []Repair // single-field changes that would close the gap
	Keeping                            []string // the fields of Repairs that break no other declared limit
	Formulas                           []string // other formulas that were tried, "name=value"
}

// Repair is one single-field change that would close a gap.
type Repair struct {
	Field string // what to change
	Value string // to what
}

// ID makes a finding id of a requirement ("R076") and what is wrong ("composite-mismatch").
func ID(requirement, slug string) string { return "asa/" + requirement + "/" + slug }

// Requirement is the part of an id that names the requirement: "R076".
func Requirement(id string) string {
	_, rest, _ := strings.Cut(id, "/")
	r, _, _ := strings.Cut(rest, "/")
	return r
}

// MaxFindings is how many findings one log keeps, the gravest; the rest is only counted, and the report says how many.
const MaxFindings = 2000

// Log collects what an audit found, and counts the four outcomes. The zero Log is ready.
type Log struct {
	findings []Finding
	counts   [4]int
	seen     map[string]bool // requirements with any record
	kept     [Note + 2]int   // of findings, by rank
	dropped  int
}

// Mark records that a check of a requirement was ok or not engaged.
func (l *Log) Mark(requirement string, o Outcome) {
	l.counts[o]++
	l.see(requirement)
}

// OK records a check that holds.
func (l *Log) OK(requirement string) { l.Mark(requirement, OK) }

// NA records a rule that is not engaged.
func (l *Log) NA(requirement string) { l.Mark(requirement, NA) }

// Add records a finding. A gap without readings is robust.
func (l *Log) Add(f Finding) {
	if len(f.Readings) == 0 {
		f.Robust = true
	}
	l.counts[f.Outcome]++
	l.see(Requirement(f.ID))
	l.keep(f)
}

// keep puts a finding among those that are kept. Of a full log, the last of the least grave makes room for a graver one, so that many
// small findings cannot hide an error.
func (l *Log) keep(f Finding) {
	if len(l.findings) < MaxFindings {
		l.findings = append(l.findings, f)
		l.kept[rank(f)]++
		return
	}
	l.dropped++
	for least := len(l.kept) - 1; least > rank(f); least-- {
		if l.kept[least] == 0 {
			continue
		}
		for i := len(l.findings) - 1; i >= 0; i-- {
			if rank(l.findings[i]) == least {
				l.findings = slices.Delete(l.findings, i, i+1)
				break
			}
		}
		l.kept[least]--
		l.findings = append(l.findings, f)
		l.kept[rank(f)]++
		return
	}
}

// Gap records a gap with nothing more to say than what was declared and what it should be.
func (l *Log) Gap(s Severity, requirement, slug, at, declared, recomputed string) {
	l.Add(Finding{ID: ID(requirement, slug), Severity: s, Outcome: Gap, At: at, Declared: declared, Recomputed: recomputed})
}

// Missing records that something is not established, and what is missing.
func (l *Log) Missing(requirement, slug, at, wanted string) {
	l.Add(Finding{ID: ID(requirement, slug), Severity: Note, Outcome: Unestablished, At: at, Recomputed: wanted})
}

// Check records ok where the condition holds, and a gap of that severity where not.
func (l *Log) Check(holds bool, s Severity, requirement, slug, at, declared, recomputed string) bool {
	if holds {
		l.OK(requirement)
	} else {
		l.Gap(s, requirement, slug, at, declared, recomputed)
	}
	return holds
}

func (l *Log) see(requirement string) {
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[requirement] = true
}

// Seen reports whether anything was recorded for a requirement.
func (l *Log) Seen(requirement string) bool { return l.seen[requirement] }

// Merge adds everything that another log holds.
func (l *Log) Merge(other *Log) {
	for o, n := range other.counts {
		l.counts[o] += n
	}
	for r := range other.seen {
		l.see(r)
	}
	l.dropped += other.dropped
	for _, f := range other.findings {
		l.keep(f)
	}
}

// Count is how many checks ended so.
func (l *Log) Count(o Outcome) int { return l.counts[o] }

// Rejected reports whether a document was refused at entry.
func (l *Log) Rejected() bool { return l.kept[Reject] > 0 }

// Refusals are the findings for which documents were refused at entry.
func (l *Log) Refusals() []Finding {
	return l.Findings()[:l.kept[Reject]]
}

// Findings are the findings by severity, id and place; what is not established comes after the gaps of every severity.
func (l *Log) Findings() []Finding {
	sorted := slices.Clone(l.findings)
	slices.SortStableFunc(sorted, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID, b.ID), cmp.Compare(a.At, b.At), cmp.Compare(a.Declared, b.Declared), cmp.Compare(a.Recomputed, b.Recomputed))
	})
	return sorted
}

// Dropped is how many findings beyond MaxFindings were counted but not kept.
func (l *Log) Dropped() int { return l.dropped }

func rank(f Finding) int {
	if f.Outcome == Unestablished {
		return int(Note) + 1
	}
	return int(f.Severity)
}
