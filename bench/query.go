package main

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	queryPage   = 50   // rows
	queryDeep   = 1000 // the page to read after the first
	queryRounds = 20   // of each query, so the 95th percentile is the second worst
	queryLimit  = 100  // milliseconds
)

// queryParts measures executions with their steps, and requested runs.
var queryParts = []part[*bench]{{"executions", queryExecutions}, {"requested", queryRequested}}

// query measures the queries that the console sends about a long history.
func query(b *bench) { measureParts(b, b, queryParts) }

// timed adds the figure of a query.
func (b *bench) timed(name, how string, ask func() error) {
	var took []float64
	for range queryRounds {
		began := time.Now()
		if err := ask(); err != nil {
			fail("%s: %w", name, err)
		}
		took = append(took, millis(time.Since(began)))
	}
	b.atMost("query-"+name, "ms", queryLimit, "p95 of "+how, percentile(took, 95))
}

// queryExecutions queries MariaDB and SQLite.
func queryExecutions(b *bench) {
	maria := must(storetest.LaunchMariaDB("--innodb-buffer-pool-size=2G", "--innodb-log-file-size=1G"))
	defer closing(maria.End)
	check(maria.Create("history"))
	dir, remove := tempFolder()
	defer closing(remove)
	names := []string{"mariadb", "sqlite"}
	dsns := []string{maria.DSN("history") + "?readTimeout=30m&writeTimeout=30m", "sqlite://" + filepath.Join(dir, "history.db")}
	databases, filled := make([]*store.DB, 2), make([]time.Duration, 2)
	for i, dsn := range dsns {
		databases[i] = must(store.Open(b, dsn, slog.New(slog.DiscardHandler)))
		defer closing(databases[i].Close)
	}
	together(2, 2, func(i int) {
		began := time.Now()
		check(storetest.FillHistory(b, databases[i], b.rows))
		filled[i] = time.Since(began)
	})
	for i, name := range names { // One after the other.
		b.atMost("query-fill-"+name, "s", 1800, fmt.Sprintf("%d executions and a tenth as many steps made inside the database and indexed, both databases at the same time", b.rows), filled[i].Seconds())
		reader := rdb.NewStore(databases[i].Database)
		for _, q := range executionQueries() {
			b.executionList(reader, q.name, name, q.filter)
		}
		b.otherQueries(reader, name)
	}
}

// executionList reads the first page of a list, page 1000 and the total.
func (b *bench) executionList(reader *rdb.Store, name, database string, f rdb.ExecutionFilter) {
	f.Limit = queryPage
	list := func() error { _, err := reader.Executions(b, f); return err }
	b.timed(name+"-"+database, "page 1", list)
	// Page 1000 is reached in longer steps. Some lists end before, or have nearly no rows.
	for left, steps := (queryDeep-1)*queryPage, 0; left > 0; steps++ {
		f.Limit = min(left, rdb.MaxLimit)
		page := must(reader.Executions(b, f))
		left, f.Cursor = left-len(page.Rows), page.NextCursor
		if f.Cursor == "" || steps == 200 {
			break
		}
	}
	f.Limit = queryPage
	if f.Cursor != "" {
		b.timed(name+"-deep-"+database, fmt.Sprintf("page %d", queryDeep), list)
	}
	f.Cursor = ""
	b.timed(name+"-count-"+database, "the total, up to 10,000", func() error { _, _, err := reader.CountExecutions(b, f, 10_000); return err })
}

// executionQuery is a list that the console can show.
type executionQuery struct {
	name   string
	filter rdb.ExecutionFilter
}

func executionQueries() []executionQuery {
	day, item := storetest.HistoryEnd.AddDate(0, 0, -1), 3
	list := []executionQuery{
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
		list = append(list, executionQuery{"by-" + string(sort), rdb.ExecutionFilter{Sort: sort}}, executionQuery{"by-" + string(sort) + "-up", rdb.ExecutionFilter{Sort: sort, Ascending: true}})
	}
	return list
}

// otherQueries sends the queries that aren't lists of executions.
func (b *bench) otherQueries(reader *rdb.Store, database string) {
	var jobs []string
	for i := range queryPage {
		jobs = append(jobs, fmt.Sprintf("job-%03d", i))
	}
	steps := func(f rdb.StatusFilter) func() error {
		f.Limit = queryPage
		return func() error { _, err := reader.Statuses(b, f); return err }
	}
	suggest := func(field rdb.Suggestion, prefix string) func() error {
		return func() error { _, err := reader.Suggest(b, field, prefix); return err }
	}
	for _, q := range []struct {
		name string
		ask  func() error
	}{
		{"one-execution", func() error { _, err := reader.Execution(b, fmt.Sprintf("0198f3c2-%027d", b.rows/3)); return err }},
		{"steps", steps(rdb.StatusFilter{})}, {"steps-of-job", steps(rdb.StatusFilter{JobName: "job-007"})}, {"steps-killed", steps(rdb.StatusFilter{State: "TASK_KILLED"})},
		{"strips", func() error { _, err := reader.LastRuns(b, jobs, 60); return err }},
		{"suggest-jobs", suggest(rdb.SuggestJobs, "job-0")}, {"suggest-ips", suggest(rdb.SuggestIPs, "10.")},
	} {
		b.timed(q.name+"-"+database, "20", q.ask)
	}
}

