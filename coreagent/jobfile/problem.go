package jobfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	// Line is where, from 1; 0 if it concerns the file as a whole.
	Line int
	// Key is the full key in the starter's spelling, such as
	// elasticjob.jobs.cleanup.cron; empty if the file is no YAML.
	Key string
	// Text says what is wrong and what is allowed.
	Text string
}

// String returns "line <line>: <key>: <text>".
func (p Problem) String() string {
	var b strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	return b.String() + p.Text
}

// Error is everything that is wrong with a file.
type Error struct {
	// Name is the file's, or "jobs" if it was not read from one.
	Name string
	// Problems are in the order of lines; there is at least one.
	Problems []Problem
}

// Error lists the problems, one a line if there are several.
func (e *Error) Error() string {
	if len(e.Problems) == 1 {
		return e.Name + ": " + e.Problems[0].String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d problems:", e.Name, len(e.Problems))
	for _, p := range e.Problems {
		b.WriteString("\n  " + p.String())
	}
	return b.String()
}

// findings collects what is to be said of a file.
type findings struct {
	problems []Problem
	notes    []Problem
}

func (f *findings) refuse(line int, key, format string, args ...any) {
	f.problems = append(f.problems, Problem{line, key, fmt.Sprintf(format, args...)})
}

func (f *findings) note(line int, key, format string, args ...any) {
	f.notes = append(f.notes, Problem{line, key, fmt.Sprintf(format, args...)})
}

// within reports whether something below the key was refused.
func (f *findings) within(key string) bool {
	return slices.ContainsFunc(f.problems, func(p Problem) bool {
		return p.Key == key || strings.HasPrefix(p.Key, key+".")
	})
}

// itself reports whether the key was refused, not something below it.
func (f *findings) itself(key string) bool {
	return slices.ContainsFunc(f.problems, func(p Problem) bool { return p.Key == key })
}

// ordered returns problems in the order of lines, each once: a text with commas
// may be wrong several times in the same words.
func ordered(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return slices.Compact(list)
}
