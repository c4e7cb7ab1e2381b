package config

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/cronwords"
	"github.com/elasticjob-go/elasticjob/internal/console/schedule"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// mostLooked bounds how long a schedule is compared with other schedules.
	mostLooked = 300 * time.Millisecond
	// durationsSince is the age of executions up to which their durations count.
	durationsSince = 7 * 24 * time.Hour
)

// look judges the schedule of a job among the schedules of the registry, and returns it in words,
// which are empty if it has none. While the registry is away it leaves out the other jobs.
func (s configs) look(c *gin.Context, l i18n.Lang, job, cron, zone string, rules quartz.Rules) (r schedule.Report, words string) {
	q := schedule.Question{Job: job, Cron: cron, TimeZone: zone, Rules: rules, Now: s.Now()}
	if list, err := s.ReadJobs(c); err == nil {
		for _, j := range list {
			if j.Cron != "" && j.Status != statistics.StatusDisabled && j.Status != statistics.StatusBroken {
				q.Others = append(q.Others, schedule.Other{Name: j.Name, Cron: j.Cron, TimeZone: j.TimeZone, Rules: quartz.RulesOf(j.Name, j.ScheduleProps()), Shards: j.Shards})
			}
		}
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), mostLooked)
	defer cancel()
	if expr, err := quartz.Parse(cron); err == nil {
		words, _ = cronwords.Words(l, expr)
	}
	return schedule.Look(ctx, q), words
}

// scheduleBody is the judgement for an answer.
func (s configs) scheduleBody(c *gin.Context, name string, config *jobconfig.Config) api.ConfigSchedule {
	rules := quartz.RulesOf(name, config.Props)
	r, words := s.look(c, i18n.English, name, config.Cron, config.TimeZone, rules)
	body := api.ConfigSchedule{
		Cron: config.Cron, TimeZone: cmp.Or(rules.Zone, config.TimeZone), Words: words, Fires: []string{}, Findings: []api.ScheduleFinding{},
	}
	for _, at := range r.Fires {
		body.Fires = append(body.Fires, view.IsoTime(at))
	}
	for _, v := range verdicts(i18n.English, r, 0, config.Misfire) {
		body.Findings = append(body.Findings, api.ScheduleFinding{Code: v.Code, Text: v.Title + " " + v.Text, Cron: v.Use})
	}
	return body
}

// assistant judges the schedule of a draft next to its form.
func (s configs) assistant(c *gin.Context, d *draft) *jobs.CronProps {
	l, now := i18n.From(c.Request.Context()), s.Now()
	r, words := s.look(c, l, d.job, d.typed("cron", d.mine.Cron), d.typed("timeZone", d.mine.TimeZone), quartz.RulesOf(d.job, d.mine.Props))
	p := jobs.CronProps{Operates: edits(c), Parts: r.Fields}
	switch {
	case r.None:
		p.None = l.AssistantNone()
		return &p
	case r.Err != nil:
		p.Error = view.Clip(r.Err.Error(), 300)
		return &p
	}
	p.Words, p.Zone = words, r.Zone.String()
	if r.Assumed {
		name, _ := now.In(r.Zone).Zone()
		p.Zone, p.Assumed = l.AssistantInstanceZone(), l.AssistantAssumed(name)
	}
	for _, u := range r.Upcoming {
		there := u.At.In(r.Zone)
		f := jobs.CronFire{Day: dayText(l, there), There: there.Format("15:04:05"), Here: view.DateTime(u.At), In: view.InTime(u.At, now)}
		if u.At.UTC().Format(time.DateOnly) == there.Format(time.DateOnly) { // one date is enough
			f.Here.Text = u.At.UTC().Format("15:04:05")
		}
		if u.Refused != "" {
			f.Refused = pageui.RefusedWords(l, u)
		}
		p.Fires = append(p.Fires, f)
	}
	p.Verdicts = verdicts(l, r, durationOf(s.durationHint(c, d.job)), d.mine.Misfire)
	if len(r.Fires) > 0 {
		s.addDay(c, &p, r.Fires[0])
	}
	return &p
}

