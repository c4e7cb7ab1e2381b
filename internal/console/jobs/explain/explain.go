package explain

import (
	"cmp"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/past"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// explained is why a job does not run, or runs and fails.
type explained struct {
	explain.Answer
	// Why has the findings of the registry.
	Why    *statistics.Explanation
	Health health.Health
	// Details is the job; without a name it has lost its configuration.
	Details statistics.JobDetail
	// Alike is how many other jobs fail by the same cause, the first of them since
	// AlikeSince.
	Alike      int
	AlikeSince time.Time
}

// readExplanation explains the job in the address, by the registry and by the job's runs.
func (s service) readExplanation(c *gin.Context) (e explained, err error) {
	name, err := app.JobName(c)
	if err != nil {
		return e, err
	}
	why, err := s.ReadFindings(c, name)
	if err != nil {
		return e, err
	}
	job := statistics.Job{Name: name, Status: statistics.StatusBroken, Findings: why.Findings}
	if e.Details, err = s.LookUp(c, name); err == nil { // Else it has lost its configuration, which is explained.
		job = e.Details.Job
		job.Findings = why.Findings // The registry may have changed between the two readings.
	}
	evidence := s.Evidence(c, &job)
	e.Why = s.withShutdown(c, why, e.Details, evidence.Runs)
	job.Findings = e.Why.Findings
	e.Answer = explain.Explain(e.Why, evidence)
	e.Health = health.Judge(i18n.From(c.Request.Context()), evidence)
	e.Alike, e.AlikeSince = app.FailAlike(s.Console, c, name, e.Health.Fingerprint)
	return e, nil
}

// withShutdown returns an explanation that names the shutdown after which a job has no instance, if the audit
// has it and the caller may see it.
func (s service) withShutdown(c *gin.Context, why *statistics.Explanation, job statistics.JobDetail, runs *explain.Digest) *statistics.Explanation {
	at := slices.IndexFunc(why.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeNoInstance })
	if at < 0 || job.Name == "" || s.Options().Settings == nil || !app.May(c, app.Configures) {
		return why
	}
	in := past.Input{Job: job.Job, At: s.Now(), Now: s.Now()}
	for _, server := range job.Servers {
		in.Servers = append(in.Servers, server.IP)
	}
	if log := s.Members(c); log != nil {
		in.Events = log.Of(job.Name, members.MaxEvents)
	}
	s.recordsAround(c, &in)
	stop, server := past.ShutdownOf(in)
	if stop == nil || runs.LastStart.After(stop.At.Add(past.Around)) {
		return why
	}
	with := *why
	with.Findings = slices.Clone(why.Findings)
	f := &with.Findings[at]
	f.Since, f.Server, f.Value, f.Node = stop.At, server, cmp.Or(stop.User, "–"), explain.AuditNode
	f.Sentence, f.Advice = health.ShutDown(i18n.English, *f), i18n.English.ExplainFixShutDown()
	return &with
}
