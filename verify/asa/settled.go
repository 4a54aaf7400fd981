package asa

import (
	"strconv"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// shownRanks is how many places of a draw are answers of a report.
const shownRanks = 20

// answers are what a negotiation came to, as answers of a report: the outcome, and the folded document in canonical form with its hash,
// so that it can be compared with what was signed.
func (n Negotiated) answers() []finding.Answer {
	list := []finding.Answer{{Name: "negotiation_outcome", Value: n.Outcome, Robust: true}}
	if !n.Terms.Exists() {
		return list
	}
	text, _ := exact.JCS(n.Terms)
	return append(list,
		finding.Answer{Name: "folded_document", Value: string(text), Robust: true},
		finding.Answer{Name: "folded_sha256", Value: canon.Sum(text).Prefixed(), Robust: true})
}

// answers are the seed, the ranking and the winner of a draw.
func (d Drawn) answers() []finding.Answer {
	if len(d.Ranking) == 0 {
		return nil
	}
	list := []finding.Answer{{Name: "draw_seed", Value: d.Seed.String()}}
	for i, r := range d.Ranking[:min(len(d.Ranking), shownRanks)] {
		list = append(list, finding.Answer{Name: "draw_rank_" + strconv.Itoa(i+1), Value: r.Digest.String() + " " + clip(r.Identity.String()) + " eligible=" + r.Eligible})
	}
	winner := "nobody is eligible"
	if d.Winner.Exists() {
		winner = clip(d.Winner.String())
	}
	return append(list, finding.Answer{Name: "draw_winner", Value: winner})
}

// Takes reports whether an audit reads a file of that name in the folder of an agreement.
func Takes(name string) bool { return new(Set).role(name) != nil }
