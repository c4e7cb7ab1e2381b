package query

import (
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// window is a part of the day: "02:00-03:00" in UTC, "22:00-06:00@Asia/Shanghai" over
// midnight in another zone.
type window struct {
	from, to clock
	zone     *time.Location
	name     string // of the zone
	// begin and end are the window that is on or comes next, once it was asked for.
	begin, end time.Time
	// due are the fire times that were looked for, by schedule: thousands of jobs have few.
	due map[schedule]bool
}

type clock struct{ hour, minute int }

// schedule is what the fire times of a job depend on.
type schedule struct {
	cron, zone string
	rules      quartz.Rules
}

// parseWindow reads one.
func parseWindow(text string) (*window, bool) {
	hours, zone, named := strings.Cut(text, "@")
	from, to, ok := strings.Cut(hours, "-")
	w := &window{zone: time.UTC, name: "UTC", due: make(map[schedule]bool)}
	if !ok || !w.from.parse(from) || !w.to.parse(to) || w.from == w.to || w.from.hour == 24 {
		return nil, false
	}
	if named {
		w.name = zone
		w.zone, ok = ParseZone(zone)
	}
	return w, ok
}

// maxZone bounds the name of a zone.
const maxZone = 64

// ParseZone reads the name of a zone in the tz database, or an offset as jobs have it.
func ParseZone(name string) (*time.Location, bool) {
	if name == "" || name == "Local" || len(name) > maxZone {
		return nil, false
	}
	zone, err := quartz.ParseTimeZone(name)
	if err != nil {
		zone, err = time.LoadLocation(name)
	}
	return zone, err == nil
}

// firesTerm is a part of the day without a zone in a search.
var firesTerm = regexp.MustCompile(`(^|\s)fires:[0-9:-]+(\s|$)`)

// FiresIn adds a zone to the term fires: of a search that names none.
func FiresIn(text, zone string) string {
	return firesTerm.ReplaceAllStringFunc(text, func(term string) string {
		kept := strings.TrimRightFunc(term, unicode.IsSpace)
		return kept + "@" + zone + term[len(kept):]
	})
}

// parse reads 02:00 and, as the end of a day, 24:00.
func (c *clock) parse(text string) bool {
	at, err := time.Parse("15:04", text)
	if text == "24:00" {
		*c = clock{hour: 24}
		return true
	}
	*c = clock{at.Hour(), at.Minute()}
	return err == nil && len(text) == len("15:04")
}

// next is the window that is on at an instant, or else the next one. An hour that the
// clock skips is no window.
func (w *window) next(now time.Time) (from, to time.Time) {
	nights := 0
	if w.to.hour < w.from.hour || w.to.hour == w.from.hour && w.to.minute < w.from.minute {
		nights = 1
	}
	year, month, day := now.In(w.zone).Date()
	for day--; !to.After(now) || !to.After(from); day++ { // that of yesterday may go on
		from = time.Date(year, month, day, w.from.hour, w.from.minute, 0, 0, w.zone)
		if again := from.Add(-time.Hour); again.Hour() == from.Hour() { // the clock shows it twice
			from = again
		}
		to = time.Date(year, month, day+nights, w.to.hour, w.to.minute, 0, 0, w.zone)
	}
	return from, to
}

// has reports whether a job fires in the window that is on or comes next: one look at
// its schedule, however often it fires.
func (w *window) has(j statistics.Job, now time.Time) bool {
	key := schedule{j.Cron, j.TimeZone, quartz.RulesOf(j.Name, j.ScheduleProps())}
	due, known := w.due[key]
	if known && !due {
		return false
	}
	if w.end.IsZero() {
		w.begin, w.end = w.next(now)
	}
	plan := view.PlanOf(j, w.begin.Add(-time.Nanosecond), 1)
	due = len(plan.Fires) > 0 && plan.Fires[0].Before(w.end)
	if plan.Why != view.NoFireUnknown {
		w.due[key] = due
	}
	return due && plan.Why == ""
}

// Window is the part of the day in which the jobs fire that the text asks for, with the
// name of its zone; ok is false if it asks for none.
func (q Jobs) Window(now time.Time) (from, to time.Time, zone string, ok bool) {
	t, _ := parseTerms(q.Text)
	if t.fires == nil {
		return from, to, "", false
	}
	from, to = t.fires.next(now)
	return from, to, t.fires.name, true
}