// addDay draws when all jobs fire within a day from now, with the next fire of the schedule. If the
// jobs can't be read, the page reports that elsewhere.
func (s configs) addDay(c *gin.Context, p *jobs.CronProps, next time.Time) {
	all, err := s.ReadJobs(c)
	if err != nil {
		return
	}
	l, fires := i18n.From(c.Request.Context()), app.FiresOf(s.Console, all)
	bars, total, notes := pageui.FiresBars(l, fires, s.Now())
	if bars == nil {
		return
	}
	p.Day, p.DaySub, p.DayPeak = bars, l.AssistantDaySub(total), notes[0]
	if at := float64(next.Sub(fires.From)) / float64(view.FireSteps*view.FireStep); at >= 0 && at < 1 {
		bars.Axis = []chart.Tick{{At: at, Label: l.AssistantDayThis(pageui.Clock(next))}}
	}
}

// durationHint is the longest of 95 of 100 executions of the last week, in milliseconds; empty if
// it's unknown. The form carries it, so that the history is read once.
func (s configs) durationHint(c *gin.Context, job string) string {
	if hint := c.PostForm("p95"); hint != "" || c.Request.Method == http.MethodPost || job == "" || s.HistoryOf(c) == nil {
		return hint
	}
	f := rdb.RunFilter{JobName: job, From: s.Now().Add(-durationsSince), To: s.Now(), StartedIn: true}
	sum, err := app.ReadHistory(s.Console, c, func(ctx context.Context, h app.History) (rdb.Summary, error) {
		return h.Summarize(ctx, f, s.Now())
	})
	if err != nil || sum.Took.Count == 0 {
		return ""
	}
	return strconv.FormatInt(sum.Took.P95.Milliseconds(), 10)
}

func durationOf(hint string) time.Duration {
	ms, err := strconv.ParseInt(hint, 10, 64)
	if err != nil || ms < 0 || ms > durationsSince.Milliseconds() {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

// verdicts judge a schedule. p95 is the longest of 95 of 100 executions; 0 if it's unknown.
func verdicts(l i18n.Lang, r schedule.Report, p95 time.Duration, misfire bool) []jobs.Verdict {
	switch {
	case r.Err != nil || r.None:
		return nil
	case len(r.Fires) == 0:
		return []jobs.Verdict{{Code: "never", Tone: ui.ToneWarn, Title: l.AssistantNever(), Text: l.AssistantNeverText()}}
	}
	list := []jobs.Verdict{clockVerdict(l, r), herdVerdict(l, r.Herd)}
	if p95 > 0 && r.Gap > 0 {
		list = append(list, gapVerdict(l, r.Gap, p95, misfire))
	}
	return list
}

// dayText is a date with its weekday.
func dayText(l i18n.Lang, t time.Time) string {
	return t.Format(time.DateOnly) + " " + strings.Fields(l.AssistantWeekdays())[t.Weekday()]
}

// clockVerdict lists the changes of the clock that affect the schedule, by their dates.
func clockVerdict(l i18n.Lang, r schedule.Report) jobs.Verdict {
	v := jobs.Verdict{Code: "clock", Tone: ui.ToneOK, Title: l.AssistantClock()}
	if len(r.Changes) == 0 {
		v.Text = l.AssistantClockNone()
		return v
	}
	var dates, affected []string
	for _, change := range r.Changes {
		date, first := dayText(l, change.At.In(r.Zone)), change.First.Format("15:04:05")
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

// herdVerdict counts the jobs that fire at the same second.
func herdVerdict(l i18n.Lang, h schedule.Herd) jobs.Verdict {
	v := jobs.Verdict{Code: "herd", Tone: ui.ToneOK, Title: l.AssistantHerdNone(), Text: l.AssistantHerdNoneText()}
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

// gapVerdict compares the durations of executions with the time between fires.
func gapVerdict(l i18n.Lang, gap time.Duration, p95 time.Duration, misfire bool) jobs.Verdict {
	v := jobs.Verdict{Code: "gap", Tone: ui.ToneOK, Title: l.AssistantGapOk(), Text: l.AssistantGapText(view.Took(p95), ui.Span(l, gap))}
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
