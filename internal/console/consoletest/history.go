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

// fakeHistory is a trace database in memory. It filters by job, address, start, state
// and source only.
type fakeHistory struct {
	Mu         sync.Mutex
	Rows       []tracing.Execution // newest first
	Steps      []tracing.Status
	Err        error
	Filters    []rdb.ExecutionFilter
	LastRun    [][]string // the jobs of each LastRuns call
	RunFilters []rdb.RunFilter
	Lacking    []string
	*runRecord
}

// Write implements [tracing.Sink] for requested runs and their steps.
func (f *fakeHistory) Write(_ context.Context, events []tracing.Event) error {
	f.Mu.Lock()
	err := f.Err
	f.Mu.Unlock()
	if err != nil {
		return err
	}
	f.Change(func() {
		for _, e := range events {
			if e.Run != nil {
				f.OldRuns = append(f.OldRuns, *e.Run)
			}
			if e.Step != nil {
				f.RunStep = append(f.RunStep, *e.Step)
			}
		}
	})
	return nil
}

// Add has something have run, newer than what is there.
func (f *fakeHistory) Add(e tracing.Execution) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Rows = slices.Insert(slices.Clone(f.Rows), 0, e)
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
	for i, r := range f.Rows {
		if i < from || filter.JobName != "" && r.JobName != filter.JobName || filter.Jobs != nil && !slices.Contains(filter.Jobs, r.JobName) || filter.State != "" && rdb.StateOf(r) != filter.State ||
			filter.IP != "" && r.IP != filter.IP || !filter.From.IsZero() && r.StartTime.Before(filter.From) || !filter.To.IsZero() && r.StartTime.After(filter.To) {
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

func (f *fakeHistory) Statuses(_ context.Context, filter rdb.StatusFilter) (rdb.StatusPage, error) {
	return rdb.StatusPage{Rows: f.steps(filter)}, f.Err
}

// steps returns the steps of a source and a job.
func (f *fakeHistory) steps(filter rdb.StatusFilter) (list []tracing.Status) {
	for _, s := range f.Steps {
		if (filter.Source == "" || s.Source == filter.Source) && (filter.JobName == "" || s.JobName == filter.JobName) {
			list = append(list, s)
		}
	}
	return list
}

func (f *fakeHistory) CountExecutions(ctx context.Context, filter rdb.ExecutionFilter, atMost int) (int, bool, error) {
	filter.Cursor, filter.Limit = "", atMost
	page, err := f.Executions(ctx, filter)
	return len(page.Rows), page.NextCursor == "", err
}

func (f *fakeHistory) CountStatuses(_ context.Context, filter rdb.StatusFilter, atMost int) (int, bool, error) {
	n := len(f.steps(filter))
	return min(n, atMost), n < atMost, f.Err
}

func (f *fakeHistory) Suggest(_ context.Context, _ rdb.Suggestion, prefix string) ([]string, error) {
	names := []string{}
	for _, r := range f.Rows {
		if strings.HasPrefix(r.JobName, prefix) && !slices.Contains(names, r.JobName) {
			names = append(names, r.JobName)
		}
	}
	return names, f.Err
}

// CloudCounts makes up numbers that grow, and a bucket that nobody counted.
func (f *fakeHistory) CloudCounts(_ context.Context, interval rdb.Interval, from, to time.Time) ([]rdb.CloudCount, error) {
	if interval.Length() == 0 {
		return nil, rdb.ErrInvalidFilter
	}
	var counts []rdb.CloudCount
	for at, i := from.Truncate(interval.Length()), 0; !at.After(to); at, i = at.Add(interval.Length()), i+1 {
		if i == 1 {
			counts = append(counts, rdb.CloudCount{Time: at})
			continue
		}
		counts = append(counts, rdb.CloudCount{Time: at, TasksRunning: 3 * i, JobsRunning: i, JobsRegistered: 100 + i, Known: true})
	}
	return counts, f.Err
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
	for _, r := range f.Rows {
		if slices.Contains(jobs, r.JobName) && len(found[r.JobName]) < perJob {
			found[r.JobName] = append(found[r.JobName], r)
		}
	}
	return found, nil
}

// Runs groups what there is; it filters by job, state and time and has no cursor
// but of its own making.
func (f *fakeHistory) Runs(_ context.Context, filter rdb.RunFilter) (rdb.RunPage, error) {
	f.Mu.Lock()
	f.RunFilters = append(f.RunFilters, filter)
	f.Mu.Unlock()
	return f.runs(filter)
}

func (f *fakeHistory) runs(filter rdb.RunFilter) (rdb.RunPage, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	page := rdb.RunPage{}
	if f.Err != nil {
		return page, f.Err
	}
	from := 0
	if filter.Cursor != "" {
		if _, err := fmt.Sscanf(filter.Cursor, "at-%d", &from); err != nil {
			return page, rdb.ErrInvalidCursor
		}
	}
	for i, r := range rdb.GroupRuns(f.Rows) {
		if i < from || filter.JobName != "" && r.JobName != filter.JobName || filter.State != "" && r.State != filter.State ||
			!filter.From.IsZero() && !r.End.IsZero() && r.End.Before(filter.From) || !filter.To.IsZero() && r.Start.After(filter.To) {
			continue
		}
		if len(page.Runs) == filter.Limit {
			page.NextCursor = fmt.Sprintf("at-%d", i)
			break
		}
		page.Runs = append(page.Runs, r)
	}
	return page, nil
}

func (f *fakeHistory) Run(ctx context.Context, job, id string) (rdb.Run, error) {
	page, err := f.Runs(ctx, rdb.RunFilter{JobName: job, Limit: 1 << 30})
	if err != nil {
		return rdb.Run{}, err
	}
	for _, r := range page.Runs {
		if r.ID == id {
			return r, nil
		}
	}
	return rdb.Run{}, rdb.ErrNotFound
}

func (f *fakeHistory) Neighbours(ctx context.Context, of rdb.Run) (before, after string, err error) {
	page, err := f.Runs(ctx, rdb.RunFilter{JobName: of.JobName, Limit: 1 << 30})
	for i, r := range page.Runs {
		if r.ID == of.ID && i > 0 {
			after = page.Runs[i-1].ID
		}
		if r.ID == of.ID && i < len(page.Runs)-1 {
			before = page.Runs[i+1].ID
		}
	}
	return before, after, err
}

func (f *fakeHistory) Summarize(_ context.Context, filter rdb.RunFilter, _ time.Time) (rdb.Summary, error) {
	filter.Limit = 1 << 30
	page, err := f.runs(filter)
	sum := rdb.Summary{Runs: len(page.Runs), Complete: true, Took: rdb.Durations{Count: 100, P50: time.Second, P95: 42 * time.Second, P99: time.Minute},
		Before: rdb.Durations{Count: 100, P50: time.Second, P95: 4 * time.Second, P99: 5 * time.Second}}
	count := func(list *[]rdb.FacetCount, value, label string) {
		for i := range *list {
			if (*list)[i].Label == label {
				(*list)[i].Count++
				return
			}
		}
		*list = append(*list, rdb.FacetCount{Value: value, Label: label, Count: 1})
	}
	for i, r := range page.Runs {
		sum.Took.Bins[4+i%9], sum.Before.Bins[3+i%9] = sum.Took.Bins[4+i%9]+1, sum.Before.Bins[3+i%9]+1
		count(&sum.States, string(r.State), string(r.State))
		count(&sum.Jobs, r.JobName, r.JobName)
		if r.Cause != "" {
			label, value := rdb.CauseOf(r.Cause)
			count(&sum.Causes, value, label)
		}
		for _, ip := range r.IPs {
			count(&sum.Instances, ip, ip)
		}
	}
	return sum, err
}

func (f *fakeHistory) Histogram(_ context.Context, filter rdb.RunFilter, from, to time.Time, buckets int) ([]rdb.Bucket, error) {
	filter.Limit, filter.From, filter.To = 1<<30, time.Time{}, time.Time{}
	page, err := f.runs(filter)
	list := make([]rdb.Bucket, buckets)
	width := to.Sub(from) / time.Duration(buckets)
	for i := range list {
		list[i].From, list[i].To = from.Add(time.Duration(i)*width), from.Add(time.Duration(i+1)*width)
		for _, r := range page.Runs {
			if !r.Start.Before(list[i].From) && r.Start.Before(list[i].To) {
				list[i].Began++
				if r.State == rdb.RunFailed {
					list[i].Failed++
				}
			}
		}
	}
	return list, err
}

func (f *fakeHistory) Lacks(context.Context) ([]string, error) { return f.Lacking, f.Err }

func (f *fakeHistory) Describe(context.Context) (rdb.Description, error) {
	return rdb.Description{Dialect: "sqlite", Lacks: f.Lacking, Executions: len(f.Rows), Exact: true}, f.Err
}

// TheRun is a run for its page: seven shards, of which two failed
// after three attempts each, and two were lost with their instance and ran again
// elsewhere.
func TheRun() (rows []tracing.Execution, steps []tracing.Status) {
	fire := Noon.Add(-10 * time.Minute).Truncate(time.Minute)
	add := func(item, attempt int, ip string, after, took float64, cause string) {
		e := tracing.Execution{ID: fmt.Sprintf("x-%d-%d", item, len(rows)), JobName: "invoices", Item: item, IP: ip, Hostname: "worker-" + ip[len(ip)-2:], RunID: fmt.Sprintf("F%d", fire.UnixMilli()),
			Attempt: attempt, Trigger: tracing.TriggerSchedule, ScheduledAt: fire, Source: tracing.SourceNormal, TaskID: "invoices@-@0,1,2@-@READY@-@" + ip + "@-@77",
			StartTime: fire.Add(time.Duration(after*1000) * time.Millisecond)}
		if attempt == 1 && after > 1 {
			e.Trigger, e.Source = tracing.TriggerFailover, tracing.SourceFailover
		}
		if e.Lost = took == 0; !e.Lost {
			e.CompleteTime, e.FailureCause, e.Success = e.StartTime.Add(time.Duration(took*1000)*time.Millisecond), cause, cause == ""
		}
		rows = append(rows, e)
	}
	const mail = "POST https://mail.internal/v2/send: 503 Service Unavailable\n{\"error\":\"upstream unavailable\"}"
	add(5, 1, "10.0.3.22", 0.2, 0, "")
	add(5, 1, "10.0.4.11", 78, 40.1, mail)
	add(5, 2, "10.0.4.11", 128, 32, mail)
	add(5, 3, "10.0.4.11", 180, 23, mail)
	add(4, 1, "10.0.3.22", 0.2, 0, "")
	add(4, 1, "10.0.3.23", 121, 64, "")
	add(2, 1, "10.0.3.23", 0.2, 31, mail)
	add(2, 2, "10.0.3.23", 41, 29, mail)
	add(2, 3, "10.0.3.23", 90, 31, mail)
	add(3, 1, "10.0.3.23", 0.3, 88, "")
	add(1, 1, "10.0.4.11", 0.2, 71, "")
	add(0, 1, "10.0.4.11", 0.2, 64, "")
	add(6, 1, "10.0.3.21", 0.3, 59.1, "")
	for i, state := range []tracing.State{tracing.StateStaging, tracing.StateRunning, tracing.StateError} {
		steps = append([]tracing.Status{{ID: fmt.Sprint(i), JobName: "invoices", TaskID: rows[0].TaskID, SlaveID: "10.0.4.11", State: state, CreationTime: fire.Add(time.Duration(i) * time.Second), Message: fmt.Sprintf("step %d", i)}}, steps...)
	}
	return rows, steps
}
