// Package spelling finds the name that was probably meant by a misspelt one.
package spelling

import (
	"slices"
	"strings"
)

// Nearest returns the known name with the fewest letters to change, the first of several. Case
// doesn't count. It's empty if more than a third of the letters differ, because then it's no typo.
func Nearest(name string, known []string) (nearest string) {
	wanted := []rune(strings.ToLower(name))
	fewest := -1
	for _, k := range known {
		letters := []rune(strings.ToLower(k))
		most := max(len(wanted), len(letters)) / 3
		if max(len(wanted), len(letters))-min(len(wanted), len(letters)) > most {
			continue
		}
		if n := edits(wanted, letters); n <= most && (fewest < 0 || n < fewest) {
			nearest, fewest = k, n
		}
	}
	return nearest
}

// edits counts the letters to insert, delete, replace or swap with their neighbour to get from a to b.
func edits(a, b []rune) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i, x := range a {
		row := slices.Repeat([]int{i + 1}, len(b)+1)
		for j, y := range b {
			change := last[j]
			if x != y {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
