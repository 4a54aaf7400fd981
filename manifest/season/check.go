package season

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
)

// What Check finds in a season, beyond the problems of its corpus.
const (
	ClosesBeforeOpens   manifest.Code = "closes_before_opens"  // closes_at is not after opens_at
	CapAboveTwice       manifest.Code = "cap_above_twice"      // max_assertions is more than twice min_assertions (§10: dilution by two at most)
	MinimumUnreachable  manifest.Code = "minimum_unreachable"  // the graph has fewer admissible claims than the minimum, or its half on own resources
	TooManyResources    manifest.Code = "too_many_resources"   // a right answer needs more than MaxCalls resources (§5.6)
	FactsAboveCap       manifest.Code = "facts_above_cap"      // the facts need more assertions than the cap lets through
	GraphBounds         manifest.Code = "graph_too_large"      // the rules reach more than this program follows
	LinkToNowhere       manifest.Code = "link_to_nowhere"      // a start or a link at which nothing is served
	RuleForNobody       manifest.Code = "rule_for_nobody"      // a rule of the graph with a variable that no task's subject has
	VerdictUnknown      manifest.Code = "verdict_unknown"      // a verdict of the key or the distribution is not in the set
	DistributionDiffers manifest.Code = "distribution_differs" // the published count of a verdict is not the key's
	KeyTaskUnknown      manifest.Code = "key_task_unknown"     // the key answers a task that the scale does not ask
	FactFalse           manifest.Code = "fact_false"           // the corpus has another value there, or none
	FactUnreachable     manifest.Code = "fact_unreachable"     // the resource is not in the task's graph
	FactEntry           manifest.Code = "fact_entry"           // a shared list, and not an entry that concerns the subject
	FactInadmissible    manifest.Code = "fact_inadmissible"    // the field is not admissible for the collection
	ControlCount        manifest.Code = "control_count"        // not exactly one control task (§5.5)
	ControlFamily       manifest.Code = "control_family"       // a control task that belongs to a family of traps
	P5Count             manifest.Code = "p5_count"             // fewer than MinP5 tasks of family P5 (§5.4)
	NoOptionCount       manifest.Code = "no_option_count"      // fewer than MinNoOption tasks of the generic track without a valid option (§6.5)
)

// What the challenge promises about a track (§5.4 to §5.6, §6.5).
const (
	MaxCalls    = 20 // resources that a right answer may need, those that lead to them included
	MinP5       = 3
	MinNoOption = 3
)

// Check lists what is wrong with a season whose freeze holds: what its organizer would want to know before publishing it. It begins with
// what is wrong with the corpus. The order is that of the files.
func Check(s *Season) []manifest.Problem {
	out := slices.Concat(s.Corpus.Missing(), s.Corpus.Differences(), s.Corpus.Problems())
	if !s.Closes.After(s.Opens) {
		out = append(out, manifest.Problem{Code: ClosesBeforeOpens, File: s.File, Pointer: "/closes_at",
			Found: s.Closes.Format(time.RFC3339Nano), Wanted: "a time after " + s.Opens.Format(time.RFC3339Nano)})
	}
	for i := range s.Tracks {
		c := &checker{corpus: s.Corpus, track: &s.Tracks[i], nowhere: map[Nowhere]bool{}}
		c.run()
		out = append(out, c.out...)
	}
	return out
}

type checker struct {
	corpus  *manifest.Corpus
	track   *Track
	nowhere map[Nowhere]bool
	out     []manifest.Problem
}

func (c *checker) inScale(code manifest.Code, pointer, found, wanted string) {
	c.out = append(c.out, manifest.Problem{Code: code, File: c.track.Scale.File, Pointer: pointer, Found: found, Wanted: wanted})
}

func (c *checker) inKey(code manifest.Code, pointer, found, wanted string) {
	c.out = append(c.out, manifest.Problem{Code: code, File: c.track.Key.File, Pointer: pointer, Found: found, Wanted: wanted})
}

