package ui

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// TimeForm is how an instant is shown by its distance.
type TimeForm string

// The forms; the zero value prints the text as it is.
const (
	TimeAgo TimeForm = "ago" // 5 min ago
	TimeFor TimeForm = "for" // for 5 min
	TimeIn  TimeForm = "in"  // in 5 min
	// TimeLate is late by 5 min.
	TimeLate TimeForm = "late"
)

// FullTime is how a whole date and time is written.
const FullTime = "2006-01-02 15:04:05 MST"

type zoneKey struct{}

// WithZone is the context of a page whose times are in a zone.
func WithZone(ctx context.Context, zone *time.Location) context.Context {
	return context.WithValue(ctx, zoneKey{}, zone)
}

// ZoneOf is the zone of the page, UTC unless one was chosen.
func ZoneOf(ctx context.Context) *time.Location {
	if zone, ok := ctx.Value(zoneKey{}).(*time.Location); ok {
		return zone
	}
	return time.UTC
}

// ZoneName is the name of the page's zone.
func ZoneName(ctx context.Context) string { return ZoneOf(ctx).String() }

// fieldLayouts are the layouts of times in fields.
var fieldLayouts = []string{"2006-01-02T15:04:05", "2006-01-02T15:04"}

// FieldTime is a time of a filter, which is in UTC, in the zone of the page. The form needs a
// [ZoneField].
func FieldTime(ctx context.Context, text string) string {
	for _, layout := range fieldLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.In(ZoneOf(ctx)).Format(layout)
		}
	}
	return text
}

// in is the time in the zone of the page. A text that is not that of the layout was
// chosen by the page, and stays.
func (p Time) in(ctx context.Context) Time {
	zone := ZoneOf(ctx)
	if zone == time.UTC || p.At.IsZero() {
		return p
	}
	if p.Text == p.At.UTC().Format(p.Layout) {
		p.Text = p.At.In(zone).Format(p.Layout)
	}
	p.Title = p.At.In(zone).Format(FullTime)
	return p
}

// counts reports whether it is a distance that grows.
func (p Time) counts() bool { return p.Form == TimeAgo || p.Form == TimeFor || p.Form == TimeLate }

// NearLayout is how an instant is written with as much date as it needs: none today.
func NearLayout(l i18n.Lang, t, now time.Time) string {
	switch {
	case t.YearDay() == now.YearDay() && t.Year() == now.Year():
		return "15:04:05 MST"
	case t.Year() != now.Year():
		return "2006-01-02 15:04 MST"
	case l == i18n.English:
		return "02 Jan 15:04 MST"
	}
	return "01-02 15:04 MST"
}

// words is what is printed, in the language of the page.
func (p Time) words(l i18n.Lang) string {
	switch p.Form {
	case TimeAgo:
		return Ago(l, p.Span)
	case TimeFor:
		return l.TimeFor(Span(l, p.Span))
	case TimeLate:
		return l.JobsLateBy(Span(l, p.Span))
	case TimeIn:
		return l.FrameIn(Span(l, p.Span))
	}
	return p.Text
}

// Ago is a distance to the past in words.
func Ago(l i18n.Lang, d time.Duration) string {
	if d < time.Second {
		return l.TimeJustNow()
	}
	return l.TimeAgo(Span(l, d))
}

// Span is a duration with its two largest units: "3 d 4 h", "2 min 13 s".
func Span(l i18n.Lang, d time.Duration) string {
	d = max(d, 0).Truncate(time.Second)
	amounts := []int{int(d / (24 * time.Hour)), int(d/time.Hour) % 24, int(d/time.Minute) % 60, int(d/time.Second) % 60}
	units := strings.Fields(l.TimeUnits())
	first := 0
	for first < len(amounts)-1 && amounts[first] == 0 {
		first++
	}
	text := strconv.Itoa(amounts[first]) + " " + units[first]
	if next := first + 1; next < len(amounts) && amounts[next] > 0 {
		text += " " + strconv.Itoa(amounts[next]) + " " + units[next]
	}
	return text
}
