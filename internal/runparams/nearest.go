package runparams

import "strings"

// nearest returns the property that an unknown name probably means, or "".
func (s *Schema) nearest(name string) string {
	if characters(name) > maxName {
		return ""
	}
	best, least := "", 3
	for _, p := range s.Properties {
		a, b := []rune(strings.ToLower(name)), []rune(strings.ToLower(p.Name))
		most := 2 // differing letters, for a long name
		if len(b) < 5 {
			most = 1
		}
		if len(b) < 2 {
			most = 0
		}
		if d := distance(a, b); d <= most && d < least {
			best, least = p.Name, d
		}
	}
	return best
}

// distance is the number of letters to change, add or remove between a and b.
func distance(a, b []rune) int {
	if d := len(a) - len(b); d > 2 || d < -2 {
		return 3
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
