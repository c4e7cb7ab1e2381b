package console

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// reading bounds what a request may spend on the registry or the database.
func (s *Console) reading(c *gin.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(c.Request.Context(), s.opts.ReadTimeout)
}

// registryDown is the answer while the registry cannot be read.
func (s *Console) registryDown(c *gin.Context, err error) *problem {
	h := s.centreOf(c).Health()
	p := &problem{
		kind: kindUnavailable, code: codeRegistryDown, cause: err, retry: reloadSeconds,
		message: "ZooKeeper could not be read just now.",
		hint:    "Nothing was changed. Try again in a few seconds.",
	}
	switch {
	case errors.Is(err, statistics.ErrForbidden):
		p.code, p.message = "registry_forbidden", "ZooKeeper does not let the console read this."
		p.hint = "The console's ZooKeeper account lacks the right; check its digest."
	case errors.Is(err, statistics.ErrStillReading):
		p.message = "The console is still reading the registry."
		p.hint = "It began to when it was started or connected again. Try again in a few seconds."
	case h.State != RegistryConnected:
		p.message = fmt.Sprintf("ZooKeeper has been unreachable since %s.", view.DateTime(h.Since).Text)
		p.hint = "The console reconnects by itself. Check that ZooKeeper runs and can be reached from here."
	}
	return p
}

// historyDown is the answer while the trace database cannot be read.
func historyDown(err error) *problem {
	return &problem{
		kind: kindUnavailable, code: "database_unavailable", cause: err, retry: reloadSeconds,
		message: "The trace database could not be read.",
		hint:    "Jobs are not affected. Check that the database runs; the log has the cause.",
	}
}

// settingsDown is the answer while the console's own database cannot be asked.
func settingsDown(err error) *problem {
	return &problem{
		kind: kindUnavailable, code: "settings_unavailable", cause: err, retry: reloadSeconds,
		message: "The console's own database could not be asked.",
		hint:    "It knows who signed out, so nobody is let in without it. Jobs are not affected. Check that the database runs; the log has the cause.",
	}
}

// noHistory is the answer of a console without a trace database.
func noHistory(c *gin.Context) *problem {
	if at := placeOf(c); at.name != "" {
		return &problem{
			kind: kindUnavailable, code: "no_database", message: "No trace database belongs to this registry centre.",
			hint: "The one of the command line is about other jobs. Runs of data sources that were entered can be read over REST.",
		}
	}
	return &problem{
		kind: kindUnavailable, code: "no_database",
		message: "This console has no trace database.",
		hint:    "Start it with a database that the agents record to; then their runs are listed here.",
	}
}

func (s *Console) readJobs(c *gin.Context) ([]statistics.Job, error) {
	ctx, cancel := s.reading(c)
	defer cancel()
	jobs, err := s.centreOf(c).Jobs.Jobs(ctx)
	if err != nil {
		return nil, s.registryDown(c, err)
	}
	if looksOnly(c) {
		jobs = maskedJobs(jobs)
	}
	return jobs, nil
}

func (s *Console) readJob(c *gin.Context) (statistics.JobDetail, error) {
	name, err := jobName(c)
	if err != nil {
		return statistics.JobDetail{}, err
	}
	return s.lookUp(c, name)
}

// lookUp reads a job by a name that can be one.
func (s *Console) lookUp(c *gin.Context, name string) (statistics.JobDetail, error) {
	ctx, cancel := s.reading(c)
	defer cancel()
	job, err := s.centreOf(c).Jobs.Job(ctx, name)
	switch {
	case errors.Is(err, statistics.ErrJobNotFound):
		return job, noSuchJob(name)
	case err != nil:
		return job, s.registryDown(c, err)
	}
	if looksOnly(c) {
		job = maskedDetail(job)
	}
	return job, nil
}

func (s *Console) readExplanation(c *gin.Context) (*statistics.Explanation, error) {
	name, err := jobName(c)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	why, err := s.centreOf(c).Jobs.Explain(ctx, name)
	switch {
	case errors.Is(err, statistics.ErrJobNotFound):
		return nil, noSuchJob(name)
	case err != nil:
		return nil, s.registryDown(c, err)
	}
	if looksOnly(c) {
		why = maskedExplanation(why)
	}
	return why, nil
}

