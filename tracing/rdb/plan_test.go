package rdb

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

type statements struct {
	logger.Interface
	list *[]string
}

func (s statements) Trace(_ context.Context, _ time.Time, statement func() (string, int64), _ error) {
	sql, _ := statement()
	*s.list = append(*s.list, sql)
}

// recorded returns the statements that a store runs for ask.
func recorded(t *testing.T, db *store.DB, ask func(*Store) error) []string {
	t.Helper()
	var list []string
	reader := NewStore(database.With(db.Database, db.Session(&gorm.Session{Logger: statements{logger.Discard, &list}})))
	if _, err := reader.prober.shape(t.Context(), db.DB); err != nil { // excludes the probe's own statements
		t.Fatal(err)
	}
	list = nil
	if err := ask(reader); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPlans checks the plans of all engines for the console's queries, on a table that is large
// enough for indexes to be worthwhile. No statement may read a whole table or sort, except for the
// few rows of a small set.
func TestPlans(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		rows := 6_000 // so that values of most rows exceed the limit of a query
		if db.Dialect == store.Postgres {
			rows = 20_000 // PostgreSQL rightly reads and sorts a small table
		}
		fill(t, db, rows)
		form, err := probe(t.Context(), db.DB)
		if err != nil {
			t.Fatal(err)
		}
		if !form.source || !form.unique {
			t.Fatalf("%+v", form)
		}
		day, later, item := noon.Add(500*time.Second), noon.Add(1000*time.Second), 3
		q := planned{t, db}
		completed := "EXECUTION_COMPLETE_INDEX"
		if db.Dialect == store.MySQL {
			completed = "EXECUTION_UNFINISHED_INDEX"
		}
		q.inOrder(completed)
		q.filters(day, later, item)
		q.ofSteps()
		q.ofPages()
		q.ofRuns(day, later)
		q.ofRequests(day, later)
		q.ofPruning(noon)
	})
}

// planned checks the plans of a database.
type planned struct {
	t  *testing.T
	db *store.DB
}

// check requires an index for one of the statements, and no sorting unless sorts is set.
func (q planned) check(name string, sorts bool, index string, list []string) {
	t, db := q.t, q.db
	t.Helper()
	used := false
	for _, statement := range list {
		plan := explain(t, db, statement)
		for one := range strings.SplitSeq(index, "|") {
			used = used || strings.Contains(strings.ToUpper(plan), strings.ToUpper(one))
		}
		// PostgreSQL may choose how to count up to a limit, because it expects and sorts no more
		// rows than the limit.
		sorted := strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "filesort") || sortsMany(plan)
		if sorted && !sorts || scans(plan) {
			t.Errorf("%s: sorting %t:\n%s\n%s", name, sorts, statement, plan)
		}
	}
	if !used {
		t.Errorf("%s does not use %s:\n%s\n%s", name, index, strings.Join(list, "\n"), explain(t, db, list[len(list)-1]))
	}
}

// executions checks two pages of executions and their total.
func (q planned) executions(name string, f ExecutionFilter, index string, sorts bool) {
	t, db := q.t, q.db
	t.Helper()
	f.Limit = 20
	q.check(name, sorts, index, recorded(t, db, func(s *Store) error {
		first, err := s.Executions(t.Context(), f)
		if f.Cursor = first.NextCursor; err == nil && f.Cursor != "" {
			_, err = s.Executions(t.Context(), f)
		}
		return err
	}))
	q.check(name+", count", true, index+"|COVERING INDEX|INDEX", recorded(t, db, func(s *Store) error {
		_, _, err := s.CountExecutions(t.Context(), f, 1000)
		return err
	}))
}

// statuses checks two pages of steps.
func (q planned) statuses(name string, f StatusFilter, index string, sorts bool) {
	t, db := q.t, q.db
	t.Helper()
	f.Limit = 20
	q.check("statuses "+name, sorts, index, recorded(t, db, func(s *Store) error {
		first, err := s.Statuses(t.Context(), f)
		if f.Cursor = first.NextCursor; err == nil && f.Cursor != "" {
			_, err = s.Statuses(t.Context(), f)
		}
		return err
	}))
}

