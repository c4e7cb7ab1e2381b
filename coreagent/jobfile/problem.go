package jobfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one problem of a file.
type Problem struct {
	// Line counts from 1; 0 if the problem concerns the whole file.
	Line int
	// Key is the full key in the starter's spelling, such as elasticjob.jobs.cleanup.cron; empty if
	// the file is no YAML.
	Key string
	// Text has the problem and the allowed values.
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

// Error has all problems of a file.
type Error struct {
	// Name is the file's, or "jobs" without a file.
	Name string
	// Problems are in the order of lines; there is at least one.
	Problems []Problem
}

// Error lists the problems, one per line if there are several.
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

// findings collects problems and notes.
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

// within reports whether the key, or a key below it, was refused.
func (f *findings) within(key string) bool {
	return slices.ContainsFunc(f.problems, func(p Problem) bool {
		return p.Key == key || strings.HasPrefix(p.Key, key+".")
	})
}

func (f *findings) itself(key string) bool {
	return slices.ContainsFunc(f.problems, func(p Problem) bool { return p.Key == key })
}

// ordered sorts problems by line and removes duplicates, because a list in one text may have the
// same problem several times.
func ordered(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return slices.Compact(list)
}
