package asa

import (
	"bytes"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// Drawn is a draw of an evaluator. The paper asks for a random one (§3.6) without a way to check it; this recipe needs no more than the
// signed payload and a beacon that nobody could know when signing, and anybody can repeat it.
type Drawn struct {
	Seed    canon.Digest
	Ranking []Ranked // best first
	Winner  Identity // the first that is eligible; zero where there is none
}

// Ranked is one evaluator of a draw.
type Ranked struct {
	Identity
	Digest   canon.Digest
	Eligible string // "true", "false" or "unestablished"
	state    verdict
}

// DrawSeed is sha256("asa-draw/1\nsha256:<payload>\nsha256:<beacon>\n").
func DrawSeed(payload, beacon canon.Digest) canon.Digest {
	return canon.Sum([]byte("asa-draw/1\n" + payload.Prefixed() + "\n" + beacon.Prefixed() + "\n"))
}

// DrawDigest is the rank of an identity in a draw: sha256(hex(seed) + "\n" + scheme:value + "\n"). The smallest wins.
func DrawDigest(seed canon.Digest, i Identity) canon.Digest {
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
		if r.state == yea {
			d.Winner = r.Identity
			break
		}
	}
	return d
}

// eligible is whether an evaluator is in the pool: qualified, independent, of the domain, available.
func (p *panel) eligible(e Agent, rd finding.Readings) verdict {
	qualified, _ := p.shortfall(e, rd)
	all := both(qualified, independent(e, p.client, p.provider))
	all = both(all, judged(slices.Contains(e.Domains, text(p.Agreement.Get("service", "type")))))
	return both(all, e.Available)
}

// checkDraw records R059 where the evaluator is drawn from the pool.
func (p *panel) checkDraw() Drawn {
	first, _ := p.assignments()
	if p.mode != "random_from_pool" && text(first.data("mode")) != "random_from_pool" {
		p.log.NA("R059")
		return Drawn{}
	}
	at := p.Agreement.At("parties", "evaluator")
	winner := p.Agreement.Party("evaluator")
	if first.exists() {
		at = first.Document.At("data", "evaluator")
		named := p.named(first.data("evaluator"), at).Identity
		if winner.Exists() {
			p.log.Check(named.Normal() == winner.Normal(), finding.Error, "R059", "assigned-differs", at, clip(named.String()), clip(winner.String()))
		}
		winner = named
	}
	text := p.Beacon
	if text == "" {
		text, _ = first.data("beacon").Text()
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

// judgeDraw compares the winner with the one assigned. Somebody ahead of the winner whose eligibility is not known leaves the draw open.
func judgeDraw(d Drawn, assigned Identity, at string, l *finding.Log) {
	for _, r := range d.Ranking {
		if r.state == unknown {
			l.Missing("R059", "pool-unknown", at, "the eligibility of "+clip(r.Identity.String()))
			return
		}
		if r.state == yea {
			break
		}
	}
	if !d.Winner.Exists() {
		l.Check(!assigned.Exists(), finding.Error, "R059", "empty-pool", at, clip(assigned.String()), "nobody is eligible")
		return
	}
	if !assigned.Exists() {
		l.Missing("R059", "not-assigned", at, clip(d.Winner.String()))
		return
	}
	if assigned.Normal() == d.Winner.Normal() {
		l.OK("R059")
		return
	}
	var steps []string
	for _, r := range d.Ranking[:min(len(d.Ranking), 20)] {
		steps = append(steps, r.Digest.String()[:16]+" "+clip(r.Identity.String())+" eligible="+r.Eligible)
	}
	l.Add(finding.Finding{
		ID: finding.ID("R059", "other-winner"), Severity: finding.Error, Outcome: finding.Gap, At: at,
		Declared: clip(assigned.String()), Recomputed: clip(d.Winner.String()), Derivation: append([]string{"seed=" + d.Seed.String()}, steps...),
	})
}
