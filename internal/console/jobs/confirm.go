package jobs

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// confirmPage asks before an action that can't be undone.
func (s service) confirmPage(o app.Action) func(*gin.Context) error {
	return func(c *gin.Context) error { return s.askFirst(c, o, http.StatusOK, nil) }
}

// askFirst asks before an action. typed is a text that was typed instead of the job's name, or nil.
func (s service) askFirst(c *gin.Context, o app.Action, status int, typed *string) error {
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	l, here := i18n.From(c.Request.Context()), app.JobPath("/jobs", job.Name)
	heading, q := l.ConfirmStop(job.Name), s.stopQuestion(c, l, job)
	if o.Verb == app.Remove.Verb {
		heading = l.ConfirmRemove(job.Name)
		if q, err = s.removeQuestion(c, l, job); err != nil {
			return err
		}
	}
	q.Action, q.Verb, q.Back, q.BackLabel = app.JobPath("/jobs", job.Name, o.Verb), o.Label(l), here, l.ConfirmBack()
	q.Return = s.backFrom(c, job.Name)
	if typed != nil && q.Refused == "" {
		q.Typed, q.Error = *typed, l.ConfirmWrongName(job.Name)
	}
	crumbs := []layout.Crumb{{Label: l.FrameJobs(), Href: "/jobs"}, {Label: job.Name, Href: here, Mono: true}}
	s.Render(c, status, layout.Confirm(s.Frame(c, heading, app.AreaJobs), crumbs, q))
	return nil
}

// confirmed reports whether the form of an action that asks was confirmed. If not, the page that
// asks is shown again with the text that was typed.
func (s service) confirmed(c *gin.Context, o app.Action, name string) (bool, error) {
	var wrong *string
	if c.PostForm("confirm") == "yes" {
		typed := c.PostForm("name")
		if !o.Typed || pageui.SameName(typed, name) {
			return true, nil
		}
		wrong = &typed
	}
	app.Refused(c, "not_confirmed")
	return false, s.askFirst(c, o, app.FormStatus(c), wrong)
}

// stopQuestion asks before the instances of a job are stopped.
func (s service) stopQuestion(c *gin.Context, l i18n.Lang, job statistics.JobDetail) layout.Question {
	if len(job.Instances) == 0 {
		return layout.Question{Refused: l.ConfirmStopNone()}
	}
	q := layout.Question{
		Effects: []string{l.ConfirmStopWhat(len(job.Instances)), l.ConfirmStopFinal(), l.ConfirmStopProcess()},
		Targets: []layout.Targets{{Heading: l.ConfirmInstances(), TestID: "targets"}},
		Curl:    s.Curl(c, http.MethodPost, app.JobPath("/api/jobs", job.Name, app.Shutdown.Verb), nil, ""),
	}
	running := 0
	for _, sh := range job.Shards {
		if sh.RunningOn != "" || sh.Status == statistics.ShardRunning {
			running++
		}
	}
	if running > 0 {
		q.Effects = append(q.Effects, l.ConfirmStopRunning(running))
	}
	for _, i := range job.Instances {
		q.Targets[0].Names = append(q.Targets[0].Names, i.ID)
	}
	return q
}

// removeQuestion asks before a job is removed.
func (s service) removeQuestion(c *gin.Context, l i18n.Lang, job statistics.JobDetail) (layout.Question, error) {
	if n := len(job.Instances); n > 0 {
		return layout.Question{Refused: l.ConfirmRemoveAlive(n), First: &ui.Button{
			Kind: ui.ButtonDanger, Label: l.BulkMenuStop(), TestID: "confirm-first",
			Href: app.JobPath("/jobs", job.Name, app.Shutdown.Verb),
		}}, nil
	}
	open, err := s.OpenRuns(c, job.Name)
	q := layout.Question{
		Effects:  []string{l.ConfirmRemoveWhat(), l.ConfirmRemoveAgain(), l.ConfirmRemoveHistory()},
		TypeName: job.Name, Curl: s.Curl(c, http.MethodDelete, app.JobPath("/api/jobs/config", job.Name), nil, ""),
	}
	if open > 0 {
		q.Effects = append(q.Effects, l.ConfirmRemoveRuns(open))
	}
	return q, err
}
