package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// figure is one measured number. Smaller is better for all of them.
type figure struct {
	name   string
	value  float64
	unit   string
	target float64
	// how says in a few words how it was measured, for the document.
	how string
}

func (f figure) String() string {
	return fmt.Sprintf("figure %s %s %s target %s", f.name, number(f.value), f.unit, number(f.target))
}

// number prints as many digits as carry meaning.
func number(v float64) string {
	switch {
	case v == float64(int64(v)):
		return strconv.FormatInt(int64(v), 10)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// The table stands between these lines of the document.
const (
	tableBegin = "<!-- figures: written by make bench-docs -->"
	tableEnd   = "<!-- end of figures -->"
)

// writeTable replaces the table of a document.
func writeTable(path string, figures []figure) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), tableBegin)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		return errors.New(path + " has no place for the table")
	}
	var b strings.Builder
	b.WriteString(before + tableBegin + "\n\n")
	fmt.Fprintf(&b, "Measured with %s on %s/%s, %d cores%s.\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor())
	b.WriteString("| Figure | Measured | At most | How |\n|---|---:|---:|---|\n")
	for _, f := range figures {
		missed := ""
		if f.value > f.target {
			missed = " **missed**"
		}
		fmt.Fprintf(&b, "| `%s` | %s %s%s | %s %s | %s |\n", f.name, number(f.value), f.unit, missed, number(f.target), f.unit, f.how)
	}
	b.WriteString("\n" + tableEnd + after)
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// processor is ", name of the processor" where the system tells.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return ", " + strings.TrimSpace(value)
		}
	}
	return ""
}
