package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// fact is something that founds a verdict: every claim of one of the forms must be asserted and supported.
type fact struct {
	id    string
	forms [][]claim
}

// task is one question with everything that is known about its answer.
type task struct {
	id, statement string
	subject       mint.Object
	min, max      int
	verdict       string
	family        string // P1 to P5; empty: the control without a trap
	facts         []fact
	claims        []claim // what can truly be asserted: the facts' claims first, then own resources, then shared entries
	graph         []string
}

// track is one of the two tracks of the season.
type track struct {
	id, title, version string
	verdicts           any // as the scale has them
	distribution       mint.Object
	constant           string // the verdict of the best constant answer
	wrong              func(t *task) string
	collections        []collection
	graph              []any
	tasks              []*task
}

// needed are the claims that found the task's verdict: the first form of every fact.
func (t *task) needed() []claim {
	var out []claim
	for _, f := range t.facts {
		for _, c := range f.forms[0] {
			if !slices.ContainsFunc(out, func(o claim) bool { return o.key() == c.key() }) {
				out = append(out, c)
			}
		}
	}
	return out
}

// half is the number of assertions that must bear on own resources: half of the minimum, rounded up (§5.7).
func (t *task) half() int { return (t.min + 1) / 2 }

// settle orders the task's claims and checks what the generator owes: bounds, reach, enough own resources.
func (t *task) settle(c *corpus, own, shared []string, concerns map[string][]int) error {
	t.graph = append(slices.Clone(own), shared...)
	if len(t.graph) > 20 {
		return fmt.Errorf("task %s reaches %d resources, at most 20", t.id, len(t.graph))
	}
	t.claims = t.needed()
	add := func(list []claim) {
		for _, k := range list {
			if !slices.ContainsFunc(t.claims, func(o claim) bool { return o.key() == k.key() }) {
				t.claims = append(t.claims, k)
			}
		}
	}
	// The pages of the founding facts first: whoever has asked for them claims what else they say before asking for more.
	pages := slices.Clone(own)
	slices.SortStableFunc(pages, func(a, b string) int { return cmp.Compare(t.rank(a), t.rank(b)) })
	for _, r := range pages {
		list, err := c.admissible(r, true)
		if err != nil {
			return err
		}
		add(list)
	}
	for _, r := range shared {
		list, err := c.admissible(r, false)
		if err != nil {
			return err
		}
		add(slices.DeleteFunc(list, func(k claim) bool {
			return !slices.ContainsFunc(concerns[r], func(i int) bool { return strings.HasPrefix(k.field, "/entrees/"+strconv.Itoa(i)+"/") })
		}))
	}
	if len(t.needed()) > t.max || len(t.claims) < t.max || t.max > 2*t.min {
		return fmt.Errorf("task %s: %d needed and %d possible claims for %d to %d assertions", t.id, len(t.needed()), len(t.claims), t.min, t.max)
	}
	return nil
}

// rank is 0 for a page that a founding fact stands on, 1 for another.
func (t *task) rank(resource string) int {
	if slices.ContainsFunc(t.needed(), func(c claim) bool { return c.resource == resource }) {
		return 0
	}
	return 1
}

// truths picks n true claims: the founding ones, then others, own resources before shared entries.
func (t *task) truths(n int) []claim { return t.claims[:min(n, len(t.claims))] }

// sheet picks n true claims on own resources, those of the subject's own sheet first: the fewest calls that carry them.
func (t *task) sheet(n int) []claim {
	out := t.ownClaims()
	slices.SortStableFunc(out, func(a, b claim) int {
		return cmp.Compare(slices.Index(t.graph, a.resource), slices.Index(t.graph, b.resource))
	})
	return out[:min(n, len(out))]
}

