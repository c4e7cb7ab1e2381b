package explain

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/past"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// pastForm is the form that asks for a time.
func pastForm(job, typed string, now time.Time) jobs.PastForm {
	return jobs.PastForm{Action: app.JobPath("/jobs", job, "explain"), At: cmp.Or(typed, query.InputTime(now.Add(-10*time.Minute).Truncate(time.Minute)))}
}

// explainPast tells what a job did at the time that the address asks for.
func (s service) explainPast(c *gin.Context, at time.Time, asText bool, badFormat string) error {
	l, now := i18n.From(c.Request.Context()), s.Now()
	job, p, err := s.readPast(c, l, at)
	if err != nil {
		return err
	}
	props := jobs.PastProps{
		Frame: s.Frame(c, p.Heading, app.AreaJobs), Job: job.Name, JobHref: app.JobPath("/jobs", job.Name), Heading: p.Heading,
		Tabs: jobpage.Tabs(l, job.Name, job.Job.Shards, "explain"), Form: pastForm(job.Name, query.InputTime(at), now),
		Tone: pastTone(p.Verdict), Verdict: string(p.Verdict), Reasons: p.Reasons, Unknown: p.Unknown,
	}
	if p.Run != nil {
		props.RunHref = pageui.RunPath(job.Name, p.Run.ID)
	}
	for _, m := range p.Around {
		props.Around = append(props.Around, momentLine(l, m))
	}
	props.AsText = textHref(job.Name, query.InputTime(at))
	if asText {
		c.Data(http.StatusOK, plainText, []byte(pastText(l, job.Name, props, now)))
		return nil
	}
	props.Frame.Scripts = append(props.Frame.Scripts, "copy.js")
	if badFormat != "" {
		props.Frame.Ignored = append(props.Frame.Ignored, badFormat)
	}
	s.Render(c, http.StatusOK, jobs.Past(props))
	return nil
}

func pastTone(v past.Verdict) ui.Tone {
	switch v {
	case past.Ran:
		return ui.ToneOK
	case past.Failed, past.Missed:
		return ui.ToneBad
	case past.Lost:
		return ui.ToneLost
	case past.Running:
		return ui.ToneRun
	case past.Partial, past.MadeUp:
		return ui.ToneWarn
	case past.Cancelled:
		return ui.ToneOff
	case past.NotDue, past.NotYet, past.Unknown, past.NoRecord:
	}
	return ui.ToneQuiet
}

// momentLine is something that happened, as a line.
func momentLine(l i18n.Lang, m past.Moment) jobs.Happened {
	row := jobs.Happened{At: view.ClockTime(m.At), Kind: m.Kind}
	switch {
	case m.Event != nil:
		row.Tone, row.Text = jobpage.EventTone(*m.Event), jobpage.EventText(l, *m.Event, nil)
	case m.Record != nil:
		record := jobpage.RecordLine(l, pageui.ChangeOf(l, *m.Record))
		row.Tone, row.Text, row.Note = record.Tone, record.Text, record.Note
	case m.Kind == "end":
		row.Tone, row.Text = pageui.RunTone(m.Run.State), l.PastRunEnded(pageui.RunState(l, m.Run.State))
	case m.Run != nil:
		row.Tone, row.Text = ui.ToneRun, l.PastRunBegan(l.MatrixOwns(m.Run.Shards))
	}
	return row
}

// askedTime reads ?at=. Without one, and with a hint about one that cannot be, it is
// zero.
func askedTime(c *gin.Context, l i18n.Lang, now time.Time) (at time.Time, hint string) {
	text := c.Query("at")
	if text == "" {
		return at, ""
	}
	at, ok := query.ParseInstant(text)
	switch {
	case !ok || at.IsZero() || at.Year() < 1990:
		return time.Time{}, l.PastBadTime(view.Clip(strconv.Quote(text), 40))
	case at.After(now):
		return time.Time{}, l.PastFuture(view.DateTime(at).Text)
	}
	return at, ""
}
