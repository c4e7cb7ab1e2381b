package view

import (
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// MaxReason bounds the reason of an action, in characters.
const MaxReason = 200

// Clip shortens a text to at most n characters.
func Clip(s string, n int) string { return jobtree.Clip(s, n) }

// Clipped is a list with its texts as lists show them, never nil.
func Clipped(list []string) []string {
	short := make([]string, len(list))
	for i, s := range list {
		short[i] = jobtree.Shown(s)
	}
	return short
}

// FirstLine is the first line of a failure cause, short enough for a table.
func FirstLine(cause string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(cause), "\n")
	return Clip(strings.TrimSpace(line), 120)
}
