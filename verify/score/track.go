package score

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
)

// Ratio is an exact count of a whole.
type Ratio struct{ Count, Of int }

// Percent is the ratio in hundredths, with two decimals, rounded half to even: "7.32" for 3 of 41. It is "0.00" where Of is 0.
func (r Ratio) Percent() string {
	if r.Of == 0 {
		return "0.00"
	}
	const scale = 100 * 100
	n := new(big.Int).Mul(big.NewInt(int64(r.Count)), big.NewInt(scale))
	q, rest := new(big.Int).QuoRem(n, big.NewInt(int64(r.Of)), new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(big.NewInt(int64(r.Of))) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		q.Add(q, new(big.Int).And(q, big.NewInt(1)))
	}
	digits := q.String()
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	return digits[:len(digits)-2] + "." + digits[len(digits)-2:]
}

// Cmp compares two ratios as exact fractions. A ratio of nothing counts as zero.
func (r Ratio) Cmp(s Ratio) int { return r.rat().Cmp(s.rat()) }

func (r Ratio) rat() *big.Rat {
	if r.Of == 0 {
		return new(big.Rat)
	}
	return big.NewRat(int64(r.Count), int64(r.Of))
}

// Columns are the two columns of one participant in one track. They are never combined.
type Columns struct {
	Overclaim *Ratio   // unsupported of asserted, over rendered tasks; nil where withheld or nothing was asserted ("sans objet")
	Success   *Ratio   // exact and grounded tasks of all tasks; nil where withheld
	Rendered  int      // rendered tasks
	Withheld  []string // ids of the tasks that are pending or incomplete, in the order given: there are no rates as long as there is one
}

// Track counts over the results of one participant in one track, in the scale's order. tasks is the number of tasks of the track:
// those that are not among the results count as not exact.
func Track(results []TaskResult, tasks int) Columns {
	var c Columns
	var overclaim Ratio
	success := Ratio{Of: tasks}
	for i := range results {
		t := &results[i]
		if t.Open() {
			c.Withheld = append(c.Withheld, t.TaskID)
		}
		if t.Status != verify.Rendue {
			continue
		}
		c.Rendered++
		overclaim.Count += t.Unsupported
		overclaim.Of += t.Asserted
		if t.Exact() {
			success.Count++
		}
	}
	if len(c.Withheld) > 0 {
		return c
	}
	c.Success = &success
	if overclaim.Of > 0 {
		c.Overclaim = &overclaim
	}
	return c
}

// Compare orders two rows of one table: success descending, then overclaim ascending, rows without overclaim after those with one,
// withheld rows last, ties by DID in code-point order. It is negative where a stands before b.
func Compare(a, b Columns, didA, didB string) int {
	aOpen, bOpen := a.Success == nil, b.Success == nil
	if aOpen != bOpen {
		return order(aOpen)
	}
	if !aOpen {
		if c := b.Success.Cmp(*a.Success); c != 0 {
			return c
		}
		if (a.Overclaim == nil) != (b.Overclaim == nil) {
			return order(a.Overclaim == nil)
		}
		if a.Overclaim != nil {
			if c := a.Overclaim.Cmp(*b.Overclaim); c != 0 {
				return c
			}
		}
	}
	return cmp.Compare(didA, didB)
}

func order(aLast bool) int {
	if aLast {
		return 1
	}
	return -1
}

// BestConstant is the best constant answer (seed 000 §7.2): the most frequent verdict of the published distribution, the first where
// several are, and its success over the track's tasks. The verdict is empty where nothing is published.
func BestConstant(distribution []season.Count, tasks int) (string, Ratio) {
	if len(distribution) == 0 {
		return "", Ratio{Of: tasks}
	}
	best := slices.MaxFunc(distribution, func(a, b season.Count) int { return cmp.Compare(a.Tasks, b.Tasks) })
	return best.Verdict, Ratio{Count: int(best.Tasks), Of: tasks}
}
