package console

import "github.com/elasticjob-go/elasticjob/internal/jobtree"

// clip shortens a text to at most n characters.
func clip(s string, n int) string { return jobtree.Clip(s, n) }

// clipped is a list with its texts as lists show them, never nil.
func clipped(list []string) []string {
	short := make([]string, len(list))
	for i, s := range list {
		short[i] = jobtree.Shown(s)
	}
	return short
}
