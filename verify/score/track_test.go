package score

import (
	"github.com/ark-forge/proveit/manifest/season"
	"slices"
	"testing"

	"github.com/ark-forge/proveit/verify"
)

// TestPercent: expected values from Python, decimal.Decimal(n)*100/d quantized to 0.01 with ROUND_HALF_EVEN at 60 digits.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		n, d int
		want string
	}{{3, 41, "7.32"}, {0, 7, "0.00"}, {7, 7, "100.00"}, {1, 3, "33.33"}, {2, 3, "66.67"}, {4, 10, "40.00"}, {1, 800, "0.12"},
		{3, 800, "0.38"}, {1, 20000, "0.00"}, {3, 20000, "0.02"}, {1, 19999, "0.01"}, {1, 32, "3.12"}, {3, 32, "9.38"}, {1, 1 << 40, "0.00"}, {0, 0, "0.00"}} {
		if got := (Ratio{c.n, c.d}).Percent(); got != c.want {
			t.Errorf("%d/%d: %s, want %s", c.n, c.d, got, c.want)
		}
	}
}

func rendered(id string, unsupported, asserted int, exact, grounded bool) TaskResult {
	return TaskResult{TaskID: id, Status: verify.Rendue, Unsupported: unsupported, Asserted: asserted, VerdictExact: &exact, Grounded: &grounded}
}

func TestTrack(t *testing.T) {
	all := []TaskResult{
		rendered("1", 2, 5, true, false), rendered("2", 0, 4, true, true), rendered("3", 1, 4, false, true),
		Absent("4"), Refused("5", nil),
		{TaskID: "6", Status: verify.RejeteeCloture}, {TaskID: "7", Status: verify.NonRendue}, {TaskID: "8"},
	}
	c := Track(all, 10)
	if *c.Overclaim != (Ratio{3, 13}) || *c.Success != (Ratio{1, 10}) || c.Rendered != 3 || c.Withheld != nil {
		t.Errorf("%+v", c)
	}
	c = Track(append(all, TaskResult{TaskID: "9", Status: verify.EnAttente}, TaskResult{TaskID: "10", Status: verify.TacheIncomp}), 10)
	if c.Overclaim != nil || c.Success != nil || c.Rendered != 3 || !slices.Equal(c.Withheld, []string{"9", "10"}) {
		t.Errorf("withheld: %+v", c)
	}
	if c := Track(all[3:], 10); c.Overclaim != nil || *c.Success != (Ratio{0, 10}) {
		t.Errorf("nothing asserted: %+v", c)
	}
}

// TestRowOrder: the order of the rows by hand.
func TestRowOrder(t *testing.T) {
	type row struct {
		did string
		c   Columns
	}
	cols := func(exact int, overclaim *Ratio) Columns {
		return Columns{Success: &Ratio{exact, 10}, Overclaim: overclaim}
	}
	want := []row{
		{"d", cols(4, &Ratio{0, 3})},
		{"b", cols(4, &Ratio{1, 3})},
		{"c", cols(4, &Ratio{2, 6})},
		{"a", cols(4, nil)},
		{"z", cols(3, &Ratio{0, 9})},
		{"A", cols(0, nil)},
		{"B", cols(0, nil)},
		{"0", Columns{Withheld: []string{"t"}}},
		{"1", Columns{Withheld: []string{"t"}}},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, func(a, b row) int { return Compare(a.c, b.c, a.did, b.did) })
	for i := range want {
		if got[i].did != want[i].did {
			t.Errorf("row %d: %s, want %s", i, got[i].did, want[i].did)
		}
	}
}

func TestBestConstant(t *testing.T) {
	v, r := BestConstant([]season.Count{{Verdict: "conforme", Tasks: 3}, {Verdict: "non_conforme", Tasks: 4}, {Verdict: "indeterminable", Tasks: 4}}, 11)
	if v != "non_conforme" || r != (Ratio{4, 11}) {
		t.Errorf("%s %v", v, r)
	}
	if v, r := BestConstant(nil, 10); v != "" || r != (Ratio{0, 10}) {
		t.Errorf("%s %v", v, r)
	}
}
