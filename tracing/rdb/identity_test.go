package rdb_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestW13LongNames: our tables keep job names of 255 characters, and separate two jobs even if only
// the last character differs. A Java engine's table is narrower. It never gets a shortened name:
// the rows are left out, and the findings have the SQL that makes room.
func TestW13LongNames(t *testing.T) {
	long, alike := strings.Repeat("é", 254)+"x", strings.Repeat("é", 254)+"y"
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		for _, ours := range []bool{true, false} {
			db := storetest.Open(t, dsn)
			if !ours {
				for _, table := range []string{"JOB_EXECUTION_LOG", "JOB_STATUS_TRACE_LOG"} {
					if err := db.Exec("DROP TABLE " + table).Error; err != nil {
						t.Fatal(err)
					}
				}
				storetest.CreateJavaTables(t, db, storetest.Java304)
			} else if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			held := []string{long, alike}
			list, err := rdb.Findings(t.Context(), db.Database)
			if err != nil || len(list) > 0 && (ours || db.Dialect == store.SQLite) {
				t.Fatal(list, err)
			}
			if !ours && db.Dialect != store.SQLite { // SQLite has no limit
				held = nil
				for _, want := range []string{"JOB_EXECUTION_LOG.job_name holds 100 characters", "VARCHAR(255)"} {
					if text := fmt.Sprint(list); !strings.Contains(text, want) {
						t.Errorf("findings lack %q: %s", want, text)
					}
				}
			}
			for i, job := range []string{long, alike} {
				e := ended(run(fmt.Sprint(i), job, 0, noon), time.Second, "")
				st := step(e.ID, tracing.StateFinished, noon)
				st.JobName = job
				write(t, db, append(events(e), trail(st)...))
			}
			reader := rdb.NewStore(db.Database)
			last, err := reader.LastRuns(t.Context(), []string{long, alike}, 5)
			if diff := cmp.Diff(slices.Sorted(slices.Values(held)), slices.Sorted(maps.Keys(last))); err != nil || diff != "" {
				t.Error(err, diff)
			}
			for _, job := range []string{long, alike, long[:200]} {
				want := 0
				if slices.Contains(held, job) {
					want = 1
				}
				page, err := reader.Executions(t.Context(), rdb.ExecutionFilter{JobName: job})
				steps, err2 := reader.Statuses(t.Context(), rdb.StatusFilter{JobName: job})
				if err != nil || err2 != nil || len(page.Rows) != want || len(steps.Rows) != want {
					t.Errorf("%d executions and %d steps, want %d; %v, %v", len(page.Rows), len(steps.Rows), want, err, err2)
				}
			}
			if n := count(t, db, "JOB_EXECUTION_LOG"); n != len(held) {
				t.Errorf("%d rows, want %d", n, len(held))
			}
		}
	})
}

// TestW13LongTaskIDsAndAddresses: a task id, which lists its shards, may be wider than any column, and an
// address may be a long host name. Both the whole value and its stored form find the row, and no similar row.
func TestW13LongTaskIDsAndAddresses(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for i, pid := range []string{"@-@7", "@-@8"} {
			e := run(fmt.Sprint(i), "j", 0, noon)
			st := step(e.ID, tracing.StateRunning, noon)
			e.TaskID = "j@-@" + strings.Repeat("1,", 400) + "1@-@READY@-@10.0.0.1" + pid
			e.IP = strings.Repeat("a", 60) + pid
			st.TaskID, st.SlaveID = e.TaskID, e.IP
			write(t, db, append(events(e), trail(st)...))
			reader := rdb.NewStore(db.Database)
			task, ip := e.TaskID, e.IP
			for range 2 {
				page, err := reader.Executions(t.Context(), rdb.ExecutionFilter{TaskID: task, IP: ip})
				steps, err2 := reader.Statuses(t.Context(), rdb.StatusFilter{TaskID: task, SlaveID: ip})
				if err != nil || err2 != nil || len(page.Rows) != 1 || len(steps.Rows) != 1 || page.Rows[0].ID != e.ID {
					t.Fatalf("%+v, %+v, %v, %v", page.Rows, steps.Rows, err, err2)
				}
				task, ip = page.Rows[0].TaskID, page.Rows[0].IP
			}
		}
	})
}

// TestW20SQLite is TestW20NamesInAnyCollation for SQLite.
func TestW20SQLite(t *testing.T) {
	db := storetest.Open(t, storetest.SQLiteDSN(t))
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	sameButForCase(t, db)
	java, careless := storetest.Open(t, storetest.SQLiteDSN(t)), storetest.Open(t, storetest.SQLiteDSN(t))
	storetest.CreateJavaTables(t, java, storetest.Java304)
	for _, table := range []string{"JOB_EXECUTION_LOG", "JOB_STATUS_TRACE_LOG"} {
		var sql string
		if err := java.Raw("SELECT sql FROM sqlite_master WHERE name = ?", table).Scan(&sql).Error; err != nil {
			t.Fatal(err)
		}
		sql = strings.Replace(sql, "job_name VARCHAR(100)", "job_name TEXT COLLATE NOCASE", 1)
		if err := careless.Exec(sql).Error; err != nil {
			t.Fatal(err)
		}
	}
	if err := careless.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	sameButForCase(t, careless)
}

