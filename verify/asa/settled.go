package asa

import (
	"strconv"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// shownRanks is how many places of a draw are answers of a report.
const shownRanks = 20

// Answers are what a negotiation came to, as answers of a report: the outcome, and the folded document in canonical form with its hash,
// so that it can be compared with what was signed.
func (n Negotiated) Answers() []finding.Answer {
	list := []finding.Answer{{Name: "negotiation_outcome", Value: n.Outcome, Robust: true}}
	if !n.Terms.Exists() {
		return list
	}
	text, _ := exact.JCS(n.Terms)
	return append(list,
		finding.Answer{Name: "folded_document", Value: string(text), Robust: true},
		finding.Answer{Name: "folded_sha256", Value: canon.Sum(text).Prefixed(), Robust: true})
}

// Answers are the seed, the ranking and the winner of a draw, as answers of a report.
func (d Drawn) Answers() []finding.Answer {
	if len(d.Ranking) == 0 {
		return nil
	}
	list := []finding.Answer{{Name: "draw_seed", Value: d.Seed.String(), Robust: true}}
	for i, r := range d.Ranking[:min(len(d.Ranking), shownRanks)] {
		list = append(list, finding.Answer{Name: "draw_rank_" + strconv.Itoa(i+1), Value: r.Digest.String() + " " + clip(r.Identity.String()) + " eligible=" + r.Eligible, Robust: true})
	}
	winner := "nobody is eligible"
	if d.Winner.Exists() {
		winner = clip(d.Winner.String())
	}
	return append(list, finding.Answer{Name: "draw_winner", Value: winner, Robust: true})
}

// Answers are what several results come to together, as answers of a report.
func (g Agreed) Answers() []finding.Answer {
	list := []finding.Answer{{Name: "consensus_method", Value: g.Method, Robust: true}, {Name: "consensus_result", Value: g.Verdict, Robust: true}}
	if g.Split {
		list = append(list, finding.Answer{Name: "consensus_split", Value: "as many pass as fail", Robust: true})
	}
	if g.Composite != nil {
		list = append(list, finding.Answer{Name: "consensus_composite", Value: shortText(g.Composite), Robust: true})
	}
	if g.Percent != nil {
		list = append(list, finding.Answer{Name: "consensus_release_percent", Value: shortText(g.Percent), Robust: true})
	}
	return list
}

// Takes reports whether an audit reads a file of that name in the folder of an agreement.
func Takes(name string) bool { return new(Set).role(name) != nil }
