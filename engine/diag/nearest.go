package diag

import "strings"

// Nearest is the candidate that a misspelled word most likely stands for; "" when
// none is near. Of equally near ones it is the first.
func Nearest(word string, candidates []string) string {
	best, limit := "", max(1, len([]rune(word))/3)+1
	for _, c := range candidates {
		if c == word || c == "" {
			continue
		}
		d := distance(word, c)
		if strings.EqualFold(word, c) {
			d = 0
		}
		if d < min(limit, len(word)) {
			best, limit = c, d
		}
	}
	return best
}

// distance is the number of characters to insert, delete, replace or swap with
// their neighbour that make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
