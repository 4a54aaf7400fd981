package lint

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// guaranteeForm: pass@k, pass@k:dimension, or pN:dimension.
var guaranteeForm = regexp.MustCompile(`^(?:pass@([1-9][0-9]{0,2})(?::([a-z][a-z0-9_]{0,63}))?|p([1-9][0-9]?):([a-z][a-z0-9_]{0,63}))$`)

// attempt is one delivery of a task in history.jsonl.
type attempt struct {
	number int64
	passed document.Verdict
}

// CheckGuarantees records R084 and R085: what quality_criteria.guarantees promise, against history.jsonl.
func (in Input) CheckGuarantees() {
	list := in.Agreement.Criteria.Value.Get("guarantees")
	if list.Len() == 0 {
		in.Log.NA("R084")
		in.Log.NA("R085")
		return
	}
	for i, g := range list.Elements() {
		if i >= 64 {
			break
		}
		in.checkGuarantee(g)
	}
}

func (in Input) checkGuarantee(g canon.Value) {
	at := in.Agreement.Place(g)
	m := guaranteeForm.FindStringSubmatch(document.Text(g.Get("expr")))
	s := document.SLO{Operator: document.Text(g.Get("operator")), Value: g.Get("value")}
	if m == nil {
		in.Log.Gap(finding.Error, "R013", "guarantee-syntax", at+"/expr", document.Shown(g.Get("expr")), "pass@k or pN:dimension")
		return
	}
	requirement, dimension := "R085", m[4]
	if m[1] != "" {
		requirement, dimension = "R084", m[2]
	}
	if in.History == nil {
		in.Log.Missing(requirement, "input-missing", "history.jsonl", "deliveries and their scores")
		return
	}
	if m[1] != "" {
		k, _ := strconv.ParseInt(m[1], 10, 64)
		in.Walk(func(rd finding.Readings, l *finding.Log) {
			judgePass(tasksOf(in.deliveries(), dimension), k, s, at, rd, l)
		}, finding.PassK)
		return
	}
	p, _ := strconv.ParseInt(m[3], 10, 64)
	scores := scoresOf(in.deliveries(), dimension)
	in.Walk(func(rd finding.Readings, l *finding.Log) { judgePercentile(scores, p, s, at, rd, l) }, finding.Pctl)
	weakDirection(scores, p, s, at, in.Log)
}

// deliveries are the records of the history that are the agreement's provider's: those that name nobody, or it by its value or as
// "scheme:value".
func (in Input) deliveries() []*document.Document {
	var own []*document.Document
	provider := in.Agreement.Party("provider")
	for _, d := range in.History {
		name := document.Text(d.Get("provider"))
		bare := document.Identity{Scheme: provider.Scheme, Value: name}
		full := document.Identity{Scheme: provider.Scheme, Value: strings.TrimPrefix(name, provider.Scheme+":")}
		if name == "" || bare.Normal() == provider.Normal() || full.Normal() == provider.Normal() && full != bare {
			own = append(own, d)
		}
	}
	return own
}

// tasksOf groups attempts by task, in order of their number. An attempt passes where all its records do.
func tasksOf(history []*document.Document, dimension string) map[string][]attempt {
	tasks := map[string][]attempt{}
	for _, d := range history {
		if dimension != "" && document.Text(d.Get("dimension")) != dimension {
			continue
		}
		task := document.Text(d.Get("task"))
		number, _ := d.Get("attempt").Int64()
		passed := document.DeclaredBool(d.Get("passed"))
		at := slices.IndexFunc(tasks[task], func(x attempt) bool { return x.number == number })
		if at >= 0 {
			tasks[task][at].passed = settlement.Both(tasks[task][at].passed, passed)
			continue
		}
		tasks[task] = append(tasks[task], attempt{number: number, passed: passed})
	}
	for _, list := range tasks {
		slices.SortStableFunc(list, func(x, y attempt) int { return cmp.Compare(x.number, y.number) })
	}
	return tasks
}

// judgePass records R084 under one reading: the mean over tasks of the chance that k attempts hold a success.
func judgePass(tasks map[string][]attempt, k int64, s document.SLO, place string, rd finding.Readings, l *finding.Log) {
	names := make([]string, 0, len(tasks))
	for name := range tasks {
		names = append(names, name)
	}
	slices.Sort(names)
	sum := new(big.Rat)
	var steps []string
	for _, name := range names {
		if at := slices.IndexFunc(tasks[name], func(x attempt) bool { return x.passed == document.Unknown }); at >= 0 {
			l.Missing("R084", "no-outcome", place, fmt.Sprintf("passed of attempt %d of %s", tasks[name][at].number, document.Clip(name)))
			return
		}
		share := passAtK(tasks[name], k, rd)
		if share == nil {
			l.Missing("R084", "too-few-attempts", place, fmt.Sprintf("%d attempts of %s, there are %d", k, document.Clip(name), len(tasks[name])))
			return
		}
		sum.Add(sum, share)
		steps = append(steps, document.Clip(name)+": "+exact.Text(share))
	}
	if len(names) == 0 {
		l.Missing("R084", "too-few-attempts", place, "attempts")
		return
	}
	mean := exact.Quo(sum, exact.Int(int64(len(names))))
	percent := exact.Mul(mean, exact.Int(100))
	met, _ := s.Compare(percent)
	steps = append(steps, "mean="+mean.RatString())
	judgeGuarantee("R084", met, percent, s, place, steps, l)
}

