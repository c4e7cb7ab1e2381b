package console

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/schedule"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// mostLooked bounds how long a schedule is compared with those of other jobs.
const mostLooked = 300 * time.Millisecond

// LookAtSchedule judges a schedule among those of the registry that the request is
// about. Without them it says nothing of other jobs. The question's time and others
// are filled in.
func (s *Console) LookAtSchedule(c *gin.Context, q schedule.Question) schedule.Report {
	q.Now = s.Now()
	if list, err := s.ReadJobs(c); err == nil {
		for _, j := range list {
			if j.Cron != "" && j.Status != statistics.StatusDisabled && j.Status != statistics.StatusBroken {
				q.Others = append(q.Others, schedule.Other{Name: j.Name, Cron: j.Cron, TimeZone: j.TimeZone, Rules: quartz.RulesOf(j.Name, j.ScheduleProps()), Shards: j.Shards})
			}
		}
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), mostLooked)
	defer cancel()
	return schedule.Look(ctx, q)
}

// FireTogether is the instant of several at which the most other jobs of the registry fire
// together with a job, and how many they are; 0 if nobody knows.
func FireTogether(s *Console, c *gin.Context, job string, instants []time.Time) (at time.Time, others int) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.RegistryOf(c).Jobs.Jobs(ctx)
	if err != nil {
		return at, 0
	}
	at, others, _ = s.together.Most(list, job, instants)
	return at, others
}

// FiresOf is when jobs fire within a day from now.
func FiresOf(s *Console, all []statistics.Job) view.Fires { return s.fires.Of(all, s.Now()) }

// Verdict is what there is to say about a schedule: Code says of what. Use is an
// expression that would be better, UseLabel the words for it.
type Verdict struct {
	Code          string
	Tone          ui.Tone
	Title, Text   string
	Use, UseLabel string
}

// Verdicts says in words what a report found. p95 is how long 95 of 100 executions
// take at most, 0 if nobody knows.
func Verdicts(l i18n.Lang, r schedule.Report, p95 time.Duration, misfire bool) []Verdict {
	switch {
	case r.Err != nil || r.None:
		return nil
	case len(r.Fires) == 0:
		return []Verdict{{Code: "never", Tone: ui.ToneWarn, Title: l.AssistantNever(), Text: l.AssistantNeverText()}}
	}
	list := []Verdict{clockVerdict(l, r), herdVerdict(l, r.Herd)}
	if p95 > 0 && r.Gap > 0 {
		list = append(list, gapVerdict(l, r.Gap, p95, misfire))
	}
	return list
}

// DayText is a date with its weekday.
func DayText(l i18n.Lang, t time.Time) string {
	return t.Format(time.DateOnly) + " " + strings.Fields(l.AssistantWeekdays())[t.Weekday()]
}

// clockVerdict says what the changes of the clock do, by their dates.
func clockVerdict(l i18n.Lang, r schedule.Report) Verdict {
	v := Verdict{Code: "clock", Tone: ui.ToneOK, Title: l.AssistantClock()}
	if len(r.Changes) == 0 {
		v.Text = l.AssistantClockNone()
		return v
	}
	var dates, affected []string
	for _, change := range r.Changes {
		date, first := DayText(l, change.At.In(r.Zone)), change.First.Format("15:04:05")
		dates = append(dates, date)
		switch {
		case change.Fires == 0:
		case change.Forward() && r.Once:
			affected = append(affected, l.AssistantClockTogether(date, change.Fires, change.To.Format("15:04:05")))
		case change.Forward():
			affected = append(affected, l.AssistantClockSkipped(date, change.Fires, first))
		case r.Once:
			affected = append(affected, l.AssistantClockFirst(date, change.Fires, first))
		default:
			affected = append(affected, l.AssistantClockSecond(date, change.Fires, first))
		}
	}
	if len(affected) == 0 {
		v.Text = l.AssistantClockClear(strings.Join(dates, ", "))
		return v
	}
	v.Tone, v.Text = ui.ToneWarn, strings.Join(affected, " ")
	return v
}

// herdVerdict says who fires at the same second.
func herdVerdict(l i18n.Lang, h schedule.Herd) Verdict {
	v := Verdict{Code: "herd", Tone: ui.ToneOK, Title: l.AssistantHerdNone(), Text: l.AssistantHerdNoneText()}
	if h.Jobs > 0 {
		v.Tone, v.Title, v.Text = ui.ToneWarn, l.AssistantHerd(h.Jobs), l.AssistantHerdText(h.Shards)
		if h.Quiet >= 0 {
			v.Use, v.UseLabel = h.Cron, l.AssistantHerdUse(strconv.Itoa(h.Quiet), strconv.Itoa(h.QuietJobs))
		}
	}
	if h.Partial {
		v.Text += " " + l.AssistantHerdPartial()
	}
	return v
}

// gapVerdict compares how long executions take with the time between fires.
func gapVerdict(l i18n.Lang, gap time.Duration, p95 time.Duration, misfire bool) Verdict {
	v := Verdict{Code: "gap", Tone: ui.ToneOK, Title: l.AssistantGapOk(), Text: l.AssistantGapText(view.Took(p95), ui.Span(l, gap))}
	if p95 <= gap {
		return v
	}
	v.Tone, v.Title = ui.ToneWarn, l.AssistantGapBad()
	if misfire {
		v.Text += " " + l.AssistantGapMisfire()
	} else {
		v.Text += " " + l.AssistantGapSkip()
	}
	return v
}
