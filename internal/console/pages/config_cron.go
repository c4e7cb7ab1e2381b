package pages

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/cronwords"
	"github.com/elasticjob-go/elasticjob/internal/console/schedule"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// durationsSince is how far back executions count for how long they take.
const durationsSince = 7 * 24 * time.Hour

// asked is the schedule that the assistant is asked about.
type asked struct {
	job, cron, zone string
	rules           quartz.Rules
	misfire         bool
	p95             time.Duration
}

// cronProps is what the assistant says about a draft.
func (s *Pages) cronProps(c *gin.Context, d *draft) *jobs.CronProps {
	q := asked{job: d.job, cron: d.mine.Cron, zone: d.mine.TimeZone, rules: quartz.RulesOf(d.job, d.mine.Props), misfire: d.mine.Misfire}
	if d.form != nil {
		q.cron, q.zone = typedOr(d.form, "cron", q.cron), typedOr(d.form, "timeZone", q.zone)
	}
	q.p95 = durationOf(s.durationHint(c, d.job))
	p := s.assistant(c, q)
	return &p
}

// configRegion answers the script that asks while somebody types: what stands beside
// the form, and whether somebody has stored another revision meanwhile.
func (s *Pages) configRegion(c *gin.Context, d *draft) {
	d.err = s.check(d)
	l := i18n.From(c.Request.Context())
	p := besideForm(s, c, d, wrongFields(l, d.err))
	p.Alone, p.Changed = true, changedFields(l, d)
	if job, err := s.LookUp(c, d.job); err == nil && !d.fresh {
		if begun, _, ok := strings.Cut(d.revision, "-"); ok && begun != strconv.Itoa(int(job.ConfigVersion)) {
			p.Stale = l.ConfigStale(s.savedBy(c, d.job, ""))
		}
	}
	s.Render(c, http.StatusOK, jobs.ConfigRegion(p))
}

// durationHint is what 95 of 100 executions of the last week took at most, in
// milliseconds; empty if nobody knows. A form carries it, so that it is asked of the
// history once.
func (s *Pages) durationHint(c *gin.Context, job string) string {
	if hint := c.PostForm("p95"); hint != "" || isPost(c) || job == "" || s.HistoryOf(c) == nil {
		return hint
	}
	sum, err := s.Summarize(c, rdb.RunFilter{JobName: job, From: s.Now().Add(-durationsSince), To: s.Now(), StartedIn: true})
	if err != nil || sum.Took.Count == 0 {
		return "" // the assistant then says nothing of it
	}
	return strconv.FormatInt(sum.Took.P95.Milliseconds(), 10)
}

func isPost(c *gin.Context) bool { return c.Request.Method == http.MethodPost }

func durationOf(hint string) time.Duration {
	ms, err := strconv.ParseInt(hint, 10, 64)
	if err != nil || ms < 0 || ms > durationsSince.Milliseconds() {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

// assistant judges a schedule and says it in words.
func (s *Pages) assistant(c *gin.Context, q asked) jobs.CronProps {
	l := i18n.From(c.Request.Context())
	r := s.LookAtSchedule(c, schedule.Question{Job: q.job, Cron: q.cron, TimeZone: q.zone, Rules: q.rules})
	p := cronReport(l, r, s.Now())
	p.Operates = edits(c)
	if expr, err := quartz.Parse(q.cron); err == nil && r.Err == nil {
		p.Words, _ = cronwords.Words(l, expr)
	}
	for _, v := range console.Verdicts(l, r, q.p95, q.misfire) {
		p.Verdicts = append(p.Verdicts, jobs.Verdict(v))
	}
	if len(r.Fires) > 0 {
		addDay(s, c, &p, r.Fires[0])
	}
	return p
}

// addDay draws when all jobs fire in the hours to come, with the next fire of the
// schedule in question. Jobs that cannot be read are said elsewhere on the page.
func addDay(s *Pages, c *gin.Context, p *jobs.CronProps, next time.Time) {
	all, err := s.ReadJobs(c)
	if err != nil {
		return
	}
	l, now := i18n.From(c.Request.Context()), s.Now()
	fires := console.FiresOf(s.Console, all)
	bars, total, notes := pageui.FiresBars(l, fires, now)
	if bars == nil {
		return
	}
	p.Day, p.DaySub, p.DayPeak = bars, l.AssistantDaySub(total), notes[0]
	if at := float64(next.Sub(fires.From)) / float64(view.FireSteps*view.FireStep); at >= 0 && at < 1 {
		bars.Axis = []chart.Tick{{At: at, Label: l.AssistantDayThis(pageui.Clock(next))}}
	}
}

// cronStarts are expressions to begin with.
var cronStarts = []struct {
	cron  string
	label func(i18n.Lang) string
}{
	{"0 0/5 * * * ?", i18n.Lang.AssistantStartFive}, {"0 0 * * * ?", i18n.Lang.AssistantStartHourly}, {"0 30 2 * * ?", i18n.Lang.AssistantStartDaily},
	{"0 30 2 ? * MON-FRI", i18n.Lang.AssistantStartWeekdays}, {"0 30 2 1 * ?", i18n.Lang.AssistantStartMonthly},
}

// fieldWords are the names of the fields of an expression.
var fieldWords = map[string]func(i18n.Lang) string{
	"second": i18n.Lang.AssistantFieldSecond, "minute": i18n.Lang.AssistantFieldMinute, "hour": i18n.Lang.AssistantFieldHour, "day": i18n.Lang.AssistantFieldDay,
	"month": i18n.Lang.AssistantFieldMonth, "weekday": i18n.Lang.AssistantFieldWeekday, "year": i18n.Lang.AssistantFieldYear,
}

// cronReport is a report without its verdicts.
func cronReport(l i18n.Lang, r schedule.Report, now time.Time) jobs.CronProps {
	var p jobs.CronProps
	for _, f := range r.Fields {
		p.Fields = append(p.Fields, jobs.CronPart{Text: view.Clip(f.Text, 60), Label: fieldWords[f.Name](l)})
	}
	for _, start := range cronStarts {
		p.Starts = append(p.Starts, jobs.CronPart{Text: start.cron, Label: start.label(l)})
	}
	switch {
	case r.None:
		p.None = l.AssistantNone()
		return p
	case r.Err != nil:
		p.Error = view.Clip(r.Err.Error(), 300)
		return p
	}
	p.Zone = r.Zone.String()
	if r.Assumed {
		name, _ := now.In(r.Zone).Zone()
		p.Zone, p.Assumed = l.AssistantInstanceZone(), l.AssistantAssumed(name)
	}
	for _, u := range r.Upcoming {
		at, there := u.At, u.At.In(r.Zone)
		f := jobs.CronFire{Day: console.DayText(l, there), There: there.Format("15:04:05"), Here: fireTime(at, there), In: view.InTime(at, now)}
		if u.Refused != "" {
			f.Refused = pageui.RefusedWords(l, u)
		}
		p.Fires = append(p.Fires, f)
	}
	return p
}

// fireTime is an instant in UTC: with its date, if that is another one there.
func fireTime(at, there time.Time) ui.Time {
	t := view.DateTime(at)
	if at.UTC().Format(time.DateOnly) == there.Format(time.DateOnly) {
		t.Text = at.UTC().Format("15:04:05")
	}
	return t
}
