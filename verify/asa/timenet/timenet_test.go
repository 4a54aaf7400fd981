package timenet

import (
	"math/big"
	"testing"
)

func sec(n int64) *big.Rat { return big.NewRat(n, 1) }

func text(r *big.Rat) string {
	if r == nil {
		return "open"
	}
	return r.RatString()
}

// Expected intervals by hand: b is 3 to 5 after a, a is 10 to 20, and b at most 17.
func TestIntervals(t *testing.T) {
	var n Network
	a, b, free := n.Add("a"), n.Add("b"), n.Add("free")
	n.AtMost(a, 0, sec(20), "a <= 20")
	n.AtMost(0, a, sec(-10), "a >= 10")
	n.AtMost(b, a, sec(5), "b <= a+5")
	n.AtMost(a, b, sec(-3), "b >= a+3")
	n.AtMost(b, 0, sec(17), "b <= 17")
	n.NotBefore(free, b, "free >= b")
	s := n.Solve()
	if !s.Consistent() {
		t.Fatalf("found the cycle %v", s.Cycle)
	}
	for _, c := range []struct {
		p        Point
		from, to string
	}{{a, "10", "14"}, {b, "13", "17"}, {free, "13", "open"}, {0, "0", "0"}, {99, "open", "open"}} {
		if from, to := s.Interval(c.p); text(from) != c.from || text(to) != c.to {
			t.Errorf("%s: [%s, %s], want [%s, %s]", n.Name(c.p), text(from), text(to), c.from, c.to)
		}
	}
}

// Two contradictions: one of three constraints that misses by 1, one of two that misses by 7. The shorter one is the answer.
func TestShortestCycle(t *testing.T) {
	var n Network
	a, b, c := n.Add("a"), n.Add("b"), n.Add("c")
	n.AtMost(b, a, sec(1), "b <= a+1")
	n.AtMost(c, b, sec(1), "c <= b+1")
	n.AtMost(a, c, sec(-3), "c >= a+3")
	n.AtMost(c, 0, sec(3), "c <= 3")
	n.AtMost(0, c, sec(-10), "c >= 10")
	s := n.Solve()
	if s.Consistent() || len(s.Cycle) != 2 || text(s.Excess) != "7" {
		t.Fatalf("cycle %v, excess %s; want 2 constraints and 7", s.Cycle, text(s.Excess))
	}
	if from, to := s.Interval(a); from != nil || to != nil {
		t.Error("an inconsistent network has an interval")
	}
}

// A contradiction that the origin does not lead to is found too.
func TestDetachedCycle(t *testing.T) {
	var n Network
	a, b := n.Add("a"), n.Add("b")
	n.AtMost(a, b, sec(-1), "a before b")
	n.AtMost(b, a, sec(0), "b not after a")
	if s := n.Solve(); s.Consistent() || text(s.Excess) != "1" {
		t.Errorf("cycle %v, excess %s; want a contradiction of 1", s.Cycle, text(s.Excess))
	}
}

func TestSamePointAndLimit(t *testing.T) {
	var n Network
	for range 2 * MaxPoints {
		n.Add("x")
	}
	n.AtMost(1, 1, sec(-1), "before itself")
	if s := n.Solve(); len(s.Cycle) != 1 {
		t.Errorf("cycle %v, want one constraint", s.Cycle)
	}
	if got := n.Add("more"); got != 0 || n.Name(got) != "" {
		t.Errorf("point %d beyond the limit, want the origin", got)
	}
}
