package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	// queryPage is how many rows a page has, and queryDeep the page that is asked
	// for besides the first.
	queryPage = 50
	queryDeep = 1000
	// queryRounds is how often each page is read. The 95th per cent is the worst
	// but one.
	queryRounds = 20
	// queryTarget is what a query may take, in milliseconds.
	queryTarget = 100
)

// queryParts are the parts of group query: executions with their steps, and requested runs.
var queryParts = []string{"executions", "requested"}

// query measures every question of the console to a long history.
func query(ctx context.Context, b *bench, _ kind) (figures []figure, err error) {
	if b.wants("query", "executions") {
		if figures, err = queryExecutions(ctx, b); err != nil {
			return nil, err
		}
	}
	if b.wants("query", "requested") {
		list, err := queryRequested(ctx)
		if err != nil {
			return nil, fmt.Errorf("requested runs: %w", err)
		}
		figures = append(figures, list...)
	}
	return figures, nil
}

// queryExecutions measures the questions about executions.
func queryExecutions(ctx context.Context, b *bench) (figures []figure, err error) {
	maria, err := storetest.LaunchMariaDB("--innodb-buffer-pool-size=2G", "--innodb-log-file-size=1G")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, maria.End()) }()
	dir, err := os.MkdirTemp("", "bench-query-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := maria.Create("history"); err != nil {
		return nil, err
	}
	histories := []*history{
		{name: "mariadb", dsn: maria.DSN("history") + "?readTimeout=30m&writeTimeout=30m"}, {name: "sqlite", dsn: "sqlite://" + filepath.Join(dir, "history.db")},
	}
	defer func() {
		for _, h := range histories {
			err = errors.Join(err, h.close())
		}
	}()
	filling, together := errgroup.WithContext(ctx)
	for _, h := range histories {
		filling.Go(func() error { return h.fill(together, b.rows) })
	}
	if err := filling.Wait(); err != nil {
		return nil, err
	}
	for _, h := range histories {
		more, err := h.queries(ctx, b.rows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.name, err)
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// history is a database full of trace rows.
type history struct {
	name, dsn string
	db        *store.DB
	took      time.Duration // to fill it
}

// fill makes the rows up.
func (h *history) fill(ctx context.Context, rows int) (err error) {
	if h.db, err = store.Open(ctx, h.dsn, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	began := time.Now()
	if err := storetest.FillHistory(ctx, h.db, rows); err != nil {
		return fmt.Errorf("%s: %w", h.name, err)
	}
	h.took = time.Since(began)
	return nil
}

func (h *history) close() error {
	if h.db == nil {
		return nil
	}
	return h.db.Close()
}

// queries measures one database, alone.
func (h *history) queries(ctx context.Context, rows int) (figures []figure, err error) {
	name, db := h.name, h.db
	figures = append(figures, figure{
		name: "query-fill-" + name, unit: "s", values: []float64{h.took.Seconds()}, target: 1800,
		how: fmt.Sprintf("%d executions and a tenth as many steps made up inside the database and indexed, both databases at the same time", rows),
	})
	reader := rdb.NewStore(db.Database)
	measure := func(what, how string, ask func() error) error {
		var took []float64
		for range queryRounds {
			began := time.Now()
			if err := ask(); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			took = append(took, float64(time.Since(began))/float64(time.Millisecond))
		}
		figures = append(figures, figure{name: "query-" + what + "-" + name, unit: "ms", values: []float64{percentile(took, 95)}, target: queryTarget, how: how})
		return nil
	}
	for _, q := range questions() {
		f := q.filter
		f.Limit = queryPage
		if err := measure(q.name, "p95 of page 1", func() error { _, err := reader.Executions(ctx, f); return err }); err != nil {
			return nil, err
		}
		if f.Cursor, err = deep(ctx, reader, f); err != nil {
			return nil, fmt.Errorf("%s: %w", q.name, err)
		}
		if f.Cursor != "" {
			err := measure(q.name+"-deep", fmt.Sprintf("p95 of page %d", queryDeep), func() error { _, err := reader.Executions(ctx, f); return err })
			if err != nil {
				return nil, err
			}
		}
		f.Cursor = ""
		err := measure(q.name+"-count", "p95 of the total, up to 10,000", func() error { _, _, err := reader.CountExecutions(ctx, f, 10_000); return err })
		if err != nil {
			return nil, err
		}
	}
	for what, ask := range otherQuestions(ctx, reader, rows) {
		if err := measure(what, "p95", ask); err != nil {
			return nil, err
		}
	}
	return figures, nil
}

// otherQuestions are those of the pages that are no list of executions.
func otherQuestions(ctx context.Context, reader *rdb.Store, rows int) map[string]func() error {
	var jobs []string
	for i := range queryPage {
		jobs = append(jobs, fmt.Sprintf("job-%03d", i))
	}
	return map[string]func() error{
		"steps": func() error { _, err := reader.Statuses(ctx, rdb.StatusFilter{Limit: queryPage}); return err },
		"steps-of-job": func() error {
			_, err := reader.Statuses(ctx, rdb.StatusFilter{JobName: "job-007", Limit: queryPage})
			return err
		},
		"steps-killed": func() error {
			_, err := reader.Statuses(ctx, rdb.StatusFilter{State: "TASK_KILLED", Limit: queryPage})
			return err
		},
		"strips":        func() error { _, err := reader.LastRuns(ctx, jobs, 60); return err },
		"suggest-jobs":  func() error { _, err := reader.Suggest(ctx, rdb.SuggestJobs, "job-0"); return err },
		"suggest-ips":   func() error { _, err := reader.Suggest(ctx, rdb.SuggestIPs, "10."); return err },
		"one-execution": func() error { _, err := reader.Execution(ctx, fmt.Sprintf("0198f3c2-%027d", rows/3)); return err },
	}
}

// question is a list that the console can be asked for.
type question struct {
	name   string
	filter rdb.ExecutionFilter
}

func questions() []question {
	day, item := storetest.HistoryEnd.AddDate(0, 0, -1), 3
	list := []question{
		{"day", rdb.ExecutionFilter{From: day}}, {"job", rdb.ExecutionFilter{JobName: "job-007"}}, {"busy-job", rdb.ExecutionFilter{JobName: "job-000"}},
		{"server", rdb.ExecutionFilter{IP: "10.0.0.7"}}, {"task", rdb.ExecutionFilter{TaskID: "job-000@-@0,1,2@-@READY@-@10.0.0.1@-@77_3000"}},
		{"item", rdb.ExecutionFilter{JobName: "job-000", Item: &item}}, {"any-item", rdb.ExecutionFilter{Item: &item}},
		{"running", rdb.ExecutionFilter{State: rdb.RunRunning}}, {"lost", rdb.ExecutionFilter{State: rdb.RunLost}},
		{"failed", rdb.ExecutionFilter{State: rdb.RunFailed}}, {"succeeded", rdb.ExecutionFilter{State: rdb.RunSuccess}},
		{"prefix", rdb.ExecutionFilter{JobPrefix: "job-01"}}, {"text", rdb.ExecutionFilter{FailureText: "Timed out"}}, {"no-text", rdb.ExecutionFilter{FailureText: "no such text"}},
		{"slow", rdb.ExecutionFilter{MinDuration: time.Hour}}, {"day-by-duration", rdb.ExecutionFilter{From: day, Sort: rdb.SortDuration}},
		{"job-by-duration", rdb.ExecutionFilter{JobName: "job-007", Sort: rdb.SortDuration}}, {"failed-by-server", rdb.ExecutionFilter{State: rdb.RunFailed, Sort: rdb.SortIP}},
	}
	for _, sort := range []rdb.SortKey{rdb.SortStart, rdb.SortComplete, rdb.SortDuration, rdb.SortJob, rdb.SortIP} {
		list = append(list, question{"by-" + string(sort), rdb.ExecutionFilter{Sort: sort}}, question{"by-" + string(sort) + "-up", rdb.ExecutionFilter{Sort: sort, Ascending: true}})
	}
	return list
}

// deep is the cursor of page [queryDeep], "" if the list ends before. It is
// reached in greater strides, and given up where a filter finds nothing.
func deep(ctx context.Context, reader *rdb.Store, f rdb.ExecutionFilter) (string, error) {
	f.Cursor = ""
	for left, turns := (queryDeep-1)*queryPage, 0; left > 0 && turns < 200; turns++ {
		f.Limit = min(left, rdb.MaxLimit)
		page, err := reader.Executions(ctx, f)
		if err != nil || page.NextCursor == "" {
			return "", err
		}
		left -= len(page.Rows)
		f.Cursor = page.NextCursor
	}
	return f.Cursor, nil
}