// requestedQueries are lists that the page of requested runs can show. The lists with few runs
// end before page 1000.
var requestedQueries = []struct {
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

// queryRequested queries a million requested runs, whatever ROWS is, because the goal names that
// number.
func queryRequested(b *bench) {
	const rows = 1_000_000
	maria := must(storetest.LaunchMariaDB("--innodb-buffer-pool-size=2G", "--innodb-log-file-size=1G", "--innodb-doublewrite=0", "--innodb-flush-log-at-trx-commit=0"))
	defer closing(maria.End)
	check(maria.Create("requested"))
	db := must(store.Open(b, maria.DSN("requested")+"?readTimeout=5m&writeTimeout=5m", slog.New(slog.DiscardHandler)))
	defer closing(db.Close)
	fillRequested(b, db, rows)
	reader := rdb.NewStore(db.Database)
	for _, q := range requestedQueries {
		q.filter.Limit = queryPage
		b.requestedPage(reader, q.name, q.filter, 1, q.few)
		if !q.few {
			b.requestedPage(reader, q.name+"-deep", q.filter, queryDeep, false)
		}
	}
}

// requestedPage reads a page a few times. Unless the list has few runs the page must be full.
func (b *bench) requestedPage(reader *rdb.Store, name string, f rdb.RequestedFilter, page int, few bool) {
	f.Cursor = b.requestedCursor(reader, f, page)
	b.timed("requested-"+name+"-mariadb", fmt.Sprintf("page %d of requested runs, as the page queries the database for the runs that are no longer in the registry", page), func() error {
		got, err := reader.RequestedRuns(b, f)
		if err == nil && !few && len(got.Runs) != f.Limit {
			err = fmt.Errorf("page %d has %d runs, not %d", page, len(got.Runs), f.Limit)
		}
		return err
	})
}

// requestedCursor returns the cursor of a page, which it reaches in longer steps.
func (b *bench) requestedCursor(reader *rdb.Store, f rdb.RequestedFilter, page int) string {
	step := f
	for left := (page - 1) * f.Limit; left > 0; {
		step.Limit = min(left, rdb.MaxLimit)
		got := must(reader.RequestedRuns(b, step))
		if got.Next == "" || len(got.Runs) == 0 {
			fail("page %d is %d runs after the end of the list", page, left)
		}
		left, step.Cursor = left-len(got.Runs), got.Next
	}
	return step.Cursor
}

// fillRequested makes requested runs inside a MariaDB: of 200 jobs, of which job-000 has every
// other run, on the days of [storetest.HistoryDays]; one in fifty has failed and one in a
// thousand was cancelled.
func fillRequested(b *bench, db *store.DB, rows int) {
	const chunk = 100_000
	check(db.Migrate(b))
	first, step := float64(storetest.HistoryEnd.Unix())-storetest.HistoryDays*24*3600, float64(storetest.HistoryDays*24*3600)/float64(rows)
	at := func(later string) string { return fmt.Sprintf("FROM_UNIXTIME(%f + n * %.9f + %s)", first, step, later) }
	for begin := 0; begin < rows; begin += chunk {
		check(db.WithContext(b).Exec("INSERT INTO JOB_RUN (id, job_name, state, state_rank, origin, origin_name, run_key, params, due_time, submitted_at, started_at, ended_at, " +
			"attempt, retries, losses, snoozes, items_ok, items_failed, items_skipped, error) " +
			"SELECT CONCAT('0193a5b0-', LPAD(n, 27, '0')), CONCAT('job-', LPAD(IF(n % 2 = 0, 0, n * 7919 % 200), 3, '0')), " +
			"IF(n % 50 = 7, 'failed', IF(n % 1000 = 8, 'cancelled', 'succeeded')), 9, IF(n % 10 = 3, 'page', 'code'), 'invoices', " +
			"IF(n % 5 = 0, CONCAT('key-', n), NULL), CONCAT('{\"text\":\"', REPEAT('x', 388), '\"}'), " +
			at("0") + ", " + at("0") + ", " + at("0.01") + ", " + at("0.01 + n % 4000 / 1000") + ", 1, 2, 0, 0, IF(n % 50 = 7, 0, 1), IF(n % 50 = 7, 1, 0), 0, " +
			fmt.Sprintf("IF(n %% 50 = 7, 'shard 0: connection refused', NULL) FROM (SELECT seq AS n FROM seq_%d_to_%d) s", begin, min(rows, begin+chunk)-1)).Error)
	}
	check(db.WithContext(b).Exec("ANALYZE TABLE JOB_RUN").Error)
}
