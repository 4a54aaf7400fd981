package submission

import "strings"

// nearest is the known name that an unknown one was probably meant to be: the same but for case, or at most two edits away and
// fewer than half the letters. It is empty where there is none.
func nearest(name string, known []string) string {
	const longest = 64 // no known name is longer, and the cost is the product of the lengths
	if name == "" || len(name) > longest {
		return ""
	}
	best, bestAt := "", 3
	for _, k := range known {
		if strings.EqualFold(k, name) {
			return k
		}
		if len(k) > longest {
			continue
		}
		if d := distance(name, k); d < bestAt && 2*d < len(k) {
			best, bestAt = k, d
		}
	}
	return best
}

// distance is the number of bytes to insert, delete or replace, or of neighbours to swap, that turns a into b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