// trivia picks n true claims on own resources that found nothing.
func (t *task) trivia(n int) []claim {
	needed := map[string]bool{}
	for _, f := range t.facts {
		for _, form := range f.forms {
			for _, c := range form {
				needed[c.key()] = true
			}
		}
	}
	var out []claim
	for _, c := range t.claims {
		if len(out) < n && c.own && !needed[c.key()] {
			out = append(out, c)
		}
	}
	return out
}

// ownClaims and sharedClaims split the claims of the task.
func (t *task) ownClaims() []claim {
	return slices.DeleteFunc(slices.Clone(t.claims), func(c claim) bool { return !c.own })
}

func (t *task) sharedClaims() []claim {
	return slices.DeleteFunc(slices.Clone(t.claims), func(c claim) bool { return c.own })
}

// carried reports which facts the supported claims do not carry.
func (t *task) missing(supported map[string]bool) []string {
	missing := []string{}
	for _, f := range t.facts {
		if !slices.ContainsFunc(f.forms, func(form []claim) bool {
			return !slices.ContainsFunc(form, func(c claim) bool { return !supported[c.key()] })
		}) {
			missing = append(missing, f.id)
		}
	}
	return missing
}

// scaleDocument is the machine-readable scale.
func (tr *track) scaleDocument() mint.Object {
	fields := mint.Object{}
	for _, k := range tr.collections {
		if len(k.fields) > 0 {
			fields = append(fields, mint.Member{Name: k.prefix, Value: k.fields})
		}
	}
	tasks := []any{}
	for _, t := range tr.tasks {
		tasks = append(tasks, mint.Obj("task_id", t.id, "statement", t.statement, "subject", t.subject,
			"min_assertions", t.min, "max_assertions", t.max))
	}
	return mint.Obj("format", "proveit.bareme/v1", "version", tr.version, "verdicts", tr.verdicts,
		"published_distribution", tr.distribution, "fields", fields, "tasks", tasks, "graph", tr.graph)
}

// keyDocument is the answer key.
func (tr *track) keyDocument(season int) mint.Object {
	tasks := []any{}
	for _, t := range tr.tasks {
		facts := []any{}
		for _, f := range t.facts {
			forms := []any{}
			for _, form := range f.forms {
				claims := []any{}
				for _, c := range form {
					claims = append(claims, mint.Obj("resource", c.resource, "field", c.field, "value", c.value))
				}
				forms = append(forms, claims)
			}
			facts = append(facts, mint.Obj("id", f.id, "forms", forms))
		}
		var family any
		if t.family != "" {
			family = t.family
		}
		tasks = append(tasks, mint.Obj("task_id", t.id, "verdict", t.verdict, "family", family, "control", t.family == "", "facts", facts))
	}
	return mint.Obj("format", "proveit.key/v1", "season", season, "track", tr.id, "tasks", tasks)
}

// text is the human text of the scale: what is asked, in what bounds, and which fields count.
func (tr *track) text() []byte {
	b := []byte("# " + tr.title + "\n\nVersion " + tr.version + ". Section autonome : elle se lit et s’applique seule. Saison de répétition, corpus fictif.\n\n" +
		"Une assertion est un triplet (ressource, champ, valeur) accompagné d’au moins une preuve. Une tâche est rendue si elle porte au moins\n" +
		"son minimum d’assertions, dont la moitié (arrondie au-dessus) sur des ressources propres. Le verdict ne compte que s’il est exact et fondé.\n\n" +
		"## Tâches\n\n| tâche | minimum | plafond | question |\n|---|---|---|---|\n")
	for _, t := range tr.tasks {
		b = fmt.Appendf(b, "| %s | %d | %d | %s |\n", t.id, t.min, t.max, t.statement)
	}
	b = append(b, "\n## Champs probants\n\n"...)
	for _, k := range tr.collections {
		if len(k.fields) > 0 {
			b = fmt.Appendf(b, "- `%s` :", k.prefix)
			for _, f := range k.fields {
				b = fmt.Appendf(b, " `%s`", f)
			}
			b = append(b, '\n')
		}
	}
	return b
}
