package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// How much of a history a report shows around a violation.
const (
	timelineBefore = 40 * time.Second
	timelineAfter  = 15 * time.Second
	linesBefore    = 120
	linesAfter     = 40
	// In a fleet of hours.
	hoursBefore = 6 * time.Hour
	hoursAfter  = 90 * time.Minute
)

// Timeline returns the events around a violation: faults, sessions, leaders, reshardings, and the
// runs of the shard.
func Timeline(h *History, v Violation) string {
	from, to := v.At.Add(-timelineBefore), v.At.Add(timelineAfter)
	if job := h.Jobs[v.Job]; job != nil && job.at(v.At).Schedule != nil {
		from, to = v.At.Add(-hoursBefore), v.At.Add(hoursAfter)
	}
	var lines []Note
	for _, n := range h.Notes {
		if !n.At.Before(from) && !n.At.After(to) && (n.Job == "" || n.Job == v.Job) {
			lines = append(lines, n)
		}
	}
	for _, r := range h.Runs {
		if r.Job != v.Job || v.Item >= 0 && r.Item != v.Item {
			continue
		}
		if !r.Start.Before(from) && !r.Start.After(to) {
			lines = append(lines, Note{r.Start, r.Job, r.Process, fmt.Sprintf("▶ shard %d %s for %s, token %d", r.Item, r.Source, clock(r.Scheduled), r.Token)})
		}
		if !r.Cancel.IsZero() && !r.Cancel.Before(from) && !r.Cancel.After(to) {
			lines = append(lines, Note{r.Cancel, r.Job, r.Process, fmt.Sprintf("✂ shard %d, its context ended", r.Item)})
		}
		if !r.End.IsZero() && !r.End.Before(from) && !r.End.After(to) {
			lines = append(lines, Note{r.End, r.Job, r.Process, fmt.Sprintf("■ shard %d %s", r.Item, r.Outcome)})
		}
	}
	slices.SortStableFunc(lines, func(a, b Note) int { return cmp.Or(a.At.Compare(b.At)) })
	before := slices.IndexFunc(lines, func(n Note) bool { return n.At.After(v.At) })
	if before < 0 {
		before = len(lines)
	}
	lines = lines[max(0, before-linesBefore):min(len(lines), before+linesAfter)]
	var text strings.Builder
	for _, n := range lines {
		fmt.Fprintf(&text, "  %s %-10s %s\n", clock(n.At), n.Who, n.What)
	}
	return text.String()
}
