package servers

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// server is a server with its jobs.
type server struct {
	ip string
	// jobs are the jobs of the server, the worst first.
	jobs []job
	// instances are the ids of its live instances, sorted.
	instances []string
	health    app.Board
}

// job is a job as a server has it, and as a whole. Both are shared, so they must not change.
type job struct {
	*statistics.ServerJob
	whole *statistics.Job
}

// readJobs reads the jobs of the server that the address names, as the caller may see them.
func (s servers) readJobs(c *gin.Context) ([]statistics.ServerJob, error) {
	ip, err := app.ServerIP(c)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	jobs, err := s.RegistryOf(c).Jobs.ServerJobs(ctx, ip)
	switch {
	case errors.Is(err, statistics.ErrServerNotFound):
		return nil, app.NoSuchServer(ip)
	case err != nil:
		return nil, s.RegistryDown(c, err)
	}
	if app.LooksOnly(c) {
		jobs = slices.Clone(jobs)
		for i := range jobs {
			jobs[i].Description = mask.Text(jobs[i].Description)
		}
	}
	return jobs, nil
}

// read reads the server that the address names.
func (s servers) read(c *gin.Context) (server, error) {
	here, err := s.readJobs(c)
	if err != nil {
		return server{}, err
	}
	all, err := s.ReadJobs(c)
	if err != nil {
		return server{}, err
	}
	known := make(map[string]int, len(all))
	for i := range all {
		known[all[i].Name] = i
	}
	ip, _ := app.ServerIP(c)
	srv := server{ip: ip, health: s.ReadHealth(c, all)}
	byRank, ids := make(map[int][]job), make(map[string]bool) // There are up to 10,000 jobs, of few ranks.
	for n := range here {
		j := job{&here[n], &statistics.Job{Name: here[n].Name, Status: statistics.StatusReading}}
		var state explain.State
		if i, ok := known[j.Name]; ok {
			j.whole, state = &all[i], srv.health.States[i]
		} else {
			state, _ = srv.health.State(j.whole, srv.health.Digest(j.Name))
		}
		byRank[state.Rank()] = append(byRank[state.Rank()], j)
		for _, id := range j.Instances {
			ids[id] = true
		}
	}
	for _, rank := range slices.Sorted(maps.Keys(byRank)) {
		srv.jobs = append(srv.jobs, byRank[rank]...)
	}
	srv.instances = slices.Sorted(maps.Keys(ids))
	return srv, nil
}

// mostLookUps is how many jobs a request reads at the same time.
const mostLookUps = 8

// lookUp reads several jobs. Jobs that no longer exist are left out.
func (s servers) lookUp(c *gin.Context, list []job) (map[string]statistics.JobDetail, error) {
	found := make([]*statistics.JobDetail, len(list))
	ctx, cancel := s.Reading(c)
	defer cancel()
	err := rethrow.Each(ctx, mostLookUps, len(list), func(_ context.Context, i int) error {
		detail, err := s.LookUp(c, list[i].Name)
		if err == nil {
			found[i] = &detail
		} else if app.AsProblem(err).Kind == app.KindNotFound {
			return nil
		}
		return err
	})
	details := make(map[string]statistics.JobDetail, len(list))
	for _, detail := range found {
		if detail != nil {
			details[detail.Name] = *detail
		}
	}
	return details, err
}

const (
	// mostRan is how many executions a window draws, the newest ones.
	mostRan = 1000
	// mostRunsAt is how many runs are searched for executions at an instant.
	mostRunsAt = 200
)

// ran reads the executions on a server that began within a window or were running at its begin, the
// newest first; complete means that there are no others.
func (s servers) ran(c *gin.Context, ip string, from, to time.Time) (rows []tracing.Execution, complete bool, err error) {
	page, err := s.ReadExecutions(c, rdb.ExecutionFilter{IP: ip, From: from, To: to, Limit: mostRan})
	if err != nil {
		return nil, false, err
	}
	before, all, err := s.ranAt(c, ip, from)
	if err != nil {
		return nil, false, err
	}
	for _, e := range before {
		if !slices.ContainsFunc(page.Rows, func(other tracing.Execution) bool { return other.ID == e.ID }) {
			page.Rows = append(page.Rows, e)
		}
	}
	return page.Rows, all && page.NextCursor == "", nil
}

// ranAt reads the executions on a server that were running at an instant, the newest first; complete
// means that there are no others. A lost execution counts only at its start, because its end isn't
// known.
func (s servers) ranAt(c *gin.Context, ip string, at time.Time) (rows []tracing.Execution, complete bool, err error) {
	page, err := s.ReadRuns(c, rdb.RunFilter{IP: ip, From: at, To: at, Limit: mostRunsAt})
	if err != nil {
		return nil, false, err
	}
	now := s.Now()
	for _, r := range page.Runs {
		for _, e := range r.Executions {
			goesOn := e.Running() && !at.After(now) || !e.CompleteTime.IsZero() && !e.CompleteTime.Before(at)
			if e.IP == ip && !e.StartTime.After(at) && goesOn {
				rows = append(rows, e)
			}
		}
	}
	slices.SortFunc(rows, func(a, b tracing.Execution) int {
		return cmp.Or(b.StartTime.Compare(a.StartTime), strings.Compare(a.JobName, b.JobName), cmp.Compare(a.Item, b.Item))
	})
	return rows, page.NextCursor == "", nil
}
