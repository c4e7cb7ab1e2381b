package console

import (
	"cmp"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// The history calls an execution running until its shard begins again. The events of the instances
// show earlier that it's lost, so what's read from the history goes through these functions.

// absent returns the instances that were lost, if the history has their executions.
func (s *Console) absent(c *gin.Context) members.Absent {
	if log := s.Members(c); log != nil && s.HistoryOf(c) == s.opts.History {
		return log.Absent()
	}
	return nil
}

// markLost marks executions that ended with their instance, and returns how many there are.
func markLost(absent members.Absent, rows []tracing.Execution) (n int) {
	for i := range rows {
		if absent.Ended(&rows[i]) {
			rows[i].Lost = true
			n++
		}
	}
	return n
}

func markLostRuns(absent members.Absent, runs []rdb.Run) []rdb.Run {
	for i, r := range runs {
		if r.Running > 0 && markLost(absent, r.Executions) > 0 {
			runs[i] = rdb.GroupRuns(r.Executions)[0]
			runs[i].Truncated = r.Truncated
		}
	}
	return runs
}

func runState(r rdb.Run) rdb.RunState { return r.State }

// readWithLost reads a page of rows in a state. The first page also has the rows that are in this
// state by the events, and running by the history.
func readWithLost[T any](absent members.Absent, state rdb.RunState, cursor string, limit int, stateOf func(T) rdb.RunState,
	read func(state rdb.RunState, limit int) ([]T, string, error)) (rows []T, next string, err error) {
	other := func(row T) bool { return state != rdb.RunAny && stateOf(row) != state }
	var early []T
	if (state == rdb.RunLost || state == rdb.RunFailed) && cursor == "" && len(absent) > 0 {
		limit = cmp.Or(max(limit, 0), rdb.DefaultLimit)
		if early, _, err = read(rdb.RunRunning, rdb.MaxLimit); err != nil {
			return nil, "", err
		}
		early = slices.DeleteFunc(early, other)
		early = early[:min(len(early), limit-1)]
	}
	rows, next, err = read(state, limit-len(early))
	return append(early, slices.DeleteFunc(rows, other)...), next, err
}

// moveLost corrects a summary by the runs of its filter that the history calls running, as they are
// by the events.
func moveLost(sum *rdb.Summary, filter rdb.RunState, running []rdb.Run) {
	count := func(r rdb.Run, state rdb.RunState, by int) {
		if filter != rdb.RunAny && filter != state {
			return
		}
		sum.Runs += by
		addTo(&sum.States, by, string(state))
		addTo(&sum.Jobs, by, r.JobName)
		addTo(&sum.Triggers, by, string(r.Trigger))
		addTo(&sum.Instances, by, r.IPs...)
	}
	for _, r := range running {
		if r.State != rdb.RunRunning {
			count(r, r.State, 1)
			count(r, rdb.RunRunning, -1)
		}
	}
}

func addTo(facet *[]rdb.FacetCount, by int, values ...string) {
	list := slices.Clone(*facet)
	for _, value := range values {
		i := slices.IndexFunc(list, func(f rdb.FacetCount) bool { return f.Value == value })
		if i < 0 && value != "" {
			i, list = len(list), append(list, rdb.FacetCount{Value: value, Label: value})
		}
		if i >= 0 {
			list[i].Count += by
		}
	}
	*facet = slices.DeleteFunc(list, func(f rdb.FacetCount) bool { return f.Count <= 0 })
}
