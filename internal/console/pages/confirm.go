package pages

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
)

// confirmPage asks before an action that cannot be taken back.
func (s *Pages) confirmPage(o console.Action) gin.HandlerFunc {
	return func(c *gin.Context) {
		job, err := s.ReadJob(c)
		if err != nil {
			s.Fail(c, err)
			return
		}
		if p, err := s.confirmProps(c, o, job, console.JobPath("/jobs", job.Name)); err != nil {
			s.Fail(c, err)
		} else {
			s.Render(c, http.StatusOK, jobs.Confirm(p))
		}
	}
}

// confirmCurl is the request of the REST interface that does the same.
func (s *Pages) confirmCurl(c *gin.Context, o console.Action, job string) string {
	if o.Verb == console.Remove.Verb {
		return s.Curl(c, http.MethodDelete, console.JobPath("/api/jobs/config", job), nil, "")
	}
	return s.Curl(c, http.MethodPost, console.JobPath("/api/jobs", job, o.Verb), nil, "")
}

// confirmed reports whether the form of an action that asks was confirmed. If
// not, the page that asks is shown again with what was typed.
func (s *Pages) confirmed(c *gin.Context, o console.Action, name string) bool {
	typed := c.PostForm("name")
	ok := c.PostForm("confirm") == "yes"
	if ok && (!o.Typed || typed == name || typed == string(console.Inert([]byte(name)))) {
		return true
	}
	job, err := s.ReadJob(c)
	if err != nil {
		s.Fail(c, err)
		return false
	}
	p, err := s.confirmProps(c, o, job, s.backFrom(c, name))
	if err != nil {
		s.Fail(c, err)
		return false
	}
	console.Refused(c, "not_confirmed")
	if ok && p.Refused == "" {
		p.Wrong = typed
		p.Error = i18n.From(c.Request.Context()).ConfirmWrongName(name)
	}
	s.Render(c, console.FormStatus(c), jobs.Confirm(p))
	return false
}

// confirmProps says what the action would do, to whom, and what then.
func (s *Pages) confirmProps(c *gin.Context, o console.Action, job statistics.JobDetail, back string) (p jobs.ConfirmProps, err error) {
	l := i18n.From(c.Request.Context())
	p = jobs.ConfirmProps{
		Frame: s.Frame(c, o.Label(l)+" "+job.Name, console.AreaJobs), Curl: s.confirmCurl(c, o, job.Name), Job: job.Name, JobHref: console.JobPath("/jobs", job.Name),
		Action: console.JobPath("/jobs", job.Name, o.Verb), Verb: o.Label(l), Return: back, Typed: o.Typed,
	}
	running := 0
	for _, sh := range job.Shards {
		if sh.RunningOn != "" || sh.Status == statistics.ShardRunning {
			running++
		}
	}
	switch o.Verb {
	case console.Shutdown.Verb:
		p.Heading = l.ConfirmStop(job.Name)
		if len(job.Instances) == 0 {
			p.Refused = l.ConfirmStopNone()
			return p, nil
		}
		p.Effects = []string{
			l.ConfirmStopWhat(len(job.Instances)),
			l.ConfirmStopFinal(),
			l.ConfirmStopProcess(),
		}
		if running > 0 {
			p.Effects = append(p.Effects, l.ConfirmStopRunning(running))
		}
		p.TargetsH = l.ConfirmInstances()
		for _, i := range job.Instances {
			p.Targets = append(p.Targets, i.ID)
		}
	case console.Remove.Verb:
		p.Heading = l.ConfirmRemove(job.Name)
		if len(job.Instances) > 0 {
			p.Refused = l.ConfirmRemoveAlive(len(job.Instances))
			p.First, p.FirstHref = l.BulkMenuStop(), console.JobPath("/jobs", job.Name, console.Shutdown.Verb)
			return p, nil
		}
		open, err := s.OpenRuns(c, job.Name)
		if err != nil {
			return p, err
		}
		p.Effects = []string{
			l.ConfirmRemoveWhat(),
			l.ConfirmRemoveAgain(),
			l.ConfirmRemoveHistory(),
		}
		if open > 0 {
			p.Effects = append(p.Effects, l.ConfirmRemoveRuns(open))
		}
	}
	return p, nil
}