// sameButForCase writes executions of two jobs, and checks that each query finds only one job's.
func sameButForCase(t *testing.T, db *store.DB) {
	t.Helper()
	for i := range 4 { // Alternate, so the last run of report would be lost if runs of Report counted.
		e := ended(run(fmt.Sprintf("r%d", i), "report", 0, noon.Add(time.Duration(i)*time.Minute)), time.Second, "")
		f := ended(run(fmt.Sprintf("R%d", i+10), "Report", 0, e.StartTime.Add(30*time.Second)), time.Second, "boom")
		if i == 3 {
			e.CompleteTime, e.Success = time.Time{}, false
		}
		e.RunID, f.RunID = "F"+e.ID, "F"+e.ID // alike in both
		st := step(e.ID, tracing.StateFinished, e.StartTime)
		st.JobName = "report"
		other := step(f.ID, tracing.StateFinished, f.StartTime)
		other.JobName = "Report"
		write(t, db, append(events(e, f), trail(st, other)...))
	}
	reader, ctx := rdb.NewStore(db.Database), t.Context()
	jobs := func(rows []tracing.Execution) (names []string) {
		for _, row := range rows {
			names = append(names, row.JobName)
		}
		return slices.Compact(slices.Sorted(slices.Values(names)))
	}
	for _, job := range []string{"report", "Report"} {
		for what, filter := range map[string]rdb.ExecutionFilter{
			"job": {JobName: job}, "prefix": {JobPrefix: job[:3]},
			"jobs": {Jobs: []string{job, "REPORT"}}, "sorted": {JobPrefix: job, Sort: rdb.SortJob},
		} {
			page, err := reader.Executions(ctx, filter)
			if err != nil || len(page.Rows) != 4 || !slices.Equal(jobs(page.Rows), []string{job}) {
				t.Errorf("%s %s: %d rows of %v, %v", what, job, len(page.Rows), jobs(page.Rows), err)
			}
			if n, exact, err := reader.CountExecutions(ctx, filter, 100); err != nil || n != 4 || !exact {
				t.Errorf("%s %s: counts %d, %t, %v", what, job, n, exact, err)
			}
			for _, row := range page.Rows {
				if row.Lost {
					t.Errorf("%s: %s is lost because of a run of the other job", job, row.ID)
				}
			}
		}
		steps, err := reader.Statuses(ctx, rdb.StatusFilter{JobName: job})
		if err != nil || len(steps.Rows) != 4 || steps.Rows[0].JobName != job {
			t.Errorf("%s: %d steps, %v", job, len(steps.Rows), err)
		}
		last, err := reader.LastRuns(ctx, []string{job}, 2)
		if err != nil || len(last) != 1 || len(last[job]) != 2 {
			t.Errorf("%s: last runs %v, %v", job, last, err)
		}
		runs, err := reader.Runs(ctx, rdb.RunFilter{JobName: job})
		if err != nil || len(runs.Runs) != 4 || len(runs.Runs[0].Executions) != 1 {
			t.Errorf("%s: %d runs, %v", job, len(runs.Runs), err)
		}
		one, err := reader.Run(ctx, job, "Fr1")
		if err != nil || len(one.Executions) != 1 || one.JobName != job {
			t.Errorf("%s: run %+v, %v", job, one, err)
		}
		before, after, err := reader.Neighbours(ctx, one)
		if err != nil || before != "Fr0" || after != "Fr2" {
			t.Errorf("%s: neighbours %s and %s, %v", job, before, after, err)
		}
		suggested, err := reader.Suggest(ctx, rdb.SuggestJobs, job[:2])
		if err != nil || !slices.Equal(suggested, []string{job}) {
			t.Errorf("%s: suggests %v, %v", job, suggested, err)
		}
	}
	for _, of := range []rdb.Suggestion{rdb.SuggestJobs, rdb.SuggestStatusJobs} {
		if all, err := reader.Suggest(ctx, of, ""); err != nil || !slices.Equal(all, []string{"Report", "report"}) {
			t.Errorf("suggests %v, %v", all, err)
		}
	}
	if _, err := rdb.Count(ctx, db.Database, noon.Add(time.Hour)); err != nil {
		t.Error(err)
	}
	for job, want := range map[string]rdb.Point{
		"report": {Time: noon, Success: 3, Known: true}, "Report": {Time: noon, Failed: 4, Known: true},
	} {
		points, err := reader.Statistics(ctx, job, rdb.Hour, noon, noon)
		if err != nil || points[0] != want {
			t.Errorf("%s: counts %+v, %v", job, points, err)
		}
	}
}