func (c *checker) run() {
	c.distribution()
	c.rules()
	for _, t := range c.track.Scale.Tasks {
		c.task(t)
	}
	c.composition()
	for _, k := range c.track.Key.Tasks {
		if !c.track.Scale.Verdicts.Contains(k.Verdict, c.corpus) {
			c.inKey(VerdictUnknown, k.Pointer+"/verdict", k.Verdict, "a verdict of the track")
		}
		if _, ok := c.track.Scale.Task(k.ID); !ok {
			c.inKey(KeyTaskUnknown, k.Pointer+"/task_id", k.ID, "a task of "+c.track.Scale.File)
		}
	}
}

// rules names every rule of the graph that applies to no task, such as one with a misspelt variable: what it was to reach stays outside
// every graph, and an assertion on it is only refused at the close.
func (c *checker) rules() {
	for i := range c.track.Scale.rules {
		applies := func(t Task) bool {
			_, ok := bind(&c.track.Scale.rules[i], t.Subject)
			return ok
		}
		if !slices.ContainsFunc(c.track.Scale.Tasks, applies) {
			c.inScale(RuleForNobody, fmt.Sprintf("/graph/%d", i), "a variable that no task's subject has", "variables of the subject of a task, or {value}")
		}
	}
}

// distribution compares what was published with what the key says.
func (c *checker) distribution() {
	counts := map[string]int64{}
	for _, k := range c.track.Key.Tasks {
		counts[k.Verdict]++
	}
	for _, d := range c.track.Scale.Distribution {
		at := "/published_distribution/" + canon.EscapeToken(d.Verdict)
		if !c.track.Scale.Verdicts.Contains(d.Verdict, c.corpus) {
			c.inScale(VerdictUnknown, at, d.Verdict, "a verdict of the track")
		}
		if counts[d.Verdict] != d.Tasks {
			c.inScale(DistributionDiffers, at, fmt.Sprint(d.Tasks), fmt.Sprintf("%d, as the key has it", counts[d.Verdict]))
		}
	}
}

// composition counts the tasks that §5.4, §5.5 and §6.5 promise.
func (c *checker) composition() {
	control, p5, noOption := 0, 0, 0
	for _, k := range c.track.Key.Tasks {
		if k.Control {
			control++
			if k.Family != "" {
				c.inKey(ControlFamily, k.Pointer+"/family", k.Family, "null for the control task")
			}
		}
		if k.Family == "P5" {
			p5++
		}
		if slices.Contains(c.track.Scale.Verdicts.Or, k.Verdict) {
			noOption++
		}
	}
	if control != 1 {
		c.inKey(ControlCount, "/tasks", fmt.Sprintf("%d control tasks", control), "1")
	}
	if p5 < MinP5 {
		c.inKey(P5Count, "/tasks", fmt.Sprintf("%d tasks of family P5", p5), fmt.Sprintf("at least %d", MinP5))
	}
	if c.track.Scale.Verdicts.Collection != "" && noOption < MinNoOption {
		c.inKey(NoOptionCount, "/tasks", fmt.Sprintf("%d tasks without a valid option", noOption), fmt.Sprintf("at least %d", MinNoOption))
	}
}

// task checks one task of the scale and its answer.
func (c *checker) task(t Task) {
	if t.Max > 2*t.Min {
		c.inScale(CapAboveTwice, t.Pointer+"/max_assertions", fmt.Sprint(t.Max), fmt.Sprintf("at most %d, twice the minimum", 2*t.Min))
	}
	g, err := NewGraph(c.corpus, c.track.Scale, t)
	var large *GraphTooLarge
	if errors.As(err, &large) {
		c.inScale(GraphBounds, t.Pointer, large.Found, large.Wanted)
		return
	}
	for _, n := range g.Nowhere() {
		if !c.nowhere[n] {
			c.nowhere[n] = true
			c.inScale(LinkToNowhere, "/graph", n.Target+" from "+orStart(n.From), "a page of the corpus or a reference below a collection")
		}
	}
	own, all := 0, 0
	for _, claim := range Admissible(g, c.track.Scale) {
		all++
		if n, _ := g.Resource(claim.Resource); n.Own {
			own++
		}
	}
	if all < t.Min || own < t.Half() {
		c.inScale(MinimumUnreachable, t.Pointer+"/min_assertions", fmt.Sprintf("%d admissible claims, %d on own resources", all, own), fmt.Sprintf("at least %d and %d", t.Min, t.Half()))
	}
	if k, ok := c.track.Key.Task(t.ID); ok {
		c.answer(t, k, g)
	}
}

