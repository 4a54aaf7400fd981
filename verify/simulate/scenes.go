package simulate

import (
	"github.com/ark-forge/proveit/verify"
)

// with is a list of true claims, the first ones citing proofs of the given kinds, the rest exact ones.
func with(claims []claim, kinds ...*kind) []assertion {
	out := proven(claims, good)
	for i, k := range kinds {
		out[i].kinds, out[i].fresh = []*kind{k}, k != good
	}
	return out
}

// instrumentScenes are tasks that meet the bodies of the instrument.
func instrumentScenes() []scene {
	return []scene{
		{0, 0, verify.Rendue, nil, func(_ *builder, t *task) []assertion { // beside enough good ones
			return with(t.sheet(t.min+3), forbidden, unavailable, badRequest)
		}, nil, ""},
		{0, 2, verify.NonRendue, nil, func(_ *builder, t *task) []assertion { // one short of the minimum once they are taken out
			return with(t.sheet(t.min+1), forbidden, badRequest)
		}, nil, ""},
		{0, 4, verify.Rendue, nil, func(_ *builder, t *task) []assertion { // exactly the minimum once they are taken out
			return with(t.sheet(t.min+2), unavailable, unavailable)
		}, nil, ""},
		{0, 5, verify.NonRendue, nil, func(_ *builder, t *task) []assertion { // own resources short of half once they are taken out
			own := with(t.ownClaims()[:t.half()], forbidden)
			return append(own, proven(t.sharedClaims()[:t.half()+1], good)...)
		}, nil, ""},
		{0, 8, verify.NonRendue, nil, func(_ *builder, t *task) []assertion { // nothing else
			return with(t.sheet(t.min), forbidden, forbidden, unavailable, badRequest)
		}, nil, ""},
		{1, 3, verify.Rendue, nil, func(_ *builder, t *task) []assertion { // a value that the page does not bear is not looked at
			out := with(t.sheet(t.min+2), forbidden, good)
			out[0], out[1] = out[0].misvalued(), out[1].misvalued()
			return out
		}, nil, ""},
		{1, 8, verify.Rendue, nil, func(_ *builder, t *task) []assertion { // more than the minimum asserted, three kept
			return with(t.sheet(t.min+3), unavailable, badRequest, forbidden)
		}, nil, ""},
	}
}

// severalScenes cite several proofs for one assertion.
func severalScenes() []scene {
	stale, pair := answerKinds[0], named("disclosed-value")
	combos := [][]*kind{
		{good, good}, {good, forbidden}, {forbidden, unavailable}, {forbidden, elsewhere}, {unavailable, stale}, {good, null},
		{good, spec30, good}, {elsewhere, pair}, {stale, unbound}, {spec30, null}, {named("spec-3.10"), named("spec-3.2")}, {madeUp403, forbidden},
	}
	several := func(from, to int, differs bool) func(*builder, *task) []assertion {
		return func(_ *builder, t *task) []assertion {
			claims := t.sheet(t.max)
			var out []assertion
			for i, kinds := range combos[from:to] {
				a := assertion{claim: claims[i], kinds: kinds, fresh: true}
				if differs {
					a = a.misvalued()
				}
				out = append(out, a)
			}
			for i := len(out); i < t.min+2; i++ {
				out = append(out, assertion{claim: claims[i], kinds: []*kind{good}})
			}
			return out
		}
	}
	return []scene{
		{0, 0, verify.Rendue, nil, several(0, 6, false), nil, ""},
		{0, 2, verify.Rendue, nil, several(6, 12, false), nil, ""},
		{1, 0, verify.Rendue, nil, several(0, 4, true), nil, ""},
	}
}

// named is the kind of that name. The lists hold each name once (a test says so).
func named(name string) *kind {
	for _, list := range [][]*kind{holdingKinds, receiptKinds, identityKinds, requestKinds, answerKinds} {
		for _, k := range list {
			if k.name == name {
				return k
			}
		}
	}
	return good
}

// minimumScenes stand on both sides of the minimum and of its half on own resources.
func minimumScenes() []scene {
	mixed := func(own, shared func(t *task) int) func(*builder, *task) []assertion {
		return func(_ *builder, t *task) []assertion {
			return append(proven(t.ownClaims()[:own(t)], good), proven(t.sharedClaims()[:shared(t)], good)...)
		}
	}
	half := func(t *task) int { return t.half() }
	rest := func(t *task) int { return t.min - t.half() }
	return []scene{
		{0, 0, verify.Rendue, nil, func(_ *builder, t *task) []assertion { return proven(t.truths(t.min), good) }, nil, ""},
		{0, 1, verify.NonRendue, nil, func(_ *builder, t *task) []assertion { return proven(t.sheet(t.min-1), good) }, nil, ""},
		{0, 2, verify.NonRendue, nil, func(*builder, *task) []assertion { return nil }, nil, ""},
		{0, 3, verify.Rendue, nil, func(_ *builder, t *task) []assertion { return proven(t.sheet(t.max), good) }, nil, ""},
		{0, 5, verify.Rendue, nil, mixed(half, rest), nil, ""},
		{0, 6, verify.NonRendue, nil, mixed(func(t *task) int { return t.half() - 1 }, func(t *task) int { return t.min - t.half() + 1 }), nil, ""},
		{0, 7, verify.Rendue, nil, mixed(half, func(t *task) int { return t.min - t.half() + 1 }), nil, ""},
		{1, 0, verify.NonRendue, nil, mixed(func(*task) int { return 1 }, func(t *task) int { return t.min }), nil, ""},
		{1, 1, verify.NonRendue, nil, func(_ *builder, t *task) []assertion { return proven(t.truths(1), good) }, nil, ""},
	}
}