// passAtK is 1 - C(n-c,k)/C(n,k) for n attempts with c successes, or the share of disjoint blocks of k with a success; nil for n < k.
func passAtK(list []attempt, k int64, rd finding.Readings) *big.Rat {
	n, c := int64(len(list)), int64(0)
	for _, x := range list {
		if x.passed == document.True {
			c++
		}
	}
	if n < k {
		return nil
	}
	if rd.Is(finding.PassK, "blocks") {
		blocks, good := n/k, int64(0)
		for b := range blocks {
			if slices.ContainsFunc(list[b*k:(b+1)*k], func(x attempt) bool { return x.passed == document.True }) {
				good++
			}
		}
		return big.NewRat(good, blocks)
	}
	if n-c < k {
		return exact.Int(1)
	}
	none := new(big.Rat).SetFrac(new(big.Int).Binomial(n-c, k), new(big.Int).Binomial(n, k))
	return exact.Sub(exact.Int(1), none)
}

func judgeGuarantee(requirement string, met document.Verdict, got *big.Rat, s document.SLO, at string, steps []string, l *finding.Log) {
	switch met {
	case document.Unknown:
		l.Missing(requirement, "guarantee-unknown", at, "an operator and a number")
	case document.True:
		l.OK(requirement)
	default:
		l.Add(finding.Finding{
			ID: finding.ID(requirement, "guarantee-not-met"), Severity: finding.Error, Outcome: finding.Gap, At: at,
			Declared: s.Operator + " " + document.Shown(s.Value), Recomputed: settlement.ShortText(got), Derivation: steps,
		})
	}
}

// scoresOf are the scores of one dimension in history, ascending.
func scoresOf(history []*document.Document, dimension string) []*big.Rat {
	var scores []*big.Rat
	for _, d := range history {
		if s := document.Number(d.Get("score")); s != nil && document.Text(d.Get("dimension")) == dimension {
			scores = append(scores, s)
		}
	}
	slices.SortFunc(scores, (*big.Rat).Cmp)
	return scores
}

// NearestRank is the percentile of ascending scores: the one of rank ceil(p*n/100).
func NearestRank(scores []*big.Rat, p int64) *big.Rat {
	n := int64(len(scores))
	return scores[max(1, (p*n+99)/100)-1]
}

func judgePercentile(scores []*big.Rat, p int64, s document.SLO, at string, rd finding.Readings, l *finding.Log) {
	if len(scores) == 0 {
		l.Missing("R085", "no-scores", at, "scores of the dimension in history.jsonl")
		return
	}
	if rd.Is(finding.Pctl, "complement") {
		p = 100 - p
	}
	got := NearestRank(scores, p)
	met, _ := s.Compare(got)
	judgeGuarantee("R085", met, got, s, at, []string{fmt.Sprintf("rank %d of %d", max(1, (p*int64(len(scores))+99)/100), len(scores))}, l)
}

// weakDirection warns that a high percentile with "at least" only asks the best deliveries for something.
func weakDirection(scores []*big.Rat, p int64, s document.SLO, at string, l *finding.Log) {
	if len(scores) == 0 || p <= 50 || s.Operator != "gte" && s.Operator != "gt" {
		return
	}
	reached := int64(0)
	for _, x := range scores {
		if met, _ := s.Compare(x); met == document.True {
			reached++
		}
	}
	share := exact.Mul(big.NewRat(reached, int64(len(scores))), exact.Int(100))
	l.Add(finding.Finding{
		ID: finding.ID("R085", "weak-direction"), Severity: finding.Warn, Outcome: finding.Gap, At: at,
		Declared: fmt.Sprintf("p%d=%s", p, exact.Text(NearestRank(scores, p))), Recomputed: fmt.Sprintf("p%d=%s", 100-p, exact.Text(NearestRank(scores, 100-p))),
		Derivation: []string{"share " + s.Operator + " " + document.Shown(s.Value) + " = " + exact.Rounded(share, 4) + " %"},
	})
}
