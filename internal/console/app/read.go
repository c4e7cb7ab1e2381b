package app

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/spelling"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Reading bounds what a request may spend on the registry or the database.
func (s *Console) Reading(c *gin.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(c.Request.Context(), s.opts.ReadTimeout)
}

// RegistryDown is the answer while the registry cannot be read.
func (s *Console) RegistryDown(c *gin.Context, err error) *Problem {
	h := s.RegistryOf(c).Health()
	p := Problem{Kind: KindUnavailable, Code: CodeRegistryDown, Cause: err, Retry: ReloadSeconds}
	switch {
	case errors.Is(err, statistics.ErrForbidden):
		p.Code = "registry_forbidden"
		return p.SaidAs(i18n.Lang.ProblemZkForbidden, i18n.Lang.ProblemDigest)
	case errors.Is(err, statistics.ErrStillReading):
		return p.SaidAs(i18n.Lang.ProblemZkReading, i18n.Lang.ProblemZkReadingHint)
	case h.State != RegistryConnected:
		return p.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemZkDown(view.DateTime(h.Since).Text), l.ProblemZkDownHint()
		})
	}
	return p.SaidAs(i18n.Lang.ProblemZkUnread, i18n.Lang.ProblemZkUnreadHint)
}

// historyDown is the answer while the trace database cannot be read.
func historyDown(err error) *Problem {
	return Problem{Kind: KindUnavailable, Code: "database_unavailable", Cause: err, Retry: ReloadSeconds}.
		SaidAs(i18n.Lang.ProblemHistoryDown, i18n.Lang.ProblemHistoryDownHint)
}

// SettingsDown is the answer while the console's own database cannot be asked.
func SettingsDown(err error) *Problem {
	return Problem{Kind: KindUnavailable, Code: "settings_unavailable", Cause: err, Retry: ReloadSeconds}.
		SaidAs(i18n.Lang.ProblemOwnDown, i18n.Lang.ProblemOwnDownHint)
}

// NoHistory is the answer of a console without a trace database. Operators are shown the
// way to the data sources.
func NoHistory(c *gin.Context) *Problem {
	p := Problem{Kind: KindUnavailable, Code: "no_database"}
	if May(c, Configures) {
		p.GoTo, p.GoToLabel = SourcesRoute, i18n.Lang.SourcesTitle
	}
	if at := PlaceOf(c); at.name != "" {
		return p.SaidAs(i18n.Lang.ProblemHistoryNoneHere, i18n.Lang.ProblemHistoryNoneHereHint)
	}
	return p.SaidAs(i18n.Lang.ProblemHistoryNone, i18n.Lang.ProblemHistoryNoneHint)
}

// ReadJobs reads the jobs of the registry that the request is about, as the
// caller may see them.
func (s *Console) ReadJobs(c *gin.Context) ([]statistics.Job, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	jobs, err := s.RegistryOf(c).Jobs.Jobs(ctx)
	if err != nil {
		return nil, s.RegistryDown(c, err)
	}
	if Caller(c).Program.Token != "" {
		jobs = slices.DeleteFunc(slices.Clone(jobs), func(j statistics.Job) bool { return MayJob(c, j.Name) != nil })
	}
	if !May(c, Configures) {
		jobs = maskedJobs(jobs)
	}
	return jobs, nil
}

// ReadJob reads the job that the address names.
func (s *Console) ReadJob(c *gin.Context) (statistics.JobDetail, error) {
	name, err := JobName(c)
	if err != nil {
		return statistics.JobDetail{}, err
	}
	job, err := s.LookUp(c, name)
	if err != nil && SurfaceOf(c.Request.URL.Path) == Page && AsProblem(err).Kind == KindNotFound {
		return job, orAnother(s, c, name, err)
	}
	return job, err
}