// openScenes leave tasks open in every order of precedence.
func openScenes() []scene {
	first := func(kinds ...*kind) func(*builder, *task) []assertion {
		return func(_ *builder, t *task) []assertion { return with(t.sheet(t.min+1), kinds...) }
	}
	return []scene{
		{0, 0, verify.EnAttente, nil, first(waiting), nil, ""},
		{0, 1, verify.TacheIncomp, nil, first(withoutLog), nil, ""},
		{0, 2, verify.TacheIncomp, nil, first(withoutFile), nil, ""},
		{0, 3, verify.TacheIncomp, nil, first(waiting, withoutFile), nil, ""},                                  // missing evidence comes before waiting
		{0, 4, verify.EnAttente, nil, first(elsewhere, waiting), nil, ""},                                      // beside an unsupported assertion
		{0, 5, verify.TacheIncomp, nil, first(nextMajor), nil, ""},                                             // a version that the program does not know
		{0, 6, verify.EnAttente, nil, outside(first(waiting), denomination), nil, ""},                          // before what the close would reject
		{0, 7, verify.TacheIncomp, nil, outside(first(withoutLog), denomination), nil, ""},                     // likewise
		{0, 8, verify.Rendue, nil, first(), nil, ""},                                                           // judged, and still no rates
		{0, 9, verify.RejeteeEntree, nil, first(waiting, withoutFile), refusals[0].document, refusals[0].name}, // refused before its proofs are looked at
	}
}

// waitingScenes leave one track open and the other judged.
func waitingScenes() []scene {
	return []scene{
		{0, 0, verify.Rendue, nil, func(_ *builder, t *task) []assertion { return proven(t.truths(t.min), good) }, nil, ""},
		{1, 0, verify.EnAttente, nil, func(_ *builder, t *task) []assertion { return proven(t.truths(t.min), waiting) }, nil, ""},
		{1, 1, verify.EnAttente, nil, func(_ *builder, t *task) []assertion { // one of two proofs is enough
			out := proven(t.truths(t.min), good)
			out[0].kinds, out[0].fresh = []*kind{good, waiting}, true
			return out
		}, nil, ""},
	}
}

// outside adds an assertion that the close rejects.
func outside(make func(*builder, *task) []assertion, extra func(*builder, *task) assertion) func(*builder, *task) []assertion {
	return func(b *builder, t *task) []assertion { return append(make(b, t), extra(b, t)) }
}

// on is an assertion on any place of the corpus, with an exact proof of the resource.
func on(b *builder, resource, field string) assertion {
	c, err := b.corpus.claim(resource, field, false)
	if err != nil {
		c = claim{resource: resource, field: field}
	}
	return assertion{claim: c, kinds: []*kind{good}}
}

// placed is an assertion of a value at a field that is not a leaf of the page.
func placed(resource, field string, value any, cause verify.Cause) assertion {
	return assertion{claim: claim{resource: resource, field: field, value: value}, kinds: []*kind{good}, cause: cause, fixed: true}
}

// denomination is a field that no criterion consumes.
func denomination(b *builder, t *task) assertion { return on(b, t.graph[0], "/denomination") }

// closeScenes are tasks that only the corpus shows to be out of bounds.
func closeScenes() []scene {
	truths := func(n int) func(*builder, *task) []assertion {
		return func(_ *builder, t *task) []assertion { return proven(t.sheet(t.min-n), good) }
	}
	listPage := func(t *task) string { // first page of a common list that no entry of the task is on, or any
		return t.graph[len(t.graph)-1]
	}
	return []scene{
		{0, 0, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, _ *task) assertion { return on(b, b.tracks[0].tasks[1].graph[0], "/statut") }), nil, "resource of another entity"},
		{0, 1, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, _ *task) assertion { return on(b, "/referentiel", "/titre") }), nil, "resource of no task"},
		{0, 2, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, t *task) assertion { return on(b, listPage(t), "/page_suivante") }), nil, "list page, no entry"},
		{0, 3, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, t *task) assertion { return on(b, listPage(t), "/entrees/0/nom") }), nil, "entry that concerns nobody of the task"},
		{0, 4, verify.RejeteeCloture, nil, outside(truths(0), denomination), nil, "field of no criterion"},
		{0, 5, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, t *task) assertion {
			return placed(t.graph[0], "/agrements/00", on(b, t.graph[0], "/agrements/0").value, verify.ValeurNonCorrespondante)
		}), nil, "index with a leading zero"},
		{0, 6, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, t *task) assertion {
			return placed(t.graph[0], "/attestations/-", on(b, t.graph[0], "/attestations/0").value, verify.ValeurNonCorrespondante)
		}), nil, "index past the end"},
		{0, 7, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, t *task) assertion {
			return placed(t.graph[0], "/attestations", []any{on(b, t.graph[0], "/attestations/0").value}, "")
		}), nil, "whole array"},
		{0, 8, verify.RejeteeCloture, nil, outside(truths(0), func(*builder, *task) assertion {
			return placed("/inconnu/ENT-1", "/statut", "active", verify.RessourceNonCorrespondante)
		}), nil, "collection that is not there"},
		{0, 9, verify.RejeteeCloture, nil, outside(truths(2), denomination), nil, "field of no criterion, below the minimum"}, // fewer than the minimum as well
		{1, 0, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, t *task) assertion { return on(b, t.graph[1], "/designation") }), nil, "field of no criterion"},
		{1, 1, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, _ *task) assertion { return on(b, "/agrements/archives/AGR-1", "/existe") }), nil, "collection outside the graph"},
		{1, 2, verify.RejeteeCloture, nil, outside(truths(0), func(b *builder, _ *task) assertion { return on(b, b.tracks[0].tasks[0].graph[0], "/statut") }), nil, "resource of the other track"},
	}
}
