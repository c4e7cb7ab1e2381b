package consoletest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// fakeHistory is a trace database in memory. It filters by job and state only.
type fakeHistory struct {
	Mu      sync.Mutex
	Runs    []tracing.Execution // newest first
	Steps   []tracing.Status
	Err     error
	Filters []rdb.ExecutionFilter
	LastRun [][]string // the jobs of each LastRuns call
}

func (f *fakeHistory) Executions(_ context.Context, filter rdb.ExecutionFilter) (rdb.ExecutionPage, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Filters = append(f.Filters, filter)
	if f.Err != nil {
		return rdb.ExecutionPage{}, f.Err
	}
	var page rdb.ExecutionPage
	from := 0
	if filter.Cursor != "" {
		if _, err := fmt.Sscanf(filter.Cursor, "at-%d", &from); err != nil {
			return page, rdb.ErrInvalidCursor
		}
	}
	for i, r := range f.Runs {
		if i < from || filter.JobName != "" && r.JobName != filter.JobName || filter.State == rdb.RunFailed && (r.Success || r.Running()) {
			continue
		}
		if len(page.Rows) == filter.Limit {
			page.NextCursor = fmt.Sprintf("at-%d", i)
			break
		}
		page.Rows = append(page.Rows, r)
	}
	return page, nil
}

func (f *fakeHistory) Statuses(context.Context, rdb.StatusFilter) (rdb.StatusPage, error) {
	return rdb.StatusPage{Rows: f.Steps}, f.Err
}

func (f *fakeHistory) CountExecutions(ctx context.Context, filter rdb.ExecutionFilter, atMost int) (int, bool, error) {
	filter.Cursor, filter.Limit = "", atMost
	page, err := f.Executions(ctx, filter)
	return len(page.Rows), page.NextCursor == "", err
}

func (f *fakeHistory) CountStatuses(_ context.Context, _ rdb.StatusFilter, atMost int) (int, bool, error) {
	return min(len(f.Steps), atMost), len(f.Steps) < atMost, f.Err
}

func (f *fakeHistory) Suggest(_ context.Context, _ rdb.Suggestion, prefix string) ([]string, error) {
	names := []string{}
	for _, r := range f.Runs {
		if strings.HasPrefix(r.JobName, prefix) && !slices.Contains(names, r.JobName) {
			names = append(names, r.JobName)
		}
	}
	return names, f.Err
}

// Statistics makes up a day with a bad hour and one that nobody counted.
func (f *fakeHistory) Statistics(_ context.Context, job string, interval rdb.Interval, from, to time.Time) ([]rdb.Point, error) {
	if interval.Length() == 0 {
		return nil, rdb.ErrInvalidFilter
	}
	var points []rdb.Point
	for at, i := from.Truncate(interval.Length()), 0; !at.After(to); at, i = at.Add(interval.Length()), i+1 {
		p := rdb.Point{Time: at, Known: i != 7 && i != 8, Success: 120 + i%5*7}
		if i == 15 {
			p.Success, p.Failed = 40, 60
		}
		if !p.Known || job == "nothing" {
			p.Success, p.Failed = 0, 0
		}
		points = append(points, p)
	}
	return points, f.Err
}

func (f *fakeHistory) Results(_ context.Context, period string, now time.Time) (rdb.Results, error) {
	if period != "lastHour" {
		return rdb.Results{}, rdb.ErrInvalidFilter
	}
	return rdb.Results{Success: 100, Failed: 2, From: now.Add(-time.Hour), To: now}, f.Err
}

func (f *fakeHistory) LastRuns(_ context.Context, jobs []string, perJob int) (map[string][]tracing.Execution, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.LastRun = append(f.LastRun, jobs)
	if f.Err != nil {
		return nil, f.Err
	}
	found := make(map[string][]tracing.Execution)
	for _, r := range f.Runs {
		if slices.Contains(jobs, r.JobName) && len(found[r.JobName]) < perJob {
			found[r.JobName] = append(found[r.JobName], r)
		}
	}
	return found, nil
}