func (q planned) ofSteps() {
	q.statuses("newest", StatusFilter{}, "STATUS_CREATION_INDEX", false)
	q.statuses("of a state", StatusFilter{State: tracing.StateKilled}, "STATUS_CREATION_INDEX", false)
	q.statuses("of a job", StatusFilter{JobName: "job3"}, "STATUS_JOB_CREATION_INDEX", false)
	q.statuses("of a task", StatusFilter{TaskID: "task77"}, "TASK_ID_STATE_INDEX", true)
}

// ofRuns checks lists, summaries and histograms of runs. The rows of one run or one bucket may be sorted.
func (q planned) ofRuns(day, later time.Time) {
	t, db := q.t, q.db
	for name, of := range map[string]struct {
		filter RunFilter
		index  string
	}{
		"newest": {RunFilter{}, "EXECUTION_START_INDEX"}, "failed": {RunFilter{State: RunFailed}, "EXECUTION_RESULT_START_INDEX"},
		"of a job": {RunFilter{JobName: "job3"}, "EXECUTION_JOB_START_INDEX"}, "manual": {RunFilter{Trigger: tracing.TriggerManual}, "EXECUTION_TRIGGER_START_INDEX"},
		"overlapping": {RunFilter{From: day, To: later}, "EXECUTION_START_INDEX"}, "with a text": {RunFilter{FailureText: "boom"}, "EXECUTION_RESULT_START_INDEX"},
		"on a server": {RunFilter{IP: "10.0.0.3", From: day}, "EXECUTION_IP_START_INDEX"},
	} {
		of.filter.Limit = 20
		q.check("runs "+name, true, of.index, recorded(t, db, func(s *Store) error {
			first, err := s.Runs(t.Context(), of.filter)
			if of.filter.Cursor = first.NextCursor; err == nil && of.filter.Cursor != "" {
				_, err = s.Runs(t.Context(), of.filter)
			}
			return err
		}))
		q.check("histogram of runs "+name, true, of.index, recorded(t, db, func(s *Store) error {
			_, err := s.Histogram(t.Context(), of.filter, day, later, 10)
			return err
		}))
	}
	q.check("the rows of a run", true, "EXECUTION_RUN_INDEX", recorded(t, db, func(s *Store) error {
		run, err := s.Run(t.Context(), "job3", "F77")
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		_, _, err = s.Neighbours(t.Context(), run)
		return err
	}))
}

