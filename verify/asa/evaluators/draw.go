package evaluators

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// Drawn is a draw of an evaluator. The paper asks for a random one (§3.6) without a way to check it; this recipe needs no more than the
// signed payload and a beacon that nobody could know when signing, and anybody can repeat it.
type Drawn struct {
	Seed    canon.Digest
	Ranking []Ranked          // best first
	Winner  document.Identity // the first that is eligible; zero where there is none
}

// Ranked is one evaluator of a draw.
type Ranked struct {
	document.Identity
	Digest   canon.Digest
	Eligible string // "true", "false" or "unestablished"
	state    document.Verdict
}

// DrawSeed is sha256("asa-draw/1\nsha256:<payload>\nsha256:<beacon>\n").
func DrawSeed(payload, beacon canon.Digest) canon.Digest {
	return canon.Sum([]byte("asa-draw/1\n" + payload.Prefixed() + "\n" + beacon.Prefixed() + "\n"))
}

// DrawDigest is the rank of an identity in a draw: sha256(hex(seed) + "\n" + scheme:value + "\n"). The smallest wins.
func DrawDigest(seed canon.Digest, i document.Identity) canon.Digest {
	return canon.Sum([]byte(seed.String() + "\n" + i.String() + "\n"))
}

// draw ranks the registry under a reading.
func (p *panel) draw(seed canon.Digest, rd finding.Readings) Drawn {
	d := Drawn{Seed: seed}
	for _, e := range p.registry {
		state := p.eligible(e, rd)
		d.Ranking = append(d.Ranking, Ranked{e.Identity, DrawDigest(seed, e.Identity), state.String(), state})
	}
	slices.SortStableFunc(d.Ranking, func(a, b Ranked) int { return bytes.Compare(a.Digest[:], b.Digest[:]) })
	for _, r := range d.Ranking {
		if r.state == document.True {
			d.Winner = r.Identity
			break
		}
	}
	return d
}

// eligible is whether an evaluator is in the pool: qualified, independent, of the domain, available.
func (p *panel) eligible(e Agent, rd finding.Readings) document.Verdict {
	qualified, _ := p.shortfall(e, rd)
	all := settlement.Both(qualified, independent(e, p.client, p.provider))
	all = settlement.Both(all, document.Judged(slices.Contains(e.Domains, document.Text(p.Agreement.Get("service", "type")))))
	return settlement.Both(all, e.Available)
}

// checkDraw records R059 where the evaluator is drawn from the pool: by mode, or after mutual agreement came to nothing.
func (p *panel) checkDraw() Drawn {
	first, _ := p.assignments()
	exhausted := p.mode == "mutual_agreement" && first.Data("proposals").Kind() == canon.Array && p.mutual(first).exhausted(p.Readings)
	if p.mode != "random_from_pool" && document.Text(first.Data("mode")) != "random_from_pool" && !exhausted {
		p.log.NA("R059")
		return Drawn{}
	}
	at := p.Agreement.At("parties", "evaluator")
	winner := p.Agreement.Party("evaluator")
	if first.Exists() {
		at = first.Document.At("data", "evaluator")
		named := p.named(first.Data("evaluator"), at).Identity
		if winner.Exists() {
			p.log.Check(named.Normal() == winner.Normal(), finding.Error, "R059", "assigned-differs", at, document.Clip(named.String()), document.Clip(winner.String()))
		}
		winner = named
	}
	text := p.Beacon
	if text == "" {
		text, _ = first.Data("beacon").Text()
	}
	beacon, err := canon.ParsePrefixed(text)
	switch {
	case err != nil:
		p.log.Missing("R059", "no-beacon", at, "the beacon of the draw")
		return Drawn{}
	case p.Registry == nil:
		p.log.Missing("R059", "input-missing", "evaluators.json", "a registry of evaluators")
		return Drawn{}
	}
	payload, _ := p.Agreement.Payload()
	seed := DrawSeed(canon.Sum(payload), beacon)
	p.log.Walk(p.Readings, p.All, func(rd finding.Readings, l *finding.Log) { judgeDraw(p.draw(seed, rd), winner, at, l) }, finding.CanaryCmp)
	return p.draw(seed, p.Readings)
}

// judgeDraw compares the winner with the one assigned. Whoever ranks before the winner and whose eligibility is not known may have won
// too; anybody else cannot have.
func judgeDraw(d Drawn, assigned document.Identity, at string, l *finding.Log) {
	open, could := "", false
	for _, r := range d.Ranking {
		if r.state == document.True {
			break
		}
		if r.state == document.Unknown {
			could = could || r.Identity.Normal() == assigned.Normal()
			if open == "" {
				open = r.Identity.String()
			}
		}
	}
	won := d.Winner.Exists() && assigned.Normal() == d.Winner.Normal()
	switch {
	case open != "" && (could || won || !assigned.Exists()):
		l.Missing("R059", "pool-unknown", at, "the eligibility of "+document.Clip(open))
	case !d.Winner.Exists() && open == "":
		l.Check(!assigned.Exists(), finding.Error, "R059", "empty-pool", at, document.Clip(assigned.String()), "nobody is eligible")
	case !assigned.Exists():
		l.Missing("R059", "not-assigned", at, document.Clip(d.Winner.String()))
	case won:
		l.OK("R059")
	default:
		l.Add(d.otherWinner(assigned, at))
	}
}

// otherWinner is the finding of an assignment that the draw cannot have given.
func (d Drawn) otherWinner(assigned document.Identity, at string) finding.Finding {
	winner := "nobody whose eligibility is known"
	if d.Winner.Exists() {
		winner = document.Clip(d.Winner.String())
	}
	var steps []string
	for _, r := range d.Ranking[:min(len(d.Ranking), 20)] {
		steps = append(steps, r.Digest.String()[:16]+" "+document.Clip(r.Identity.String())+" eligible="+r.Eligible)
	}
	return finding.Finding{
		ID: finding.ID("R059", "other-winner"), Severity: finding.Error, Outcome: finding.Gap, At: at,
		Declared: document.Clip(assigned.String()), Recomputed: winner, Derivation: append([]string{"seed=" + d.Seed.String()}, steps...),
	}
}

// shownRanks is how many places of a draw are answers of a report.
const shownRanks = 20

// Answers are the seed, the ranking and the winner of a draw.
func (d Drawn) Answers() []finding.Answer {
	if len(d.Ranking) == 0 {
		return nil
	}
	list := []finding.Answer{{Name: "draw_seed", Value: d.Seed.String()}}
	for i, r := range d.Ranking[:min(len(d.Ranking), shownRanks)] {
		list = append(list, finding.Answer{Name: "draw_rank_" + strconv.Itoa(i+1), Value: r.Digest.String() + " " + document.Clip(r.Identity.String()) + " eligible=" + r.Eligible})
	}
	winner := "nobody is eligible"
	if d.Winner.Exists() {
		winner = document.Clip(d.Winner.String())
	}
	return append(list, finding.Answer{Name: "draw_winner", Value: winner})
}
