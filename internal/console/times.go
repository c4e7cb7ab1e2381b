package console

import (
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// isoTime is an instant for machines.
func isoTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// dateTime is an instant with its date.
func dateTime(t time.Time) ui.Time {
	if t.IsZero() {
		return ui.Time{Text: "unknown"}
	}
	text := t.UTC().Format("2006-01-02 15:04:05 UTC")
	return ui.Time{ISO: isoTime(t), Text: text, Title: text}
}

// clockTime is an instant of today.
func clockTime(t time.Time) ui.Time {
	full := dateTime(t)
	full.Text = t.UTC().Format("15:04:05 UTC")
	return full
}

// agoTime is an instant told by its distance.
func agoTime(t, now time.Time) ui.Time {
	full := dateTime(t)
	if full.ISO != "" {
		full.Text = ago(now.Sub(t))
	}
	return full
}

// forTime is an instant told by how long it has lasted.
func forTime(t, now time.Time) ui.Time {
	full := dateTime(t)
	if full.ISO != "" {
		full.Text = "for " + span(now.Sub(t))
	}
	return full
}

// inTime is an instant to come, counted down.
func inTime(t, now time.Time) ui.Time {
	full := dateTime(t)
	full.Text = "in " + span(t.Sub(now))
	full.Countdown = true
	return full
}

// ago is a distance to the past in words.
func ago(d time.Duration) string {
	if d < time.Second {
		return "just now"
	}
	return span(d) + " ago"
}

// span is a duration with its two largest units: "3 d 4 h", "2 min 13 s".
func span(d time.Duration) string {
	d = max(d, 0).Truncate(time.Second)
	days, hours := int(d/(24*time.Hour)), int(d/time.Hour)%24
	minutes, seconds := int(d/time.Minute)%60, int(d/time.Second)%60
	pair := func(a int, ua string, b int, ub string) string {
		if b == 0 {
			return fmt.Sprintf("%d %s", a, ua)
		}
		return fmt.Sprintf("%d %s %d %s", a, ua, b, ub)
	}
	switch {
	case days > 0:
		return pair(days, "d", hours, "h")
	case hours > 0:
		return pair(hours, "h", minutes, "min")
	case minutes > 0:
		return pair(minutes, "min", seconds, "s")
	}
	return fmt.Sprintf("%d s", seconds)
}

// took is the length of a run: finer than span below ten seconds.
func took(d time.Duration) string {
	switch {
	case d < 0:
		return "0 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return span(d)
}

// nearTime is an instant with as much date as it needs: none today.
func nearTime(t, now time.Time) string {
	t, now = t.UTC(), now.UTC()
	switch {
	case t.YearDay() == now.YearDay() && t.Year() == now.Year():
		return t.Format("15:04:05 UTC")
	case t.Year() == now.Year():
		return t.Format("02 Jan 15:04 UTC")
	}
	return t.Format("2006-01-02 15:04 UTC")
}