func (q planned) ofRequests(day, later time.Time) {
	t, db := q.t, q.db
	for name, of := range map[string]struct {
		filter RequestedFilter
		index  string
	}{
		"newest": {RequestedFilter{}, "RUN_SUBMITTED_INDEX"}, "of a time": {RequestedFilter{From: day, To: later}, "RUN_SUBMITTED_INDEX"},
		"of a job": {RequestedFilter{JobName: "job3"}, "RUN_JOB_SUBMITTED_INDEX"}, "of a state": {RequestedFilter{State: "failed"}, "RUN_STATE_SUBMITTED_INDEX"},
		"of a key": {RequestedFilter{JobName: "job0", Key: "key7"}, "RUN_KEY_INDEX"}, "of any job's key": {RequestedFilter{Key: "key7"}, "RUN_SUBMITTED_INDEX"},
		"of a job and state": {RequestedFilter{JobName: "job0", State: "failed"}, "RUN_JOB_SUBMITTED_INDEX|RUN_STATE_SUBMITTED_INDEX"},
		"from a page":        {RequestedFilter{Origin: "page"}, "RUN_SUBMITTED_INDEX"},
	} {
		of.filter.Limit = 20
		q.check("requested runs "+name, false, of.index, recorded(t, db, func(s *Store) error {
			first, err := s.RequestedRuns(t.Context(), of.filter)
			if of.filter.Cursor = first.Next; err == nil && of.filter.Cursor != "" {
				_, err = s.RequestedRuns(t.Context(), of.filter)
			}
			return err
		}))
	}
	q.check("a requested run", false, "PRIMARY|sqlite_autoindex|job_run_pkey", recorded(t, db, func(s *Store) error {
		_, err := s.RequestedRun(t.Context(), "job0", "id-00077")
		if errors.Is(err, ErrNoRun) {
			return nil
		}
		return err
	}))
	q.check("steps", true, "RUN_STEP_RUN_INDEX", recorded(t, db, func(s *Store) error { _, err := s.RunSteps(t.Context(), "job0", "id-00077"); return err }))
	q.check("progress", true, "RUN_PROGRESS_RUN_INDEX", recorded(t, db, func(s *Store) error { _, err := s.RunProgress(t.Context(), "job0", "id-00077"); return err }))
	q.check("logs", true, "RUN_LOG_RUN_INDEX", recorded(t, db, func(s *Store) error { _, err := s.RunLogs(t.Context(), "job0", "id-00000"); return err }))
	q.check("log", true, "RUN_LOG_RUN_INDEX", recorded(t, db, func(s *Store) error {
		_, err := s.RunLog(t.Context(), LogFilter{JobName: "job0", RunID: "id-00000", Attempt: 1})
		return err
	}))
	q.check("log of an execution", true, "PRIMARY|sqlite_autoindex|job_run_log_pkey|RUN_LOG_RUN_INDEX", recorded(t, db, func(s *Store) error {
		_, err := s.RunLog(t.Context(), LogFilter{JobName: "job0", RunID: "id-00000", Attempt: 1, Executions: []string{"x-0", "x-1"}})
		return err
	}))
	q.check("logs of executions", true, "optimized away|sqlite_autoindex|job_run_log_pkey", recorded(t, db, func(s *Store) error {
		_, err := s.ExecutionLogs(t.Context(), []tracing.Execution{{ID: "x-0"}, {ID: "x-1"}})
		return err
	}))
}

// ofPruning deletes rows that don't exist. A sweep must read each row before its limit once.
func (q planned) ofPruning(noon time.Time) {
	t, db := q.t, q.db
	list := recorded(t, db, func(s *Store) error {
		_, err := Prune(t.Context(), database.With(db.Database, s.db), Retention{Age: time.Hour, LogAge: time.Hour, Pause: -1}, noon)
		return err
	})
	for _, index := range []string{"RUN_SUBMITTED_INDEX", "RUN_STEP_AT_INDEX", "RUN_PROGRESS_UPDATED_INDEX", "RUN_LOG_AT_INDEX"} {
		used := false
		for _, statement := range list {
			if strings.Contains(statement, "ORDER BY") && strings.Contains(statement, "JOB_RUN") {
				plan := explain(t, db, statement)
				used = used || strings.Contains(strings.ToUpper(plan), index)
				if scans(plan) || strings.Contains(plan, "filesort") || strings.Contains(plan, "TEMP B-TREE") {
					t.Errorf("pruning:\n%s\n%s", statement, plan)
				}
			}
		}
		if !used {
			t.Errorf("pruning does not use %s:\n%s", index, strings.Join(list, "\n"))
		}
	}
}

