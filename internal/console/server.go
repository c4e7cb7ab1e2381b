package console

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// ReadServerJobs reads the jobs of a server, as the caller may see them.
func (s *Console) ReadServerJobs(c *gin.Context, ip string) ([]statistics.ServerJob, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	jobs, err := s.RegistryOf(c).Jobs.ServerJobs(ctx, ip)
	switch {
	case errors.Is(err, statistics.ErrServerNotFound):
		return nil, NoSuchServer(ip)
	case err != nil:
		return nil, s.RegistryDown(c, err)
	}
	if LooksOnly(c) {
		jobs = slices.Clone(jobs)
		for i := range jobs {
			jobs[i].Description = mask.Text(jobs[i].Description)
		}
	}
	return jobs, nil
}

// OneServer is a server with its jobs.
type OneServer struct {
	IP string
	// Jobs are those of the server, the worst first.
	Jobs []ServerJob
	// Instances are the ids of its live instances, sorted.
	Instances []string

	board Board
}

// Health says how one of its jobs is.
func (o OneServer) Health(j ServerJob) health.Health { return o.board.Of(*j.Whole) }

// ServerJob is a job as a server has it, and as a whole; neither is to be changed.
type ServerJob struct {
	*statistics.ServerJob
	Whole *statistics.Job
	State explain.State
}

// ReadServer reads the server that the address names.
func (s *Console) ReadServer(c *gin.Context) (OneServer, error) {
	ip, err := ServerIP(c)
	if err != nil {
		return OneServer{}, err
	}
	here, err := s.ReadServerJobs(c, ip)
	if err != nil {
		return OneServer{}, err
	}
	all, err := s.ReadJobs(c)
	if err != nil {
		return OneServer{}, err
	}
	server := OneServer{IP: ip, Jobs: make([]ServerJob, len(here)), board: s.ReadHealth(c, all)}
	wholes, states, ids := make([]*statistics.Job, len(here)), make([]explain.State, len(here)), make(map[string]bool)
	next := 0 // in all, after the job before
	for n, j := range here {
		if i := place(all, j.Name, next); i >= 0 {
			wholes[n], states[n], next = &all[i], server.board.States[i], i+1
		} else {
			wholes[n] = &statistics.Job{Name: j.Name, Status: statistics.StatusReading}
			states[n], _ = server.board.State(wholes[n], server.board.Digest(j.Name))
		}
		for _, id := range j.Instances {
			ids[id] = true
		}
	}
	for n, at := range worstFirst(states) {
		server.Jobs[at] = ServerJob{&here[n], wholes[n], states[n]}
	}
	server.Instances = slices.Sorted(maps.Keys(ids))
	return server, nil
}

// place is where a job is in a list by name, -1 if it is not there: at next, mostly.
func place(all []statistics.Job, name string, next int) int {
	if next < len(all) && all[next].Name == name {
		return next
	}
	if i, known := slices.BinarySearchFunc(all, name, func(a statistics.Job, name string) int { return strings.Compare(a.Name, name) }); known {
		return i
	}
	return slices.IndexFunc(all, func(a statistics.Job) bool { return a.Name == name })
}

// worstFirst is where each of these states goes in a list with the worst first, in which
// those that are alike stay in order. They are ten thousand, of few kinds.
func worstFirst(states []explain.State) (places []int) {
	next := make(map[int]int) // for each rank: how many there are, and then where the next one goes
	for _, state := range states {
		next[state.Rank()]++
	}
	at := 0
	for _, rank := range slices.Sorted(maps.Keys(next)) {
		next[rank], at = at, at+next[rank]
	}
	places = make([]int, len(states))
	for i, state := range states {
		rank := state.Rank()
		places[i] = next[rank]
		next[rank]++
	}
	return places
}

// mostLookUps is how many jobs a request reads at the same time.
const mostLookUps = 8

// LookUpAll reads several jobs; those that no longer exist are left out.
func (s *Console) LookUpAll(c *gin.Context, names []string) (map[string]statistics.JobDetail, error) {
	found := make([]*statistics.JobDetail, len(names))
	ctx, cancel := s.Reading(c)
	defer cancel()
	err := rethrow.Each(ctx, mostLookUps, len(names), func(_ context.Context, i int) error {
		job, err := s.LookUp(c, names[i])
		if err == nil {
			found[i] = &job
		} else if AsProblem(err).Kind == KindNotFound {
			return nil
		}
		return err
	})
	jobs := make(map[string]statistics.JobDetail, len(names))
	for i, job := range found {
		if job != nil {
			jobs[names[i]] = *job
		}
	}
	return jobs, err
}

// Bounds of what is read of the history of one server.
const (
	// MostServerRows is how many executions a window draws, the newest.
	MostServerRows = 1000
	// MostAt is how many runs are looked through for what ran at an instant.
	MostAt = 200
)

// RanOn reads the executions on a server that began within a window or went on at
// its begin, newest first; complete tells that these are all.
func (s *Console) RanOn(c *gin.Context, ip string, from, to time.Time) (rows []tracing.Execution, complete bool, err error) {
	page, err := s.ReadExecutions(c, rdb.ExecutionFilter{IP: ip, From: from, To: to, Limit: MostServerRows})
	if err != nil {
		return nil, false, err
	}
	before, all, err := s.RanAt(c, ip, from)
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

// RanAt reads the executions on a server that went on at an instant, newest first;
// complete tells that these are all.
func (s *Console) RanAt(c *gin.Context, ip string, at time.Time) (rows []tracing.Execution, complete bool, err error) {
	page, err := s.ReadRuns(c, rdb.RunFilter{IP: ip, From: at, To: at, Limit: MostAt})
	if err != nil {
		return nil, false, err
	}
	now := s.Now()
	for _, r := range page.Runs {
		for _, e := range r.Executions {
			if e.IP == ip && Overlaps(e, at, now) {
				rows = append(rows, e)
			}
		}
	}
	slices.SortFunc(rows, func(a, b tracing.Execution) int {
		return cmp.Or(b.StartTime.Compare(a.StartTime), strings.Compare(a.JobName, b.JobName), cmp.Compare(a.Item, b.Item))
	})
	return rows, page.NextCursor == "", nil
}

// Overlaps reports whether an execution went on at an instant. One that was lost
// counts from its start: nobody knows how long it went on.
func Overlaps(e tracing.Execution, at, now time.Time) bool {
	return !e.StartTime.After(at) && (e.Running() && !at.After(now) || !e.CompleteTime.IsZero() && !e.CompleteTime.Before(at))
}
