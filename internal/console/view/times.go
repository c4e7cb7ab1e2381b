package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// IsoTime is an instant for machines.
func IsoTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// DateTime is an instant with its date.
func DateTime(t time.Time) ui.Time {
	if t.IsZero() {
		return ui.Time{Text: "unknown"}
	}
	text := t.UTC().Format(ui.FullTime)
	return ui.Time{ISO: IsoTime(t), Text: text, Title: text, At: t, Layout: ui.FullTime}
}

// ClockTime is an instant of today.
func ClockTime(t time.Time) ui.Time {
	full := DateTime(t)
	full.Layout = "15:04:05 MST"
	full.Text = t.UTC().Format(full.Layout)
	return full
}

// AgoTime is an instant shown by its distance.
func AgoTime(t, now time.Time) ui.Time {
	full := DateTime(t)
	if full.ISO != "" {
		full.Text = Ago(now.Sub(t))
		full.Form, full.Span = ui.TimeAgo, now.Sub(t)
	}
	return full
}

// ForTime is an instant shown by how long it has lasted.
func ForTime(t, now time.Time) ui.Time {
	full := DateTime(t)
	if full.ISO != "" {
		full.Text = "for " + Span(now.Sub(t))
		full.Form, full.Span = ui.TimeFor, now.Sub(t)
	}
	return full
}

// InTime is an instant to come, counted down.
func InTime(t, now time.Time) ui.Time {
	full := DateTime(t)
	full.Text = "in " + Span(t.Sub(now))
	full.Form, full.Span, full.Countdown = ui.TimeIn, t.Sub(now), true
	return full
}

// Ago is a distance to the past in words.
func Ago(d time.Duration) string { return ui.Ago(i18n.English, d) }

// Span is a duration with its two largest units: "3 d 4 h", "2 min 13 s".
func Span(d time.Duration) string { return ui.Span(i18n.English, d) }

// Took is the length of a run: finer than span below ten seconds.
func Took(d time.Duration) string {
	switch {
	case d < 0:
		return "0 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return Span(d)
}

// NearTime is an instant with as much date as it needs: none today.
func NearTime(l i18n.Lang, t, now time.Time) ui.Time {
	near := DateTime(t)
	near.Layout = ui.NearLayout(l, t.UTC(), now.UTC())
	near.Text = t.UTC().Format(near.Layout)
	return near
}

// ClockSpan is how long something goes on, as clocks show it: 1:07, 2:01:09.
func ClockSpan(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// ListTime is an instant in a list, with as much date as it needs: none today. It has no zone,
// because the head of the page has it.
func ListTime(l i18n.Lang, t, now time.Time) ui.Time {
	at, near := DateTime(t), NearTime(l, t, now)
	at.Layout, at.Text = strings.TrimSuffix(near.Layout, " MST"), strings.TrimSuffix(near.Text, " UTC")
	return at
}
