package pages

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
)

// confirmPage asks before an action that cannot be taken back.
func (s *Pages) confirmPage(o console.Action) gin.HandlerFunc {
	return func(c *gin.Context) {
		job, err := s.ReadJob(c)
		if err != nil {
			s.Fail(c, err)
			return
		}
		back := console.JobPath("/jobs", job.Name)
		s.Render(c, http.StatusOK, jobs.Confirm(confirmProps(s.Frame(c, o.Label+" "+job.Name, console.AreaJobs), o, job, back)))
	}
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
	console.Refused(c, "not_confirmed")
	p := confirmProps(s.Frame(c, o.Label+" "+name, console.AreaJobs), o, job, s.backFrom(c, name))
	if ok && p.Refused == "" {
		p.Wrong = typed
		p.Error = fmt.Sprintf("This is not the job's name. Nothing was changed; the name is %s.", name)
	}
	s.Render(c, http.StatusUnprocessableEntity, jobs.Confirm(p))
	return false
}

// confirmProps says what the action would do, to whom, and what then.
func confirmProps(f layout.Frame, o console.Action, job statistics.JobDetail, back string) jobs.ConfirmProps {
	p := jobs.ConfirmProps{
		Frame: f, Job: job.Name, JobHref: console.JobPath("/jobs", job.Name),
		Action: console.JobPath("/jobs", job.Name, o.Verb), Verb: o.Label, Return: back, Typed: o.Typed,
		Heading: fmt.Sprintf("%s %s?", o.Label, job.Name),
	}
	running := 0
	for _, sh := range job.Shards {
		if sh.RunningOn != "" || sh.Status == statistics.ShardRunning {
			running++
		}
	}
	switch o.Verb {
	case console.Shutdown.Verb:
		if len(job.Instances) == 0 {
			p.Refused = "No instance of this job is alive; there is nothing to shut down."
			return p
		}
		p.Effects = []string{
			fmt.Sprintf("%s of this job will stop scheduling it.", view.Plural(len(job.Instances), "instance")),
			"This cannot be undone from the console: the job runs again only when its processes are restarted.",
			"The processes themselves go on, and so do their other jobs.",
		}
		if running > 0 {
			p.Effects = append(p.Effects, fmt.Sprintf("%s running now: what has started is not interrupted.", view.IsAre(running, "shard")))
		}
		p.TargetsH = "Instances"
		for _, i := range job.Instances {
			p.Targets = append(p.Targets, i.ID)
		}
	case console.Remove.Verb:
		if len(job.Instances) > 0 {
			p.Refused = fmt.Sprintf("%s alive. Shut the job down first, or stop its processes: a job that runs would only write itself again.",
				view.IsAre(len(job.Instances), "instance"))
			return p
		}
		p.Effects = []string{
			"The job's configuration and everything else stored about it in ZooKeeper is deleted. There is no undo; copy the configuration first if you may need it.",
			"If a process that contains this job starts again, it registers the job anew from its code.",
			"The history of its executions stays in the trace database.",
		}
	}
	return p
}
