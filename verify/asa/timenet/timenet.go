// Package timenet solves simple temporal networks (Dechter, Meiri and Pearl, 1991): points in time, some of them unknown, and
// constraints "x is at most c seconds after y". It finds in which interval each point must lie, or the shortest cycle of constraints
// that no assignment can meet.
//
// All times are exact rationals. A network is small, at most MaxPoints points, and is solved with Bellman-Ford: the distance from the
// origin is the latest possible instant, the negated distance to the origin the earliest, and a negative cycle a contradiction.
package timenet

import "math/big"

// MaxPoints is how many points a network takes; more are not added.
const MaxPoints = 64

// Point is one instant of a network. Point 0 is the origin, at second 0.
type Point int

// Constraint says that X is at most Seconds after Y: X - Y <= Seconds.
type Constraint struct {
	X, Y    Point
	Seconds *big.Rat
	Why     string // where it comes from
}

// Network is a set of constraints between points. The zero Network has the origin alone.
type Network struct {
	names       []string
	constraints []Constraint
}

// Add adds a point under a name. Beyond MaxPoints the origin itself is given, so that nothing grows without bound.
func (n *Network) Add(name string) Point {
	if len(n.names)+1 >= MaxPoints {
		return 0
	}
	n.names = append(n.names, name)
	return Point(len(n.names))
}

// Name is the name of a point; the origin has none.
func (n *Network) Name(p Point) string {
	if p < 1 || int(p) > len(n.names) {
		return ""
	}
	return n.names[p-1]
}

// AtMost says that x is at most so many seconds after y; negative seconds put x before y.
func (n *Network) AtMost(x, y Point, seconds *big.Rat, why string) {
	n.constraints = append(n.constraints, Constraint{x, y, seconds, why})
}

// Exactly says that x is that many seconds after y.
func (n *Network) Exactly(x, y Point, seconds *big.Rat, why string) {
	n.AtMost(x, y, seconds, why)
	n.AtMost(y, x, new(big.Rat).Neg(seconds), why)
}

// NotBefore says that x is y or later.
func (n *Network) NotBefore(x, y Point, why string) { n.AtMost(y, x, new(big.Rat), why) }

// Solution is what a network comes to.
type Solution struct {
	Cycle  []Constraint // of fewest constraints, in order; nil where the network is consistent
	Excess *big.Rat     // by how many seconds the cycle misses; nil where consistent
	from   []*big.Rat
	to     []*big.Rat
}

// Consistent reports whether some assignment meets every constraint.
func (s Solution) Consistent() bool { return s.Cycle == nil }

// Interval is from when to when a point can lie, both ends included; nil for an open end or an inconsistent network.
func (s Solution) Interval(p Point) (from, to *big.Rat) {
	if p < 0 || int(p) >= len(s.from) {
		return nil, nil
	}
	return s.from[p], s.to[p]
}

// Solve finds the intervals or the shortest contradictory cycle.
func (n *Network) Solve() Solution {
	size := len(n.names) + 1
	latest, ok := n.relax(size, false)
	if !ok || n.contradicts(size) {
		return n.shortestCycle(size)
	}
	before, _ := n.relax(size, true)
	s := Solution{from: make([]*big.Rat, size), to: latest}
	for i, d := range before {
		if d != nil {
			s.from[i] = new(big.Rat).Neg(d)
		}
	}
	return s
}

// relax is Bellman-Ford from the origin, or towards it; false where a negative cycle can be reached.
func (n *Network) relax(size int, towards bool) ([]*big.Rat, bool) {
	dist := make([]*big.Rat, size)
	dist[0] = new(big.Rat)
	for range size {
		if !n.round(dist, towards) {
			return dist, true
		}
	}
	return dist, false
}

// contradicts reports a negative cycle anywhere, also where the origin does not lead: every point starts at 0.
func (n *Network) contradicts(size int) bool {
	dist := make([]*big.Rat, size)
	for i := range dist {
		dist[i] = new(big.Rat)
	}
	for range size {
		if !n.round(dist, false) {
			return false
		}
	}
	return true
}

// round applies every constraint once and reports whether anything became shorter.
func (n *Network) round(dist []*big.Rat, towards bool) bool {
	changed := false
	for _, c := range n.constraints {
		from, to := c.Y, c.X
		if towards {
			from, to = to, from
		}
		if dist[from] == nil {
			continue
		}
		if d := new(big.Rat).Add(dist[from], c.Seconds); dist[to] == nil || d.Cmp(dist[to]) < 0 {
			dist[to] = d
			changed = true
		}
	}
	return changed
}

// shortestCycle finds a negative cycle with the fewest constraints: for each number of steps, from each point, the least sum of a walk.
func (n *Network) shortestCycle(size int) Solution {
	walks := make([]walk, size)
	for s := range walks {
		walks[s] = walk{{Point(s): step{sum: new(big.Rat)}}}
	}
	for range size {
		for s := range walks {
			walks[s] = append(walks[s], n.extend(walks[s][len(walks[s])-1]))
			last := walks[s][len(walks[s])-1]
			if back, ok := last[Point(s)]; ok && back.sum.Sign() < 0 {
				return Solution{Cycle: n.trace(walks[s], Point(s)), Excess: new(big.Rat).Neg(back.sum)}
			}
		}
	}
	return Solution{Cycle: []Constraint{}, Excess: new(big.Rat)} // a negative cycle has at most size constraints: not reached
}

// step is the least sum with which a point is reached in so many constraints, and by which constraint it was reached.
type step struct {
	sum *big.Rat
	by  int
}

// walk holds, for each number of constraints, the points reached.
type walk []map[Point]step

func (n *Network) extend(reached map[Point]step) map[Point]step {
	next := map[Point]step{}
	for i, c := range n.constraints {
		at, ok := reached[c.Y]
		if !ok {
			continue
		}
		sum := new(big.Rat).Add(at.sum, c.Seconds)
		if old, ok := next[c.X]; !ok || sum.Cmp(old.sum) < 0 {
			next[c.X] = step{sum, i}
		}
	}
	return next
}

func (n *Network) trace(w walk, at Point) []Constraint {
	cycle := make([]Constraint, len(w)-1)
	for k := len(w) - 1; k > 0; k-- {
		cycle[k-1] = n.constraints[w[k][at].by]
		at = cycle[k-1].Y
	}
	return cycle
}
