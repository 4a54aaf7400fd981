package nearest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The hints that commands, submissions and agreements give, and what gets none. Distances are counted by hand.
func TestName(t *testing.T) {
	known := []string{"status", "composite_threshold", "expires_at", "replay", "at", "by", "tsa", "conforme", "non_conforme", strings.Repeat("n", 65)}
	for _, c := range []struct{ found, want string }{
		{"status", "status"},
		{"STATUS", "status"},                          // equal but for case
		{"composite_treshold", "composite_threshold"}, // one letter left out
		{"repaly", "replay"},                          // two neighbours swapped
		{"exspires_att", "expires_at"},                // two put in
		{"exspires_atts", ""},                         // three
		{"stat", "status"},                            // two left out
		{"stu", ""},                                   // three
		{"nonconforme", "non_conforme"},
		{"conforne", "conforme"},
		{"tas", "tsa"},                   // one edit of three letters
		{"tab", ""},                      // two of three
		{"ab", ""},                       // one of two
		{"At", "at"},                     // case alone
		{"", ""},                         // nothing is near nothing
		{strings.Repeat("n", 65), ""},    // too long, though it is known
		{strings.Repeat("n", 64), ""},    // the known one is too long
		{strings.Repeat("x", 1<<20), ""}, // and cheap
	} {
		if got := Name(c.found, slices.Values(known)); got != c.want {
			t.Errorf("%.70q: found %q, want %q", c.found, got, c.want)
		}
	}
	if got := Name("x", slices.Values([]string(nil))); got != "" {
		t.Errorf("of no name: found %q", got)
	}
}

// Of several names, the nearest is taken, and of equally near ones the first.
func TestTheNearest(t *testing.T) {
	if got := Name("scores", slices.Values([]string{"sources", "score", "scored"})); got != "score" {
		t.Errorf("found %q, want score: one edit, and before scored", got)
	}
	if got := Name("valeu", slices.Values([]string{"val_eu", "Valeu", "value"})); got != "Valeu" {
		t.Errorf("found %q, want Valeu: equal but for case", got)
	}
}

// whole is the whole table of the distance, written as its definition.
func whole(a, b string) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := range table[i] {
			switch {
			case i == 0:
				table[i][j] = j
			case j == 0:
				table[i][j] = i
			default:
				d := min(table[i-1][j]+1, table[i][j-1]+1)
				if a[i-1] == b[j-1] {
					d = min(d, table[i-1][j-1])
				} else {
					d = min(d, table[i-1][j-1]+1)
				}
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					d = min(d, table[i-2][j-2]+1)
				}
				table[i][j] = d
			}
		}
	}
	return table[len(a)][len(b)]
}

// The band gives what the whole table gives, up to the bound: all words of at most five letters of two, then long random ones.
func TestEditsAgainstTheWholeTable(t *testing.T) {
	words := []string{""}
	for i := 0; len(words[i]) < 5; i++ {
		words = append(words, words[i]+"a", words[i]+"b")
	}
	compare := func(a, b string) {
		if got, want := edits(a, b), min(whole(a, b), maxEdits+1); got != want {
			t.Fatalf("%q, %q: found %d, want %d", a, b, got, want)
		}
	}
	for _, a := range words {
		for _, b := range words {
			compare(a, b)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	word := func() []byte {
		b := make([]byte, r.IntN(maxName+1))
		for i := range b {
			b[i] = 'a' + byte(r.IntN(3))
		}
		return b
	}
	for range 20000 {
		a := word()
		b := slices.Clone(a)
		for range r.IntN(4) {
			i := r.IntN(len(b) + 1)
			switch r.IntN(3) {
			case 0:
				b = slices.Insert(b, i, 'c')
			case 1:
				b = slices.Delete(b, min(i, len(b)), min(i+1, len(b)))
			case 2:
				if i+1 < len(b) {
					b[i], b[i+1] = b[i+1], b[i]
				}
			}
		}
		if len(b) <= maxName {
			compare(string(a), string(b))
		}
	}
}
