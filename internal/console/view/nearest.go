package view

import "strings"

// Nearest is the name that was most likely meant by one that there is not: the one with
// the fewest letters to change, but no more than a third of them; of several the first.
// It is empty if none is near.
func Nearest(meant string, names []string) (nearest string) {
	wanted := []rune(strings.ToLower(meant))
	fewest := len(wanted)/3 + 1
	for _, name := range names {
		letters := []rune(strings.ToLower(name))
		if max(len(letters), len(wanted))-min(len(letters), len(wanted)) >= fewest {
			continue
		}
		if n := changes(wanted, letters); n < fewest {
			nearest, fewest = name, n
		}
	}
	return nearest
}

// changes counts the letters to put in, take away, replace, or swap with the one beside
// them, to make b of a.
func changes(a, b []rune) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
