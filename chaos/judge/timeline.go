package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Timeline tells what happened to the job and shard of a violation around it,
// one event a line.
func Timeline(h *History, v Violation, around time.Duration) string {
	type line struct {
		at   time.Time
		text string
	}
	span := Span{v.At.Add(-around), v.At.Add(around / 3)}
	var lines []line
	add := func(at time.Time, format string, args ...any) {
		if !at.IsZero() && span.holds(at) {
			lines = append(lines, line{at, fmt.Sprintf(format, args...)})
		}
	}
	for _, e := range h.Executions {
		if v.Job != "" && e.Job == v.Job && (v.Item < 0 || e.Item == v.Item) {
			add(e.Begin, "shard %d begins: %s", e.Item, e)
			add(e.End, "shard %d ends: %s on %s", e.Item, e.Outcome, e.Process)
		}
	}
	for _, f := range h.Faults {
		add(f.From, "FAULT %s %s", f.Kind, f.Target)
		add(f.To, "fault ends: %s %s", f.Kind, f.Target)
	}
	for _, c := range h.Commands {
		if c.Job == "" || c.Job == v.Job {
			add(c.From, "COMMAND %s %s: %d", c.Kind, c.Job, c.Status)
		}
	}
	for _, s := range h.Settings[v.Job] {
		add(s.From, "settings: period %d s, %d shards, off %v, server disabled %v", s.Period, s.Shards, s.Off, s.Closed)
	}
	for _, l := range h.Lives {
		add(l.From, "%s starts as %d", l.Process, l.PID)
		add(l.To, "%s (%d) has ended", l.Process, l.PID)
	}
	for _, s := range h.States {
		add(s.At, "process %d: session %s", s.PID, s.Name)
	}
	add(v.At, "VIOLATION %s", v.Rule)
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
	var text strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&text, "    %s %s\n", clock(l.at), l.text)
	}
	return text.String()
}