func orStart(from string) string {
	if from == "" {
		return "a start"
	}
	return from
}

// answer checks the facts of one task of the key, and what carrying them takes.
func (c *checker) answer(t Task, k KeyTask, g *Graph) {
	for i, f := range k.Facts {
		for j, form := range f.Forms {
			for n, claim := range form {
				c.claim(claim, fmt.Sprintf("%s/facts/%d/forms/%d/%d", k.Pointer, i, j, n), g)
			}
		}
	}
	if n := cheapest(k.Facts, func(claim Claim) []string { return path(g, claim.Resource) }); n > MaxCalls {
		c.inKey(TooManyResources, k.Pointer, fmt.Sprintf("%d resources to read", n), fmt.Sprintf("at most %d", MaxCalls))
	}
	if n := cheapest(k.Facts, func(claim Claim) []string { return []string{claim.key()} }); n > t.Max {
		c.inKey(FactsAboveCap, k.Pointer+"/facts", fmt.Sprintf("%d assertions to carry them", n), fmt.Sprintf("at most %d", t.Max))
	}
}

func (c *checker) claim(claim Claim, pointer string, g *Graph) {
	node, ok := g.Resource(claim.Resource)
	switch {
	case !ok:
		c.inKey(FactUnreachable, pointer+"/resource", claim.Resource, "a resource of the task's graph")
	case node.Shared && !g.EntryConcerns(claim.Resource, claim.Field):
		c.inKey(FactEntry, pointer+"/field", claim.Field, "a field of an entry that concerns the subject")
	}
	if !c.track.Scale.Admissible(claim.Resource, claim.Field) {
		c.inKey(FactInadmissible, pointer+"/field", claim.Field, "a field that is admissible for "+claim.Resource)
	}
	body, ok := c.corpus.Body(claim.Resource)
	if page, listed := c.corpus.Page(claim.Resource); listed && !page.Body.Exists() {
		return // missing or not JSON, which is said of the page
	}
	if !ok || !claim.HoldsIn(body) {
		c.inKey(FactFalse, pointer+"/value", claim.Value.Raw(), valueAt(body, claim.Field)+", as the corpus has it")
	}
}

// HoldsIn reports whether the body has the claimed value at the field, by typed equality.
func (c Claim) HoldsIn(body canon.Value) bool {
	p, err := canon.ParsePointer(c.Field)
	if err != nil {
		return false
	}
	v, err := p.Lookup(body)
	return err == nil && canon.Equal(v, c.Value)
}

func valueAt(body canon.Value, field string) string {
	if p, err := canon.ParsePointer(field); err == nil {
		if v, err := p.Lookup(body); err == nil {
			return v.Raw()
		}
	}
	return "nothing"
}

// key is equal for two claims exactly when they say the same.
func (c Claim) key() string {
	return c.Resource + "\n" + c.Field + "\n" + string(canon.AppendCanonical(nil, c.Value))
}

// path is the resource and those that lead to it, one link at a time, from a start.
func path(g *Graph, resource string) []string {
	var out []string
	for at := resource; at != ""; {
		out = append(out, at)
		n, _ := g.Resource(at)
		at = n.From
	}
	return out
}

// maxCombinations is how many ways to choose a form for each fact are tried; past it, the first smallest form of each is taken.
const maxCombinations = 4096

