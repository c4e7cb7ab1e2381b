package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// ofJobs narrows a filter to the jobs whose label and name contain the given parts. If no job has them now,
// the jobs whose name begins with the part are meant, because they may have been removed. It's a problem if
// there are more jobs than a filter can have.
func (s *runs) ofJobs(c *gin.Context, f *rdb.RunFilter, label, name string) (problems query.Problems, err error) {
	if label == "" && name == "" {
		return nil, nil
	}
	list, err := s.ReadJobs(c)
	if err != nil {
		return nil, err
	}
	has := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	f.Jobs = []string{}
	for _, j := range list {
		if has(j.Label, label) && has(j.Name, name) {
			f.Jobs = append(f.Jobs, j.Name)
		}
	}
	switch n := len(f.Jobs); {
	case n == 0 && label == "" && f.JobName == "" && f.JobPrefix == "":
		f.JobPrefix, f.Jobs = name, nil
	case n > rdb.MaxJobs:
		f.Jobs = f.Jobs[:rdb.MaxJobs]
		problems = append(problems, func(l i18n.Lang) string {
			return l.AddressManyJobs(strconv.Itoa(n), strconv.Itoa(rdb.MaxJobs))
		})
	}
	return problems, nil
}

// oneRun is a run with its context.
type oneRun struct {
	rdb.Run
	before, after string           // the ids of the runs of the job before and after it; empty if there is none
	trail         []tracing.Status // the steps of its tasks, oldest first
}

// read reads the run in the address.
func (s *runs) read(c *gin.Context) (run oneRun, err error) {
	if run.Run, err = s.find(c); err != nil {
		return run, err
	}
	neighbours := func(ctx context.Context, h app.History) (before string, err error) {
		before, run.after, err = h.Neighbours(ctx, run.Run)
		return before, err
	}
	if run.before, err = app.ReadHistory(s.Console, c, neighbours); err != nil {
		return run, err
	}
	steps := func(f rdb.StatusFilter) (rdb.StatusPage, error) { return s.ReadStatuses(c, f) }
	run.trail, err = readTrail(run.Run, s.Now(), steps)
	if app.LooksOnly(c) {
		run.Run = app.MaskedRun(run.Run)
	}
	return run, err
}

// find reads the run in the address, without masking anything.
func (s *runs) find(c *gin.Context) (rdb.Run, error) {
	job, err := app.JobName(c)
	if err != nil {
		return rdb.Run{}, err
	}
	id, err := url.PathUnescape(c.Param("run"))
	if err != nil {
		return rdb.Run{}, app.MalformedAs(i18n.Lang.ProblemEscapedRun, i18n.Lang.ProblemEscapedHint)
	}
	run, err := app.ReadHistory(s.Console, c, func(ctx context.Context, h app.History) (rdb.Run, error) {
		return h.Run(ctx, job, id)
	})
	if errors.Is(err, rdb.ErrNotFound) {
		p := app.NotFound("", "").Said(func(l i18n.Lang) (string, string) {
			job, id := strconv.Quote(view.Clip(job, 100)), strconv.Quote(view.Clip(id, 60))
			return l.ProblemNoRun(job, id), l.ProblemNoRunHint()
		})
		p.GoTo, p.GoToLabel = app.JobPath("/jobs", job), i18n.Lang.ProblemBackToJob
		return run, p
	}
	return run, err
}

// mostTasks bounds the tasks whose steps are read for a run. Each instance has one task.
const mostTasks = 50

// readTrail reads the steps of a run's tasks, oldest first. Java agents use a task id for all runs of an
// assignment, so only the steps at the time of the run belong to it. In Go each run has its own task ids, and its
// first steps may be older than its first execution.
func readTrail(
	r rdb.Run, now time.Time, read func(rdb.StatusFilter) (rdb.StatusPage, error),
) (trail []tracing.Status, err error) {
	from, to := r.Start.Add(-time.Second), r.End.Add(time.Second)
	if r.End.IsZero() {
		to = now.Add(time.Minute)
	}
	seen := map[string]bool{}
	for _, e := range r.Executions {
		if seen[e.TaskID] || e.TaskID == "" || len(seen) == mostTasks {
			continue
		}
		seen[e.TaskID] = true
		f := rdb.StatusFilter{TaskID: e.TaskID, JobName: r.JobName, Limit: 200}
		if task, err := jobtree.ParseTaskID(e.TaskID); err != nil || task.Turn == "" {
			f.From, f.To = from, to
		}
		page, err := read(f)
		if err != nil {
			return nil, err
		}
		trail = append(trail, page.Rows...)
	}
	slices.Reverse(trail) // because the later of two steps at one instant was read first
	slices.SortStableFunc(trail, func(a, b tracing.Status) int { return a.CreationTime.Compare(b.CreationTime) })
	return trail, nil
}

// summarize reads the facets and durations of the runs of a filter. They may be some seconds old.
func (s *runs) summarize(c *gin.Context, f rdb.RunFilter) (rdb.Summary, error) {
	f.Cursor, f.Limit = "", 0 // because it's about all of them
	sum, err := sharedOf(s, c, &s.summaries, []any{f}, func(ctx context.Context, h app.History) (rdb.Summary, error) {
		return h.Summarize(ctx, f, s.Now())
	})
	if app.LooksOnly(c) {
		sum.Causes = slices.Clone(sum.Causes)
		for i := range sum.Causes {
			sum.Causes[i].Label, sum.Causes[i].Value = mask.Text(sum.Causes[i].Label), mask.Text(sum.Causes[i].Value)
		}
	}
	return sum, err
}

// histogram reads when the executions of a filter began. It may be some seconds old.
func (s *runs) histogram(c *gin.Context, f rdb.RunFilter, from, to time.Time) ([]rdb.Bucket, error) {
	f.Cursor, f.Limit = "", 0
	read := func(ctx context.Context, h app.History) ([]rdb.Bucket, error) {
		return h.Histogram(ctx, f, from, to, overTime)
	}
	return sharedOf(s, c, &s.histograms, []any{f, from, to}, read)
}

// sharedOf is [app.ReadHistory] for answers that several requests share.
func sharedOf[T any](
	s *runs, c *gin.Context, by *shared[T], asked []any, read func(context.Context, app.History) (T, error),
) (T, error) {
	return app.ReadHistory(s.Console, c, func(ctx context.Context, h app.History) (T, error) {
		if h != s.Options().History { // a data source that was entered
			return read(ctx, h)
		}
		question, err := json.Marshal(asked)
		if err != nil {
			panic(fmt.Sprintf("console: JSON of a filter: %v", err)) // our own plain structs
		}
		one := func(ctx context.Context) (T, error) { return read(ctx, h) }
		return by.of(ctx, s.Options().ReadTimeout, string(question), one)
	})
}
