package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	// requestedRows is how many requested runs there are, whatever -rows says: the goal
	// names that number.
	requestedRows  = 1_000_000
	requestedChunk = 100_000 // rows of one statement
	// requestedWithin is what filling may take.
	requestedWithin = 5 * time.Minute
)

// requestedQuestions are lists that the page of requested runs can be asked for. Those of
// few runs end before page queryDeep, and may be looked for in vain.
var requestedQuestions = []struct {
	name   string
	filter rdb.RequestedFilter
	few    bool
}{
	{"all", rdb.RequestedFilter{}, false},
	{"job", rdb.RequestedFilter{JobName: "job-000"}, false},
	{"succeeded", rdb.RequestedFilter{State: "succeeded"}, false},
	{"job-succeeded", rdb.RequestedFilter{JobName: "job-000", State: "succeeded"}, false},
	{"days", rdb.RequestedFilter{From: storetest.HistoryEnd.AddDate(0, 0, -20), To: storetest.HistoryEnd.AddDate(0, 0, -5)}, false},
	{"failed", rdb.RequestedFilter{State: "failed"}, true},
	{"job-cancelled", rdb.RequestedFilter{JobName: "job-000", State: "cancelled"}, true},
	{"origin", rdb.RequestedFilter{Origin: "page"}, true},
	{"job-key", rdb.RequestedFilter{JobName: "job-000", Key: "key-500000"}, true},
	{"no-key", rdb.RequestedFilter{Key: "no such key"}, true},
}

// queryRequested measures the questions of the page of requested runs to a million of them.
func queryRequested(ctx context.Context) (figures []figure, err error) {
	maria, err := storetest.LaunchMariaDB("--innodb-buffer-pool-size=2G", "--innodb-log-file-size=1G", "--innodb-doublewrite=0", "--innodb-flush-log-at-trx-commit=0")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, maria.End()) }()
	if err := maria.Create("requested"); err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, maria.DSN("requested")+"?readTimeout=5m&writeTimeout=5m", slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	filling, cancel := context.WithTimeoutCause(ctx, requestedWithin, fmt.Errorf("%d runs could not be made up within %v", requestedRows, requestedWithin))
	defer cancel()
	began := time.Now()
	if err := fillRequested(filling, db, requestedRows); err != nil {
		return nil, errors.Join(err, context.Cause(filling))
	}
	figures = append(figures, figure{
		name: "query-requested-fill-mariadb", unit: "s", values: []float64{time.Since(began).Seconds()}, reportOnly: true,
		how: fmt.Sprintf("%d requested runs made up inside the database, with their indexes", requestedRows),
	})
	reader := rdb.NewStore(db.Database)
	for _, q := range requestedQuestions {
		f := q.filter
		f.Limit = queryPage
		for _, page := range []int{1, queryDeep} {
			if q.few && page > 1 {
				continue
			}
			took, err := timedPages(ctx, reader, f, page, q.few)
			if err != nil {
				return nil, fmt.Errorf("%s, page %d: %w", q.name, page, err)
			}
			name := "query-requested-" + q.name
			if page > 1 {
				name += "-deep"
			}
			figures = append(figures, figure{
				name: name + "-mariadb", unit: "ms", values: []float64{percentile(took, 95)}, target: queryTarget,
				how: fmt.Sprintf("p95 of page %d of %d requested runs, as the page asks the database for those that the registry has no more", page, requestedRows),
			})
		}
	}
	return figures, nil
}

// timedPages reads a page a few times, and returns the milliseconds of each. Unless the
// list has few runs the page is full.
func timedPages(ctx context.Context, reader *rdb.Store, f rdb.RequestedFilter, page int, few bool) (took []float64, err error) {
	if f.Cursor, err = requestedCursor(ctx, reader, f, page); err != nil {
		return nil, err
	}
	for range queryRounds {
		began := time.Now()
		got, err := reader.RequestedRuns(ctx, f)
		if err != nil {
			return nil, err
		}
		took = append(took, millis(time.Since(began)))
		if !few && len(got.Runs) != f.Limit {
			return nil, fmt.Errorf("it has %d runs, not %d", len(got.Runs), f.Limit)
		}
	}
	return took, nil
}

// requestedCursor is the cursor of a page, which is reached in greater strides.
func requestedCursor(ctx context.Context, reader *rdb.Store, f rdb.RequestedFilter, page int) (string, error) {
	f.Cursor = ""
	for left := (page - 1) * f.Limit; left > 0; {
		stride := f
		stride.Limit = min(left, rdb.MaxLimit)
		got, err := reader.RequestedRuns(ctx, stride)
		if err != nil {
			return "", err
		}
		if got.Next == "" || len(got.Runs) == 0 {
			return "", fmt.Errorf("page %d is %d runs behind the end of the list", page, left)
		}
		left -= len(got.Runs)
		f.Cursor = got.Next
	}
	return f.Cursor, nil
}

// fillRequested makes requested runs up inside a MariaDB: of 200 jobs, of which job-000 has
// every other run, within the days of [storetest.HistoryDays]; one in fifty has failed and
// one in a thousand was cancelled.
func fillRequested(ctx context.Context, db *store.DB, rows int) error {
	if err := db.Migrate(ctx); err != nil {
		return err
	}
	for begin := 0; begin < rows; begin += requestedChunk {
		if err := db.WithContext(ctx).Exec(requestedInsert(rows, begin, min(rows, begin+requestedChunk))).Error; err != nil {
			return fmt.Errorf("runs from %d on: %w", begin, err)
		}
	}
	return db.WithContext(ctx).Exec("ANALYZE TABLE JOB_RUN").Error
}

// requestedInsert makes up the rows from begin on, before end.
func requestedInsert(rows, begin, end int) string {
	step := float64(storetest.HistoryDays*24*3600) / float64(rows)
	first := float64(storetest.HistoryEnd.Unix()) - storetest.HistoryDays*24*3600
	at := func(later string) string { return fmt.Sprintf("FROM_UNIXTIME(%f + n * %.9f + %s)", first, step, later) }
	return "INSERT INTO JOB_RUN (id, job_name, state, state_rank, origin, origin_name, run_key, params, due_time, submitted_at, started_at, ended_at, " +
		"attempt, retries, losses, snoozes, items_ok, items_failed, items_skipped, error) " +
		"SELECT CONCAT('0193a5b0-', LPAD(n, 27, '0')), CONCAT('job-', LPAD(IF(n % 2 = 0, 0, n * 7919 % 200), 3, '0')), " +
		"IF(n % 50 = 7, 'failed', IF(n % 1000 = 8, 'cancelled', 'succeeded')), 9, IF(n % 10 = 3, 'page', 'code'), 'invoices', " +
		"IF(n % 5 = 0, CONCAT('key-', n), NULL), CONCAT('{\"text\":\"', REPEAT('x', 388), '\"}'), " +
		at("0") + ", " + at("0") + ", " + at("0.01") + ", " + at("0.01 + n % 4000 / 1000") + ", 1, 2, 0, 0, IF(n % 50 = 7, 0, 1), IF(n % 50 = 7, 1, 0), 0, " +
		fmt.Sprintf("IF(n %% 50 = 7, 'shard 0: connection refused', NULL) FROM (SELECT seq AS n FROM seq_%d_to_%d) s", begin, end-1)
}