// cheapest is the smallest number of different things that carrying every fact takes, cost naming those of one claim.
func cheapest(facts []Fact, cost func(Claim) []string) int {
	combinations := 1
	for _, f := range facts {
		combinations = min(combinations*len(f.Forms), maxCombinations+1)
	}
	if combinations > maxCombinations {
		return total(facts, cost, func(f Fact) []Claim {
			return slices.MinFunc(f.Forms, func(a, b []Claim) int { return len(a) - len(b) })
		})
	}
	best := -1
	for n := range combinations {
		digits := n // one digit for each fact, in the base of its forms
		used := total(facts, cost, func(f Fact) []Claim {
			form := f.Forms[digits%len(f.Forms)]
			digits /= len(f.Forms)
			return form
		})
		if best < 0 || used < best {
			best = used
		}
	}
	return best
}

// total counts the different things that the chosen forms take.
func total(facts []Fact, cost func(Claim) []string, choose func(Fact) []Claim) int {
	used := map[string]bool{}
	for _, f := range facts {
		for _, claim := range choose(f) {
			for _, thing := range cost(claim) {
				used[thing] = true
			}
		}
	}
	return len(used)
}

// Admissible lists every true claim that the task may make: the values at admissible fields of the resources of its graph, in the order
// in which the resources are reached, fields in the order of the scale. On shared lists only entries that concern the subject count.
func Admissible(g *Graph, s *Scale) []Claim {
	var out []Claim
	for _, n := range g.order {
		f, _ := s.fieldsOf(n.Resource)
		for _, p := range f.patterns {
			p.each(n.body, func(v canon.Value) {
				claim := Claim{Resource: n.Resource, Field: v.Pointer(), Value: v}
				if !n.Shared || g.EntryConcerns(claim.Resource, claim.Field) {
					out = append(out, claim)
				}
			})
		}
	}
	return out
}

// Constant is what answering every task of a track alike would bring.
type Constant struct {
	Verdict string
	Exact   int64 // tasks counted as right
	Tasks   int64 // tasks of the track
}

// BestConstant is the success of the most frequent verdict of the published distribution, ties going to the one listed first; false
// where nothing was published. It takes every fact as carried, so it is the most that guessing can bring.
func BestConstant(s *Scale) (Constant, bool) {
	best := Constant{Tasks: int64(len(s.Tasks))}
	for _, d := range s.Distribution {
		if best.Verdict == "" || d.Tasks > best.Exact {
			best.Verdict, best.Exact = d.Verdict, d.Tasks
		}
	}
	return best, best.Verdict != ""
}

// BestFiller is what the best constant verdict brings with assertions that are true and chosen without thought: for each task the first
// admissible claims, up to the cap. It shows how far filling goes (§10). The error is a *GraphTooLarge.
func BestFiller(t *Track, corpus *manifest.Corpus) (Constant, error) {
	grounded := map[string]int64{}
	for _, task := range t.Scale.Tasks {
		k, ok := t.Key.Task(task.ID)
		if !ok {
			continue
		}
		g, err := NewGraph(corpus, t.Scale, task)
		if err != nil {
			return Constant{}, err
		}
		made := map[string]bool{}
		claims := Admissible(g, t.Scale)
		for _, claim := range claims[:min(len(claims), task.Max)] {
			made[claim.key()] = true
		}
		if carried(k.Facts, made) {
			grounded[k.Verdict]++
		}
	}
	best := Constant{Tasks: int64(len(t.Scale.Tasks))}
	for verdict, n := range grounded {
		if n > best.Exact || n == best.Exact && strings.Compare(verdict, best.Verdict) < 0 {
			best.Verdict, best.Exact = verdict, n
		}
	}
	return best, nil
}

// carried reports whether every fact has a form of which every claim was made.
func carried(facts []Fact, made map[string]bool) bool {
	for _, f := range facts {
		if !slices.ContainsFunc(f.Forms, func(form []Claim) bool {
			return !slices.ContainsFunc(form, func(c Claim) bool { return !made[c.key()] })
		}) {
			return false
		}
	}
	return true
}
