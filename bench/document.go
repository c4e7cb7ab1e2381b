package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// The tables stand between these lines of the document.
const (
	tableBegin = "<!-- figures: written by make bench-docs -->"
	tableEnd   = "<!-- end of figures -->"
)

// writeDocument replaces the tables of the groups that were measured, and keeps those of
// the others.
func writeDocument(path string, results []result) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), tableBegin)
	tables, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		return errors.New(path + " has no place for the tables")
	}
	sections := make(map[string]string)
	for part := range strings.SplitSeq("\n"+tables, "\n### ") {
		name, text, _ := strings.Cut(part, "\n")
		sections[name] = strings.TrimSpace(text)
	}
	for _, r := range results {
		sections[r.group.name] = section(r)
	}
	var b strings.Builder
	b.WriteString(before + tableBegin + "\n\n")
	for _, g := range groups {
		if text := sections[g.name]; text != "" {
			fmt.Fprintf(&b, "### %s\n\n%s\n\n", g.name, text)
		}
	}
	b.WriteString(tableEnd + after)
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// section is the table of a group, and when and where it was measured.
func section(r result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Measured on %s with %s; load average at the beginning: %s.\n\n", r.group.about, time.Now().Format(time.DateOnly), machine(), r.load)
	java := false
	for _, f := range r.figures {
		java = java || len(f.beside) > 0
	}
	if java {
		b.WriteString("| Figure | Min / median / max | At most | | Java 3.0.4 now | noted | Java/ours | How |\n|---|---:|---:|---|---:|---:|---:|---|\n")
	} else {
		b.WriteString("| Figure | Min / median / max | At most | | Java 3.0.4 noted | Java/ours | How |\n|---|---:|---:|---|---:|---:|---|\n")
	}
	for _, f := range r.figures {
		now := ""
		if java && len(f.beside) > 0 {
			now = spread(f.beside)
		}
		if java {
			now += " | "
		}
		verdict := f.verdict()
		if !f.met() {
			verdict = "**missed**"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s%s | %s | %s |\n", f.name, strings.TrimSpace(spread(f.values)+" "+f.unit), f.limit(), verdict, now, f.javaText(), f.ratio(), f.how)
	}
	return strings.TrimSpace(b.String())
}

// machine names what the figures depend on.
func machine() string {
	return fmt.Sprintf("%s on %s/%s, %d cores%s", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor())
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

// load is the load average of the last minute, which says whether somebody
// else was at work.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