func fillRequests(t *testing.T, db *store.DB, n int) {
	t.Helper()
	var list []tracing.Event
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for i := range n {
		at, id, job := noon.Add(time.Duration(i)*time.Second), fmt.Sprintf("id-%05d", i), fmt.Sprintf("job%d", i%20)
		if i%4 != 3 {
			job = "job0"
		}
		state := []jobrun.State{"succeeded", "succeeded", "succeeded", "failed"}[i/3%4]
		execution := fmt.Sprintf("x-%d", i)
		list = append(list,
			tracing.Event{Run: &tracing.RunRecord{ID: id, JobName: job, State: state, Origin: []string{"api", "page"}[i%2], Key: fmt.Sprintf("key%d", i%50), Submitted: at, Ended: at.Add(time.Minute), Attempt: 1}},
			tracing.Event{Step: &tracing.RunStep{ID: id, RunID: id, JobName: job, State: state, At: at}},
			tracing.Event{Log: &tracing.LogLine{ExecutionID: execution, Seq: 1, RunID: id, JobName: job, Attempt: 1, At: at, Level: "INFO", Message: "line"}},
			tracing.Event{Progress: &tracing.Progress{ExecutionID: execution, RunID: id, JobName: job, Attempt: 1, At: at}})
	}
	for seq := range 1000 {
		list = append(list, tracing.Event{Log: &tracing.LogLine{ExecutionID: "x-0", Seq: seq + 1, RunID: "id-00000", JobName: "job0", Attempt: 1, At: noon, Level: "INFO", Message: "line"}})
	}
	if err := NewSink(db.Database).Write(t.Context(), list); err != nil {
		t.Fatal(err)
	}
}

func (q planned) ofPages() {
	t, db := q.t, q.db
	q.check("last runs", false, "EXECUTION_JOB_START_INDEX", recorded(t, db, func(s *Store) error {
		_, err := s.LastRuns(t.Context(), []string{"job1", "job2", "job3"}, 5)
		return err
	}))
	q.check("one execution", false, "EXECUTION_ID_INDEX|sqlite_autoindex|job_execution_log_pkey", recorded(t, db, func(s *Store) error {
		_, err := s.Execution(t.Context(), "id-00077")
		return err
	}))
	for of, index := range map[Suggestion]string{SuggestJobs: "EXECUTION_JOB_START_INDEX|EXECUTION_RUN_INDEX", SuggestIPs: "EXECUTION_IP_START_INDEX", SuggestStatusJobs: "STATUS_JOB_CREATION_INDEX"} {
		q.check("suggestions of "+string(of), false, index, recorded(t, db, func(s *Store) error {
			_, err := s.Suggest(t.Context(), of, "1")
			return err
		}))
	}
}

func (q planned) filters(day, later time.Time, item int) {
	q.executions("of a time", ExecutionFilter{From: day, To: later}, "EXECUTION_START_INDEX", false)
	q.executions("of a time by job", ExecutionFilter{From: day, To: later, Sort: SortJob}, "EXECUTION_START_INDEX", true)
	q.executions("failed", ExecutionFilter{State: RunFailed}, "EXECUTION_RESULT_START_INDEX", false)
	q.executions("cancelled", ExecutionFilter{State: RunCancelled}, "EXECUTION_RESULT_START_INDEX", false)
	q.executions("succeeded", ExecutionFilter{State: RunSuccess}, "EXECUTION_RESULT_START_INDEX|EXECUTION_START_INDEX", false) // nearly all rows
	q.executions("running", ExecutionFilter{State: RunRunning}, "EXECUTION_UNFINISHED_INDEX", false)
	q.executions("lost", ExecutionFilter{State: RunLost}, "EXECUTION_UNFINISHED_INDEX", false)
	q.executions("of a job", ExecutionFilter{JobName: "job3"}, "EXECUTION_JOB_START_INDEX", false)
	q.executions("of a shard", ExecutionFilter{JobName: "job0", Item: &item}, "EXECUTION_ITEM_START_INDEX", false)
	q.executions("of any shard of that number", ExecutionFilter{Item: &item}, "EXECUTION_START_INDEX", false)
	q.executions("of a job, of a time", ExecutionFilter{JobName: "job3", From: day, To: later}, "EXECUTION_JOB_START_INDEX", false)
	q.executions("of a server", ExecutionFilter{IP: "10.0.0.3"}, "EXECUTION_IP_START_INDEX", false)
	q.executions("of a task", ExecutionFilter{TaskID: "task77"}, "EXECUTION_TASK_INDEX", true)
	q.executions("of a few jobs", ExecutionFilter{JobPrefix: "job1"}, "EXECUTION_JOB_START_INDEX", true)
	q.executions("of many jobs", ExecutionFilter{JobPrefix: "job"}, "EXECUTION_START_INDEX", false)
	q.executions("with a text", ExecutionFilter{FailureText: "Boom"}, "EXECUTION_RESULT_START_INDEX", false)
	q.executions("slow", ExecutionFilter{MinDuration: time.Hour}, "EXECUTION_DURATION_INDEX", true)
}

