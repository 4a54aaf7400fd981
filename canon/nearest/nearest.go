// Package nearest finds the known name that a mistyped one was probably meant to be, for hints such as "perhaps status".
//
// A name is near another where the two are equal but for case, or at most two edits apart and apart in less than half of the known name.
// An edit inserts, deletes or replaces a byte, or swaps two neighbours (the optimal string alignment distance):
//
//	composite_treshold, composite_threshold    1
//	repaly, replay                             1
package nearest

import (
	"iter"
	"strings"
)

const (
	maxName  = 64 // bytes: no known name of ours is longer, and a longer one is not looked at
	maxEdits = 2
)

// Name is the known name nearest to found, the first of several that are equally near, or "" where none is near.
func Name(found string, known iter.Seq[string]) string {
	if found == "" || len(found) > maxName {
		return ""
	}
	best, bestAt := "", maxEdits+1
	for k := range known {
		if strings.EqualFold(k, found) {
			return k
		}
		if d := edits(found, k); d < bestAt && 2*d < len(k) {
			best, bestAt = k, d
		}
	}
	return best
}

// edits is how many edits turn a into b, or maxEdits+1 where they are more. Only the cells at most maxEdits beside the diagonal are computed:
// a way through any other costs more than that.
func edits(a, b string) int {
	const far = maxEdits + 1
	if len(b) > maxName || len(a)-len(b) > maxEdits || len(b)-len(a) > maxEdits {
		return far
	}
	var rows [3][maxName + 2]int // the last three rows of the table, row i in rows[i%3]
	for j := range rows[0] {
		rows[0][j] = min(j, far)
	}
	for i := 1; i <= len(a); i++ {
		row, above, before := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		first, last := max(1, i-maxEdits), min(len(b), i+maxEdits)
		row[first-1], row[last+1] = far, far
		if first == 1 {
			row[0] = min(i, far)
		}
		least := row[first-1]
		for j := first; j <= last; j++ {
			change := above[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, row[j-1]+1, above[j]+1, far)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least == far && i > 1 {
			return far
		}
	}
	return rows[len(a)%3][len(b)]
}
