package report

import (
	"slices"

	"github.com/ark-forge/proveit/verify/score"
)

// ordered gives the participants in the order of the tables.
func ordered(ps []Participant) []Participant {
	out := slices.Clone(ps)
	slices.SortStableFunc(out, func(a, b Participant) int { return score.Compare(columns(a), columns(b), a.DID, b.DID) })
	return out
}

// columns are the two columns of a participant as counts.
func columns(p Participant) score.Columns {
	c := score.Columns{Withheld: p.Withheld}
	if p.Overclaim != nil {
		c.Overclaim = &score.Ratio{Count: p.Overclaim.Unsupported, Of: p.Overclaim.Asserted}
	}
	if p.Success != nil {
		c.Success = &score.Ratio{Count: p.Success.Exact, Of: p.Success.Tasks}
	}
	return c
}

// OverclaimOf writes the first column; nil stays nil.
func OverclaimOf(r *score.Ratio) *Overclaim {
	if r == nil {
		return nil
	}
	return &Overclaim{Unsupported: r.Count, Asserted: r.Of, Percent: r.Percent()}
}

// SuccessOf writes the second column; nil stays nil.
func SuccessOf(r *score.Ratio) *Success {
	if r == nil {
		return nil
	}
	return &Success{Exact: r.Count, Tasks: r.Of, Percent: r.Percent()}
}
