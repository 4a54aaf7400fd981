package finding

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Switch is one place where the paper can be read in several ways.
type Switch uint8

// The switches. Each names its first value as the default.
const (
	PassRule     Switch = iota // what PASS needs
	FailPay                    // what a FAIL pays
	GatePay                    // what a failed gate pays
	BoolMap                    // what a boolean dimension adds to the composite
	ChangeBase                 // what a change of terms is compared with
	ChangeScope                // which terms the limit of change covers
	RoundsCount                // what max_rounds counts
	DeadlineBase               // from where the delivery deadline runs
	ProviderBase               // from where the provider's timer runs
	EvalTimeout                // which of the two evaluator timeouts fires the switch
	CanaryCmp                  // whether the canary limit itself qualifies
	PassK                      // how pass@k is estimated
	Pctl                       // which end of the distribution a percentile means
	MedianLevel                // of what the median is taken
	switches
)

var switchTable = [switches]struct {
	name   string
	values []string
}{
	PassRule:     {"pass.rule", []string{"composite+gates", "composite+gates+every-slo"}},
	FailPay:      {"fail.pay", []string{"tier", "zero"}},
	GatePay:      {"gate.pay", []string{"zero", "tier"}},
	BoolMap:      {"bool.map", []string{"true=100", "dropped"}},
	ChangeBase:   {"change.base", []string{"in-force", "original", "min"}},
	ChangeScope:  {"change.scope", []string{"every-numeric", "quality-dimensions"}},
	RoundsCount:  {"rounds.count", []string{"counters", "round-field"}},
	DeadlineBase: {"deadline.base", []string{"activation", "created_at", "expires_at"}},
	ProviderBase: {"provider.base", []string{"max(activated,funded)", "activated"}},
	EvalTimeout:  {"eval.timeout", []string{"service-level", "smaller-fires"}},
	CanaryCmp:    {"canary.cmp", []string{"greater", "greater-or-equal"}},
	PassK:        {"passk", []string{"unbiased", "blocks"}},
	Pctl:         {"pctl", []string{"nearest-rank", "complement"}},
	MedianLevel:  {"median.level", []string{"composites", "dimensions"}},
}

// String is the name of the switch, as in --readings name=value.
func (s Switch) String() string { return switchTable[s].name }

// Values are the values a switch can take, the default first.
func (s Switch) Values() []string { return slices.Clone(switchTable[s].values) }

// Switches are all switches in order.
func Switches() []Switch {
	all := make([]Switch, switches)
	for i := range all {
		all[i] = Switch(i)
	}
	return all
}

// Readings is one value for every switch. The zero value holds the defaults.
type Readings [switches]uint8

// ReadingError says that a reading does not exist.
type ReadingError struct{ Text string }

// Error names the reading and the ones there are.
func (e *ReadingError) Error() string {
	var known []string
	for _, s := range switchTable {
		known = append(known, s.name+"="+strings.Join(s.values, "|"))
	}
	return fmt.Sprintf("reading %q: want one of %s", e.Text, strings.Join(known, ", "))
}

// Set changes one switch, given as "name=value". The error is a *ReadingError.
func (r *Readings) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	for i, s := range switchTable {
		if s.name == name {
			if at := slices.Index(s.values, value); at >= 0 {
				r[i] = uint8(at)
				return nil
			}
		}
	}
	return &ReadingError{text}
}

// Is reports whether a switch has that value.
func (r Readings) Is(s Switch, value string) bool { return r.Value(s) == value }

// Value is the value of a switch.
func (r Readings) Value(s Switch) string { return switchTable[s].values[r[s]] }

// Lattice ranges over every combination of values of the given switches, the others staying as they are; r itself comes first. With at
// most five switches asked for at a time there are at most 48.
func (r Readings) Lattice(of ...Switch) iter.Seq[Readings] {
	return func(yield func(Readings) bool) {
		if !yield(r) {
			return
		}
		turn := r
		for _, s := range of {
			turn[s] = 0
		}
		for {
			if turn != r && !yield(turn) {
				return
			}
			i := 0
			for ; i < len(of); i++ {
				if turn[of[i]]++; int(turn[of[i]]) < len(switchTable[of[i]].values) {
					break
				}
				turn[of[i]] = 0
			}
			if i == len(of) {
				return
			}
		}
	}
}

// Judge is a judgement that depends on readings: a pure function from readings to what it records.
type Judge func(Readings, *Log)

// Run is what a judgement runs with: where it records, under which readings, and whether gaps of other readings are recorded too.
type Run struct {
	Log      *Log
	Readings Readings
	All      bool
}

// Walk runs a judgement over the lattice of some switches.
func (r Run) Walk(j Judge, of ...Switch) { r.Log.Walk(r.Readings, r.All, j, of...) }

// Walk runs a rule under every combination of the switches it names and records what it says under r. A finding is robust where the rule
// gives the same id at the same place under every combination; otherwise it names the single readings that decide. With all set, gaps
// that exist only under other readings are recorded too, as notes.
func (l *Log) Walk(r Readings, all bool, rule Judge, of ...Switch) {
	type key struct{ id, at string }
	total := 0
	held := map[key]map[Readings]bool{}
	var own Log
	var order []key
	elsewhere := map[key]Finding{}
	for reading := range r.Lattice(of...) {
		var log Log
		rule(reading, &log)
		if total == 0 {
			own = log
		}
		total++
		for _, f := range log.findings {
			k := key{f.ID, f.At}
			if held[k] == nil {
				held[k], elsewhere[k] = map[Readings]bool{}, f
				order = append(order, k)
			}
			held[k][reading] = true
		}
	}
	for i := range own.findings {
		f := &own.findings[i]
		if under := held[key{f.ID, f.At}]; len(under) < total {
			f.Robust, f.Readings = false, deciding(under, r, of)
		} else {
			f.Robust = true
		}
	}
	l.Merge(&own)
	for _, k := range order {
		if f := elsewhere[k]; all && !held[k][r] && f.Outcome == Gap {
			f.Severity, f.Robust, f.Readings = Note, false, deciding(held[k], r, of)
			l.Add(f)
		}
	}
}

// deciding names the readings whose single change flips the finding; where no single one does, all switches asked for.
func deciding(under map[Readings]bool, r Readings, of []Switch) []string {
	var names []string
	for _, s := range of {
		for v := range switchTable[s].values {
			other := r
			if other[s] = uint8(v); other != r && under[other] != under[r] {
				names = append(names, s.String()+"="+switchTable[s].values[v])
			}
		}
	}
	if len(names) == 0 {
		for _, s := range of {
			names = append(names, s.String())
		}
	}
	slices.Sort(names)
	return names
}
