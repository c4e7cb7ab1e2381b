package jobs

import (
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
)

func agentJSON(a statistics.Agent) *api.Agent {
	if !a.Ours {
		return nil
	}
	return &api.Agent{Version: a.Version, Started: app.OptionalTime(a.Started), TimeZone: a.Zone, Debug: a.Debug, MaxParallel: a.MaxParallel, NoRecorder: a.NoRecorder}
}

// jobs answers with the list of jobs. Without page and pageSize it is the
// whole list, as ElasticJob's console answered; X-Total-Count has the number of
// jobs that match either way.
func (s service) jobs(c *gin.Context) error {
	values := c.Request.URL.Query()
	asked, problems := query.ParseJobs(values)
	if len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	all, err := s.ReadJobs(c)
	if err != nil {
		return err
	}
	if !values.Has("page") && !values.Has("pageSize") {
		asked.Size = max(1, len(all))
	}
	found := asked.Select(all, s.Now(), s.ReadHealth(c, all).Seen())
	rows := []api.Job{} // never null in JSON
	if asked.Page == found.Page {
		for _, j := range found.Rows {
			rows = append(rows, jobJSON(*j.Job, j.Plan, *j.Health))
		}
	}
	c.Header("X-Total-Count", strconv.Itoa(found.Total))
	return app.Answer(c, rows, nil)
}

// jobsCount answers with the number of jobs: the length of the list.
func (s service) jobsCount(c *gin.Context) error {
	all, err := s.ReadJobs(c)
	return app.Answer(c, len(all), err)
}

// job answers with everything about one job.
func (s service) job(c *gin.Context) error {
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	return app.Answer(c, jobDetailJSON(job, s.JobHealth(c, job.Job), app.May(c, app.Configures), s.Now()), nil)
}

// reasoned is a handler whose requests may have a reason, for the audit.
func (s service) reasoned(next func(*gin.Context) error) func(*gin.Context) error {
	return func(c *gin.Context) error {
		reason := strings.TrimSpace(c.Query("reason"))
		if p := app.CheckReason(reason); p != nil {
			return p
		}
		if reason != "" {
			s.Note(c, slog.String("reason", reason))
		}
		return next(c)
	}
}

func jobJSON(j statistics.Job, p view.Plan, h health.Health) api.Job {
	body := api.Job{
		JobName: j.Name, Status: string(j.Status), Reason: j.Reason, Title: j.Title, Description: j.Description,
		Cron: jobtree.Shown(j.Cron), TimeZone: jobtree.Shown(j.Zone()), Type: j.Type,
		InstanceCount: j.Instances, ShardingTotalCount: j.Shards,
		ServerCount: j.Servers, DisabledServers: j.DisabledServers, DisabledShards: j.DisabledItems,
		Leader: j.Leader, ConfigError: j.ConfigError, NoFireReason: string(p.Why),
		Health: string(h.State), HealthReason: h.Reason, HealthSentence: h.Sentence, HealthSince: app.OptionalTime(h.Since), NeverRan: h.NeverRan, Held: app.HoldBody(j.Held),
	}
	if next := p.Next(); !next.IsZero() {
		body.NextFireTime = view.IsoTime(next)
	}
	return body
}

func jobDetailJSON(job statistics.JobDetail, h health.Health, operates bool, now time.Time) api.JobDetail {
	p := view.PlanOf(job.Job, now, view.PlannedFires)
	body := api.JobDetail{
		Job:           jobJSON(job.Job, p, h),
		NextFireTimes: []string{}, Config: app.ConfigText(job.RawConfig, operates), ConfigVersion: job.ConfigVersion,
		Shards: shardsJSON(job.Shards[:min(query.MaxShards, len(job.Shards))]), Servers: []api.JobServer{}, Instances: []api.Instance{},
		ReshardingNeeded: job.ReshardingNeeded, Resharding: job.Resharding, Warnings: app.ConfigWarnings(job, operates),
	}
	for _, t := range p.Fires {
		if p.Why == "" {
			body.NextFireTimes = append(body.NextFireTimes, view.IsoTime(t))
		}
	}
	for _, srv := range job.Servers {
		body.Servers = append(body.Servers, api.JobServer{IP: srv.IP, Enabled: srv.Enabled, Instances: append([]string{}, srv.Instances...)})
	}
	for _, i := range job.Instances {
		body.Instances = append(body.Instances, api.Instance{ID: i.ID, IP: i.IP, Leader: i.Leader, Enabled: i.Enabled, Since: app.OptionalTime(i.Since), Agent: agentJSON(i.Agent)})
	}
	return body
}

func shardsJSON(shards []statistics.Shard) []api.Shard {
	list := []api.Shard{}
	for _, sh := range shards {
		ip := sh.IP
		if ip == "" && sh.Instance != "" {
			ip = jobtree.InstanceIP(sh.Instance)
		}
		list = append(list, api.Shard{
			Item: sh.Item, Parameter: sh.Parameter, ServerIP: ip, InstanceID: sh.Instance,
			Status: string(sh.Status), Reason: sh.Reason, Failover: sh.Failover != "", FailoverInstance: sh.Failover,
			RunningOn: sh.RunningOn, RunningSince: app.OptionalTime(sh.RunningSince), Disabled: sh.Disabled, Misfire: sh.Misfire, Lost: sh.Lost,
		})
	}
	return list
}

// sharding answers with the shards of one job, at most [query.MaxShards] of them:
// the page that the query names, else the first. X-Total-Count has the number of
// all shards.
func (s service) sharding(c *gin.Context) error {
	page, size, problems := query.ParseShards(c.Request.URL.Query())
	if len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	from := min((page-1)*size, len(job.Shards))
	c.Header("X-Total-Count", strconv.Itoa(len(job.Shards)))
	return app.Answer(c, shardsJSON(job.Shards[from:min(from+size, len(job.Shards))]), nil)
}
