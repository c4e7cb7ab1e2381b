package rdb

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestPlans asks all engines how they would answer the console's questions on
// a table with rows enough for an index to be worth it. No answer may read the
// whole table or sort it.
func TestPlans(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		rows := 2_000
		if db.Dialect != store.SQLite {
			rows = 20_000 // a small table they rather read and sort, and rightly so
		}
		fill(t, db, rows)
		form, err := probe(t.Context(), db.DB)
		if err != nil {
			t.Fatal(err)
		}
		if !form.source || !form.unique {
			t.Fatalf("%+v", form)
		}
		cursor := encodeCursor(noon.Add(1500*time.Second), "x")
		day, later := noon.Add(500*time.Second), noon.Add(1000*time.Second)
		type question struct {
			name, sql string
			args      []any
			index     string // the one that answers it; several separated by |
			sorts     bool   // the few rows found are sorted
		}
		var questions []question
		executions := func(name string, f ExecutionFilter, index string, sorts bool) {
			where, err := executionConditions(form, f)
			if err != nil {
				t.Fatal(err)
			}
			questions = append(questions,
				question{"executions " + name, executionPageSQL(form, f, where, 51), where.args, index, sorts},
				question{"count " + name, countSQL(form, executionTable, where, 1000), where.args, index + "|COVERING INDEX", true})
		}
		statuses := func(name string, f StatusFilter, index string, sorts bool) {
			where, err := statusConditions(form, f)
			if err != nil {
				t.Fatal(err)
			}
			questions = append(questions, question{"statuses " + name, statusPageSQL(form, f, where, 51), where.args, index, sorts})
		}
		executions("newest", ExecutionFilter{}, "EXECUTION_START_INDEX", false)
		executions("next page", ExecutionFilter{Cursor: cursor}, "EXECUTION_START_INDEX", false)
		executions("of a day", ExecutionFilter{From: day, To: later}, "EXECUTION_START_INDEX", false)
		executions("failed", ExecutionFilter{State: RunFailed}, "EXECUTION_RESULT_START_INDEX", false)
		executions("running", ExecutionFilter{State: RunRunning}, "EXECUTION_UNFINISHED_INDEX", false)
		executions("running, next page", ExecutionFilter{State: RunRunning, Cursor: cursor}, "EXECUTION_UNFINISHED_INDEX", false)
		executions("failed, next page", ExecutionFilter{State: RunFailed, Cursor: cursor}, "EXECUTION_RESULT_START_INDEX", false)
		executions("of a job", ExecutionFilter{JobName: "job3"}, "EXECUTION_JOB_START_INDEX", false)
		executions("of a job, next page", ExecutionFilter{JobName: "job3", Cursor: cursor}, "EXECUTION_JOB_START_INDEX", false)
		executions("of a job, of a day", ExecutionFilter{JobName: "job3", From: day, To: later}, "EXECUTION_JOB_START_INDEX", false)
		executions("of a server", ExecutionFilter{IP: "10.0.0.3"}, "EXECUTION_IP_START_INDEX", false)
		executions("of a server, next page", ExecutionFilter{IP: "10.0.0.3", Cursor: cursor}, "EXECUTION_IP_START_INDEX", false)
		executions("of a task", ExecutionFilter{TaskID: "task77"}, "EXECUTION_TASK_INDEX", true)
		statuses("newest", StatusFilter{}, "STATUS_CREATION_INDEX", false)
		statuses("next page", StatusFilter{Cursor: cursor}, "STATUS_CREATION_INDEX", false)
		statuses("of a job", StatusFilter{JobName: "job3"}, "STATUS_JOB_CREATION_INDEX", false)
		statuses("of a task", StatusFilter{TaskID: "task77"}, "TASK_ID_STATE_INDEX", true)
		questions = append(questions,
			question{"last runs", lastRunsSQL(3, 5), []any{"job1", "job2", "job3"}, "EXECUTION_JOB_START_INDEX", false},
			question{"one execution", "SELECT " + executionSelect + " FROM " + executionTable + " WHERE id = ? LIMIT 1",
				[]any{"id-00077"}, "EXECUTION_ID_INDEX|sqlite_autoindex|job_execution_log_pkey", false})

		for _, q := range questions {
			plan := explain(t, db, q.sql, q.args)
			used := false
			for index := range strings.SplitSeq(q.index, "|") {
				used = used || strings.Contains(strings.ToUpper(plan), strings.ToUpper(index))
			}
			sorted := strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "filesort") || sortsMany(plan)
			if !used || sorted && !q.sorts || strings.Contains(plan, "Seq Scan") {
				t.Errorf("%s: want %s, sorting %t:\n%s\n%s", q.name, q.index, q.sorts, q.sql, plan)
			}
		}
	})
}

func fill(t *testing.T, db *store.DB, n int) {
	t.Helper()
	sink := NewSink(db.DB)
	var list []tracing.Event
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for i := range n {
		at := noon.Add(time.Duration(i) * time.Second)
		job := fmt.Sprintf("job%d", i%20)
		if i%4 != 3 {
			job = "job0" // most of the rows are those of one job
		}
		if i%100 == 7 { // a run whose agent was killed
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
	analyze := "ANALYZE"
	if db.Dialect == store.MySQL {
		analyze = "ANALYZE TABLE " + executionTable + ", " + statusTable
	}
	if err := db.Exec(analyze).Error; err != nil {
		t.Fatal(err)
	}
}

// explain returns an engine's plan as text.
func explain(t *testing.T, db *store.DB, statement string, args []any) string {
	t.Helper()
	prefix := "EXPLAIN "
	if db.Dialect == store.SQLite {
		prefix = "EXPLAIN QUERY PLAN "
	}
	var rows []map[string]any
	if err := db.Raw(prefix+statement, args...).Scan(&rows).Error; err != nil {
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

// sortsMany reports whether a plan of PostgreSQL sorts more rows than a few
// pages. When an index finds fewer it likes to sort them, and may.
func sortsMany(plan string) bool {
	if !strings.Contains(plan, "Sort Key") {
		return false
	}
	for _, estimate := range estimates.FindAllStringSubmatch(plan, -1) {
		if n, err := strconv.Atoi(estimate[1]); err != nil || n > 500 {
			return true
		}
	}
	return false
}