// inOrder checks the first page in each order.
func (q planned) inOrder(completed string) {
	for _, ascending := range []bool{false, true} {
		// Ascending, the first pages are the runs without an end.
		name := map[bool]string{false: " descending", true: " ascending"}[ascending]
		q.executions("newest"+name, ExecutionFilter{Ascending: ascending}, "EXECUTION_START_INDEX", false)
		q.executions("by completion"+name, ExecutionFilter{Sort: SortComplete, Ascending: ascending}, completed+"|EXECUTION_UNFINISHED_INDEX", false)
		q.executions("by duration"+name, ExecutionFilter{Sort: SortDuration, Ascending: ascending}, "EXECUTION_DURATION_INDEX|EXECUTION_UNFINISHED_INDEX", false)
		q.executions("by job"+name, ExecutionFilter{Sort: SortJob, Ascending: ascending}, "EXECUTION_JOB_START_INDEX", false)
		q.executions("by address"+name, ExecutionFilter{Sort: SortIP, Ascending: ascending}, "EXECUTION_IP_START_INDEX", false)
		q.executions("of the busiest job by duration"+name, ExecutionFilter{JobName: "job0", Sort: SortDuration, Ascending: ascending}, "EXECUTION_DURATION_INDEX", false)
		q.executions("failed by duration"+name, ExecutionFilter{State: RunFailed, Sort: SortDuration, Ascending: ascending}, "EXECUTION_RESULT_START_INDEX", true)
	}
}

// scans reports whether a plan reads a whole table.
func scans(plan string) bool {
	for line := range strings.SplitSeq(strings.TrimSpace(plan), "\n") {
		switch {
		case strings.Contains(line, "Seq Scan"):
			return true
		case strings.Contains(line, "type=ALL") && !strings.Contains(line, "table=<derived"):
			return true
		case strings.Contains(line, "detail=SCAN") && !strings.Contains(line, "USING") && strings.TrimSpace(line) != "detail=SCAN t" && !strings.Contains(line, "(subquery") && !strings.Contains(line, "SCAN CONSTANT ROW") && !strings.Contains(line, "VIRTUAL TABLE"): // of a JSON array
			return true
		}
	}
	return false
}

// TestWalksEnd: a walk over the next rows of an index should read no more rows, even if many have
// the key at which it stops. Only MySQL reports the index entries that a statement read.
func TestWalksEnd(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Dialect != store.MySQL {
			return
		}
		fill(t, db, 3_000)
		const looks, limit = 50, 20
		for _, key := range []SortKey{SortIP, SortJob, SortDuration, SortComplete, SortStart} {
			for _, ascending := range []bool{false, true} {
				f := ExecutionFilter{State: RunFailed, Sort: key, Ascending: ascending, Limit: limit}
				for _, statement := range recorded(t, db, func(s *Store) error {
					s.looks = looks
					first, err := s.Executions(t.Context(), f)
					if err != nil || first.NextCursor == "" {
						return err
					}
					f.Cursor = first.NextCursor
					_, err = s.Executions(t.Context(), f)
					return err
				}) {
					// Each row of a page also reads the last run of its shard.
					if n := entriesRead(t, db, statement); n > looks+2*limit+10 {
						t.Errorf("by %s, ascending %t: %d entries read:\n%s", key, ascending, n, statement)
					}
				}
			}
		}
	})
}