// orAnother is that there is no job of a name, with the job that was probably meant.
func orAnother(s *Console, c *gin.Context, name string, none error) error {
	jobs, err := s.ReadJobs(c)
	if err != nil {
		return none
	}
	names := make([]string, len(jobs))
	for i, job := range jobs {
		names[i] = job.Name
	}
	meant := spelling.Nearest(name, names)
	if meant == "" {
		return none
	}
	p := *AsProblem(none)
	p.GoTo, p.GoToLabel = JobPath("/jobs", meant), func(l i18n.Lang) string { return l.ProblemOpenJob(meant) }
	return p.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNoJob(strconv.Quote(name)), l.ProblemLikeJob(meant)
	})
}

// LookUp reads a job by a name that can be one.
func (s *Console) LookUp(c *gin.Context, name string) (statistics.JobDetail, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	job, err := s.RegistryOf(c).Jobs.Job(ctx, name)
	switch {
	case errors.Is(err, statistics.ErrJobNotFound):
		return job, NoSuchJob(name)
	case err != nil:
		return job, s.RegistryDown(c, err)
	}
	if !May(c, Configures) {
		job = maskedDetail(job)
	}
	inZoneOf(c, &job.Job)
	return job, nil
}

// ReadServers reads the servers of the registry that the request is about.
func (s *Console) ReadServers(c *gin.Context) ([]statistics.Server, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	servers, err := s.RegistryOf(c).Jobs.Servers(ctx)
	if err != nil {
		return nil, s.RegistryDown(c, err)
	}
	return servers, nil
}

// ReadFindings reads why a job runs or does not, by the registry and the instances that were lost, as the
// caller may see it.
func (s *Console) ReadFindings(c *gin.Context, job string) (*statistics.Explanation, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	why, err := s.RegistryOf(c).Jobs.Explain(ctx, job)
	switch {
	case errors.Is(err, statistics.ErrJobNotFound):
		return nil, NoSuchJob(job)
	case err != nil:
		return nil, s.RegistryDown(c, err)
	}
	if !May(c, Configures) {
		why = maskedExplanation(why)
	}
	if log := s.Members(c); log != nil {
		why = withLosses(why, log.Losses(job))
	}
	return why, nil
}

// JobsOn are the jobs of a server, nil if none is asked for.
func (s *Console) JobsOn(c *gin.Context, ip string) (map[string]bool, error) {
	if ip == "" {
		return nil, nil
	}
	servers, err := s.ReadServers(c)
	if err != nil {
		return nil, err
	}
	on := make(map[string]bool)
	for _, server := range servers {
		if server.IP != ip {
			continue
		}
		for _, job := range server.JobNames {
			on[job] = true
		}
	}
	return on, nil
}