func (s *Console) readServers(c *gin.Context) ([]statistics.Server, error) {
	ctx, cancel := s.reading(c)
	defer cancel()
	servers, err := s.centreOf(c).Jobs.Servers(ctx)
	if err != nil {
		return nil, s.registryDown(c, err)
	}
	return servers, nil
}

func (s *Console) readExecutions(c *gin.Context, f rdb.ExecutionFilter) (rdb.ExecutionPage, error) {
	if s.historyOf(c) == nil {
		return rdb.ExecutionPage{}, noHistory(c)
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	runs, err := s.historyOf(c).Executions(ctx, f)
	if err != nil {
		return runs, historyProblem(err)
	}
	if looksOnly(c) {
		runs.Rows = maskedExecutions(runs.Rows)
	}
	return runs, nil
}

func (s *Console) readStatuses(c *gin.Context, f rdb.StatusFilter) (rdb.StatusPage, error) {
	if s.historyOf(c) == nil {
		return rdb.StatusPage{}, noHistory(c)
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	steps, err := s.historyOf(c).Statuses(ctx, f)
	if err != nil {
		return steps, historyProblem(err)
	}
	if looksOnly(c) {
		steps.Rows = slices.Clone(steps.Rows)
		for i := range steps.Rows {
			steps.Rows[i].Message = mask.Text(steps.Rows[i].Message)
		}
	}
	return steps, nil
}

// countExecutions counts up to [query.MostCounted].
func (s *Console) countExecutions(c *gin.Context, f rdb.ExecutionFilter) (n int, exact bool, err error) {
	if s.historyOf(c) == nil {
		return 0, false, noHistory(c)
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	if n, exact, err = s.historyOf(c).CountExecutions(ctx, f, query.MostCounted); err != nil {
		return 0, false, historyProblem(err)
	}
	return n, exact, nil
}

// countStatuses counts up to [query.MostCounted].
func (s *Console) countStatuses(c *gin.Context, f rdb.StatusFilter) (n int, exact bool, err error) {
	if s.historyOf(c) == nil {
		return 0, false, noHistory(c)
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	if n, exact, err = s.historyOf(c).CountStatuses(ctx, f, query.MostCounted); err != nil {
		return 0, false, historyProblem(err)
	}
	return n, exact, nil
}

// readLastRuns never fails a page that is about something else: it returns the
// problem to be shown as a notice.
func (s *Console) readLastRuns(c *gin.Context, jobs []string, perJob int) (map[string][]tracing.Execution, *problem) {
	if s.historyOf(c) == nil || len(jobs) == 0 {
		return nil, nil
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	runs, err := s.historyOf(c).LastRuns(ctx, jobs, perJob)
	if err != nil {
		return nil, historyProblem(err)
	}
	if looksOnly(c) {
		masked := make(map[string][]tracing.Execution, len(runs))
		for job, list := range runs {
			masked[job] = maskedExecutions(list)
		}
		runs = masked
	}
	return runs, nil
}

func historyProblem(err error) *problem {
	switch {
	case errors.Is(err, rdb.ErrInvalidCursor):
		return invalid("The place in the list that the address names does not exist.", "Start from the first page.")
	case errors.Is(err, rdb.ErrInvalidFilter):
		return invalid("The filter asks for something that cannot be.", err.Error())
	}
	return historyDown(err)
}

// readAudit reads a page of the audit.
func (s *Console) readAudit(c *gin.Context, f settings.AuditFilter) (settings.AuditPage, error) {
	if s.opts.Settings == nil {
		return settings.AuditPage{}, &problem{
			kind: kindUnavailable, code: "no_settings", message: "This console keeps its audit in the log only.",
			hint: "Look for lines with the message audit.",
		}
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	page, err := s.opts.Settings.Records(ctx, f)
	switch {
	case errors.Is(err, settings.ErrInvalidCursor):
		return page, invalid("The cursor is not one of this list.", "Start again without it.")
	case err != nil:
		return page, settingsDown(err)
	}
	return page, nil
}

func (s *Console) readStatistics(c *gin.Context, job string, interval rdb.Interval, from, to time.Time) ([]rdb.Point, error) {
	if s.historyOf(c) == nil {
		return nil, noHistory(c)
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	points, err := s.historyOf(c).Statistics(ctx, job, interval, from, to)
	if err != nil {
		return nil, historyProblem(err)
	}
	return points, nil
}