// entriesRead returns the number of index entries that MySQL reads for a statement.
func entriesRead(t *testing.T, db *store.DB, statement string) (n int) {
	t.Helper()
	err := db.Connection(func(one *gorm.DB) error {
		if err := one.Exec("FLUSH STATUS").Error; err != nil {
			return err
		}
		if err := one.Exec(statement).Error; err != nil {
			return err
		}
		var read []struct {
			Name  string `gorm:"column:Variable_name"`
			Count int    `gorm:"column:Value"`
		}
		if err := one.Raw("SHOW SESSION STATUS LIKE 'Handler_read%'").Scan(&read).Error; err != nil {
			return err
		}
		for _, r := range read {
			if r.Name != "Handler_read_rnd_next" { // of a temporary table, such as this answer's
				n += r.Count
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func fill(t *testing.T, db *store.DB, n int) {
	t.Helper()
	sink := NewSink(db.Database)
	var list []tracing.Event
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for i := range n {
		at := noon.Add(time.Duration(i) * time.Second)
		job := fmt.Sprintf("job%d", i%20)
		if i%4 != 3 {
			job = "job0" // the job of most rows
		}
		if i%100 == 7 { // a run after its agent was killed
			list = append(list, tracing.Event{Execution: &tracing.Execution{ID: fmt.Sprintf("id-%05d", i), JobName: job,
				TaskID: fmt.Sprintf("task%d", i/4), IP: fmt.Sprintf("10.0.0.%d", i%10), Source: tracing.SourceNormal, StartTime: at}})
			continue
		}
		list = append(list,
			tracing.Event{Execution: &tracing.Execution{ID: fmt.Sprintf("id-%05d", i), JobName: job,
				TaskID: fmt.Sprintf("task%d", i/4), IP: fmt.Sprintf("10.0.0.%d", i%10), Source: tracing.SourceNormal,
				StartTime: at, CompleteTime: at.Add(time.Second), Success: i%50 != 0, FailureCause: map[bool]string{true: "boom"}[i%50 == 0]}},
			tracing.Event{Status: &tracing.Status{ID: fmt.Sprintf("id-%05d", i), JobName: job,
				TaskID: fmt.Sprintf("task%d", i/4), State: tracing.StateFinished, CreationTime: at}})
	}
	if err := sink.Write(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	fillRequests(t, db, n)
	analyze := "ANALYZE"
	if db.Dialect == store.MySQL {
		analyze = "ANALYZE TABLE " + strings.Join(allTables, ", ")
	}
	if err := db.Exec(analyze).Error; err != nil {
		t.Fatal(err)
	}
}

func explain(t *testing.T, db *store.DB, statement string) string {
	t.Helper()
	prefix := "EXPLAIN "
	if db.Dialect == store.SQLite {
		prefix = "EXPLAIN QUERY PLAN "
	}
	var rows []map[string]any
	if err := db.Raw(prefix + statement).Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range rows {
		for _, column := range []string{"detail", "table", "type", "key", "rows", "Extra", "QUERY PLAN"} {
			if value, ok := row[column]; ok && value != nil {
				if raw, ok := value.([]byte); ok {
					value = string(raw)
				}
				fmt.Fprintf(&b, "%s=%v ", column, value)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var estimates = regexp.MustCompile(`cost=\S+ rows=(\d+)`)

// sortsMany reports whether a PostgreSQL plan sorts more rows than a query may check. It likes to
// sort fewer rows from an index, and may.
func sortsMany(plan string) bool {
	if !strings.Contains(plan, "Sort Key") {
		return false
	}
	for _, estimate := range estimates.FindAllStringSubmatch(plan, -1) {
		if n, err := strconv.Atoi(estimate[1]); err != nil || n > 5*MaxLooked {
			return true
		}
	}
	return false
}