// ReadHistory reads from the history within the time that a request may take.
func ReadHistory[T any](s *Console, c *gin.Context, read func(context.Context, History) (T, error)) (answer T, err error) {
	if s.HistoryOf(c) == nil {
		return answer, NoHistory(c)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if answer, err = read(ctx, s.HistoryOf(c)); err != nil && !errors.Is(err, rdb.ErrNotFound) {
		return answer, HistoryProblem(err)
	}
	return answer, err
}

// MaskedRun is a run as an account sees it that may only look.
func MaskedRun(r rdb.Run) rdb.Run {
	r.Cause, r.Executions = mask.Text(r.Cause), maskedExecutions(r.Executions)
	return r
}

// ReadRuns reads a page of runs, as the caller may see them.
func (s *Console) ReadRuns(c *gin.Context, f rdb.RunFilter) (rdb.RunPage, error) {
	page, err := ReadHistory(s, c, func(ctx context.Context, h History) (rdb.RunPage, error) { return h.Runs(ctx, f) })
	if LooksOnly(c) {
		for i := range page.Runs {
			page.Runs[i] = MaskedRun(page.Runs[i])
		}
	}
	return page, err
}

// HistoryLacks names the columns of a run that the trace database has not.
func (s *Console) HistoryLacks(c *gin.Context) ([]string, error) {
	return ReadHistory(s, c, func(ctx context.Context, h History) ([]string, error) { return h.Lacks(ctx) })
}

// ReadExecutions reads a page of executions, as the caller may see them.
func (s *Console) ReadExecutions(c *gin.Context, f rdb.ExecutionFilter) (rdb.ExecutionPage, error) {
	runs, err := ReadHistory(s, c, func(ctx context.Context, h History) (rdb.ExecutionPage, error) { return h.Executions(ctx, f) })
	if LooksOnly(c) {
		runs.Rows = maskedExecutions(runs.Rows)
	}
	return runs, err
}

// ReadStatuses reads a page of the status trail, as the caller may see it.
func (s *Console) ReadStatuses(c *gin.Context, f rdb.StatusFilter) (rdb.StatusPage, error) {
	steps, err := ReadHistory(s, c, func(ctx context.Context, h History) (rdb.StatusPage, error) { return h.Statuses(ctx, f) })
	if LooksOnly(c) {
		steps.Rows = slices.Clone(steps.Rows)
		for i := range steps.Rows {
			steps.Rows[i].Message = mask.Text(steps.Rows[i].Message)
		}
	}
	return steps, err
}

// CountExecutions counts up to [query.MostCounted].
func (s *Console) CountExecutions(c *gin.Context, f rdb.ExecutionFilter) (n int, exact bool, err error) {
	n, err = ReadHistory(s, c, func(ctx context.Context, h History) (n int, err error) {
		n, exact, err = h.CountExecutions(ctx, f, query.MostCounted)
		return n, err
	})
	return n, exact, err
}

// CountStatuses counts up to [query.MostCounted].
func (s *Console) CountStatuses(c *gin.Context, f rdb.StatusFilter) (n int, exact bool, err error) {
	n, err = ReadHistory(s, c, func(ctx context.Context, h History) (n int, err error) {
		n, exact, err = h.CountStatuses(ctx, f, query.MostCounted)
		return n, err
	})
	return n, exact, err
}

// ReadLastRuns never fails a page that is about something else: it returns the
// problem to be shown as a notice.
func (s *Console) ReadLastRuns(c *gin.Context, jobs []string, perJob int) (map[string][]tracing.Execution, *Problem) {
	if s.HistoryOf(c) == nil || len(jobs) == 0 {
		return nil, nil
	}
	runs, err := ReadHistory(s, c, func(ctx context.Context, h History) (map[string][]tracing.Execution, error) {
		return h.LastRuns(ctx, jobs, perJob)
	})
	if err != nil {
		return nil, AsProblem(err)
	}
	if LooksOnly(c) {
		masked := make(map[string][]tracing.Execution, len(runs))
		for job, list := range runs {
			masked[job] = maskedExecutions(list)
		}
		runs = masked
	}
	return runs, nil
}

// HistoryProblem translates an error of the trace database.
func HistoryProblem(err error) *Problem {
	switch {
	case errors.Is(err, rdb.ErrInvalidCursor):
		return InvalidAs(i18n.Lang.ProblemNoPlace, i18n.Lang.ProblemNoPlaceHint)
	case errors.Is(err, rdb.ErrInvalidFilter):
		return Invalid("", "").Said(func(l i18n.Lang) (string, string) { return l.ProblemWrongFilter(), err.Error() })
	}
	return historyDown(err)
}

// ReadAudit reads a page of the audit.
func (s *Console) ReadAudit(c *gin.Context, f settings.AuditFilter) (settings.AuditPage, error) {
	if s.opts.Settings == nil {
		return settings.AuditPage{}, Problem{Kind: KindUnavailable, Code: "no_settings"}.SaidAs(i18n.Lang.ProblemLogOnly, i18n.Lang.ProblemLogOnlyHint)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	page, err := s.opts.Settings.Records(ctx, f)
	switch {
	case errors.Is(err, settings.ErrInvalidCursor):
		return page, InvalidAs(i18n.Lang.ProblemWrongCursor, i18n.Lang.ProblemWrongCursorHint)
	case err != nil:
		return page, SettingsDown(err)
	}
	return page, nil
}

// ReadStatistics reads how many executions ended, bucket by bucket.
func (s *Console) ReadStatistics(c *gin.Context, job string, interval rdb.Interval, from, to time.Time) ([]rdb.Point, error) {
	return ReadHistory(s, c, func(ctx context.Context, h History) ([]rdb.Point, error) {
		return h.Statistics(ctx, job, interval, from, to)
	})
}
